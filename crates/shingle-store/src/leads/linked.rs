//! Leads that are probably of the same person or home, through any widget.

use shingle_domain::lead::{Lead, Same};
use shingle_domain::{Email, LeadId, Phone, Tenant};

use crate::StoreError;
use crate::engine::db::fetch_all;
use crate::leads::Leads;
use crate::store::{columns, parse_id};

/// That are named of one lead.
const MAX_LINKED: i64 = 20;

impl Leads<'_> {
    /// The newest first, without itself. In place of a lead that was merged stands the one it was merged into. What they have in common is the e-mail address or the phone number, or the
    /// address.
    pub async fn linked(self, tenant: &Tenant, lead: &Lead) -> Result<Vec<(LeadId, Same)>, StoreError> {
        let of_lead = (lead.email.as_ref(), lead.phone.as_ref(), lead.address.as_str());
        self.alike(tenant, of_lead, Some(lead.id)).await
    }

    /// The newest first, by what somebody types. Without `except`.
    pub async fn alike(
        self,
        tenant: &Tenant,
        (email, phone, address): (Option<&Email>, Option<&Phone>, &str),
        except: Option<LeadId>,
    ) -> Result<Vec<(LeadId, Same)>, StoreError> {
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            (String, i64),
            "SELECT id, CAST(MAX(person) AS BIGINT) FROM (
                SELECT COALESCE(merged_into, id) AS id, 1 AS person FROM lead
                 WHERE account_id = $1 AND environment = $2 AND email_hash = $3
                UNION ALL
                SELECT COALESCE(merged_into, id) AS id, 1 AS person FROM lead
                 WHERE account_id = $1 AND environment = $2 AND phone_hash = $4
                UNION ALL
                SELECT COALESCE(lead.merged_into, lead.id) AS id, 0 AS person FROM widget JOIN lead ON lead.widget_id = widget.id AND lead.address_hash = $5
                 WHERE widget.account_id = $1 AND widget.environment = $2) AS found
              WHERE id <> $6 GROUP BY id ORDER BY id DESC LIMIT $7",
            &account,
            environment,
            email.map(|email| self.store.hashes.email(email)),
            phone.map(|phone| self.store.hashes.phone(phone)),
            self.store.hashes.address(address),
            except.map(|id| id.to_string()).unwrap_or_default(),
            MAX_LINKED
        )?;
        rows.into_iter()
            .map(|(id, person)| Ok((parse_id("lead", &id)?, if person == 1 { Same::Person } else { Same::Home })))
            .collect()
    }
}
