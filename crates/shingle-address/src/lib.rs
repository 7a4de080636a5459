//! United States addresses in one normal form, after USPS Publication 28, and the key made of it.

mod beside;
mod cut;
pub mod labelled;
mod line;
mod mail_only;
mod number;
mod region;
mod street;
pub mod tables;
pub mod token;
pub mod unit;

#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
mod tests;

use shingle_domain::evidence::Place;
use shingle_domain::lookup::AddressInput;
use shingle_domain::{Address, State, Zip};

pub use line::{ParsedLine, other_readings, parse_line};
pub use mail_only::MailOnly;
pub use street::{Street, name_of, parse_street};

use line::words;
use number::{number_length, number_of};
pub use number::{number_span, plain_number};
use token::{Token, tokens};

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
        if let Some(span) = unit::find_unit(&words(&street)) {
            let inline: Vec<Token> = street.drain(span.start..).collect();
            if unit_words.is_empty() {
                unit_words = inline;
            }
        }
        let parts = parse_street(&street_words(&street));
        Self {
            number: number_of(&number),
            predir: parts.predir,
            name: parts.name,
            suffix: parts.suffix,
            postdir: parts.postdir,
            unit: unit::unit_of(&words(&unit_words)),
            city: city_of(&words(&tokens(&address.city))),
            state: Some(address.state),
            zip: Some(address.zip).filter(|z| z.as_str() != "00000"),
        }
    }

    pub fn from_input(input: &AddressInput) -> Self {
        match input {
            AddressInput::Parts(address) => Self::from_parts(address),
            AddressInput::Line(line) => parse_line(line).normalized,
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

/// The hash that names a place in an index, and four more bytes of it that tell collisions apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyHash {
    pub hash: u64,
    pub check: u32,
}

impl KeyHash {
    pub fn of(key: &str) -> Self {
        let bytes = blake3::hash(key.as_bytes());
        let [a, b, c, d, e, f, g, h, i, j, k, l, ..] = *bytes.as_bytes();
        Self { hash: u64::from_le_bytes([a, b, c, d, e, f, g, h]), check: u32::from_le_bytes([i, j, k, l]) }
    }
}

/// The words of a street, without those that stand for a number sign.
fn street_words(tokens: &[Token]) -> Vec<&str> {
    tokens.iter().map(|t| t.word.as_str()).filter(|w| *w != "#").collect()
}

fn city_of(words: &[&str]) -> String {
    let mut out: Vec<&str> = words.iter().copied().filter(|w| *w != "#").collect();
    if out.len() > 1 {
        if let Some((short, _)) = tables::direction(out[0]) {
            out[0] = tables::direction_long(short);
        }
        for at in 0..out.len() - 1 {
            out[at] = match out[at] {
                "ST" => "SAINT",
                "FT" => "FORT",
                "MT" => "MOUNT",
                "PT" => "PORT",
                other => other,
            };
        }
    }
    out.join(" ")
}
