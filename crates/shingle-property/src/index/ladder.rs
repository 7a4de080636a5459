//! The matching ladder: from the very address down to a similar name with the same number.

use shingle_domain::State;
use shingle_domain::evidence::{MatchLevel, Place};

use super::gather::{joined, place_of};
use super::key::PlaceKey;
use super::readers::Reader;
use super::shard::{Area, StreetRow};
use crate::address::{KeyHash, Normalized, number_span};
use crate::error::PropertyError;

/// Names at least this alike (Jaro-Winkler) are taken for one name misspelled.
const ALIKE: f64 = 0.94;

/// How often a name has each letter: tells most names that are not alike without comparing them.
struct Letters<'a> {
    name: &'a [u8],
    counts: [u8; 128],
}

impl<'a> Letters<'a> {
    fn of(name: &'a str) -> Self {
        let mut counts = [0u8; 128];
        for b in name.bytes() {
            if let Some(count) = counts.get_mut(usize::from(b)) {
                *count = count.saturating_add(1);
            }
        }
        Self { name: name.as_bytes(), counts }
    }

    /// `false` where even with all common letters in place and in order the names would not reach [`ALIKE`].
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
        jaro + 0.1 * prefix as f64 * (1.0 - jaro) > ALIKE - 1e-9
    }
}

pub(crate) enum Answer {
    One { key: PlaceKey, level: MatchLevel, place: Box<Place> },
    Several(Vec<PlaceKey>),
    None,
}

pub(crate) fn find(readers: &[Reader], wanted: &Normalized) -> Result<Answer, PropertyError> {
    let answer = climb(readers, wanted)?;
    match answer {
        Answer::One { key, level, place } if other_town(readers, wanted, &place)? => {
            let in_town = climb(readers, &Normalized { zip: None, ..wanted.clone() })?;
            let mut keys = vec![key];
            match in_town {
                Answer::One { key, level: there, .. } if there <= level => keys.push(key),
                Answer::Several(more) => keys.extend(more),
                _ => {}
            }
            keys.dedup();
            if keys.len() > 1 {
                return Ok(Answer::Several(keys));
            }
            Ok(Answer::One { key, level: level.max(MatchLevel::SimilarName), place })
        }
        answer => Ok(answer),
    }
}

/// Whether the town that was asked for is another than the place's. The ZIP wins over the name of a town, which
/// people write as they please, unless the index knows that town, and knows it by other ZIPs only: then one of the
/// two is a slip, and nobody can say which.
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

fn climb(readers: &[Reader], wanted: &Normalized) -> Result<Answer, PropertyError> {
    if wanted.name.is_empty() {
        return Ok(Answer::None);
    }
    if let Some(found) = exact(readers, wanted)? {
        return Ok(found);
    }
    let Some(_) = number_span(&wanted.number) else { return Ok(Answer::None) };
    let named = candidates(readers, wanted, std::slice::from_ref(&wanted.name), MatchLevel::Exact)?;
    if !named.is_empty() {
        return settle(readers, named);
    }
    // Misspelled: the most alike name that has this number.
    let letters = Letters::of(&wanted.name);
    let mut similar: Vec<(f64, String)> = Vec::new();
    for reader in readers {
        for area in areas(wanted) {
            reader.shard.each_name(area, |name| {
                if !letters.may_be_alike(name) {
                    return;
                }
                let score = strsim::jaro_winkler(name, &wanted.name);
                if score >= ALIKE && !similar.iter().any(|(_, n)| n == name) {
                    similar.push((score, name.to_owned()));
                }
            })?;
        }
    }
    similar.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    for (_, name) in similar {
        let found = candidates(readers, wanted, &[name], MatchLevel::SimilarName)?;
        if !found.is_empty() {
            return settle(readers, found);
        }
    }
    Ok(Answer::None)
}

