//! Why a command failed: what, where, and what to do.

use core::fmt;

use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    #[serde(rename = "error")]
    what: String,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

impl Problem {
    pub fn new(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), place: None, mend: None }
    }

    /// The file, setting or id it is about.
    pub fn at(self, place: impl fmt::Display) -> Self {
        Self { place: Some(place.to_string()), ..self }
    }

    /// What the reader can do about it.
    pub fn mend(self, mend: impl fmt::Display) -> Self {
        Self { mend: Some(mend.to_string()), ..self }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(place) = &self.place {
            write!(f, "\n  where: {place}")?;
        }
        if let Some(mend) = &self.mend {
            write!(f, "\n  try:   {mend}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}
