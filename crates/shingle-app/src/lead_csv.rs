//! Leads as CSV (RFC 4180) for spreadsheets, with a guard against cells that a spreadsheet would run as formulas.

use std::borrow::Cow;
use std::collections::HashMap;

use shingle_domain::appointment::{Appointment, AppointmentState, Outcome};
use shingle_domain::inspection::{Inspection, InspectionState};
use shingle_domain::lead::{Lead, MaterialPrice};
use shingle_domain::loss::Loss;
use shingle_domain::materials::Need;
use shingle_domain::roof::RoofDrawing;
use shingle_domain::{AccountId, Environment, Language, LeadId, Tenant, Timestamp, Usd};
use shingle_portal::{
    Hours, capital, channel_in_words, language_in_words, loss_in_words, materials_in_text, status_in_words, translated,
};
use shingle_store::{KnownTag, LeadEntry, LeadWork, Store, StoreError};
use shingle_widget::price_parts::parts_in_text;
use shingle_widget::ssr::part::wish_text;
use shingle_widget::words::{flow_words, told, w, written};

use crate::lead_materials::materials_of;
use crate::lead_reference::reference;

/// A lead with the company's work on it.
struct CsvLead<'l> {
    lead: &'l Lead,
    booked: Option<&'l Appointment>,
    work: Option<&'l LeadWork>,
    loss: Option<&'l Loss>,
    /// The newest first.
    notes: &'l [LeadEntry],
    tags: &'l [KnownTag],
    materials: Vec<Need>,
    times: &'l Hours,
    zone: &'l str,
    language: Language,
}

/// What the company did, lead by lead.
struct Work {
    works: HashMap<LeadId, LeadWork>,
    losses: HashMap<LeadId, Loss>,
    notes: HashMap<LeadId, Vec<LeadEntry>>,
    tags: HashMap<LeadId, Vec<KnownTag>>,
    booked: HashMap<LeadId, Appointment>,
    drawings: HashMap<LeadId, RoofDrawing>,
}

