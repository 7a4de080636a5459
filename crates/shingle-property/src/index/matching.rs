//! How an address is matched: by levels, from the very address down to a place between two neighbors.
//!
//! | level | what must agree | what may differ |
//! |---|---|---|
//! | `Exact` | number, directions, name, suffix, unit, and ZIP (or town, where either side has no ZIP) | spelling; the town's name, as far as both may be one (see below); `14A` for `14 Apt A`; `11210` for Queens' `112-10` |
//! | `WithoutUnit` | all but the unit | a unit where no record of the house has any |
//! | `WithoutSuffix` | number, name, ZIP | a suffix or direction that was left out, when one street of the name is there; a direction before the name or behind it; a suffix that is the name's last word (`Cottage Grove`) |
//! | `NumberRange` | street and ZIP | a number inside a recorded range (`4-6`) of the same parity, or a short range that begins or ends with a recorded number |
//! | `SimilarName` | number, directions, suffix and ZIP | a name at least 0.94 alike (Jaro-Winkler) without digits, when no other name is nearly as alike and no street has the name that was asked for |
//! | `Interpolated` | street and ZIP | a number that nobody recorded, between two recorded ones of its parity at most 40 away on either side |
//!
//! **What was asked for and is recorded otherwise is never an answer,** because it may be somebody else's home: another
//! suffix, a direction that the record lacks, another ZIP, another town. It is a question, of one place even; directions
//! that contradict each other (`N Elm`, `S Elm`) are not even that. So is a part that was left out where the street
//! without it exists too, or several with it.
//!
//! The same holds for the class of a numbered road (`US Highway 20`, `State Route 20`, a county's) and for a named place
//! in the town: a class that was left out leads to the one road of the number, else to a question.
//!
//! Towns may be one when the index knows both in the ZIP, when all words of one are in the other (`West Lebanon`), or
//! when they are spelled almost alike.
//!
//! Where several places fit the best level equally, the answer is a question: at most five of them, units in counting
//! order. So a condominium asked for without a unit is a question unless the building has a record of its own, and so is
//! a unit that nobody recorded where others of the house are recorded.
//!
//! # Decisions
//!
//! - A query that differs from the record in direction, suffix, unit, ZIP or town gets a question, never an answer;
//!   the importer's `tests/towns/slips.rs` and `ways.rs` hold this for every town at hand. Turned down: trusting the
//!   ZIP over the town or the reverse. Another person's home is worse than one more tap.
//! - An approximate match shows nothing personal, not even in conflicts: it may be the neighbor's record.
//! - A direction before a town belongs to the street if the town is recorded without it (`with_direction_of_street`).
//!   Where no such street exists it is a question. Towns known with a direction in that ZIP keep it.
//! - Direction, road class, fraction and named place are part of a home's key. `57.5` is 57 1/2, a point between
//!   digits is never dropped, and `Hwy 20` is a question where US 20 and State Route 20 both have the number.

mod interpolated;
mod letters;
mod numbers;

#[cfg(test)]
mod tests;

use shingle_domain::evidence::{MatchLevel, Place};

use super::key::PlaceKey;
use super::one_place::{joined, place_of};
use super::reader::{Reader, Readers};
use super::shard::Area;
use super::street_row::StreetRow;
use crate::error::PropertyError;
use shingle_address::tables::{direction_long, suffix};
use shingle_address::{KeyHash, Normalized, OtherClass, number_span, other_classes, town_name};

pub(crate) use interpolated::interpolate;
use letters::{LetterCounts, MIN_SIMILARITY};
use numbers::{number_level, spans};

/// If the second name is nearly as similar as the first, by this difference, it is open which is meant.
const MIN_LEAD: f64 = 0.01;

pub(crate) enum MatchResult {
    One { key: PlaceKey, level: MatchLevel, place: Box<Place> },
    Several(Vec<PlaceKey>),
    None,
}

pub(crate) fn find(readers: &Readers, wanted: &Normalized) -> Result<MatchResult, PropertyError> {
    let answer = match_by_level(readers, wanted)?;
    match answer {
        MatchResult::One { key, place, .. } if !may_be_town(readers, wanted, &place)? => {
            let mut keys = vec![key];
            match match_by_level(readers, &Normalized { zip: None, ..wanted.clone() })? {
                MatchResult::One { key, .. } => keys.push(key),
                MatchResult::Several(more) => keys.extend(more),
                MatchResult::None => {}
            }
            keys.dedup();
            Ok(MatchResult::Several(keys))
        }
        answer => Ok(answer),
    }
}