/// The first rung: the key itself, by ZIP and, for sources that give no ZIP, by town.
fn exact(readers: &[Reader], wanted: &Normalized) -> Result<Option<Answer>, PropertyError> {
    let areas = wanted.zip.iter().map(|z| z.as_str()).chain(Some(wanted.city.as_str()).filter(|c| !c.is_empty()));
    let keys: Vec<KeyHash> = areas.map(|area| KeyHash::of(&wanted.key_in(area))).collect();
    let probes: Vec<(u64, Option<u32>)> = keys.iter().map(|k| (k.hash, Some(k.check))).collect();
    let mut states: Vec<State> = readers.iter().map(|r| r.state).collect();
    states.sort_unstable();
    states.dedup();
    for state in states {
        if let Some(place) = joined(readers, state, &probes)? {
            let hash = KeyHash::of(&Normalized::from_place(&place).key()).hash;
            return Ok(Some(Answer::One {
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
    names: &[String],
    base: MatchLevel,
) -> Result<Vec<Candidate>, PropertyError> {
    let mut found: Vec<Candidate> = Vec::new();
    let Some((low, high)) = number_span(&wanted.number) else { return Ok(found) };
    for reader in readers {
        for area in areas(wanted) {
            for name in names {
                for street in reader.shard.streets(name, area)? {
                    let street_level = street_level(wanted, &street).max(base);
                    for hash in reader.shard.houses_on(street.id, low, high)? {
                        let Some(head) = reader.shard.head(hash)? else { continue };
                        let house = Normalized::from_texts(&head.address(), head.unit.as_deref());
                        let Some(level) = house_level(wanted, &house) else { continue };
                        let key = PlaceKey { state: reader.state, hash };
                        found.push(Candidate { key, level: level.max(street_level), unit: house.unit });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// A part that one side leaves out is forgiven; one in which both sides differ makes the name only similar.
fn street_level(wanted: &Normalized, street: &StreetRow) -> MatchLevel {
    let parts =
        [(&wanted.predir, &street.predir), (&wanted.suffix, &street.suffix), (&wanted.postdir, &street.postdir)];
    parts
        .iter()
        .map(|(a, b)| match (a == b, a.is_empty() || b.is_empty()) {
            (true, _) => MatchLevel::Exact,
            (false, true) => MatchLevel::WithoutSuffix,
            (false, false) => MatchLevel::SimilarName,
        })
        .max()
        .unwrap_or(MatchLevel::Exact)
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
    let number = if wanted.number == house.number {
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

/// The best rung's places: one is the answer, several are a question.
fn settle(readers: &[Reader], mut found: Vec<Candidate>) -> Result<Answer, PropertyError> {
    let Some(level) = found.iter().map(|c| c.level).min() else { return Ok(Answer::None) };
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
            Some(place) => Answer::One { key: *key, level, place: Box::new(place) },
            None => Answer::None,
        }),
        _ => Ok(Answer::Several(keys)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_that_is_alike_is_never_left_out(a in "[A-D ]{1,12}", b in "[A-D ]{1,12}", at in 0usize..12) {
            // One letter changed, one left out, and any other.
            let changed: String = a.chars().enumerate().map(|(i, c)| if i == at { 'X' } else { c }).collect();
            let shorter: String = a.chars().enumerate().filter(|(i, _)| *i != at).map(|(_, c)| c).collect();
            for other in [&b, &changed, &shorter] {
                let alike = strsim::jaro_winkler(other, &a) >= ALIKE;
                prop_assert!(!alike || Letters::of(&a).may_be_alike(other), "{a} {other}");
            }
        }
    }

    #[test]
    fn most_names_are_told_apart_by_their_letters() {
        let letters = Letters::of("WASHINGTON");
        assert!(letters.may_be_alike("WASHINGTOM") && letters.may_be_alike("WASHNGTON"));
        assert!(
            ["ALDER", "WASH", "HAMILTON", "BERFENCOT", ""]
                .iter()
                .filter(|n| !n.is_empty())
                .all(|n| !letters.may_be_alike(n))
        );
    }
}
