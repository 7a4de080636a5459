//! The index as everybody else sees it: look-ups, suggestions and what is imported.

use std::path::Path;
use std::sync::{Arc, PoisonError};

use shingle_domain::evidence::{AddressMatch, MatchLevel, Place};
use shingle_domain::lookup::AddressInput;
use shingle_domain::public::Suggestion;
use shingle_domain::surroundings::Surroundings;
use shingle_domain::{Evidence, State};

use crate::error::PropertyError;
use crate::index::matching::{self, MatchResult};
use crate::index::reader::Readers;
use crate::index::readers::{SharedIndex, Snapshot};
use crate::index::{Imported, IndexStatus, PlaceKey, TownsOfState, one_place, surroundings, towns};
use crate::reference::Reference;
use shingle_address::{Normalized, ParsedLine, leaves_a_direction_out, parse_line, with_direction_of_street};

/// A readable index. Clones are cheap and share everything; each thread reads through its own connections.
/// An import that finishes elsewhere, in another process too, is seen by the next call.
#[derive(Clone)]
pub struct PropertyIndex {
    shared: Arc<SharedIndex>,
    reference: Arc<Reference>,
}

/// What an index knows of an address.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "made once a look-up, taken apart at once, and mostly Found")]
pub enum Lookup {
    Found {
        key: PlaceKey,
        evidence: Evidence,
    },
    /// A question: several places fit equally well, or what was asked for is recorded otherwise of one.
    Ambiguous(Vec<Suggestion>),
    NotFound {
        /// Addresses that come close; may be empty.
        close: Vec<Suggestion>,
    },
}

/// Suggestions that are given when the place itself was not found.
const MAX_CLOSE: usize = 5;

impl PropertyIndex {
    /// Opens the index in a folder. A missing or empty folder is an index that finds nothing, until something
    /// is imported into it. What holds for a whole ZIP or state comes from `reference`.
    pub fn open(root: &Path, reference: Arc<Reference>) -> Result<Self, PropertyError> {
        let shared = Arc::new(SharedIndex::open(root)?);
        // Damage is reported now rather than at the first look-up.
        shared.readers(None)?;
        Ok(Self { shared, reference })
    }

    /// Finds the place of an address by the levels of [`MatchLevel`].
    pub fn lookup(&self, input: &AddressInput) -> Result<Lookup, PropertyError> {
        let version = self.shared.newest();
        if let Some((key, evidence)) = version.found_homes.of_input(input) {
            return Ok(Lookup::Found { key, evidence });
        }
        let answer = self.find(&version, input)?;
        if let Lookup::Found { key, evidence } = &answer {
            version.found_homes.keep_for_input(input, *key, evidence);
        }
        Ok(answer)
    }

    fn find(&self, version: &Snapshot, input: &AddressInput) -> Result<Lookup, PropertyError> {
        let line = match input {
            AddressInput::Line(line) => Some((line, parse_line(line))),
            AddressInput::Parts(_) => None,
        };
        let wanted = line.as_ref().map_or_else(|| Normalized::from_input(input), |(_, read)| read.normalized.clone());
        let readers = self.shared.readers_of(version, wanted.state)?;
        let mut answer = matching::find(&readers, &wanted)?;
        let mut is_first_reading = true;
        if let Some((line, _)) = &line
            && !matches!(answer, MatchResult::One { level: MatchLevel::Exact, .. })
        {
            for reading in shingle_address::other_readings(line) {
                let of_state = match reading.state == wanted.state {
                    true => &readers,
                    false => &self.shared.readers_of(version, reading.state)?,
                };
                let found = matching::find(of_state, &reading)?;
                let MatchResult::One { level: MatchLevel::Exact, place, .. } = &found else { continue };
                // Else a word of the street was taken for the town's.
                if matching::is_town_of(of_state, &reading, place)? {
                    (answer, is_first_reading) = (found, false);
                    break;
                }
            }
        }
        if !matches!(answer, MatchResult::One { level: MatchLevel::Exact, .. }) {
            answer = ask_beside(&readers, &shingle_address::doubts(input, &wanted), answer)?;
        }
        if matches!(answer, MatchResult::None) {
            answer = matching::interpolate(&readers, &wanted)?;
        }
        if let Some((_, read)) = &line {
            answer = keep_directions(&readers, read, is_first_reading, answer)?;
        }
        match answer {
            MatchResult::One { key, level, mut place } => {
                if let Some(zip) = wanted.zip.filter(|_| !place.address.zip.is_known()) {
                    // The source names the town only: the ZIP is shown as it was asked for.
                    place.address.zip = zip;
                }
                let asked_unit = Some(wanted.unit)
                    .filter(|unit| level != MatchLevel::Exact && place.unit.is_none() && !unit.is_empty());
                Ok(Lookup::Found { key, evidence: Evidence { asked_unit, ..self.evidence(*place, level) } })
            }
            MatchResult::Several(keys) => {
                let mut found = Vec::new();
                for key in keys.into_iter().take(MAX_CLOSE) {
                    found.extend(crate::suggest::suggestion(&readers, key, None)?);
                }
                Ok(Lookup::Ambiguous(found))
            }
            MatchResult::None => Ok(Lookup::NotFound { close: self.close_to(&wanted)? }),
        }
    }

