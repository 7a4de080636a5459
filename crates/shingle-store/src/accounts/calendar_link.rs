//! Links by which a calendar reads inspections: one of each person, and one of the company.
//!
//! # Decision
//!
//! What is stored is a version that the link's signature covers, so a link can be shown again and a copy of the database
//! holds none. A new link counts the version on, which ends the old one.

use shingle_domain::{AccountId, UserId};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_optional, transact};

/// Whose inspections a calendar reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarOwner {
    Person(UserId),
    Company,
}

impl CalendarOwner {
    fn column(self) -> String {
        match self {
            Self::Person(user) => user.to_string(),
            Self::Company => String::new(),
        }
    }
}

impl Accounts<'_> {
    /// The version of the link that works; `None`: there is no link now.
    pub async fn calendar_link(self, account: AccountId, of: CalendarOwner) -> Result<Option<i64>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (i64,),
            "SELECT version FROM calendar_link WHERE account_id = $1 AND user_id = $2 AND is_on",
            account.to_string(),
            of.column()
        )?;
        Ok(row.map(|(version,)| version))
    }

    /// Makes a link. One that was there before works no longer.
    pub async fn renew_calendar_link(self, account: AccountId, of: CalendarOwner) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO calendar_link (account_id, user_id, version, is_on) VALUES ($1, $2, 1, $3)
                 ON CONFLICT (account_id, user_id) DO UPDATE SET version = calendar_link.version + 1, is_on = $3",
                account.to_string(),
                of.column(),
                true
            )?;
            self.store.audit().note_change(tx, account, Change::CalendarLinkMade, &of.column(), "").await
        })
    }

    /// Ends the link, if there is one.
    pub async fn end_calendar_link(self, account: AccountId, of: CalendarOwner) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| { self.end(tx, account, of).await })
    }

    /// An owner who is one no longer may know the company's link.
    pub(crate) async fn end_company_calendar(self, tx: &mut Tx<'_>, account: AccountId) -> Result<(), StoreError> {
        self.end(tx, account, CalendarOwner::Company).await
    }

    async fn end(self, tx: &mut Tx<'_>, account: AccountId, of: CalendarOwner) -> Result<(), StoreError> {
        let ended = execute!(
            tx,
            "UPDATE calendar_link SET is_on = $3 WHERE account_id = $1 AND user_id = $2 AND is_on",
            account.to_string(),
            of.column(),
            false
        )?;
        if ended > 0 {
            self.store.audit().note_change(tx, account, Change::CalendarLinkEnded, &of.column(), "").await?;
        }
        Ok(())
    }
}
