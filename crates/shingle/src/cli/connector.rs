//! `shingle connector …`: other systems that get the leads.

use std::collections::BTreeMap;

use clap::Subcommand;
use serde::Serialize;
use serde_json::{Value, json};
use shingle_deliver::connector::{
    ConnectorOutcome, ConnectorProgress, ConnectorRun, ConnectorTemplate, Plan, built_in, find,
};
use shingle_domain::{AccountId, Environment, LeadId, Tenant};
use shingle_store::{DestinationKind, Store, StoreError};
use url::Url;

use super::account::unknown_account;
use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::{Output, table};
use shingle_app::connectors::{Connection, ConnectionError, Subject};
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::operator_error::OperatorError;

#[derive(Debug, Subcommand)]
pub enum Connector {
    /// List the connectors
    List,
    /// Show what a connector does, and the settings that it needs
    Show { name: String },
    /// Show what would be sent of a lead; with --send, send it and show what comes back. Nothing is switched on
    Try {
        name: String,
        #[arg(long, value_name = "ID")]
        lead: LeadId,
        /// A setting; without any, those of the account's own connection are used
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
        settings: Vec<(String, String)>,
        /// Send it once
        #[arg(long)]
        send: bool,
        /// Send it to this server in place of the target's
        #[arg(long, value_name = "URL", requires = "send")]
        base: Option<Url>,
    },
    /// Switch a connector on for an account: every new lead is written there
    Add {
        name: String,
        #[arg(long, value_name = "ID")]
        account: AccountId,
        /// sandbox or production
        #[arg(long, default_value = "production")]
        env: Environment,
        #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
        settings: Vec<(String, String)>,
    },
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

#[derive(Debug, Serialize)]
struct Trial {
    requests: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
}

impl Connector {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        match self {
            Self::List => list(output),
            Self::Show { name } => output.print(&described(known(&name)?), |_| shown_text(&name)),
            Self::Try { name, lead, settings, send, base } => {
                let context = global.installation(SettingFlags::default())?;
                let trial = block_on(try_out(&context, &name, lead, settings, send, base))?;
                output.print(&trial, trial_text)
            }
            Self::Add { name, account, env, settings } => {
                let context = global.installation(SettingFlags::default())?;
                let tenant = Tenant { account, environment: env };
                let id = block_on(add(&context, &name, tenant, settings))?;
                output.print(&json!({ "id": id, "connector": name }), |_| {
                    format!("{name} is on ({id}). Every new lead is written there.")
                })
            }
        }
    }
}

fn known(name: &str) -> Result<&'static ConnectorTemplate, OperatorError> {
    find(name).ok_or_else(|| {
        OperatorError::new("There is no such connector").at(name).fix("`shingle connector list` shows them.")
    })
}

fn list(output: Output) -> Result<(), OperatorError> {
    let all: Vec<Value> = built_in().iter().map(described).collect();
    output.print(&all, |_| {
        let row = |t: &ConnectorTemplate| [t.name.clone(), word(&t.kind), t.title.clone(), word(&t.tried)];
        let rows: Vec<_> = built_in().iter().map(row).collect();
        table(["NAME", "KIND", "TITLE", "TRIED AGAINST"], &rows)
    })
}

fn described(of: &ConnectorTemplate) -> Value {
    json!({
        "name": of.name, "title": of.title, "kind": of.kind, "about": of.about, "documentation": of.documentation,
        "tried": of.tried, "steps": of.steps, "script": of.script, "settings": of.settings,
    })
}

fn shown_text(name: &str) -> String {
    let Some(of) = find(name) else { return String::new() };
    let mut lines = vec![of.title.clone(), of.about.clone(), String::new()];
    lines.push(format!("Tried against its {}: {}", word(&of.tried), of.documentation));
    for (n, step) in of.steps.iter().enumerate() {
        lines.push(format!("{}. {step}", n + 1));
    }
    if !of.settings.is_empty() {
        lines.extend([String::new(), "Settings (--set NAME=VALUE):".to_owned()]);
    }
    for setting in &of.settings {
        let needed = if setting.required && setting.default.is_none() { "needed" } else { "optional" };
        let hint = setting.hint.as_deref().unwrap_or_default();
        lines.push(format!("  {}  {} ({needed}) {hint}", setting.name, setting.label).trim_end().to_owned());
    }
    lines.extend(of.script.iter().flat_map(|script| [String::new(), script.clone()]));
    lines.join("\n")
}