    /// Addresses close to one, for somebody whose address is not recorded itself.
    pub fn close(&self, input: &AddressInput) -> Result<Vec<Suggestion>, PropertyError> {
        self.close_to(&Normalized::from_input(input))
    }

    fn close_to(&self, wanted: &Normalized) -> Result<Vec<Suggestion>, PropertyError> {
        crate::suggest::close(&*self.shared.directory()?, wanted, MAX_CLOSE)
    }

    /// The place of a key that [`PropertyIndex::lookup`] or [`PropertyIndex::suggest`] gave.
    pub fn get(&self, key: &PlaceKey) -> Result<Option<Evidence>, PropertyError> {
        let version = self.shared.newest();
        if let Some(evidence) = version.found_homes.of_key(*key) {
            return Ok(Some(evidence));
        }
        let readers = self.shared.readers_of(&version, Some(key.state))?;
        let place = one_place::place_of(&readers, *key)?;
        let evidence = place.map(|place| self.evidence(place, MatchLevel::Exact));
        if let Some(evidence) = &evidence {
            version.found_homes.keep_for_key(*key, evidence);
        }
        Ok(evidence)
    }

    /// The town of an address, if nothing of it was imported: `Biddeford, ME`. Only names of towns are returned,
    /// whatever was typed.
    pub fn uncovered_town(&self, input: &AddressInput) -> Result<Option<String>, PropertyError> {
        let wanted = Normalized::from_input(input);
        let zip = wanted.zip.as_ref().map_or("", |zip| zip.as_str());
        let by_zip = wanted.zip.as_ref().and_then(crate::post_town);
        let Some(town) = by_zip.or_else(|| crate::town_named(&wanted.city)) else { return Ok(None) };
        let readers = self.shared.readers(wanted.state)?;
        if readers.covers(&town.to_uppercase(), zip)? || readers.covers(&wanted.city, zip)? {
            return Ok(None);
        }
        Ok(Some(match wanted.state {
            Some(state) => format!("{town}, {}", state.as_str()),
            None => town.to_owned(),
        }))
    }

    /// What stands around a place, for a drawing of it: bounded, and nothing of people.
    pub fn surroundings(&self, home: &Place) -> Result<Surroundings, PropertyError> {
        let version = self.shared.newest();
        if let Some(around) = version.found_homes.around(home) {
            return Ok(around);
        }
        let readers = self.shared.readers_of(&version, Some(home.address.state))?;
        let around = surroundings::around(&readers, home)?;
        version.found_homes.keep_around(home, &around);
        Ok(around)
    }

    /// Hands out every place as its data set has it, one at a time: what several data sets hold comes several times.
    pub fn each_place(&self, mut each: impl FnMut(Place)) -> Result<(), PropertyError> {
        self.shared.readers(None)?.iter().try_for_each(|reader| reader.shard.each_place(&mut each))
    }

    fn evidence(&self, place: Place, level: MatchLevel) -> Evidence {
        let area = self.reference.area(place.address.state, &place.address.zip);
        Evidence { matched: AddressMatch { level }, place, area, asked_unit: None }
    }

