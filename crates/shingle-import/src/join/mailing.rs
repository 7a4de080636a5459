//! Whether an owner's mail goes to the property itself.
//!
//! Both addresses are brought into their normal form and compared part by part. It is the property when
//! - the number is the same or lies in the other's range: `4 KIRKLAND PL` is `4-6 KIRKLAND PL`. A letter counts
//!   only where both have one: `24` and `24R` agree, `24A` and `24R` do not;
//! - the street's name is the same, or one typing error away; suffix and direction may be missing in one, not differ;
//! - the state is the same, and the ZIP or else the town. A mailing address that names no town is taken for local;
//! - the unit is not another one. A unit that only one of them names does not part them: owners of a flat leave it
//!   off, and owners of a whole house add the floor they live on.
//!
//! Measured on 703 homes of a city that records both (one to three families and condominium units): of the owners
//! with the residential exemption 93 % have their mail sent here; 75 % of those with mail sent here have it. The
//! exemption must be claimed, so more than that live there.
//!
//! What precedes the street is left out: `C/O`, `ATTN`, `%` and a name. A post office box says where mail is
//! fetched, not where its reader lives: unknown, as is a line without a house number or with nothing on it.

use std::borrow::Cow;

use foldhash::HashMap;
use shingle_domain::Address;

use shingle_address::tables::{designator, suffix};
use shingle_address::{Normalized, number_span, other_classes, other_readings};
use shingle_address::{parse_line, plain_number};

/// Streets in the cache; a full cache is emptied.
const MAX_STREETS: usize = 16_384;

/// The normal forms of properties, cached by street: parsing a street costs more than the rest of a row.
#[derive(Default)]
pub(crate) struct NormalizedCache {
    /// Where each street is in `streets`, by its address as it is written.
    known: HashMap<Box<[u8]>, usize>,
    /// `None` where the number is part of more.
    streets: Vec<Option<Normalized>>,
    written: Vec<u8>,
    other: Normalized,
}

impl NormalizedCache {
    pub fn of(&mut self, address: &Address, unit: Option<&str>) -> &Normalized {
        if unit.is_none() && plain_number(&address.street_number).is_some() {
            self.written.clear();
            let Address { street_address: street, city, state, zip, .. } = address;
            for part in [street.as_bytes(), b"\0", city.as_bytes(), b"\0", zip.as_bytes(), state.as_bytes()] {
                self.written.extend_from_slice(part);
            }
            let at = match self.known.get(self.written.as_slice()) {
                Some(at) => *at,
                None => self.learn(address),
            };
            if let Some(Some(known)) = self.streets.get_mut(at) {
                known.number.clone_from(&address.street_number);
                return known;
            }
        }
        self.other = Normalized::from_texts(address, unit);
        &self.other
    }

    /// Caches the street of an address.
    fn learn(&mut self, address: &Address) -> usize {
        if self.streets.len() >= MAX_STREETS {
            self.known.clear();
            self.streets.clear();
        }
        let first = Normalized::from_parts(&Address { street_number: "1".to_owned(), ..address.clone() });
        self.streets.push(Some(first).filter(|n| n.number == "1"));
        let at = self.streets.len() - 1;
        self.known.insert(self.written.as_slice().into(), at);
        at
    }
}

/// `None` when the mailing address does not say.
pub(crate) fn is_mailed_here(property: &Normalized, mailing: &str) -> Option<bool> {
    if property.number.is_empty() || property.name.is_empty() {
        return None;
    }
    if is_elsewhere(property, mailing) {
        return Some(false);
    }
    let line = envelope(mailing);
    let read = parse_line(&line).normalized;
    if is_box(&line) || read.number.is_empty() || read.name.is_empty() {
        return None;
    }
    let same = is_same_place(property, &read);
    // Without commas it is a guess where the town begins, and a bare number at the end is a unit or a road's.
    let is_other_reading = || {
        let others = if line.contains(',') { Vec::new() } else { other_readings(&line) };
        let named = unit_named(&line).map(|line| parse_line(&line).normalized);
        others.iter().chain(&named).any(|read| is_same_place(property, read))
    };
    Some(same || is_other_reading())
}

/// The quick answer for most landlords of a county: `88 ELM ST, HARROW` for a house with another number, both plain.
/// However the rest is read, the numbers differ.
fn is_elsewhere(property: &Normalized, mailing: &str) -> bool {
    let Some((line, town)) = cut(mailing, b',') else { return false };
    let Some((number, words)) = cut(line.trim(), b' ') else { return false };
    let Some((name, last)) = cut(words, b' ') else { return false };
    let plain = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    let (name, last) = (upper(name), upper(last));
    property.number != number
        && town.bytes().any(|b| b.is_ascii_alphanumeric())
        && plain(&name)
        && plain(&last)
        && property.unit.is_empty()
        && plain_number(number).is_some()
        && plain_number(&property.number).is_some()
        && suffix(&last).is_some()
        && designator(&name).is_none()
        && suffix(&name).is_none()
}

