//! The company's work on a lead: assignee and next step.

use shingle_domain::{Language, UserId};
use shingle_store::{LeadEntry, LeadWork};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::appointment::which_hour;
use crate::connection_form::{TypedFields, field, input};
use crate::element::{button, card, div, el, hidden};
use crate::inbox_choices::options;
use crate::inbox_table::overdue;
use crate::lead_emails::LeadDelivery;
use crate::phrase::translated;
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
    /// Who reads the page.
    pub reader: UserId,
    pub hours: &'v Hours,
}

pub const MAX_STEP: usize = 200;

/// A choice that saves itself where a script runs; the button is for browsers without. `page`: where a script finds what the
/// change brings with it.
pub(crate) fn saved_at_once(form: Node, language: Language, page: &str, label: &'static str, choice: Node) -> Node {
    let id = choice.value("id").cloned().unwrap_or_else(|| "".into());
    form.set("class", "inline saves")
        .set("data-page", page.to_owned())
        .set("data-offline", translated(language, "Not saved: no connection. Try again.").to_owned())
        .set("data-refused", translated(language, "Not saved. Reload the page and try again.").to_owned())
        .child(el("label").set("for", id).text(label))
        .child(choice)
        .child(button("btn", "Save").set(
            "aria-label",
            match label {
                "Status" => "Save the status",
                _ => "Save the assignee",
            },
        ))
        .child(Node::classed("span", "hint").set("role", "status"))
}

/// Whose it may be.
pub(crate) fn assignees(view: &WorkView<'_>) -> (Node, String) {
    let own = view.work.assignee.as_ref().map(|(id, _)| id.to_string()).unwrap_or_default();
    let people = view.people.iter().map(|(id, name)| (id.clone(), name.clone().into()));
    let people = [(String::new(), "Nobody".into())].into_iter().chain(people).collect();
    (options("assignee", people, &own), own)
}

/// `form` makes the form of an action.
pub(crate) fn next_step(view: &WorkView<'_>, form: &impl Fn(&str) -> Node) -> Node {
    let work = view.work;
    let typed = view.typed;
    let line = |id: &'static str, kind: &'static str, label: &'static str, value: &str| {
        let input = input(kind, typed.typed(id).unwrap_or(value));
        let input = if kind == "text" { input.set("maxlength", MAX_STEP.to_string()) } else { input };
        field(id.to_owned(), label, input, None, typed.wrong(id))
    };
    let due = work.due.map(|due| due.to_string()).unwrap_or_default();
    let day = work.due.map(|due| due.day.to_string()).unwrap_or_default();
    let time = work.due.and_then(|due| due.time).map(|time| time.of_day.to_string()).unwrap_or_default();
    let step = work.next_step.clone().unwrap_or_default();
    let seen = || [hidden("seen-step", step.clone()), hidden("seen-due", due.clone())];
    let plan = form("plan")
        .children(seen())
        .child(div("step").children([
            line("step", "text", "Next step", &step),
            line("due", "date", "Due", &day),
            line("due-time", "time", "Time of day", &time),
        ]))
        .children(typed.typed("due-which").map(|chosen| which_hour("due-which", chosen)))
        .child(div("pair").child(button("btn", "Save").set("aria-label", "Save the next step")));
    let late = work.due.filter(|due| view.hours.is_overdue(due)).map(|_| div("late-step").child(overdue()));
    let card = card("Next step").children(late).child(plan);
    if step.is_empty() {
        return card;
    }
    card.child(form("plan").children(seen()).child(hidden("done", "yes")).child(button("btn", "Mark done")))
}
