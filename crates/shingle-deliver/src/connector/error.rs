//! Errors of a connector, in words for the person who set it up.

use std::fmt;

/// One thing that is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The way to the value: `request.contact.headers.Authorization`.
    pub place: String,
    pub problem: String,
}

impl Mistake {
    pub fn new(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { place: place.into(), problem: problem.into() }
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectorError {
    #[error("the connector's file is not right: {}", list(.0))]
    Template(Vec<Mistake>),
    #[error("the connector's settings are not right: {}", list(.0))]
    Settings(Vec<Mistake>),
    /// A request could not be built. Nothing was sent.
    #[error("the request cannot be built: {0}")]
    Request(Mistake),
}

impl ConnectorError {
    pub fn mistakes(&self) -> &[Mistake] {
        match self {
            Self::Template(mistakes) | Self::Settings(mistakes) => mistakes,
            Self::Request(mistake) => std::slice::from_ref(mistake),
        }
    }
}

fn list(mistakes: &[Mistake]) -> String {
    mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
