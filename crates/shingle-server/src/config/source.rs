//! Where settings come from: `shingle.toml`, then `SHINGLE_…` variables, then flags. Each value is tried by itself, so an error
//! names the very setting and where it was set.

use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::Settings;
use crate::operator_error::OperatorError;

const PREFIX: &str = "SHINGLE_";

/// A setting by its keys: `["listen"]`, `["limits", "leads_per_visitor"]`.
type Keys = Vec<String>;

/// What was read so far; later values replace earlier ones.
#[derive(Debug, Default)]
pub struct Sources {
    table: Table,
    /// Variables that begin like a setting's and are none.
    pub unknown_variables: Vec<String>,
}

impl Sources {
    pub fn file(&mut self, file: &Path) -> Result<(), OperatorError> {
        let text = std::fs::read_to_string(file).map_err(|e| {
            OperatorError::new(format!("The settings file cannot be read: {e}"))
                .at(file.display())
                .fix("Check the path, and that this user may read the file.")
        })?;
        let table: Table = text.parse().map_err(|e: toml::de::Error| {
            let line = e.span().map_or(1, |span| 1 + text[..span.start.min(text.len())].matches('\n').count());
            OperatorError::new(format!("The settings file is not valid TOML: {}", e.message()))
                .at(format!("{}, line {line}", file.display()))
                .fix("Write one setting a line: name = value. Texts stand in quotation marks.")
        })?;
        for (keys, value) in leaves(table) {
            self.put(&keys, value, &file.display().to_string())?;
        }
        Ok(())
    }

    /// An empty variable is how Compose files leave one out.
    pub fn variables(&mut self, all: impl Iterator<Item = (OsString, OsString)>) -> Result<(), OperatorError> {
        let names = names();
        for (name, text) in all {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
            let Some(keys) = names.iter().find(|keys| variable(keys) == name) else {
                self.unknown_variables.push(name.to_owned());
                continue;
            };
            if text.is_empty() {
                continue;
            }
            let text = text.to_str().ok_or_else(|| {
                OperatorError::new("A variable is not UTF-8").at(name).fix("Write it in UTF-8 and start again.")
            })?;
            // What only fits as a number, a list or a truth value is read as the file would read it.
            let plain = Value::String(text.to_owned());
            let read = || format!("v = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("v"));
            let value = if fits(keys, &plain).is_ok() { plain } else { read().unwrap_or(plain) };
            self.put(keys, value, name)?;
        }
        self.unknown_variables.sort();
        Ok(())
    }

    pub fn flags(&mut self, flags: impl Serialize) -> Result<(), OperatorError> {
        let table = Table::try_from(flags).map_err(|e| OperatorError::new(format!("The flags cannot be read: {e}")))?;
        leaves(table).into_iter().try_for_each(|(keys, value)| self.put(&keys, value, "the command line"))
    }

    pub fn settings(self) -> Result<Settings, OperatorError> {
        let table = self.table;
        Settings::deserialize(table)
            .map_err(|e| OperatorError::new(format!("The settings are not valid: {}", e.message())))
    }

    fn put(&mut self, keys: &[String], value: Value, source: &str) -> Result<(), OperatorError> {
        fits(keys, &value).map_err(|wrong| {
            OperatorError::new(format!("A setting is not valid: {wrong}"))
                .at(format!("{} in {source}", keys.join(".")))
                .fix("Correct it and start again.")
        })?;
        insert(&mut self.table, keys, value);
        Ok(())
    }
}

fn variable(keys: &[String]) -> String {
    format!("{PREFIX}{}", keys.join("_").to_ascii_uppercase())
}

/// Every setting there is, as its type says.
fn names() -> Vec<Keys> {
    let defaults = serde_json::to_value(Settings::default()).unwrap_or_default();
    let all = defaults.as_object().into_iter().flatten();
    all.flat_map(|(key, value)| match value.as_object() {
        Some(inner) => inner.keys().map(|name| vec![key.clone(), name.clone()]).collect(),
        None => vec![vec![key.clone()]],
    })
    .collect()
}

fn leaves(table: Table) -> Vec<(Keys, Value)> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            Value::Table(inner) => {
                found.extend(inner.into_iter().map(|(name, value)| (vec![key.clone(), name], value)));
            }
            value => found.push((vec![key], value)),
        }
    }
    found
}

fn insert(table: &mut Table, keys: &[String], value: Value) {
    match keys {
        [] => {}
        [key] => {
            table.insert(key.clone(), value);
        }
        [key, rest @ ..] => {
            let inner = table.entry(key.clone()).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                insert(inner, rest, value);
            }
        }
    }
}

