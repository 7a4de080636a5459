//! The directions that an address names, counted by the letters of the compass.

use crate::tables::direction;
use crate::token::{Token, has_digit};

/// How often north, south, east and west are said; `NE` says two of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Turns([u8; 4]);

impl Turns {
    pub fn of<'a>(tokens: impl Iterator<Item = &'a Token>) -> Self {
        let mut found = Self::default();
        let mut tokens = tokens.peekable();
        while let Some(token) = tokens.next() {
            // `No 5` counts.
            let counts = token.word == "NO" && tokens.peek().is_some_and(|next| has_digit(&next.word));
            if !counts {
                found.word(&token.word);
            }
        }
        found
    }

    pub fn of_text(text: &str) -> Self {
        let mut found = Self::default();
        text.split(' ').for_each(|word| found.word(word));
        found
    }

    /// Of a house number: `N165W2123`, `92N`.
    pub fn of_number(number: &str) -> Self {
        let mut found = Self::default();
        number.chars().for_each(|c| found.letter(c));
        found
    }

    pub fn add(&mut self, tokens: &[Token]) {
        *self = self.and(Self::of(tokens.iter()));
    }

    pub fn and(self, other: Self) -> Self {
        let sum = |at: usize| self.0[at].saturating_add(other.0[at]);
        Self([sum(0), sum(1), sum(2), sum(3)])
    }

    /// Whether every direction is among the others.
    pub fn are_in(self, others: Self) -> bool {
        self.0.iter().zip(others.0).all(|(here, there)| *here <= there)
    }

    fn word(&mut self, word: &str) {
        direction(word).map_or("", |(short, _)| short).chars().for_each(|c| self.letter(c));
    }

    fn letter(&mut self, letter: char) {
        if let Some(at) = ['N', 'S', 'E', 'W'].iter().position(|turn| *turn == letter) {
            self.0[at] = self.0[at].saturating_add(1);
        }
    }
}
