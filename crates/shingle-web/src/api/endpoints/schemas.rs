//! JSON Schemas of our types, as the document writes them.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Words before the example in the comment of a field.
const EXAMPLE: &str = "Example: `";

/// Makes schemas: of what is answered, which records share; and of what is sent, each at its place.
pub struct Schemas {
    answered: SchemaGenerator,
    named: Map<String, Value>,
    sent: SchemaGenerator,
}

impl Default for Schemas {
    fn default() -> Self {
        let shared = SchemaSettings::draft2020_12().for_serialize().with(|s| {
            s.definitions_path = "/components/schemas".into();
            s.meta_schema = None;
        });
        let sent = SchemaSettings::draft2020_12().for_deserialize().with(|s| {
            s.inline_subschemas = true;
            s.meta_schema = None;
        });
        Self { answered: shared.into_generator(), named: Map::new(), sent: sent.into_generator() }
    }
}

impl Schemas {
    /// A type of answers, which is described once, among the components.
    pub fn answered<T: JsonSchema>(&mut self) -> Value {
        finished(self.answered.subschema_for::<T>().to_value())
    }

    /// A type of requests.
    pub fn sent<T: JsonSchema>(&mut self) -> Value {
        untitled(finished(self.sent.subschema_for::<T>().to_value()))
    }

    /// A schema that is a file of its own, as a component.
    pub fn named(&mut self, name: &str, schema: Value) -> Value {
        self.named.insert(name.to_owned(), schema);
        json!({ "$ref": format!("#/components/schemas/{name}") })
    }

    /// The components that were named so far.
    pub fn components(mut self) -> Map<String, Value> {
        let of_types = self.answered.take_definitions(true);
        let of_types = of_types.into_iter().map(|(name, schema)| (name, never_null(finished(schema))));
        of_types.chain(self.named).collect()
    }
}

/// A type of answers with everything in its place, for a document of its own.
pub fn whole<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    never_null(untitled(finished(settings.into_generator().subschema_for::<T>().to_value())))
}

/// For [`crate::api::endpoints::endpoint::SchemaOf`].
pub fn answered<T: JsonSchema>(schemas: &mut Schemas) -> Value {
    schemas.answered::<T>()
}

/// For [`crate::api::endpoints::endpoint::SchemaOf`].
pub fn sent<T: JsonSchema>(schemas: &mut Schemas) -> Value {
    schemas.sent::<T>()
}

/// Takes members of an object's schema, in this order.
pub fn members(of: &Value, names: &[&str]) -> Map<String, Value> {
    let properties = &of["properties"];
    names.iter().map(|name| ((*name).to_owned(), properties[*name].clone())).collect()
}

/// The schema of an object.
pub fn object(properties: Map<String, Value>, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "properties": properties });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// What is left out where it has no value is not null besides, unless its comment says when it is.
fn never_null(mut schema: Value) -> Value {
    let required = schema.get("required").cloned().unwrap_or_default();
    for (name, field) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        let is_required = required.as_array().is_some_and(|names| names.contains(&name.as_str().into()));
        let may_be_null = field["description"].as_str().unwrap_or_default().to_lowercase().contains("null");
        if !is_required && !may_be_null {
            without_null(field);
        }
    }
    schema
}

fn without_null(field: &mut Value) {
    if let Some(kinds) = field["type"].as_array() {
        let kept: Vec<Value> = kinds.iter().filter(|kind| *kind != "null").cloned().collect();
        field["type"] = if let [one] = kept.as_slice() { one.clone() } else { kept.into() };
    }
    if let Some(words) = field.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|word| !word.is_null());
    }
    let Some([only, _null]) = field["anyOf"].as_array().map(Vec::as_slice) else { return };
    let (only, Value::Object(members)) = (only.clone(), field) else { return };
    members.remove("anyOf");
    members.extend(only.as_object().cloned().unwrap_or_default().into_iter().filter(|(name, _)| name != "description"));
}

