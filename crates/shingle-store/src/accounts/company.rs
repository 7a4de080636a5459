//! A company's profile, used for all its future widgets.

use shingle_domain::{AccountId, HexColor};

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

/// What a company's people see in place of our name, color and picture: an agency's clients know the agency.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Brand {
    /// Empty: ours.
    pub name: String,
    pub color: Option<HexColor>,
    /// Below the storage's root.
    pub logo: Option<String>,
}

row! {
    struct BrandRow {
        brand_name: String,
        brand_color: String,
        brand_logo: String,
    }
}

impl Accounts<'_> {
    pub async fn brand(self, account: AccountId) -> Result<Brand, StoreError> {
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(
            reader,
            BrandRow,
            "SELECT brand_name, brand_color, brand_logo FROM portal_company WHERE account_id = $1",
            account.to_string()
        )?;
        Ok(row.map_or_else(Brand::default, |row| Brand {
            name: row.brand_name,
            color: HexColor::parse(&row.brand_color),
            logo: Some(row.brand_logo).filter(|path| !path.is_empty()),
        }))
    }

    pub async fn set_brand(self, account: AccountId, brand: &Brand) -> Result<(), StoreError> {
        refuse_nul(&brand.name)?;
        transact!(self.store.db, |tx| {
            execute!(
                tx,
                "INSERT INTO portal_company (account_id, phone, website, brand_name, brand_color, brand_logo)
                 VALUES ($1, '', '', $2, $3, $4)
                 ON CONFLICT (account_id) DO UPDATE SET brand_name = excluded.brand_name,
                     brand_color = excluded.brand_color, brand_logo = excluded.brand_logo",
                account.to_string(),
                &brand.name,
                brand.color.as_ref().map_or("", HexColor::as_str),
                brand.logo.as_deref().unwrap_or_default()
            )?;
            self.store.audit().note_change(tx, account, Change::BrandSet, "", "").await
        })
    }

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
