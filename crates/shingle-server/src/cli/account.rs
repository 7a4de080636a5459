//! `shingle account …`

use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Timestamp, Usd};
use shingle_store::{Store, StoreError};

use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};

#[derive(Debug, Subcommand)]
pub enum Account {
    /// Make a new account
    Create {
        #[arg(long)]
        name: String,
    },
    /// Show all accounts
    List,
    /// Refuse every call of an account from now on
    Pause { id: AccountId },
    /// Let a paused account call again
    Resume { id: AccountId },
    /// Add to the balance; the first credit makes the account prepaid
    Credit {
        id: AccountId,
        #[arg(allow_negative_numbers = true)]
        cents: i64,
    },
    /// Limit the look-ups of a calendar month; `none` lifts the limit
    Limit { id: AccountId, count: Limit },
    /// Switch an API product on or off
    Product {
        id: AccountId,
        #[arg(value_parser = product)]
        name: Product,
        switch: Switch,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

#[derive(Debug, Clone, Copy)]
pub struct Limit(Option<u64>);

impl core::str::FromStr for Limit {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Self(None)),
            _ => text.parse().map(|n| Self(Some(n))).map_err(|_| "a whole number, or `none`".to_owned()),
        }
    }
}

fn product(name: &str) -> Result<Product, String> {
    Product::parse(name).ok_or_else(|| format!("one of {}", Product::ALL.map(Product::as_str).join(", ")))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    id: AccountId,
    name: String,
    paused: bool,
    /// Cents; `null` while the account is not prepaid.
    balance_cents: Option<i64>,
    monthly_limit: Option<u64>,
    used_this_month: u64,
    products: Vec<&'static str>,
    created_at: Timestamp,
}

impl From<shingle_store::Account> for Shown {
    fn from(account: shingle_store::Account) -> Self {
        Self {
            id: account.id,
            name: account.name,
            paused: account.paused,
            balance_cents: account.balance.map(Usd::cents),
            monthly_limit: account.monthly_limit,
            used_this_month: account.used_this_month,
            products: account.products.into_iter().map(Product::as_str).collect(),
            created_at: account.created_at,
        }
    }
}

impl Account {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags::default())?;
        Place::block_on(async {
            let store = place.store().await?;
            let (id, change) = match self {
                Self::Create { name } => (None, store.create_account(name_of(&name)?).await),
                Self::List => {
                    let all: Vec<Shown> = store.list_accounts().await?.into_iter().map(Shown::from).collect();
                    store.close().await?;
                    return report.done(&all, |all| list(all));
                }
                Self::Pause { id } => (Some(id), store.pause(id).await),
                Self::Resume { id } => (Some(id), store.resume(id).await),
                Self::Credit { id, cents } => (Some(id), credit(&store, id, cents).await),
                Self::Limit { id, count } => (Some(id), store.set_limit(id, count.0).await),
                Self::Product { id, name, switch } => {
                    (Some(id), store.set_product(id, name, matches!(switch, Switch::On)).await)
                }
            };
            let account = change.map_err(|error| match (error, id) {
                (StoreError::NotFound, Some(id)) => no_account(id),
                (other, Some(id)) => Problem::from(other).at(id),
                (other, None) => other.into(),
            })?;
            store.close().await?;
            report.done(&Shown::from(account), one)
        })
    }
}

fn name_of(name: &str) -> Result<&str, Problem> {
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().count() <= 200 && shingle_domain::text::is_clean(name);
    fits.then_some(name).ok_or_else(|| {
        Problem::new("The account's name cannot be used").at("--name").mend("Give 1 to 200 characters on one line.")
    })
}

async fn credit(store: &Store, id: AccountId, cents: i64) -> Result<shingle_store::Account, StoreError> {
    store.credit(id, Usd::from_cents(cents)).await?;
    store.find_account(id).await?.ok_or(StoreError::NotFound)
}

pub(super) fn no_account(id: AccountId) -> Problem {
    Problem::new("There is no such account").at(id).mend("`shingle account list` shows all accounts.")
}

fn one(account: &Shown) -> String {
    let state = if account.paused { "paused" } else { "active" };
    [
        format!("account     {}", account.id),
        format!("name        {}", account.name),
        format!("state       {state}"),
        format!("balance     {}", balance(account)),
        format!("this month  {} of {}", account.used_this_month, limit(account)),
        format!("products    {}", account.products.join(", ")),
    ]
    .join("\n")
}

fn list(accounts: &[Shown]) -> String {
    if accounts.is_empty() {
        return "No account yet. Make one: shingle account create --name NAME".into();
    }
    let rows: Vec<_> = accounts
        .iter()
        .map(|a| {
            let state = if a.paused { "paused" } else { "active" };
            let used = format!("{} of {}", a.used_this_month, limit(a));
            [a.id.to_string(), a.name.clone(), state.to_owned(), balance(a), used]
        })
        .collect();
    table(["ACCOUNT", "NAME", "STATE", "BALANCE", "THIS MONTH"], &rows)
}

fn balance(account: &Shown) -> String {
    account.balance_cents.map_or_else(|| "unmetered".to_owned(), |cents| format!("${}", Usd::from_cents(cents)))
}

fn limit(account: &Shown) -> String {
    account.monthly_limit.map_or_else(|| "unlimited".to_owned(), |n| n.to_string())
}
