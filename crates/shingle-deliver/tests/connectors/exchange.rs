//! The files of `exchanges/`: what a connector sends and what its target answers, as the target's documentation shows
//! it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use shingle_deliver::connector::{
    ConnectorContext, ConnectorInput, ConnectorOutcome, ConnectorProgress, ConnectorReport, ConnectorRun,
    ConnectorSettings, Plan, find,
};
use shingle_deliver::{Egress, EgressPolicy};
use shingle_domain::Timestamp;

use crate::server::{Answer, Asked, Server};

/// 2026-11-22T18:12:00Z, when the lead was made.
pub const NOW: Timestamp = Timestamp::from_micros(1_795_371_120_000_000);

/// What the client adds on its own.
const CLIENT: [&str; 5] = ["host", "content-length", "accept", "user-agent", "connection"];

pub fn files() -> Vec<(PathBuf, Value)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/connectors/exchanges");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let value = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        (path, value)
    };
    paths.into_iter().map(read).collect()
}

/// The common lead, with the differences of one case: an object is merged, everything else replaced.
pub fn input(changes: &Value) -> ConnectorInput {
    let mut all: Value = serde_json::from_str(include_str!("lead.json")).unwrap();
    if changes.is_object() {
        merge(&mut all, changes);
    }
    let reference = all["reference"].as_str().map(str::to_owned);
    let mut take = |key: &str| all[key].take();
    ConnectorInput {
        event: take("event"),
        lead: take("lead"),
        company: take("company"),
        links: take("links"),
        reference,
    }
}

fn merge(into: &mut Value, changes: &Value) {
    match (into, changes) {
        (Value::Object(into), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(into.entry(key.clone()).or_insert(Value::Null), change);
            }
        }
        (into, change) => *into = change.clone(),
    }
}

pub fn settings(connector: &str, given: &Value) -> ConnectorSettings {
    let given: BTreeMap<String, String> = serde_json::from_value(given.clone()).unwrap();
    ConnectorSettings::parse(&find(connector).unwrap().settings, &given).unwrap()
}

pub fn egress() -> Egress {
    let policy = EgressPolicy { allow_http: true, allowed_networks: vec!["127.0.0.0/8".parse().unwrap()] };
    Egress::new(policy, "Shingle/1").unwrap()
}

pub struct Played {
    pub report: ConnectorReport,
    pub asked: Vec<Asked>,
    /// Host of the target, by request.
    pub hosts: BTreeMap<String, String>,
}

/// Plays one case of a file against a server of our own.
pub async fn play(file: &Value, case: &Value) -> Played {
    let name = file["connector"].as_str().unwrap();
    let mut given = file["settings"].clone();
    if case["settings"].is_object() {
        merge(&mut given, &case["settings"]);
    }
    let settings = settings(name, &given);
    let context = ConnectorContext::new(input(&case["changes"]));
    let answers = case["exchanges"].as_array().unwrap().iter().map(|exchange| answer(&exchange["response"]));
    let server = Server::start(answers.collect()).await;
    let template = find(name).unwrap();
    let mut run = ConnectorRun { template, settings: &settings, context: &context, now: NOW, instead: None };
    let hosts = run.plan().into_iter().filter_map(|planned| match planned.plan {
        Plan::Send(request) | Plan::Perhaps { request, .. } => {
            let url: url::Url = request.url.parse().unwrap();
            Some((planned.name, url.host_str().unwrap().to_owned()))
        }
        _ => None,
    });
    let hosts = hosts.collect();
    run.instead = Some(server.url.clone());
    let progress: ConnectorProgress = serde_json::from_value(case["progress"].clone()).unwrap_or_default();
    let report = run.run(&egress(), progress).await;
    Played { report, asked: server.asked(), hosts }
}

fn answer(response: &Value) -> Answer {
    let headers: BTreeMap<String, String> = serde_json::from_value(response["headers"].clone()).unwrap_or_default();
    let body = match (&response["json"], response["text"].as_str()) {
        (Value::Null, text) => text.unwrap_or_default().as_bytes().to_vec(),
        (json, _) => serde_json::to_vec(json).unwrap(),
    };
    let status = u16::try_from(response["status"].as_u64().unwrap()).unwrap();
    Answer { status, headers: headers.into_iter().collect(), body }
}

/// A request as the files write it.
pub fn written(asked: &Asked, host: Option<&String>) -> Value {
    let headers: Map<String, Value> = asked
        .headers
        .iter()
        .filter(|(name, _)| !CLIENT.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
        .collect();
    let host = host.map_or("?", String::as_str);
    let mut request = json!({
        "method": asked.method,
        "url": format!("https://{host}{}", asked.path),
        "headers": headers,
    });
    let kind = asked.headers.get("content-type").map_or("", String::as_str);
    if kind.starts_with("application/json") {
        request["json"] = serde_json::from_slice(&asked.body).unwrap();
    } else if kind == "application/x-www-form-urlencoded" {
        let pairs = url::form_urlencoded::parse(&asked.body);
        request["form"] = pairs.map(|(name, value)| json!([name, value])).collect();
    } else if !asked.body.is_empty() {
        request["text"] = Value::from(String::from_utf8(asked.body.clone()).unwrap());
    }
    request
}

/// An outcome as the files write it.
pub fn outcome(outcome: &ConnectorOutcome) -> Value {
    match outcome {
        ConnectorOutcome::Delivered { record } => json!({ "delivered": record }),
        ConnectorOutcome::Retry { retry_after, cause } => {
            json!({ "retry": cause.to_string(), "after": retry_after.map(|after| after.as_secs_f64()) })
        }
        ConnectorOutcome::Refused { cause } => json!({ "refused": cause.to_string() }),
        ConnectorOutcome::Skipped { why } => json!({ "skipped": why.to_string() }),
        ConnectorOutcome::Unreachable(e) => json!({ "unreachable": e.to_string() }),
        ConnectorOutcome::Unbuildable(e) => json!({ "unbuildable": e.to_string() }),
    }
}

/// The requests that were sent, with their names.
pub fn sent(played: &Played) -> Vec<Value> {
    let names = played.report.steps.iter().filter(|step| step.response.is_some()).map(|step| &step.name);
    names.zip(&played.asked).map(|(name, asked)| written(asked, played.hosts.get(name))).collect()
}
