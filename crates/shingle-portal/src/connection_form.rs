//! The forms of webhooks and connectors: what is typed, and what is wrong with it.

use std::collections::BTreeMap;

use shingle_domain::event::EventKind;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{div, el, form_fault, group_fault, select};

/// What a form holds, and what is wrong with it, by the names of its fields. What belongs to no field is under an empty
/// name.
#[derive(Debug, Clone, Default)]
pub struct TypedFields {
    values: BTreeMap<String, String>,
    wrong: BTreeMap<String, Text>,
}

impl TypedFields {
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        self.values.insert(name.to_owned(), value.into());
    }

    pub fn refuse(&mut self, name: &str, said: impl Into<Text>) {
        self.wrong.entry(name.to_owned()).or_insert_with(|| said.into());
    }

    pub fn is_refused(&self) -> bool {
        !self.wrong.is_empty()
    }

    pub(crate) fn get(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// What was typed, where anything was.
    pub(crate) fn typed(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    pub(crate) fn wrong(&self, name: &str) -> Option<&Text> {
        self.wrong.get(name)
    }

    /// What belongs to no field, on top of the form.
    pub(crate) fn whole(&self) -> Option<Node> {
        self.wrong("").map(|said| form_fault(said.clone()))
    }
}

/// One setting of a connector.
#[derive(Debug, Clone, Copy)]
pub struct SettingField {
    pub name: &'static str,
    pub label: &'static str,
    pub hint: Option<&'static str>,
    pub kind: &'static str,
    pub secret: bool,
    pub required: bool,
    pub default: Option<&'static str>,
    /// Of a choice.
    pub options: &'static [String],
}

/// A labelled field, with its hint or what is wrong.
pub(crate) fn field(
    name: String,
    label: impl Into<Text>,
    input: Node,
    hint: Option<Node>,
    wrong: Option<&Text>,
) -> Node {
    let said = format!("{name}-said");
    let mut input = input.set("id", name.clone()).set("name", name.clone());
    let told = match wrong {
        Some(wrong) => {
            input = input.set("aria-invalid", "true");
            Some(el("p").set("class", "wrong").set("role", "alert").text(wrong.clone()))
        }
        None => hint,
    };
    let field = div("field").child(el("label").set("for", name).text(label));
    match told {
        Some(told) => field.child(input.set("aria-describedby", said.clone())).child(told.set("id", said)),
        None => field.child(input),
    }
}

pub(crate) fn input(kind: &'static str, value: &str) -> Node {
    el("input").set("type", kind).set("class", "in").set("autocomplete", "off").set("value", value.to_owned())
}

pub(crate) fn hint(text: &'static str) -> Option<Node> {
    Some(el("p").set("class", "hint").text(text))
}

pub(crate) fn check(name: String, value: &str, label: impl Into<Text>, on: bool) -> Node {
    let input = el("input").set("type", "checkbox").set("name", name).set("value", value.to_owned());
    let input = if on { input.set("checked", "") } else { input };
    el("label").set("class", "tick").child(input).child(el("span").text(label))
}

/// Boxes or buttons of one question.
pub(crate) fn ticks(legend: &'static str, choices: impl IntoIterator<Item = Node>) -> Node {
    el("fieldset").set("class", "ticks").child(el("legend").text(legend)).children(choices)
}

pub(crate) fn event_in_words(kind: EventKind) -> &'static str {
    match kind {
        EventKind::LeadCreated => "A new lead",
        EventKind::LeadUpdated => "A lead changes",
        EventKind::WidgetCreated => "A widget is created",
        EventKind::WidgetUpdated => "A widget changes",
        EventKind::Ping => "A test",
        EventKind::Digest => "Daily summary",
        EventKind::Report => "Monthly report",
        EventKind::DestinationOff => "A connection stopped",
        EventKind::MailRefused => "An email bounced",
        EventKind::InspectionAsked => "An inspection is requested",
        EventKind::LeadAnswered => "The homeowner answered",
        EventKind::InspectionBooked => "The inspection is booked",
        EventKind::InspectionMoved => "The inspection is moved",
        EventKind::InspectionCanceled => "The inspection is canceled",
        EventKind::StepReminder => "A next step is due",
        EventKind::InspectionReminder => "The inspection is tomorrow",
        EventKind::InspectionAgreed => "The homeowner agreed to the time",
        EventKind::InspectionOther => "The homeowner asks for another time",
        EventKind::QuoteSent => "A quote is sent",
        EventKind::QuoteAnswered => "The homeowner answered a quote",
        EventKind::ReplySent => "An email to the homeowner",
        EventKind::ReplyAnswered => "The homeowner answered an email",
    }
}

/// Name, address, events and patience of a webhook.
pub(crate) fn webhook_fields(typed: &TypedFields) -> Vec<Node> {
    let events = EventKind::PUBLIC.map(|kind| {
        let name = format!("event {}", kind.as_str());
        check("event".to_owned(), kind.as_str(), event_in_words(kind), !typed.get(&name).is_empty())
    });
    let mut set = el("fieldset").set("class", "ticks").child(el("legend").text("Send")).children(events);
    if let Some(wrong) = typed.wrong("events") {
        set = set.set("aria-describedby", "events-said").child(group_fault("events-said", wrong.clone()));
    }
    vec![
        field("name".into(), "Name", input("text", typed.get("name")), None, typed.wrong("name")),
        field(
            "url".into(),
            "Address",
            input("url", typed.get("url")).set("inputmode", "url").set("spellcheck", "false"),
            hint("It begins with https:// and is on the public internet."),
            typed.wrong("url"),
        ),
        set,
        field(
            "timeoutSeconds".into(),
            "Seconds to wait for its answer",
            input("number", typed.get("timeoutSeconds")).set("min", "1").set("max", "30"),
            None,
            typed.wrong("timeoutSeconds"),
        ),
    ]
}

/// The settings of a connector. `kept`: it has secrets, which stay where nothing is typed.
pub(crate) fn setting_fields(settings: &[SettingField], typed: &TypedFields, kept: bool) -> Vec<Node> {
    let of = |setting: &SettingField| {
        let name = format!("set.{}", setting.name);
        let hint = match (setting.secret && kept, setting.hint) {
            (true, _) => hint("We store it encrypted and don’t show it again. Leave blank to keep it."),
            (false, Some(said)) => hint(said),
            (false, None) if !setting.required => hint("Optional."),
            (false, None) => None,
        };
        let value = if setting.secret { "" } else { typed.get(&name) };
        let value = if value.is_empty() { setting.default.unwrap_or_default() } else { value };
        if setting.options.is_empty() {
            let kind = if setting.secret { "password" } else { setting.kind };
            return field(
                name.clone(),
                setting.label,
                input(kind, value).set("spellcheck", "false"),
                hint,
                typed.wrong(&name),
            );
        }
        let options = setting.options.iter().map(|option| (option.clone(), option.clone()));
        let mut choice = select("", "", options, value).inside();
        let choice = el("select").set("class", "in").children(choice.drain(..));
        field(name.clone(), setting.label, choice, hint, typed.wrong(&name))
    };
    settings.iter().map(of).collect()
}