/// The texts before and behind the first of an ASCII sign. For texts as short as these `split_once` takes longer.
fn cut(text: &str, sign: u8) -> Option<(&str, &str)> {
    let at = text.bytes().position(|b| b == sign)?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// Most texts of counties are in capitals already.
fn upper(word: &str) -> Cow<'_, str> {
    match word.bytes().any(|b| b.is_ascii_lowercase()) {
        true => Cow::Owned(word.to_ascii_uppercase()),
        false => Cow::Borrowed(word),
    }
}

/// `4 VINCENT ST 4, HARROW` with the word that says what the second number is.
fn unit_named(line: &str) -> Option<String> {
    let (street, town) = line.split_once(',').unwrap_or((line, ""));
    let (street, unit) = street.trim_end().rsplit_once(' ')?;
    let ending = street.rsplit(' ').next()?.trim_end_matches('.').to_uppercase();
    let is_unit = unit.bytes().any(|b| b.is_ascii_digit()) && suffix(&ending).is_some();
    is_unit.then(|| format!("{street} UNIT {unit}, {town}"))
}

/// The address without a `C/O` line.
fn envelope(text: &str) -> String {
    let parts = text.split([',', ';', '\n']).map(str::trim).filter(|p| !p.is_empty());
    let mut kept: Vec<&str> = Vec::new();
    for part in parts {
        match care_of(part) {
            None => kept.push(part),
            Some(rest) => kept.extend(from_number(rest)),
        }
    }
    // A second name, or what the building is called, before the line with the number.
    let street = kept.iter().position(|p| p.starts_with(|c: char| c.is_ascii_digit()));
    kept.drain(..street.filter(|s| *s < 3).unwrap_or_default());
    kept.join(", ")
}

/// What follows a `C/O`.
fn care_of(part: &str) -> Option<&str> {
    const WORDS: [&str; 8] = ["C/O", "C / O", "C-O ", "%", "ATTN", "ATTENTION", "CARE OF", "IN CARE OF"];
    WORDS.iter().find_map(|word| {
        let head = part.get(..word.len())?;
        head.eq_ignore_ascii_case(word).then(|| &part[word.len()..])
    })
}

/// `JANE ROE 12 ELM ST`: from the number on.
fn from_number(text: &str) -> Option<&str> {
    let mut at = 0;
    for word in text.split(' ') {
        let rest = text.get(at..)?;
        if word.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(' ') {
            return Some(rest);
        }
        at += word.len() + 1;
    }
    None
}

fn is_box(line: &str) -> bool {
    let letters: String = line.chars().filter(char::is_ascii_alphanumeric).take(5).collect();
    letters.eq_ignore_ascii_case("POBOX") || letters.get(..3).is_some_and(|l| l.eq_ignore_ascii_case("BOX"))
}

fn is_same_place(property: &Normalized, mail: &Normalized) -> bool {
    if !is_same_street(property, mail) || !is_same_area(property, mail) {
        return false;
    }
    let same = is_same_number(&property.number, &mail.number) && is_same_unit(&property.unit, &mail.unit);
    same || is_numbered_by_door(property, mail)
}

/// Houses on one lot go by the first one's number, and their own is the unit: `77 ANTRIM ST` is unit 77 (or 773, its
/// third) of `81 ANTRIM ST`.
fn is_numbered_by_door(property: &Normalized, mail: &Normalized) -> bool {
    let (Some((lot, _)), Some((door, _))) = (number_span(&property.number), number_span(&mail.number)) else {
        return false;
    };
    door >= 10 && lot % 2 == door % 2 && lot.abs_diff(door) <= 100 && property.unit.starts_with(&door.to_string())
}

fn is_same_number(a: &str, b: &str) -> bool {
    let letter = |number: &str| {
        let tail = number.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        tail.chars().find(char::is_ascii_alphabetic)
    };
    if let (Some(a), Some(b)) = (letter(a), letter(b))
        && a != b
    {
        return false;
    }
    let grid = |number: &str| number.starts_with(|c: char| c.is_ascii_alphabetic());
    if grid(a) || grid(b) {
        return a == b;
    }
    // `1-2 REED ST`: two numbers, one odd and one even.
    let ends =
        |range: &str, number: &str| range.split_once('-').is_some_and(|(low, high)| low == number || high == number);
    let spans = match (number_span(a), number_span(b)) {
        (Some((a, z)), Some((b, y))) => a <= y && b <= z && a % 2 == b % 2,
        _ => false,
    };
    spans || ends(a, b) || ends(b, a)
}

/// Units are written in many ways: `201/2`, `201-II` and `201` are one, `86B` is `B` of number 86. They differ when
/// their first numbers do, or without numbers their letters.
fn is_same_unit(a: &str, b: &str) -> bool {
    fn cut(unit: &str, of: fn(&char) -> bool) -> String {
        unit.chars().skip_while(|c| !of(c)).take_while(of).collect()
    }
    let own = |unit: &str| unit.rsplit(' ').next().unwrap_or_default().to_owned();
    let (a, b) = (own(a), own(b));
    let (m, n) = (cut(&a, char::is_ascii_digit), cut(&b, char::is_ascii_digit));
    if !m.is_empty() && !n.is_empty() {
        return m.trim_start_matches('0') == n.trim_start_matches('0');
    }
    let (p, q) = (cut(&a, char::is_ascii_alphabetic), cut(&b, char::is_ascii_alphabetic));
    p.is_empty() || q.is_empty() || p == q
}

