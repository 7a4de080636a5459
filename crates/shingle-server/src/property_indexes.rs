//! The indexes that addresses are looked up in: the imported data, and the sample town of the sandbox.

use std::path::Path;
use std::sync::Arc;

use shingle_domain::evidence::MatchLevel;
use shingle_domain::lookup::AddressInput;
use shingle_domain::public::{AddressChoice, RoofResponse, Suggestion};
use shingle_domain::{Address, Environment, Evidence, State, Zip};
use shingle_estimate::roof::roof_found;
use shingle_property::{Lookup, PlaceKey, PropertyError, PropertyIndex, Reference};

pub struct PropertyIndexes {
    pub production: PropertyIndex,
    pub sample: PropertyIndex,
    pub reference: Arc<Reference>,
}

/// The place that a visitor chose.
#[derive(Debug, Clone, PartialEq)]
pub enum ChosenAddress {
    Found { key: PlaceKey, evidence: Box<Evidence> },
    NotFound { typed: String, close: Vec<Suggestion> },
}

impl PropertyIndexes {
    /// Opens both. Creates the sample town if it is missing or of another version.
    pub fn open(property: &Path, sample_town: &Path, reference: Arc<Reference>) -> Result<Self, PropertyError> {
        shingle_property::sample_town::ensure(sample_town)?;
        Ok(Self {
            production: PropertyIndex::open(property, reference.clone())?,
            sample: PropertyIndex::open(sample_town, reference.clone())?,
            reference,
        })
    }

    pub fn of(&self, environment: Environment) -> &PropertyIndex {
        match environment {
            Environment::Production => &self.production,
            Environment::Sandbox => &self.sample,
        }
    }
}

/// Finds the place that a visitor chose.
pub fn find_chosen(index: &PropertyIndex, choice: &AddressChoice) -> Result<ChosenAddress, PropertyError> {
    let input = match choice {
        AddressChoice::Key(key) => {
            let Ok(key) = key.parse::<PlaceKey>() else { return Ok(not_found(String::new())) };
            let evidence = index.get(&key)?;
            return Ok(evidence.map_or_else(
                || not_found(String::new()),
                |evidence| ChosenAddress::Found { key, evidence: Box::new(evidence) },
            ));
        }
        AddressChoice::Line(line) => AddressInput::Line(line.clone()),
        AddressChoice::Parts { street_number, street_address, city, state, zip } => {
            match (State::parse(state), Zip::parse(zip)) {
                (Some(state), Some(zip)) => AddressInput::Parts(Address {
                    street_number: street_number.clone(),
                    street_address: street_address.clone(),
                    city: city.clone(),
                    state,
                    zip,
                }),
                // Without a valid state and ZIP, the line may still match.
                _ => AddressInput::Line(typed_line(choice)),
            }
        }
    };
    Ok(match index.lookup(&input)? {
        // A position between two houses has no roof. The houses are suggested instead.
        Lookup::Found { evidence, .. } if evidence.matched.level == MatchLevel::Interpolated => {
            ChosenAddress::NotFound { typed: typed_line(choice), close: index.close(&input)? }
        }
        Lookup::Found { key, evidence } => ChosenAddress::Found { key, evidence: Box::new(evidence) },
        Lookup::Ambiguous(close) | Lookup::NotFound { close } => {
            ChosenAddress::NotFound { typed: typed_line(choice), close }
        }
    })
}

/// Finds the roof of the place that a visitor chose.
pub fn find_roof(index: &PropertyIndex, choice: &AddressChoice) -> Result<RoofResponse, PropertyError> {
    Ok(match find_chosen(index, choice)? {
        ChosenAddress::NotFound { typed, close } => RoofResponse::NotFound { typed, close },
        ChosenAddress::Found { key, evidence } => {
            let key = key.to_string();
            let address = &evidence.place.address;
            roof_found(&key, &evidence).map_or_else(
                || RoofResponse::NoRoof {
                    key: Some(key.clone()),
                    street: address.street_line(),
                    city: address.city_line(),
                },
                RoofResponse::Roof,
            )
        }
    })
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
