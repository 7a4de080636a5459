//! The usage of an account as the API and the command line report it.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::usage::UsagePeriod;
use shingle_domain::{Environment, Tenant, Usd};
use shingle_store::{Store, StoreError, UsageLine, UsageSum};

const COLUMNS: [&str; 8] =
    ["day", "environment", "keyId", "product", "calls", "billed", "amountCents", "fromBalanceCents"];

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageReport {
    /// The first day, in UTC. Example: `2026-03-01`
    from: String,
    /// The last day, in UTC. Example: `2026-03-31`
    to: String,
    /// What is left of the balance now, in whole cents of a US dollar. Null where the account is not prepaid, and for a
    /// sandbox key. Example: `9775`
    balance_cents: Option<i64>,
    /// The sums of all lines.
    total: UsageSums,
    /// A line for each day, environment, key and product with look-ups, the oldest day first.
    data: Vec<UsageOfDay>,
}

#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageSums {
    /// Look-ups that were answered. Example: `12`
    calls: i64,
    /// Of these, the billed ones: a home was found, and the key is for production. Example: `9`
    billed: i64,
    /// The prices of the billed ones, in whole cents of a US dollar. Example: `225`
    amount_cents: i64,
    /// What was taken from the balance for them, in whole cents of a US dollar: 0 while the account was not prepaid.
    /// Example: `225`
    from_balance_cents: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UsageOfDay {
    /// The day in which the look-ups began, in UTC. Example: `2026-03-10`
    day: String,
    /// Where the key works: `sandbox` or `production`. Example: `production`
    environment: &'static str,
    /// Id of the key: the eight characters after `production_` or `sandbox_`. Example: `Zq3fT9aB`
    key_id: String,
    /// The last part of the look-up's path. Example: `roof-estimate`
    product: &'static str,
    #[serde(flatten)]
    sums: UsageSums,
}

impl UsageReport {
    /// Of these environments of one account.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn read(store: &Store, tenants: &[Tenant], period: UsagePeriod) -> Result<Self, StoreError> {
        let mut balance = None;
        let mut total = UsageSum::default();
        let mut data = Vec::new();
        for tenant in tenants {
            if tenant.environment == Environment::Production {
                balance = store.usage().balance(tenant).await?;
            }
            for line in store.usage().report(tenant, period).await? {
                total += line.sum;
                data.push(UsageOfDay::new(tenant.environment, line));
            }
        }
        data.cold_sort_by(|one, other| one.day.cmp(&other.day));
        Ok(Self {
            from: period.first().to_string(),
            to: period.last().to_string(),
            balance_cents: balance.map(Usd::cents),
            total: total.into(),
            data,
        })
    }

    pub fn data(&self) -> &[UsageOfDay] {
        &self.data
    }

    /// What it comes to, in a sentence.
    pub fn summary(&self) -> String {
        let UsageSums { calls, billed, amount_cents, from_balance_cents } = self.total;
        let dollars = |cents| format!("${}", Usd::from_cents(cents));
        let left = self.balance_cents.map(|cents| format!(", which holds {} now", dollars(cents))).unwrap_or_default();
        format!(
            "{} to {}: {calls} calls, {billed} billed for {}, {} of it from the balance{left}.",
            self.from,
            self.to,
            dollars(amount_cents),
            dollars(from_balance_cents),
        )
    }

    /// RFC 4180. No cell contains text that somebody typed, so none can be a formula.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        writer.write_record(COLUMNS)?;
        for line in &self.data {
            writer.write_record(line.cells())?;
        }
        writer.into_inner().map_err(|e| csv::Error::from(std::io::Error::other(e.to_string())))
    }
}

impl From<UsageSum> for UsageSums {
    fn from(sum: UsageSum) -> Self {
        Self {
            calls: sum.calls,
            billed: sum.billed,
            amount_cents: sum.amount.cents(),
            from_balance_cents: sum.paid.cents(),
        }
    }
}

impl UsageOfDay {
    fn new(environment: Environment, line: UsageLine) -> Self {
        Self {
            day: line.day.date().to_string(),
            environment: environment.as_str(),
            key_id: line.key.0,
            product: line.product.as_str(),
            sums: line.sum.into(),
        }
    }

    /// In the order of the table's columns.
    pub fn cells(&self) -> [String; 8] {
        let UsageSums { calls, billed, amount_cents, from_balance_cents } = self.sums;
        let [calls, billed, amount, paid] = [calls, billed, amount_cents, from_balance_cents].map(|n| n.to_string());
        let (environment, product) = (self.environment.to_owned(), self.product.to_owned());
        [self.day.clone(), environment, self.key_id.clone(), product, calls, billed, amount, paid]
    }
}
