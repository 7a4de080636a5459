//! A certificate of the consents of one lead.

use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shingle_domain::{AccountId, Timestamp};

use crate::{
    CertificateKey, CertificateSigner, ConsentError, Digest, Evidence, Fault, Place, RecordedConsent, Salt, link,
};

/// Proves what a homeowner agreed to. `shingle consent verify FILE` checks it offline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConsentCertificate {
    /// The form of this certificate. Example: `shingle-consent-1`
    pub form: Form,
    /// Id of the company's account. Example: `0192f4c1-0000-7a2b-8c4d-1f2e3d4c5b6a`
    pub account_id: AccountId,
    /// Its name. Example: `Oak Roofing`
    pub account_name: String,
    /// When the certificate was made, in UTC. Example: `2026-11-23T08:00:00.000Z`
    pub issued_at: Timestamp,
    /// Each consent of the lead, the oldest first.
    pub consents: Vec<CertifiedConsent>,
    /// The end of the account's chain at that time.
    pub head: Head,
    /// The installation's public key (Ed25519), in hexadecimal. Example: `3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c`
    pub key: Digest,
    /// Its signature, in Base64. Example: `pYx1bG0=`
    pub signature: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum Form {
    #[serde(rename = "shingle-consent-1")]
    First,
}

/// A consent with all that is needed to check it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CertifiedConsent {
    /// What was recorded.
    pub evidence: Evidence,
    /// The key of the fields' digests. Example: `c0ffee254729296a45a3885639ac7e10f9d54979c0ffee254729296a45a38856`
    pub salt: Salt,
    /// The digest of each field: HMAC-SHA256 of its name and value under the salt.
    pub digests: BTreeMap<String, Digest>,
    /// Where it stands in the chain of the account.
    pub place: Place,
}

/// The end of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// How many consents the account has recorded. Example: `57`
    pub sequence: u64,
    /// The link of the last one. Example: `b2b5f4f1b0a9b1a2d0e5fbc3e6b1f1d3a7c9e0b4d2f6a8c1e3b5d7f9a1c3e5b7`
    pub link: Digest,
}

/// What a certificate is made of.
#[derive(Debug, Clone)]
pub struct Draft {
    pub account_id: AccountId,
    pub account_name: String,
    pub issued_at: Timestamp,
    pub consents: Vec<(RecordedConsent, Place)>,
    pub head: Head,
}

impl ConsentCertificate {
    pub fn sign(draft: Draft, signer: &CertificateSigner) -> Self {
        let certified = |(recorded, place): (RecordedConsent, Place)| CertifiedConsent {
            digests: recorded.named_digests(),
            evidence: recorded.evidence,
            salt: recorded.salt,
            place,
        };
        let mut certificate = Self {
            form: Form::First,
            account_id: draft.account_id,
            account_name: draft.account_name,
            issued_at: draft.issued_at,
            consents: draft.consents.into_iter().map(certified).collect(),
            head: draft.head,
            key: signer.key().0,
            signature: String::new(),
        };
        certificate.signature = signer.sign(certificate.signed_text().as_bytes());
        certificate
    }

    pub fn parse(json: &[u8]) -> Result<Self, ConsentError> {
        let certificate: Self = serde_json::from_slice(json)?;
        // An id in capital letters is read as the same id: it is a changed byte nevertheless.
        if serde_json::from_slice::<serde_json::Value>(json)? != serde_json::to_value(&certificate)? {
            return Err(ConsentError::Rewritten);
        }
        Ok(certificate)
    }

    /// Everything that is wrong with it; nothing for a genuine one. Without `expected` it is checked that nobody changed it
    /// since it was signed, not who signed it.
    pub fn faults(&self, expected: Option<CertificateKey>) -> Vec<Fault> {
        let mut faults: Vec<_> = self.consents.iter().flat_map(|consent| consent.faults(self.account_id)).collect();
        faults.extend(self.consents.windows(2).filter_map(|pair| match pair {
            [one, next] => {
                breaks_order(&one.place, &next.place).then_some(Fault::Order { sequence: next.place.sequence })
            }
            _ => None,
        }));
        if self.consents.iter().any(|consent| {
            let (place, head) = (&consent.place, &self.head);
            place.sequence > head.sequence || (place.sequence == head.sequence) != (place.link == head.link)
        }) {
            faults.push(Fault::Head);
        }
        let key = CertificateKey(self.key);
        if !key.verifies(self.signed_text().as_bytes(), &self.signature) {
            faults.push(Fault::Signature);
        }
        if expected.is_some_and(|expected| expected != key) {
            faults.push(Fault::OtherKey);
        }
        faults
    }

    fn signed_text(&self) -> String {
        let Self { account_id, account_name, issued_at, head, .. } = self;
        let mut text = format!(
            "shingle consent certificate 1\n{account_id}\n{account_name}\n{issued_at}\n{}\n{}\n",
            head.sequence, head.link
        );
        for consent in &self.consents {
            let _ = writeln!(text, "{}", consent.place.link);
        }
        text
    }
}

impl CertifiedConsent {
    fn faults(&self, account: AccountId) -> Vec<Fault> {
        let sequence = self.place.sequence;
        let recorded = RecordedConsent { evidence: self.evidence.clone(), salt: self.salt };
        let expected = recorded.named_digests();
        let names = |digests: &BTreeMap<String, Digest>| digests.keys().cloned().collect::<BTreeSet<_>>();
        let mut faults = Vec::new();
        if names(&expected) != names(&self.digests) {
            faults.push(Fault::Digests { sequence });
        }
        let changed: Vec<_> = expected
            .iter()
            .filter(|(name, digest)| self.digests.get(*name).is_some_and(|told| told != *digest))
            .map(|(name, _)| name.clone())
            .collect();
        if changed.len() == expected.len() {
            faults.push(Fault::Salt { sequence });
        } else {
            faults.extend(changed.into_iter().map(|field| Fault::Field { sequence, field }));
        }
        // A changed field is named on its own; its consent's place is then as recorded, if its digests lead there.
        let told = self.evidence.combined_of(&self.digests);
        if link(self.place.previous, sequence, told.unwrap_or_else(|| recorded.digest())) != self.place.link {
            faults.push(Fault::Place { sequence });
        }
        if self.evidence.account_id != account {
            faults.push(Fault::Account { sequence });
        }
        faults
    }
}

/// Neighbors in the chain must be linked; others only rise.
fn breaks_order(one: &Place, next: &Place) -> bool {
    next.sequence <= one.sequence || (next.sequence == one.sequence + 1) && next.previous != one.link
}
