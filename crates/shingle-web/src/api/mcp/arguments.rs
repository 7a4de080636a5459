//! The arguments of a tool, as the domain's rules read them.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use shingle_domain::rules::Fields;
use shingle_domain::usage::day;
use shingle_domain::{Rule, Timestamp, Violations};

/// Each as the text that a query would hold. What is empty counts as left out, and so does
/// the word null: models fill in every argument they know.
///
/// # Errors
/// What cannot be written as a text.
pub fn fields(arguments: &Map<String, Value>) -> Result<Fields<'static>, String> {
    let mut fields = Fields::default();
    for (name, value) in arguments {
        let text = match value {
            Value::Array(items) => {
                let texts: Option<Vec<String>> = items.iter().map(plain).collect();
                texts.map(|texts| texts.join(","))
            }
            other => plain(other),
        };
        let text = text.ok_or_else(|| format!("`{name}` must be a plain value."))?;
        if !text.is_empty() && text != "null" {
            fields.push(name.clone(), text);
        }
    }
    Ok(fields)
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => Some(String::new()),
        Value::Bool(value) => Some(value.to_string()),
        // Some clients write 20 as 20.0.
        Value::Number(number) => Some(match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => (float as i64).to_string(),
            _ => number.to_string(),
        }),
        Value::String(text) => Some(text.trim().to_owned()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// A day of the arguments.
///
/// # Errors
/// The rule that it breaks.
pub fn day_of(fields: &Fields<'_>, name: &str) -> Result<Option<Date>, Violations> {
    let day = fields.text(name).map(day).transpose();
    day.map_err(|rule| Violations::one(name, rule))
}

/// Days from the first to the last.
///
/// # Errors
/// Where the first comes after the last, or more than a year before.
pub fn in_order(first: Date, last: Date) -> Result<(), Violations> {
    match (last - first).get_days() {
        ..0 => Err(Violations::one("from", Rule::NotAfterTo)),
        0..=365 => Ok(()),
        _ => Err(Violations::one("from", Rule::WithinYear)),
    }
}

/// The first instant of a day in a zone.
pub fn begin(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    let begin = day.to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_micros(begin.timestamp().as_microsecond()))
}

/// The first instant after a day.
pub fn end(day: Date, zone: &TimeZone) -> Option<Timestamp> {
    begin(day.tomorrow().ok()?, zone)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_read_however_a_client_writes_it() {
        let read = |value: Value| {
            let arguments = json!({ "a": value });
            fields(arguments.as_object().unwrap()).map(|fields| fields.text("a").map(str::to_owned))
        };
        for (value, text) in [
            (json!(20), Some("20")),
            (json!(20.0), Some("20")),
            (json!(525.5), Some("525.5")),
            (json!("20"), Some("20")),
            (json!(true), Some("true")),
            (json!(["match", "range"]), Some("match,range")),
            (json!(" Bath "), Some("Bath")),
            (json!(""), None),
            (json!("null"), None),
            (json!(["null"]), None),
            (json!(null), None),
            (json!([]), None),
        ] {
            assert_eq!(read(value.clone()).unwrap().as_deref(), text, "{value}");
        }
        for value in [json!({}), json!([[]]), json!([{}])] {
            assert!(read(value).is_err());
        }
    }

    #[test]
    fn a_period_is_a_year_at_most() {
        let days = |first: &str, last: &str| in_order(first.parse().unwrap(), last.parse().unwrap()).is_ok();
        assert!(days("2026-01-01", "2026-01-01") && days("2024-01-01", "2024-12-31"));
        assert!(!days("2026-01-02", "2026-01-01") && !days("2025-01-01", "2026-02-01"));
    }
}
