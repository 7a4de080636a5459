//! `/api/v1/roof-estimate-widget`.

use axum::http::StatusCode;
use serde_json::{Map, Value, json};
use shingle_domain::rules::{MAX_LINK, MAX_TEXT, WIDGET_FIELDS, WidgetFieldKind};
use shingle_domain::widget::WidgetRecord;

use crate::api::endpoints::endpoint::{Answer, Body, Endpoint, Group, Parameter, Route};
use crate::api::endpoints::fields::{CLEAN, MULTILINE, null_is_nothing};
use crate::api::endpoints::schemas::{Schemas, answered, members, object, whole};
use crate::api::schemas as served;
use crate::api::widget_form::MAX_FORM_BYTES;
use crate::api::widget_settings;
use crate::api::widgets;
use shingle_app::logo::Logo;

const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";

pub fn endpoints() -> Vec<Endpoint> {
    let record = "The record with its defaults filled in, the script, the links and the QR codes.";
    vec![
        Endpoint {
            route: Route::get("/api/v1/roof-estimate-widget", widgets::list),
            id: "listWidgets",
            group: Group::Widgets,
            summary: "List widgets",
            text: "All of the account, the oldest first. A key for the leads of some widgets lists those.",
            parameters: Vec::new(),
            body: None,
            answer: Answer::ok("The records.", answered::<Vec<WidgetRecord>>),
        },
        Endpoint {
            route: Route::post("/api/v1/roof-estimate-widget", widgets::create).at_most(MAX_FORM_BYTES),
            id: "createWidget",
            group: Group::Widgets,
            summary: "Make a widget",
            text: "A form, because it carries the logos. Without logos it may also be JSON or URL-encoded.",
            parameters: vec![Parameter::idempotency_key()],
            body: Some(Body::form("The fields of the record, and the logos.", new_widget)),
            answer: Answer::of(StatusCode::CREATED, record, answered::<WidgetRecord>).leading_to(
                "/referenceId",
                "referenceId",
                &["getWidget", "getWidgetSettings", "updateWidget"],
            ),
        },
        Endpoint {
            route: Route::get("/api/v1/roof-estimate-widget/{referenceId}", widgets::show),
            id: "getWidget",
            group: Group::Widgets,
            summary: "Get a widget",
            text: "The whole record.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok(record, answered::<WidgetRecord>),
        },
        Endpoint {
            route: Route::put("/api/v1/roof-estimate-widget/{referenceId}", widgets::update).at_most(MAX_FORM_BYTES),
            id: "updateWidget",
            group: Group::Widgets,
            summary: "Change a widget",
            text: "What is not sent stays as it is.",
            parameters: vec![id()],
            body: Some(Body::form("The fields that change.", changed_widget).optional()),
            answer: Answer::ok(record, answered::<WidgetRecord>),
        },
        Endpoint {
            route: Route::patch("/api/v1/roof-estimate-widget/{referenceId}/upload-logos", widgets::upload_logos)
                .at_most(MAX_FORM_BYTES),
            id: "uploadWidgetLogos",
            group: Group::Widgets,
            summary: "Replace a widget's logos",
            text: "One of them or both.",
            parameters: vec![id()],
            body: Some(Body::form("The pictures.", |_| {
                let mut schema = object(logos(), &[]);
                schema["anyOf"] = json!([{ "required": ["headerLogo"] }, { "required": ["footerLogo"] }]);
                schema
            })),
            answer: Answer::ok(record, answered::<WidgetRecord>),
        },
        Endpoint {
            route: Route::get("/api/v1/roof-estimate-widget/{referenceId}/settings", widget_settings::show),
            id: "getWidgetSettings",
            group: Group::Widgets,
            summary: "Get a widget's settings",
            text: "What a contractor says beside the record: what the price includes, an example of monthly payment, \
                   working hours and more. Where nothing was set, the defaults.",
            parameters: vec![id()],
            body: None,
            answer: Answer::ok("All settings. The response can be sent back as a request.", settings),
        },
        Endpoint {
            route: Route::put("/api/v1/roof-estimate-widget/{referenceId}/settings", widget_settings::replace),
            id: "replaceWidgetSettings",
            group: Group::Widgets,
            summary: "Replace a widget's settings",
            text: "All of them: what is missing or null becomes the default.",
            parameters: vec![id()],
            body: Some(Body::json("The settings.", sent_settings, settings_example())),
            answer: Answer::ok("All settings, as they are now.", settings),
        },
    ]
}

