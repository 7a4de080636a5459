//! How an address is matched: by levels, from the very address down to a place between two neighbours.
//!
//! | level | what must agree | what may differ |
//! |---|---|---|
//! | `Exact` | number, directions, name, suffix, unit, and ZIP (or town, where either side has no ZIP) | spelling; the town's name, when the ZIP agrees (see below); `14A` for `14 Apt A`; `11210` for Queens' `112-10` |
//! | `WithoutUnit` | all but the unit | a unit on one side only, when one record stands there |
//! | `WithoutSuffix` | number, name, ZIP | a suffix or direction on one side only, when one street fits; a suffix that is the name's last word (`Cottage Grove`) |
//! | `NumberRange` | street and ZIP | a number inside a recorded range (`4-6`) of the same parity, or a range around a recorded number |
//! | `OtherZip` | number, street and town | the ZIP, when one place of the town fits |
//! | `SimilarName` | number and ZIP | another suffix; a name at least 0.94 alike (Jaro-Winkler) whose digits are the same, when no other name is nearly as alike |
//! | `Interpolated` | street and ZIP | a number that nobody recorded, between two recorded ones of its parity at most 40 away on either side |
//!
//! The ZIP wins over the name of a town, which people write as they please (`Deering` for Portland), unless that is a
//! town the index knows by other ZIPs only: then one of the two is a mistake. If that town has the house too, both are
//! candidates; if not, the ZIP's place is no better than `SimilarName`.
//!
//! Two directions that contradict each other (`N Elm`, `S Elm`) are two streets on every level. Where several places
//! fit the best level equally, the answer is a question: at most five of them, units in counting order. So a
//! condominium asked for without a unit is `WithoutUnit` if it has one record, and a question otherwise, unless the
//! building has a record of its own. A unit that nobody recorded is not found; the recorded ones come as close.

mod interpolated;

#[cfg(test)]
mod tests;

use shingle_domain::State;
use shingle_domain::evidence::{MatchLevel, Place};

use super::key::PlaceKey;
use super::one_place::{joined, place_of};
use super::readers::Reader;
use super::shard::{Area, StreetRow};
use crate::error::PropertyError;
use shingle_address::tables::{direction_long, suffix};
use shingle_address::{KeyHash, Normalized, number_span};

pub(crate) use interpolated::interpolate;

/// Names at least this similar (Jaro-Winkler) count as one name, misspelled.
const MIN_SIMILARITY: f64 = 0.94;
/// If the second name is nearly as similar as the first, by this difference, it is open which is meant.
const MIN_LEAD: f64 = 0.01;

/// How often a name has each letter: tells most names that are not alike without comparing them.
struct LetterCounts<'a> {
    name: &'a [u8],
    counts: [u8; 128],
}

impl<'a> LetterCounts<'a> {
    fn of(name: &'a str) -> Self {
        let mut counts = [0u8; 128];
        for b in name.bytes() {
            if let Some(count) = counts.get_mut(usize::from(b)) {
                *count = count.saturating_add(1);
            }
        }
        Self { name: name.as_bytes(), counts }
    }

    /// `false` where even with all common letters in place and in order the names would not reach [`MIN_SIMILARITY`].
    fn may_be_alike(&self, other: &str) -> bool {
        if !other.is_ascii() || !self.name.is_ascii() || other.is_empty() || self.name.len() > 255 {
            return true;
        }
        let mut left = self.counts;
        let mut common = 0.0;
        for b in other.bytes() {
            if let Some(count) = left.get_mut(usize::from(b)).filter(|count| **count > 0) {
                *count -= 1;
                common += 1.0;
            }
        }
        let jaro = (common / self.name.len() as f64 + common / other.len() as f64 + 1.0) / 3.0;
        let prefix = self.name.iter().zip(other.as_bytes()).take(4).take_while(|(a, b)| a == b).count();
        jaro + 0.1 * prefix as f64 * (1.0 - jaro) > MIN_SIMILARITY - 1e-9
    }
}

pub(crate) enum MatchResult {
    One { key: PlaceKey, level: MatchLevel, place: Box<Place> },
    Several(Vec<PlaceKey>),
    None,
}

