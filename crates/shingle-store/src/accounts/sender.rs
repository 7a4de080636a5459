//! Who the emails of a company to homeowners are from. An address counts once the code that was mailed there is typed.

use shingle_domain::{AccountId, Email};
use subtle::ConstantTimeEq as _;

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::people::email_change::{EMAIL_CHANGE_LIFETIME, EmailChange, TRIES, new_code};
use crate::store::refuse_nul;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    pub name: String,
    pub email: Email,
}

impl Sender {
    fn of((name, email): (String, String)) -> Option<Self> {
        Some(Self { email: Email::parse(&email)?, name })
    }
}

impl Accounts<'_> {
    /// The one whose address is proved.
    pub async fn sender(self, account: AccountId) -> Result<Option<Sender>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String),
            "SELECT name, email FROM company_sender WHERE account_id = $1",
            account.to_string()
        )?;
        Ok(row.and_then(Sender::of))
    }

    /// The one whose code can still be typed.
    pub async fn asked_sender(self, account: AccountId) -> Result<Option<Sender>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String),
            "SELECT asked_name, asked_email FROM company_sender
              WHERE account_id = $1 AND tries_left > 0 AND asked_at > $2",
            account.to_string(),
            (self.store.now() - EMAIL_CHANGE_LIFETIME).micros()
        )?;
        Ok(row.and_then(Sender::of))
    }

    fn sender_code(self, account: AccountId, code: &str) -> String {
        self.store.hashes.portal("sender", &format!("{account} {code}"))
    }

    /// The code, for a mail to the address. One that was asked for before is good no more.
    pub async fn ask_for_sender(self, account: AccountId, sender: &Sender) -> Result<String, StoreError> {
        refuse_nul(&sender.name)?;
        let code = new_code()?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO company_sender (account_id, asked_name, asked_email, code, tries_left, asked_at)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (account_id) DO UPDATE SET asked_name = excluded.asked_name,
                     asked_email = excluded.asked_email, code = excluded.code, tries_left = excluded.tries_left,
                     asked_at = excluded.asked_at",
                account.to_string(),
                &sender.name,
                sender.email.as_str(),
                self.sender_code(account, &code),
                TRIES,
                self.store.now().micros()
            )?;
            Ok(())
        })?;
        Ok(code)
    }

    pub async fn confirm_sender(self, account: AccountId, code: &str) -> Result<EmailChange, StoreError> {
        let typed: String = code.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let (id, after) = (account.to_string(), (self.store.now() - EMAIL_CHANGE_LIFETIME).micros());
        transact!(self.store.db, |tx| {
            let asked = fetch_optional!(
                tx,
                (String, String),
                "UPDATE company_sender SET tries_left = tries_left - 1
                  WHERE account_id = $1 AND tries_left > 0 AND asked_at > $2 RETURNING asked_email, code",
                &id,
                after
            )?;
            let Some((email, expected)) = asked else { return Ok(EmailChange::Ended) };
            if !bool::from(self.sender_code(account, &typed).as_bytes().ct_eq(expected.as_bytes())) {
                return Ok(EmailChange::Wrong);
            }
            execute!(
                tx,
                "UPDATE company_sender SET name = asked_name, email = asked_email, asked_name = '', asked_email = '',
                        code = '', tries_left = 0
                  WHERE account_id = $1",
                &id
            )?;
            self.store.audit().note_change(tx, account, Change::SenderSet, "", &email).await?;
            Ok(EmailChange::Done)
        })
    }

    /// Of the address that is proved.
    pub async fn rename_sender(self, account: AccountId, name: &str) -> Result<(), StoreError> {
        refuse_nul(name)?;
        transact!(self.store.db, |tx| {
            let changed = execute!(
                tx,
                "UPDATE company_sender SET name = $2 WHERE account_id = $1 AND email <> '' AND name <> $2",
                account.to_string(),
                name
            )?;
            if changed == 0 {
                return Ok(());
            }
            self.store.audit().note_change(tx, account, Change::SenderSet, "", name).await
        })
    }

    pub async fn remove_sender(self, account: AccountId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            let gone = execute!(tx, "DELETE FROM company_sender WHERE account_id = $1", account.to_string())?;
            if gone == 0 {
                return Ok(());
            }
            self.store.audit().note_change(tx, account, Change::SenderSet, "", "").await
        })
    }
}
