//! What is wrong with a field, in words.

use shingle_domain::rules::FieldProblem;

use super::table::{Word, Words, w};

/// What is wrong with a field, and how to correct it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem {
    says: Word,
    /// The `{n}` in it, where it has one.
    n: usize,
}

impl Problem {
    /// `empty` is said of an empty field.
    pub fn of(problem: FieldProblem, empty: Word) -> Self {
        let (says, n) = match problem {
            FieldProblem::Empty => (empty, 0),
            FieldProblem::TooLong(most) => (w::ERR_LONG, most),
            FieldProblem::Unclean => (w::ERR_TEXT, 0),
            FieldProblem::EmailWithoutName => (w::ERR_EMAIL_NAME, 0),
            FieldProblem::EmailWithoutEnding => (w::ERR_EMAIL_ENDING, 0),
            FieldProblem::EmailMalformed => (w::ERR_EMAIL_FORM, 0),
            FieldProblem::PhoneDigits(n) => (w::ERR_PHONE, n),
            FieldProblem::PhoneMalformed => (w::ERR_PHONE_LETTERS, 0),
        };
        Self { says, n }
    }

    pub fn text(self, words: Words) -> String {
        words.number(self.says, self.n)
    }
}

impl From<Word> for Problem {
    fn from(says: Word) -> Self {
        Self { says, n: 0 }
    }
}
