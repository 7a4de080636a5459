//! An operator who looks at a company's portal, as its owner sees it, for an hour.

use std::time::Duration;

use shingle_domain::{AccountId, SessionId, Timestamp};

use crate::StoreError;
use crate::audit::change::Change;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::people::People;
use crate::store::parse_id;

pub const VISIT_LIFETIME: Duration = Duration::from_secs(3_600);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    pub account: AccountId,
    pub expires_at: Timestamp,
}

impl People<'_> {
    /// Of this one browser of an operator. A visit that goes on ends. It is in the log of the account.
    pub async fn begin_visit(self, session: SessionId, account: AccountId) -> Result<Visit, StoreError> {
        let visit = Visit { account, expires_at: self.store.now() + VISIT_LIFETIME };
        transact!(self.store.db, |tx| {
            let earlier = fetch_optional!(
                tx,
                (String, i64),
                "SELECT account_id, expires_at FROM portal_visit WHERE session_id = $1",
                session.to_string()
            )?;
            fetch_optional!(tx, (String,), "SELECT id FROM account WHERE id = $1", account.to_string())?
                .ok_or(StoreError::NotFound)?;
            execute!(
                tx,
                "INSERT INTO portal_visit (session_id, account_id, expires_at) VALUES ($1, $2, $3)
                 ON CONFLICT (session_id) DO UPDATE SET account_id = $2, expires_at = $3",
                session.to_string(),
                account.to_string(),
                visit.expires_at.micros()
            )?;
            if let Some((earlier, expires_at)) = earlier {
                let ran_out = expires_at <= self.store.now().micros();
                let change = if ran_out { Change::VisitRanOut } else { Change::AccountLeft };
                self.store.audit().note_change(tx, parse_id::<AccountId>("account", &earlier)?, change, "", "").await?;
            }
            self.store.audit().note_change(tx, account, Change::AccountOpened, "", "").await
        })?;
        Ok(visit)
    }

    /// `None` without one, or no more.
    pub async fn find_visit(self, session: SessionId) -> Result<Option<Visit>, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, i64),
            "SELECT account_id, expires_at FROM portal_visit WHERE session_id = $1 AND expires_at > $2",
            session.to_string(),
            self.store.now().micros()
        )?;
        row.map(|(account, expires_at)| {
            Ok(Visit { account: parse_id("account", &account)?, expires_at: Timestamp::from_micros(expires_at) })
        })
        .transpose()
    }

    pub async fn end_visit(self, session: SessionId) -> Result<(), StoreError> {
        let Some(visit) = self.find_visit(session).await? else { return Ok(()) };
        transact!(self.store.db, |tx| {
            let ended = execute!(tx, "DELETE FROM portal_visit WHERE session_id = $1", session.to_string())?;
            if ended == 1 {
                self.store.audit().note_change(tx, visit.account, Change::AccountLeft, "", "").await
            } else {
                Ok(())
            }
        })
    }

    /// Of every browser. The end is in the log of the account, like the beginning.
    pub(crate) async fn end_visits_that_ran_out(self, tx: &mut Tx<'_>) -> Result<u64, StoreError> {
        let now = self.store.now().micros();
        let over = fetch_all!(tx, (String,), "SELECT account_id FROM portal_visit WHERE expires_at <= $1", now)?;
        for (account,) in over {
            self.store
                .audit()
                .note_change(tx, parse_id::<AccountId>("account", &account)?, Change::VisitRanOut, "", "")
                .await?;
        }
        Ok(execute!(tx, "DELETE FROM portal_visit WHERE expires_at <= $1", now)?)
    }
}
