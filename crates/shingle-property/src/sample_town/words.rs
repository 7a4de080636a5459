//! Names of the town's streets and people.

use serde::Deserialize;

pub(super) const STREETS: &str = include_str!("../../../../assets/sample-town/streets.toml");
pub(super) const PEOPLE: &str = include_str!("../../../../assets/sample-town/people.toml");

/// What the word lists hold. They are compiled in, and a test reads them.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Words {
    #[serde(default)]
    pub streets: Vec<String>,
    #[serde(default)]
    pub given: Vec<String>,
    #[serde(default)]
    pub family: Vec<String>,
}

impl Words {
    pub fn read() -> Self {
        let streets: Self = toml::from_str(STREETS).unwrap_or_default();
        let people: Self = toml::from_str(PEOPLE).unwrap_or_default();
        Self { streets: streets.streets, ..people }
    }
}
