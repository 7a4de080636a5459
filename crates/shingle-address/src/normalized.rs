//! The normal form of an address, and the key made of it.

use shingle_domain::evidence::Place;
use shingle_domain::{Address, State, Zip};

use crate::city::city_of;
use crate::key_hash::KeyHash;
use crate::number::number_of;
use crate::number_cell::{self, NumberCell};
use crate::place::{is_puerto_rico, place_of};
use crate::street::{parse_street, street_words};
use crate::street_line::{Table, street_of_table};
use crate::tables::direction;
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
    /// What distinguishes two streets with one name in a town, if given: an urbanización, a subdivision.
    pub place: String,
    pub city: String,
    pub state: Option<State>,
    /// `None` also for `00000`, which sources write when they do not know.
    pub zip: Option<Zip>,
}

/// The name of a town in the normal form.
pub fn town_name(text: &str) -> String {
    city_of(&words(&tokens(text)))
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
        let mut number = tokens(&address.street_number);
        let Table { mut street, unit: inline_unit, place, number: inline } =
            street_of_table(&address.street_address, address.state, number.is_empty());
        number.extend(inline);
        let NumberCell { mut number, turn, unit: of_number } = number_cell::read(number);
        match street.first().is_some_and(|first| direction(&first.word).is_some()) {
            true => number.extend(turn),
            false => drop(street.splice(0..0, turn)),
        }
        let mut unit_words = unit.map(tokens).unwrap_or_default();
        if unit_words.is_empty() {
            unit_words = inline_unit;
        }
        unit_words.splice(0..0, of_number);
        let parts = parse_street(&street_words(&street));
        Self {
            number: number_of(&words(&number)),
            predir: parts.predir,
            name: parts.name,
            suffix: parts.suffix,
            postdir: parts.postdir,
            unit: unit_of(&words(&unit_words)),
            place: place_of(&words(&place)),
            city: town_name(&address.city),
            state: Some(address.state),
            zip: Some(address.zip).filter(Zip::is_known),
        }
    }

    /// `number|predir|name|suffix|postdir|unit|zip`, and the named place where there is one. Where the ZIP is not known the
    /// town is in its place.
    pub fn key(&self) -> String {
        let area = self.zip.as_ref().map_or(self.city.as_str(), Zip::as_str);
        self.key_in(area)
    }

    pub fn key_in(&self, area: &str) -> String {
        let parts = [&self.number, &self.predir, &self.name, &self.suffix, &self.postdir, &self.unit, area];
        match self.place.as_str() {
            "" => parts.join("|"),
            place => format!("{}|{place}", parts.join("|")),
        }
    }

    /// There the urbanización belongs to the address: one street name is in many.
    pub fn is_in_puerto_rico(&self) -> bool {
        is_puerto_rico(self.state, self.zip.as_ref())
    }

    /// Whether a part was asked for that may be another building than the house of the number.
    pub fn names_another_building(&self) -> bool {
        let unit = self.unit.split(' ').next().unwrap_or_default();
        let rear = self.number.strip_suffix('R').is_some_and(|n| n.ends_with(|c: char| c.is_ascii_digit()));
        rear || matches!(unit, "REAR" | "FRNT" | "BLDG" | "LOT" | "GARAGE" | "COTTAGE" | "BARN" | "OFF")
    }

    /// A number that never changes for the same key, in any version: the first eight bytes of the key's
    /// BLAKE3 hash, little-endian.
    pub fn hash(&self) -> u64 {
        KeyHash::of(&self.key()).hash
    }
}