/// Whether the town that was asked for may be the one of the place that its ZIP led to.
fn may_be_town(readers: &Readers, wanted: &Normalized, place: &Place) -> Result<bool, PropertyError> {
    let Some(zip) = wanted.zip.as_ref().filter(|_| !wanted.city.is_empty()) else { return Ok(true) };
    let found = town_name(&place.address.city);
    if found == wanted.city || !place.address.zip.is_known() || is_spelled_alike(&wanted.city, &found) {
        return Ok(true);
    }
    readers.has_town(Some(place.address.state), &wanted.city, zip.as_str())
}

/// Whether a place is in the very town that was asked for, as far as it is spelled right or nearly so.
pub(crate) fn is_town_of(readers: &Readers, wanted: &Normalized, place: &Place) -> Result<bool, PropertyError> {
    let found = town_name(&place.address.city);
    let words = |city: &str| city.split(' ').count();
    let is_alike = words(&wanted.city) == words(&found) && strsim::jaro_winkler(&wanted.city, &found) >= MIN_SIMILARITY;
    Ok(wanted.city.is_empty() || is_alike || wanted.city == found || knows_town(readers, wanted)?)
}

/// Whether the town that was asked for has streets with the ZIP that was asked for.
pub(crate) fn knows_town(readers: &Readers, wanted: &Normalized) -> Result<bool, PropertyError> {
    let Some(zip) = wanted.zip.as_ref() else { return Ok(false) };
    readers.has_town(None, &wanted.city, zip.as_str())
}

/// `WEST LEBANON` and `LEBANON`, `PORTLNAD` and `PORTLAND`.
fn is_spelled_alike(a: &str, b: &str) -> bool {
    let within = |a: &str, b: &str| a.split(' ').all(|word| b.split(' ').any(|other| word == other));
    within(a, b) || within(b, a) || strsim::jaro_winkler(a, b) >= MIN_SIMILARITY
}

