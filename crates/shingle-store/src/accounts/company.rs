//! A company's profile, used for all its future widgets.

use shingle_domain::AccountId;

use crate::StoreError;
use crate::accounts::Accounts;
use crate::audit::change::Change;
use crate::engine::db::{execute, fetch_optional, transact};
use crate::store::refuse_nul;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Company {
    pub phone: String,
    pub website: String,
}

impl Accounts<'_> {
    /// Empty where nothing was said.
    pub async fn company(self, account: AccountId) -> Result<Company, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            (String, String),
            "SELECT phone, website FROM portal_company WHERE account_id = $1",
            account.to_string()
        )?;
        Ok(row.map(|(phone, website)| Company { phone, website }).unwrap_or_default())
    }

    /// Writes down that everything was copied out.
    pub async fn note_export(self, account: AccountId) -> Result<(), StoreError> {
        transact!(self.store.db, |tx| {
            self.store.audit().note_change(tx, account, Change::AccountExported, "", "").await
        })
    }

    pub async fn set_company(self, account: AccountId, company: &Company) -> Result<(), StoreError> {
        refuse_nul(&company.phone)?;
        refuse_nul(&company.website)?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_company (account_id, phone, website) VALUES ($1, $2, $3)
                 ON CONFLICT (account_id) DO UPDATE SET phone = excluded.phone, website = excluded.website",
                account.to_string(),
                &company.phone,
                &company.website
            )?;
            self.store.audit().note_change(tx, account, Change::CompanySet, "", "").await
        })
    }
}
