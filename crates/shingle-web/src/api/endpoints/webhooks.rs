//! `/api/v1/webhooks`, and the log of deliveries of every kind of destination.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use shingle_domain::event::EventKind;
use shingle_domain::rules::MAX_TEXT;
use shingle_domain::webhook::Webhook;
use shingle_store::DeliveryState;

use crate::api::deliveries::{self, DeliveryList, DeliveryView, Replayed, Started};
use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::fields::{CLEAN, null_is_nothing, paging_of};
use crate::api::endpoints::schemas::{Schemas, answered, members, object, whole};
use crate::api::webhooks;

const ID: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b70";
const OPERATIONS: [&str; 6] =
    ["getWebhook", "updateWebhook", "rotateWebhookSecret", "testWebhook", "listWebhookDeliveries", "deleteWebhook"];

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            route: Route::post("/api/v1/webhooks", webhooks::create),
            id: "createWebhook",
            group: Group::Webhooks,
            summary: "Make a webhook",
            text: "Its address has to be public and to begin with `https://`.",
            parameters: vec![Parameter::idempotency_key()],
            body: Some(Body::json("The webhook.", new_webhook, example())),
            answer: Answer::of(StatusCode::CREATED, "The webhook, and this once its `secret`.", answered::<Webhook>)
                .leading_to("/id", "webhookId", &OPERATIONS),
        },
        Endpoint {
            route: Route::get("/api/v1/webhooks", webhooks::list),
            id: "listWebhooks",
            group: Group::Webhooks,
            summary: "List webhooks",
            text: "All of them.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("The webhooks.", answered::<Vec<Webhook>>),
        },
        Endpoint {
            route: Route::get("/api/v1/webhooks/{webhookId}", webhooks::show),
            id: "getWebhook",
            group: Group::Webhooks,
            summary: "Get a webhook",
            text: "The whole record, without its secret.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The webhook.", answered::<Webhook>),
        },
        Endpoint {
            route: Route::patch("/api/v1/webhooks/{webhookId}", webhooks::update),
            id: "updateWebhook",
            group: Group::Webhooks,
            summary: "Change a webhook",
            text: "What is not sent stays as it is. Every mistake is one sentence about syntax.",
            parameters: vec![id()],
            body: Some(
                Body::json("The fields that change.", changed_webhook, json!({ "timeoutSeconds": 10 })).optional(),
            ),
            answer: Answer::ok("The webhook as it is now.", answered::<Webhook>),
        },
        Endpoint {
            route: Route::delete("/api/v1/webhooks/{webhookId}", webhooks::delete),
            id: "deleteWebhook",
            group: Group::Webhooks,
            summary: "Delete a webhook",
            text: "What is on its way to it is given up.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The webhook as it was.", answered::<Webhook>),
        },
        Endpoint {
            route: Route::post("/api/v1/webhooks/{webhookId}/rotate-secret", webhooks::rotate_secret),
            id: "rotateWebhookSecret",
            group: Group::Webhooks,
            summary: "Renew the secret of a webhook",
            text: "The old one signs beside the new one for a day.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The webhook, and this once its new `secret`.", answered::<Webhook>),
        },
        test("/api/v1/webhooks/{webhookId}/test", "testWebhook", Group::Webhooks, id()),
        log("/api/v1/webhooks/{webhookId}/deliveries", "listWebhookDeliveries", Group::Webhooks, id()),
        replay_since("/api/v1/webhooks/{webhookId}/replay", "replayWebhook", Group::Webhooks, id()),
        Endpoint {
            route: Route::get("/api/v1/deliveries/{id}", deliveries::show),
            id: "getDelivery",
            group: Group::Deliveries,
            summary: "Get a delivery",
            text: "With every attempt: what was sent, without secrets, and what came back.",
            parameters: vec![delivery_id()],
            body: None,
            answer: Answer::ok("The delivery.", answered::<DeliveryView>),
        },
        Endpoint {
            route: Route::post("/api/v1/deliveries/{id}/replay", deliveries::replay),
            id: "replayDelivery",
            group: Group::Deliveries,
            summary: "Send a delivery again",
            text: "As a delivery of its own, with the same event.",
            parameters: vec![delivery_id(), Parameter::idempotency_key()],
            body: None,
            answer: Answer::of(StatusCode::ACCEPTED, "It is on its way.", answered::<Started>).leading_to(
                "/deliveryId",
                "id",
                &["getDelivery"],
            ),
        },
    ]
}

