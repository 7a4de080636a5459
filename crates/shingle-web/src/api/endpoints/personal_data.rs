//! `/api/v1/people`, `/api/v1/retention`.

use serde_json::{Value, json};
use shingle_domain::rules::RetentionDays;

use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::schemas::{Schemas, answered};
use crate::api::personal_data::{self, ErasedPerson, PersonExport, RetentionView};

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            route: Route::post("/api/v1/people/export", personal_data::export),
            id: "exportPerson",
            group: Group::PersonalData,
            summary: "Get everything that is stored of a person",
            text: "Of all leads that have the e-mail address or the telephone number. It is a POST, so that neither is in an \
                   address, which servers write into their logs.",
            parameters: Vec::new(),
            body: Some(Body::json("Whose data.", person, json!({ "email": "zoe@example.com" }))),
            answer: Answer::ok("The data.", answered::<PersonExport>),
        },
        Endpoint {
            route: Route::post("/api/v1/people/erase", personal_data::erase),
            id: "erasePerson",
            group: Group::PersonalData,
            summary: "Erase everything that is stored of a person",
            text: "Erases every lead that has the e-mail address or the telephone number. This cannot be undone; what it would \
                   erase is told by `/api/v1/people/export`.",
            parameters: Vec::new(),
            body: Some(Body::json("Whose data.", person, json!({ "email": "zoe@example.com" }))),
            answer: Answer::ok("They are erased.", answered::<ErasedPerson>),
        },
        Endpoint {
            route: Route::get("/api/v1/retention", personal_data::show_retention),
            id: "getRetention",
            group: Group::PersonalData,
            summary: "Get how long leads are kept",
            text: "Of the account, in both environments. With `days` it is told what keeping leads for so long would erase now; \
                   nothing is erased by asking.",
            parameters: vec![Parameter::query("days", "A number of days to try.", days(), 1_500)],
            body: None,
            answer: Answer::ok("How long, and what is older.", answered::<RetentionView>),
        },
        Endpoint {
            route: Route::put("/api/v1/retention", personal_data::set_retention),
            id: "setRetention",
            group: Group::PersonalData,
            summary: "Set how long leads are kept",
            text: "Older leads are erased by themselves, with their evidence of consent. It acts a day later, so that what it \
                   will erase can be seen before; a longer time than before acts at once.",
            parameters: Vec::new(),
            body: Some(Body::json("How many days.", retention, json!({ "days": 1_500 }))),
            answer: Answer::ok("How long, and what is older.", answered::<RetentionView>),
        },
    ]
}

fn days() -> Value {
    json!({ "type": "integer", "minimum": 1, "maximum": RetentionDays::MAX })
}

/// That one of both has to be there is said in words: generated clients make little of `anyOf`.
fn person(_: &mut Schemas) -> Value {
    json!({
        "type": "object",
        "properties": {
            "email": {
                "description": "The e-mail address, in small or capital letters. It or the telephone number has to be there.",
                "type": ["string", "null"],
                "examples": ["zoe@example.com"],
            },
            "phone": {
                "description": "The telephone number: ten digits, however they are written. It or the e-mail address has to be there.",
                "type": ["string", "null"],
                "examples": ["(207) 555-0143"],
            },
        },
    })
}

fn retention(_: &mut Schemas) -> Value {
    json!({
        "type": "object",
        "properties": {
            "days": {
                "description": "Leads that came earlier than so many days ago are erased. Null or left out: leads are kept.",
                "type": ["integer", "null"],
                "minimum": 1,
                "maximum": RetentionDays::MAX,
                "examples": [1_500],
            },
        },
    })
}
