//! A row of a file as the lead that it becomes.
//!
//! # Decision
//!
//! What a row says and a lead has no field for is kept as a note on the lead, so nothing of a row that is taken is lost.
//! Turned down: leaving out every row with one cell that cannot be read.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use shingle_domain::lead::LeadStatus;
use shingle_domain::public::AddressChoice;
use shingle_domain::rules;
use shingle_domain::tag::Tag;
use shingle_domain::text::{is_clean_block, visible};
use shingle_domain::{Email, Phone, Timestamp, Usd, UserId};
use shingle_portal::MAX_NOTE;

use super::columns::{Choices, Field};
use super::file::Table;

/// Why a row becomes no lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    Name,
    /// Neither a phone of North America nor an email.
    Contact,
    Address,
    /// It is older than the company keeps leads.
    TooOld,
}

/// What a person should look at in a row that becomes a lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// A spreadsheet would run a cell as a formula.
    Formula,
    /// A phone from outside North America is kept as a note.
    PhoneNoted,
    EmailNoted,
    /// Nobody of the team has this name.
    AssigneeNoted,
    DateUnread,
}

/// The lead of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowLead {
    pub first_name: String,
    pub last_name: String,
    pub email: Option<Email>,
    pub phone: Option<Phone>,
    pub address: AddressChoice,
    pub status: LeadStatus,
    pub own_estimate: Option<Usd>,
    pub received: Option<Timestamp>,
    pub assignee: Option<UserId>,
    pub note: Option<String>,
    pub tags: Vec<Tag>,
    /// What a column says about calls and texts.
    pub consent: Option<SaidConsent>,
    pub marks: Vec<Mark>,
}

/// The first of January 1990: what is said to be older is a typing error.
const OLDEST: i64 = 631_152_000_000_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SaidConsent {
    pub column: String,
    pub word: String,
    pub given: bool,
}

impl RowLead {
    /// Whether a lead of this person, at this address, is of the same home: the house numbers do not contradict each other.
    pub fn is_at(&self, address: &str) -> bool {
        match (house_number(self.line()), house_number(address)) {
            (Some(own), Some(other)) => own == other,
            _ => true,
        }
    }

    pub fn line(&self) -> &str {
        match &self.address {
            AddressChoice::Line(line) => line,
            _ => "",
        }
    }
}

/// The first word, where it begins with a digit.
pub(super) fn house_number(line: &str) -> Option<String> {
    let word = line.split_whitespace().next()?.trim_end_matches(',');
    word.starts_with(|c: char| c.is_ascii_digit()).then(|| word.to_lowercase())
}

/// What rows are read with.
pub struct Reader<'r> {
    pub table: &'r Table,
    pub choices: &'r Choices,
    /// Ids, names and emails.
    pub people: &'r [(UserId, String, String)],
    pub zone: &'r TimeZone,
    pub now: Timestamp,
    /// Leads that came before are erased at once.
    pub kept_since: Option<Timestamp>,
}

/// A row's cells that were not understood, and others that a lead has no field for.
#[derive(Default)]
struct Kept {
    notes: Vec<String>,
    marks: Vec<Mark>,
}

impl Kept {
    fn aside(&mut self, heading: &str, cell: &str, mark: Mark) {
        self.notes.push(format!("{heading}: {cell}"));
        self.marks.push(mark);
    }
}

