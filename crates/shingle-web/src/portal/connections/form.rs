//! The forms of webhooks and connectors: what is sent, and what is wrong with it.

use std::collections::BTreeMap;

use shingle_deliver::connector::{
    ConnectorKind, ConnectorTemplate, SettingDeclaration, SettingKind, SettingMistake, SettingProblem, Tried,
};
use shingle_domain::rules::{FieldItem, Fields};
use shingle_domain::text::is_clean;
use shingle_domain::{Rule, Violation, WidgetId};
use shingle_portal::{
    EVERY, Language, REACH, SOME, ServiceView, SettingField, TypedFields, capital, phrase, say, translated,
};

use crate::portal::form::PortalForm;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::connectors::{Connection, ConnectionError};

pub fn service(of: &'static ConnectorTemplate) -> ServiceView {
    ServiceView {
        name: &of.name,
        title: &of.title,
        about: &of.about,
        documentation: &of.documentation,
        tried_with_service: of.tried == Tried::Service,
        is_conversion: of.kind == ConnectorKind::Conversion,
        steps: &of.steps,
        script: of.script.as_deref(),
        settings: of.settings.iter().map(setting).collect(),
        is_hook: of.kind == ConnectorKind::Hook,
    }
}

fn setting(of: &'static SettingDeclaration) -> SettingField {
    SettingField {
        name: &of.name,
        label: &of.label,
        hint: of.hint.as_deref(),
        kind: match of.kind {
            SettingKind::Url => "url",
            SettingKind::Phone => "tel",
            SettingKind::Text | SettingKind::Id | SettingKind::Number | SettingKind::Choice => "text",
        },
        secret: of.secret,
        required: of.required,
        default: of.default.as_deref(),
        options: &of.options,
    }
}

/// Everything that was typed but secrets, to be shown again beside what is wrong.
pub fn typed(form: &PortalForm) -> TypedFields {
    let mut typed = TypedFields::default();
    for (name, value) in form.pairs() {
        if ["event", "product", "widget"].contains(&name) {
            typed.set(&format!("{name} {value}"), "on");
        } else {
            typed.set(name, value);
        }
    }
    typed
}

/// Of which widgets it gets events; `None`: the form does not ask.
pub fn reach(form: &PortalForm, typed: &mut TypedFields) -> Option<Vec<WidgetId>> {
    let chosen: Vec<WidgetId> = form.all("widget").filter_map(WidgetId::parse).collect();
    match form.text(REACH) {
        EVERY => Some(Vec::new()),
        SOME => {
            if chosen.is_empty() {
                typed.refuse("widget", "Please tick at least one widget.");
            }
            Some(chosen)
        }
        _ => None,
    }
}

/// As the API takes it, so that one set of rules judges both.
pub fn webhook_fields(form: &PortalForm) -> Fields<'_> {
    let text = |name: &str| FieldItem::Text(form.text(name).into());
    let mut fields = Fields::default();
    fields.push_item("name", text("name"));
    fields.push_item("url", text("url"));
    fields.push_item("events", FieldItem::List(form.all("event").map(|event| FieldItem::Text(event.into())).collect()));
    if let Some(seconds) = Some(form.text("timeoutSeconds")).filter(|text| !text.is_empty()) {
        let number = seconds.parse().map_or_else(|_| FieldItem::Text(seconds.into()), FieldItem::Number);
        fields.push_item("timeoutSeconds", number);
    }
    // A form without this field has none of the options.
    if !form.text("payload").is_empty() {
        fields.push_item("payload", text("payload"));
        fields.push_item("ordered", FieldItem::Boolean(!form.text("ordered").is_empty()));
    }
    match form.text("headers") {
        "" if form.text("noHeaders").is_empty() => {}
        lines => fields.push_item("headers", headers(lines)),
    }
    fields
}

/// A line without a colon is a name without a value, which the rules refuse.
fn headers(lines: &str) -> FieldItem<'_> {
    let header = |line: &str| match line.split_once(':') {
        Some((name, value)) => (name.trim().to_owned(), FieldItem::Text(value.trim().to_owned().into())),
        None => (line.trim().to_owned(), FieldItem::Null),
    };
    FieldItem::Object(lines.lines().filter(|line| !line.trim().is_empty()).map(header).collect())
}

