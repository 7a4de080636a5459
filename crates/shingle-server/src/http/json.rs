//! JSON bodies, read whatever the content type says: visitors' browsers send `text/plain`, which needs no
//! preflight.

use axum::body::Bytes;
use serde::de::DeserializeOwned;
use serde_json::Value;
use shingle_domain::rules::Fields;

use super::error::{Answer, Failure};

const NOT_JSON: &str = "Request body is not valid JSON";

/// A body of one of our own shapes.
pub fn shape<T: DeserializeOwned>(body: &Bytes) -> Answer<T> {
    serde_json::from_slice(body).map_err(|error| {
        if error.is_data() {
            // serde's words name fields and types, never the values of other fields.
            Failure::refused("The request has missing or malformed fields")
        } else {
            Failure::refused(NOT_JSON)
        }
    })
}

/// The members of an object, for rules that judge field by field. No body is an empty object.
pub fn fields(body: &Bytes) -> Answer<Fields<'static>> {
    let mut fields = Fields::default();
    if body.is_empty() {
        return Ok(fields);
    }
    let value: Value = serde_json::from_slice(body).map_err(|_| Failure::refused(NOT_JSON))?;
    let Value::Object(members) = value else { return Err(Failure::refused(NOT_JSON)) };
    for (name, value) in members {
        match value {
            Value::String(text) => fields.push(name, text),
            // Explicitly nothing is the same as not given.
            Value::Null => {}
            _ => fields.push_not_text(name),
        }
    }
    Ok(fields)
}