fn match_by_level(readers: &Readers, wanted: &Normalized) -> Result<MatchResult, PropertyError> {
    if wanted.name.is_empty() {
        return Ok(MatchResult::None);
    }
    if let Some(found) = exact(readers, wanted)? {
        return Ok(found);
    }
    let Some(_) = number_span(&wanted.number) else { return Ok(MatchResult::None) };
    let areas = areas(wanted);
    let mut is_known = false;
    for (reading, base) in readings(wanted) {
        let mut found = candidates(readers, &reading, &areas, &reading.name, base)?;
        if !found.houses.is_empty() {
            // The street that was asked for is there, without this house: another reading is another street.
            found.houses.iter_mut().for_each(|house| house.doubted |= is_known);
            return best_level(readers, found.houses);
        }
        is_known |= found.has_street;
    }
    let found = on_other_roads(readers, wanted, &areas, is_known)?;
    if !found.is_empty() {
        return best_level(readers, found);
    }
    let found = other_zip(readers, wanted)?;
    if !found.is_empty() {
        return best_level(readers, found);
    }
    if is_known {
        return Ok(MatchResult::None);
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

/// The house on other roads of the number: `Highway 20` may be the state's or the country's. One road may be the answer
/// where the class was left out; another class than the one that was asked for, or one of several, is a question.
fn on_other_roads(
    readers: &Readers,
    wanted: &Normalized,
    areas: &[Area<'_>],
    is_known: bool,
) -> Result<Vec<Candidate>, PropertyError> {
    let mut houses = Vec::new();
    let (mut roads, mut with_house) = (0, 0);
    for (name, class) in other_classes(&wanted.name) {
        let found = candidates(readers, wanted, areas, &name, MatchLevel::WithoutSuffix)?;
        roads += usize::from(found.has_street && class == OtherClass::LeftOut);
        with_house += usize::from(!found.houses.is_empty());
        let doubted = is_known || class == OtherClass::Doubted;
        houses.extend(found.houses.into_iter().map(|c| Candidate { doubted: c.doubted || doubted, ..c }));
    }
    if roads > 1 || with_house > 1 {
        houses.iter_mut().for_each(|house| (house.doubted, house.level) = (true, MatchLevel::SimilarName));
    }
    Ok(houses)
}

/// The very street and number in the town that was named, under another ZIP: a question.
fn other_zip(readers: &Readers, wanted: &Normalized) -> Result<Vec<Candidate>, PropertyError> {
    if wanted.zip.is_none() || wanted.city.is_empty() {
        return Ok(Vec::new());
    }
    let found = candidates(readers, wanted, &[Area::City(&wanted.city)], &wanted.name, MatchLevel::Exact)?;
    let same = found.houses.into_iter().filter(|c| c.level <= MatchLevel::WithoutUnit && !c.doubted);
    Ok(same.map(|c| Candidate { doubted: true, ..c }).collect())
}

/// The places with the number wanted on the street whose name is most alike; on several streets, when none is
/// clearly the most alike.
fn similar(readers: &Readers, wanted: &Normalized, areas: &[Area<'_>]) -> Result<Vec<Candidate>, PropertyError> {
    if wanted.name.contains(|c: char| c.is_ascii_digit() || c == '\u{fffd}') {
        // `5TH` is not `6TH` misspelled, nor is `ROUTE 9 EAST` a `ROUTE 9`; a letter that was lost may be any.
        return Ok(Vec::new());
    }
    let letters = LetterCounts::of(&wanted.name);
    let mut names: Vec<(f64, String)> = Vec::new();
    for area in areas {
        readers.each_name(*area, |name| {
            if !letters.may_be_alike(name) {
                return;
            }
            let score = strsim::jaro_winkler(name, &wanted.name);
            if score >= MIN_SIMILARITY
                && !name.bytes().any(|b| b.is_ascii_digit())
                && !names.iter().any(|(_, n)| n == name)
            {
                names.push((score, name.to_owned()));
            }
        })?;
    }
    names.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut best = None;
    let mut found = Vec::new();
    for (score, name) in names {
        if best.is_some_and(|best| score < best - MIN_LEAD) {
            break;
        }
        let here = candidates(readers, wanted, areas, &name, MatchLevel::SimilarName)?.houses;
        if !here.is_empty() {
            best = best.or(Some(score));
            found.extend(here);
        }
    }
    Ok(found)
}

/// The first level: the key itself, by ZIP and, for sources that give no ZIP, by town.
fn exact(readers: &Readers, wanted: &Normalized) -> Result<Option<MatchResult>, PropertyError> {
    let areas = wanted.zip.iter().map(|z| z.as_str()).chain(Some(wanted.city.as_str()).filter(|c| !c.is_empty()));
    let probes: Vec<u64> = areas.map(|area| KeyHash::of(&wanted.key_in(area)).hash).collect();
    for state in readers.states() {
        if let Some((hash, place)) = joined(readers, state, &probes)? {
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
    /// Something was asked for that the record has otherwise: to be asked back.
    doubted: bool,
    /// A part of a house was asked for, the record is the house's.
    is_whole: bool,
    unit: String,
}

/// What the streets of one name hold.
struct Candidates {
    houses: Vec<Candidate>,
    /// Whether a street fits, with the house or without it.
    has_street: bool,
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
    readers: &Readers,
    wanted: &Normalized,
    areas: &[Area<'_>],
    name: &str,
    base: MatchLevel,
) -> Result<Candidates, PropertyError> {
    let mut streets: Vec<(&Reader, StreetRow, StreetFit)> = Vec::new();
    for area in areas {
        let rows = readers.streets(None, name, *area)?.into_iter();
        streets.extend(rows.filter_map(|(at, row)| street_fit(wanted, &row).map(|fit| (&readers[at], row, fit))));
    }
    // Of streets that have what was left out, each may be meant.
    let mut fitting: Vec<[&str; 4]> = Vec::new();
    for (_, street, fit) in &streets {
        let parts = [&street.predir, &street.suffix, &street.postdir, &street.place].map(String::as_str);
        if *fit != StreetFit::Doubted && !fitting.contains(&parts) {
            fitting.push(parts);
        }
    }
    let several = fitting.len() > 1;
    let has_street = !fitting.is_empty();
    let mut houses: Vec<Candidate> = Vec::new();
    let mut has_units = false;
    let spans = spans(&wanted.number);
    for (reader, street, fit) in &streets {
        for (low, high) in &spans {
            for found in reader.shard.houses_on(street.id, *low, *high)? {
                let (address, unit) = reader.shard.address(found.home)?;
                let house = Normalized::from_texts(&address, unit.as_deref());
                let is_part = is_part_of(wanted, &house);
                has_units |= is_part;
                let level = house_level(wanted, &house);
                // Another unit of the house may have been meant.
                let same_unit = !wanted.unit.is_empty() && wanted.unit == house.unit;
                let other_unit = is_part && !same_unit && level != Some(MatchLevel::Exact);
                let Some(level) = level.or(other_unit.then_some(MatchLevel::WithoutUnit)) else { continue };
                let (street_level, doubted) = match fit {
                    StreetFit::Same => (MatchLevel::Exact, false),
                    StreetFit::LeftOut => (MatchLevel::WithoutSuffix, several),
                    StreetFit::Doubted => (MatchLevel::SimilarName, true),
                };
                let left_out = wanted.unit.is_empty() && !house.unit.is_empty() && level != MatchLevel::Exact;
                // `12 Elm St Rear` is not the house in front of it.
                let other_building = level == MatchLevel::WithoutUnit && wanted.names_another_building();
                houses.push(Candidate {
                    key: PlaceKey { state: reader.state, hash: house.hash() },
                    is_whole: level != MatchLevel::Exact && house.unit.is_empty() && !other_unit,
                    level: level.max(street_level).max(base),
                    doubted: doubted || other_unit || left_out || other_building,
                    unit: house.unit,
                });
            }
        }
    }
    if has_units {
        // The house's owner is not the unit's.
        houses.retain(|house| !house.is_whole);
    }
    Ok(Candidates { houses, has_street })
}

/// Whether a part of a house was asked for (`Apt 2`, `14B`) and the record is of a part of that house.
fn is_part_of(wanted: &Normalized, house: &Normalized) -> bool {
    let plain = |n: &Normalized| n.number.trim_end_matches(|c: char| c.is_ascii_alphabetic()).to_owned();
    let (number, other) = (plain(wanted), plain(house));
    let is_part = |n: &Normalized, number: &str| !n.unit.is_empty() || number.len() < n.number.len();
    is_part(wanted, &number) && is_part(house, &other) && number_level(&number, &other).is_some()
}

/// How a street of the name fits the one that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum StreetFit {
    Same,
    /// It has a suffix or a direction that was not asked for, or its direction is on the other side of the name.
    LeftOut,
    /// It has another suffix, or lacks one or a direction that was asked for.
    Doubted,
}

/// `None` where directions contradict each other.
pub(crate) fn street_fit(wanted: &Normalized, street: &StreetRow) -> Option<StreetFit> {
    let fit = |asked: &str, recorded: &str| match (asked == recorded, asked.is_empty()) {
        (true, _) => StreetFit::Same,
        (false, true) => StreetFit::LeftOut,
        (false, false) => StreetFit::Doubted,
    };
    let asked = (wanted.predir.as_str(), wanted.postdir.as_str());
    let recorded = (street.predir.as_str(), street.postdir.as_str());
    let directions = match (asked, recorded) {
        (a, b) if a == b => StreetFit::Same,
        // `W Oak St` and `Oak St W`
        ((a, ""), ("", b)) | (("", a), (b, "")) if a == b => StreetFit::LeftOut,
        (("", ""), _) => StreetFit::LeftOut,
        (_, ("", "")) => StreetFit::Doubted,
        ((a, b), (c, d)) if a == c || b == d => fit(a, c).max(fit(b, d)),
        _ => return None,
    };
    // Of two that differ nothing is left out: `NE` is no `SE`.
    let contradict = |a: &str, b: &str| !a.is_empty() && !b.is_empty() && a != b;
    if contradict(asked.0, recorded.0) || contradict(asked.1, recorded.1) {
        return None;
    }
    Some(directions.max(fit(&wanted.suffix, &street.suffix)).max(place_fit(wanted, &street.place)))
}

/// How a street's named place fits the one that was asked for. In Puerto Rico it is a part of the address; elsewhere
/// people name buildings that nobody records.
fn place_fit(wanted: &Normalized, recorded: &str) -> StreetFit {
    let of_address = wanted.is_in_puerto_rico();
    match (wanted.place.as_str(), recorded) {
        (asked, recorded) if asked == recorded => StreetFit::Same,
        (_, "") if !of_address => StreetFit::Same,
        ("", _) if !of_address => StreetFit::LeftOut,
        _ => StreetFit::Doubted,
    }
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
    let number = match number_level(&wanted.number, &house.number) {
        Some(level) => level,
        // `14A` where only `14` is known.
        None if wanted.number.trim_end_matches(|c: char| c.is_ascii_alphabetic()) == house.number => {
            MatchLevel::WithoutUnit
        }
        None => return None,
    };
    Some(unit.max(number))
}

/// The places of the best level: one is the answer, several are a question.
fn best_level(readers: &Readers, mut found: Vec<Candidate>) -> Result<MatchResult, PropertyError> {
    let Some((doubted, level)) = found.iter().map(|c| (c.doubted, c.level)).min() else { return Ok(MatchResult::None) };
    found.retain(|c| (c.doubted, c.level) == (doubted, level));
    found.sort_by(|a, b| (a.unit.len(), &a.unit, a.key).cmp(&(b.unit.len(), &b.unit, b.key)));
    let mut keys: Vec<PlaceKey> = Vec::new();
    for candidate in &found {
        if !keys.contains(&candidate.key) {
            keys.push(candidate.key);
        }
    }
    match keys.as_slice() {
        [key] if !doubted => Ok(match place_of(readers, *key)? {
            Some(place) => MatchResult::One { key: *key, level, place: Box::new(place) },
            None => MatchResult::None,
        }),
        _ => Ok(MatchResult::Several(keys)),
    }
}
