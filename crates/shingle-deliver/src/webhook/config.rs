//! What a webhook's destination keeps beside its address.

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::webhook::PayloadMode;
use std::time::Duration;

use crate::sign::SigningSecret;

/// How long the old secret signs beside the new one.
pub const ROTATION_OVERLAP: Duration = Duration::from_secs(24 * 3_600);

/// Old secrets that sign at once: each is one more signature in a header.
const MAX_EARLIER: usize = 5;

/// Public settings, as JSON in the destination's `config`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookConfig {
    pub payload: PayloadMode,
}

/// Secrets, as JSON in the destination's `secrets`.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookSecrets {
    /// `whsec_…`
    pub secret: String,
    /// Those before it, newest first.
    #[serde(default)]
    pub earlier: Vec<PreviousSecret>,
    /// Headers of its owner's own.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviousSecret {
    pub secret: String,
    pub until: Timestamp,
}

impl WebhookSecrets {
    pub fn generate() -> Result<Self, getrandom::Error> {
        Ok(Self { secret: SigningSecret::generate()?.as_str().to_owned(), earlier: Vec::new(), headers: Vec::new() })
    }

    /// A new secret; each old one signs beside it for a day, also when the next rotation comes sooner.
    pub fn rotate(&mut self, now: Timestamp) -> Result<(), getrandom::Error> {
        let fresh = SigningSecret::generate()?.as_str().to_owned();
        let old = std::mem::replace(&mut self.secret, fresh);
        self.earlier.retain(|earlier| earlier.until > now);
        self.earlier.insert(0, PreviousSecret { secret: old, until: now + ROTATION_OVERLAP });
        self.earlier.truncate(MAX_EARLIER);
        Ok(())
    }

    /// Every secret that signs now, the newest first.
    pub fn live(&self, now: Timestamp) -> Vec<SigningSecret> {
        let earlier = self.earlier.iter().filter(|earlier| earlier.until > now).map(|earlier| &earlier.secret);
        std::iter::once(&self.secret).chain(earlier).filter_map(|text| SigningSecret::parse(text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_secret_signs_for_a_day_after_a_rotation() {
        let now = Timestamp::from_micros(1_773_144_000_000_000);
        let mut secrets = WebhookSecrets::generate().unwrap();
        let first = secrets.secret.clone();
        secrets.rotate(now).unwrap();
        let live = |at| secrets.live(at).iter().map(|s| s.as_str().to_owned()).collect::<Vec<_>>();
        assert_eq!(live(now), [secrets.secret.clone(), first]);
        assert_eq!(live(now + ROTATION_OVERLAP), [secrets.secret.clone()]);
    }

    #[test]
    fn a_second_rotation_leaves_the_first_secret_its_day() {
        let now = Timestamp::from_micros(1_773_144_000_000_000);
        let hour = Duration::from_secs(3_600);
        let mut secrets = WebhookSecrets::generate().unwrap();
        let first = secrets.secret.clone();
        secrets.rotate(now).unwrap();
        let second = secrets.secret.clone();
        secrets.rotate(now + hour).unwrap();
        let live = |at| secrets.live(at).iter().map(|s| s.as_str().to_owned()).collect::<Vec<_>>();
        assert_eq!(live(now + hour), [secrets.secret.clone(), second.clone(), first]);
        assert_eq!(live(now + ROTATION_OVERLAP), [secrets.secret.clone(), second]);
        for _ in 0..100 {
            secrets.rotate(now).unwrap();
        }
        assert_eq!(secrets.live(now).len(), 1 + MAX_EARLIER);
    }
}
