//! What the portal's streams watch: whether a lead arrived, and whether their sessions are still valid.

use shingle_domain::{SessionId, Tenant};

use crate::db::{Db, fetch_all, fetch_optional};
use crate::store::{columns, given_ids, parse_id};
use crate::user_session::{SESSION_IDLE, SESSION_LIFETIME};
use crate::{Store, StoreError, dialect};

macro_rules! select_good {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT portal_session.id FROM portal_session JOIN given ON given.id = portal_session.id
               JOIN portal_user ON portal_user.id = user_id
              WHERE portal_session.created_at > $2 AND last_used_at > $3 AND disabled_at IS NULL"
        )
    };
}

impl Store {
    /// The id of the lead that came last, spam aside.
    pub async fn newest_lead(&self, tenant: &Tenant) -> Result<Option<String>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String,),
            "SELECT id FROM lead WHERE account_id = $1 AND environment = $2 AND status <> 'spam'
              ORDER BY created_at DESC, id DESC LIMIT 1",
            &account,
            environment
        )?;
        Ok(row.map(|(id,)| id))
    }

    /// Those of `sessions` that were not ended. It does not count as use: a page that is left open keeps nobody signed
    /// in.
    pub async fn good_sessions(&self, sessions: &[SessionId]) -> Result<Vec<SessionId>, StoreError> {
        let now = self.now();
        let select = match self.db {
            Db::Sqlite { .. } => select_good!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_good!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String,),
            select,
            given_ids(sessions)?,
            (now - SESSION_LIFETIME).micros(),
            (now - SESSION_IDLE).micros()
        )?;
        rows.iter().map(|(id,)| parse_id("session", id)).collect()
    }
}