fn is_same_street(a: &Normalized, b: &Normalized) -> bool {
    let either = |a: &str, b: &str| a.is_empty() || b.is_empty() || a == b;
    let agree = either(&a.suffix, &b.suffix) && either(&a.predir, &b.predir) && either(&a.postdir, &b.postdir);
    agree
        && (a.name == b.name
            || (a.suffix == b.suffix && is_one_slip(&a.name, &b.name))
            || is_same_number_of_a_road(&a.name, &b.name))
}

/// `HWY 20` and `STATE ROUTE 20`: an owner's letters seldom say whose road it is.
fn is_same_number_of_a_road(a: &str, b: &str) -> bool {
    a.rsplit(' ').next() == b.rsplit(' ').next() && other_classes(a).iter().any(|(other, _)| other == b)
}

/// One letter wrong, missing or doubled, in a name that is long enough. `10TH` is not `11TH`.
fn is_one_slip(a: &str, b: &str) -> bool {
    let lettered = |name: &str| !name.bytes().any(|c| c.is_ascii_digit());
    a.len().min(b.len()) >= 6 && lettered(a) && lettered(b) && strsim::osa_distance(a, b) == 1
}

fn is_same_area(a: &Normalized, b: &Normalized) -> bool {
    if let (Some(a), Some(b)) = (a.state, b.state)
        && a != b
    {
        return false;
    }
    let zip = a.zip.as_ref().zip(b.zip.as_ref()).map(|(a, b)| a == b);
    let city = (!a.city.is_empty() && !b.city.is_empty()).then(|| a.city == b.city);
    // One address names the postal town, the other the county's; and ZIPs are mistyped.
    zip == Some(true) || city.unwrap_or(zip.is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tests::places::{place_in, with_unit};

    /// As [`is_mailed_here`], without the short cut.
    fn closely(property: &Normalized, mailing: &str) -> Option<bool> {
        // A name for the reader of the mail leaves the address as it is, and the short cut unused.
        let guarded = format!("C/O X {mailing}");
        assert!(!is_elsewhere(property, &guarded));
        is_mailed_here(property, &guarded)
    }

    proptest! {
        #[test]
        fn a_street_remembered_gives_the_form_that_a_street_read_afresh_gives(
            numbers in proptest::collection::vec("(0?[1-9][0-9]{0,3}|[0-9]{1,3}(-[0-9]{1,3}|[A-C]| 1/2))", 3),
            street in "(N |South )?(Main|5th|County Road 12|St Clair|Avenue|[a-z]{0,6})( St| Ave| Ct W|)( Apt 3| # 4|)",
            zip in "(00000|04103)",
            unit in proptest::option::of("[0-9A-C]{1,2}"),
        ) {
            let mut properties = NormalizedCache::default();
            for number in numbers {
                let mut place = place_in(&number, &street, "St. Cloud", "MN", &zip);
                if let Some(unit) = &unit {
                    place = with_unit(place, unit);
                }
                let found = properties.of(&place.address, place.unit.as_deref());
                prop_assert_eq!(found, &Normalized::from_place(&place));
            }
        }

        #[test]
        fn what_needs_no_closer_look_is_what_a_closer_look_says(
            at in "[1-9][0-9]{0,2}",
            sent in "[1-9][0-9]{0,2}",
            name in "(Elm|Unit|North|Box|Route|Po|Ave|First|One|Saint|Court|[a-z]{2,5})",
            suffix in "(St|Ave|Court|Lane|Way|Rd|[a-z]{2,3})",
            town in "(Harrow|Harrow ME 04103|[A-Za-z ]{1,8}|12|ME)",
        ) {
            let property = Normalized::from_place(&place_in(&at, "Elm St", "Harrow", "ME", "04103"));
            let mailing = format!("{sent} {name} {suffix}, {town}");
            if is_elsewhere(&property, &mailing) {
                prop_assert_eq!(closely(&property, &mailing), Some(false), "{}", mailing);
            }
        }
    }

    #[test]
    fn a_plain_address_with_another_number_needs_no_closer_look() {
        let property = Normalized::from_place(&place_in("14", "Elm St", "Harrow", "ME", "04103"));
        assert!(is_elsewhere(&property, "88 OAK ST, HARROW ME 04103"));
        for text in
            ["14 ELM ST, HARROW", "12-16 ELM ST, HARROW", "88 OAK ST 14, HARROW", "PO BOX 88, HARROW", "88 OAK ST"]
        {
            assert!(!is_elsewhere(&property, text), "{text}");
        }
    }
}
