//! Why a lead was lost. It is the company's own: no event carries it.

use std::collections::HashMap;

use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::Loss;
use shingle_domain::{LeadId, Tenant};

use crate::StoreError;
use crate::encryption::data_key::Field;
use crate::engine::db::{Db, Tx, execute, fetch_all, fetch_optional, transact};
use crate::engine::dialect;
use crate::leads::Leads;
use crate::leads::work::{EntryKind, mark_changed};
use crate::people::user::User;
use crate::store::{given_ids, parse_id};

row! {
    struct LossRow {
        loss: Option<String>,
        loss_more: Option<String>,
    }
}

row! {
    struct LossOfRow {
        lead_id: String,
        loss: String,
        loss_more: Option<String>,
    }
}

macro_rules! select_losses {
    ($given:expr) => {
        concat!(
            $given,
            "SELECT lead_id, loss, loss_more FROM lead_work JOIN given ON given.id = lead_id
              WHERE account_id = $2 AND loss IS NOT NULL"
        )
    };
}

impl Leads<'_> {
    /// `None`: it is not lost, or nobody has said why.
    pub async fn loss(self, tenant: &Tenant, lead: LeadId) -> Result<Option<Loss>, StoreError> {
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let id = lead.to_string();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            LossRow,
            "SELECT loss, loss_more FROM lead_work WHERE lead_id = $1 AND account_id = $2",
            &id,
            tenant.account.to_string()
        )?;
        let Some((reason, more)) = row.and_then(|row| Some((row.loss?.parse().ok()?, row.loss_more))) else {
            return Ok(None);
        };
        let more = more.map(|more| keys.open(Field::LeadLossMore, &id, more)).transpose()?;
        Ok(Some(Loss { reason, more }))
    }

    pub(crate) async fn loss_in(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
    ) -> Result<Option<Loss>, StoreError> {
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let id = lead.to_string();
        let sql = "SELECT loss, loss_more FROM lead_work WHERE lead_id = $1 AND account_id = $2";
        let row = fetch_optional!(tx, LossRow, sql, &id, tenant.account.to_string())?;
        let Some((reason, more)) = row.and_then(|row| Some((row.loss?.parse().ok()?, row.loss_more))) else {
            return Ok(None);
        };
        let more = more.map(|more| keys.open(Field::LeadLossMore, &id, more)).transpose()?;
        Ok(Some(Loss { reason, more }))
    }

    /// Why these were lost; the others are left out.
    pub async fn losses(self, tenant: &Tenant, leads: &[LeadId]) -> Result<HashMap<LeadId, Loss>, StoreError> {
        let select = match self.store.db {
            Db::Sqlite { .. } => select_losses!(dialect::given_rows!(sqlite: id text)),
            Db::Postgres(_) => select_losses!(dialect::given_rows!(postgres: id text)),
        };
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(reader, LossOfRow, select, given_ids(leads)?, tenant.account.to_string())?;
        let mut losses = HashMap::new();
        for LossOfRow { lead_id, loss, loss_more } in rows {
            let Ok(reason) = loss.parse() else { continue };
            let more = loss_more.map(|more| keys.open(Field::LeadLossMore, &lead_id, more)).transpose()?;
            losses.insert(parse_id("lead", &lead_id)?, Loss { reason, more });
        }
        Ok(losses)
    }

    pub(crate) async fn put_loss(
        self,
        tx: &mut Tx<'_>,
        tenant: &Tenant,
        lead: LeadId,
        loss: Option<&Loss>,
    ) -> Result<(), StoreError> {
        let Some(loss) = loss else { return forget_loss(tx, lead).await };
        let id = lead.to_string();
        let keys = self.store.encryption().data_keys_in(tx, tenant.account).await?;
        let more = keys.seal_some(Field::LeadLossMore, &id, loss.more.as_deref())?;
        execute!(
            tx,
            "INSERT INTO lead_work (lead_id, account_id, loss, loss_more) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (lead_id) DO UPDATE SET loss = excluded.loss, loss_more = excluded.loss_more",
            &id,
            tenant.account.to_string(),
            loss.reason.as_str(),
            more
        )?;
        Ok(())
    }

    /// # Errors
    /// [`StoreError::Outdated`] where the lead is not lost any more.
    pub async fn set_loss(self, tenant: &Tenant, lead: LeadId, by: &User, loss: &Loss) -> Result<(), StoreError> {
        let is_same = self.loss(tenant, lead).await?.as_ref() == Some(loss);
        transact!(self.store.db, |tx| {
            let locked = self.lock_open(tx, tenant, lead).await?;
            if locked.status != LeadStatus::Lost {
                return Err(StoreError::Outdated);
            }
            if is_same {
                return Ok(());
            }
            self.put_loss(tx, tenant, lead, Some(loss)).await?;
            let told = match &loss.more {
                Some(more) => format!("{}\n{more}", loss.reason.as_str()),
                None => loss.reason.as_str().to_owned(),
            };
            mark_changed(tx, lead).await?;
            self.add_entry(tx, tenant, lead, by, EntryKind::Lost, &told).await
        })
    }
}

/// It is not lost any more.
pub(crate) async fn forget_loss(tx: &mut Tx<'_>, lead: LeadId) -> Result<(), StoreError> {
    execute!(tx, "UPDATE lead_work SET loss = NULL, loss_more = NULL WHERE lead_id = $1", lead.to_string())?;
    Ok(())
}
