//! `/api/v1/notices`.

use serde_json::{Value, json};
use shingle_domain::notice::{MAX_RECIPIENTS, NoticeSettings};

use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Route};
use crate::api::endpoints::schemas::{Schemas, answered};
use crate::api::notices;

pub fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint {
            route: Route::get("/api/v1/notices", notices::show),
            id: "getNoticeSettings",
            group: Group::Notices,
            summary: "Get the settings of notices",
            text: "Where nothing was decided, the defaults: each widget's `companyEmail` is told at once.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("All settings. The response can be sent back as a request.", answered::<NoticeSettings>),
        },
        Endpoint {
            route: Route::put("/api/v1/notices", notices::replace),
            id: "replaceNoticeSettings",
            group: Group::Notices,
            summary: "Replace the settings of notices",
            text: "All of them: what is missing becomes the default.",
            parameters: Vec::new(),
            body: Some(Body::json("The settings.", settings, example())),
            answer: Answer::ok("All settings, as they are now.", answered::<NoticeSettings>),
        },
    ]
}

fn settings(schemas: &mut Schemas) -> Value {
    let mut schema = schemas.sent::<NoticeSettings>();
    schema["properties"]["recipients"]["maxItems"] = MAX_RECIPIENTS.into();
    schema["properties"]["recipients"]["uniqueItems"] = true.into();
    schema
}

fn example() -> Value {
    json!({
        "recipients": [{ "email": "bo@oak.example.com", "name": "Bo Roofer" }],
        "escalateAfterMinutes": 15,
        "timeZone": "America/New_York",
        "quietHours": { "from": "21:00", "to": "07:00" },
    })
}
