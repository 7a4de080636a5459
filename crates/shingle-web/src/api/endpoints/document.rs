//! The OpenAPI document of a list of endpoints.

use serde_json::{Map, Value, json};
use shingle_domain::error::ErrorBody;

use crate::api::endpoints::endpoint::{Body, Endpoint, Group, Parameter};
use crate::api::endpoints::events;
use crate::api::endpoints::schemas::Schemas;

const ABOUT: &str = "Look up what is known of a home, put a roof estimate on a site, and get its leads.\n\n\
    Every request carries its key in the header `token`. The key decides between sandbox, an invented town without any \
    bill, and production; both have this base address. A field that is `null` could not be determined from what is \
    known, unless its description says otherwise. Fields may be added to answers, so a client has to ignore those that \
    it does not know. Every error has the body `ErrorBody`.";

/// The description of these endpoints. `base_url` is where they are served.
pub fn document(endpoints: &[Endpoint], base_url: &str) -> Value {
    let mut schemas = Schemas::default();
    let mut paths = Map::new();
    for endpoint in endpoints {
        let path = paths.entry(endpoint.route.path).or_insert_with(|| json!({}));
        path[endpoint.route.method.as_str().to_ascii_lowercase()] = operation(endpoint, &mut schemas);
    }
    let webhooks = events::webhooks(&mut schemas);
    let error = schemas.answered::<ErrorBody>();
    let tags: Vec<Value> =
        Group::ALL.iter().map(|group| json!({ "name": group.title(), "description": group.text() })).collect();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Shingle",
            "version": "1.0.0",
            "summary": "Property data by address, and a lead widget",
            "description": ABOUT,
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": base_url }],
        "security": [{ "token": [] }],
        "tags": tags,
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas.components(),
            "responses": refusals(&error),
            "securitySchemes": {
                "token": {
                    "type": "apiKey",
                    "in": "header",
                    "name": "token",
                    "description": "An API key. It begins with `sandbox_` or `production_`.",
                },
            },
        },
    })
}

/// The answers to requests that fail, by the names that operations refer to.
const REFUSALS: [(&str, &str, &str); 5] = [
    (
        "400",
        "BadRequest",
        "The request is malformed or breaks rules: `message` is then a list with a sentence for each broken rule. Or the \
         account may not make it: paused, product off, monthly limit reached, balance used up; `message` is one sentence. A \
         key that is for some look-ups alone finds every other operation off.",
    ),
    (
        "401",
        "Unauthorized",
        "There is no key, or it is not valid: unknown, revoked, expired, or used from outside its networks.",
    ),
    ("404", "NotFound", "There is no such record, or it is another account's."),
    ("429", "TooManyRequests", "There were too many requests with this key in a short time."),
    ("500", "InternalServerError", "The fault is ours. The same request may succeed later."),
];

fn refusals(error: &Value) -> Value {
    let example = |name: &str, message: Value, status: u16, word: &str| {
        let value = json!({ "message": message, "error": word, "statusCode": status });
        (name.to_owned(), json!({ "value": value }))
    };
    let account = |name: &str, reason: &str| {
        example(name, format!("{reason} Please contact your administrator.").into(), 400, "Bad Request")
    };
    let one = |name: &str, message: &str, status: u16, word: &str| {
        Map::from_iter([example(name, message.into(), status, word)])
    };
    let mut said = Map::new();
    for (status, name, text) in REFUSALS {
        let examples = match status {
            "400" => Map::from_iter([
                example("brokenRules", json!(["zip must be a 5-digit code"]), 400, "Bad Request"),
                example("malformed", "Request body is not valid JSON".into(), 400, "Bad Request"),
                account("paused", "Account is paused due to failed payment."),
                account("productOff", "Product is not activated."),
                account("limitReached", "API Monthly Limit is reached."),
                account("noBalance", "Insufficient Account Balance to process request."),
            ]),
            "401" => one("invalidKey", "API key is invalid", 401, "Unauthorized"),
            "404" => one("notFound", "Cannot GET /api/v1/leads/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a", 404, "Not Found"),
            "429" => one("tooMany", "Too many requests. Please try again in 20 seconds.", 429, "Too Many Requests"),
            _ => one("fault", "An unexpected error occurred. Please try again later.", 500, "Internal Server Error"),
        };
        let mut response = json!({
            "description": text,
            "content": { "application/json": { "schema": error, "examples": examples } },
        });
        if status == "429" {
            response["headers"] = json!({ "Retry-After": {
                "description": "Seconds to wait.",
                "required": true,
                "schema": { "type": "integer", "minimum": 1 },
            } });
        }
        said.insert(name.into(), response);
    }
    said.into()
}

