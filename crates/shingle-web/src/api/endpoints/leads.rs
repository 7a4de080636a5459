//! `/api/v1/leads`.

use axum::http::StatusCode;
use serde_json::{Value, json};
use shingle_consent::ConsentCertificate;
use shingle_domain::inspection::InspectionState;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::rules::{LeadListQuery, NoteDraft};
use shingle_store::RepeatedAddress;

use crate::api::consents;
use crate::api::deliveries::{self, DeliveryList};
use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::fields::{CLEAN, block, null_is_nothing, paging_of};
use crate::api::endpoints::schemas::{Schemas, answered};
use crate::api::leads::{self, Erased, LeadPage};
use crate::api::notes::{self, LeadNote};
use crate::visitor::estimate_page::{self, Revoked};
use crate::visitor::photos;

const ID: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            route: Route::get("/api/v1/leads", leads::list),
            id: "listLeads",
            group: Group::Leads,
            summary: "List leads",
            text: "The newest first, a page at a time.",
            parameters: [filters(), paging()].concat(),
            body: None,
            answer: Answer::ok("A page of leads.", answered::<LeadPage>).leading_to(
                "/data/0/id",
                "id",
                &LEAD_OPERATIONS,
            ),
        },
        Endpoint {
            route: Route::get("/api/v1/leads.csv", leads::download),
            id: "downloadLeads",
            group: Group::Leads,
            summary: "Download leads as a table",
            text: "All of them, without pages, one row for each; the first row names the columns.",
            parameters: filters(),
            body: None,
            answer: Answer {
                content: "text/csv",
                ..Answer::ok("The table, in UTF-8.", |_| json!({ "type": "string" }))
            },
        },
        Endpoint {
            route: Route::get("/api/v1/leads/repeated", leads::list_repeated),
            id: "listRepeatedAddresses",
            group: Group::Leads,
            summary: "List addresses that leads name again and again",
            text: "Those that five and more leads of one widget and day name, of the last thirty days; the most repeated \
                   first, a hundred at most.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("The addresses.", answered::<Vec<RepeatedAddress>>),
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}", leads::show),
            id: "getLead",
            group: Group::Leads,
            summary: "Get a lead",
            text: "The whole record.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The lead.", answered::<Lead>),
        },
        Endpoint {
            route: Route::patch("/api/v1/leads/{id}", leads::update),
            id: "updateLead",
            group: Group::Leads,
            summary: "Change a lead",
            text: "Its status, its message, and what became of the visit that was asked for. Every change is a \
                   `lead.updated`.",
            parameters: vec![id()],
            body: Some(Body::json("What changes.", changes, json!({ "status": "contacted" })).optional()),
            answer: Answer::ok("The lead as it is now.", answered::<Lead>),
        },
        Endpoint {
            route: Route::delete("/api/v1/leads/{id}", leads::delete),
            id: "eraseLead",
            group: Group::Leads,
            summary: "Erase a lead",
            text: "Deletes every personal datum of it, also in the log of deliveries. This cannot be undone.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("It is erased.", answered::<Erased>),
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}/notes", notes::list),
            id: "listLeadNotes",
            group: Group::Leads,
            summary: "List the notes of a lead",
            text: "What people of the company and programs wrote down, the oldest first. Homeowners never see them.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The notes.", answered::<Vec<LeadNote>>),
        },
        Endpoint {
            route: Route::post("/api/v1/leads/{id}/notes", notes::add),
            id: "addLeadNote",
            group: Group::Leads,
            summary: "Add a note to a lead",
            text: "It is in the lead's timeline, with the name of the key. It changes nothing else of the lead, so there is no event.",
            parameters: vec![id()],
            body: Some(Body::json("The note.", new_note, json!({ "text": "Called, no answer." }))),
            answer: Answer::of(StatusCode::CREATED, "The note.", answered::<LeadNote>),
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}/consent", consents::show),
            id: "getConsentCertificate",
            group: Group::Leads,
            summary: "Get the certificate of consent of a lead",
            text: "Everything the homeowner agreed to or not: text, time, page, network address and browser, with the person as \
                   typed then. It is signed and linked to all consents of the account; `shingle consent verify` checks it \
                   offline and names each changed byte.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("The certificate.", answered::<ConsentCertificate>),
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}/consent.html", consents::page),
            id: "getConsentPage",
            group: Group::Leads,
            summary: "Get the certificate of consent as a page",
            text: "The same for people: one file that prints.",
            parameters: vec![id()],
            body: None,
            answer: Answer { content: "text/html", ..Answer::ok("The page.", |_| json!({ "type": "string" })) },
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}/photos/{photo}", photos::show),
            id: "getLeadPhoto",
            group: Group::Leads,
            summary: "Get a photograph of the roof",
            text: "A JPEG without what the camera wrote into it.",
            parameters: vec![
                id(),
                Parameter::id(
                    "photo",
                    "Id of the photograph: in `inspection` of the lead.",
                    "5b2c9a52-6f0a-4c58-9a52-2a2f6e7f0c12",
                ),
            ],
            body: None,
            answer: Answer {
                content: "image/jpeg",
                ..Answer::ok("The picture.", |_| json!({ "type": "string", "format": "binary" }))
            },
        },
        Endpoint {
            route: Route::delete("/api/v1/leads/{id}/link", estimate_page::revoke_by_owner),
            id: "revokeLeadLink",
            group: Group::Leads,
            summary: "Switch the link to the estimate off",
            text: "The page that the homeowner may have passed on. A new link is in later mails.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("It is off.", answered::<Revoked>),
        },
        Endpoint {
            route: Route::get("/api/v1/leads/{id}/deliveries", deliveries::of_lead),
            id: "listLeadDeliveries",
            group: Group::Leads,
            summary: "List the deliveries of a lead",
            text: "Of everything that happened to it, to any destination.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("All of them, in one page.", answered::<DeliveryList>),
        },
    ]
}

