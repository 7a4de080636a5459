//! What was looked up, as reported to the customer.

use shingle_domain::lookup::Product;
use shingle_domain::usage::UsagePeriod;
use shingle_domain::{KeyId, Tenant, Timestamp, Usd};

use crate::StoreError;
use crate::engine::db::{fetch_all, fetch_optional};
use crate::store::columns;
use crate::usage::Usage;
use crate::usage::sum::UsageSum;

/// The look-ups of one day, key and product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageLine {
    /// The first instant of the day (UTC) in which they began.
    pub day: Timestamp,
    pub key: KeyId,
    pub product: Product,
    pub sum: UsageSum,
}

row! {
    struct LineRow {
        day: i64,
        key_id: String,
        product: String,
        calls: i64,
        billed: i64,
        amount_cents: i64,
        paid_cents: i64,
    }
}

impl TryFrom<LineRow> for UsageLine {
    type Error = StoreError;

    fn try_from(row: LineRow) -> Result<Self, StoreError> {
        let product = Product::parse(&row.product).ok_or_else(|| StoreError::Unreadable {
            what: "usage",
            id: row.key_id.clone(),
            reason: format!("`{}` is no product", row.product),
        })?;
        Ok(Self {
            day: Timestamp::from_micros(row.day),
            key: KeyId(row.key_id),
            product,
            sum: UsageSum {
                calls: row.calls,
                billed: row.billed,
                amount: Usd::from_cents(row.amount_cents),
                paid: Usd::from_cents(row.paid_cents),
            },
        })
    }
}

impl Usage<'_> {
    /// The oldest day first.
    pub async fn report(self, tenant: &Tenant, period: UsagePeriod) -> Result<Vec<UsageLine>, StoreError> {
        self.flush().await?;
        let (account, environment) = columns(tenant);
        let mut reader = self.store.db.read().await?;
        let rows = fetch_all!(
            reader,
            LineRow,
            "SELECT day, key_id, product, calls, billed, amount_cents, paid_cents FROM usage_day
              WHERE account_id = $1 AND environment = $2 AND day >= $3 AND day < $4
              ORDER BY day, key_id, product",
            account,
            environment,
            period.begin().micros(),
            period.end().micros()
        )?;
        rows.into_iter().map(UsageLine::try_from).collect()
    }

    /// What is left of what was paid for; `None`: the account is not prepaid.
    pub async fn balance(self, tenant: &Tenant) -> Result<Option<Usd>, StoreError> {
        let account = tenant.account.to_string();
        let mut reader = self.store.db.read().await?;
        let row = fetch_optional!(reader, (Option<i64>,), "SELECT balance_cents FROM account WHERE id = $1", account)?;
        let (cents,) = row.ok_or(StoreError::NotFound)?;
        Ok(cents.map(Usd::from_cents))
    }
}
