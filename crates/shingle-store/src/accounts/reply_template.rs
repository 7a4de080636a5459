//! Ready-made replies of a company.

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::reply::ReplyText;
use shingle_domain::{AccountId, ReplyId, Timestamp};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::encryption::data_key::Field;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::store::{from_json, parse_id, require_row, to_json};

/// Of one company.
const MAX_TEMPLATES: usize = 50;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTemplate {
    pub id: ReplyId,
    pub text: ReplyText,
    pub updated_at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyChange {
    Done,
    /// Somebody else has changed it meanwhile: this is what it says now.
    Outdated(ReplyTemplate),
    /// The company has as many as it can have.
    TooMany,
}

row! {
    struct ReplyRow {
        id: String,
        record: String,
        updated_at: i64,
    }
}

impl Accounts<'_> {
    /// By their names.
    pub async fn reply_templates(self, account: AccountId) -> Result<Vec<ReplyTemplate>, StoreError> {
        let keys = self.store.encryption().data_keys(account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            ReplyRow,
            "SELECT id, record, updated_at FROM reply_template WHERE account_id = $1 ORDER BY id",
            account.to_string()
        )?;
        let read = |ReplyRow { id, record, updated_at }: ReplyRow| {
            let text = from_json("reply template", &id, &keys.open(Field::ReplyTemplate, &id, record)?)?;
            Ok(ReplyTemplate {
                id: parse_id("reply template", &id)?,
                text,
                updated_at: Timestamp::from_micros(updated_at),
            })
        };
        let mut all = rows.into_iter().map(read).collect::<Result<Vec<_>, StoreError>>()?;
        all.cold_sort_by_key(|template| template.text.name.to_lowercase());
        Ok(all)
    }

    /// A new one, or a changed one with the time at which it was last changed as it was shown.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for one that is deleted or another company's.
    pub async fn save_reply_template(
        self,
        account: AccountId,
        old: Option<(ReplyId, Timestamp)>,
        text: &ReplyText,
    ) -> Result<ReplyChange, StoreError> {
        let keys = self.store.encryption().data_keys(account).await?;
        let id = match old {
            Some((id, _)) => id,
            None => ReplyId(self.store.new_id()?),
        };
        let row = id.to_string();
        let sealed = keys.seal(Field::ReplyTemplate, &row, &to_json(text)?.to_string())?;
        let now = self.store.now();
        transact!(self.store.db, |tx| {
            let Some((_, seen)) = old else {
                let found = fetch_optional!(
                    tx,
                    (i64,),
                    "SELECT COUNT(*) FROM reply_template WHERE account_id = $1",
                    account.to_string()
                )?;
                if found.is_some_and(|(count,)| usize::try_from(count).is_ok_and(|count| count >= MAX_TEMPLATES)) {
                    return Ok(ReplyChange::TooMany);
                }
                execute!(
                    tx,
                    "INSERT INTO reply_template (id, account_id, record, updated_at) VALUES ($1, $2, $3, $4)",
                    &row,
                    account.to_string(),
                    &sealed,
                    now.micros()
                )?;
                return Ok(ReplyChange::Done);
            };
            // Setting a column to itself locks the row.
            let found = fetch_optional!(
                tx,
                ReplyRow,
                "UPDATE reply_template SET updated_at = updated_at WHERE id = $1 AND account_id = $2
                 RETURNING id, record, updated_at",
                &row,
                account.to_string()
            )?;
            let ReplyRow { record, updated_at, .. } = found.ok_or(StoreError::NotFound)?;
            let stored: ReplyText = from_json("reply template", &row, &keys.open(Field::ReplyTemplate, &row, record)?)?;
            if stored == *text {
                return Ok(ReplyChange::Done);
            }
            let at = Timestamp::from_micros(updated_at);
            if at != seen {
                return Ok(ReplyChange::Outdated(ReplyTemplate { id, text: stored, updated_at: at }));
            }
            execute!(
                tx,
                "UPDATE reply_template SET record = $2, updated_at = $3 WHERE id = $1",
                &row,
                &sealed,
                now.micros().max(updated_at + 1)
            )?;
            Ok(ReplyChange::Done)
        })
    }

    pub async fn delete_reply_template(self, account: AccountId, id: ReplyId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            require_row(execute!(
                tx,
                "DELETE FROM reply_template WHERE id = $1 AND account_id = $2",
                id.to_string(),
                account.to_string()
            )?)
        })
    }
}
