//! The six look-ups: the evidence of one address in, the contract's record out. The API and the command line both get
//! their records here, so they cannot differ.
//!
//! # Decision
//!
//! The six records are made in one place for the API and the command line, so they cannot differ. A query that
//! determines nothing is not billed, and a county alone determines nothing.

mod lookup_response;
mod provenance;
mod record;

pub use lookup_response::{IncludedParts, LookupResponse};
pub use provenance::Provenance;
pub use record::Models;