pub(crate) fn find(readers: &[Reader], wanted: &Normalized) -> Result<MatchResult, PropertyError> {
    let answer = match_by_level(readers, wanted)?;
    match answer {
        MatchResult::One { key, level, place } if other_town(readers, wanted, &place)? => {
            let in_town = match_by_level(readers, &Normalized { zip: None, ..wanted.clone() })?;
            let mut keys = vec![key];
            match in_town {
                MatchResult::One { key, level: there, .. } if there <= level => keys.push(key),
                MatchResult::Several(more) => keys.extend(more),
                _ => {}
            }
            keys.dedup();
            if keys.len() > 1 {
                return Ok(MatchResult::Several(keys));
            }
            Ok(MatchResult::One { key, level: level.max(MatchLevel::SimilarName), place })
        }
        answer => Ok(answer),
    }
}

/// Whether the town that was asked for is known, by other ZIPs only.
fn other_town(readers: &[Reader], wanted: &Normalized, place: &Place) -> Result<bool, PropertyError> {
    let Some(zip) = wanted.zip.as_ref().filter(|_| !wanted.city.is_empty()) else { return Ok(false) };
    let found = Normalized::from_parts(&place.address);
    if found.city == wanted.city || found.zip.is_none() {
        return Ok(false);
    }
    let mut known = false;
    for reader in readers.iter().filter(|r| r.state == place.address.state) {
        match reader.shard.town_has_zip(&wanted.city, zip.as_str())? {
            Some(true) => return Ok(false),
            Some(false) => known = true,
            None => {}
        }
    }
    Ok(known)
}

fn match_by_level(readers: &[Reader], wanted: &Normalized) -> Result<MatchResult, PropertyError> {
    if wanted.name.is_empty() {
        return Ok(MatchResult::None);
    }
    if let Some(found) = exact(readers, wanted)? {
        return Ok(found);
    }
    let Some(_) = number_span(&wanted.number) else { return Ok(MatchResult::None) };
    let areas = areas(wanted);
    for (wanted, base) in readings(wanted) {
        let found = candidates(readers, &wanted, &areas, &wanted.name, base)?;
        if !found.is_empty() {
            return best_level(readers, found);
        }
    }
    let found = other_zip(readers, wanted)?;
    if !found.is_empty() {
        return best_level(readers, found);
    }
    best_level(readers, similar(readers, wanted, &areas)?)
}

/// The street as it was read, and as it may be recorded: what was taken for its suffix or its direction may be
/// the end or the beginning of its name (`Stony Island`, `North Shore`).
fn readings(wanted: &Normalized) -> Vec<(Normalized, MatchLevel)> {
    let mut found = vec![(wanted.clone(), MatchLevel::Exact)];
    if let Some(suffix) = suffix(&wanted.suffix) {
        let name = format!("{} {}", wanted.name, suffix.long);
        found.push((Normalized { name, suffix: String::new(), ..wanted.clone() }, MatchLevel::WithoutSuffix));
    }
    if !wanted.predir.is_empty() {
        let name = format!("{} {}", direction_long(&wanted.predir), wanted.name);
        found.push((Normalized { name, predir: String::new(), ..wanted.clone() }, MatchLevel::WithoutSuffix));
    }
    found
}

/// The very street and number in the town that was named, under another ZIP.
fn other_zip(readers: &[Reader], wanted: &Normalized) -> Result<Vec<Candidate>, PropertyError> {
    if wanted.zip.is_none() || wanted.city.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = candidates(readers, wanted, &[Area::City(&wanted.city)], &wanted.name, MatchLevel::Exact)?;
    found.retain(|c| c.level <= MatchLevel::WithoutUnit);
    for candidate in &mut found {
        candidate.level = MatchLevel::OtherZip;
    }
    Ok(found)
}

