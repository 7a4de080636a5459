//! A postal address of the United States, in the five parts of the contract.

use core::fmt;

use serde::{Deserialize, Serialize};

/// Two letters, upper case. The contract checks only the form; the look-up finds out whether there is such a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State([u8; 2]);

impl State {
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [a, b] if a.is_ascii_alphabetic() && b.is_ascii_alphabetic() => {
                Some(Self([a.to_ascii_uppercase(), b.to_ascii_uppercase()]))
            }
            _ => None,
        }
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Five digits, kept as text because of leading zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Zip([u8; 5]);

impl Zip {
    pub fn parse(text: &str) -> Option<Self> {
        let digits: [u8; 5] = text.as_bytes().try_into().ok()?;
        digits.iter().all(u8::is_ascii_digit).then_some(Self(digits))
    }

    /// Whether it is a code: sources write `00000` when they do not know.
    pub fn is_known(&self) -> bool {
        self.0 != *b"00000"
    }

    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The five parts as entered: trimmed, not yet normalized.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pub street_number: String,
    pub street_address: String,
    pub city: String,
    pub state: State,
    pub zip: Zip,
}

impl Address {
    /// House number and street: the first line of an envelope.
    pub fn street_line(&self) -> String {
        if self.street_number.is_empty() {
            self.street_address.clone()
        } else {
            format!("{} {}", self.street_number, self.street_address)
        }
    }

    /// City, state and ZIP, if it is known: the second line of an envelope.
    pub fn city_line(&self) -> String {
        if self.zip.is_known() {
            format!("{}, {} {}", self.city, self.state, self.zip)
        } else {
            format!("{}, {}", self.city, self.state)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}", self.street_line(), self.city_line())
    }
}

macro_rules! text_newtype {
    ($name:ident, $what:literal) => {
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                /// Reads a text where it stands: `Cow` would copy it first.
                struct Parse;

                impl serde::de::Visitor<'_> for Parse {
                    type Value = $name;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        $name::parse(text).ok_or_else(|| E::custom($what))
                    }
                }

                from.deserialize_str(Parse)
            }
        }
    };
}
pub(crate) use text_newtype;

text_newtype!(State, "not a two-letter abbreviation");
text_newtype!(Zip, "not a 5-digit code");

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_zip_that_nobody_knows_is_not_shown() {
        let address = |zip: &str| Address {
            street_number: "14".into(),
            street_address: "Alder Court".into(),
            city: "Portland".into(),
            state: State::parse("ME").unwrap(),
            zip: Zip::parse(zip).unwrap(),
        };
        assert_eq!(address("04103").to_string(), "14 Alder Court, Portland, ME 04103");
        assert_eq!(address("00000").to_string(), "14 Alder Court, Portland, ME");
    }

    proptest! {
        #[test]
        fn a_zip_and_a_state_read_back_are_the_same(zip in "[0-9]{5}", state in "[A-Z]{2}") {
            prop_assert_eq!(Zip::parse(&zip).unwrap().to_string(), zip);
            prop_assert_eq!(State::parse(&state).unwrap().to_string(), state);
        }

        #[test]
        fn no_text_makes_a_parser_panic(text in any::<String>()) {
            let _ = (Zip::parse(&text), State::parse(&text), crate::host::parse_host(&text));
        }
    }
}
