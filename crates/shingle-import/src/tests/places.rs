//! Places without facts, for tests.

use shingle_domain::evidence::{Assessor, Place, Source};
use shingle_domain::{Address, State, Zip};

pub(crate) fn place_in(number: &str, street: &str, city: &str, state: &str, zip: &str) -> Place {
    Place {
        address: Address {
            street_number: number.into(),
            street_address: street.into(),
            city: city.into(),
            state: State::parse(state).unwrap(),
            zip: Zip::parse(zip).unwrap(),
        },
        unit: None,
        parcel: None,
        origin: None,
        buildings: Vec::new(),
        assessor: Assessor::default(),
        permits: Vec::new(),
        conflicts: Vec::new(),
        sources: vec![Source {
            name: "test".into(),
            title: None,
            licence: Some("CC0".into()),
            as_of: None,
            invented: true,
        }],
    }
}

pub(crate) fn with_unit(place: Place, unit: &str) -> Place {
    Place { unit: Some(unit.into()), ..place }
}
