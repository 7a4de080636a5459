//! What is typed into the contact form, and whether it will do.

use shingle_domain::rules;

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

    /// What is wrong with this text in the field.
    pub fn problem(self, text: &str) -> Option<Problem> {
        let (checked, empty) = match self {
            Self::First => (rules::person_name(text).err(), w::ERR_FIRST),
            Self::Last => (rules::person_name(text).err(), w::ERR_LAST),
            Self::Email => (rules::email(text).err(), w::ERR_EMAIL),
            // It may be empty, so this text is never used.
            Self::Phone => (rules::phone(text).err(), w::ERR_PHONE_LETTERS),
        };
        checked.map(|problem| Problem::of(problem, empty))
    }
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Contact {
    pub first: String,
    pub last: String,
    pub email: String,
    pub phone: String,
    /// Never ticked beforehand, and never required.
    pub consent: bool,
    /// The honeypot.
    pub website: String,
    edited: [bool; 4],
    problems: [Option<Problem>; 4],
    /// The form was submitted with errors: the summary is shown until they are corrected.
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

    /// What the visitor typed; empty if the page filled the field in.
    pub(super) fn typed(&self, field: Field) -> &str {
        if self.edited[field as usize] { self.value(field) } else { "" }
    }

    /// The visitor has typed nothing.
    pub fn is_blank(&self) -> bool {
        Field::ALL.iter().all(|f| self.typed(*f).trim().is_empty())
    }

    /// Fills in what the page knows, unless the visitor has edited the field.
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
        // An error disappears as soon as it is corrected; a new one is shown when the field is left.
        if self.problem(field).is_some() {
            self.problems[field as usize] = field.problem(self.value(field));
            self.refused = self.refused && self.wrong().next().is_some();
        }
    }

    pub(super) fn leave(&mut self, field: Field) {
        if self.edited[field as usize] && !self.value(field).is_empty() {
            self.problems[field as usize] = field.problem(self.value(field));
        }
    }

    /// Checks all fields. Returns the first wrong one.
    pub(super) fn check(&mut self) -> Option<Field> {
        self.problems = Field::ALL.map(|f| f.problem(self.value(f)));
        let first = self.wrong().next();
        self.refused = first.is_some();
        first
    }
}
