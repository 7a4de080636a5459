//! JSON bodies, whatever the content type says: visitors' browsers send `text/plain`, which needs no preflight.

use axum::body::Bytes;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use shingle_domain::rules::{FieldItem, Fields};

use crate::web::error::{ApiError, ApiResult};

const NOT_JSON: &str = "Request body is not valid JSON";
const MALFORMED: &str = "The request has missing or malformed fields";

/// Parses a body into one of our own types.
pub fn parse<T: DeserializeOwned>(body: &Bytes) -> ApiResult<T> {
    let body = without_mark(body);
    // A list would be read as the members of a type in their order.
    let listed = body.trim_ascii_start().starts_with(b"[");
    if listed {
        return Err(ApiError::bad_request(MALFORMED));
    }
    let mut json = serde_json::Deserializer::from_slice(body);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| fault(body, &error))?;
    json.end().map_err(|_| ApiError::bad_request(NOT_JSON))?;
    Ok(parsed)
}

/// PowerShell, C# and editors on Windows begin a text with the mark of UTF-8.
fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body)
}

/// Says which member is at fault, where that is known. serde's own message could repeat what was sent.
fn fault(body: &[u8], error: &serde_path_to_error::Error<serde_json::Error>) -> ApiError {
    // An empty object in place of a choice counts as bad syntax to serde.
    if !error.inner().is_data() && serde_json::from_slice::<IgnoredAny>(body).is_err() {
        return ApiError::bad_request(NOT_JSON);
    }
    let path = error.path().to_string();
    // Names of ours: letters, and the dots between them.
    if path.len() <= 60 && path.starts_with(|c: char| c.is_ascii_alphabetic()) && path.is_ascii() {
        return ApiError::bad_request(format!("{path} is missing a value or malformed"));
    }
    ApiError::bad_request(MALFORMED)
}

/// The members of an object, for rules that check field by field. No body counts as an empty object.
pub fn fields(body: &Bytes) -> ApiResult<Fields<'static>> {
    if body.is_empty() { Ok(Fields::default()) } else { object(body) }
}

/// As [`fields`], but a body is required: where a missing member means its default, no body would delete everything.
pub fn object(body: &Bytes) -> ApiResult<Fields<'static>> {
    let mut fields = Fields::default();
    let value: Value = serde_json::from_slice(without_mark(body)).map_err(|_| ApiError::bad_request(NOT_JSON))?;
    let Value::Object(members) = value else { return Err(ApiError::bad_request(NOT_JSON)) };
    for (name, value) in members {
        fields.push_item(name, item(value));
    }
    Ok(fields)
}

fn item(value: Value) -> FieldItem<'static> {
    match value {
        // An explicit null is the same as a missing field.
        Value::Null => FieldItem::Null,
        Value::Bool(value) => FieldItem::Boolean(value),
        Value::Number(number) => FieldItem::Number(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => FieldItem::Text(text.into()),
        Value::Array(list) => FieldItem::List(list.into_iter().map(item).collect()),
        Value::Object(members) => {
            FieldItem::Object(members.into_iter().map(|(name, value)| (name, item(value))).collect())
        }
    }
}