const LEAD_OPERATIONS: [&str; 5] =
    ["getLead", "updateLead", "listLeadDeliveries", "revokeLeadLink", "getConsentCertificate"];

fn id() -> Parameter {
    Parameter::id("id", "Id of the lead.", ID)
}

fn filters() -> Vec<Parameter> {
    let words = LeadStatus::ALL.map(LeadStatus::as_str);
    let id = json!({ "type": "string", "format": "uuid" });
    vec![
        Parameter::query("status", "Only leads of this status.", json!({ "type": "string", "enum": words }), "new"),
        Parameter::query("widgetId", "Only leads of this widget.", id, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"),
        Parameter::query(
            "search",
            "Only leads with all these words of name, street, e-mail address or telephone number. The beginning of a word is \
             enough from three letters on. Four words count.",
            json!({ "type": "string", "maxLength": LeadListQuery::MAX_SEARCH, "pattern": CLEAN }),
            "alder court",
        ),
    ]
}

fn paging() -> Vec<Parameter> {
    paging_of(LeadListQuery::DEFAULT_LIMIT, LeadListQuery::MAX_LIMIT)
}

fn new_note(_: &mut Schemas) -> Value {
    let mut text = block(NoteDraft::MAX_TEXT);
    text["minLength"] = 1.into();
    text["description"] = "What it says.".into();
    text["examples"] = json!(["Called, no answer."]);
    json!({ "type": "object", "properties": { "text": text }, "required": ["text"] })
}

fn changes(_: &mut Schemas) -> Value {
    let states: Vec<&str> = InspectionState::ALL.iter().map(|state| state.as_str()).collect();
    let mut message = block(2_000);
    message["description"] = "What the homeowner wrote; an empty text removes it.".into();
    message["examples"] = json!(["Two leaks."]);
    let mut schema = json!({
        "type": "object",
        "properties": {
            "status": {
                "description": "What became of it.",
                "type": "string",
                "enum": LeadStatus::ALL,
                "examples": ["contacted"],
            },
            "message": message,
            "inspection": {
                "description": "The visit that was asked for. A lead without one cannot have it.",
                "type": "object",
                "properties": {
                    "state": {
                        "description": "Whether the company comes.",
                        "type": "string",
                        "enum": states,
                        "examples": ["confirmed"],
                    },
                },
                "required": ["state"],
                "additionalProperties": false,
            },
        },
    });
    null_is_nothing(&mut schema);
    schema
}