    /// Addresses that what was typed may become, best first. Forgives a typing error in the street.
    pub fn suggest(&self, text: &str, limit: usize) -> Result<Vec<Suggestion>, PropertyError> {
        crate::suggest::suggest(&*self.shared.directory()?, text, limit)
    }

    #[cfg(test)]
    pub(crate) fn directory(&self) -> Result<Arc<crate::index::directory::Directory>, PropertyError> {
        self.shared.directory()
    }

    #[cfg(test)]
    pub(crate) fn readers(&self) -> Result<Arc<Readers>, PropertyError> {
        self.shared.readers(None)
    }

    /// Whether nothing was imported.
    pub fn is_empty(&self) -> bool {
        self.status().datasets.is_empty()
    }

    /// What is imported, by data set.
    pub fn imported(&self) -> Result<Vec<Imported>, PropertyError> {
        Ok(towns::imported(self.status(), &self.shared.readers(None)?))
    }

    /// Found once for each version of the index; concurrent callers wait.
    pub fn towns(&self, state: State) -> Result<Arc<TownsOfState>, PropertyError> {
        let version = self.shared.newest();
        let mut known = version.towns.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(towns) = known.get(&state) {
            return Ok(towns.clone());
        }
        let towns = Arc::new(towns::towns_of(&self.shared.readers_of(&version, Some(state))?)?);
        known.insert(state, towns.clone());
        Ok(towns)
    }

    pub fn status(&self) -> IndexStatus {
        self.shared.status()
    }
}

/// The homes that may be meant beside the answer, as a question.
fn ask_beside(readers: &Readers, doubts: &[Normalized], answer: MatchResult) -> Result<MatchResult, PropertyError> {
    let mut keys = Vec::new();
    for doubt in doubts {
        if let MatchResult::One { level: MatchLevel::Exact, key, .. } = matching::find(readers, doubt)? {
            keys.push(key);
        }
    }
    match &answer {
        _ if keys.is_empty() => return Ok(answer),
        MatchResult::One { key, .. } => keys.push(*key),
        MatchResult::Several(others) => keys.extend(others),
        MatchResult::None => {}
    }
    let mut asked: Vec<PlaceKey> = Vec::new();
    for key in keys {
        if !asked.contains(&key) {
            asked.push(key);
        }
    }
    Ok(MatchResult::Several(asked))
}

/// `14 Alder Cir East Harrow, NH`: East may be the street's, and `Alder Cir` of Harrow somebody else's. A direction that was
/// typed is never dropped: where the record has none, and its town is not known by it, the street with it is the answer; if
/// there is no such street, or if both are there, it is a question.
fn keep_directions(
    readers: &Readers,
    read: &ParsedLine,
    is_first_reading: bool,
    answer: MatchResult,
) -> Result<MatchResult, PropertyError> {
    let MatchResult::One { key, place, .. } = &answer else { return Ok(answer) };
    let (wanted, found) = (&read.normalized, Normalized::from_place(place));
    let is_known = wanted.city == found.city || matching::knows_town(readers, wanted)?;
    // A word before the town, misspelled: `14 Alder Ct Nrth Lacey`.
    let before_town = wanted.city.strip_suffix(&*found.city).is_some_and(|before| before.ends_with(' '));
    let city = if is_known { wanted.city.clone() } else { found.city.clone() };
    let is_left_out = leaves_a_direction_out(read, &Normalized { city, ..found })
        || is_first_reading && before_town && !is_known && !read.town_is_apart();
    let other = match with_direction_of_street(read) {
        Some(other) => matching::find(readers, &other)?,
        None => MatchResult::None,
    };
    Ok(match other {
        exact @ MatchResult::One { level: MatchLevel::Exact, .. } if is_left_out => exact,
        MatchResult::One { level: MatchLevel::Exact, key: other, .. } if other != *key => {
            MatchResult::Several(vec![*key, other])
        }
        MatchResult::One { key: other, .. } if is_left_out && other != *key => MatchResult::Several(vec![other, *key]),
        _ if is_left_out => MatchResult::Several(vec![*key]),
        _ => answer,
    })
}
