//! `shingle key …`

use clap::Subcommand;
use serde::Serialize;
use shingle_domain::{AccountId, Environment, KeyId, Timestamp};
use shingle_store::StoreError;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::context::{CommandContext, SettingFlags};
use super::output::Output;
use super::output::table;
use crate::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Create a key. It is shown only once
    Issue {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// sandbox or production
        #[arg(long)]
        env: Environment,
    },
    /// Revoke a key
    Revoke { key_id: String },
    /// List the keys of an account, without their secrets
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct IssuedKey {
    id: KeyId,
    account: AccountId,
    environment: Environment,
    /// For the header `token`.
    key: String,
    created_at: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct KeyView {
    id: KeyId,
    environment: Environment,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct RevokedKey {
    id: KeyId,
    revoked: bool,
}

impl Key {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        let context = CommandContext::of(global, SettingFlags::default())?;
        CommandContext::block_on(async {
            let store = context.store().await?;
            match self {
                Self::Issue { account, env } => {
                    let issued = store.issue_key(account, env).await.map_err(|e| match e {
                        StoreError::NotFound => unknown_account(account),
                        other => other.into(),
                    })?;
                    store.close().await?;
                    let issued = IssuedKey {
                        id: issued.id,
                        account,
                        environment: env,
                        key: issued.secret,
                        created_at: issued.created_at,
                    };
                    output.print(&issued, |i| {
                        format!("key     {}\nid      {}\nStore the key now: it is not shown again.", i.key, i.id)
                    })
                }
                Self::Revoke { key_id } => {
                    let id = KeyId(key_id);
                    store.revoke_key(&id).await.map_err(|e| match e {
                        StoreError::NotFound => OperatorError::new("There is no such key")
                            .at(&id)
                            .fix("Use the id, not the key: `shingle key list --account ID` shows it."),
                        other => other.into(),
                    })?;
                    store.close().await?;
                    output.print(&RevokedKey { id, revoked: true }, |r| format!("{} is revoked.", r.id))
                }
                Self::List { account } => {
                    if store.find_account(account).await?.is_none() {
                        return Err(unknown_account(account));
                    }
                    let keys: Vec<KeyView> = store.list_keys(account).await?.into_iter().map(KeyView::from).collect();
                    store.close().await?;
                    output.print(&keys, |keys| list_text(keys))
                }
            }
        })
    }
}

impl From<shingle_store::ApiKey> for KeyView {
    fn from(key: shingle_store::ApiKey) -> Self {
        Self {
            id: key.id,
            environment: key.tenant.environment,
            created_at: key.created_at,
            last_used_at: key.last_used_at,
            revoked_at: key.revoked_at,
        }
    }
}

fn list_text(keys: &[KeyView]) -> String {
    let time = |at: Option<Timestamp>| at.map_or_else(|| "never".to_owned(), |t| t.to_string());
    let rows: Vec<_> = keys
        .iter()
        .map(|k| {
            let state = if k.revoked_at.is_some() { "revoked" } else { "live" };
            [
                k.id.to_string(),
                k.environment.to_string(),
                state.to_owned(),
                k.created_at.to_string(),
                time(k.last_used_at),
            ]
        })
        .collect();
    table(["KEY", "ENVIRONMENT", "STATE", "CREATED", "LAST USED"], &rows)
}
