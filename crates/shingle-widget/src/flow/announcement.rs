//! What screen readers announce.

use crate::words::{Words, w};

/// The text of the live region.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Announcement {
    #[default]
    Nothing,
    ChooseFirst,
    /// How many suggestions there are.
    Matches(usize),
    /// The price that was just chosen, in words.
    Price(String),
}

impl Announcement {
    pub fn text(&self, words: Words) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::ChooseFirst => words[w::CHOOSE_FIRST].to_owned(),
            Self::Matches(0) => words[w::COUNT_NONE].to_owned(),
            Self::Matches(1) => words[w::COUNT_ONE].to_owned(),
            Self::Matches(n) => words.number(w::COUNT_MANY, *n),
            Self::Price(said) => said.clone(),
        }
    }
}