impl Reader<'_> {
    /// The cells that go to a field, with their headings; blanks are left out.
    fn cells<'c>(&'c self, cells: &'c [String], field: Field) -> impl Iterator<Item = (&'c str, &'c str)> {
        let of_field = self.choices.fields.iter().enumerate().filter(move |(_, found)| **found == field);
        of_field.filter_map(|(n, _)| {
            let cell = cells.get(n).map(|cell| without_guard(cell)).filter(|cell| !cell.is_empty())?;
            Some((self.table.headings.get(n).map_or("", String::as_str), cell))
        })
    }

    fn cell<'c>(&'c self, cells: &'c [String], field: Field) -> &'c str {
        self.cells(cells, field).next().map_or("", |(_, cell)| cell)
    }

    pub fn read(&self, cells: &[String]) -> Result<RowLead, Missing> {
        let mut kept = Kept::default();
        let (first_name, last_name) = self.name(cells).ok_or(Missing::Name)?;
        let email = self.email(cells, &mut kept);
        let phone = self.phone(cells, &mut kept);
        if email.is_none() && phone.is_none() {
            return Err(Missing::Contact);
        }
        let address = self.address(cells).ok_or(Missing::Address)?;
        let received = self.received(cells, &mut kept);
        if self.kept_since.is_some_and(|since| received.is_some_and(|at| at < since)) {
            return Err(Missing::TooOld);
        }
        let word = self.cell(cells, Field::Status).to_lowercase();
        let status = self.choices.statuses.iter().find(|(known, _)| *known == word).map(|(_, status)| *status);
        let status = match (status, word.is_empty()) {
            (Some(status), _) => status,
            (None, true) => LeadStatus::New,
            (None, false) => {
                kept.notes.push(format!("{}: {word}", self.heading(Field::Status)));
                LeadStatus::Contacted
            }
        };
        let own_estimate = self.own_estimate(cells, status, &mut kept);
        let assignee = self.assignee(cells, &mut kept);
        let tags = self.tags(cells, &mut kept);
        let consent = self.consent(cells);
        let is_formula = self.choices.fields.iter().zip(cells).any(|(field, cell)| {
            !matches!(field, Field::LeaveOut | Field::Phone | Field::OwnEstimate) && is_formula(without_guard(cell))
        });
        if is_formula {
            kept.marks.insert(0, Mark::Formula);
        }
        let note = self.note(cells, kept.notes);
        let marks = kept.marks;
        Ok(RowLead {
            first_name,
            last_name,
            email,
            phone,
            address,
            status,
            own_estimate,
            received,
            assignee,
            note,
            tags,
            consent,
            marks,
        })
    }

    fn heading(&self, field: Field) -> &str {
        self.choices.column(field).and_then(|n| self.table.headings.get(n)).map_or("", String::as_str)
    }

    fn name(&self, cells: &[String]) -> Option<(String, String)> {
        let (first, last) = (self.cell(cells, Field::FirstName), self.cell(cells, Field::LastName));
        let (first, last) = match (first, last) {
            ("", "") => split_name(self.cell(cells, Field::Name)),
            ("", last) => (last.to_owned(), String::new()),
            (first, last) => (first.to_owned(), last.to_owned()),
        };
        let first = rules::person_name(&clipped(&one_line(&first), 100)).ok()?;
        let last = rules::person_name(&clipped(&one_line(&last), 100)).unwrap_or_default();
        Some((first, last))
    }

    /// The first that can be written to; others are noted.
    fn email(&self, cells: &[String], kept: &mut Kept) -> Option<Email> {
        let mut found = None;
        for (heading, cell) in self.cells(cells, Field::Email) {
            for part in cell.split([';', ',', ' ']).map(|part| part.trim_matches(['<', '>', '"'])) {
                let part = part.strip_prefix("mailto:").unwrap_or(part);
                match rules::email(part) {
                    _ if part.is_empty() => {}
                    Ok(email) if found.is_none() => found = Some(email),
                    Ok(email) if found.as_ref() == Some(&email) => {}
                    Ok(email) => kept.notes.push(format!("{heading}: {}", email.as_str())),
                    Err(_) if part.contains('@') => kept.aside(heading, part, Mark::EmailNoted),
                    Err(_) => {}
                }
            }
        }
        found
    }

    fn phone(&self, cells: &[String], kept: &mut Kept) -> Option<Phone> {
        let mut found: Option<Phone> = None;
        for (heading, cell) in self.cells(cells, Field::Phone) {
            let parts = cell.split(['/', ';', ',', '|', '\n']).flat_map(|part| part.split(" or ")).map(str::trim);
            for part in parts.filter(|part| part.chars().any(|c| c.is_ascii_digit())) {
                let (plain, extension) = without_extension(part);
                // With the code of another country, ten digits are not a number of North America.
                let is_foreign = plain.strip_prefix('+').is_some_and(|rest| !rest.trim_start().starts_with('1'));
                match rules::phone(plain) {
                    Ok(Some(_)) if is_foreign => kept.aside(heading, part, Mark::PhoneNoted),
                    Ok(Some(phone)) => {
                        let is_same = found.as_ref() == Some(&phone);
                        if extension || found.is_some() && !is_same {
                            kept.notes.push(format!("{heading}: {part}"));
                        }
                        found.get_or_insert(phone);
                    }
                    Ok(None) => {}
                    Err(_) => kept.aside(heading, part, Mark::PhoneNoted),
                }
            }
        }
        found
    }

    fn address(&self, cells: &[String]) -> Option<AddressChoice> {
        let line = match self.cell(cells, Field::Address) {
            "" => {
                let street = self.cell(cells, Field::Street);
                let region = [self.cell(cells, Field::State), &zip(self.cell(cells, Field::Zip))].join(" ");
                let parts = [street, self.cell(cells, Field::Town), region.trim()];
                // A town alone is nobody's home.
                match street {
                    "" => String::new(),
                    _ => parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", "),
                }
            }
            line => line.to_owned(),
        };
        AddressChoice::Line(clipped(&one_line(&line), 200)).parse().ok()
    }

    fn received(&self, cells: &[String], kept: &mut Kept) -> Option<Timestamp> {
        let (heading, cell) = self.cells(cells, Field::Received).next()?;
        let read = read_time(cell, self.choices.is_day_first, self.zone);
        match read.filter(|at| *at <= self.now && *at >= Timestamp::from_micros(OLDEST)) {
            Some(at) => Some(at),
            None => {
                kept.aside(heading, cell, Mark::DateUnread);
                None
            }
        }
    }

    /// What a lead that was won is worth; of others, it is noted.
    fn own_estimate(&self, cells: &[String], status: LeadStatus, kept: &mut Kept) -> Option<Usd> {
        let (heading, cell) = self.cells(cells, Field::OwnEstimate).next()?;
        let plain: String = cell.chars().filter(|c| !matches!(c, '$' | ',' | ' ' | '\u{a0}')).collect();
        let plain = plain.strip_suffix("USD").unwrap_or(&plain);
        let value = Usd::parse_price(plain).filter(|value| value.cents() > 0);
        if status == LeadStatus::Won && value.is_some() {
            return value;
        }
        if !matches!(plain, "0" | "0.00") {
            kept.notes.push(format!("{heading}: {cell}"));
        }
        None
    }

    fn assignee(&self, cells: &[String], kept: &mut Kept) -> Option<UserId> {
        let (heading, cell) = self.cells(cells, Field::Assignee).next()?;
        let wanted = cell.to_lowercase();
        let fits = |name: &str, email: &str| {
            let name = name.to_lowercase();
            let initial = name.split_once(' ').map(|(first, last)| {
                let initial: String = first.chars().take(1).collect();
                (format!("{initial}. {last}"), format!("{last}, {first}"))
            });
            wanted == name
                || wanted == email.to_lowercase()
                || initial.is_some_and(|(short, turned)| wanted == short || wanted == turned)
        };
        let mut found = self.people.iter().filter(|(_, name, email)| fits(name, email));
        match (found.next(), found.next()) {
            (Some((id, ..)), None) => Some(*id),
            _ => {
                kept.aside(heading, cell, Mark::AssigneeNoted);
                None
            }
        }
    }

    fn tags(&self, cells: &[String], kept: &mut Kept) -> Vec<Tag> {
        let mut tags: Vec<Tag> = Vec::new();
        for (heading, cell) in self.cells(cells, Field::Tags) {
            for word in cell.split([',', ';', '|']).map(str::trim).filter(|word| !word.is_empty()) {
                match Tag::parse(word) {
                    Ok(tag) if tags.iter().any(|known| known.folded() == tag.folded()) => {}
                    Ok(tag) if tags.len() < Tag::MAX_OF_LEAD => tags.push(tag),
                    _ => kept.notes.push(format!("{heading}: {word}")),
                }
            }
        }
        tags
    }

    fn consent(&self, cells: &[String]) -> Option<SaidConsent> {
        const YES: [&str; 9] = ["yes", "y", "true", "1", "x", "opted in", "opt-in", "agreed", "sí"];
        // A yes in such a column is a no.
        const AGAINST: [&str; 6] = ["do not", "don't", "dnc", "opt out", "opt-out", "unsubscribe"];
        let (heading, cell) = self.cells(cells, Field::Consent).next()?;
        let is_against = AGAINST.iter().any(|word| heading.to_lowercase().contains(word));
        Some(SaidConsent {
            column: clipped(&one_line(heading), 100),
            word: clipped(&one_line(cell), 100),
            given: !is_against && YES.contains(&cell.to_lowercase().as_str()),
        })
    }

    fn note(&self, cells: &[String], others: Vec<String>) -> Option<String> {
        let columns = self.choices.fields.iter().filter(|field| **field == Field::Note).count();
        let written = self.cells(cells, Field::Note).map(|(heading, cell)| match columns {
            1 => cell.to_owned(),
            _ => format!("{heading}: {cell}"),
        });
        let all: Vec<String> = written.chain(others).collect();
        let text = clean(&all.join("\n"));
        let text = clipped(text.trim(), MAX_NOTE);
        (!text.is_empty() && is_clean_block(&text)).then_some(text)
    }
}

