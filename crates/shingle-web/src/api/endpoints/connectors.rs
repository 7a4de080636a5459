//! `/api/v1/connectors` and `/api/v1/destinations`.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::api::destinations::{self, ConnectorView, DestinationPatch, DestinationView, NewDestination};
use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Parameter, Place, Route};
use crate::api::endpoints::schemas::{answered, sent};
use crate::api::endpoints::webhooks::{log, replay_since, test};

const ID: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b71";
const OPERATIONS: [&str; 5] =
    ["getDestination", "updateDestination", "testDestination", "listDestinationDeliveries", "deleteDestination"];

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            route: Route::get("/api/v1/connectors", destinations::list_connectors),
            id: "listConnectors",
            group: Group::Connectors,
            summary: "List connectors",
            text: "Every system that there is a connector for, and what each has to be given.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("The connectors.", answered::<Vec<ConnectorView>>).leading_to(
                "/0/name",
                "name",
                &["getConnector"],
            ),
        },
        Endpoint {
            route: Route::get("/api/v1/connectors/{name}", destinations::show_connector),
            id: "getConnector",
            group: Group::Connectors,
            summary: "Get a connector",
            text: "What it does and what it has to be given.",
            parameters: vec![Parameter {
                place: Place::Path,
                name: "name",
                required: true,
                text: "Name of the connector.",
                schema: json!({ "type": "string", "pattern": "^[a-z0-9-]{1,40}$" }),
                example: "slack".into(),
            }],
            body: None,
            answer: Answer::ok("The connector.", answered::<ConnectorView>),
        },
        Endpoint {
            route: Route::post("/api/v1/destinations", destinations::create),
            id: "createDestination",
            group: Group::Connectors,
            summary: "Set a connector up",
            text: "Every new lead goes there from then on.",
            parameters: vec![Parameter::idempotency_key()],
            body: Some(Body::json("The connector and its settings.", sent::<NewDestination>, example())),
            answer: Answer::of(StatusCode::CREATED, "The destination.", answered::<DestinationView>).leading_to(
                "/id",
                "id",
                &OPERATIONS,
            ),
        },
        Endpoint {
            route: Route::get("/api/v1/destinations", destinations::list),
            id: "listDestinations",
            group: Group::Connectors,
            summary: "List what is set up",
            text: "Without webhooks, which have a list of their own.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("The destinations.", answered::<Vec<DestinationView>>),
        },
        Endpoint {
            route: Route::get("/api/v1/destinations/{id}", destinations::show),
            id: "getDestination",
            group: Group::Connectors,
            summary: "Get a destination",
            text: "The whole record, without secrets.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The destination.", answered::<DestinationView>),
        },
        Endpoint {
            route: Route::patch("/api/v1/destinations/{id}", destinations::update),
            id: "updateDestination",
            group: Group::Connectors,
            summary: "Change a destination",
            text: "What is not sent stays as it is.",
            parameters: vec![id()],
            body: Some(Body::json("What changes.", sent::<DestinationPatch>, json!({ "name": "Leads channel" }))),
            answer: Answer::ok("The destination as it is now.", answered::<DestinationView>),
        },
        Endpoint {
            route: Route::delete("/api/v1/destinations/{id}", destinations::delete),
            id: "deleteDestination",
            group: Group::Connectors,
            summary: "Delete a destination",
            text: "What is on its way to it is given up.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The destination as it was.", answered::<DestinationView>),
        },
        test("/api/v1/destinations/{id}/test", "testDestination", Group::Connectors, id()),
        log("/api/v1/destinations/{id}/deliveries", "listDestinationDeliveries", Group::Connectors, id()),
        replay_since("/api/v1/destinations/{id}/replay", "replayDestination", Group::Connectors, id()),
    ]
}

fn id() -> Parameter {
    Parameter::id("id", "Id of the destination.", ID)
}

fn example() -> Value {
    json!({
        "connector": "slack",
        "name": "Leads channel",
        "settings": { "webhook_url": "https://hooks.slack.com/services/T000/B000/XXXXXXXX" },
    })
}
