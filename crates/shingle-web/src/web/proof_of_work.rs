//! Proof of work by ALTCHA's protocol, version 1: the browser finds the number whose SHA-256 behind a salt is the one that
//! was asked for. Nothing is stored of a challenge: a signature proves that it is ours, and its salt holds what it is
//! for, how hard it is and when it ends. A solution counts once.
//!
//! # Decision
//!
//! Beyond the limits per minute, a client passes after some work (ALTCHA's protocol 1, solved by
//! `www/loader/solve.js`, fetched only then): a 429 carries a challenge for one visitor, widget and kind of request,
//! twice as hard for each further limit's worth per minute. Such a lead is trusted; one without a solution, and a
//! form, is suspect. Daily limits still hold, since rented machines compute cheaply. A solution counts once, at one node.
//! Turned down: the crate `altcha-lib-rs`, which reads the system clock; protocol 2, whose key derivation costs the
//! server as much as the visitor.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::{digest, hmac};
use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;

use shingle_app::tokens::hex;

/// Long enough for a slow phone.
pub const MAX_CHALLENGE_AGE: Duration = Duration::from_secs(5 * 60);
const ALGORITHM: &str = "SHA-256";
/// Solutions that are remembered. When so many have come in five minutes, no further one counts.
const MAX_SPENT: usize = 200_000;

/// What a browser has to solve, as the protocol writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Challenge {
    algorithm: &'static str,
    challenge: String,
    #[serde(rename = "maxnumber")]
    max_number: u64,
    salt: String,
    signature: String,
}

/// What a browser sends back, in base64.
#[derive(Deserialize)]
struct Payload {
    algorithm: String,
    challenge: String,
    number: u64,
    salt: String,
    signature: String,
}

/// A right answer to one of our challenges, which may have been used already.
#[derive(Debug)]
pub struct Solution {
    /// Up to which number had to be searched.
    pub max_number: u64,
    pub challenge: String,
    expires: i64,
}

impl Solution {
    pub fn expires_at(&self) -> Timestamp {
        Timestamp::from_micros(self.expires.saturating_mul(1_000_000))
    }
}

pub struct ProofOfWork {
    key: hmac::Key,
    /// Challenges whose solution has counted, until they expire.
    spent: Mutex<HashMap<String, i64>>,
}

impl ProofOfWork {
    pub fn new(key: &[u8; 32]) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, key), spent: Mutex::default() }
    }

    /// For `purpose` alone.
    pub fn challenge(&self, purpose: &[u8], max_number: u64, now: Timestamp) -> Result<Challenge, getrandom::Error> {
        let mut random = [0; 20];
        getrandom::fill(&mut random)?;
        let (nonce, drawn) = random.split_at(12);
        let drawn = drawn.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let expires = (now + MAX_CHALLENGE_AGE).seconds();
        // The last character divides the salt from the number: without it, digits could move from one to the other.
        let salt = format!("{}?expires={expires}&max={max_number}&for={}&", hex(nonce), self.purpose_mac(purpose));
        let challenge = hash(&salt, drawn % (max_number + 1));
        let signature = self.sign(&challenge);
        Ok(Challenge { algorithm: ALGORITHM, challenge, max_number, salt, signature })
    }

    pub fn verify(&self, payload: &str, purpose: &[u8], now: Timestamp) -> Option<Solution> {
        let sent: Payload = serde_json::from_slice(&BASE64_STANDARD.decode(payload).ok()?).ok()?;
        let query = sent.salt.split_once('?')?.1.strip_suffix('&')?;
        let value = |name| query.split('&').filter_map(|pair| pair.split_once('=')).find(|pair| pair.0 == name);
        let number = |name| value(name)?.1.parse::<i64>().ok();
        let (expires, max_number) = (number("expires")?, u64::try_from(number("max")?).ok()?);
        let right = sent.algorithm == ALGORITHM
            && hash(&sent.salt, sent.number) == sent.challenge
            && equal(&self.sign(&sent.challenge), &sent.signature)
            && equal(&self.purpose_mac(purpose), value("for")?.1)
            && expires >= now.seconds();
        right.then_some(Solution { max_number, challenge: sent.challenge, expires })
    }

    /// Whether the solution counts: once.
    pub fn spend(&self, solution: &Solution, now: Timestamp) -> bool {
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        if spent.len() >= MAX_SPENT {
            spent.retain(|_, expires| *expires >= now.seconds());
        }
        spent.len() < MAX_SPENT && spent.insert(solution.challenge.clone(), solution.expires).is_none()
    }

    pub fn forget_expired(&self, now: Timestamp) {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, expires| *expires >= now.seconds());
    }

    fn sign(&self, text: &str) -> String {
        hex(hmac::sign(&self.key, text.as_bytes()).as_ref())
    }

    fn purpose_mac(&self, purpose: &[u8]) -> String {
        let mac = hmac::sign(&self.key, &[b"purpose\0".as_slice(), purpose].concat());
        hex(&mac.as_ref()[..16])
    }
}

