//! JSON whose rows are lists of values, with their headings in front: the Census, Socrata's `rows.json`, CKAN's dumps, pandas.

use serde_json::{Map, Value};

use crate::format::cell;
use crate::format::columns::distinct;
use crate::format::properties::Properties;
use crate::format::unread_row::UnreadRow;

/// What the values of a list are.
#[derive(Debug, PartialEq)]
pub(crate) struct ListHeadings(Vec<Heading>);

#[derive(Debug, PartialEq)]
struct Heading {
    name: String,
    /// What is in a value that is a list itself: Socrata's `latitude`, `human_address`.
    parts: Vec<String>,
}

impl ListHeadings {
    /// The first of the lists, where all of it are names.
    pub fn of_first(list: &[u8]) -> Option<Self> {
        let names: Vec<String> = serde_json::from_slice(list).ok()?;
        let headings = names.into_iter().map(|name| Heading { name: cell::tidy(&name), parts: Vec::new() });
        Self::named(headings.collect())
    }

    /// What an object says in front of its rows.
    pub fn of_object(object: &Map<String, Value>) -> Option<Self> {
        let socrata = object.get("meta").and_then(|meta| meta.pointer("/view/columns"));
        let plain = || ["columns", "fields", "meta", "headers", "header"].iter().find_map(|key| object.get(*key));
        let columns = socrata.or_else(plain)?.as_array()?;
        Self::named(columns.iter().map(Heading::of).collect::<Option<_>>()?)
    }

    fn named(mut headings: Vec<Heading>) -> Option<Self> {
        let names = distinct(headings.iter().map(|heading| heading.name.clone()).collect());
        headings.iter_mut().zip(names).for_each(|(heading, name)| heading.name = name);
        (headings.iter().any(|heading| !heading.name.is_empty())).then_some(Self(headings))
    }

    /// One of the lists as cells.
    pub fn row(&self, list: &str) -> Result<Properties, UnreadRow> {
        let values: Vec<Value> = serde_json::from_str(list).map_err(|_| UnreadRow::NotAList)?;
        let (len, wanted) = (values.len(), self.0.len());
        if len != wanted {
            return Err(UnreadRow::Fields { len, wanted });
        }
        let mut cells = Properties::new();
        for (heading, value) in self.0.iter().zip(values) {
            match value {
                Value::Array(parts) if !heading.parts.is_empty() => heading.take_apart(parts, &mut cells),
                value => drop(cells.insert(heading.name.clone(), value)),
            }
        }
        Ok(cells)
    }
}

impl Heading {
    fn of(column: &Value) -> Option<Self> {
        let text = |key: &str| column.get(key).and_then(Value::as_str);
        // Socrata's own columns have names that columns of the table may have too.
        let own = text("fieldName").filter(|name| name.starts_with(':'));
        let name = own.or_else(|| text("name")).or_else(|| text("id")).or_else(|| column.as_str())?;
        let parts = column.get("subColumnTypes").and_then(Value::as_array).into_iter().flatten();
        let parts = parts.map(|part| part.as_str().unwrap_or_default().to_owned()).collect();
        Some(Self { name: cell::tidy(name), parts })
    }

    /// `Location` with its parts becomes `Location.latitude`, `Location.address`.
    fn take_apart(&self, values: Vec<Value>, cells: &mut Properties) {
        for (part, value) in self.parts.iter().zip(values) {
            let address = value.as_str().filter(|_| part == "human_address");
            match address.and_then(|text| serde_json::from_str::<Properties>(text).ok()) {
                Some(address) => {
                    cells.extend(address.into_iter().map(|(key, value)| (format!("{}.{key}", self.name), value)))
                }
                None => drop(cells.insert(format!("{}.{part}", self.name), value)),
            }
        }
    }
}
