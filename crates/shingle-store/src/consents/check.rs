//! Checks that an account's stored consents are what was recorded.

use std::collections::BTreeMap;

use serde::Serialize;
use shingle_consent::{Digest, Fault, Head, RecordedConsent, link};
use shingle_domain::AccountId;

use crate::StoreError;
use crate::consents::Consents;
use crate::consents::consent::read_evidence;
use crate::encryption::data_key::DataKeys;
use crate::engine::db::fetch_all;

const PAGE: i64 = 500;

/// What a look at a whole chain found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsentCheck {
    pub consents: u64,
    /// Of which nothing but the place is left, because their leads were erased.
    pub erased: u64,
    #[serde(serialize_with = "as_texts")]
    pub faults: Vec<Fault>,
}

fn as_texts<S: serde::Serializer>(faults: &[Fault], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(faults.iter().map(ToString::to_string))
}

row! {
    struct PlacedRow {
        id: String,
        environment: String,
        lead_id: String,
        given: bool,
        text: String,
        text_hash: String,
        at: i64,
        evidence: Option<String>,
        sequence: i64,
        digest: String,
        link: String,
        lead_erased_at: Option<i64>,
    }
}

impl Consents<'_> {
    pub async fn check(self, account: AccountId) -> Result<ConsentCheck, StoreError> {
        let keys = self.store.encryption().data_keys(account).await?;
        let mut check = ConsentCheck::default();
        // Before the consents: what is appended meanwhile is not missed.
        let told = self.chain_head(account).await?;
        let mut end = Head { sequence: 0, link: Digest::ZERO };
        loop {
            let rows = self.placed_rows(account, end.sequence, told.sequence).await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                let sequence = u64::try_from(row.sequence).unwrap_or_default();
                let missing = (end.sequence + 1..sequence).map(|sequence| Fault::Missing { sequence });
                check.faults.extend(missing.take(100));
                check.consents += 1;
                check.erased += u64::from(row.evidence.is_none());
                check.faults.extend(row.faults(sequence, end.link, &keys));
                // A broken link is reported once.
                end = Head { sequence, link: row.link.parse().unwrap_or(Digest::ZERO) };
            }
        }
        if (end.sequence, end.link) != (told.sequence, told.link) {
            check.faults.push(Fault::Head);
        }
        Ok(check)
    }

    async fn placed_rows(self, account: AccountId, after: u64, last: u64) -> Result<Vec<PlacedRow>, StoreError> {
        let mut reader = self.store.db.read().await?;
        Ok(fetch_all!(
            reader,
            PlacedRow,
            "SELECT consent.id, consent.environment, lead_id, given, text, text_hash, at, evidence, sequence, digest, link,
                    lead.erased_at AS lead_erased_at
               FROM consent JOIN lead ON lead.id = lead_id
              WHERE consent.account_id = $1 AND sequence > $2 AND sequence <= $3
              ORDER BY sequence LIMIT $4",
            account.to_string(),
            i64::try_from(after).unwrap_or(i64::MAX),
            i64::try_from(last).unwrap_or(i64::MAX),
            PAGE
        )?)
    }
}

impl PlacedRow {
    fn faults(&self, sequence: u64, previous: Digest, keys: &DataKeys) -> Vec<Fault> {
        let mut faults = Vec::new();
        let Ok(digest) = self.digest.parse::<Digest>() else {
            return vec![Fault::Field { sequence, field: "digest".to_owned() }];
        };
        if self.link.parse() != Ok(link(previous, sequence, digest)) {
            faults.push(Fault::Place { sequence });
        }
        match &self.evidence {
            None if self.lead_erased_at.is_none() => faults.push(Fault::Hidden { sequence }),
            None => {}
            Some(sealed) => match read_evidence(&self.id, sealed.clone(), keys) {
                Err(_) => faults.push(Fault::Field { sequence, field: "evidence".to_owned() }),
                Ok(recorded) => faults.extend(self.differences(sequence, digest, &recorded)),
            },
        }
        faults
    }

    fn differences(&self, sequence: u64, digest: Digest, recorded: &RecordedConsent) -> Vec<Fault> {
        let of = &recorded.evidence;
        let same = BTreeMap::from([
            ("id", self.id == of.id.to_string()),
            ("environment", self.environment == of.environment.as_str()),
            ("leadId", self.lead_id == of.lead_id.to_string()),
            ("given", self.given == of.given),
            ("text", self.text == of.text),
            ("textHash", self.text_hash == of.text_hash),
            ("at", self.at == of.at.micros()),
            ("digest", digest == recorded.digest()),
        ]);
        let changed = same.into_iter().filter(|(_, same)| !same);
        changed.map(|(field, _)| Fault::Field { sequence, field: field.to_owned() }).collect()
    }
}