/// Its heading for people, and the one for programs, which stays the same in every language and release.
type Column = (&'static str, &'static str, fn(&CsvLead<'_>) -> String);

/// What the first row of the table says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headings {
    Words,
    Names,
}

/// Each column and what is in it.
const COLUMNS: [Column; 59] = [
    ("Reference", "reference", |of| reference(of.lead.id)),
    ("Received", "receivedAt", |of| of.at(Some(of.lead.created_at))),
    ("Time zone", "timeZone", |of| of.zone.to_owned()),
    ("Status", "status", |of| of.ours(status_in_words(of.lead.status))),
    ("First name", "firstName", |of| of.lead.first_name.clone()),
    ("Last name", "lastName", |of| of.lead.last_name.clone()),
    ("Phone", "phone", |of| of.lead.phone.as_ref().map(ToString::to_string).unwrap_or_default()),
    ("Email", "email", |of| of.lead.email_text().to_owned()),
    ("Address", "address", |of| of.lead.address.clone()),
    ("Assignee", "assignee", |of| {
        of.work.and_then(|work| work.assignee.as_ref()).map(|(_, name)| name.clone()).unwrap_or_default()
    }),
    ("Next step", "nextStep", |of| of.work.and_then(|work| work.next_step.clone()).unwrap_or_default()),
    ("Due", "due", |of| of.work.and_then(|work| work.due).map(|day| day.to_string()).unwrap_or_default()),
    ("Problem", "problem", |of| of.told(0)),
    ("Roof age", "roofAge", |of| of.told(1)),
    ("When", "planned", |of| of.told(2)),
    ("Contact", "contactBy", |of| of.told(3)),
    ("Homeowner’s note", "homeownerNote", |of| written(of.lead).join("\n")),
    ("Team notes", "teamNotes", |of| of.notes.iter().map(|note| note.text.as_str()).collect::<Vec<_>>().join("\n")),
    ("Tags", "tags", |of| of.tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>().join(", ")),
    ("Loss reason", "lossReason", |of| of.loss()),
    ("Roofing material", "material", |of| {
        of.lead.shown_price().map(|price| of.ours(price.material.as_str())).unwrap_or_default()
    }),
    ("Price", "price", |of| of.dollars(|price| price.cost)),
    ("Price from", "priceFrom", |of| of.dollars(|price| price.low)),
    ("Price to", "priceTo", |of| of.dollars(|price| price.high)),
    ("Price parts", "priceParts", |of| {
        let parts = |price| parts_in_text(flow_words(of.language), price);
        of.lead.shown_price().and_then(parts).unwrap_or_default()
    }),
    ("Roof area, sq ft", "roofAreaSqFt", |of| of.measured(|estimate| estimate.roof_area)),
    ("Squares", "squares", |of| of.measured(|estimate| estimate.squares)),
    ("Materials to order", "materials", |of| materials_in_text(of.language, &of.materials)),
    ("Pitch, degrees", "pitchDegrees", |of| of.measured(|estimate| estimate.average_roof_pitch)),
    ("Inspection", "inspection", |of| match of.booked {
        Some(booked) => of.ours(appointment_state(booked)),
        None => of.visit(|visit| of.ours(visit_state(visit))),
    }),
    ("Inspection requested", "inspectionRequestedAt", |of| {
        of.at(of.lead.inspection.as_ref().map(|visit| visit.requested_at))
    }),
    ("Good times", "goodTimes", |of| of.visit(|visit| wishes(visit, of.language))),
    ("Confirm the inspection by", "confirmBy", |of| of.visit(|visit| capital(&of.ours(visit.contact_by.as_str())))),
    ("About the inspection", "inspectionNote", |of| of.visit(|visit| visit.note.clone().unwrap_or_default())),
    ("Photos", "photos", |of| of.visit(|visit| visit.photos.len().to_string())),
    ("Inspection time", "inspectionTime", |of| {
        of.booked(|booked| format!("{} {}", booked.time.date, booked.time.time))
    }),
    ("Inspection minutes", "inspectionMinutes", |of| of.booked(|booked| booked.minutes.to_string())),
    ("Who goes", "inspectionPerson", |of| of.booked(|booked| booked.person.name.clone())),
    ("Inspection place", "inspectionPlace", |of| of.booked(|booked| booked.place.clone())),
    ("Source", "source", |of| of.ours(channel_in_words(of.lead.source.via))),
    ("Language", "language", |of| of.ours(language_in_words(of.lead.source.language))),
    ("Page", "pageUrl", |of| text(&of.lead.source.page_url)),
    ("Previous page", "referrer", |of| text(&of.lead.source.referrer)),
    ("Campaign source", "utmSource", |of| text(&of.lead.source.utm_source)),
    ("Campaign medium", "utmMedium", |of| text(&of.lead.source.utm_medium)),
    ("Campaign name", "utmCampaign", |of| text(&of.lead.source.utm_campaign)),
    ("Campaign term", "utmTerm", |of| text(&of.lead.source.utm_term)),
    ("Campaign content", "utmContent", |of| text(&of.lead.source.utm_content)),
    ("Ad click", "clickId", |of| text(&of.lead.source.click_id)),
    ("May call and text", "consentGiven", |of| of.ours(if of.lead.consent.given { "Yes" } else { "No" })),
    ("Consent given", "consentAt", |of| of.at(Some(of.lead.consent.at))),
    ("Consent text", "consentText", |of| of.lead.consent.text.clone()),
    ("Network address", "consentIp", |of| text(&of.lead.consent.ip)),
    ("First response", "firstTouchAt", |of| of.at(of.lead.first_touch_at)),
    ("Taken by", "takenBy", |of| text(&of.lead.taken_by)),
    ("Email problem", "emailProblem", |of| text(&of.lead.email_problem)),
    ("Repeats lead", "earlierLead", |of| of.lead.earlier_lead.map(|earlier| reference(earlier.id)).unwrap_or_default()),
    ("Widget ID", "widgetId", |of| of.lead.widget_id.to_string()),
    ("Lead ID", "leadId", |of| of.lead.id.to_string()),
];

impl CsvLead<'_> {
    fn ours(&self, english: &str) -> String {
        translated(self.language, english).to_owned()
    }

    fn at(&self, at: Option<Timestamp>) -> String {
        at.map(|at| self.times.sortable(at)).unwrap_or_default()
    }

    /// The answer under the label of this number.
    fn told(&self, label: usize) -> String {
        let mut answers = told(flow_words(self.language), self.lead).into_iter();
        answers.find(|answer| answer.label == w::TOLD_LABELS.at(label)).map(|answer| answer.text).unwrap_or_default()
    }

    /// `The price. They wanted metal`
    fn loss(&self) -> String {
        let Some(Loss { reason, more }) = self.loss else { return String::new() };
        let reason = self.ours(loss_in_words(*reason));
        more.as_ref().map_or(reason.clone(), |more| format!("{reason}. {more}"))
    }

    fn dollars(&self, of: fn(&MaterialPrice) -> Usd) -> String {
        self.lead.shown_price().map(|price| of(price).to_string()).unwrap_or_default()
    }

    fn measured(&self, of: fn(&shingle_domain::lead::ShownEstimate) -> f64) -> String {
        self.lead.estimate.as_ref().map(|estimate| of(estimate).to_string()).unwrap_or_default()
    }

    fn booked(&self, say: impl Fn(&Appointment) -> String) -> String {
        self.booked.map(say).unwrap_or_default()
    }

    fn visit(&self, say: impl Fn(&Inspection) -> String) -> String {
        self.lead.inspection.as_ref().map(say).unwrap_or_default()
    }
}