/// The places with the number wanted on the street whose name is most alike; on several streets, when none is
/// clearly the most alike.
fn similar(readers: &[Reader], wanted: &Normalized, areas: &[Area<'_>]) -> Result<Vec<Candidate>, PropertyError> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let wanted_digits = digits(&wanted.name);
    let letters = LetterCounts::of(&wanted.name);
    let mut names: Vec<(f64, String)> = Vec::new();
    for reader in readers {
        for area in areas {
            reader.shard.each_name(*area, |name| {
                if !letters.may_be_alike(name) {
                    return;
                }
                let score = strsim::jaro_winkler(name, &wanted.name);
                // `5TH` is not `6TH` misspelled.
                if score >= MIN_SIMILARITY && digits(name) == wanted_digits && !names.iter().any(|(_, n)| n == name) {
                    names.push((score, name.to_owned()));
                }
            })?;
        }
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut best = None;
    let mut found = Vec::new();
    for (score, name) in names {
        if best.is_some_and(|best| score < best - MIN_LEAD) {
            break;
        }
        let here = candidates(readers, wanted, areas, &name, MatchLevel::SimilarName)?;
        if !here.is_empty() {
            best = best.or(Some(score));
            found.extend(here);
        }
    }
    Ok(found)
}

/// The first level: the key itself, by ZIP and, for sources that give no ZIP, by town.
fn exact(readers: &[Reader], wanted: &Normalized) -> Result<Option<MatchResult>, PropertyError> {
    let areas = wanted.zip.iter().map(|z| z.as_str()).chain(Some(wanted.city.as_str()).filter(|c| !c.is_empty()));
    let keys: Vec<KeyHash> = areas.map(|area| KeyHash::of(&wanted.key_in(area))).collect();
    let probes: Vec<(u64, Option<u32>)> = keys.iter().map(|k| (k.hash, Some(k.check))).collect();
    let mut states: Vec<State> = readers.iter().map(|r| r.state).collect();
    states.sort_unstable();
    states.dedup();
    for state in states {
        if let Some(place) = joined(readers, state, &probes)? {
            let hash = KeyHash::of(&Normalized::from_place(&place).key()).hash;
            return Ok(Some(MatchResult::One {
                key: PlaceKey { state, hash },
                level: MatchLevel::Exact,
                place: Box::new(place),
            }));
        }
    }
    Ok(None)
}

struct Candidate {
    key: PlaceKey,
    level: MatchLevel,
    unit: String,
}

/// Where a street of the wanted name may be: its ZIP, or the town where a ZIP is not known on either side.
pub(crate) fn areas(wanted: &Normalized) -> Vec<Area<'_>> {
    let city = Some(wanted.city.as_str()).filter(|c| !c.is_empty());
    match (&wanted.zip, city) {
        (Some(zip), Some(city)) => vec![Area::Zip(zip.as_str()), Area::CityWithoutZip(city)],
        (Some(zip), None) => vec![Area::Zip(zip.as_str())],
        (None, Some(city)) => vec![Area::City(city)],
        (None, None) => vec![Area::Anywhere],
    }
}

fn candidates(
    readers: &[Reader],
    wanted: &Normalized,
    areas: &[Area<'_>],
    name: &str,
    base: MatchLevel,
) -> Result<Vec<Candidate>, PropertyError> {
    let mut found: Vec<Candidate> = Vec::new();
    let spans = spans(&wanted.number);
    for reader in readers {
        for area in areas {
            for street in reader.shard.streets(name, *area)? {
                let Some(street_level) = street_level(wanted, &street) else { continue };
                for (low, high) in &spans {
                    for hash in reader.shard.houses_on(street.id, *low, *high)? {
                        let Some(head) = reader.shard.head(hash)? else { continue };
                        let house = Normalized::from_texts(&head.address(), head.unit.as_deref());
                        let Some(level) = house_level(wanted, &house) else { continue };
                        let key = PlaceKey { state: reader.state, hash };
                        found.push(Candidate { key, level: level.max(street_level).max(base), unit: house.unit });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// The numbers to look under: those of the number itself, and those of Queens' other way to write it.
fn spans(number: &str) -> Vec<(u32, u32)> {
    let mut found: Vec<(u32, u32)> = number_span(number).into_iter().collect();
    let other = match number.split_once('-') {
        Some((block, house)) => format!("{block}{house}").parse::<u32>().ok().filter(|_| house.len() == 2),
        None => number.parse::<u32>().ok().filter(|n| (1_000..100_000).contains(n)).map(|n| n / 100),
    };
    found.extend(other.map(|n| (n, n)));
    found
}

/// `112-10` and `11210`, but no range such as `10-12`.
fn same_but_for_hyphen(a: &str, b: &str) -> bool {
    let is = |hyphened: &str, plain: &str| {
        hyphened.split_once('-').is_some_and(|(block, house)| house.len() == 2 && format!("{block}{house}") == plain)
            && number_span(hyphened).is_some_and(|(low, high)| low == high)
    };
    is(a, b) || is(b, a)
}

/// A part may be missing on one side; another suffix makes the name only similar; directions that contradict each other
/// mean another street.
fn street_level(wanted: &Normalized, street: &StreetRow) -> Option<MatchLevel> {
    let level = |a: &str, b: &str| match (a == b, a.is_empty() || b.is_empty()) {
        (true, _) => MatchLevel::Exact,
        (false, true) => MatchLevel::WithoutSuffix,
        (false, false) => MatchLevel::SimilarName,
    };
    let predir = level(&wanted.predir, &street.predir);
    let postdir = level(&wanted.postdir, &street.postdir);
    let directions = predir.max(postdir);
    (directions != MatchLevel::SimilarName).then(|| directions.max(level(&wanted.suffix, &street.suffix)))
}

fn house_level(wanted: &Normalized, house: &Normalized) -> Option<MatchLevel> {
    // `14 Alder Ct Apt A` and `14A Alder Ct`.
    let glued = |n: &Normalized, other: &Normalized| {
        !n.unit.is_empty() && other.unit.is_empty() && format!("{}{}", n.number, n.unit) == other.number
    };
    if glued(wanted, house) || glued(house, wanted) {
        return Some(MatchLevel::Exact);
    }
    let unit = match (&wanted.unit, &house.unit) {
        (a, b) if a == b => MatchLevel::Exact,
        (a, b) if a.is_empty() || b.is_empty() => MatchLevel::WithoutUnit,
        _ => return None,
    };
    let number = if wanted.number == house.number || same_but_for_hyphen(&wanted.number, &house.number) {
        MatchLevel::Exact
    } else if wanted.number.trim_end_matches(|c: char| c.is_ascii_alphabetic()) == house.number {
        // `14A` where only `14` is known.
        MatchLevel::WithoutUnit
    } else {
        let plain = |n: &str| n.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        let (low, high) = number_span(&wanted.number).filter(|_| plain(&wanted.number))?;
        let (first, last) = number_span(&house.number).filter(|_| plain(&house.number))?;
        // A range has one parity: the other side of the street is another parcel.
        let inside = (first <= low && high <= last) || (low <= first && last <= high);
        if !inside || (low % 2) != (first % 2) || (low == first && high == last) {
            return None;
        }
        MatchLevel::NumberRange
    };
    Some(unit.max(number))
}

/// The places of the best level: one is the answer, several are a question.
fn best_level(readers: &[Reader], mut found: Vec<Candidate>) -> Result<MatchResult, PropertyError> {
    let Some(level) = found.iter().map(|c| c.level).min() else { return Ok(MatchResult::None) };
    found.retain(|c| c.level == level);
    found.sort_by(|a, b| (a.unit.len(), &a.unit, a.key).cmp(&(b.unit.len(), &b.unit, b.key)));
    let mut keys: Vec<PlaceKey> = Vec::new();
    for candidate in &found {
        if !keys.contains(&candidate.key) {
            keys.push(candidate.key);
        }
    }
    match keys.as_slice() {
        [key] => Ok(match place_of(readers, *key)? {
            Some(place) => MatchResult::One { key: *key, level, place: Box::new(place) },
            None => MatchResult::None,
        }),
        _ => Ok(MatchResult::Several(keys)),
    }
}

#[cfg(test)]
mod letters_tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_that_is_alike_is_never_left_out(a in "[A-D ]{1,12}", b in "[A-D ]{1,12}", at in 0usize..12) {
            // One letter changed, one left out, and any other.
            let changed: String = a.chars().enumerate().map(|(i, c)| if i == at { 'X' } else { c }).collect();
            let shorter: String = a.chars().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c).collect();
            for other in [&b, &changed, &shorter] {
                let alike = strsim::jaro_winkler(other, &a) >= MIN_SIMILARITY;
                prop_assert!(!alike || LetterCounts::of(&a).may_be_alike(other), "{a} {other}");
            }
        }
    }

    #[test]
    fn most_names_are_told_apart_by_their_letters() {
        let letters = LetterCounts::of("WASHINGTON");
        assert!(letters.may_be_alike("WASHINGTOM") && letters.may_be_alike("WASHNGTON"));
        assert!(
            ["ALDER", "WASH", "HAMILTON", "BERFENCOT", ""]
                .iter()
                .filter(|n| !n.is_empty())
                .all(|n| !letters.may_be_alike(n))
        );
    }
}
