//! A connector's file as it is written. What it means is checked in `template.rs`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::connector::error::Mistake;
use crate::connector::messages::LeftOut;
use crate::connector::settings::SettingKind;

/// What the target is for its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub enum ConnectorKind {
    Crm,
    Chat,
    Sms,
    Conversion,
    Sheet,
    /// The other side subscribes to webhooks by itself: the file explains how, and sends nothing.
    Hook,
}

/// What a connector was tried against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(rename_all = "lowercase")]
pub enum Tried {
    Documentation,
    Service,
}

#[derive(Debug, Deserialize)]
pub struct File {
    pub name: String,
    pub title: String,
    pub kind: ConnectorKind,
    pub about: String,
    pub documentation: String,
    pub tried: Tried,
    #[serde(default)]
    pub steps: Vec<String>,
    pub script: Option<String>,
    pub base: Option<String>,
    pub base_setting: Option<String>,
    pub rate: Option<Rate>,
    #[serde(default)]
    pub limits: Limits,
    #[serde(default)]
    pub setting: Vec<Setting>,
    #[serde(default)]
    pub request: Vec<Request>,
    pub record: Option<Record>,
}

/// How many requests the target takes in how much time; the caller spaces its runs by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    pub requests: u32,
    pub seconds: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Limits {
    pub timeout_seconds: u64,
    pub max_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { timeout_seconds: 15, max_bytes: 64 * 1024 }
    }
}

#[derive(Debug, Deserialize)]
pub struct Setting {
    pub name: String,
    pub label: String,
    pub hint: Option<String>,
    pub kind: SettingKind,
    #[serde(default)]
    pub secret: bool,
    pub required: Option<bool>,
    pub default: Option<String>,
    #[serde(default)]
    pub options: Vec<String>,
    #[serde(default)]
    pub hosts: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub struct Request {
    pub name: String,
    pub method: String,
    pub base: Option<String>,
    #[serde(default)]
    pub path: String,
    pub when: Option<String>,
    pub why: Option<LeftOut>,
    #[serde(default)]
    pub fresh: bool,
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    pub json: Option<String>,
    pub form: Option<BTreeMap<String, String>>,
    pub text: Option<String>,
    #[serde(default)]
    pub success: Success,
    pub retry: Option<String>,
    pub retry_after: Option<String>,
    pub error: Option<String>,
    #[serde(default)]
    pub captures: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
pub struct Success {
    #[serde(default)]
    pub status: Vec<u16>,
    pub when: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct Record {
    pub id: String,
    pub link: Option<String>,
}

const TOP: &[&str] = &[
    "name",
    "title",
    "kind",
    "about",
    "documentation",
    "tried",
    "steps",
    "script",
    "base",
    "base_setting",
    "rate",
    "limits",
    "setting",
    "request",
    "record",
];
const SETTING: &[&str] = &["name", "label", "hint", "kind", "secret", "required", "default", "options", "hosts"];
const REQUEST: &[&str] = &[
    "name",
    "method",
    "base",
    "path",
    "when",
    "why",
    "fresh",
    "headers",
    "json",
    "form",
    "text",
    "success",
    "retry",
    "retry_after",
    "error",
    "captures",
];

/// The file, or everything that is wrong with its keys, or the first thing that is wrong with its form.
pub fn read(text: &str) -> Result<File, Vec<Mistake>> {
    let table: Table = text.parse().map_err(|e: toml::de::Error| vec![of_toml(&e, text)])?;
    let mut unknown = Vec::new();
    keys(&table, "", TOP, &mut unknown);
    for (name, known) in [("limits", &["timeout_seconds", "max_bytes"][..]), ("rate", &["requests", "seconds"])] {
        inner(&table, name, known, &mut unknown);
    }
    inner(&table, "record", &["id", "link"], &mut unknown);
    list(&table, "setting", SETTING, &mut unknown);
    list(&table, "request", REQUEST, &mut unknown);
    let file: Result<File, _> = toml::from_str(text);
    match file {
        Ok(file) if unknown.is_empty() => Ok(file),
        Ok(_) => Err(unknown),
        Err(e) => {
            unknown.push(of_toml(&e, text));
            Err(unknown)
        }
    }
}

fn keys(table: &Table, place: &str, known: &[&str], unknown: &mut Vec<Mistake>) {
    for key in table.keys().filter(|key| !known.contains(&key.as_str())) {
        unknown.push(Mistake::new(format!("{place}{key}"), "there is no such key"));
    }
}

fn inner(table: &Table, name: &str, known: &[&str], unknown: &mut Vec<Mistake>) {
    if let Some(Value::Table(inside)) = table.get(name) {
        keys(inside, &format!("{name}."), known, unknown);
    }
}

fn list(table: &Table, name: &str, known: &[&str], unknown: &mut Vec<Mistake>) {
    let Some(Value::Array(items)) = table.get(name) else { return };
    for (at, item) in items.iter().enumerate() {
        let Value::Table(item) = item else { continue };
        let called = item.get("name").and_then(Value::as_str).map_or_else(|| at.to_string(), str::to_owned);
        keys(item, &format!("{name}.{called}."), known, unknown);
        if let Some(Value::Table(success)) = item.get("success") {
            keys(success, &format!("{name}.{called}.success."), &["status", "when"], unknown);
        }
    }
}

fn of_toml(error: &toml::de::Error, text: &str) -> Mistake {
    let line = error
        .span()
        .map_or(1, |span| text.as_bytes()[..span.start.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1);
    Mistake::new(format!("line {line}"), error.message())
}
