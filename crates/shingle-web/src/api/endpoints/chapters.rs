//! The API document as chapters of a page, for people.

use serde_json::{Map, Value};
use shingle_widget::ssr::{ApiDocs, ApiEntry, ApiField, ApiGroup, ApiPart};

/// What `document` says, in its order.
pub fn chapters(document: &Value) -> ApiDocs {
    let mut groups: Vec<ApiGroup> = members(&document["tags"]).map(|tag| group(document, tag)).collect();
    groups.push(ApiGroup {
        title: "Events".into(),
        text: "What is posted to webhooks. Each has a schema of its own under `/schemas/`.".into(),
        entries: fields_of(&document["webhooks"]).map(|(name, event)| event_entry(name, &event["post"])).collect(),
    });
    groups.push(ApiGroup {
        title: "Errors".into(),
        text: "Every error has the same body, whatever went wrong.".into(),
        entries: fields_of(&document["components"]["responses"]).map(|(name, of)| refusal(name, of)).collect(),
    });
    groups.push(ApiGroup {
        title: "Records".into(),
        text: "What answers are made of. A field without the word optional is always there.".into(),
        entries: fields_of(&document["components"]["schemas"]).map(|(name, of)| record(name, of)).collect(),
    });
    ApiDocs {
        title: text(&document["info"]["title"]),
        about: text(&document["info"]["description"]),
        base_url: text(&document["servers"][0]["url"]),
        groups,
    }
}

fn group(document: &Value, tag: &Value) -> ApiGroup {
    let title = text(&tag["name"]);
    let paths = fields_of(&document["paths"]);
    let operations = paths.flat_map(|(path, of)| fields_of(of).map(move |(method, of)| (path, method, of)));
    let own = operations.filter(|(_, _, of)| of["tags"][0] == tag["name"]);
    let entries = own.map(|(path, method, of)| operation(path, method, of)).collect();
    ApiGroup { title, text: text(&tag["description"]), entries }
}

fn operation(path: &str, method: &str, of: &Value) -> ApiEntry {
    let mut parts = Vec::new();
    let parameters: Vec<ApiField> = members(&of["parameters"])
        .map(|parameter| ApiField {
            name: text(&parameter["name"]),
            kind: format!("{}, in the {}", kind(&parameter["schema"]), text(&parameter["in"])),
            required: parameter["required"] == true,
            text: text(&parameter["description"]),
            example: example(&parameter["example"]),
            record: None,
        })
        .collect();
    if !parameters.is_empty() {
        parts.push(ApiPart { title: "Parameters".into(), fields: parameters, ..ApiPart::default() });
    }
    for (content, body) in fields_of(&of["requestBody"]["content"]) {
        parts.push(ApiPart {
            title: format!("Body ({content})"),
            text: text(&of["requestBody"]["description"]),
            code: serde_json::to_string_pretty(&body["example"]).ok().filter(|_| !body["example"].is_null()),
            ..part(&body["schema"])
        });
    }
    for (status, answer) in fields_of(&of["responses"]).filter(|(_, answer)| answer["$ref"].is_null()) {
        for (content, body) in fields_of(&answer["content"]) {
            parts.push(ApiPart {
                title: format!("Answer {status} ({content})"),
                text: text(&answer["description"]),
                ..part(&body["schema"])
            });
        }
    }
    ApiEntry {
        id: text(&of["operationId"]),
        route: Some((method.to_uppercase(), path.to_owned())),
        title: text(&of["summary"]),
        text: text(&of["description"]),
        parts,
    }
}

fn event_entry(name: &str, post: &Value) -> ApiEntry {
    let schema = &post["requestBody"]["content"]["application/json"]["schema"];
    let body = ApiPart { title: "Body (application/json)".into(), fields: fields(schema, ""), ..ApiPart::default() };
    ApiEntry {
        id: name.to_owned(),
        route: None,
        title: name.to_owned(),
        text: text(&schema["description"]),
        parts: vec![body],
    }
}