fn word(of: &impl Serialize) -> String {
    serde_json::to_value(of).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

async fn try_out(
    context: &Installation,
    name: &str,
    lead: LeadId,
    settings: Vec<(String, String)>,
    send: bool,
    base: Option<Url>,
) -> Result<Trial, OperatorError> {
    let template = known(name)?;
    let store = context.store().await?;
    let tenant = store.leads().tenant_of(lead).await?.ok_or_else(|| {
        OperatorError::new("There is no such lead").at(lead).fix("`shingle lead list` shows the leads of an account.")
    })?;
    let connection = connection(&store, &tenant, template, settings).await?;
    let subject = Subject::find(&store, &tenant, lead).await.map_err(OperatorError::text)?;
    let event =
        json!({ "id": "evt_trial", "type": "lead.created", "timestamp": subject.lead.created_at, "sequence": 1 });
    let about = subject.context(event, None).map_err(OperatorError::text)?;
    store.close().await?;
    let run = ConnectorRun {
        template: connection.template,
        settings: &connection.settings,
        context: &about,
        now: context.clock.now(),
        instead: base,
    };
    if !send {
        let requests = run.plan().into_iter().map(|planned| plan_json(&planned.name, planned.plan)).collect();
        return Ok(Trial { requests, outcome: None });
    }
    let egress = context.egress("connector try")?;
    let report = run.run(&egress, ConnectorProgress::default()).await;
    let requests = report.steps.iter().map(|step| json!(step)).collect();
    Ok(Trial { requests, outcome: Some(outcome_text(&report.outcome)) })
}

/// With the settings of the command line, or those of the account's own connection.
async fn connection(
    store: &Store,
    tenant: &Tenant,
    template: &ConnectorTemplate,
    settings: Vec<(String, String)>,
) -> Result<Connection, OperatorError> {
    let own = store.destinations().list(tenant, DestinationKind::Connector).await?;
    let given: BTreeMap<_, _> = settings.into_iter().collect();
    match own.iter().find(|d| d.draft.address == template.name) {
        Some(own) => Connection::of(own).and_then(|own| own.with(given)).map_err(connection_error),
        None => Connection::parse(&template.name, given).map_err(connection_error),
    }
}

async fn add(
    context: &Installation,
    name: &str,
    tenant: Tenant,
    settings: Vec<(String, String)>,
) -> Result<shingle_domain::DestinationId, OperatorError> {
    let connection = Connection::parse(name, settings.into_iter().collect()).map_err(connection_error)?;
    let draft = connection.draft(None, Vec::new(), true).map_err(connection_error)?;
    let store = context.store().await?;
    if store.accounts().find(tenant.account).await?.is_none() {
        return Err(unknown_account(tenant.account));
    }
    let made = store.destinations().create(&tenant, &draft, None).await.map_err(|e| match e {
        StoreError::TooMany { max } => OperatorError::new(format!("The account has {max} connectors already")),
        other => other.into(),
    })?;
    store.close().await?;
    Ok(made.id)
}

fn connection_error(error: ConnectionError) -> OperatorError {
    match &error {
        ConnectionError::Settings { .. } => {
            OperatorError::new(error).fix("`shingle connector show NAME` lists the settings; give them with --set.")
        }
        _ => OperatorError::new(error),
    }
}

fn plan_json(name: &str, plan: Plan) -> Value {
    match plan {
        Plan::Send(request) => json!({ "name": name, "request": request }),
        Plan::Perhaps { when, request, .. } => json!({ "name": name, "when": when, "request": request }),
        Plan::Skip { why } => json!({ "name": name, "skipped": why.map(|why| why.to_string()) }),
        Plan::Unbuildable(error) => json!({ "name": name, "problem": error.to_string() }),
    }
}

fn outcome_text(of: &ConnectorOutcome) -> String {
    match of {
        ConnectorOutcome::Delivered { record: Some(record) } => format!("delivered; the record there is {}", record.id),
        ConnectorOutcome::Delivered { record: None } => "delivered".to_owned(),
        ConnectorOutcome::Retry { cause, .. } => format!("not now: {cause}; a delivery would try again"),
        ConnectorOutcome::Refused { cause } => format!("refused: {cause}"),
        ConnectorOutcome::Skipped { why } => format!("nothing to send: {why}"),
        ConnectorOutcome::Unreachable(error) => format!("not reached: {error}"),
        ConnectorOutcome::Unbuildable(error) => format!("the request cannot be built: {error}"),
    }
}

fn trial_text(of: &Trial) -> String {
    let mut lines = Vec::new();
    for step in &of.requests {
        lines.push(format!("== {}", step["name"].as_str().unwrap_or_default()));
        for key in ["skipped", "problem", "when"] {
            lines.extend(step[key].as_str().map(|text| format!("{key}: {text}")));
        }
        if let Ok(request) = serde_json::from_value::<RequestText>(step["request"].clone()) {
            lines.extend(request.lines());
        }
        if step["response"].is_object() {
            lines.push(format!(
                "-> {} {}",
                step["response"]["status"],
                step["response"]["body"].as_str().unwrap_or_default()
            ));
        }
    }
    lines.extend(of.outcome.clone());
    lines.join("\n")
}

/// A shown request, read back from its JSON.
#[derive(serde::Deserialize)]
struct RequestText {
    method: String,
    url: String,
    headers: Vec<(String, String)>,
    body: String,
}

impl RequestText {
    fn lines(self) -> Vec<String> {
        let mut lines = vec![format!("{} {}", self.method, self.url)];
        lines.extend(self.headers.into_iter().map(|(name, value)| format!("{name}: {value}")));
        lines.extend([String::new(), self.body]);
        lines
    }
}
