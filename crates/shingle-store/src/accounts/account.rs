//! Accounts, as the operator manages them. These functions take no tenant.
//!
//! # Decision
//!
//! An account is unmetered until it is first credited; from then on it is prepaid, and a zero balance refuses
//! production look-ups. A new installation must answer its first request. Turned down: credit from the start.

use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Environment, Tenant, Timestamp, Usd};

use crate::StoreError;
use crate::accounts::Accounts;
use crate::accounts::api_request::RequestKey;
use crate::accounts::closing::Closing;
use crate::audit::change::Change;
use crate::engine::caches::raise_revision;
use crate::engine::db::{Tx, execute, fetch_all, fetch_optional, transact};
use crate::store::{parse_id, refuse_nul, require_row};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    pub name: String,
    pub paused: bool,
    /// `None`: it is open.
    pub closing: Option<Closing>,
    /// `None`: not prepaid, look-ups are not metered against money.
    pub balance: Option<Usd>,
    /// Look-ups in a calendar month (UTC); `None`: no limit.
    pub monthly_limit: Option<u64>,
    /// Production look-ups billed or in progress this month.
    pub used_this_month: u64,
    /// Products that may be called, in the order of the contract.
    pub products: Vec<Product>,
    pub created_at: Timestamp,
}

/// The largest balance and the largest single credit: sums stay far below the limits of 64 bits.
const MAX_BALANCE_CENTS: i64 = 100_000_000_000_000;

row! {
    struct AccountRow {
        id: String,
        name: String,
        paused_at: Option<i64>,
        closed_at: Option<i64>,
        erased_at: Option<i64>,
        balance_cents: Option<i64>,
        monthly_limit: Option<i64>,
        used: i64,
        created_at: i64,
    }
}

type ProductRow = (String, String, bool);

