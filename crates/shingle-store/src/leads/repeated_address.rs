//! Addresses that many leads of a day name: a prank, a competitor, or somebody who reads estimates out. Counted from the
//! leads themselves, so it knows nothing of a lead that was erased.
//!
//! # Decision
//!
//! Addresses that many leads name are counted from the leads on request. Turned down: a table of requested addresses,
//! which would keep homes nobody left a lead for.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::lead::Lead;
use shingle_domain::{LeadId, Tenant, Timestamp, WidgetId};

use crate::StoreError;
use crate::encryption::data_key::Field;
use crate::engine::db::fetch_all;
use crate::leads::Leads;
use crate::store::{columns, from_json};

/// So many leads of one address and day are worth a look.
const WORTH_A_LOOK: i64 = 5;
/// The worst; nobody reads more.
const MAX_ADDRESSES: i64 = 100;

/// An address that leads of one widget named again and again on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepeatedAddress {
    /// Id of the widget. Example: `7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11`
    pub widget_id: WidgetId,
    /// The address, as the newest of these leads has it. Example: `14 Alder Court, Harrow Falls, ME 04995`
    pub address: String,
    /// The day, in UTC. Example: `2026-11-22`
    pub day: String,
    /// How many leads of that day name it. Example: `6`
    pub leads: i64,
    /// Of these, the ones that no person seems to have sent. Example: `3`
    pub suspect: i64,
    /// Id of the newest of them. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    pub newest_lead: LeadId,
}

row! {
    struct CountedRow {
        leads: i64,
        suspect: i64,
        id: String,
        record: String,
    }
}

impl Leads<'_> {
    /// The most repeated first.
    pub async fn repeated_addresses(
        self,
        tenant: &Tenant,
        since: Timestamp,
    ) -> Result<Vec<RepeatedAddress>, StoreError> {
        let (account, environment) = columns(tenant);
        let keys = self.store.encryption().data_keys(tenant.account).await?;
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            CountedRow,
            "SELECT day.leads, day.suspect, lead.id, lead.record
               FROM (SELECT widget_id, COUNT(*) AS leads,
                            SUM(CASE WHEN status = 'spam' THEN 1 ELSE 0 END) AS suspect, MAX(id) AS newest
                       FROM lead
                      WHERE account_id = $1 AND environment = $2 AND created_at >= $3 AND record IS NOT NULL
                      GROUP BY widget_id, address_hash, created_at / 86400000000
                     HAVING COUNT(*) >= $4) AS day
               JOIN lead ON lead.id = day.newest
              ORDER BY day.leads DESC, lead.id DESC LIMIT $5",
            &account,
            environment,
            since.micros(),
            WORTH_A_LOOK,
            MAX_ADDRESSES
        )?;
        rows.into_iter()
            .map(|CountedRow { leads, suspect, id, record }| {
                let newest: Lead = from_json("lead", &id, &keys.open(Field::LeadRecord, &id, record)?)?;
                Ok(RepeatedAddress {
                    widget_id: newest.widget_id,
                    address: newest.address,
                    day: newest.created_at.date().to_string(),
                    leads,
                    suspect,
                    newest_lead: newest.id,
                })
            })
            .collect()
    }
}
