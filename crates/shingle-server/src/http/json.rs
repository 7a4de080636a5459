//! JSON bodies, whatever the content type says: visitors' browsers send `text/plain`, which needs no preflight.

use axum::body::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shingle_domain::rules::{FieldItem, Fields};

use super::error::{ApiError, ApiResult};

const NOT_JSON: &str = "Request body is not valid JSON";

/// Parses a body into one of our own types.
pub fn parse<T: DeserializeOwned>(body: &Bytes) -> ApiResult<T> {
    // A list would be read as the members of a type in their order.
    let listed = body.trim_ascii_start().starts_with(b"[");
    let parsed = if listed { Err(serde::de::Error::custom("a list")) } else { serde_json::from_slice(body) };
    parsed.map_err(|error: serde_json::Error| {
        if error.is_data() {
            // serde's own message could repeat what was sent.
            ApiError::bad_request("The request has missing or malformed fields")
        } else {
            ApiError::bad_request(NOT_JSON)
        }
    })
}

/// The members of an object, for rules that check field by field. No body counts as an empty object.
pub fn fields(body: &Bytes) -> ApiResult<Fields<'static>> {
    if body.is_empty() { Ok(Fields::default()) } else { object(body) }
}

/// As [`fields`], but a body is required: where a missing member means its default, no body would delete everything.
pub fn object(body: &Bytes) -> ApiResult<Fields<'static>> {
    let mut fields = Fields::default();
    let value: Value = serde_json::from_slice(body).map_err(|_| ApiError::bad_request(NOT_JSON))?;
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
