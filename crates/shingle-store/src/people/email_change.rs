//! Changing a user's email address: it takes effect once the mailed code is typed.

use std::time::Duration;

use shingle_domain::{Email, UserId};
use subtle::ConstantTimeEq as _;

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::people::person::of_person;
use crate::people::user::kept;

pub const EMAIL_CHANGE_LIFETIME: Duration = Duration::from_secs(15 * 60);
pub(crate) const TRIES: i64 = 5;

/// What became of a code.
#[derive(Debug, PartialEq, Eq)]
pub enum EmailChange {
    Done,
    Wrong,
    /// It is over, used, or was wrong too often.
    Ended,
    /// Somebody else has the address by now.
    Taken,
}

/// Six digits.
pub(crate) fn new_code() -> Result<String, StoreError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(StoreError::Random)?;
    Ok(format!("{:06}", u64::from_be_bytes(bytes) % 1_000_000))
}

impl People<'_> {
    /// The code, for a mail to the new address. One that was asked for before is good no more.
    pub async fn ask_for_email(self, user: UserId, email: &Email) -> Result<String, StoreError> {
        let code = new_code()?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_email_change (user_id, email, code, tries_left, created_at) VALUES ($1, $2, $3, $4, $5)
                 ON CONFLICT (user_id) DO UPDATE SET email = excluded.email, code = excluded.code,
                     tries_left = excluded.tries_left, created_at = excluded.created_at",
                user.to_string(),
                kept(email),
                self.email_code(user, &code),
                TRIES,
                self.store.now().micros()
            )?;
            Ok(())
        })?;
        Ok(code)
    }

    fn email_code(self, user: UserId, code: &str) -> String {
        self.store.hashes.portal("email change", &format!("{user} {code}"))
    }

    /// The address that a code was mailed to and that can still be confirmed.
    pub async fn asked_email(self, user: UserId) -> Result<Option<Email>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT email FROM portal_email_change WHERE user_id = $1 AND tries_left > 0 AND created_at > $2",
            user.to_string(),
            (self.store.now() - EMAIL_CHANGE_LIFETIME).micros()
        )?;
        Ok(row.and_then(|(email,)| Email::parse(&email)))
    }

    /// Links that were mailed to the old address end with it.
    pub async fn confirm_email(self, user: UserId, code: &str) -> Result<EmailChange, StoreError> {
        let typed: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let (id, after) = (user.to_string(), (self.store.now() - EMAIL_CHANGE_LIFETIME).micros());
        transact!(self.store.db, |tx| {
            let asked = fetch_optional!(
                tx,
                (String, String),
                "UPDATE portal_email_change SET tries_left = tries_left - 1
                  WHERE user_id = $1 AND tries_left > 0 AND created_at > $2 RETURNING email, code",
                &id,
                after
            )?;
            let Some((email, expected)) = asked else { return Ok(EmailChange::Ended) };
            if !bool::from(self.email_code(user, &typed).as_bytes().ct_eq(expected.as_bytes())) {
                return Ok(EmailChange::Wrong);
            }
            execute!(tx, "DELETE FROM portal_email_change WHERE user_id = $1", &id)?;
            self.one_at_a_time(tx).await?;
            execute!(tx, concat!("DELETE FROM portal_sign_in WHERE user_id IN ", of_person!("$1")), &id)?;
            let rows = fetch_all!(
                tx,
                (String, Option<String>),
                concat!(
                    "UPDATE portal_user SET email = $2 WHERE disabled_at IS NULL
                        AND NOT EXISTS (SELECT 1 FROM portal_user AS other WHERE other.email = $2) AND id IN ",
                    of_person!("$1"),
                    " RETURNING id, account_id"
                ),
                &id,
                &email
            )?;
            if rows.is_empty() {
                return Ok(EmailChange::Taken);
            }
            self.note_in_each(tx, rows, Change::UserEmailChanged, "").await?;
            Ok(EmailChange::Done)
        })
    }
}