fn text(value: &Option<String>) -> String {
    value.clone().unwrap_or_default()
}

fn appointment_state(of: &Appointment) -> &'static str {
    match &of.state {
        AppointmentState::Booked => "Booked",
        AppointmentState::Moved { .. } => "Not answered",
        AppointmentState::OtherAsked { .. } => "Wants another time",
        AppointmentState::Canceled { .. } => "Canceled",
        AppointmentState::Over { outcome: Outcome::TookPlace } => "Took place",
        AppointmentState::Over { outcome: Outcome::NobodyHome } => "Nobody was home",
        AppointmentState::Over { outcome: Outcome::NotGone } => "We didn’t go",
    }
}

fn visit_state(visit: &Inspection) -> &'static str {
    match visit.state {
        InspectionState::Asked => "Not answered",
        InspectionState::Confirmed => "Confirmed",
        InspectionState::Declined => "Declined",
    }
}

/// `Tue, Dec 1, morning; Fri, Dec 4, evening`
pub fn wishes(visit: &Inspection, language: Language) -> String {
    let words = flow_words(language);
    visit.wishes.iter().map(|wish| wish_text(words, *wish)).collect::<Vec<_>>().join("; ")
}

#[derive(Debug, thiserror::Error)]
pub enum LeadTableError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the table cannot be written: {0}")]
    Csv(#[from] csv::Error),
}

/// Writes the leads of one account, part by part.
pub struct LeadTable {
    store: Store,
    account: AccountId,
    language: Language,
    times: Hours,
    zone: String,
    headings: Headings,
}

impl LeadTable {
    /// `zone`: where the company is.
    pub fn new(store: Store, account: AccountId, zone: &str, language: Language) -> Self {
        let times = Hours::new(zone, store.now(), language);
        Self { store, account, language, times, zone: zone.to_owned(), headings: Headings::Words }
    }

    pub fn with_headings(self, headings: Headings) -> Self {
        Self { headings, ..self }
    }

    /// A part of the table: the headings belong to the first.
    pub async fn part(&self, leads: &[Lead], headings: bool) -> Result<Vec<u8>, LeadTableError> {
        let ids: Vec<LeadId> = leads.iter().map(|lead| lead.id).collect();
        // What the company writes belongs to the account, whatever the environment.
        let tenant = Tenant { account: self.account, environment: Environment::Production };
        let works = self.store.leads().works(&tenant, &ids).await?;
        let notes = self.store.leads().notes(&tenant, &ids).await?;
        let tags = self.store.leads().tags_of(&tenant, &ids).await?;
        let losses = self.store.leads().losses(&tenant, &ids).await?;
        let drawings = self.store.leads().drawings(&tenant, &ids).await?;
        let mut booked = HashMap::new();
        for environment in [Environment::Production, Environment::Sandbox] {
            booked.extend(self.store.leads().appointments_shown(&Tenant { environment, ..tenant }, &ids).await?);
        }
        Ok(self.write(leads, &Work { works, losses, notes, tags, booked, drawings }, headings)?)
    }

