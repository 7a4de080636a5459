//! Where settings come from: `shingle.toml`, then `SHINGLE_…` variables, then flags. Each value is tried by itself, so an error
//! names the very setting and where it was set.

use core::marker::PhantomData;
use shingle_domain::cold_sort::ColdSort as _;
use std::ffi::OsString;
use std::path::Path;

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::operator_error::OperatorError;

const PREFIX: &str = "SHINGLE_";
/// Of a variable that names a file with the value.
const FILE_SUFFIX: &str = "_FILE";

/// A setting by its keys: `["listen"]`, `["limits", "leads_per_visitor"]`.
type Keys = Vec<String>;

/// All settings: its fields are their names.
pub trait SettingsType: Serialize + for<'de> Deserialize<'de> + Default {}

impl<T: Serialize + for<'de> Deserialize<'de> + Default> SettingsType for T {}

/// What was read so far; later values replace earlier ones.
#[derive(Debug)]
pub struct Sources<T> {
    table: Table,
    /// Variables that begin like a setting's but are not one.
    pub unknown_variables: Vec<String>,
    settings: PhantomData<T>,
}

impl<T> Default for Sources<T> {
    fn default() -> Self {
        Self { table: Table::new(), unknown_variables: Vec::new(), settings: PhantomData }
    }
}

impl<T: SettingsType> Sources<T> {
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

    /// An empty variable is how Compose files leave one out. `…_FILE` names a file that holds the value, as
    /// container engines hand over passwords; a variable with the value itself is preferred.
    pub fn variables(&mut self, all: impl Iterator<Item = (OsString, OsString)>) -> Result<(), OperatorError> {
        let names = names::<T>();
        let named = |name: &str| names.iter().find(|keys| variable(keys) == name);
        let mut plain = Vec::new();
        for (name, text) in all {
            let Some(name) = name.to_str().filter(|name| name.starts_with(PREFIX)) else { continue };
            match (named(name), name.strip_suffix(FILE_SUFFIX).and_then(named)) {
                (Some(keys), _) => plain.push((keys, name.to_owned(), text)),
                (None, Some(_)) if text.is_empty() => {}
                (None, Some(keys)) => self.put_text(keys, &read_value(name, Path::new(&text))?, name)?,
                (None, None) => self.unknown_variables.push(name.to_owned()),
            }
        }
        for (keys, name, text) in plain.into_iter().filter(|(.., text)| !text.is_empty()) {
            let text = text.to_str().ok_or_else(|| {
                OperatorError::new("A variable is not UTF-8").at(&name).fix("Write it in UTF-8 and start again.")
            })?;
            self.put_text(keys, text, &name)?;
        }
        self.unknown_variables.cold_sort();
        Ok(())
    }

    /// What only fits as a number, a list or a truth value is read as the file would read it.
    fn put_text(&mut self, keys: &[String], text: &str, source: &str) -> Result<(), OperatorError> {
        let plain = Value::String(text.to_owned());
        let read = || format!("v = {text}").parse::<Table>().ok().and_then(|mut table| table.remove("v"));
        let value = if fits::<T>(keys, &plain).is_ok() { plain } else { read().unwrap_or(plain) };
        self.put(keys, value, source)
    }

    pub fn flags(&mut self, flags: impl Serialize) -> Result<(), OperatorError> {
        let table = Table::try_from(flags).map_err(|e| OperatorError::new(format!("The flags cannot be read: {e}")))?;
        leaves(table).into_iter().try_for_each(|(keys, value)| self.put(&keys, value, "the command line"))
    }

    pub fn settings(self) -> Result<T, OperatorError> {
        let table = self.table;
        T::deserialize(table).map_err(|e| OperatorError::new(format!("The settings are not valid: {}", e.message())))
    }

    fn put(&mut self, keys: &[String], value: Value, source: &str) -> Result<(), OperatorError> {
        fits::<T>(keys, &value).map_err(|wrong| {
            OperatorError::new(format!("A setting is not valid: {wrong}"))
                .at(format!("{} in {source}", keys.join(".")))
                .fix("Correct it and start again.")
        })?;
        insert(&mut self.table, keys, value);
        Ok(())
    }
}

/// Without the end of its line, which editors add.
fn read_value(variable: &str, file: &Path) -> Result<String, OperatorError> {
    let text = std::fs::read_to_string(file).map_err(|e| {
        OperatorError::new(format!("The file that a variable names cannot be read: {e}"))
            .at(format!("{variable} = {}", file.display()))
            .fix("Check the path, and that this user may read the file.")
    })?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned())
}

fn variable(keys: &[String]) -> String {
    format!("{PREFIX}{}", keys.join("_").to_ascii_uppercase())
}

/// Every setting there is, as its type says.
pub fn names<T: SettingsType>() -> Vec<Keys> {
    let defaults = serde_json::to_value(T::default()).unwrap_or_default();
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
            // An empty section is tried too: its name may be wrong.
            Value::Table(inner) if !inner.is_empty() => {
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
pub fn fits<T: SettingsType>(keys: &[String], value: &Value) -> Result<(), String> {
    let mut alone = Table::new();
    insert(&mut alone, keys, value.clone());
    T::deserialize(alone).map(drop).map_err(|e| e.message().trim().to_owned())
}