fn hash(salt: &str, number: u64) -> String {
    hex(digest::digest(&digest::SHA256, format!("{salt}{number}").as_bytes()).as_ref())
}

/// Compared by their hashes: how far a guess is right shows in no time.
fn equal(ours: &str, sent: &str) -> bool {
    blake3::hash(ours.as_bytes()) == blake3::hash(sent.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn work() -> ProofOfWork {
        ProofOfWork::new(&[7; 32])
    }

    fn solve(challenge: &Challenge) -> Value {
        let found = (0..=challenge.max_number).find(|number| hash(&challenge.salt, *number) == challenge.challenge);
        json!({
            "algorithm": challenge.algorithm, "challenge": challenge.challenge, "number": found.unwrap(),
            "salt": challenge.salt, "signature": challenge.signature,
        })
    }

    fn encoded(payload: &Value) -> String {
        BASE64_STANDARD.encode(payload.to_string())
    }

    #[test]
    fn hash_and_signature_are_those_of_the_protocol() {
        // Computed with Python's hashlib and hmac, as the protocol describes them.
        let challenge = hash("a0b1c2d3e4f5a6b7?expires=1700000300&", 4_711);
        assert_eq!(challenge, "9931894389d31001afe2999feba5532d0a837bb32114aff6e826b053dd86eb1e");
        let work = ProofOfWork::new(b"an hmac key of thirty-two bytes!");
        assert_eq!(work.sign(&challenge), "7aa1d44f5186862b9ca3279e4e2827b7dd2b9300821f796e283f8d54d6287d77");
        let made = serde_json::to_value(work.challenge(b"p", 9, NOW).unwrap()).unwrap();
        let mut names: Vec<_> = made.as_object().unwrap().keys().cloned().collect();
        names.sort();
        assert_eq!(names, ["algorithm", "challenge", "maxnumber", "salt", "signature"]);
    }

    #[test]
    fn a_right_solution_counts_once_until_it_expires_and_for_its_purpose_alone() {
        let work = work();
        let payload = encoded(&solve(&work.challenge(b"roof", 500, NOW).unwrap()));
        assert!(work.verify(&payload, b"lead", NOW).is_none(), "another purpose");
        assert!(work.verify(&payload, b"roof", NOW + MAX_CHALLENGE_AGE + Duration::from_secs(1)).is_none(), "late");
        assert!(ProofOfWork::new(&[8; 32]).verify(&payload, b"roof", NOW).is_none(), "another server");
        let solution = work.verify(&payload, b"roof", NOW + MAX_CHALLENGE_AGE).unwrap();
        assert_eq!(solution.max_number, 500);
        assert!(work.spend(&solution, NOW));
        work.forget_expired(NOW + MAX_CHALLENGE_AGE);
        assert!(!work.spend(&work.verify(&payload, b"roof", NOW).unwrap(), NOW), "again");
        work.forget_expired(NOW + MAX_CHALLENGE_AGE + Duration::from_secs(1));
        assert!(work.spent.lock().unwrap().is_empty());
    }

    #[test]
    fn what_was_changed_made_up_or_cut_elsewhere_is_no_solution() {
        let work = work();
        let challenge = work.challenge(b"roof", 500, NOW).unwrap();
        let right = solve(&challenge);
        let number = right["number"].as_u64().unwrap();
        let with = |name: &str, value: Value| {
            let mut changed = right.clone();
            changed[name] = value;
            encoded(&changed)
        };
        assert!(work.verify(&encoded(&right), b"roof", NOW).is_some());
        let easier = challenge.salt.replace("max=500", "max=900");
        let later = challenge.salt.replace("expires=1", "expires=2");
        let mut own = right.clone();
        own["salt"] = easier.clone().into();
        own["challenge"] = hash(&easier, number).into();
        for wrong in [
            String::new(),
            "x".into(),
            BASE64_STANDARD.encode("[]"),
            with("number", (number + 1).into()),
            with("number", (-1).into()),
            with("salt", easier.into()),
            with("salt", later.into()),
            with("algorithm", "SHA-1".into()),
            with("signature", "0".repeat(64).into()),
            with("challenge", "0".repeat(64).into()),
            encoded(&own),
        ] {
            assert!(work.verify(&wrong, b"roof", NOW).is_none(), "{wrong}");
        }
        // Digits of the number in the salt: the hash is the same.
        let number = number.to_string();
        for at in 1..number.len() {
            let mut spliced = right.clone();
            spliced["salt"] = format!("{}{}", challenge.salt, &number[..at]).into();
            spliced["number"] = number[at..].parse::<u64>().unwrap().into();
            assert!(work.verify(&encoded(&spliced), b"roof", NOW).is_none(), "{spliced}");
        }
    }
}
