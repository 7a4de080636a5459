//! `shingle key …`

use std::time::Duration;

use clap::Subcommand;
use serde::Serialize;
use shingle_domain::lookup::Product;
use shingle_domain::text::is_clean;
use shingle_domain::usage::{Date, day, end_of};
use shingle_domain::{AccountId, Environment, KeyId, Timestamp, WidgetId, WidgetScope};
use shingle_store::{ApiKey, IssuedKey, KeyState, KeyTerms, Network, StoreError};

use super::account::{product, unknown_account};
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::output::table;
use super::widget_scope::widget_scope;
use shingle_app::installation::SettingFlags;
use shingle_app::operator_error::OperatorError;

const DAY: Duration = Duration::from_secs(24 * 3_600);

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create a key. It is shown only once
    #[command(visible_alias = "create")]
    Issue {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// sandbox or production
        #[arg(long)]
        env: Environment,
        #[command(flatten)]
        terms: TermFlags,
    },
    /// Replace a key by a new one on the same terms; the old one works for some more days
    Rotate {
        key_id: String,
        /// For how many days the old key still works
        #[arg(long, default_value_t = 7)]
        days: u16,
    },
    /// Revoke a key
    Revoke { key_id: String },
    /// List the keys of an account, without their secrets
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
}

#[derive(Debug, clap::Args)]
pub struct TermFlags {
    /// What you call it
    #[arg(long)]
    name: Option<String>,
    /// The last day on which it works, in UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    expires: Option<Date>,
    /// A look-up that it is for; may be repeated. It then does nothing else
    #[arg(long = "product", value_name = "NAME", value_parser = product)]
    products: Vec<Product>,
    /// A widget whose leads it reads, changes and erases, by its reference id; may be repeated. It then does nothing else but --product
    #[arg(long = "widget", value_name = "ID")]
    widgets: Vec<WidgetId>,
    /// A network that it may be used from, such as 203.0.113.0/24; may be repeated
    #[arg(long = "network", value_name = "CIDR")]
    networks: Vec<Network>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct IssuedView {
    id: KeyId,
    account: AccountId,
    environment: Environment,
    /// For the header `token`.
    key: String,
    created_at: Timestamp,
    #[serde(flatten)]
    terms: TermsView,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyView {
    id: KeyId,
    environment: Environment,
    state: &'static str,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
    /// The key that took its place.
    successor: Option<KeyId>,
    #[serde(flatten)]
    terms: TermsView,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TermsView {
    name: String,
    expires_at: Option<Timestamp>,
    /// `null`: with `widgets` `null` too, it does everything.
    products: Option<Vec<&'static str>>,
    /// Whose leads it reads. `null`: all of them, where it is not for look-ups alone.
    widgets: Option<Vec<WidgetId>>,
    /// `null`: from everywhere.
    networks: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
struct RevokedKey {
    id: KeyId,
    revoked: bool,
}

const BOTH: [Environment; 2] = [Environment::Production, Environment::Sandbox];

impl Key {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = global.installation(SettingFlags::default())?;
        block_on(async {
            let now = context.clock.now();
            let terms = if let Self::Issue { terms, .. } = &self { terms.read(now)? } else { KeyTerms::default() };
            let store = context.store().await?;
            match self {
                Self::Issue { account, env, terms: flags } => {
                    // Test leads of a live widget are in the sandbox.
                    let environments = if env == Environment::Sandbox { &BOTH[..] } else { &BOTH[..1] };
                    let sees = widget_scope(&store, account, &flags.widgets, environments).await?;
                    let terms = KeyTerms { sees, ..terms };
                    let issued = store.accounts().issue_key_on(account, env, &terms).await.map_err(|e| match e {
                        StoreError::NotFound => unknown_account(account),
                        other => other.into(),
                    })?;
                    store.close().await?;
                    output.print(&IssuedView::from(issued), issued_text)
                }
                Self::Rotate { key_id, days } => {
                    let id = KeyId(key_id);
                    let rotated = store.accounts().rotate_key(&id, DAY * u32::from(days)).await;
                    let issued = rotated.map_err(|e| refused(e, &id))?;
                    store.close().await?;
                    let ends = if days == 0 { "has ended".to_owned() } else { format!("ends within {days} days") };
                    output.print(&IssuedView::from(issued), |new| {
                        format!("{}\nThe old key, {id}, {ends}.", issued_text(new))
                    })
                }
                Self::Revoke { key_id } => {
                    let id = KeyId(key_id);
                    store.accounts().revoke_key(&id).await.map_err(|e| refused(e, &id))?;
                    store.close().await?;
                    output.print(&RevokedKey { id, revoked: true }, |r| format!("{} is revoked.", r.id))
                }
                Self::List { account } => {
                    if store.accounts().find(account).await?.is_none() {
                        return Err(unknown_account(account));
                    }
                    let keys = store.accounts().list_keys(account).await?;
                    store.close().await?;
                    let keys: Vec<KeyView> = keys.into_iter().map(|key| KeyView::new(key, now)).collect();
                    output.print(&keys, |keys| list_text(keys))
                }
            }
        })
    }
}

impl TermFlags {
    fn read(&self, now: Timestamp) -> Result<KeyTerms, OperatorError> {
        let name = self.name.as_deref().unwrap_or_default().trim();
        if name.chars().count() > 100 || !is_clean(name) {
            let error = OperatorError::new("The name of the key is not valid").at("--name");
            return Err(error.fix("Use at most 100 characters on one line."));
        }
        let expires_at = self.expires.map(end_of);
        if expires_at.is_some_and(|end| end <= now) {
            return Err(OperatorError::new("The key would have expired already")
                .at("--expires")
                .fix("Name a later day."));
        }
        let (mut products, mut networks) = (Vec::new(), Vec::new());
        for product in &self.products {
            if !products.contains(product) {
                products.push(*product);
            }
        }
        for network in &self.networks {
            if !networks.contains(network) {
                networks.push(*network);
            }
        }
        Ok(KeyTerms { name: name.to_owned(), expires_at, products, sees: WidgetScope::All, networks })
    }
}

fn refused(error: StoreError, id: &KeyId) -> OperatorError {
    match error {
        StoreError::NotFound => OperatorError::new("There is no such key")
            .at(id)
            .fix("Use the id, not the key: `shingle key list --account ID` shows it."),
        StoreError::KeyEnded => {
            OperatorError::new("The key is revoked or has expired").at(id).fix("Create a new one: `shingle key issue`.")
        }
        StoreError::KeyReplaced(successor) => {
            OperatorError::new(format!("The key was replaced by {successor} already"))
                .at(id)
                .fix(format!("`shingle key rotate {successor}` replaces that one."))
        }
        other => other.into(),
    }
}

impl From<KeyTerms> for TermsView {
    fn from(terms: KeyTerms) -> Self {
        let products: Vec<_> = terms.products.into_iter().map(Product::as_str).collect();
        let networks: Vec<_> = terms.networks.iter().map(Network::to_string).collect();
        Self {
            name: terms.name,
            expires_at: terms.expires_at,
            products: (!products.is_empty()).then_some(products),
            widgets: terms.sees.ids().map(<[_]>::to_vec),
            networks: (!networks.is_empty()).then_some(networks),
        }
    }
}

impl From<IssuedKey> for IssuedView {
    fn from(issued: IssuedKey) -> Self {
        Self {
            id: issued.id,
            account: issued.tenant.account,
            environment: issued.tenant.environment,
            key: issued.secret,
            created_at: issued.created_at,
            terms: issued.terms.into(),
        }
    }
}

impl KeyView {
    fn new(key: ApiKey, now: Timestamp) -> Self {
        let state = match key.state(now) {
            KeyState::Live => "live",
            KeyState::Revoked => "revoked",
            KeyState::Expired => "expired",
        };
        Self {
            id: key.id,
            environment: key.tenant.environment,
            state,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
            successor: key.successor,
            terms: key.terms.into(),
        }
    }

    /// `live until 2026-12-01T00:00:00.000Z, then Zq3fT9aB`
    fn state_text(&self) -> String {
        let until = (self.state == "live").then(|| self.terms.until_text());
        let then = self.successor.as_ref().map(|successor| format!(", then {successor}"));
        [self.state, &until.unwrap_or_default(), &then.unwrap_or_default()].concat()
    }
}

impl TermsView {
    /// `roof-estimate, from 203.0.113.0/24`
    fn use_text(&self) -> String {
        let products = self.products.as_ref().map(|products| products.join(" "));
        let count =
            |ids: &Vec<WidgetId>| format!("leads of {} widget{}", ids.len(), if ids.len() == 1 { "" } else { "s" });
        let does: Vec<String> = products.into_iter().chain(self.widgets.as_ref().map(count)).collect();
        let does = if does.is_empty() { "everything".to_owned() } else { does.join(", ") };
        let networks = self.networks.as_ref().map(|networks| format!(", from {}", networks.join(" ")));
        does + &networks.unwrap_or_default()
    }

    /// ` until 2026-12-01T00:00:00.000Z`
    fn until_text(&self) -> String {
        self.expires_at.map(|end| format!(" until {end}")).unwrap_or_default()
    }
}

fn issued_text(issued: &IssuedView) -> String {
    format!(
        "key     {}\nid      {}\nfor     {}{}\nStore the key now: it is not shown again.",
        issued.key,
        issued.id,
        issued.terms.use_text(),
        issued.terms.until_text()
    )
}

fn list_text(keys: &[KeyView]) -> String {
    let rows: Vec<_> = keys
        .iter()
        .map(|key| {
            [
                key.id.to_string(),
                key.terms.name.clone(),
                key.environment.to_string(),
                key.state_text(),
                key.created_at.to_string(),
                key.last_used_at.map_or_else(|| "never".to_owned(), |at| at.to_string()),
                key.terms.use_text(),
            ]
        })
        .collect();
    table(["KEY", "NAME", "ENVIRONMENT", "STATE", "CREATED", "LAST USED", "FOR"], &rows)
}
