//! What the company's people do about a lead: whose it is, what comes next, and what was done.

use shingle_domain::lead::LeadStatus;
use shingle_domain::{Timestamp, Usd};
use shingle_store::{Delivery, DeliveryState, DestinationKind, EntryKind, LeadEntry, LeadWork};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{Language, dollars};

use crate::element::{button, card, div, el, hidden};
use crate::frame::Signed;
use crate::inbox_choices::{options, status_in_words};
use crate::phrase::{phrase, translated};
use crate::time::Hours;

/// A delivery with what it went to.
pub struct LeadDelivery {
    pub delivery: Delivery,
    pub kind: DestinationKind,
    pub to: String,
}

pub struct WorkView<'v> {
    pub work: &'v LeadWork,
    /// Newest first.
    pub entries: &'v [LeadEntry],
    pub deliveries: &'v [LeadDelivery],
    /// Ids and names of those who may have it.
    pub people: &'v [(String, String)],
    /// A note that was not saved, and why.
    pub note: &'v str,
    pub note_wrong: Option<&'v str>,
}

pub const MAX_NOTE: usize = 4_000;
pub const MAX_STEP: usize = 200;

/// `form` makes the form of an action.
pub(crate) fn assign(view: &WorkView<'_>, form: &impl Fn(&str) -> Node) -> Node {
    let own = view.work.assignee.as_ref().map(|(id, _)| id.to_string()).unwrap_or_default();
    let people = view.people.iter().map(|(id, name)| (id.clone(), name.clone().into()));
    let people = [(String::new(), "Nobody".into())].into_iter().chain(people).collect();
    form("assign")
        .set("class", "inline")
        .child(el("label").set("for", "assignee").text("Whose lead it is"))
        .child(options("assignee", people, &own))
        .child(hidden("seen", own))
        .child(button("btn", "Save"))
}

pub(crate) fn next_step(view: &WorkView<'_>, form: &impl Fn(&str) -> Node) -> Node {
    let work = view.work;
    let input = |id: &'static str, kind: &'static str, label: &'static str, value: String| {
        let input = el("input").set("id", id).set("name", id).set("class", "in").set("type", kind).set("value", value);
        let input = if kind == "text" {
            input.set("maxlength", MAX_STEP.to_string()).set("autocomplete", "off")
        } else {
            input
        };
        div("field").child(el("label").set("for", id).text(label)).child(input)
    };
    let due = work.due.map(|day| day.to_string()).unwrap_or_default();
    let step = work.next_step.clone().unwrap_or_default();
    let seen = || [hidden("seen-step", step.clone()), hidden("seen-due", due.clone())];
    let plan = form("plan")
        .children(seen())
        .child(div("step").child(input("step", "text", "Next step", step.clone())).child(input(
            "due",
            "date",
            "Due on",
            due.clone(),
        )))
        .child(div("pair").child(button("btn", "Save the step")));
    let card = card("Next step").child(plan);
    if step.is_empty() {
        return card;
    }
    card.child(
        form("plan")
            .children(seen())
            .child(hidden("step", ""))
            .child(hidden("due", ""))
            .child(button("btn", "Step done")),
    )
}

pub(crate) fn notes(view: &WorkView<'_>, hours: &Hours, form: &impl Fn(&str) -> Node) -> Node {
    let mut area = el("textarea")
        .set("id", "note")
        .set("name", "note")
        .set("class", "in")
        .set("rows", "3")
        .set("maxlength", MAX_NOTE.to_string());
    let mut field = div("field").child(el("label").set("for", "note").text("A note for your colleagues"));
    if let Some(wrong) = view.note_wrong {
        area = area.set("aria-invalid", "true").set("aria-describedby", "note-said");
        field = field
            .child(area.text(view.note.to_owned()))
            .child(Node::classed("p", "wrong").set("id", "note-said").set("role", "alert").text(wrong.to_owned()));
    } else {
        field = field.child(area);
    }
    let add = form("note").child(field).child(div("pair").child(button("btn", "Add the note")));
    let written = view.entries.iter().filter(|entry| entry.kind == EntryKind::Note).map(|entry| {
        let by = Node::classed("span", "soft")
            .child(el("span").text(format!("{}, ", entry.author)))
            .child(hours.aged(entry.at));
        el("li").child(Node::classed("blockquote", "said").text(entry.text.clone())).child(by)
    });
    card("Notes").child(Node::classed("ol", "history").children(written)).child(add)
}

