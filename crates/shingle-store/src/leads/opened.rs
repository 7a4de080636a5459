//! Which leads a user of the portal has opened.

use shingle_domain::{LeadId, UserId};

use crate::engine::db::{Db, execute, fetch_all, transact};
use crate::engine::dialect;
use crate::store::{given_ids, parse_id};
use crate::{Store, StoreError};

macro_rules! select_read {
    ($given:expr) => {
        concat!($given, "SELECT lead_id FROM portal_lead_view JOIN given ON given.id = lead_id WHERE user_id = $2")
    };
}

impl Store {
    /// Those of `leads` that this user has not opened, in their order.
    pub async fn unread_leads(&self, user: UserId, leads: &[LeadId]) -> Result<Vec<LeadId>, StoreError> {
        let select = match self.db {
            Db::Sqlite { .. } => select_read!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_read!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.db.read().await?;
        let rows = fetch_all!(reader, (String,), select, given_ids(leads)?, user.to_string())?;
        let read: Vec<LeadId> = rows.iter().map(|(id,)| parse_id("lead", id)).collect::<Result<_, _>>()?;
        Ok(leads.iter().filter(|id| !read.contains(id)).copied().collect())
    }

    pub async fn note_lead_read(&self, user: UserId, lead: LeadId) -> Result<(), StoreError> {
        transact!(self.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_lead_view (user_id, lead_id, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                user.to_string(),
                lead.to_string(),
                self.now().micros()
            )?;
            Ok(())
        })
    }
}
