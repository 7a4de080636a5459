//! `shingle webhook …`

use std::net::SocketAddr;

use clap::Subcommand;
use serde::Serialize;
use shingle_deliver::SigningSecret;
use shingle_domain::webhook::Webhook as WebhookRecord;
use shingle_domain::{AccountId, Environment, Tenant};
use shingle_store::DestinationKind;
use tokio::net::TcpListener;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};
use super::stop_signal::stop_signal;
use super::webhook_receiver::{Receiver, receive};
use shingle_app::clock::MachineClock;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;
use shingle_app::webhook_record;

#[derive(Debug, Subcommand)]
pub enum Webhook {
    /// Receive webhooks on this machine: print every delivery and check its signature, until Ctrl-C
    Listen {
        /// Port of 127.0.0.1 to listen on; 0 picks a free one
        #[arg(long, value_name = "N", default_value_t = 4180)]
        port: u16,
        /// The webhook's secret, to check signatures with
        #[arg(long, value_name = "whsec_…", value_parser = parse_secret)]
        secret: Option<SigningSecret>,
        /// Status of every answer, to see how failures are handled
        #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(200..=599))]
        status: u16,
    },
    /// List the webhooks of an account
    List {
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// Only one environment: sandbox or production
        #[arg(long)]
        env: Option<Environment>,
    },
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Listening {
    listening: SocketAddr,
    url: String,
    checks_signatures: bool,
}

#[derive(Debug, Serialize)]
struct Listed {
    environment: Environment,
    #[serde(flatten)]
    webhook: WebhookRecord,
}

impl Webhook {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        match self {
            Self::Listen { port, secret, status } => block_on(listen(port, secret, status, output)),
            Self::List { account, env } => {
                let context = global.installation(SettingFlags::default())?;
                let listed = block_on(list(&context, account, env))?;
                output.print(&listed, |listed| list_text(listed))
            }
        }
    }
}

fn parse_secret(text: &str) -> Result<SigningSecret, String> {
    SigningSecret::parse(text).ok_or_else(|| "it begins with whsec_, followed by base64".to_owned())
}

async fn listen(port: u16, secret: Option<SigningSecret>, status: u16, output: Output) -> Result<(), OperatorError> {
    let stop = stop_signal()?;
    let at = SocketAddr::from(([127, 0, 0, 1], port));
    let listener = TcpListener::bind(at).await.map_err(|e| {
        OperatorError::new(format!("The receiver cannot listen: {e}"))
            .at(at)
            .fix("Choose another port with --port, or 0 for a free one.")
    })?;
    let listening = listener.local_addr().map_err(|e| OperatorError::new(format!("The socket has no address: {e}")))?;
    let ready = Listening { listening, url: format!("http://{listening}/"), checks_signatures: secret.is_some() };
    output.print(&ready, |ready| {
        let checks = if ready.checks_signatures {
            "Signatures are checked."
        } else {
            "Signatures cannot be checked without --secret."
        };
        format!(
            "Receives webhooks at {}, on any path, and answers {status}. {checks}\n\
             A Shingle on this machine delivers here when it is started with\n  \
             SHINGLE_EGRESS_ALLOW=127.0.0.0/8 SHINGLE_EGRESS_HTTP=true shingle serve",
            ready.url
        )
    })?;
    receive(listener, Receiver { secret, status, output, clock: MachineClock }, stop).await
}

async fn list(
    context: &Installation,
    account: AccountId,
    env: Option<Environment>,
) -> Result<Vec<Listed>, OperatorError> {
    let store = context.store().await?;
    if store.accounts().find(account).await?.is_none() {
        return Err(unknown_account(account));
    }
    let mut listed = Vec::new();
    for environment in [Environment::Production, Environment::Sandbox] {
        if env.is_none_or(|only| only == environment) {
            let tenant = Tenant { account, environment };
            for found in store.destinations().list(&tenant, DestinationKind::Webhook).await? {
                let webhook = webhook_record::webhook_record(&found)
                    .map_err(|_| OperatorError::new("The stored settings of a webhook cannot be read").at(found.id))?;
                listed.push(Listed { environment, webhook });
            }
        }
    }
    store.close().await?;
    Ok(listed)
}

fn list_text(listed: &[Listed]) -> String {
    if listed.is_empty() {
        return "There are no webhooks yet.".into();
    }
    let rows: Vec<_> = listed
        .iter()
        .map(|Listed { environment, webhook }| {
            let events: Vec<_> = webhook.events.iter().map(|kind| kind.as_str()).collect();
            let state = match (&webhook.inactive_reason, webhook.active) {
                (_, true) => "active".to_owned(),
                (None, false) => "off".to_owned(),
                (Some(reason), false) => format!("off: {reason}"),
            };
            [
                webhook.id.to_string(),
                environment.as_str().to_owned(),
                webhook.name.clone(),
                webhook.url.clone(),
                events.join(","),
                webhook.success_count.to_string(),
                webhook.failure_count.to_string(),
                state,
            ]
        })
        .collect();
    table(["ID", "ENVIRONMENT", "NAME", "URL", "EVENTS", "DELIVERED", "FAILED", "STATE"], &rows)
}