/// Sends a test event to one destination.
pub fn test(path: &'static str, name: &'static str, group: Group, id: Parameter) -> Endpoint {
    Endpoint {
        route: Route::post(path, deliveries::test),
        id: name,
        group,
        summary: "Send a test event",
        text: "A `ping`, which nobody has to subscribe to.",
        parameters: vec![id, Parameter::idempotency_key()],
        body: None,
        answer: Answer::of(StatusCode::ACCEPTED, "It is on its way.", answered::<Started>).leading_to(
            "/deliveryId",
            "id",
            &["getDelivery"],
        ),
    }
}

/// The log of one destination.
pub fn log(path: &'static str, name: &'static str, group: Group, id: Parameter) -> Endpoint {
    let word = |words: &[&str]| json!({ "type": "string", "enum": words });
    let time = json!({ "type": "string", "format": "date-time" });
    let mut parameters = vec![
        id,
        Parameter::query(
            "event",
            "Only events of this kind.",
            word(&EventKind::PUBLIC.map(EventKind::as_str)),
            EventKind::LeadCreated.as_str(),
        ),
        Parameter::query(
            "state",
            "Only deliveries in this state.",
            word(&DeliveryState::ALL.map(DeliveryState::as_str)),
            "failed",
        ),
        Parameter::query("since", "Only events from this time on.", time, "2026-11-22T00:00:00Z"),
    ];
    parameters.extend(paging_of(50, 100));
    Endpoint {
        route: Route::get(path, deliveries::list),
        id: name,
        group,
        summary: "List deliveries",
        text: "The newest first, a page at a time, without their attempts.",
        parameters,
        body: None,
        answer: Answer::ok("A page of the log.", answered::<DeliveryList>).leading_to(
            "/data/0/id",
            "id",
            &["getDelivery", "replayDelivery"],
        ),
    }
}

/// Sends again what one destination has missed.
pub fn replay_since(path: &'static str, name: &'static str, group: Group, id: Parameter) -> Endpoint {
    Endpoint {
        route: Route::post(path, deliveries::replay_since),
        id: name,
        group,
        summary: "Send again what failed",
        text: "Everything that failed or was skipped since a time.",
        parameters: vec![id],
        body: Some(Body::json("From when on.", since, json!({ "since": "2026-11-22T00:00:00Z" }))),
        answer: Answer::of(StatusCode::ACCEPTED, "They are on their way.", answered::<Replayed>),
    }
}

fn since(_: &mut Schemas) -> Value {
    let since = json!({
        "description": "Time of the earliest event, in ISO 8601 with an offset.",
        "type": "string",
        "format": "date-time",
        "examples": ["2026-11-22T00:00:00Z"],
    });
    object(Map::from_iter([("since".to_owned(), since)]), &["since"])
}

fn id() -> Parameter {
    Parameter::id("webhookId", "Id of the webhook.", ID)
}

fn delivery_id() -> Parameter {
    Parameter::id("id", "Id of the delivery.", "0192f4c2-0d11-7c5e-8a41-6b2f3d4c5b01")
}

fn example() -> Value {
    json!({ "name": "Our CRM", "url": "https://example.com/shingle", "events": ["lead.created", "lead.updated"] })
}

fn new_webhook(_: &mut Schemas) -> Value {
    let mut schema = object(fields(), &["name", "url", "events"]);
    null_is_nothing(&mut schema);
    schema
}

fn changed_webhook(_: &mut Schemas) -> Value {
    let mut schema = object(fields(), &[]);
    null_is_nothing(&mut schema);
    schema
}

/// Fields of the record as a request has them. `headers` has values here.
fn fields() -> Map<String, Value> {
    let names = ["name", "url", "events", "active", "timeoutSeconds", "widgets", "payload", "ordered"];
    let mut fields = members(&whole::<Webhook>(), &names);
    fields["name"]["minLength"] = 1.into();
    fields["name"]["maxLength"] = MAX_TEXT.into();
    fields["name"]["pattern"] = CLEAN.into();
    fields["url"]["format"] = "uri".into();
    fields["url"]["pattern"] = "^https://".into();
    fields["events"]["minItems"] = 1.into();
    fields["events"]["uniqueItems"] = true.into();
    fields["widgets"]["maxItems"] = 100.into();
    let headers = json!({
        "description": "Headers that are sent with every event, by name. Names that say how a request is sent, or that \
                        begin with `webhook-`, are ours.",
        "type": "object",
        "maxProperties": 16,
        "propertyNames": { "pattern": "^[Xx]-[A-Za-z0-9-]{1,80}$|^[Aa]uthorization$" },
        "additionalProperties": { "type": "string", "maxLength": 1000, "pattern": "^[ -~]*$" },
        "examples": [{ "authorization": "Bearer 4711" }],
    });
    fields.insert("headers".into(), headers);
    fields
}
