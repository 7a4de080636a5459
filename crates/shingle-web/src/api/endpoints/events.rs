//! The events that webhooks receive, generated from the types of their data.

use serde_json::{Value, json};
use shingle_domain::event::EventKind;
use shingle_domain::lead::Lead;
use shingle_domain::widget::WidgetRecord;

use crate::api::endpoints::schemas::Schemas;

/// What happened.
fn meaning(kind: EventKind) -> &'static str {
    match kind {
        EventKind::LeadCreated => "A homeowner has sent a lead.",
        EventKind::LeadUpdated => "A lead was changed: by its owner, by the homeowner, or by us.",
        EventKind::WidgetCreated => "A widget was made.",
        EventKind::WidgetUpdated => "A widget was changed.",
        _ => "",
    }
}

/// The member `webhooks` of the document.
pub fn webhooks(schemas: &mut Schemas) -> Value {
    let one = |kind: EventKind| {
        let header = |name: &str, text: &str, example: &str| {
            let schema = json!({ "type": "string", "examples": [example] });
            json!({ "name": name, "in": "header", "required": true, "description": text, "schema": schema })
        };
        let record = if is_of_lead(kind) { schemas.answered::<Lead>() } else { schemas.answered::<WidgetRecord>() };
        let schema = body(kind, record);
        let post = json!({ "post": {
            "operationId": kind.as_str(),
            "summary": meaning(kind),
            "description": "Posted to every webhook that wants it, until a 2xx arrives or three days are over.",
            "security": [],
            "parameters": [
                header("webhook-id", "Id of the event, the same at every attempt.", "evt_0192f4c17d3e7a2b8c4d1f2e3d4c5b6a"),
                header("webhook-timestamp", "When this attempt was made, in seconds since 1970.", "1795388644"),
                header(
                    "webhook-signature",
                    "Signatures of id, timestamp and body, with blanks between: `v1` by the webhook's secret, `v1a` by \
                     the key pair whose public half is at `/webhook-keys/{id}`.",
                    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
                ),
            ],
            "requestBody": { "required": true, "content": { "application/json": { "schema": schema } } },
            "responses": {
                "2XX": { "description": "Received." },
                "410": { "description": "Not wanted any more: the webhook is switched off." },
            },
        } });
        (kind.as_str().to_owned(), post)
    };
    Value::Object(EventKind::PUBLIC.into_iter().map(one).collect())
}

fn is_of_lead(kind: EventKind) -> bool {
    matches!(kind, EventKind::LeadCreated | EventKind::LeadUpdated)
}

/// What is posted about this record.
pub fn body(kind: EventKind, mut record: Value) -> Value {
    let (name, id) = if is_of_lead(kind) { ("lead", "id") } else { ("widget", "referenceId") };
    let thin = json!({
        "description": "With the payload thin: the id alone. Fetch the record with your key.",
        "type": "object",
        "properties": { id: {
            "description": format!("Id of the {name}."),
            "type": "string",
            "format": "uuid",
            "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
            "examples": ["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"],
        } },
        "required": [id],
        "additionalProperties": false,
    });
    record["description"] = format!("The whole {name}, as the API shows it.").into();
    let properties = json!({
        "id": {
            "description": "Id of the event, the same at every attempt: an event that has arrived twice is one event.",
            "type": "string",
            "pattern": "^evt_[0-9a-f]{32}$",
            "examples": ["evt_0192f4c17d3e7a2b8c4d1f2e3d4c5b6a"],
        },
        "type": { "description": "Kind of the event.", "const": kind.as_str() },
        "timestamp": {
            "description": "When it happened. The time of the attempt is in the header webhook-timestamp.",
            "type": "string",
            "format": "date-time",
            "pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$",
            "examples": ["2026-11-22T23:04:04.000Z"],
        },
        "apiVersion": { "description": "Version of this form.", "const": "1.0.0" },
        "sequence": {
            "description": "Counts the events of one lead or widget from 1, in the order in which they happened.",
            "type": "integer",
            "minimum": 1,
            "examples": [1],
        },
        "data": {
            "description": "What the event is about, as it was just after the change.",
            "oneOf": [record, thin],
        },
    });
    json!({
        "description": meaning(kind),
        "type": "object",
        "properties": properties,
        "required": ["id", "type", "timestamp", "apiVersion", "sequence", "data"],
    })
}
