//! Faults of a certificate or a chain.

use core::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The value, or its digest.
    Field { sequence: u64, field: String },
    /// No field agrees with its digest, so it is the salt.
    Salt { sequence: u64 },
    /// A digest of a field that there is not, or none of one that there is.
    Digests { sequence: u64 },
    /// Number, link, or the link before.
    Place { sequence: u64 },
    /// Of another account than the certificate.
    Account { sequence: u64 },
    /// The consents are not in the order of their numbers, or do not follow on each other.
    Order { sequence: u64 },
    /// A number of the chain has no consent.
    Missing { sequence: u64 },
    /// Nothing is left of it, although its lead was not erased.
    Hidden { sequence: u64 },
    /// The end of the chain does not agree with the consents.
    Head,
    /// Account, name, time of issue, end of the chain, key or signature.
    Signature,
    /// Somebody else has signed.
    OtherKey,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field { sequence, field } => write!(f, "consent {sequence}: `{field}` is not what was recorded"),
            Self::Salt { sequence } => write!(f, "consent {sequence}: `salt` is not what was recorded"),
            Self::Digests { sequence } => write!(f, "consent {sequence}: `digests` does not name each field once"),
            Self::Place { sequence } => write!(
                f,
                "consent {sequence}: `sequence`, `previous` or `link` is not what was recorded, or a consent before it was changed"
            ),
            Self::Account { sequence } => write!(f, "consent {sequence} is of another account"),
            Self::Order { sequence } => write!(f, "consent {sequence} does not follow on the one before it"),
            Self::Missing { sequence } => write!(f, "consent {sequence} is missing"),
            Self::Hidden { sequence } => {
                write!(f, "consent {sequence}: `evidence` is gone, although its lead was not erased")
            }
            Self::Head => f.write_str("`head` does not agree with the consents"),
            Self::Signature => f.write_str(
                "the signature does not fit: `account`, `issuedAt`, `head`, `key`, `signature` or the list of consents was changed",
            ),
            Self::OtherKey => f.write_str("it was signed by another installation than the one that was named"),
        }
    }
}
