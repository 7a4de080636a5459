//! Rows of older data keys: encrypted again with the account's newest key, a few at a time, beside the requests.

use std::time::Duration;

use shingle_domain::AccountId;

use crate::StoreError;
use crate::encryption::Encryption;
use crate::encryption::data_key::{DataKeys, Field};
use crate::engine::connect;
use crate::engine::db::{execute, fetch_all, transact};
use crate::store::parse_id;

/// From then on no node encrypts with an older key.
const SETTLED_AFTER: Duration = Duration::from_secs(5 * 60);
const ROWS_TOGETHER: i64 = 100;

/// What one run has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reencryption {
    pub rows: u64,
    /// Texts that no key opens: they stay as they are.
    pub unreadable: u64,
}

/// The next rows of a column, and how one is replaced, if nobody has changed it meanwhile.
struct Column {
    field: Field,
    select: &'static str,
    update: &'static str,
}

macro_rules! column {
    ($table:literal, $column:literal, $field:expr) => {
        column!($table, $column, $field, "account_id = $1")
    };
    ($table:literal, $column:literal, $field:expr, $account:literal) => {
        column!($table, $column, $field, $account, "id")
    };
    ($table:literal, $column:literal, $field:expr, $account:literal, $id:literal) => {
        Column {
            field: $field,
            select: concat!(
                "SELECT ",
                $id,
                ", ",
                $column,
                " FROM ",
                $table,
                " WHERE ",
                $account,
                " AND ",
                $id,
                " > $2 AND substr(",
                $column,
                ", 1, 5) <> $3 ORDER BY ",
                $id,
                " LIMIT $4"
            ),
            update: concat!("UPDATE ", $table, " SET ", $column, " = $2 WHERE ", $id, " = $1 AND ", $column, " = $3"),
        }
    };
}

const COLUMNS: [Column; 25] = [
    column!("lead", "record", Field::LeadRecord),
    column!("lead", "drawing", Field::LeadDrawing),
    column!("lead", "shown", Field::LeadShown),
    column!("consent", "evidence", Field::ConsentEvidence),
    column!("event", "payload", Field::EventPayload),
    column!("delivery", "progress", Field::DeliveryProgress),
    column!("delivery", "reason", Field::DeliveryReason, "account_id = $1 AND substr(reason, 1, 1) = '~'"),
    column!(
        "attempt",
        "cause",
        Field::AttemptCause,
        "delivery_id IN (SELECT id FROM delivery WHERE account_id = $1) AND substr(cause, 1, 1) = '~'"
    ),
    column!(
        "attempt",
        "exchange",
        Field::AttemptExchange,
        "delivery_id IN (SELECT id FROM delivery WHERE account_id = $1)"
    ),
    column!("lead_work", "next_step", Field::LeadNextStep, "account_id = $1", "lead_id"),
    column!("lead_work", "loss_more", Field::LeadLossMore, "account_id = $1", "lead_id"),
    column!("lead_merge", "kept", Field::LeadMergeKept, "account_id = $1", "lead_id"),
    column!("lead_entry", "text", Field::LeadEntry),
    column!("lead_file", "name", Field::LeadFileName, "account_id = $1 AND state <> 'removed'"),
    column!("lead_appointment", "record", Field::LeadAppointment, "account_id = $1", "lead_id"),
    column!("quote", "record", Field::QuoteRecord),
    column!("quote", "answer", Field::QuoteAnswer),
    column!("quote_settings", "record", Field::QuoteSettings, "account_id = $1", "account_id"),
    column!("portal_view", "name", Field::SavedName),
    column!("portal_view", "query", Field::SavedQuery),
    column!("lead_town", "name", Field::TownName, "account_id = $1", "town"),
    column!("tag", "name", Field::TagName, "account_id = $1", "tag"),
    column!("reply_template", "record", Field::ReplyTemplate),
    column!("lead_import", "record", Field::ImportRecord),
    column!("lead_import", "content", Field::ImportContent),
];

impl Encryption<'_> {
    /// Encrypts at most about so many rows.
    pub async fn encrypt_older_rows(self, most: u64) -> Result<Reencryption, StoreError> {
        let mut done = Reencryption::default();
        for (account, number) in self.accounts_with_older_rows().await? {
            let keys = self.data_keys(account).await?;
            if keys.active() < number {
                continue;
            }
            let before = done.rows;
            for column in &COLUMNS {
                if done.rows >= most {
                    break;
                }
                self.encrypt_column(account, &keys, column, most, &mut done).await?;
            }
            // A run that had nothing to do has seen everything.
            if done.rows == before {
                self.note_encrypted(account, number).await?;
            }
        }
        if done.rows > 0 {
            connect::truncate_log(&self.store.db).await?;
        }
        Ok(done)
    }

    /// How many accounts have rows that their newest key has not encrypted.
    pub async fn count_accounts_with_older_rows(self) -> Result<usize, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            "SELECT account.id FROM account JOIN data_key ON account_id = account.id
              GROUP BY account.id, encrypted_with HAVING MAX(number) > encrypted_with"
        )?;
        Ok(rows.len())
    }

    async fn accounts_with_older_rows(self) -> Result<Vec<(AccountId, u16)>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, i64),
            "SELECT account.id, MAX(number) FROM account JOIN data_key ON account_id = account.id
              WHERE data_key.created_at < $1
              GROUP BY account.id, encrypted_with HAVING MAX(number) > encrypted_with ORDER BY account.id LIMIT 100",
            (self.store.now() - SETTLED_AFTER).micros()
        )?;
        rows.into_iter()
            .map(|(id, number)| Ok((parse_id("account", &id)?, u16::try_from(number).map_err(|_| StoreError::Cipher)?)))
            .collect()
    }

    async fn encrypt_column(
        self,
        account: AccountId,
        keys: &DataKeys,
        column: &Column,
        most: u64,
        done: &mut Reencryption,
    ) -> Result<(), StoreError> {
        let beginning = DataKeys::beginning(keys.active());
        let mut after = String::new();
        while done.rows < most {
            let mut reader = self.store.db.read().await?;
            let rows = fetch_all!(
                reader,
                (String, String),
                column.select,
                account.to_string(),
                &after,
                &beginning,
                ROWS_TOGETHER
            )?;
            drop(reader);
            let Some((last, _)) = rows.last() else { break };
            after.clone_from(last);
            let (mut fresh, mut unreadable) = (Vec::new(), 0);
            for (id, stored) in &rows {
                match keys.open(column.field, id, stored.clone()) {
                    Ok(plain) => fresh.push((id, keys.seal(column.field, id, &plain)?, stored)),
                    Err(_) => unreadable += 1,
                }
            }
            done.unreadable += unreadable;
            done.rows += transact!(self.store.db, |tx| {
                let mut changed = 0;
                for (id, sealed, stored) in &fresh {
                    changed += execute!(tx, column.update, *id, sealed, *stored)?;
                }
                Ok(changed)
            })?;
        }
        Ok(())
    }

    async fn note_encrypted(self, account: AccountId, number: u16) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "UPDATE account SET encrypted_with = $2 WHERE id = $1 AND encrypted_with < $2",
                account.to_string(),
                i64::from(number)
            )?;
            Ok(())
        })
    }
}