const ID_FIELD: &str = "referenceId";

fn id() -> Parameter {
    Parameter::id("referenceId", "Id of the widget, as it was given when it was made.", ID)
}

/// Names of the form's fields: those that a new widget needs, and the others.
fn names(required: bool) -> Vec<&'static str> {
    WIDGET_FIELDS.iter().filter(|field| field.required == required).map(|field| field.name).collect()
}

fn form() -> Map<String, Value> {
    let mut fields = form_fields(&names(true));
    fields.extend(form_fields(&names(false)));
    fields.extend(members(&whole::<WidgetRecord>(), &["removeFooterLogo"]));
    fields.extend(logos());
    fields
}

fn new_widget(_: &mut Schemas) -> Value {
    let mut fields = members(&whole::<WidgetRecord>(), &[ID_FIELD]);
    fields.extend(form());
    let mut needed = vec![ID_FIELD];
    needed.extend(names(true));
    needed.push("headerLogo");
    object(fields, &needed)
}

fn changed_widget(_: &mut Schemas) -> Value {
    object(form(), &[])
}

/// Fields of the record as a form sends them: nothing is null there, and texts have their limits.
fn form_fields(names: &[&str]) -> Map<String, Value> {
    let mut fields = members(&whole::<WidgetRecord>(), names);
    for (name, schema) in &mut fields {
        if schema["type"].is_array() {
            schema["type"] = "string".into();
        }
        if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
            words.retain(|word| !word.is_null());
        }
        let Some(field) = WIDGET_FIELDS.iter().find(|field| field.name == name) else { continue };
        match field.kind {
            WidgetFieldKind::Color => schema["pattern"] = "^#?([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$".into(),
            WidgetFieldKind::Link => {
                schema["maxLength"] = MAX_LINK.into();
                schema["format"] = "uri".into();
            }
            WidgetFieldKind::Email => schema["format"] = "email".into(),
            WidgetFieldKind::Price => {
                schema["exclusiveMinimum"] = 0.into();
                schema["multipleOf"] = json!(0.01);
            }
            WidgetFieldKind::Line | WidgetFieldKind::FreeText | WidgetFieldKind::Domains | WidgetFieldKind::Block => {
                schema["maxLength"] = MAX_TEXT.into();
                schema["pattern"] = if field.kind == WidgetFieldKind::Block { MULTILINE } else { CLEAN }.into();
                if field.required {
                    schema["minLength"] = 1.into();
                }
            }
            // The record describes them in full.
            WidgetFieldKind::Word | WidgetFieldKind::Phone => {}
        }
    }
    fields
}

fn logos() -> Map<String, Value> {
    let text = |logo| match logo {
        Logo::Header => "Logo at the top: PNG or JPEG, at most 1 MB, best about 300 × 150 pixels.",
        Logo::Footer => "Logo in the footer: PNG or JPEG, at most 1 MB, best about 24 × 24 pixels.",
    };
    let field = |logo: Logo| {
        let schema = json!({ "description": text(logo), "type": "string", "format": "binary" });
        (logo.field().to_owned(), schema)
    };
    Logo::BOTH.into_iter().map(field).collect()
}

fn settings(schemas: &mut Schemas) -> Value {
    schemas.named("WidgetSettings", settings_document())
}

/// The document of its own under `/schemas/`, as a part of this one.
fn settings_document() -> Value {
    let mut schema = served::document("widget-settings");
    if let Some(members) = schema.as_object_mut() {
        members.remove("$schema");
        members.remove("title");
    }
    schema
}

/// As above, where null stands for the default.
fn sent_settings(_: &mut Schemas) -> Value {
    let mut schema = settings_document();
    null_is_nothing(&mut schema);
    schema
}

fn settings_example() -> Value {
    served::document("widget-settings")["examples"][0].clone()
}
