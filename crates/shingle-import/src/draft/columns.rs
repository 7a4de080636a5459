//! Which column each field of a mapping is read from, and another one in its place; comments and everything else stay.
//!
//! # Decision
//!
//! Choosing another column edits the mapping's text (toml_edit), so comments and formulas stay. Turned down: a second
//! representation of mappings for the portal.

use std::path::Path;
use std::str::FromStr;

use shingle_domain::message::Message;
use toml_edit::{DocumentMut, Item, Table, value};

use crate::draft::writing::MARK;
use crate::error::{ImportError, TYPED};
use crate::mapping::parser_words::at_its_lines;

/// Where a field comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldFrom {
    Nothing,
    Column(String),
    /// A formula, which only the text shows.
    Formula,
}

/// A field of a mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MappedField {
    /// `address.city`: the table and the key.
    pub key: &'static str,
    pub from: FieldFrom,
    /// The draft was not sure.
    pub is_doubtful: bool,
}

/// Those that can be chosen, in the order in which people look at them.
pub const FIELD_KEYS: [&str; 24] = [
    "place.parcel",
    "address.line",
    "address.number",
    "address.street",
    "address.unit",
    "address.city",
    "address.state",
    "address.zip",
    "geometry.longitude",
    "geometry.latitude",
    "assessor.year_built",
    "assessor.living_area_sqft",
    "assessor.building_area_sqft",
    "assessor.ground_floor_sqft",
    "assessor.storeys",
    "assessor.units",
    "assessor.roof_material",
    "assessor.roof_type",
    "assessor.property_class",
    "assessor.property_type",
    "assessor.primary_owner",
    "assessor.sale_date",
    "assessor.sale_price",
    "assessor.assessed_value",
];

fn read(text: &str) -> Result<DocumentMut, ImportError> {
    DocumentMut::from_str(text).map_err(|e| {
        let (shown, message) = (e.to_string(), e.message());
        let problem = at_its_lines(text, e.span(), &shown, message, Message::Text(message.to_owned()));
        ImportError::input(Path::new(TYPED), problem)
    })
}

/// What each of [`FIELD_KEYS`] is read from.
pub fn mapped_fields(text: &str) -> Result<Vec<MappedField>, ImportError> {
    let document = read(text)?;
    let field = |key: &'static str| {
        let item = key.split_once('.').and_then(|(table, name)| document.get(table)?.get(name));
        let from = match item {
            None => FieldFrom::Nothing,
            Some(item) => item.as_str().map_or(FieldFrom::Formula, |column| FieldFrom::Column(column.to_owned())),
        };
        let comment = item.and_then(Item::as_value).and_then(|value| value.decor().suffix()?.as_str());
        MappedField { key, from, is_doubtful: comment.is_some_and(|comment| comment.contains(MARK)) }
    };
    Ok(FIELD_KEYS.into_iter().map(field).collect())
}

/// The text with other columns: `None` leaves a field out. A key that is not one of [`FIELD_KEYS`] changes nothing.
pub fn with_columns(text: &str, columns: &[(&str, Option<&str>)]) -> Result<String, ImportError> {
    let mut document = read(text)?;
    for (key, column) in columns.iter().filter(|(key, _)| FIELD_KEYS.contains(key)) {
        let Some((table, name)) = key.split_once('.') else { continue };
        match column {
            Some(column) => {
                let entry = document.entry(table).or_insert_with(|| Item::Table(Table::new()));
                if let Some(table) = entry.as_table_like_mut() {
                    table.insert(name, value(*column));
                }
            }
            None => {
                if let Some(table) = document.get_mut(table).and_then(Item::as_table_like_mut) {
                    table.remove(name);
                }
            }
        }
    }
    for key in ["geometry", "place", "assessor"] {
        let is_empty = document.get(key).and_then(Item::as_table_like).is_some_and(|table| table.is_empty());
        if is_empty {
            document.remove(key);
        }
    }
    Ok(document.to_string())
}

/// The text with another name of its data set, and another title where one is given.
pub fn with_names(text: &str, dataset: &str, title: &str) -> Result<String, ImportError> {
    let mut document = read(text)?;
    document["dataset"] = value(dataset);
    if title.is_empty() {
        document.remove("title");
    } else {
        document["title"] = value(title);
    }
    Ok(document.to_string())
}

/// The name of the data set and its title, as the text has them.
pub fn names(text: &str) -> Result<(String, String), ImportError> {
    let document = read(text)?;
    let word = |key: &str| document.get(key).and_then(Item::as_str).unwrap_or_default().to_owned();
    Ok((word("dataset"), word("title")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# A draft\ndataset = \"town\"\n\n[address]\nline = \"ADDR\"  # filled in 99 %\ncity = { constant = \"Harrow\" }\nzip = \"Z\"  # DOUBTFUL: 5 digits\n\n[assessor]\nyear_built = \"YR\"\n";

    fn of(text: &str, key: &str) -> MappedField {
        mapped_fields(text).unwrap().into_iter().find(|field| field.key == key).unwrap()
    }

    #[test]
    fn fields_are_columns_formulas_or_nothing() {
        assert_eq!(of(TEXT, "address.line").from, FieldFrom::Column("ADDR".to_owned()));
        assert_eq!(of(TEXT, "address.city").from, FieldFrom::Formula);
        assert_eq!(of(TEXT, "place.parcel").from, FieldFrom::Nothing);
        assert!(of(TEXT, "address.zip").is_doubtful && !of(TEXT, "address.line").is_doubtful);
    }

    #[test]
    fn another_column_changes_nothing_else() {
        let changed = [
            ("address.line", Some("SITUS \"x\"")),
            ("place.parcel", Some("PID")),
            ("assessor.year_built", None),
            ("evil.key", Some("x")),
        ];
        let text = with_columns(TEXT, &changed).unwrap();
        assert!(
            text.starts_with("# A draft\ndataset = \"town\"") && text.contains("city = { constant = \"Harrow\" }"),
            "{text}"
        );
        assert_eq!(of(&text, "address.line").from, FieldFrom::Column("SITUS \"x\"".to_owned()));
        assert_eq!(of(&text, "place.parcel").from, FieldFrom::Column("PID".to_owned()));
        assert!(!text.contains("[assessor]") && !text.contains("evil"), "{text}");
        let named = with_names(&text, "other", "City of \"Harrow\"").unwrap();
        assert_eq!(names(&named).unwrap(), ("other".to_owned(), "City of \"Harrow\"".to_owned()));
    }

    #[test]
    fn what_is_no_toml_is_told_with_its_line() {
        let wrong = mapped_fields("dataset = \"a\"\nline = [\n").unwrap_err().to_string();
        assert!(wrong.contains("line 2") || wrong.contains("line 3"), "{wrong}");
    }
}
