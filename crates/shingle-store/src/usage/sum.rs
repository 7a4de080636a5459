//! Sums of look-ups by day, key and product.
//!
//! # Decision
//!
//! Usage is one row per day, key and product, written in the transaction that charges, so sums and balance agree
//! after any crash. A call belongs to the UTC day it began. Free calls are counted in memory; a killed process loses
//! their last 100 ms, never money. A key sees the usage of its own environment. Turned down: a row per group of
//! calls, which grows without bound.

use std::collections::HashMap;
use std::ops::AddAssign;

use serde::Serialize;
use shingle_domain::lookup::Product;
use shingle_domain::{KeyId, Tenant, Timestamp, Usd};

use crate::StoreError;
use crate::engine::db::{Db, Tx, execute};
use crate::engine::dialect;

/// Look-ups that are added up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UsageKey {
    pub tenant: Tenant,
    /// In which they began, by its first instant.
    pub day: Timestamp,
    pub key: KeyId,
    pub product: Product,
}

/// How many look-ups there were, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UsageSum {
    /// Those that were answered.
    pub calls: i64,
    /// Those of them that found a home, with a production key.
    pub billed: i64,
    /// The prices of those that were billed.
    pub amount: Usd,
    /// What of it was taken from the balance; an account that is not prepaid has none.
    pub paid: Usd,
}

impl UsageSum {
    /// A call with nothing to bill.
    pub(crate) const FREE: Self = Self { calls: 1, billed: 0, amount: Usd::from_cents(0), paid: Usd::from_cents(0) };

    pub(crate) fn billed(price: Usd, from_balance: bool) -> Self {
        let paid = if from_balance { price } else { Usd::from_cents(0) };
        Self { calls: 1, billed: 1, amount: price, paid }
    }
}

impl AddAssign for UsageSum {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.billed += other.billed;
        self.amount = self.amount + other.amount;
        self.paid = self.paid + other.paid;
    }
}

/// Sums that are to be written.
pub(crate) type UsageSums = HashMap<UsageKey, UsageSum>;

/// A row of `usage_day`, as JSON. In the order of its fields, which is that of the table's key, on all nodes: nobody then
/// waits in a circle.
#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct DayRow<'s> {
    account_id: String,
    environment: &'static str,
    day: i64,
    key_id: &'s str,
    product: &'static str,
    calls: i64,
    billed: i64,
    amount_cents: i64,
    paid_cents: i64,
}

macro_rules! add_to_days {
    ($given:expr) => {
        concat!(
            $given,
            "INSERT INTO usage_day (account_id, environment, day, key_id, product, calls, billed, amount_cents, paid_cents)
             SELECT account_id, environment, day, key_id, product, calls, billed, amount_cents, paid_cents
               FROM given WHERE true
             ON CONFLICT (account_id, environment, day, key_id, product) DO UPDATE
                SET calls = usage_day.calls + excluded.calls, billed = usage_day.billed + excluded.billed,
                    amount_cents = usage_day.amount_cents + excluded.amount_cents,
                    paid_cents = usage_day.paid_cents + excluded.paid_cents"
        )
    };
}

/// Adds to the days what the look-ups of this transaction come to.
pub(crate) async fn add_usage(db: &Db, tx: &mut Tx<'_>, sums: &UsageSums) -> Result<(), StoreError> {
    let mut rows: Vec<_> = sums.iter().map(|(of, sum)| day_row(of, sum)).collect();
    rows.sort_unstable();
    let sql = match db {
        Db::Sqlite { .. } => {
            add_to_days!(dialect::given_rows!(sqlite: account_id text, environment text, day bigint, key_id text,
            product text, calls bigint, billed bigint, amount_cents bigint, paid_cents bigint))
        }
        Db::Postgres(_) => {
            add_to_days!(dialect::given_rows!(postgres: account_id text, environment text, day bigint, key_id text,
            product text, calls bigint, billed bigint, amount_cents bigint, paid_cents bigint))
        }
    };
    execute!(tx, sql, serde_json::to_string(&rows)?)?;
    Ok(())
}

fn day_row<'s>(of: &'s UsageKey, sum: &UsageSum) -> DayRow<'s> {
    DayRow {
        account_id: of.tenant.account.to_string(),
        environment: of.tenant.environment.as_str(),
        day: of.day.micros(),
        key_id: &of.key.0,
        product: of.product.as_str(),
        calls: sum.calls,
        billed: sum.billed,
        amount_cents: sum.amount.cents(),
        paid_cents: sum.paid.cents(),
    }
}
