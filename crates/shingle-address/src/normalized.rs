//! The normal form of an address, and the key made of it.

use shingle_domain::evidence::Place;
use shingle_domain::{Address, State, Zip};

use crate::city::city_of;
use crate::key_hash::KeyHash;
use crate::number::{number_length, number_of};
use crate::street::{parse_street, street_words};
use crate::street_line::take_unit;
use crate::token::{tokens, words};
use crate::unit::unit_of;

/// An address in its normal form: upper case, no punctuation, one spelling of everything. Parts that are not
/// known are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Normalized {
    /// `14`, `24R`, `2615 1/2`, `4-6`, `N165W2123`.
    pub number: String,
    /// `N`, `NE` … before the name.
    pub predir: String,
    /// `ALDER`, `5TH`, `COUNTY ROAD 12`, `SAINT CLAIR`.
    pub name: String,
    /// The short form of Publication 28: `CT`.
    pub suffix: String,
    /// `N`, `NE` … after the suffix.
    pub postdir: String,
    /// Without the words that only say "unit": `3`, `FL 3`, `BSMT`.
    pub unit: String,
    pub city: String,
    pub state: Option<State>,
    /// `None` also for `00000`, which sources write when they do not know.
    pub zip: Option<Zip>,
}

impl Normalized {
    pub fn from_parts(address: &Address) -> Self {
        Self::from_texts(address, None)
    }

    /// As [`Normalized::from_parts`], with the place's unit.
    pub fn from_place(place: &Place) -> Self {
        Self::from_texts(&place.address, place.unit.as_deref())
    }

    pub fn from_texts(address: &Address, unit: Option<&str>) -> Self {
        let number = tokens(&address.street_number);
        let mut street = tokens(&address.street_address);
        let mut number = words(&number);
        let inline;
        if number.is_empty() {
            let len = number_length(&words(&street));
            inline = street.drain(..len).collect::<Vec<_>>();
            number = words(&inline);
        }
        let mut unit_words = unit.map(tokens).unwrap_or_default();
        let inline_unit = take_unit(&mut street);
        if unit_words.is_empty() {
            unit_words = inline_unit;
        }
        let parts = parse_street(&street_words(&street));
        Self {
            number: number_of(&number),
            predir: parts.predir,
            name: parts.name,
            suffix: parts.suffix,
            postdir: parts.postdir,
            unit: unit_of(&words(&unit_words)),
            city: city_of(&words(&tokens(&address.city))),
            state: Some(address.state),
            zip: Some(address.zip).filter(Zip::is_known),
        }
    }

    /// `number|predir|name|suffix|postdir|unit|zip`. Where the ZIP is not known the town stands in its place.
    pub fn key(&self) -> String {
        let area = self.zip.as_ref().map_or(self.city.as_str(), Zip::as_str);
        self.key_in(area)
    }

    pub fn key_in(&self, area: &str) -> String {
        [&self.number, &self.predir, &self.name, &self.suffix, &self.postdir, &self.unit, area].join("|")
    }

    /// A number that never changes for the same key, in any version: the first eight bytes of the key's
    /// BLAKE3 hash, little-endian.
    pub fn hash(&self) -> u64 {
        KeyHash::of(&self.key()).hash
    }
}
