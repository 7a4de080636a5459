//! What the company's people do about a lead: whose it is, what comes next, and what was done.

use shingle_domain::lead::LeadStatus;
use shingle_domain::{Timestamp, Usd};
use shingle_store::{Delivery, DeliveryState, DestinationKind, EntryKind, LeadEntry, LeadWork};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::dollars;

use crate::element::{button, card, div, el, select};
use crate::inbox::status_in_words;
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
pub(crate) fn work(view: &WorkView<'_>, form: &impl Fn(&str) -> Node) -> Node {
    let work = view.work;
    let own = work.assignee.as_ref().map(|(id, _)| id.to_string()).unwrap_or_default();
    let mut people: Vec<(String, String)> = vec![(String::new(), "Nobody".to_owned())];
    people.extend(view.people.iter().cloned());
    let assign = form("assign")
        .set("class", "inline")
        .child(el("label").set("for", "assignee").text("Whose lead it is"))
        .child(select("assignee", "assignee", people, &own))
        .child(button("btn", "Save"));
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
    let plan = form("plan")
        .child(
            div("step")
                .child(input("step", "text", "Next step", work.next_step.clone().unwrap_or_default()))
                .child(input("due", "date", "On", due)),
        )
        .child(div("pair").child(button("btn", "Save the step")));
    card("Who and what next").children([assign, plan])
}

pub(crate) fn history(
    view: &WorkView<'_>,
    hours: &Hours,
    came: (Timestamp, String),
    form: &impl Fn(&str) -> Node,
) -> Node {
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
    let note = form("note").child(field).child(div("pair").child(button("btn", "Add the note")));
    card("Notes and history").child(note).child(Node::classed("ol", "history").children(timeline(view, hours, came)))
}

/// Newest first.
fn timeline(view: &WorkView<'_>, hours: &Hours, (came_at, came): (Timestamp, String)) -> Vec<Node> {
    let mut all: Vec<(Timestamp, Node)> = Vec::new();
    let at = |at: Timestamp| Node::classed("span", "soft").child(hours.aged(at));
    for entry in view.entries {
        let line = match entry.kind {
            EntryKind::Note => el("li")
                .child(div("now").child(el("b").text(entry.author.clone())).child(at(entry.at)))
                .child(Node::classed("blockquote", "said").text(entry.text.clone())),
            _ => el("li").child(el("span").text(told(entry))).child(at(entry.at)),
        };
        all.push((entry.at, line));
    }
    for LeadDelivery { delivery, kind, to } in view.deliveries {
        let what = match kind {
            DestinationKind::Webhook => format!("Webhook {to}"),
            DestinationKind::Mail => format!("Mail to {to}"),
            DestinationKind::Homeowner => "Mail to the homeowner".to_owned(),
            DestinationKind::Connector => format!("Connector {to}"),
        };
        let state = match delivery.state {
            DeliveryState::Delivered => "was delivered",
            DeliveryState::Pending | DeliveryState::Waiting => "is on its way",
            DeliveryState::Failed => "was not delivered",
            DeliveryState::Skipped => "was left out",
        };
        let when = delivery.completed_at.unwrap_or(delivery.created_at);
        let line = el("li").child(el("span").text(format!("{what} ({}) {state}", delivery.kind.as_str())));
        all.push((when, line.child(at(when))));
    }
    all.push((came_at, el("li").child(el("span").text(came)).child(at(came_at))));
    all.sort_by_key(|(at, _)| core::cmp::Reverse(at.micros()));
    all.into_iter().map(|(_, line)| line).collect()
}

fn told(entry: &LeadEntry) -> String {
    let LeadEntry { author, text, .. } = entry;
    match entry.kind {
        EntryKind::Note => text.clone(),
        EntryKind::Status => {
            let status =
                text.parse::<LeadStatus>().map_or_else(|()| text.clone(), |status| status_in_words(status).to_owned());
            format!("{author} set the status to {status}")
        }
        EntryKind::Assigned if text.is_empty() => format!("{author} made it nobody’s"),
        EntryKind::Assigned if text == author => format!("{author} took it over"),
        EntryKind::Assigned => format!("{author} gave it to {text}"),
        EntryKind::NextStep if text.is_empty() => format!("{author} removed the next step"),
        EntryKind::NextStep => format!("{author} planned: {text}"),
        EntryKind::Taken => format!("{author} is on it"),
        EntryKind::Worth => match text.parse() {
            Ok(cents) => format!("{author} told what it was worth: {}", dollars(Usd::from_cents(cents))),
            Err(_) => format!("{author} took back what it was worth"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_a_sentence() {
        let told = |kind, text: &str| {
            told(&LeadEntry { kind, author: "Maya".into(), text: text.into(), at: Timestamp::from_micros(0) })
        };
        assert_eq!(told(EntryKind::Status, "won"), "Maya set the status to Won");
        assert_eq!(told(EntryKind::Assigned, ""), "Maya made it nobody’s");
        assert_eq!(told(EntryKind::Assigned, "Maya"), "Maya took it over");
        assert_eq!(told(EntryKind::Assigned, "Luis"), "Maya gave it to Luis");
        assert_eq!(told(EntryKind::NextStep, "Call, 2026-12-01"), "Maya planned: Call, 2026-12-01");
        assert_eq!(told(EntryKind::Taken, ""), "Maya is on it");
    }
}
