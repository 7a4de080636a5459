//! The company's work on a lead: assignee, next step, and notes.

use shingle_store::{EntryKind, LeadEntry, LeadWork};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, field, input};
use crate::element::{button, card, div, el, hidden};
use crate::inbox_choices::options;
use crate::lead_timeline::LeadDelivery;
use crate::time::Hours;

pub struct WorkView<'v> {
    pub work: &'v LeadWork,
    /// Newest first.
    pub entries: &'v [LeadEntry],
    pub deliveries: &'v [LeadDelivery],
    /// Ids and names of those who may have it.
    pub people: &'v [(String, String)],
    /// What was refused on this page, and why.
    pub typed: &'v TypedFields,
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
        .child(el("label").set("for", "assignee").text("Assignee"))
        .child(options("assignee", people, &own))
        .child(hidden("seen", own))
        .child(button("btn", "Save").set("aria-label", "Save the assignee"))
}

pub(crate) fn next_step(view: &WorkView<'_>, form: &impl Fn(&str) -> Node) -> Node {
    let work = view.work;
    let typed = view.typed;
    let line = |id: &'static str, kind: &'static str, label: &'static str, value: &str| {
        let input = input(kind, typed.typed(id).unwrap_or(value));
        let input = if kind == "text" { input.set("maxlength", MAX_STEP.to_string()) } else { input };
        field(id.to_owned(), label, input, None, typed.wrong(id))
    };
    let due = work.due.map(|day| day.to_string()).unwrap_or_default();
    let step = work.next_step.clone().unwrap_or_default();
    let seen = || [hidden("seen-step", step.clone()), hidden("seen-due", due.clone())];
    let plan = form("plan")
        .children(seen())
        .child(div("step").child(line("step", "text", "Next step", &step)).child(line("due", "date", "Due", &due)))
        .child(div("pair").child(button("btn", "Save").set("aria-label", "Save the next step")));
    let card = card("Next step").child(plan);
    if step.is_empty() {
        return card;
    }
    card.child(form("plan").children(seen()).child(hidden("done", "yes")).child(button("btn", "Mark done")))
}

pub(crate) fn notes(view: &WorkView<'_>, hours: &Hours, form: &impl Fn(&str) -> Node) -> Node {
    let typed = view.typed;
    let area = el("textarea").set("class", "in").set("rows", "3").set("maxlength", MAX_NOTE.to_string());
    let area = area.text(typed.get("note").to_owned());
    // The script shows it where it has put a note back.
    let kept = Node::classed("p", "hint").set("id", "note-kept").set("role", "status").set("hidden", "");
    let field = field("note".into(), "Note (only your team sees it)", area, None, typed.wrong("note"))
        .child(kept.text("What you typed before and did not save is back."));
    let add = form("note").child(field).child(div("pair").child(button("btn", "Add note")));
    let written = view.entries.iter().filter(|entry| entry.kind == EntryKind::Note).map(|entry| {
        let by = Node::classed("span", "soft")
            .child(el("span").text(format!("{}, ", entry.author)))
            .child(hours.aged(entry.at));
        el("li").child(Node::classed("blockquote", "said").text(entry.text.clone())).child(by)
    });
    card("Notes").child(Node::classed("ol", "history").children(written)).child(add)
}
