//! What is typed into the contact form, and whether it will do.
//!
//! # Decision
//!
//! Likely slips are asked about once: a mail domain one edit from a common one, a number of one repeated digit.
//! Pressing the button again sends. Turned down: refusing; a suggestion to press, which costs more bytes.

use shingle_domain::rules;

use crate::words::{Problem, Word, w};

/// Where most mail goes. What is one slip away from one of them is asked about.
const MAIL_DOMAINS: [&str; 6] = ["gmail.com", "yahoo.com", "hotmail.com", "outlook.com", "icloud.com", "aol.com"];

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

    /// What to ask about a text that may be right, but probably is not.
    fn doubt(self, text: &str) -> Option<Word> {
        match self {
            Self::Email => {
                let domain = text.trim().rsplit('@').next()?.to_ascii_lowercase();
                let slip = MAIL_DOMAINS.iter().any(|known| one_slip(known.as_bytes(), domain.as_bytes()));
                (slip && !MAIL_DOMAINS.contains(&&*domain)).then_some(w::ASK_EMAIL)
            }
            Self::Phone => {
                let mut digits = text.bytes().filter(u8::is_ascii_digit);
                let first = digits.next()?;
                digits.all(|digit| digit == first).then_some(w::ASK_PHONE)
            }
            _ => None,
        }
    }
}

/// Whether one letter is missing, too many, wrong or swapped with the next. First letters are rarely mistyped, and other
/// domains differ in them.
fn one_slip(known: &[u8], typed: &[u8]) -> bool {
    let same = known.iter().zip(typed).take_while(|(a, b)| a == b).count();
    let (known, typed) = (&known[same..], &typed[same..]);
    let tail = known.iter().rev().zip(typed.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&known[..known.len() - tail], &typed[..typed.len() - tail]) {
        ([a, b], [c, d]) => same > 0 && a == d && b == c,
        (a, b) => same > 0 && a.len() < 2 && b.len() < 2,
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
    /// What was asked about: sent unchanged, it is taken as it is.
    asked: [String; 4],
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
        let asked = self.asked[field as usize] == self.value(field);
        if self.edited[field as usize] && !self.value(field).is_empty() && !asked {
            self.problems[field as usize] = field.problem(self.value(field));
        }
    }

    /// Checks all fields. Returns the first wrong one.
    pub(super) fn check(&mut self) -> Option<Field> {
        self.problems = Field::ALL.map(|f| f.problem(self.value(f)));
        for field in Field::ALL {
            let (at, text) = (field as usize, self.value(field));
            if let Some(question) = field.doubt(text).filter(|_| self.problems[at].is_none() && self.asked[at] != text)
            {
                self.asked[at] = text.to_owned();
                self.problems[at] = Some(question.into());
            }
        }
        let first = self.wrong().next();
        self.refused = first.is_some();
        first
    }
}
