//! The address that is asked about, and the form in which it is typed in its five parts.

use shingle_domain::public::AddressChoice;
use shingle_domain::{State as UsState, Zip};

use crate::words::{Problem, w};

/// The address that is being asked about, with the two lines that name it.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedAddress {
    pub choice: AddressChoice,
    pub street: String,
    pub city: String,
}

impl NamedAddress {
    /// A home that the server has named.
    #[inline(never)]
    pub fn by_key(key: &str, street: &str, city: &str) -> Self {
        Self { choice: AddressChoice::Key(key.to_owned()), street: street.to_owned(), city: city.to_owned() }
    }

    pub fn line(&self) -> String {
        if self.city.is_empty() { self.street.clone() } else { [self.street.as_str(), &self.city].join(", ") }
    }
}

/// The fields of the address in parts, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressPart {
    Number,
    Street,
    City,
    State,
    Zip,
}

impl AddressPart {
    pub const ALL: [Self; 5] = [Self::Number, Self::Street, Self::City, Self::State, Self::Zip];

    /// What is wrong with this text in the part's field.
    pub fn problem(self, text: &str) -> Option<Problem> {
        let text = text.trim();
        let wrong = match self {
            // Some addresses have no number.
            Self::Number => text.len() > 20,
            Self::Street | Self::City => text.is_empty() || text.len() > 100,
            Self::State => UsState::parse(text).is_none(),
            Self::Zip => Zip::parse(text).is_none(),
        };
        wrong.then(|| w::ERR_PART.at(self as usize).into())
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct AddressForm {
    texts: [String; 5],
    problems: [Option<Problem>; 5],
}

impl AddressForm {
    /// Filled in with these texts, in the order of the parts.
    pub(super) fn filled(texts: &[String]) -> Self {
        let mut parts = Self::default();
        for (part, text) in AddressPart::ALL.into_iter().zip(texts) {
            parts.set(part, text.clone());
        }
        parts
    }

    /// What can be told apart of an address in one line: `14 Alder Court, Harrow Falls, ME 04995`.
    pub(super) fn of_line(line: &str) -> Self {
        let mut parts = Self::default();
        let (street, rest) = line.trim().split_once(',').unwrap_or((line.trim(), ""));
        let (number, name) =
            street.split_once(' ').filter(|(n, _)| n.starts_with(|c: char| c.is_ascii_digit())).unwrap_or(("", street));
        let mut city: Vec<&str> = rest.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let zip = city.pop_if(|word| Zip::parse(word).is_some()).unwrap_or_default();
        let state = city.pop_if(|word| UsState::parse(word).is_some()).unwrap_or_default();
        for (part, text) in AddressPart::ALL.into_iter().zip([number, name, &city.join(" "), state, zip]) {
            parts.set(part, text.to_owned());
        }
        parts
    }

    pub fn value(&self, part: AddressPart) -> &str {
        &self.texts[part as usize]
    }

    pub fn problem(&self, part: AddressPart) -> Option<Problem> {
        self.problems[part as usize]
    }

    pub fn is_blank(&self) -> bool {
        self.texts.iter().all(|t| t.trim().is_empty())
    }

    pub(super) fn set(&mut self, part: AddressPart, text: String) {
        self.texts[part as usize] = text;
        if self.problem(part).is_some() {
            self.problems[part as usize] = part.problem(self.value(part));
        }
    }

    pub(super) fn check(&mut self) -> Option<AddressPart> {
        self.problems = AddressPart::ALL.map(|p| p.problem(self.value(p)));
        AddressPart::ALL.into_iter().find(|p| self.problem(*p).is_some())
    }

    pub(super) fn address(&self) -> NamedAddress {
        let text = |part| self.value(part).trim().to_owned();
        let state = text(AddressPart::State).to_ascii_uppercase();
        let street = [self.value(AddressPart::Number).trim(), self.value(AddressPart::Street).trim()]
            .join(" ")
            .trim()
            .to_owned();
        let city = [&text(AddressPart::City), ", ", &state, " ", self.value(AddressPart::Zip).trim()].concat();
        NamedAddress {
            choice: AddressChoice::Parts {
                street_number: text(AddressPart::Number),
                street_address: text(AddressPart::Street),
                city: text(AddressPart::City),
                state,
                zip: text(AddressPart::Zip),
            },
            street,
            city,
        }
    }
}
