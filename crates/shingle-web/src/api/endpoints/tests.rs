//! The document against the rules, the files that are kept of it, and itself.

use std::fs;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::lookup::Product;
use shingle_domain::rules::{Fields, WebhookDraft, WidgetDraft};
use shingle_domain::widget::WidgetRecord;

use crate::api::endpoints::document;
use crate::api::endpoints::endpoints;
use crate::api::endpoints::events;
use crate::api::endpoints::schemas::whole;

/// Set it to rewrite the files.
const REWRITE: &str = "SHINGLE_WRITE_DESCRIPTION";
const BASE_URL: &str = "https://api.example.com";

/// Whether a file of `assets/` holds this, once it was written where that is wanted.
fn is_kept(file: &str, value: &Value) -> bool {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets")).join(file);
    let text = serde_json::to_string_pretty(value).unwrap() + "\n";
    if std::env::var_os(REWRITE).is_some() {
        fs::write(&path, &text).unwrap();
    }
    fs::read_to_string(path).unwrap_or_default() == text
}

#[test]
fn the_committed_description_is_that_of_the_routes() {
    assert!(is_kept("openapi.json", &document(BASE_URL)), "{REWRITE}=1 cargo test -p shingle-web writes it anew");
}

fn record(kind: EventKind) -> Value {
    match kind {
        EventKind::LeadCreated | EventKind::LeadUpdated => whole::<Lead>(),
        _ => whole::<WidgetRecord>(),
    }
}

/// The body of an event as a document of its own.
fn event_schema(kind: EventKind) -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": kind.as_str(),
    });
    if let (Some(schema), Value::Object(body)) = (schema.as_object_mut(), events::body(kind, record(kind))) {
        schema.extend(body);
    }
    close(&mut schema);
    schema
}

/// A receiver may check that nothing is in an event but what is said: objects have no other members. Formats are
/// left out, because checkers differ in which they know; each has its pattern.
fn close(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(close),
        Value::Object(members) => {
            if members.contains_key("properties") {
                members.insert("additionalProperties".into(), false.into());
            }
            if members.get("format").is_some_and(Value::is_string) {
                members.remove("format");
            }
            close_members(members);
        }
        _ => {}
    }
}

fn close_members(members: &mut Map<String, Value>) {
    for (name, member) in members.iter_mut() {
        match (name.as_str(), member) {
            // Names of fields, of which one may be called like a keyword.
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(close),
            ("examples" | "enum", _) => {}
            (_, member) => close(member),
        }
    }
}

#[test]
fn the_committed_schemas_of_events_are_those_of_the_types() {
    for kind in EventKind::PUBLIC {
        let file = format!("schemas/{}.json", kind.as_str());
        assert!(is_kept(&file, &event_schema(kind)), "{REWRITE}=1 cargo test -p shingle-web writes {file} anew");
    }
}

#[test]
fn every_operation_and_every_event_has_a_name_of_its_own() {
    let mut names: Vec<&str> = endpoints().iter().map(|endpoint| endpoint.id).collect();
    let (all, paths) = (names.len(), document(BASE_URL)["paths"].as_object().unwrap().len());
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(all > 30 && paths > 20, "{all} operations on {paths} paths");
}

#[test]
fn no_route_of_the_api_stands_beside_the_table() {
    assert!(!include_str!("../../router.rs").contains("\"/api"));
    let document = document(BASE_URL);
    for product in Product::ALL {
        assert!(document["paths"][format!("/api/v1/{}", product.as_str())]["get"].is_object(), "{product:?}");
    }
}

