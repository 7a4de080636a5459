//! A house number that is not recorded, between two that are.
//!
//! Such a place has an address, a point on the line between its neighbors, and what both neighbors record alike
//! of their neighborhood: county, subdivision, school district. It has no building, no owner, no value and no year:
//! those are a neighbor's, and a neighbor's roof is not the one that was asked for. The key of such a place is in
//! no index.

use shingle_domain::Address;
use shingle_domain::evidence::{Assessor, Fact, MatchLevel, Place, Position};

use super::{MatchResult, StreetFit, areas, street_fit};
use crate::error::PropertyError;
use crate::index::key::PlaceKey;
use crate::index::one_place::place_of;
use crate::index::reader::Readers;
use crate::index::street_row::StreetRow;
use shingle_address::{KeyHash, Normalized, number_span};

/// The farthest neighbor that counts, in house numbers: the gap may be most of a hundred block.
const MAX_NUMBERS_APART: u32 = 40;

struct Neighbour {
    number: u32,
    key: PlaceKey,
}

/// The place of the number wanted, if neighbors are on both sides of it on one street.
pub(crate) fn interpolate(readers: &Readers, wanted: &Normalized) -> Result<MatchResult, PropertyError> {
    let plain = !wanted.number.is_empty() && wanted.number.bytes().all(|b| b.is_ascii_digit());
    let Some((number, _)) = number_span(&wanted.number).filter(|_| plain && wanted.unit.is_empty()) else {
        return Ok(MatchResult::None);
    };
    if wanted.zip.is_none() && wanted.city.is_empty() {
        return Ok(MatchResult::None);
    }
    let (mut below, mut above): (Option<Neighbour>, Option<Neighbour>) = (None, None);
    let mut street_seen = None;
    for area in areas(wanted) {
        for (at, street) in readers.streets(None, &wanted.name, area)? {
            let reader = &readers[at];
            if street_fit(wanted, &street).is_none_or(|fit| fit == StreetFit::Doubted) {
                continue;
            }
            let StreetRow { predir, suffix, postdir, place, .. } = &street;
            let parts = [predir, suffix, postdir, place].map(String::clone);
            if street_seen.get_or_insert_with(|| parts.clone()) != &parts {
                // Two streets of the name: whose neighbors?
                return Ok(MatchResult::None);
            }
            for found in reader.shard.houses_on(
                street.id,
                number.saturating_sub(MAX_NUMBERS_APART),
                number + MAX_NUMBERS_APART,
            )? {
                let (address, unit) = reader.shard.address(found.home)?;
                let house = Normalized::from_texts(&address, unit.as_deref());
                let Some((low, high)) = number_span(&house.number) else { continue };
                let key = PlaceKey { state: reader.state, hash: house.hash() };
                if low % 2 != number % 2 {
                    continue;
                }
                if high < number && number - high <= MAX_NUMBERS_APART && below.as_ref().is_none_or(|b| b.number < high)
                {
                    below = Some(Neighbour { number: high, key });
                }
                if low > number && low - number <= MAX_NUMBERS_APART && above.as_ref().is_none_or(|a| a.number > low) {
                    above = Some(Neighbour { number: low, key });
                }
            }
        }
    }
    let Some((below, above)) = below.zip(above) else { return Ok(MatchResult::None) };
    let (Some(first), Some(last)) = (place_of(readers, below.key)?, place_of(readers, above.key)?) else {
        return Ok(MatchResult::None);
    };
    let along = f64::from(number - below.number) / f64::from(above.number - below.number);
    let place = between(&wanted.number, first, &last, along);
    let hash = KeyHash::of(&Normalized::from_place(&place).key()).hash;
    let key = PlaceKey { state: below.key.state, hash };
    Ok(MatchResult::One { key, level: MatchLevel::Interpolated, place: Box::new(place) })
}

fn between(number: &str, first: Place, last: &Place, along: f64) -> Place {
    let on_line = |a: f64, b: f64| a + (b - a) * along;
    let origin = first.origin.zip(last.origin).map(|(a, b)| Position {
        longitude: on_line(a.longitude, b.longitude),
        latitude: on_line(a.latitude, b.latitude),
    });
    let (ours, theirs) = (first.assessor, &last.assessor);
    Place {
        address: Address { street_number: number.to_owned(), ..first.address },
        unit: None,
        parcel: None,
        origin,
        buildings: Vec::new(),
        assessor: Assessor {
            county: alike(ours.county, theirs.county.as_ref()),
            subdivision: alike(ours.subdivision, theirs.subdivision.as_ref()),
            school_district: alike(ours.school_district, theirs.school_district.as_ref()),
            ..Assessor::default()
        },
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: first.sources,
    }
}

fn alike(ours: Option<Fact<String>>, theirs: Option<&Fact<String>>) -> Option<Fact<String>> {
    ours.filter(|fact| theirs.is_some_and(|t| t.value == fact.value))
}
