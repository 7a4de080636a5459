//! Address suggestions while typing. What they cost in one file and in many:
//! `cargo run --release -p shingle-property --example many_files_bench`.
//!
//! # Decision
//!
//! A misspelled town gets no answer, but the likely home comes first: the same street and number in towns at most two
//! edits away (one for names of seven letters).

mod close;
mod matched;
mod query;
mod search;
mod typo;

#[cfg(test)]
mod tests;

use shingle_domain::Address;
use shingle_domain::public::Suggestion;

use crate::error::PropertyError;
use crate::index::PlaceKey;
use crate::index::directory::Directory;
use crate::index::reader::Reader;
use query::Query;
use search::{Hit, MAX_ROWS, MAX_ROWS_CLOSE, Search};
use shingle_address::Normalized;

pub(crate) fn suggest(directory: &Directory, text: &str, limit: usize) -> Result<Vec<Suggestion>, PropertyError> {
    let queries = query::queries(text);
    let mut search = Search::new(directory, None, limit, MAX_ROWS);
    if limit > 0 {
        search.run(&queries)?;
    }
    show(search, &queries, Some(text))
}

/// Addresses close to one that was not found: the nearest numbers of its street, else its house in a town whose name
/// is spelled almost alike, else what it may be a misspelling of.
pub(crate) fn close(
    directory: &Directory,
    wanted: &Normalized,
    limit: usize,
) -> Result<Vec<Suggestion>, PropertyError> {
    if wanted.name.is_empty() {
        return Ok(Vec::new());
    }
    let in_area = query::of_normalized(wanted);
    let anywhere = Query { area: String::new(), ..in_area.clone() };
    let queries = [in_area, anywhere];
    let mut search = Search::new(directory, wanted.state, limit, MAX_ROWS_CLOSE);
    if limit > 0 {
        search.own_street(wanted)?;
        if search.hits.is_empty() {
            search.town_misspelled(wanted)?;
        }
        if search.hits.is_empty() {
            search.run(&queries)?;
        }
    }
    show(search, &queries, None)
}

/// A suggestion, and whether it is another's address.
struct Shown {
    suggestion: Suggestion,
    in_town: String,
    without_zip: bool,
}

fn suggestions(found: Vec<Shown>) -> Vec<Suggestion> {
    found.into_iter().map(|s| s.suggestion).collect()
}

/// The units of one house: the one typed first, then as one counts.
fn units_in_order<'h>(readers: &[Reader], house: &'h [Hit], typed: &str) -> Result<Vec<&'h Hit>, PropertyError> {
    if let [only] = house {
        return Ok(vec![only]);
    }
    let mut units = Vec::with_capacity(house.len());
    for hit in house {
        let (address, unit) = readers[hit.file].shard.address(hit.home)?;
        let unit = Normalized::from_texts(&address, unit.as_deref()).unit;
        units.push((unit != typed, unit.len(), unit, hit.file, hit.key, hit));
    }
    units.sort();
    Ok(units.into_iter().map(|(.., hit)| hit).collect())
}

/// Address and unit.
type Named = (Address, Option<String>);

fn named(readers: &[Reader], key: PlaceKey) -> Result<Option<Named>, PropertyError> {
    for reader in readers.iter().filter(|r| r.state == key.state) {
        if let Some(home) = reader.shard.home(key.hash)? {
            return reader.shard.address(home).map(Some);
        }
    }
    Ok(None)
}

/// The place of a key as it is shown, if it is there.
pub(crate) fn suggestion(
    readers: &[Reader],
    key: PlaceKey,
    text: Option<&str>,
) -> Result<Option<Suggestion>, PropertyError> {
    Ok(named(readers, key)?.map(|(address, unit)| shown(&address, unit.as_deref(), key, text).suggestion))
}

/// The suggestion of a house, by its address alone.
pub(crate) fn suggestion_of(address: &Address) -> Suggestion {
    let key = PlaceKey { state: address.state, hash: Normalized::from_texts(address, None).hash() };
    shown(address, None, key, None).suggestion
}

fn shown(address: &Address, unit: Option<&str>, key: PlaceKey, text: Option<&str>) -> Shown {
    let normalized = Normalized::from_texts(address, unit);
    let street = match unit.filter(|u| !u.is_empty()) {
        Some(unit) if unit.contains(' ') || unit.starts_with('#') => format!("{} {unit}", address.street_line()),
        Some(unit) => format!("{} Unit {unit}", address.street_line()),
        None => address.street_line(),
    };
    let without_zip = normalized.zip.is_none();
    let city = if without_zip { format!("{}, {}", address.city, address.state) } else { address.city_line() };
    let matched = text.map_or(0, |t| matched::matched(&street, t));
    let in_town = normalized.key_in(&normalized.city);
    let suggestion = Suggestion { key: key.to_string(), street, city, matched };
    Shown { suggestion, in_town, without_zip }
}

/// What was found, best first.
fn show(search: Search<'_>, queries: &[Query], text: Option<&str>) -> Result<Vec<Suggestion>, PropertyError> {
    let Search { directory, limit, mut hits, .. } = search;
    hits.sort();
    let unit = queries.iter().map(|w| w.unit.as_str()).find(|unit| !unit.is_empty()).unwrap_or_default();
    let mut found: Vec<Shown> = Vec::new();
    for house in hits.chunk_by(Hit::same_house) {
        for hit in units_in_order(&directory.readers, house, unit)? {
            let (address, unit) = directory.readers[hit.file].shard.address(hit.home)?;
            let next = shown(&address, unit.as_deref(), hit.key, text);
            let same = |s: &Shown| s.in_town == next.in_town && (s.without_zip || next.without_zip);
            match found.iter().position(same) {
                // One source knows the ZIP, another does not: one address, shown with its ZIP.
                Some(at) if found[at].without_zip => found[at] = next,
                Some(_) => {}
                None if found.len() == limit => return Ok(suggestions(found)),
                None => found.push(next),
            }
        }
    }
    Ok(suggestions(found))
}