fn operation(of: &Endpoint, schemas: &mut Schemas) -> Value {
    let mut said = json!({
        "operationId": of.id,
        "tags": [of.group.title()],
        "summary": of.summary,
        "description": of.text,
    });
    if !of.parameters.is_empty() {
        said["parameters"] = of.parameters.iter().map(parameter).collect();
    }
    if let Some(body) = &of.body {
        said["requestBody"] = request_body(body, schemas);
    }
    let schema = of.answer.schema.make(schemas);
    let mut success = json!({ "description": of.answer.text, "content": { of.answer.content: { "schema": schema } } });
    if of.answer.or_table {
        success["content"]["text/csv"] = json!({ "schema": { "type": "string" } });
    }
    if !of.answer.links.is_empty() {
        let links: Map<String, Value> = of
            .answer
            .links
            .iter()
            .map(|link| {
                let to = json!({
                    "operationId": link.operation,
                    "parameters": { link.parameter: format!("$response.body#{}", link.pointer) },
                });
                (link.operation.to_owned(), to)
            })
            .collect();
        success["links"] = links.into();
    }
    let mut responses = Map::from_iter([(of.answer.status.as_str().to_owned(), success)]);
    for (status, name, _) in REFUSALS {
        responses.insert(status.into(), json!({ "$ref": format!("#/components/responses/{name}") }));
    }
    said["responses"] = responses.into();
    said
}

fn parameter(of: &Parameter) -> Value {
    let mut said = json!({
        "name": of.name,
        "in": of.place.as_str(),
        "required": of.required,
        "description": of.text,
        "schema": of.schema,
        "example": of.example,
    });
    if of.schema["type"] == "array" {
        said["style"] = "form".into();
        said["explode"] = false.into();
    }
    said
}

/// An object that may be null becomes a choice of both, and loses its default: openapi-python-client leaves a whole operation
/// out for one. What is missing means the same as before, which the descriptions say.
fn for_generators(schema: &mut Value) {
    match schema {
        Value::Array(list) => list.iter_mut().for_each(for_generators),
        Value::Object(members) => {
            members.iter_mut().filter(|(name, _)| *name != "examples").for_each(|(_, member)| for_generators(member));
            if members.get("default").is_some_and(Value::is_object) {
                members.remove("default");
            }
            if members.get("type") != Some(&json!(["object", "null"])) {
                return;
            }
            let outside = ["description", "default", "examples"];
            let kept: Map<String, Value> = outside.iter().filter_map(|name| members.remove_entry(*name)).collect();
            let mut object = std::mem::replace(members, kept);
            object.insert("type".into(), "object".into());
            members.insert("anyOf".into(), json!([object, { "type": "null" }]));
        }
        _ => {}
    }
}

fn request_body(of: &Body, schemas: &mut Schemas) -> Value {
    let mut schema = of.schema.make(schemas);
    for_generators(&mut schema);
    let mut content = json!({ "schema": schema });
    if let Some(example) = &of.example {
        content["example"] = example.clone();
    }
    json!({ "required": of.required, "description": of.text, "content": { of.content: content } })
}
