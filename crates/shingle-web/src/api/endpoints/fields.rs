//! Schemas of single request fields, with the limits of the rules.

use serde_json::{Value, json};

use crate::api::endpoints::endpoint::Parameter;

/// No control characters and none that reorder text on screen: `shingle_domain::text::is_clean`.
pub const CLEAN: &str = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$";

/// As [`CLEAN`], with line breaks and tabs.
pub const MULTILINE: &str =
    r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$";

/// A line that has to be there.
pub fn line(max: usize) -> Value {
    json!({ "type": "string", "minLength": 1, "maxLength": max, "pattern": CLEAN })
}

/// Several lines, or nothing.
pub fn block(max: usize) -> Value {
    json!({ "type": "string", "maxLength": max, "pattern": MULTILINE })
}

/// In what is sent, `null` says the same as leaving a field out, at any depth.
pub fn null_is_nothing(schema: &mut Value) {
    let required = schema.get("required").cloned().unwrap_or_default();
    for (name, field) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        null_is_nothing(field);
        if !required.as_array().is_some_and(|names| names.contains(&name.as_str().into())) {
            or_null(field);
        }
    }
}

fn or_null(field: &mut Value) {
    if let Some(kind) = field.get("type").filter(|kind| kind.is_string()).cloned() {
        field["type"] = json!([kind, "null"]);
    }
    if let Some(words) = field.get_mut("enum").and_then(Value::as_array_mut) {
        words.push(Value::Null);
    }
}

/// How a list is read page by page.
pub fn paging_of(usual: u32, max: u32) -> Vec<Parameter> {
    let size = json!({ "type": "integer", "minimum": 1, "maximum": max, "default": usual });
    // As `shingle_store::Cursor` writes it.
    let cursor = json!({ "type": "string", "pattern": r"^[0-9a-f]{1,15}\.[0-9a-f]{32}$" });
    let example = "6414b2d39a000.0192f4c17d3e7a2b8c4d1f2e3d4c5b6a";
    vec![
        Parameter::query("limit", "How many at most.", size, 20),
        Parameter::query("cursor", "`nextCursor` of the page before.", cursor, example),
    ]
}