/// The number, and whether an extension followed it.
fn without_extension(text: &str) -> (&str, bool) {
    let plain = text.strip_prefix("tel:").unwrap_or(text);
    // As a spreadsheet writes a long number.
    let plain = plain.strip_suffix(".0").unwrap_or(plain);
    let lower = plain.to_ascii_lowercase();
    match lower.find("ext").or_else(|| lower.find('x')).or_else(|| lower.find('#')) {
        Some(at) if at > 0 => (plain[..at].trim(), true),
        _ => (plain, false),
    }
}

/// Our own download writes an apostrophe before what a spreadsheet would run.
fn without_guard(cell: &str) -> &str {
    let cell = cell.trim();
    match cell.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest,
        _ => cell,
    }
}

fn is_formula(cell: &str) -> bool {
    cell.len() > 1 && cell.starts_with(['=', '+', '-', '@'])
}

/// `Ana Kowalski`, `Kowalski, Ana`; two people stay together.
fn split_name(name: &str) -> (String, String) {
    if let Some((last, first)) = name.split_once(',')
        && !first.trim().is_empty()
        && !last.trim().contains(' ')
    {
        return (first.trim().to_owned(), last.trim().to_owned());
    }
    match name.trim().rsplit_once(' ') {
        Some((first, last)) => (first.trim().to_owned(), last.to_owned()),
        None => (name.trim().to_owned(), String::new()),
    }
}

