//! What is recorded of one consent.

use core::fmt;
use std::collections::BTreeMap;

use ring::hmac;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shingle_domain::{AccountId, ConsentId, Environment, LeadId, Timestamp, WidgetId};

use crate::{ConsentError, Digest};

/// Who agreed to what, when and where. A field is null where it is not known; of consents that were recorded before
/// there was a chain, nobody wrote down who agreed.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Evidence {
    /// Id of the consent. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6b`
    pub id: ConsentId,
    /// Id of the account. Example: `0192f4c1-0000-7a2b-8c4d-1f2e3d4c5b6a`
    pub account_id: AccountId,
    /// Whether the home is real. Example: `production`
    pub environment: Environment,
    /// Id of the lead. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    pub lead_id: LeadId,
    /// Id of the widget. Example: `7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub widget_id: WidgetId,
    /// The first name as it was typed then. Null where nobody wrote it down. Example: `Ann`
    pub first_name: Option<String>,
    /// The last name as it was typed then. Null where nobody wrote it down. Example: `Sample`
    pub last_name: Option<String>,
    /// The e-mail address as it was typed then. Null where nobody wrote it down. Example: `ann@example.com`
    pub email: Option<String>,
    /// The telephone number as it was typed then: the one that may be called. Null where none was given. Example: `(207) 555-0143`
    pub phone: Option<String>,
    /// The address of the roof. Null where nobody wrote it down. Example: `14 Alder Court, Harrow Falls, ME 04995`
    pub address: Option<String>,
    /// Whether the box was ticked. Example: `true`
    pub given: bool,
    /// The text beside the box, word for word. Example: `Oak Roofing may call me about my roof.`
    pub text: String,
    /// BLAKE3 of that text, in hexadecimal. Example: `d74981efa70a0c880b8d8c1985d075dbcbf679b99a5f9914e5aaf96b831a9e24`
    pub text_hash: String,
    /// When, in UTC. Example: `2026-11-22T23:04:04.000Z`
    pub at: Timestamp,
    /// On which page. Null where it is not known. Example: `https://oak.example.com/roofs`
    pub page_url: Option<String>,
    /// From which network address. Null where it is not known. Example: `192.0.2.7`
    pub ip: Option<String>,
    /// With which browser. Null where it did not say. Example: `Mozilla/5.0`
    pub user_agent: Option<String>,
}

impl Evidence {
    /// In the order in which they are digested.
    fn fields(&self) -> [(&'static str, Option<String>); 17] {
        [
            ("id", Some(self.id.to_string())),
            ("accountId", Some(self.account_id.to_string())),
            ("environment", Some(self.environment.to_string())),
            ("leadId", Some(self.lead_id.to_string())),
            ("widgetId", Some(self.widget_id.to_string())),
            ("firstName", self.first_name.clone()),
            ("lastName", self.last_name.clone()),
            ("email", self.email.clone()),
            ("phone", self.phone.clone()),
            ("address", self.address.clone()),
            ("given", Some(self.given.to_string())),
            ("text", Some(self.text.clone())),
            ("textHash", Some(self.text_hash.clone())),
            ("at", Some(self.at.to_string())),
            ("pageUrl", self.page_url.clone()),
            ("ip", self.ip.clone()),
            ("userAgent", self.user_agent.clone()),
        ]
    }

    /// Of digests that somebody tells; `None` where one is missing.
    pub(crate) fn combined_of(&self, told: &BTreeMap<String, Digest>) -> Option<Digest> {
        let digests: Option<Vec<_>> = self.fields().iter().map(|(name, _)| told.get(*name)).collect();
        digests.map(|digests| combined(digests.into_iter()))
    }

    /// A digest for each field, in their order.
    pub(crate) fn digests(&self, salt: &Salt) -> [(&'static str, Digest); 17] {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &salt.0.0);
        self.fields().map(|(name, value)| {
            let mut context = hmac::Context::with_key(&key);
            context.update(name.as_bytes());
            context.update(&[0]);
            match value {
                None => context.update(b"0"),
                Some(text) => {
                    context.update(b"1");
                    context.update(text.as_bytes());
                }
            }
            (name, Digest::from_ring(context.sign().as_ref()))
        })
    }
}

impl fmt::Debug for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evidence").field("id", &self.id).field("given", &self.given).finish_non_exhaustive()
    }
}

/// 32 random bytes of one consent: without them nobody can try names against its digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Salt(pub Digest);

impl Salt {
    pub fn random() -> Result<Self, ConsentError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(ConsentError::Random)?;
        Ok(Self(Digest(bytes)))
    }
}

/// A consent with its salt: all that is needed to prove what its digest stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecordedConsent {
    pub evidence: Evidence,
    pub salt: Salt,
}

impl RecordedConsent {
    pub fn digest(&self) -> Digest {
        combined(self.evidence.digests(&self.salt).map(|(_, digest)| digest).iter())
    }

    pub(crate) fn named_digests(&self) -> BTreeMap<String, Digest> {
        self.evidence.digests(&self.salt).into_iter().map(|(name, digest)| (name.to_owned(), digest)).collect()
    }
}

/// Of the fields' digests, in their order.
fn combined<'d>(digests: impl Iterator<Item = &'d Digest>) -> Digest {
    let bytes: Vec<u8> = digests.flat_map(|digest| digest.0).collect();
    Digest::of(&[b"shingle consent 1\n", &bytes])
}