    fn write(&self, leads: &[Lead], of: &Work, headings: bool) -> Result<Vec<u8>, csv::Error> {
        let heads = COLUMNS.map(|(head, name, _)| match self.headings {
            Headings::Words => translated(self.language, head),
            Headings::Names => name,
        });
        let rows: Vec<Vec<String>> = leads
            .iter()
            .map(|lead| {
                let of = CsvLead {
                    lead,
                    booked: of.booked.get(&lead.id),
                    work: of.works.get(&lead.id),
                    loss: of.losses.get(&lead.id),
                    notes: of.notes.get(&lead.id).map_or(&[], Vec::as_slice),
                    tags: of.tags.get(&lead.id).map_or(&[], Vec::as_slice),
                    materials: materials_of(lead, of.drawings.get(&lead.id)),
                    times: &self.times,
                    zone: &self.zone,
                    language: self.language,
                };
                COLUMNS.iter().map(|(.., cell)| cell(&of)).collect()
            })
            .collect();
        written_csv(headings.then_some(&heads[..]), &rows)
    }
}

/// A table of other things, by the same rules.
pub fn table_csv(heads: &[&str], rows: &[Vec<String>]) -> Result<Vec<u8>, csv::Error> {
    written_csv(Some(heads), rows)
}

fn written_csv(heads: Option<&[&str]>, rows: &[Vec<String>]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    if let Some(heads) = heads {
        writer.write_record(heads)?;
    }
    for row in rows {
        writer.write_record(row.iter().map(|cell| escape_formula(cell).into_owned()))?;
    }
    writer.into_inner().map_err(|e| csv::Error::from(std::io::Error::other(e.to_string())))
}

/// An apostrophe turns a formula into text (ASVS 5.0, 1.2.10): at the beginning of a cell, and after what begins a cell for
/// a spreadsheet that separates by semicolons.
pub fn escape_formula(cell: &str) -> Cow<'_, str> {
    const STARTS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];
    const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];
    let begins = |before: Option<char>, c: char| match before {
        None => STARTS.contains(&c) || matches!(c, '\t' | '\r' | '\0'),
        Some(before) => SEPARATORS.contains(&before) && STARTS.contains(&c),
    };
    let mut before = None;
    let mut escaped = String::new();
    for (at, c) in cell.char_indices() {
        if begins(before, c) {
            if escaped.is_empty() {
                escaped.push_str(&cell[..at]);
            }
            escaped.push('\'');
        }
        if !escaped.is_empty() {
            escaped.push(c);
        }
        before = Some(c);
    }
    if escaped.is_empty() { Cow::Borrowed(cell) } else { Cow::Owned(escaped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_becomes_text() {
        for cell in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\0x"] {
            assert_eq!(escape_formula(cell), format!("'{cell}"));
        }
        for cell in ["\u{ff1d}1+1", "\u{ff0b}1", "\u{ff0d}1", "\u{ff20}SUM(A1)"] {
            assert_eq!(escape_formula(cell), format!("'{cell}"), "full width");
        }
        assert_eq!(escape_formula("a;=1+1;b;\u{ff1d}2\n-3"), "a;'=1+1;b;'\u{ff1d}2\n'-3");
        for cell in ["a; - b", "1-1", "one\ntwo", "", "Oak", "(757) 555-0134", "a=b"] {
            assert_eq!(escape_formula(cell), cell);
        }
    }

    #[test]
    fn every_heading_is_in_spanish_too() {
        for (head, ..) in COLUMNS {
            assert_ne!(translated(Language::Spanish, head), head);
        }
    }

    #[test]
    fn every_column_has_a_name_of_its_own_for_programs() {
        let names: std::collections::BTreeSet<&str> = COLUMNS.iter().map(|(_, name, _)| *name).collect();
        assert_eq!(names.len(), COLUMNS.len());
        assert!(names.iter().all(|name| name.bytes().all(|b| b.is_ascii_alphabetic())), "{names:?}");
    }
}