impl Accounts<'_> {
    pub async fn create(self, name: &str) -> Result<Account, StoreError> {
        refuse_nul(name)?;
        let id = AccountId(self.store.new_id()?);
        transact!(self.store.db, |tx| { self.insert(tx, id, name).await })?;
        self.account(id).await
    }

    pub(crate) async fn insert(self, tx: &mut Tx<'_>, id: AccountId, name: &str) -> Result<(), StoreError> {
        execute!(
            tx,
            // It has no row that its first data key has not encrypted.
            "INSERT INTO account (id, name, created_at, updated_at, encrypted_with) VALUES ($1, $2, $3, $3, 1)",
            id.to_string(),
            name,
            self.store.now().micros()
        )?;
        self.store.encryption().make_data_key(tx, id).await?;
        self.store.audit().note_change(tx, id, Change::AccountCreated, "", "").await
    }

    /// Oldest first.
    pub async fn list(self) -> Result<Vec<Account>, StoreError> {
        self.accounts(None).await
    }

    pub async fn find(self, id: AccountId) -> Result<Option<Account>, StoreError> {
        Ok(self.accounts(Some(id)).await?.pop())
    }

    pub async fn is_closed(self, id: AccountId) -> Result<bool, StoreError> {
        let mut reader = self.store.db.read().await?;
        let closed = fetch_optional!(
            reader,
            (i64,),
            "SELECT closed_at FROM account WHERE id = $1 AND closed_at IS NOT NULL",
            id.to_string()
        )?;
        Ok(closed.is_some())
    }

    /// Every call of the account is refused from now on, sandbox calls too. Pausing twice changes nothing.
    pub async fn pause(self, id: AccountId) -> Result<Account, StoreError> {
        let sql = "UPDATE account SET paused_at = COALESCE(paused_at, $2), updated_at = $2 WHERE id = $1";
        self.set_paused(id, sql, Change::AccountPaused).await
    }

    pub async fn resume(self, id: AccountId) -> Result<Account, StoreError> {
        let sql = "UPDATE account SET paused_at = NULL, updated_at = $2 WHERE id = $1";
        self.set_paused(id, sql, Change::AccountResumed).await
    }

    async fn set_paused(self, id: AccountId, sql: &'static str, change: Change) -> Result<Account, StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            require_row(execute!(tx, sql, &account, now.micros())?)?;
            self.store.audit().note_change(tx, id, change, "", "").await?;
            raise_revision(tx).await
        })?;
        drop(changing);
        self.account(id).await
    }

    /// Look-ups in a calendar month; `None` lifts the limit, zero refuses everything.
    pub async fn set_limit(self, id: AccountId, limit: Option<u64>) -> Result<Account, StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let limit = limit.map(|n| i64::try_from(n).unwrap_or(i64::MAX));
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let before =
                fetch_optional!(tx, (Option<i64>,), "SELECT monthly_limit FROM account WHERE id = $1", &account)?;
            let found = execute!(
                tx,
                "UPDATE account SET monthly_limit = $3, updated_at = $2 WHERE id = $1",
                &account,
                now.micros(),
                limit
            )?;
            require_row(found)?;
            let shown = |limit: Option<i64>| limit.map_or_else(|| "∞".to_owned(), |limit| limit.to_string());
            let detail = format!("{} → {}", shown(before.and_then(|(before,)| before)), shown(limit));
            self.store.audit().note_change(tx, id, Change::AccountLimited, "", &detail).await?;
            raise_revision(tx).await
        })?;
        drop(changing);
        self.account(id).await
    }

    /// Adds to the balance and returns the new one; the first credit makes the account prepaid. A negative
    /// amount corrects an earlier one.
    ///
    /// # Errors
    /// [`StoreError::Amount`] when the balance would fall below zero or pass a trillion dollars.
    pub async fn credit(self, id: AccountId, amount: Usd) -> Result<Usd, StoreError> {
        self.credit_once(id, amount, None).await
    }

    /// # Errors
    /// [`StoreError::MadeBefore`] when this request has changed the balance.
    pub async fn credit_once(
        self,
        id: AccountId,
        amount: Usd,
        request: Option<&RequestKey>,
    ) -> Result<Usd, StoreError> {
        if amount.cents().unsigned_abs() > MAX_BALANCE_CENTS.unsigned_abs() {
            return Err(StoreError::Amount);
        }
        let (account, now) = (id.to_string(), self.store.now());
        let _changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let known = fetch_optional!(tx, (String,), "SELECT id FROM account WHERE id = $1", &account)?;
            if known.is_none() {
                return Err(StoreError::NotFound);
            }
            let tenant = Tenant { account: id, environment: Environment::Production };
            if self.keep_request(tx, &tenant, request, "balance").await?.is_some() {
                return Err(StoreError::MadeBefore);
            }
            let balance = fetch_optional!(
                tx,
                (i64,),
                "UPDATE account SET balance_cents = COALESCE(balance_cents, 0) + $2, updated_at = $3
                  WHERE id = $1 AND COALESCE(balance_cents, 0) + $2 BETWEEN 0 AND $4
                  RETURNING balance_cents",
                &account,
                amount.cents(),
                now.micros(),
                MAX_BALANCE_CENTS
            )?;
            let (cents,) = balance.ok_or(StoreError::Amount)?;
            self.store.audit().note_change(tx, id, Change::AccountCredited, "", &format!("${amount}")).await?;
            raise_revision(tx).await?;
            Ok(Usd::from_cents(cents))
        })
    }

    pub async fn set_product(self, id: AccountId, product: Product, on: bool) -> Result<Account, StoreError> {
        let (account, now) = (id.to_string(), self.store.now());
        let changing = self.store.caches.generations.changing();
        transact!(self.store.db, |tx| {
            let found = execute!(tx, "UPDATE account SET updated_at = $2 WHERE id = $1", &account, now.micros())?;
            require_row(found)?;
            execute!(
                tx,
                "INSERT INTO account_product (account_id, product, enabled) VALUES ($1, $2, $3)
                 ON CONFLICT (account_id, product) DO UPDATE SET enabled = excluded.enabled",
                &account,
                product.as_str(),
                on
            )?;
            let change = if on { Change::ProductOn } else { Change::ProductOff };
            self.store.audit().note_change(tx, id, change, "", product.as_str()).await?;
            raise_revision(tx).await
        })?;
        drop(changing);
        self.account(id).await
    }

    async fn account(self, id: AccountId) -> Result<Account, StoreError> {
        self.find(id).await?.ok_or(StoreError::NotFound)
    }

    async fn accounts(self, only: Option<AccountId>) -> Result<Vec<Account>, StoreError> {
        self.store.usage().flush().await?;
        let only = only.map(|id| id.to_string());
        let month = self.store.now().month_start();
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            AccountRow,
            "SELECT id, name, paused_at, closed_at, erased_at, balance_cents, monthly_limit, created_at, COALESCE(used, 0) AS used
               FROM account LEFT JOIN usage_month ON account_id = id AND month = $2
              WHERE $1 IS NULL OR id = $1
              ORDER BY created_at, id",
            &only,
            month.micros()
        )?;
        let switched = fetch_all!(
            reader,
            ProductRow,
            "SELECT account_id, product, enabled FROM account_product WHERE $1 IS NULL OR account_id = $1",
            &only
        )?;
        rows.into_iter()
            .map(|row| {
                let on = |product: &Product| {
                    let choice = switched.iter().find(|(id, name, _)| *id == row.id && *name == product.as_str());
                    choice.map_or(product.on_by_default(), |(_, _, enabled)| *enabled)
                };
                Ok(Account {
                    id: parse_id("account", &row.id)?,
                    paused: row.paused_at.is_some(),
                    closing: row.closed_at.map(|closed_at| Closing {
                        closed_at: Timestamp::from_micros(closed_at),
                        erased_at: row.erased_at.map(Timestamp::from_micros),
                    }),
                    balance: row.balance_cents.map(Usd::from_cents),
                    monthly_limit: row.monthly_limit.map(|n| u64::try_from(n).unwrap_or_default()),
                    used_this_month: u64::try_from(row.used).unwrap_or_default(),
                    products: Product::ALL.into_iter().filter(on).collect(),
                    created_at: Timestamp::from_micros(row.created_at),
                    name: row.name,
                })
            })
            .collect()
    }
}
