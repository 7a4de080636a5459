//! Evidence of consent. Each consent is recorded once, gets a place in the chain of its account, and can be certified
//! for somebody who trusts neither the company nor its server: a certificate is checked offline, and each changed byte of
//! it is found and named.
//!
//! How to check without this program. All texts are UTF-8, digests are SHA-256 in hexadecimal:
//!
//! 1. A field's digest is HMAC-SHA256 of `NAME`, a NUL and the value (`0` for null, else `1` and the text) under the salt.
//! 2. The digest of a consent is SHA-256 of `shingle consent 1`, a line feed and the fields' digests as bytes, in their order.
//! 3. Its link is SHA-256 of `shingle consent link 1`, a line feed, the link before, the number as 8 bytes (big endian) and
//!    that digest. Before the first come 32 zero bytes.
//! 4. The signature is Ed25519 over `shingle consent certificate 1`, the account, its name, the time of issue, the last number
//!    of the chain, its link, and the links of all consents in it, each on a line of its own.
//!
//! Once a lead is erased only the digest and the link of its consents are left: the salt is gone with the rest, so nobody
//! can try names against the digest, and the chain can be checked anyway.

mod certificate;
mod chain;
mod digest;
mod error;
mod evidence;
mod fault;
mod signing;

pub use certificate::{CertifiedConsent, ConsentCertificate, Draft, Head};
pub use chain::{Place, link};
pub use digest::Digest;
pub use error::ConsentError;
pub use evidence::{Evidence, RecordedConsent, Salt};
pub use fault::Fault;
pub use signing::{CertificateKey, CertificateSigner};
