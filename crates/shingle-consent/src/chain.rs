//! The chain of an account's consents: each link stands for all before it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Digest;

/// Where a consent stands in the chain of its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// Its number among the consents of the account, from 1. Example: `41`
    pub sequence: u64,
    /// The link of the consent before it; zeros before the first. Example: `5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef`
    pub previous: Digest,
    /// Stands for this consent and all before it. Example: `9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0`
    pub link: Digest,
}

impl Place {
    /// The place behind `previous` of a consent with this digest.
    pub fn new(sequence: u64, previous: Digest, digest: Digest) -> Self {
        Self { sequence, previous, link: link(previous, sequence, digest) }
    }
}

/// Links a consent to those before it.
pub fn link(previous: Digest, sequence: u64, digest: Digest) -> Digest {
    Digest::of(&[b"shingle consent link 1\n", &previous.0, &sequence.to_be_bytes(), &digest.0])
}
