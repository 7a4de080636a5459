//! By which a server proves to its own operator that it is the one: it answers a question with a hash that only a
//! server that has the secret file can make. Each question is asked once, so no cache can answer and the answers mark
//! nobody.
//!
//! # Decision
//!
//! `/healthz` answers a doctor's question with a hash under the secret, so wrong addresses, other installations and
//! cached pages are recognized. The question is fresh each time. Turned down: an installation id in a header, by
//! which anyone could recognize it elsewhere.

use serde::{Deserialize, Serialize};
use shingle_store::Secret;

/// The parameter of `/healthz` that holds a question.
pub const QUESTION: &str = "prove";
/// Hexadecimal digits of a question: a stranger cannot have anything longer hashed.
const DIGITS: usize = 32;

#[derive(Clone)]
pub struct InstallationProof([u8; 32]);

/// What `/healthz` says of its installation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proof {
    pub proof: String,
    /// Whether the request came over TLS as far as the server knows, or from the same machine.
    pub secure: bool,
    /// The name that the server was asked by, as it came through the proxies.
    #[serde(default)]
    pub host: String,
}

impl InstallationProof {
    pub fn new(secret: &Secret) -> Self {
        Self(secret.derive("shingle 2026-11 proof of installation"))
    }

    pub fn question() -> Result<String, getrandom::Error> {
        let mut random = [0; DIGITS / 2];
        getrandom::fill(&mut random)?;
        Ok(crate::tokens::hex(&random))
    }

    /// `None`: what the query holds is no question.
    pub fn answer(&self, query: &str) -> Option<String> {
        let question = query.strip_prefix(QUESTION)?.strip_prefix('=')?;
        let is_question = question.len() == DIGITS && question.bytes().all(|b| b.is_ascii_hexdigit());
        is_question.then(|| blake3::keyed_hash(&self.0, question.as_bytes()).to_hex().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_secret_gives_the_answer_and_only_a_question_gets_one() {
        let one = InstallationProof::new(&Secret::generate().unwrap());
        let other = InstallationProof::new(&Secret::generate().unwrap());
        let query = format!("{QUESTION}={}", InstallationProof::question().unwrap());
        assert_eq!(one.answer(&query), one.clone().answer(&query));
        assert!(one.answer(&query).is_some() && one.answer(&query) != other.answer(&query));
        let next = format!("{QUESTION}={}", InstallationProof::question().unwrap());
        assert_ne!(one.answer(&query), one.answer(&next));
        for none in ["", "prove", "prove=", "prove=0", "name=Ann", &format!("{query}0"), &query.replace('=', "=x")] {
            assert_eq!(one.answer(none), None, "{none}");
        }
    }
}
