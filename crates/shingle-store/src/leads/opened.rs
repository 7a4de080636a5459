//! Which leads a user of the portal has opened.

use shingle_domain::{LeadId, UserId};

use crate::StoreError;
use crate::engine::db::{Db, execute, fetch_all, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::store::{given_ids, parse_id};

macro_rules! select_read {
    ($given:expr) => {
        concat!($given, "SELECT lead_id FROM portal_lead_view JOIN given ON given.id = lead_id WHERE user_id = $2")
    };
}

impl Leads<'_> {
    /// Those of `leads` that this user has not opened, in their order.
    pub async fn unread(self, user: UserId, leads: &[LeadId]) -> Result<Vec<LeadId>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_read!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_read!(dialect::given_rows!(postgres: id text)),
        };
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, (String,), select, given_ids(leads)?, user.to_string())?;
        let read: Vec<LeadId> = rows.iter().map(|(id,)| parse_id("lead", id)).collect::<Result<_, _>>()?;
        Ok(leads.iter().filter(|id| !read.contains(id)).copied().collect())
    }

    pub async fn note_read(self, user: UserId, lead: LeadId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_lead_view (user_id, lead_id, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                user.to_string(),
                lead.to_string(),
                self.store.now().micros()
            )?;
            Ok(())
        })
    }
}
