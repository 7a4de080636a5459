//! The texts that homeowners were asked to agree to, with how many were asked and how many agreed. Counted with each consent:
//! to count them at a look read every consent.
//!
//! # Decision
//!
//! Consents per wording are counted as they arrive and subtracted when a lead is erased. Turned down: counting on
//! request, 160 ms of CPU for 100,000 consents; a covering index, still 24 ms.

use std::collections::BTreeMap;

use shingle_domain::{Tenant, Timestamp};

use crate::StoreError;
use crate::consents::Consents;
use crate::engine::db::{Tx, execute, fetch_all};
use crate::store::columns;

/// More than a company can have by changes of its name and of our sentence.
const MAX_TEXTS: i64 = 100;

row! {
    struct TextRow {
        text_hash: String,
        text: String,
        asked: i64,
        agreed: i64,
        first_at: i64,
        last_at: i64,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentText {
    pub hash: String,
    pub text: String,
    pub asked: u64,
    pub agreed: u64,
    pub first_at: Timestamp,
    pub last_at: Timestamp,
}

/// A new consent, as far as it is counted.
pub(crate) struct Asked<'c> {
    pub account: String,
    pub environment: &'c str,
    pub hash: &'c str,
    pub text: &'c str,
    pub given: bool,
    pub at: i64,
}

struct Count<'c> {
    text: &'c str,
    asked: i64,
    agreed: i64,
    first_at: i64,
    last_at: i64,
}

/// In the order of their keys, as [`uncount_texts`] has it: nobody then waits in a circle.
pub(crate) async fn count_texts<'c>(
    tx: &mut Tx<'_>,
    consents: impl Iterator<Item = Asked<'c>>,
) -> Result<(), StoreError> {
    let mut counts: BTreeMap<_, Count<'_>> = BTreeMap::new();
    for Asked { account, environment, hash, text, given, at } in consents {
        let none = Count { text, asked: 0, agreed: 0, first_at: at, last_at: at };
        let count = counts.entry((account, environment, hash)).or_insert(none);
        count.asked += 1;
        count.agreed += i64::from(given);
        (count.first_at, count.last_at) = (count.first_at.min(at), count.last_at.max(at));
    }
    for ((account, environment, hash), count) in counts {
        execute!(
            tx,
            "INSERT INTO consent_text (account_id, environment, text_hash, text, asked, agreed, first_at, last_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
             ON CONFLICT (account_id, environment, text_hash) DO UPDATE
                SET asked = consent_text.asked + excluded.asked, agreed = consent_text.agreed + excluded.agreed,
                    first_at = CASE WHEN excluded.first_at < consent_text.first_at THEN excluded.first_at
                                    ELSE consent_text.first_at END,
                    last_at = CASE WHEN excluded.last_at > consent_text.last_at THEN excluded.last_at
                                   ELSE consent_text.last_at END",
            account,
            environment,
            hash,
            count.text,
            count.asked,
            count.agreed,
            count.first_at,
            count.last_at
        )?;
    }
    Ok(())
}

/// Before the consents of a lead lose their text. A text that nobody is left with goes too.
pub(crate) async fn uncount_texts(tx: &mut Tx<'_>, lead: &str) -> Result<(), StoreError> {
    let counts = fetch_all!(
        tx,
        (String, String, String, i64, i64),
        "SELECT account_id, environment, text_hash, COUNT(*), SUM(CASE WHEN given THEN 1 ELSE 0 END)
           FROM consent WHERE lead_id = $1 AND erased_at IS NULL
          GROUP BY account_id, environment, text_hash ORDER BY account_id, environment, text_hash",
        lead
    )?;
    for (account, environment, hash, asked, agreed) in counts {
        execute!(
            tx,
            "UPDATE consent_text SET asked = asked - $4, agreed = agreed - $5
              WHERE account_id = $1 AND environment = $2 AND text_hash = $3",
            &account,
            &environment,
            &hash,
            asked,
            agreed
        )?;
        execute!(
            tx,
            "DELETE FROM consent_text WHERE account_id = $1 AND environment = $2 AND text_hash = $3 AND asked <= 0",
            account,
            environment,
            hash
        )?;
    }
    Ok(())
}

impl Consents<'_> {
    /// The one that was sent last first. Consents of erased leads are not counted.
    pub async fn texts(self, tenant: &Tenant) -> Result<Vec<ConsentText>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            TextRow,
            "SELECT text_hash, text, asked, agreed, first_at, last_at FROM consent_text
              WHERE account_id = $1 AND environment = $2 ORDER BY last_at DESC, text_hash LIMIT $3",
            &account,
            environment,
            MAX_TEXTS
        )?;
        let read = |row: TextRow| ConsentText {
            hash: row.text_hash,
            text: row.text,
            asked: row.asked.unsigned_abs(),
            agreed: row.agreed.unsigned_abs(),
            first_at: Timestamp::from_micros(row.first_at),
            last_at: Timestamp::from_micros(row.last_at),
        };
        Ok(rows.into_iter().map(read).collect())
    }
}
