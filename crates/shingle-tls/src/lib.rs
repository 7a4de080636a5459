//! The server's own certificate: from files that are read again when they change, or from an ACME directory (RFC 8555)
//! that is asked for one in time.
//!
//! # Decisions
//!
//! - ACME uses instant-acme over our own client (ring, webpki roots, an operator's root for a private directory) with
//!   both proofs: plain HTTP if `http_listen` is set, else in the handshake on port 443. Tests use Pebble, which
//!   Debian packages. Turned down: rustls-acme, which has one proof and owns the listener; a directory of our own in
//!   tests, which would agree with our mistakes.
//! - Account and certificate are files of the data folder, for one server. Several servers terminate TLS at their
//!   load balancer or share `tls_cert` and `tls_key`. Turned down: a certificate in the database, which every backup
//!   would hold with its key.
//! - Certificate files are read every ten seconds and compared by content, so symlinks, copies and equal times are
//!   noticed; a pair that does not match is reported once and waits for its other half. Turned down: SIGHUP, which
//!   already stops the server; modification times.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test that cannot go on has failed"))]

mod acme;
mod certificate;
mod error;
mod files;
mod resolver;

pub use acme::{Acme, AcmeSettings, LETS_ENCRYPT, Renewal};
pub use certificate::Certificate;
pub use error::{TlsError, TlsProblem};
pub use files::{CertificateFiles, Reload};
pub use resolver::{ACME_PROTOCOL, Certificates};

/// Every message of this crate: the key of its sentence, and its English.
pub const MESSAGES: &[&[(&str, &str)]] = &[TlsError::SENTENCES, TlsProblem::SENTENCES];