/// The values of a connector's settings that were sent, by name.
pub fn settings(form: &PortalForm) -> BTreeMap<String, String> {
    let sent = form.pairs().filter_map(|(name, value)| Some((name.strip_prefix("set.")?.to_owned(), value.to_owned())));
    sent.collect()
}

pub fn check_name(form: &PortalForm, typed: &mut TypedFields) {
    let name = form.text("name");
    if name.is_empty() || name.chars().count() > 100 || !is_clean(name) {
        typed.refuse("name", "Please type a name of at most 100 characters.");
    }
}

/// Whether settings fit and lead to the public internet; what is wrong is with their fields.
pub fn judged(
    web: &Web,
    language: Language,
    of: &ConnectorTemplate,
    parsed: Result<Connection, ConnectionError>,
    typed: &mut TypedFields,
) -> Option<Connection> {
    let connection = match parsed {
        Ok(connection) => connection,
        Err(ConnectionError::Settings { mistakes }) => {
            for SettingMistake { name, mut problem } in mistakes.0 {
                if let SettingProblem::Missing { label } = &mut problem {
                    *label = translated(language, label).to_owned();
                }
                typed.refuse(&format!("set.{name}"), format!("{}.", capital(&say(language, &problem))));
            }
            return None;
        }
        Err(other) => {
            typed.refuse("", say(language, &other));
            return None;
        }
    };
    for setting in of.settings.iter().filter(|setting| setting.kind == SettingKind::Url) {
        if let Some(Err(error)) = connection.given(&setting.name).map(|url| web.egress.target(url.trim())) {
            let why = say(language, &error);
            let said = phrase(language, "Leads cannot be sent there: {why}.", &[("why", &why)]);
            typed.refuse(&format!("set.{}", setting.name), said);
        }
    }
    (!typed.is_refused()).then_some(connection)
}

/// The API's refusals as sentences at their fields; other errors stay errors.
pub fn refuse(language: Language, typed: &mut TypedFields, error: ApiError) -> ApiResult<()> {
    let broken = match error {
        ApiError::InvalidFields(broken) => broken.0,
        // There are as many as there may be.
        ApiError::BadRequest(said) => {
            typed.refuse("", format!("{}.", say(language, &said)));
            return Ok(());
        }
        other => return Err(other),
    };
    // What says more about a field comes first: a field keeps what is said of it first.
    for Violation { rule, .. } in &broken {
        match rule {
            Rule::UrlNotAllowed { why } => {
                let why = say(language, why);
                typed.refuse("url", phrase(language, "Events cannot be sent there: {why}.", &[("why", &why)]));
            }
            Rule::OwnHeader { name } => {
                typed.refuse("headers", phrase(language, "We set {name} ourselves.", &[("name", name)]));
            }
            _ => {}
        }
    }
    for violation in &broken {
        match violation.path.field() {
            "url" => typed.refuse("url", "Please type an address that begins with https://."),
            "name" => typed.refuse("name", "Please type a name."),
            "timeoutSeconds" => typed.refuse("timeoutSeconds", "Please type a whole number from 1 to 30."),
            "headers" => {
                typed.refuse("headers", "Please write at most 16 headers, each with a colon between name and value.");
            }
            "events" => typed.refuse("events", "Please choose what to send."),
            _ => typed.refuse("", format!("{}.", say(language, violation))),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use shingle_deliver::connector::built_in;

    use super::*;

    #[test]
    fn every_service_is_described_in_spanish_too() {
        for of in built_in() {
            let settings = of.settings.iter().flat_map(|setting| [Some(&setting.label), setting.hint.as_ref()]);
            for english in [&of.about].into_iter().chain(&of.steps).chain(settings.flatten()) {
                // Keys and addresses are shown as they look.
                let is_example = !english.contains(' ');
                assert!(is_example || translated(Language::Spanish, english) != english, "{}: {english}", of.name);
            }
        }
    }
}
