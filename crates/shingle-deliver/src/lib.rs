//! Requests to servers of other people. [`Egress`] is the only HTTP client of the program: it connects to public
//! addresses and to no others, however the address is spelled and whoever gives it.
//!
//! ```
//! use shingle_deliver::{Egress, EgressError, EgressPolicy};
//!
//! let egress = Egress::new(EgressPolicy::default(), "Shingle")?;
//! assert!(egress.target("https://www.example.com/").is_ok());
//!
//! let metadata = egress.target("https://169.254.169.254/latest/meta-data/");
//! assert!(matches!(metadata, Err(EgressError::NotPublic { .. })));
//! # Ok::<(), EgressError>(())
//! ```

pub mod connector;
mod egress;
mod error;
mod exchange;
pub mod mail;
mod policy;
mod resolver;
mod target;

pub use egress::{Egress, FetchLimits, FetchOutcome, FetchedPage, Redirect};
pub use error::{CertificateFault, EgressError};
pub use exchange::{ExchangeLimits, IncomingResponse, OutgoingRequest};
pub use policy::{AddressScope, EgressPolicy};
pub use resolver::{ResolveFuture, Resolver, SystemResolver};
pub use target::Target;
