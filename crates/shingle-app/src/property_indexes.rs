//! The indexes used for look-ups: the imported data, and the sandbox's sample town.
//!
//! # Decision
//!
//! That nothing has been imported is reported to the operator: in the log at the first search, by `doctor` and by
//! `widget create`. Turned down: a line in the page, which visitors read.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::aerial::AerialView;
use shingle_domain::evidence::MatchLevel;
use shingle_domain::home_roof::NoPrice;
use shingle_domain::lookup::AddressInput;
use shingle_domain::public::{AddressChoice, RoofFound, RoofResponse, Suggestion};
use shingle_domain::{Address, Environment, Evidence, State, Zip};
use shingle_estimate::roof::{HomeRoof, home_roof};
use shingle_property::{Lookup, NotAPlaceKey, PlaceKey, PropertyError, PropertyIndex, Reference};

pub struct PropertyIndexes {
    pub production: PropertyIndex,
    pub sample: PropertyIndex,
    pub reference: Arc<Reference>,
    searched: AtomicBool,
}

/// For the operator alone: a visitor reads that no address matches.
pub const NOTHING_IMPORTED: &str = "No address can be found: nothing is imported yet. Import a town with \
     `shingle import FILE --map MAP.toml`; sandbox widgets have invented homes meanwhile.";

/// A place, and the unit that was asked for where the place has none: `me0g5k….3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeKey {
    pub place: PlaceKey,
    pub unit: Option<String>,
}

impl fmt::Display for HomeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)?;
        self.unit.iter().try_for_each(|unit| write!(f, ".{unit}"))
    }
}

impl FromStr for HomeKey {
    type Err = NotAPlaceKey;

    /// A unit is as short and plain as the normal form of an address makes it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const MAX_UNIT_CHARS: usize = 20;
        let (place, unit) = text.split_once('.').map_or((text, None), |(place, unit)| (place, Some(unit)));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '/');
        let unit = match unit {
            Some(unit) if unit.is_empty() || unit.len() > MAX_UNIT_CHARS || !unit.chars().all(plain) => {
                return Err(NotAPlaceKey);
            }
            unit => unit.map(str::to_owned),
        };
        Ok(Self { place: place.parse()?, unit })
    }
}

/// The place that a visitor chose.
#[derive(Debug, Clone, PartialEq)]
pub enum ChosenAddress {
    Found { key: HomeKey, evidence: Box<Evidence> },
    NotFound { typed: String, close: Vec<Suggestion> },
}

impl PropertyIndexes {
    /// Opens both. Creates the sample town if it is missing or of another version.
    pub fn open(property: &Path, sample_town: &Path, reference: Arc<Reference>) -> Result<Self, PropertyError> {
        Ok(Self {
            production: PropertyIndex::open(property, reference.clone())?,
            sample: open_sample_town(sample_town, &reference)?,
            reference,
            searched: AtomicBool::new(false),
        })
    }

    pub fn of(&self, environment: Environment) -> &PropertyIndex {
        match environment {
            Environment::Production => {
                if let Some(warning) = self.warn_once() {
                    tracing::warn!("{warning}");
                }
                &self.production
            }
            Environment::Sandbox => &self.sample,
        }
    }

    /// At the first search, if there is nothing to find.
    fn warn_once(&self) -> Option<&'static str> {
        let first = !self.searched.swap(true, Ordering::Relaxed);
        (first && self.production.is_empty()).then_some(NOTHING_IMPORTED)
    }
}

/// Without it sandbox keys find nothing, which is no reason for production to stand still.
fn open_sample_town(folder: &Path, reference: &Arc<Reference>) -> Result<PropertyIndex, PropertyError> {
    let made = shingle_property::sample_town::ensure(folder);
    made.and_then(|()| PropertyIndex::open(folder, reference.clone())).or_else(|error| {
        tracing::error!(%error, "the sample town cannot be made, so sandbox keys find no address");
        // Where there is nothing, the index is empty.
        PropertyIndex::open(&folder.with_file_name("no-sample-town"), reference.clone())
    })
}

/// Finds the place that a visitor chose.
pub fn find_chosen(index: &PropertyIndex, choice: &AddressChoice) -> Result<ChosenAddress, PropertyError> {
    let input = match choice {
        AddressChoice::Key(key) => {
            let Ok(key) = key.parse::<HomeKey>() else { return Ok(not_found(String::new())) };
            let Some(evidence) = index.get(&key.place)? else { return Ok(not_found(String::new())) };
            let asked_unit = key.unit.clone().filter(|_| evidence.place.unit.is_none());
            return Ok(ChosenAddress::Found { key, evidence: Box::new(Evidence { asked_unit, ..evidence }) });
        }
        typed => input_of(typed),
    };
    Ok(match index.lookup(&input)? {
        // A position between two houses has no roof. The houses are suggested instead.
        Lookup::Found { evidence, .. } if evidence.matched.level == MatchLevel::Interpolated => {
            ChosenAddress::NotFound { typed: typed_line(choice), close: index.close(&input)? }
        }
        Lookup::Found { key, evidence } => {
            let key = HomeKey { place: key, unit: evidence.asked_unit.clone() };
            ChosenAddress::Found { key, evidence: Box::new(evidence) }
        }
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => {
            ChosenAddress::NotFound { typed: typed_line(choice), close }
        }
    })
}