/// Whether the value alone makes valid settings.
fn fits(keys: &[String], value: &Value) -> Result<(), String> {
    let mut alone = Table::new();
    insert(&mut alone, keys, value.clone());
    Settings::deserialize(alone).map(drop).map_err(|e| e.message().trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Result<(Settings, Vec<String>), OperatorError> {
        let mut sources = Sources::default();
        sources.variables(variables.iter().map(|(name, text)| (name.into(), text.into())))?;
        let unknown = sources.unknown_variables.clone();
        Ok((sources.settings()?, unknown))
    }

    #[test]
    fn every_setting_has_a_variable() {
        let names = names();
        assert!(names.len() > 40, "{names:?}");
        // A value of the wrong type is refused by name, so each variable is read.
        for keys in &names {
            let value = Value::Array(vec![Value::Array(Vec::new())]);
            assert!(fits(keys, &value).is_err(), "{keys:?} takes anything");
        }
        for (name, text, shown) in [
            ("SHINGLE_MAX_IMPORT_MEGABYTES", "7", "max_import_megabytes: 7"),
            ("SHINGLE_LIMITS_LEADS_PER_VISITOR", "3", "leads_per_visitor: 3"),
            ("SHINGLE_LISTEN", "127.0.0.1:9", "listen: 127.0.0.1:9"),
            ("SHINGLE_EGRESS_HTTP", "true", "egress_http: true"),
            ("SHINGLE_RETRY_SECONDS", "[1, 2]", "retry_seconds: [1, 2]"),
            ("SHINGLE_TRUSTED_PROXY", "10.0.0.0/8, ::1", "trusted_proxy: [10.0.0.0/8, ::1/128]"),
            ("SHINGLE_ACME_DOMAINS", "a.example, b.example", r#"["a.example", "b.example"]"#),
            ("SHINGLE_DKIM_SELECTOR", "20261122", r#"dkim_selector: Some("20261122")"#),
            ("SHINGLE_DATA", "2026-11-27", r#"data: "2026-11-27""#),
            ("SHINGLE_LOG", "true", r#"log: "true""#),
            ("SHINGLE_LOOKUP_CENTS", "1_0", "lookup_cents: 10"),
            ("SHINGLE_STORAGE", "", "storage: None"),
        ] {
            let (settings, unknown) = with(&[(name, text)]).unwrap();
            let debug = format!("{settings:?}");
            assert!(debug.contains(shown), "{name}: {debug}");
            assert_eq!(unknown, [""; 0]);
        }
    }

    #[test]
    fn a_number_may_be_a_password() {
        let (settings, _) = with(&[("SHINGLE_METRICS_KEY", "1234567890123456")]).unwrap();
        assert_eq!(settings.metrics_key.unwrap().reveal(), "1234567890123456");
    }

    #[test]
    fn a_wrong_variable_is_named_and_an_unknown_one_is_told() {
        for (name, text, key) in [
            ("SHINGLE_LISTEN", "here", "listen"),
            ("SHINGLE_EGRESS_HTTP", "perhaps", "egress_http"),
            ("SHINGLE_LOOKUP_CENTS", "1.5", "lookup_cents"),
            ("SHINGLE_TRUSTED_PROXY", "all", "trusted_proxy"),
            ("SHINGLE_LIMITS_LEADS_PER_VISITOR", "-1", "limits.leads_per_visitor"),
        ] {
            let problem = with(&[(name, text)]).unwrap_err().to_string();
            assert!(problem.contains(name) && problem.contains(key), "{problem}");
        }
        let others = [("PATH", "/bin"), ("SHINGLE_LISTN", "x"), ("SHINGLE_LIMITS", "x"), ("SHINGLE", "x")];
        let (settings, unknown) = with(&others).unwrap();
        assert_eq!(unknown, ["SHINGLE_LIMITS", "SHINGLE_LISTN"]);
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn a_broken_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shingle.toml");
        for (text, place) in [
            ("log = 'info'\nlisten = 127.0.0.1:80\n", "line 2"),
            ("log = 'info'\nlog = 'debug'\n", "line 2"),
            ("smtp_url = 'smtps://ann:hunter2@mail.example", "line 1"),
            ("limits = 3", "limits"),
            ("[limit]\nx = 1", "limit"),
        ] {
            std::fs::write(&file, text).unwrap();
            let problem = Sources::default().file(&file).unwrap_err().to_string();
            assert!(problem.contains(place) && problem.contains("shingle.toml"), "{problem}");
            assert!(!problem.contains("hunter2"), "{problem}");
        }
    }
}
