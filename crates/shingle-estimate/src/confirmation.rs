//! Whether records confirm or contradict what a lead says.

/// Whether the records bear a statement out. Ordered from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confirmation {
    Contradicted,
    Unknown,
    Confirmed,
}

impl Confirmation {
    /// Its share of the weight, in halves.
    pub(crate) fn halves(self) -> u32 {
        match self {
            Self::Contradicted => 0,
            Self::Unknown => 1,
            Self::Confirmed => 2,
        }
    }
}