fn untitled(mut schema: Value) -> Value {
    if let Some(members) = schema.as_object_mut() {
        members.remove("title");
    }
    schema
}

/// What comments and Rust types become: examples, lists of words, plain formats.
fn finished(mut schema: Value) -> Value {
    finish(&mut schema);
    schema
}

fn finish(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(finish),
        Value::Object(members) => {
            // Inner ones first: words of an inner list are then plain.
            for (name, member) in members.iter_mut() {
                match (name.as_str(), member) {
                    // Names of fields, of which one may be called like a keyword.
                    ("properties", Value::Object(fields)) => fields.values_mut().for_each(finish),
                    // No schemas, whatever they look like.
                    ("examples" | "default" | "enum" | "const", _) => {}
                    (_, member) => finish(member),
                }
            }
            lift_example(members);
            plain_format(members);
            one_list_of_words(members);
            nullable_words(members);
        }
        _ => {}
    }
}

/// Formats that JSON Schema does not know say nothing that the bounds do not.
fn plain_format(members: &mut Map<String, Value>) {
    let known = ["uuid", "date", "date-time", "uri", "binary"];
    if members.get("format").and_then(Value::as_str).is_some_and(|format| !known.contains(&format)) {
        members.remove("format");
    }
}

/// An enum whose variants have comments is a choice of constants: one list, and the comments in the text.
fn one_list_of_words(members: &mut Map<String, Value>) {
    let Some(choices) = members.get("oneOf").and_then(Value::as_array) else { return };
    let mut words = Vec::new();
    let mut said = Vec::new();
    for choice in choices {
        let text = choice["description"].as_str();
        match (&choice["const"], choice["enum"].as_array()) {
            (Value::String(word), _) => {
                said.extend(text.map(|text| format!("`{word}`: {}", text.trim_end_matches('.'))));
                words.push(Value::from(word.as_str()));
            }
            (_, Some(list)) => words.extend(list.iter().cloned()),
            _ => return,
        }
    }
    members.remove("oneOf");
    members.insert("type".into(), "string".into());
    members.insert("enum".into(), words.into());
    if !said.is_empty() {
        let own = members.get("description").and_then(Value::as_str).unwrap_or_default();
        let text = format!("{own} {}.", said.join("; "));
        members.insert("description".into(), text.trim().into());
    }
}

/// One of some words or null is one list of both.
fn nullable_words(members: &mut Map<String, Value>) {
    let Some([first, second]) = members.get("anyOf").and_then(Value::as_array).map(Vec::as_slice) else { return };
    let (Some(words), Some("null")) = (first["enum"].as_array(), second["type"].as_str()) else { return };
    let mut words = words.clone();
    words.push(Value::Null);
    let inner = first["description"].as_str().map(str::to_owned);
    members.remove("anyOf");
    members.insert("type".into(), json!(["string", "null"]));
    members.insert("enum".into(), words.into());
    if let Some(inner) = inner {
        let own = members.get("description").and_then(Value::as_str).unwrap_or_default();
        if own != inner {
            members.insert("description".into(), format!("{own} {inner}").trim().into());
        }
    }
}

fn lift_example(members: &mut Map<String, Value>) {
    let Some(Value::String(comment)) = members.get("description") else { return };
    let text = comment.split('\n').collect::<Vec<_>>().join(" ");
    let Some((said, example)) = text.rsplit_once(EXAMPLE) else {
        members.insert("description".into(), text.into());
        return;
    };
    let example = example.trim_end().trim_end_matches('`');
    let is_text = match &members.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.contains(&"string".into()),
        _ => false,
    };
    let value =
        if is_text { Value::from(example) } else { serde_json::from_str(example).unwrap_or_else(|_| example.into()) };
    members.insert("description".into(), said.trim_end().into());
    members.insert("examples".into(), json!([value]));
}
