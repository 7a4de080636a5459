//! Who signs in to the portal, and what they may do.

use serde::{Deserialize, Serialize};

/// What a user may do. Each role may do what the ones after it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    /// Reads and answers leads.
    Member,
    /// Also the company's people, keys and settings.
    Owner,
    /// Also the installation.
    Operator,
}

impl Role {
    pub const ALL: [Self; 3] = [Self::Member, Self::Owner, Self::Operator];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Owner => "owner",
            Self::Operator => "operator",
        }
    }
}

impl core::str::FromStr for Role {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or("not a role: owner, member or operator")
    }
}

/// The name of a user, as colleagues and notices show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserName(String);

impl UserName {
    const MAX_CHARS: usize = 80;

    /// # Errors
    /// Why it is invalid, as a sentence for the person who typed it.
    pub fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return Err("Please type a name.");
        }
        if text.chars().count() > Self::MAX_CHARS {
            return Err("A name has at most 80 characters.");
        }
        if text.chars().any(is_hidden) {
            return Err("The name has characters that cannot be shown.");
        }
        Ok(Self(text))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Controls, and marks that turn the direction of what follows.
fn is_hidden(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_a_lesser_one_may() {
        assert!(Role::Member < Role::Owner && Role::Owner < Role::Operator);
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert!("admin".parse::<Role>().is_err());
    }

    #[test]
    fn a_name_is_one_line_that_can_be_shown() {
        assert_eq!(UserName::parse("  Maya \n Lindqvist ").unwrap().as_str(), "Maya Lindqvist");
        for bad in ["", " \t", "a\u{202e}b", "a\u{7}b", &"x".repeat(81)] {
            assert!(UserName::parse(bad).is_err(), "{bad:?}");
        }
    }
}