/// What was typed; without a valid state and ZIP, the line may still match.
fn input_of(typed: &AddressChoice) -> AddressInput {
    if let AddressChoice::Parts { street_number, street_address, city, state, zip } = typed
        && let (Some(state), Some(zip)) = (State::parse(state), Zip::parse(zip))
    {
        return AddressInput::Parts(Address {
            street_number: street_number.clone(),
            street_address: street_address.clone(),
            city: city.clone(),
            state,
            zip,
        });
    }
    AddressInput::Line(typed_line(typed))
}

/// The town of an address that was typed, if none of its homes is known.
pub fn uncovered_town(index: &PropertyIndex, choice: &AddressChoice) -> Result<Option<String>, PropertyError> {
    match choice {
        AddressChoice::Key(_) => Ok(None),
        typed => index.uncovered_town(&input_of(typed)),
    }
}

/// Finds the roof of the place that a visitor chose.
pub fn find_roof(
    index: &PropertyIndex,
    photos: Option<&AerialView>,
    choice: &AddressChoice,
) -> Result<RoofResponse, PropertyError> {
    Ok(match find_chosen(index, choice)? {
        ChosenAddress::NotFound { typed, close } => match uncovered_town(index, choice)? {
            // Whatever is close to it is in another town.
            Some(town) => RoofResponse::NoRoof {
                key: None,
                street: typed,
                city: String::new(),
                reason: Some(NoPrice::Uncovered { town }),
                roof: None,
            },
            None => RoofResponse::NotFound { typed, close },
        },
        ChosenAddress::Found { key, evidence } => {
            let key = key.to_string();
            let whole = |found| with_surroundings(index, photos, &evidence, found);
            match home_roof(&key, &evidence) {
                HomeRoof::Priced(found) => RoofResponse::Roof(whole(found)?),
                HomeRoof::OnSite(reason, roof) => RoofResponse::NoRoof {
                    key: Some(key),
                    street: evidence.street_line(),
                    city: evidence.place.address.city_line(),
                    reason: Some(reason).filter(|reason| *reason != NoPrice::Unknown),
                    roof: match roof {
                        Some(found) => Some(Box::new(whole(found)?)),
                        None => None,
                    },
                },
            }
        }
    })
}

/// A roof with what stands around it, and the photograph under it.
pub fn with_surroundings(
    index: &PropertyIndex,
    photos: Option<&AerialView>,
    evidence: &Evidence,
    found: RoofFound,
) -> Result<RoofFound, PropertyError> {
    let mut found = RoofFound { around: Some(index.surroundings(&evidence.place)?), ..found };
    found.photo = photos.and_then(|photos| photos.of_home(evidence.place.origin, &found));
    // Without the one there is no switch for the other.
    if let (Some(photos), Some(_)) = (photos, &found.photo) {
        found.photo_of_homes = photos.of_homes(evidence.place.origin, &found);
    }
    Ok(found)
}

fn not_found(typed: String) -> ChosenAddress {
    ChosenAddress::NotFound { typed, close: Vec::new() }
}

/// The address on one line, as the visitor wrote it.
fn typed_line(choice: &AddressChoice) -> String {
    match choice {
        AddressChoice::Key(key) => key.clone(),
        AddressChoice::Line(line) => line.clone(),
        AddressChoice::Parts { street_number, street_address, city, state, zip } => {
            let street = format!("{street_number} {street_address}");
            let region = format!("{state} {zip}");
            [street.trim(), city.trim(), region.trim()]
                .into_iter()
                .filter(|p| !p.is_empty())
                .collect::<Vec<_>>()
                .join(", ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_keeps_the_unit_that_was_asked_for() {
        let place = "me0000000000001";
        for text in [place.to_owned(), format!("{place}.3"), format!("{place}.FL 2")] {
            assert_eq!(text.parse::<HomeKey>().map(|key| key.to_string()), Ok(text));
        }
        for wrong in [format!("{place}."), format!("{place}.<b>"), format!("{place}.{}", "1".repeat(21)), ".3".into()] {
            assert!(wrong.parse::<HomeKey>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_first_search_in_an_empty_index_says_how_to_import_and_no_other_does() {
        let folder = tempfile::tempdir().unwrap();
        let (empty, town) = (folder.path().join("property"), folder.path().join("town"));
        let open = |property: &Path| PropertyIndexes::open(property, &town, Reference::built_in()).unwrap();
        let indexes = open(&empty);
        indexes.of(Environment::Sandbox);
        assert!(indexes.warn_once().unwrap().contains("shingle import"));
        assert_eq!(indexes.warn_once(), None);
        assert_eq!(open(&town).warn_once(), None, "something is imported");
    }

    #[test]
    fn a_damaged_sample_town_is_made_again_and_one_that_cannot_be_made_stops_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let (property, town) = (folder.path().join("property"), folder.path().join("town"));
        let open = |town: &Path| PropertyIndexes::open(&property, town, Reference::built_in()).unwrap();
        assert!(!open(&town).sample.is_empty());
        std::fs::write(town.join("manifest.json"), "{").unwrap();
        assert!(!open(&town).sample.is_empty());
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert!(open(&file).sample.is_empty());
    }

    #[test]
    fn the_parts_of_an_address_make_a_line_without_gaps() {
        let parts = |number: &str, city: &str, state: &str, zip: &str| AddressChoice::Parts {
            street_number: number.into(),
            street_address: "Oak St".into(),
            city: city.into(),
            state: state.into(),
            zip: zip.into(),
        };
        assert_eq!(typed_line(&parts("12", "Bath", "ME", "04530")), "12 Oak St, Bath, ME 04530");
        assert_eq!(typed_line(&parts("", "Bath", "", "")), "Oak St, Bath");
    }
}