/// A spreadsheet drops the zeros at the start.
fn zip(text: &str) -> String {
    let is_short = matches!(text.len(), 3 | 4) && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_short { format!("{text:0>5}") } else { text.to_owned() }
}

fn one_line(text: &str) -> String {
    clean(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Without what nobody sees.
fn clean(text: &str) -> String {
    let text = visible(text).replace("\r\n", "\n").replace('\r', "\n").replace('\t', " ");
    text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
}

fn clipped(text: &str, most: usize) -> String {
    text.chars().take(most).collect()
}

/// A date in the ways that exports write it, at noon where it has no time.
fn read_time(text: &str, is_day_first: bool, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(at) = text.parse::<jiff::Timestamp>() {
        return Some(Timestamp::from_micros(at.as_microsecond()));
    }
    let local = read_local(text, is_day_first)?;
    let at = local.to_zoned(zone.clone()).ok()?.timestamp();
    Some(Timestamp::from_micros(at.as_microsecond()))
}

fn read_local(text: &str, is_day_first: bool) -> Option<DateTime> {
    // Days since the last day of 1899, as a spreadsheet counts.
    if let Ok(days) = text.parse::<f64>() {
        let whole = (20_000.0..80_000.0).contains(&days).then(|| days.trunc())?;
        let base = Date::new(1899, 12, 30).ok()?;
        #[expect(clippy::cast_possible_truncation, reason = "below 80,000")]
        let day = base.checked_add(jiff::Span::new().days(whole as i64)).ok()?;
        return Some(day.to_datetime(Time::midnight() + jiff::Span::new().hours(12)));
    }
    let (day, time) = match text.split_once(['T', 't']).filter(|(day, _)| day.len() == 10) {
        Some((day, time)) => (day, time),
        None => split_time(text),
    };
    let date = read_date(day.trim().trim_end_matches(','), is_day_first)?;
    let time = match time.trim() {
        "" => Time::new(12, 0, 0, 0).ok()?,
        time => read_clock(time)?,
    };
    Some(date.to_datetime(time))
}

/// The time begins with the first part that has a colon.
fn split_time(text: &str) -> (&str, &str) {
    match text.find(':') {
        Some(colon) => {
            let start = text[..colon].rfind(' ').unwrap_or(colon);
            (text[..start].trim(), text[start..].trim())
        }
        None => (text, ""),
    }
}

fn read_clock(text: &str) -> Option<Time> {
    let lower = text.to_ascii_lowercase().replace('.', "");
    let (numbers, half) = match (lower.find("am"), lower.find("pm")) {
        (Some(at), _) => (&lower[..at], Some(false)),
        (_, Some(at)) => (&lower[..at], Some(true)),
        _ => (lower.as_str(), None),
    };
    let mut parts =
        numbers.trim().trim_end_matches('z').split(':').map(|part| part.trim().get(..2).unwrap_or(part.trim()));
    let hour: i8 = parts.next()?.parse().ok()?;
    let minute: i8 = parts.next()?.parse().ok()?;
    let hour = match half {
        Some(_) if !(1..=12).contains(&hour) => return None,
        Some(true) => hour % 12 + 12,
        Some(false) => hour % 12,
        None => hour,
    };
    Time::new(hour, minute, 0, 0).ok()
}

fn read_date(text: &str, is_day_first: bool) -> Option<Date> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> = text.split(['/', '-', '.', ' ', ',']).filter(|part| !part.is_empty()).collect();
    // `Wed Oct 14 2026`
    let parts = match parts.as_slice() {
        [_, rest @ ..] if rest.len() == 3 => rest,
        all => all,
    };
    let [one, two, three] = parts else { return None };
    let month_of = |word: &str| {
        let start = word.to_ascii_lowercase();
        MONTHS.iter().position(|month| start.starts_with(month)).and_then(|n| i8::try_from(n + 1).ok())
    };
    let number = |part: &str| part.parse::<i16>().ok();
    let short = |part: &str| part.parse::<i8>().ok();
    let year = |part: &str| match (part.len(), number(part)?) {
        (2, year) => Some(2000 + year),
        (4, year) => Some(year),
        _ => None,
    };
    let (year, month, day) = if one.len() == 4 {
        (year(one)?, short(two)?, short(three)?)
    } else if let Some(month) = month_of(one) {
        (year(three)?, month, short(two)?)
    } else if let Some(month) = month_of(two) {
        (year(three)?, month, short(one)?)
    } else if is_day_first {
        (year(three)?, short(two)?, short(one)?)
    } else {
        (year(three)?, short(one)?, short(two)?)
    };
    Date::new(year, month, day).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lead_import::columns::Known;

    fn iso(text: &str) -> Timestamp {
        Timestamp::parse_iso(text).unwrap()
    }

    fn read(text: &str) -> Vec<Result<RowLead, Missing>> {
        read_with(text, |_| {})
    }

    fn read_with(text: &str, change: impl FnOnce(&mut Choices)) -> Vec<Result<RowLead, Missing>> {
        let table = Table::read(text.as_bytes()).unwrap();
        let mut choices = Choices::guessed(&table);
        choices.known = Known::Skip;
        change(&mut choices);
        let person: UserId = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap();
        let zone = TimeZone::get("America/New_York").unwrap();
        let reader = Reader {
            table: &table,
            choices: &choices,
            people: &[(person, "Tomas Okafor".to_owned(), "tomas@oak.example.com".to_owned())],
            zone: &zone,
            now: iso("2026-11-29T00:00:00Z"),
            kept_since: Some(iso("2020-01-01T00:00:00Z")),
        };
        table.rows.iter().map(|(_, cells)| reader.read(cells)).collect()
    }

    fn one(text: &str) -> RowLead {
        read(text).remove(0).unwrap()
    }

    #[test]
    fn a_row_is_a_lead_with_all_it_says() {
        let lead = one("Full Name,Mobile,E-mail,Job Address,Stage,Est. Total,Created,Salesperson,Tags,Notes\n\
                        Ana Kowalski,207-555-0134,ana.k@example.com,\"18 Heron Way, Portland, ME\",Sold,\"$21,450.00\",10/14/2026,\
                        T. Okafor,\"hail, insurance\",Gate code 12");
        assert_eq!((lead.first_name.as_str(), lead.last_name.as_str()), ("Ana", "Kowalski"));
        assert_eq!(lead.phone.unwrap().as_str(), "(207) 555-0134");
        assert_eq!(lead.status, LeadStatus::Won);
        assert_eq!(lead.own_estimate, Some(Usd::from_cents(2_145_000)));
        assert_eq!(lead.received, Some(iso("2026-10-14T16:00:00Z")));
        assert!(lead.assignee.is_some());
        assert_eq!(lead.tags.iter().map(Tag::as_str).collect::<Vec<_>>(), ["hail", "insurance"]);
        assert_eq!((lead.note.as_deref(), lead.marks.as_slice()), (Some("Gate code 12"), &[][..]));
    }

    #[test]
    fn an_address_in_parts_is_one_line_and_its_zip_gets_its_zeros_back() {
        let lead = one("Name,Phone,Street,City,State,Zip\nAna,207-555-0134,18 Heron Way,Portland,ME,4101\n");
        assert_eq!(lead.address, AddressChoice::Line("18 Heron Way, Portland, ME 04101".to_owned()));
    }

    #[test]
    fn what_cannot_be_used_becomes_a_note_with_a_mark() {
        let lead = one("Name,Mobile,Email,Address,Owner,Created\n\
                        Mina Park,+82 2 555 0199,mina@example.com; mina.p@example.com,11 Dock Street,Somebody Else,tomorrow");
        assert_eq!(lead.email.unwrap().as_str(), "mina@example.com");
        assert!(lead.phone.is_none());
        assert_eq!(lead.marks, [Mark::PhoneNoted, Mark::DateUnread, Mark::AssigneeNoted]);
        let note = lead.note.unwrap();
        for said in ["Email: mina.p@example.com", "Mobile: +82 2 555 0199", "Owner: Somebody Else", "Created: tomorrow"]
        {
            assert!(note.contains(said), "{note}");
        }
    }

    #[test]
    fn a_row_without_a_person_or_a_home_is_left_out_with_the_reason() {
        let rows = read(
            "Name,Phone,Email,Address,Created\n,207-555-0134,,1 A St,\nAna,,,1 A St,\nAna,+82 2 555 0199,,1 A St,\n\
                         Ana,207-555-0134,,,\nAna,207-555-0134,,1 A St,2019-05-01\nAna,12,not an email,1 A St,\n",
        );
        let reasons: Vec<Missing> = rows.into_iter().map(|row| row.unwrap_err()).collect();
        assert_eq!(
            reasons,
            [Missing::Name, Missing::Contact, Missing::Contact, Missing::Address, Missing::TooOld, Missing::Contact]
        );
    }

    #[test]
    fn a_formula_stays_text_and_our_own_guard_goes() {
        let lead = one("Name,Phone,Address,Notes\n\"=HYPERLINK(\"\"x\"\")\",207-555-0134,1 A St,'=1+1\n");
        assert_eq!((lead.first_name.as_str(), lead.note.as_deref()), ("=HYPERLINK(\"x\")", Some("=1+1")));
        assert_eq!(lead.marks, [Mark::Formula]);
    }

    #[test]
    fn names_are_split_as_people_write_them() {
        for (name, first, last) in [
            ("Ana Kowalski", "Ana", "Kowalski"),
            ("Kowalski, Ana", "Ana", "Kowalski"),
            ("Ana & Jan Kowalski", "Ana & Jan", "Kowalski"),
            ("Cher", "Cher", ""),
            ("Ana  Maria\u{200b} Kowalski", "Ana Maria", "Kowalski"),
            ("Oak Roofing, Inc.", "Oak Roofing,", "Inc."),
        ] {
            let lead = one(&format!("Name,Phone,Address\n\"{name}\",207-555-0134,1 A St\n"));
            assert_eq!((lead.first_name.as_str(), lead.last_name.as_str()), (first, last), "{name}");
        }
    }

    #[test]
    fn dates_are_read_in_the_ways_of_exports() {
        let zone = TimeZone::get("America/New_York").unwrap();
        let day = |text: &str, is_day_first| {
            read_time(text, is_day_first, &zone).map(|at| {
                let at = jiff::Timestamp::from_microsecond(at.micros()).unwrap().to_zoned(zone.clone());
                at.strftime("%Y-%m-%d %H:%M").to_string()
            })
        };
        for (text, read) in [
            ("2026-10-14", "2026-10-14 12:00"),
            ("2026-10-14 09:30", "2026-10-14 09:30"),
            ("2026-10-14T09:30:00", "2026-10-14 09:30"),
            ("2026-10-14T13:30:00Z", "2026-10-14 09:30"),
            ("10/14/2026", "2026-10-14 12:00"),
            ("10/14/26 9:30 PM", "2026-10-14 21:30"),
            ("10/14/2026 12:05 a.m.", "2026-10-14 00:05"),
            ("10/14/2026, 9:30:15 AM", "2026-10-14 09:30"),
            ("Oct 14, 2026", "2026-10-14 12:00"),
            ("October 14, 2026 9:30 AM", "2026-10-14 09:30"),
            ("14 Oct 2026", "2026-10-14 12:00"),
            ("Wed, Oct 14, 2026", "2026-10-14 12:00"),
            ("46309", "2026-10-14 12:00"),
            ("46309.5", "2026-10-14 12:00"),
        ] {
            assert_eq!(day(text, false).as_deref(), Some(read), "{text}");
        }
        assert_eq!(day("14/10/2026", true).as_deref(), Some("2026-10-14 12:00"));
        assert_eq!(day("14.10.2026", true).as_deref(), Some("2026-10-14 12:00"));
        for wrong in
            ["", "soon", "13/14/2026", "2026-02-30", "12", "10/14", "10/14/2026 25:00", "10/14/20266", "99999999999"]
        {
            assert_eq!(day(wrong, false), None, "{wrong}");
        }
        // The hour that the clocks skip is read as the one after it.
        assert_eq!(day("2026-03-08 02:30", false).as_deref(), Some("2026-03-08 03:30"));
    }

    #[test]
    fn a_status_that_nobody_chose_for_is_noted() {
        let row =
            read_with("Name,Phone,Address,Stage\nAna,207-555-0134,1 A St,Odd\n", |choices| choices.statuses.clear());
        let lead = row[0].clone().unwrap();
        assert_eq!((lead.status, lead.note.as_deref()), (LeadStatus::Contacted, Some("Stage: odd")));
    }

    #[test]
    fn consent_is_taken_over_only_from_a_column_that_was_chosen_for_it() {
        let text = "Name,Phone,Address,Opt-in\nAna,207-555-0134,1 A St,Yes\nBo,207-555-0135,1 A St,no\n";
        assert_eq!(one(text).consent, None);
        let rows = read_with(text, |choices| choices.fields[3] = Field::Consent);
        let said = |n: usize| rows[n].as_ref().unwrap().consent.clone().map(|said| (said.word, said.given));
        assert_eq!([said(0), said(1)], [Some(("Yes".to_owned(), true)), Some(("no".to_owned(), false))]);
        let against = text.replace("Opt-in", "Do not call").replace("Yes", "x");
        let rows = read_with(&against, |choices| choices.fields[3] = Field::Consent);
        assert!(!rows[0].as_ref().unwrap().consent.as_ref().unwrap().given, "an x at “Do not call” is no consent");
    }

    #[test]
    fn phones_are_read_with_extensions_and_several_in_a_cell() {
        let lead = one("Name,Phone,Address\nAna,207-555-0134 x12 / (207) 555-0199,1 A St\n");
        assert_eq!(lead.phone.unwrap().as_str(), "(207) 555-0134");
        assert_eq!(lead.note.as_deref(), Some("Phone: 207-555-0134 x12\nPhone: (207) 555-0199"));
    }
}