/// Every schema below, with the way there.
fn schemas<'v>(value: &'v Value, way: &str, found: &mut Vec<(String, &'v Map<String, Value>)>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(at, one)| schemas(one, &format!("{way}/{at}"), found)),
        Value::Object(members) => {
            if let Some(Value::Object(fields)) = members.get("properties") {
                for (name, field) in fields {
                    found.push((format!("{way}/{name}"), field.as_object().unwrap()));
                }
            }
            for (name, member) in members {
                if !matches!(name.as_str(), "examples" | "example" | "default") {
                    schemas(member, &format!("{way}/{name}"), found);
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_field_has_a_meaning_and_every_value_an_example() {
    let document = document(BASE_URL);
    let mut found = Vec::new();
    schemas(&document["components"]["schemas"], "", &mut found);
    schemas(&document["paths"], "", &mut found);
    schemas(&document["webhooks"], "", &mut found);
    assert!(found.len() > 400, "{}", found.len());
    // The settings are a document of their own, which has one example of all.
    found.retain(|(way, _)| !way.starts_with("/WidgetSettings/") && !way.contains("/settings/put/"));
    let mute: Vec<&String> = found
        .iter()
        .filter(|(_, field)| field.get("description").and_then(Value::as_str).is_none_or(str::is_empty))
        .map(|(way, _)| way)
        .collect();
    assert!(mute.is_empty(), "without a description: {mute:#?}");
    let refers = |field: &Map<String, Value>| {
        let text = Value::Object(field.clone()).to_string();
        ["\"$ref\"", "\"properties\"", "\"const\"", "\"additionalProperties\"", "\"binary\""]
            .iter()
            .any(|inner| text.contains(inner))
    };
    let bare: Vec<&String> =
        found.iter().filter(|(_, f)| !f.contains_key("examples") && !refers(f)).map(|(way, _)| way).collect();
    assert!(bare.is_empty(), "without an example: {bare:#?}");
    for (way, field) in &found {
        let Some(Value::String(kind)) = field.get("type") else { continue };
        let Some(example) = field.get("examples").map(|list| &list[0]) else { continue };
        let fits = match kind.as_str() {
            "string" => example.is_string(),
            "integer" => example.is_u64(),
            "number" => example.is_number(),
            "boolean" => example.is_boolean(),
            "array" => example.is_array(),
            _ => example.is_object(),
        };
        assert!(fits, "{way}: {example} is no {kind}");
        let known = field.get("enum").and_then(Value::as_array).is_none_or(|words| words.contains(example));
        assert!(known, "{way}: {example} is not one of its words");
    }
}

#[test]
fn what_may_be_null_says_when() {
    let document = document(BASE_URL);
    let mut found = Vec::new();
    schemas(&document["components"]["schemas"], "", &mut found);
    found.retain(|(way, _)| !way.starts_with("/WidgetSettings/"));
    let nullable = |field: &Map<String, Value>| {
        let Some(kinds) = field.get("type") else {
            return field.get("anyOf").is_some_and(|any| any.to_string().contains("\"null\""));
        };
        kinds.as_array().is_some_and(|kinds| kinds.contains(&"null".into()))
    };
    let silent: Vec<&String> = found
        .iter()
        .filter(|(_, field)| nullable(field) && !field["description"].as_str().unwrap().to_lowercase().contains("null"))
        .map(|(way, _)| way)
        .collect();
    assert!(silent.is_empty(), "{silent:#?}");
    assert!(found.iter().filter(|(_, field)| nullable(field)).count() > 60);
}

fn body<'d>(document: &'d Value, path: &str, method: &str) -> &'d Value {
    let content = &document["paths"][path][method]["requestBody"]["content"];
    &content.as_object().unwrap().values().next().unwrap()["schema"]
}

/// Every example of a body's fields, as text.
fn form(schema: &Value) -> Vec<(String, String)> {
    let example = |(name, of): (&String, &Value)| {
        let value = of["examples"].as_array()?.first()?;
        Some((name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
    };
    schema["properties"].as_object().unwrap().iter().filter_map(example).collect()
}

#[test]
fn the_form_of_a_new_widget_requires_what_the_rules_require() {
    let document = document(BASE_URL);
    let schema = body(&document, "/api/v1/roof-estimate-widget", "post");
    let all = form(schema);
    WidgetDraft::parse(&Fields::from_pairs(all.clone()), true).unwrap();
    for (left_out, _) in &all {
        let rest = all.iter().filter(|(name, _)| name != left_out).cloned();
        let refused = WidgetDraft::parse(&Fields::from_pairs(rest), true).is_err();
        let required = schema["required"].as_array().unwrap().contains(&left_out.as_str().into());
        assert_eq!(refused, required, "{left_out}");
    }
    let logo = WidgetDraft::parse(&Fields::from_pairs(all), false).unwrap_err();
    assert_eq!(logo.messages(), ["headerLogo should not be empty"]);
}

#[test]
fn a_new_webhook_requires_what_the_rules_require() {
    let document = document(BASE_URL);
    let schema = body(&document, "/api/v1/webhooks", "post");
    let fields = |left_out: &str| {
        let mut sent = Map::new();
        for (name, of) in schema["properties"].as_object().unwrap().iter().filter(|(name, _)| *name != left_out) {
            sent.insert(name.clone(), of["examples"][0].clone());
        }
        crate::web::json::object(&axum::body::Bytes::from(Value::Object(sent).to_string())).unwrap()
    };
    let is_url = |text: &str| Some(text.to_owned());
    WebhookDraft::parse(&fields(""), is_url).unwrap();
    for name in schema["properties"].as_object().unwrap().keys() {
        let refused = WebhookDraft::parse(&fields(name), is_url).is_err();
        assert_eq!(refused, schema["required"].as_array().unwrap().contains(&name.as_str().into()), "{name}");
    }
}