fn refusal(name: &str, of: &Value) -> ApiEntry {
    let content = &of["content"]["application/json"];
    let bodies: Vec<String> =
        fields_of(&content["examples"]).map(|(_, example)| example["value"].to_string()).collect();
    let status = fields_of(&content["examples"]).next().map(|(_, first)| first["value"]["statusCode"].to_string());
    let body = ApiPart { code: Some(bodies.join("\n")), ..part(&content["schema"]) };
    ApiEntry {
        id: name.to_owned(),
        route: None,
        title: status.unwrap_or_default(),
        text: text(&of["description"]),
        parts: vec![body],
    }
}

fn record(name: &str, of: &Value) -> ApiEntry {
    let fields = ApiPart { fields: fields(of, ""), ..ApiPart::default() };
    ApiEntry {
        id: format!("record-{name}"),
        route: None,
        title: name.to_owned(),
        text: text(&of["description"]),
        parts: vec![fields],
    }
}

/// The fields of a schema, or the records it is made of.
fn part(schema: &Value) -> ApiPart {
    let mut records = Vec::new();
    name_records(schema, &mut records);
    ApiPart { records, fields: fields(schema, ""), ..ApiPart::default() }
}

fn name_records(schema: &Value, into: &mut Vec<String>) {
    into.extend(referred(schema));
    into.extend(referred(&schema["items"]));
    members(&schema["allOf"]).for_each(|inner| name_records(inner, into));
}

/// Those of an object, with the fields of objects in it behind a dot.
fn fields(schema: &Value, before: &str) -> Vec<ApiField> {
    let required = &schema["required"];
    let mut all = Vec::new();
    for (name, of) in fields_of(&schema["properties"]) {
        let full = format!("{before}{name}");
        let inner = members(&of["anyOf"]).chain(members(&of["oneOf"])).find(|one| one["type"] != "null").unwrap_or(of);
        let items = &inner["items"];
        all.push(ApiField {
            name: full.clone(),
            kind: kind(of),
            required: members(required).any(|one| one == name),
            text: text(&of["description"]),
            example: example(&of["examples"][0]),
            record: referred(inner).or_else(|| referred(items)),
        });
        all.extend(fields(inner, &format!("{full}.")));
        all.extend(fields(items, &format!("{full}[].")));
    }
    all
}

/// The record that a schema refers to.
fn referred(schema: &Value) -> Option<String> {
    schema["$ref"].as_str().and_then(|to| to.rsplit('/').next()).map(str::to_owned)
}

/// What kind of value it is, in a few words.
fn kind(of: &Value) -> String {
    if let Some(word) = of["const"].as_str() {
        return format!("always `{word}`");
    }
    if let Some(words) = of["enum"].as_array() {
        let all: Vec<String> =
            words.iter().map(|word| word.as_str().map_or("null".into(), |word| format!("`{word}`"))).collect();
        return format!("one of {}", all.join(", "));
    }
    if let Some(record) = referred(of) {
        return record;
    }
    let choices: Vec<String> = members(&of["anyOf"]).chain(members(&of["oneOf"])).map(kind).collect();
    if !choices.is_empty() {
        return choices.join(" or ");
    }
    let one = |name: &str| match (name, of["format"].as_str()) {
        ("array", _) => format!("list of {}", kind(&of["items"]).trim_start_matches("one of ")),
        ("string", Some("uuid")) => "UUID".to_owned(),
        ("string", Some("date-time")) => "time".to_owned(),
        ("string", Some("date")) => "day".to_owned(),
        (name, _) => name.to_owned(),
    };
    let said = match &of["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(one).collect::<Vec<_>>().join(" or "),
        _ => "any value".to_owned(),
    };
    match (of["minimum"].as_f64(), of["maximum"].as_f64()) {
        (Some(low), Some(high)) => format!("{said}, {low} to {high}"),
        _ => said,
    }
}

fn example(of: &Value) -> String {
    match of {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn text(of: &Value) -> String {
    of.as_str().unwrap_or_default().to_owned()
}

fn members(of: &Value) -> impl Iterator<Item = &Value> {
    of.as_array().into_iter().flatten()
}

fn fields_of(of: &Value) -> impl Iterator<Item = (&String, &Value)> {
    of.as_object().into_iter().flat_map(Map::iter)
}
