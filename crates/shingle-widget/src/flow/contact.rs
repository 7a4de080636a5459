//! What is typed into the two forms, and whether it will do.

use shingle_domain::public::AddressChoice;
use shingle_domain::rules;
use shingle_domain::{State as UsState, Zip};

use super::Place;
use crate::words::{Problem, w};

/// The fields of the contact form, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    First,
    Last,
    Email,
    Phone,
}

impl Field {
    pub const ALL: [Self; 4] = [Self::First, Self::Last, Self::Email, Self::Phone];
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contact {
    pub first: String,
    pub last: String,
    pub email: String,
    pub phone: String,
    /// Un-ticked at the start; never a condition.
    pub consent: bool,
    /// The honeypot.
    pub website: String,
    edited: [bool; 4],
    problems: [Option<Problem>; 4],
    /// Submit was pressed with something wrong: the summary stays until it is mended.
    pub refused: bool,
}

impl Contact {
    pub fn value(&self, field: Field) -> &str {
        match field {
            Field::First => &self.first,
            Field::Last => &self.last,
            Field::Email => &self.email,
            Field::Phone => &self.phone,
        }
    }

    pub fn problem(&self, field: Field) -> Option<Problem> {
        self.problems[field as usize]
    }

    pub fn wrong(&self) -> impl Iterator<Item = Field> {
        Field::ALL.into_iter().filter(|f| self.problem(*f).is_some())
    }

    /// What the visitor put there, not the page.
    pub(super) fn typed(&self, field: Field) -> &str {
        if self.edited[field as usize] { self.value(field) } else { "" }
    }

    /// The visitor has put nothing in.
    pub fn is_blank(&self) -> bool {
        Field::ALL.iter().all(|f| self.typed(*f).trim().is_empty())
    }

    /// The page knows what to write here, unless the visitor has.
    pub(super) fn offer(&mut self, field: Field, text: String) {
        if !self.edited[field as usize] {
            self.set(field, text);
            self.edited[field as usize] = false;
        }
    }

    pub(super) fn set(&mut self, field: Field, text: String) {
        match field {
            Field::First => self.first = text,
            Field::Last => self.last = text,
            Field::Email => self.email = text,
            Field::Phone => self.phone = text,
        }
        self.edited[field as usize] = true;
        // A complaint is taken back as soon as it is met; a new one waits until the field is left.
        if self.problem(field).is_some() {
            self.problems[field as usize] = self.judge(field);
            self.refused = self.refused && self.wrong().next().is_some();
        }
    }

    pub(super) fn leave(&mut self, field: Field) {
        if self.edited[field as usize] && !self.value(field).is_empty() {
            self.problems[field as usize] = self.judge(field);
        }
    }

    /// Checks everything; the first wrong field, if there is one.
    pub(super) fn check(&mut self) -> Option<Field> {
        self.problems = Field::ALL.map(|f| self.judge(f));
        let first = self.wrong().next();
        self.refused = first.is_some();
        first
    }

    fn judge(&self, field: Field) -> Option<Problem> {
        let text = self.value(field);
        let (checked, empty) = match field {
            Field::First | Field::Last => {
                let empty = if field == Field::First { w::ERR_FIRST } else { w::ERR_LAST };
                (rules::person_name(text).err(), empty)
            }
            Field::Email => (rules::email(text).err(), w::ERR_EMAIL),
            // It may be empty, so that is never said of it.
            Field::Phone => (rules::phone(text).err(), w::ERR_PHONE_LETTERS),
        };
        checked.map(|problem| Problem::of(problem, empty))
    }
}

/// The fields of the address in parts, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    Number,
    Street,
    City,
    State,
    Zip,
}

impl Part {
    pub const ALL: [Self; 5] = [Self::Number, Self::Street, Self::City, Self::State, Self::Zip];
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Parts {
    texts: [String; 5],
    problems: [Option<Problem>; 5],
}

impl Parts {
    /// As many texts as there are.
    pub(super) fn filled(texts: &[String]) -> Self {
        let mut parts = Self::default();
        for (part, text) in Part::ALL.into_iter().zip(texts) {
            parts.set(part, text.clone());
        }
        parts
    }

    pub fn value(&self, part: Part) -> &str {
        &self.texts[part as usize]
    }

    pub fn problem(&self, part: Part) -> Option<Problem> {
        self.problems[part as usize]
    }

    pub fn is_blank(&self) -> bool {
        self.texts.iter().all(|t| t.trim().is_empty())
    }

    pub(super) fn set(&mut self, part: Part, text: String) {
        self.texts[part as usize] = text;
        if self.problem(part).is_some() {
            self.problems[part as usize] = self.judge(part);
        }
    }

    pub(super) fn check(&mut self) -> Option<Part> {
        self.problems = Part::ALL.map(|p| self.judge(p));
        Part::ALL.into_iter().find(|p| self.problem(*p).is_some())
    }

    fn judge(&self, part: Part) -> Option<Problem> {
        let text = self.value(part).trim();
        let wrong = match part {
            // Some places have no number; the street then says it all.
            Part::Number => text.len() > 20,
            Part::Street | Part::City => text.is_empty() || text.len() > 100,
            Part::State => UsState::parse(text).is_none(),
            Part::Zip => Zip::parse(text).is_none(),
        };
        wrong.then(|| w::ERR_PART.at(part as usize).into())
    }

    pub(super) fn place(&self) -> Place {
        let text = |part| self.value(part).trim().to_owned();
        let state = text(Part::State).to_ascii_uppercase();
        let street = [self.value(Part::Number).trim(), self.value(Part::Street).trim()].join(" ").trim().to_owned();
        let city = [&text(Part::City), ", ", &state, " ", self.value(Part::Zip).trim()].concat();
        Place {
            choice: AddressChoice::Parts {
                street_number: text(Part::Number),
                street_address: text(Part::Street),
                city: text(Part::City),
                state,
                zip: text(Part::Zip),
            },
            street,
            city,
        }
    }
}
