//! `shingle account …`

use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use shingle_domain::lookup::Product;
use shingle_domain::{AccountId, Timestamp, Usd};
use shingle_store::{Closing, Store, StoreError};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::output::table;
use super::retention::{KeptFor, retention};
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Account {
    /// Create an account
    Create {
        #[arg(long)]
        name: String,
    },
    /// List all accounts
    List,
    /// Refuse all requests of an account
    Pause { id: AccountId },
    /// Accept the requests of a paused account again
    Resume { id: AccountId },
    /// Close an account: widgets, keys and sign-in stop at once, in 7 days it is erased
    Close { id: AccountId },
    /// Open a closed account again, within 7 days
    Reopen { id: AccountId },
    /// Add to the balance; the first credit makes the account prepaid
    Credit {
        id: AccountId,
        #[arg(allow_negative_numbers = true)]
        cents: i64,
    },
    /// Limit the look-ups of a calendar month; `none` removes the limit
    Limit { id: AccountId, count: Limit },
    /// Show or set how long leads are kept; `none` keeps them for good. It acts a day later
    Retention {
        id: AccountId,
        /// Days, or `none`. Without it: show what is set
        days: Option<KeptFor>,
        /// Set it. Without this it is only shown what would be erased
        #[arg(long)]
        yes: bool,
    },
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

pub(super) fn product(name: &str) -> Result<Product, String> {
    Product::parse(name).ok_or_else(|| format!("one of {}", Product::ALL.map(Product::as_str).join(", ")))
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct AccountView {
    id: AccountId,
    name: String,
    paused: bool,
    closed_at: Option<Timestamp>,
    /// When a closed account can no longer be opened again.
    erased_from: Option<Timestamp>,
    /// Cents; `null` while the account is not prepaid.
    balance_cents: Option<i64>,
    monthly_limit: Option<u64>,
    used_this_month: u64,
    products: Vec<&'static str>,
    created_at: Timestamp,
}

impl From<shingle_store::Account> for AccountView {
    fn from(account: shingle_store::Account) -> Self {
        Self {
            id: account.id,
            name: account.name,
            paused: account.paused,
            closed_at: account.closing.map(|closing| closing.closed_at),
            erased_from: account.closing.map(Closing::ends_at),
            balance_cents: account.balance.map(Usd::cents),
            monthly_limit: account.monthly_limit,
            used_this_month: account.used_this_month,
            products: account.products.into_iter().map(Product::as_str).collect(),
            created_at: account.created_at,
        }
    }
}

impl Account {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let store = context.store().await?;
            let (id, change) = match self {
                Self::Retention { id, days, yes } => return retention(&store, output, id, days, yes).await,
                Self::Create { name } => (None, store.accounts().create(valid_name(&name)?).await),
                Self::List => {
                    let all: Vec<AccountView> =
                        store.accounts().list().await?.into_iter().map(AccountView::from).collect();
                    store.close().await?;
                    return output.print(&all, |all| list_text(all));
                }
                Self::Pause { id } => (Some(id), store.accounts().pause(id).await),
                Self::Resume { id } => (Some(id), store.accounts().resume(id).await),
                Self::Close { id } => (Some(id), close(&store, id).await),
                Self::Reopen { id } => {
                    may_reopen(store.accounts().reopen(id).await?, store.accounts().find(id).await?.as_ref())
                        .map_err(|error| error.at(id))?;
                    (Some(id), store.accounts().find(id).await?.ok_or(StoreError::NotFound))
                }
                Self::Credit { id, cents } => (Some(id), credit(&store, id, cents).await),
                Self::Limit { id, count } => (Some(id), store.accounts().set_limit(id, count.0).await),
                Self::Product { id, name, switch } => {
                    (Some(id), store.accounts().set_product(id, name, matches!(switch, Switch::On)).await)
                }
            };
            let account = change.map_err(|error| match (error, id) {
                (StoreError::NotFound, Some(id)) => unknown_account(id),
                (other, Some(id)) => OperatorError::from(other).at(id),
                (other, None) => other.into(),
            })?;
            store.close().await?;
            output.print(&AccountView::from(account), account_text)
        })
    }
}

fn valid_name(name: &str) -> Result<&str, OperatorError> {
    let name = name.trim();
    let fits = !name.is_empty() && name.chars().count() <= 200 && shingle_domain::text::is_clean(name);
    fits.then_some(name).ok_or_else(|| {
        OperatorError::new("The account name is not valid").at("--name").fix("Use 1 to 200 characters on one line.")
    })
}

async fn credit(store: &Store, id: AccountId, cents: i64) -> Result<shingle_store::Account, StoreError> {
    store.accounts().credit(id, Usd::from_cents(cents)).await?;
    store.accounts().find(id).await?.ok_or(StoreError::NotFound)
}

async fn close(store: &Store, id: AccountId) -> Result<shingle_store::Account, StoreError> {
    store.accounts().close(id).await?;
    store.accounts().find(id).await?.ok_or(StoreError::NotFound)
}

fn may_reopen(reopened: bool, account: Option<&shingle_store::Account>) -> Result<(), OperatorError> {
    match account.map(|account| account.closing) {
        _ if reopened => Ok(()),
        None => Err(OperatorError::new("There is no such account").fix("`shingle account list` shows all accounts.")),
        Some(None) => Err(OperatorError::new("The account is not closed")),
        Some(Some(_)) => Err(OperatorError::new("It is too late: the account is being erased")),
    }
}

fn state(account: &AccountView) -> String {
    match account.erased_from {
        Some(end) => format!("closed, erased from {end}"),
        None if account.paused => "paused".to_owned(),
        None => "active".to_owned(),
    }
}

pub(super) fn unknown_account(id: AccountId) -> OperatorError {
    OperatorError::new("There is no such account").at(id).fix("`shingle account list` shows all accounts.")
}

fn account_text(account: &AccountView) -> String {
    let state = state(account);
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

fn list_text(accounts: &[AccountView]) -> String {
    if accounts.is_empty() {
        return "There is no account yet. Create one: shingle account create --name NAME".into();
    }
    let rows: Vec<_> = accounts
        .iter()
        .map(|a| {
            let used = format!("{} of {}", a.used_this_month, limit(a));
            [a.id.to_string(), a.name.clone(), state(a), balance(a), used]
        })
        .collect();
    table(["ACCOUNT", "NAME", "STATE", "BALANCE", "THIS MONTH"], &rows)
}

fn balance(account: &AccountView) -> String {
    account.balance_cents.map_or_else(|| "unmetered".to_owned(), |cents| format!("${}", Usd::from_cents(cents)))
}

fn limit(account: &AccountView) -> String {
    account.monthly_limit.map_or_else(|| "unlimited".to_owned(), |n| n.to_string())
}
