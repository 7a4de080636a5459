//! `shingle key …`

use clap::Subcommand;
use serde::Serialize;
use shingle_domain::{AccountId, Environment, KeyId, Timestamp};
use shingle_store::StoreError;

use super::account::no_account;
use super::place::{Flags, Place};
use super::report::table;
use super::{Everywhere, Problem, Report};

#[derive(Debug, Subcommand)]
pub enum Key {
    /// Make a key; it is shown this once
    Issue {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// sandbox or production
        #[arg(long)]
        env: Environment,
    },
    /// Make a key useless
    Revoke { key_id: String },
    /// Show the keys of an account, without their secrets
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Issued {
    id: KeyId,
    account: AccountId,
    environment: Environment,
    /// What goes into the header `token`.
    key: String,
    created_at: Timestamp,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    id: KeyId,
    environment: Environment,
    created_at: Timestamp,
    last_used_at: Option<Timestamp>,
    revoked_at: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct Revoked {
    id: KeyId,
    revoked: bool,
}

impl Key {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let place = Place::of(everywhere, Flags::default())?;
        Place::block_on(async {
            let store = place.store().await?;
            match self {
                Self::Issue { account, env } => {
                    let issued = store.issue_key(account, env).await.map_err(|e| match e {
                        StoreError::NotFound => no_account(account),
                        other => other.into(),
                    })?;
                    store.close().await?;
                    let issued = Issued {
                        id: issued.id,
                        account,
                        environment: env,
                        key: issued.secret,
                        created_at: issued.created_at,
                    };
                    report.done(&issued, |i| {
                        format!("key     {}\nid      {}\nKeep the key now: it is not shown again.", i.key, i.id)
                    })
                }
                Self::Revoke { key_id } => {
                    let id = KeyId(key_id);
                    store.revoke_key(&id).await.map_err(|e| match e {
                        StoreError::NotFound => Problem::new("There is no such key")
                            .at(&id)
                            .mend("Give the id, not the key: `shingle key list --account ID` shows it."),
                        other => other.into(),
                    })?;
                    store.close().await?;
                    report.done(&Revoked { id, revoked: true }, |r| format!("{} is revoked.", r.id))
                }
                Self::List { account } => {
                    if store.find_account(account).await?.is_none() {
                        return Err(no_account(account));
                    }
                    let keys: Vec<Shown> = store.list_keys(account).await?.into_iter().map(Shown::from).collect();
                    store.close().await?;
                    report.done(&keys, |keys| list(keys))
                }
            }
        })
    }
}

impl From<shingle_store::ApiKey> for Shown {
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

fn list(keys: &[Shown]) -> String {
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
