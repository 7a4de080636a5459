//! The server's own certificate: from files that are read again when they change, or from an ACME directory (RFC 8555)
//! that is asked for one in time.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that cannot go on has failed"))]

mod acme;
mod certificate;
mod error;
mod files;
mod resolver;

pub use acme::{Acme, AcmeSettings, LETS_ENCRYPT, Renewal};
pub use certificate::Certificate;
pub use error::TlsError;
pub use files::{CertificateFiles, Reload};
pub use resolver::{ACME_PROTOCOL, Certificates};
