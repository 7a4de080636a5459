//! Parts of GeoJSON: properties as cells, the old `crs` member, and messages.

use serde_json::Value;

use crate::format::cell;
use crate::format::source::{DeclaredCrs, Row};

pub(crate) type Properties = serde_json::Map<String, Value>;

/// The properties that a mapping asks for, and which of them some feature had.
pub(crate) struct WantedProperties {
    names: Vec<String>,
    seen: Vec<bool>,
    /// Where no column is asked for: the names that features had so far, in the order of the file.
    met: Vec<String>,
}

impl WantedProperties {
    pub fn new(names: &[String]) -> Self {
        Self { names: names.to_vec(), seen: vec![false; names.len()], met: Vec::new() }
    }

    /// Empties the cells of a row.
    pub fn clear(&self, row: &mut Row) {
        row.cells.resize(self.names.len(), String::new());
        row.cells.iter_mut().for_each(String::clear);
    }

    /// Fills the cells, `id` from the feature's own id where it has no such property.
    pub fn fill(&mut self, row: &mut Row, properties: Option<&Properties>, id: Option<&Value>) {
        if self.names.is_empty() {
            for (key, value) in properties.into_iter().flatten() {
                meet(key.clone(), value, &mut self.met);
            }
        }
        for ((cell, name), seen) in row.cells.iter_mut().zip(&self.names).zip(&mut self.seen) {
            let own = || id.filter(|_| name == "id");
            // By its name, else by its name in another case, as in a table.
            let other = || properties?.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
            let value =
                properties.and_then(|p| p.get(name)).or_else(own).or_else(other).or_else(|| within(properties?, name));
            *seen |= value.is_some();
            match value {
                None | Some(Value::Null) => {}
                Some(Value::String(text)) => cell.push_str(&cell::tidy(text)),
                Some(other) => cell.push_str(&cell::tidy(&other.to_string())),
            }
        }
    }

    pub fn met(&self) -> &[String] {
        &self.met
    }

    /// Those that no feature had so far.
    pub fn unseen(&self) -> Vec<String> {
        self.names.iter().zip(&self.seen).filter(|(_, seen)| !**seen).map(|(name, _)| name.clone()).collect()
    }
}

/// The names of a member, and of those within it: `site.address`.
fn meet(name: String, value: &Value, met: &mut Vec<String>) {
    match value.as_object().filter(|inner| !inner.is_empty() && name.matches('.').count() < MOST_LEVELS) {
        Some(inner) => inner.iter().for_each(|(key, value)| meet(format!("{name}.{key}"), value, met)),
        None if met.contains(&name) => {}
        None => met.push(name),
    }
}

/// Levels of objects within a row.
const MOST_LEVELS: usize = 4;

/// A member of an object within the row.
fn within<'p>(properties: &'p Properties, name: &str) -> Option<&'p Value> {
    let (first, rest) = name.split_once('.')?;
    let inner = properties.get(first)?.as_object()?;
    inner.get(rest).or_else(|| within(inner, rest))
}

/// The name in the `crs` member of GeoJSON as it was before RFC 7946, which some writers still use.
pub(crate) fn named_crs(json: &[u8]) -> Option<DeclaredCrs> {
    let crs: Value = serde_json::from_slice(json).ok()?;
    crs.pointer("/properties/name").and_then(Value::as_str).map(|name| DeclaredCrs::Name(name.to_owned()))
}

/// The fault without line and column: they count within the feature and would mislead the reader.
pub(crate) fn without_place(e: &serde_json::Error) -> String {
    let text = e.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}