pub(crate) fn timeline_card(
    signed: &Signed<'_>,
    view: &WorkView<'_>,
    hours: &Hours,
    came: (Timestamp, String),
) -> Node {
    card("Timeline").child(Node::classed("ol", "timeline").children(timeline(signed, view, hours, came)))
}

/// Newest first; notes have a place of their own.
fn timeline(
    signed: &Signed<'_>,
    view: &WorkView<'_>,
    hours: &Hours,
    (came_at, came): (Timestamp, String),
) -> Vec<Node> {
    let language = signed.language;
    let mut all: Vec<(Timestamp, Node)> = Vec::new();
    let line = |class: &'static str, text: String, at: Timestamp| {
        let when = Node::classed("span", "soft").child(hours.aged(at));
        Node::classed("li", class).child(el("span").text(text)).child(when)
    };
    for entry in view.entries.iter().filter(|entry| entry.kind != EntryKind::Note) {
        all.push((entry.at, line("by", told(language, entry), entry.at)));
    }
    for LeadDelivery { delivery, kind, to } in view.deliveries {
        let what = match kind {
            DestinationKind::Webhook => phrase(language, "Webhook {to}", &[("to", to)]),
            DestinationKind::Mail => phrase(language, "Mail to {to}", &[("to", to)]),
            DestinationKind::Homeowner => phrase(language, "Mail to the homeowner", &[]),
            DestinationKind::Push => phrase(language, "Push to {to}", &[("to", to)]),
            DestinationKind::Connector => phrase(language, "Connector {to}", &[("to", to)]),
        };
        let (class, state) = match delivery.state {
            DeliveryState::Delivered => ("well", "was delivered"),
            DeliveryState::Pending | DeliveryState::Waiting => ("", "is on its way"),
            DeliveryState::Failed => ("broken", "was not delivered"),
            DeliveryState::Skipped => ("", "was left out"),
        };
        let when = delivery.completed_at.unwrap_or(delivery.created_at);
        let said = format!("{what} ({}) {}", delivery.kind.as_str(), translated(language, state));
        all.push((when, line(class, said, when)));
    }
    all.push((came_at, line("by", came, came_at)));
    all.sort_by_key(|(at, _)| core::cmp::Reverse(at.micros()));
    all.into_iter().map(|(_, line)| line).collect()
}

fn told(language: Language, entry: &LeadEntry) -> String {
    let LeadEntry { author, text, .. } = entry;
    let say = |english: &str, with: &[(&str, &str)]| {
        let with: Vec<_> = [("name", author.as_str())].iter().chain(with).copied().collect();
        phrase(language, english, &with)
    };
    match entry.kind {
        EntryKind::Note => text.clone(),
        EntryKind::Status => {
            let status = text
                .parse::<LeadStatus>()
                .map_or(text.as_str(), |status| translated(language, status_in_words(status)));
            say("{name} set the status to {status}", &[("status", status)])
        }
        EntryKind::Assigned if text.is_empty() => say("{name} made it nobody’s", &[]),
        EntryKind::Assigned if text == author => say("{name} took it over", &[]),
        EntryKind::Assigned => say("{name} gave it to {other}", &[("other", text)]),
        EntryKind::NextStep if text.is_empty() => say("{name} removed the next step", &[]),
        EntryKind::NextStep => say("{name} planned: {step}", &[("step", text)]),
        EntryKind::Taken => say("{name} is on it", &[]),
        EntryKind::Worth => match text.parse() {
            Ok(cents) => say("{name} told what it was worth: {sum}", &[("sum", &dollars(Usd::from_cents(cents)))]),
            Err(_) => say("{name} took back what it was worth", &[]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_sentence() {
        let told = |kind, text: &str| {
            told(
                Language::English,
                &LeadEntry { kind, author: "Maya".into(), text: text.into(), at: Timestamp::from_micros(0) },
            )
        };
        assert_eq!(told(EntryKind::Status, "won"), "Maya set the status to Won");
        assert_eq!(told(EntryKind::Assigned, ""), "Maya made it nobody’s");
        assert_eq!(told(EntryKind::Assigned, "Maya"), "Maya took it over");
        assert_eq!(told(EntryKind::Assigned, "Luis"), "Maya gave it to Luis");
        assert_eq!(told(EntryKind::NextStep, "Call, 2026-12-01"), "Maya planned: Call, 2026-12-01");
        assert_eq!(told(EntryKind::Taken, ""), "Maya is on it");
    }
}
