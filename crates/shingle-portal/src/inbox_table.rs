//! The rows of the list, what is done to those that are selected, and the way to more.

use shingle_domain::Environment;
use shingle_domain::lead::Lead;
use shingle_store::{LeadOrigin, LeadSort, LeadWork};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::counted::{Counted, counted};
use crate::days::short_due;
use crate::element::{button, div, el, hidden, link, pill, post};
use crate::frame::Signed;
use crate::inbox_choices::{options_as, origin_in_words};
use crate::inbox_filter::{InboxFilter, sort_in_words};
use crate::inbox_view::{Inbox, full_name, price, status_pill, statuses};
use crate::lead_answers::in_a_row;
use crate::phrase::{phrase, translated};
use crate::visit_words::inspection_in_words;

/// Rows that a phone shows before scrolling. The style lays out the others after the first paint.
const FIRST_SCREEN: usize = 5;
/// Lists that are shorter are laid out at once: the room that is kept for the others would show.
const LONG: usize = 15;

struct Column {
    class: &'static str,
    name: &'static str,
    /// What its heading sorts by at first, and when it is pressed again.
    sorts: Option<(LeadSort, LeadSort)>,
}

/// Without the boxes to select.
const COLUMNS: [Column; 10] = [
    Column { class: "c-who", name: "Lead", sorts: None },
    Column { class: "c-wants", name: "Wants", sorts: Some((LeadSort::Urgent, LeadSort::UrgentLast)) },
    Column { class: "c-status", name: "Status", sorts: Some((LeadSort::Status, LeadSort::StatusLast)) },
    Column { class: "c-visit", name: "Inspection", sorts: None },
    Column { class: "c-phone", name: "Phone", sorts: None },
    Column { class: "c-taken", name: "Assignee", sorts: Some((LeadSort::Assignee, LeadSort::AssigneeLast)) },
    Column { class: "c-next", name: "Next step", sorts: Some((LeadSort::Due, LeadSort::DueLast)) },
    Column { class: "c-source", name: "Source", sorts: None },
    Column { class: "c-price", name: "Price", sorts: Some((LeadSort::Price, LeadSort::PriceLow)) },
    Column { class: "c-age", name: "Received", sorts: Some((LeadSort::Newest, LeadSort::Oldest)) },
];

/// Whether the values under a heading fall from the first row to the last.
fn is_descending(sort: LeadSort) -> bool {
    matches!(
        sort,
        LeadSort::Newest
            | LeadSort::Price
            | LeadSort::DueLast
            | LeadSort::StatusLast
            | LeadSort::AssigneeLast
            | LeadSort::Urgent
    )
}

/// A heading that sorts is a link; a phone sorts under Filters.
fn head(filter: &InboxFilter, column: &Column) -> Node {
    let head = el("th").set("scope", "col").set("class", column.class);
    let Some((first, again)) = column.sorts else { return head.text(column.name) };
    let is_sorted = [first, again].contains(&filter.sort);
    let next = if filter.sort == first { again } else { first };
    let sort = link(filter.sorted(next).at("/portal/leads"), column.name).set("class", "sort only-wide");
    let head = match (is_sorted, is_descending(filter.sort)) {
        (false, _) => head,
        (true, true) => head.set("aria-sort", "descending"),
        (true, false) => head.set("aria-sort", "ascending"),
    };
    head.child(sort.set("title", sort_in_words(next))).child(Node::classed("span", "only-narrow").text(column.name))
}

/// The table with what is done to its rows.
pub(crate) fn rows(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let all = translated(signed.language, "Select all rows of this page");
    let check = el("th").set("scope", "col").set("class", "c-check").set("data-all", all);
    let check = check.child(Node::classed("span", "vh").text("Selected"));
    let heads = COLUMNS.iter().map(|column| head(filter, column));
    let count = view.list.leads.len();
    let (first, rest) = view.list.leads.split_at(if count < LONG { count } else { FIRST_SCREEN });
    let body = |leads: &[Lead]| el("tbody").children(leads.iter().map(|lead| row(signed, view, lead)));
    let table = Node::classed("table", "leads")
        .child(Node::classed("caption", "vh").text(match filter.environment() {
            Environment::Production => "Leads",
            Environment::Sandbox => "Test leads",
        }))
        .child(el("thead").child(el("tr").child(check).children(heads)))
        .child(body(first))
        .children((!rest.is_empty()).then(|| body(rest).set("class", "rest")));
    let form = post("/portal/leads/bulk")
        .child(Node::classed("p", "vh").set("id", "selected-said").set("role", "status"))
        .child(bulk(signed, view))
        .child(table);
    div("list").child(form).child(foot(signed, view))
}

/// What is done to all that are ticked.
fn bulk(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let act = |what: &'static str, text: &'static str| button("btn", text).set("name", "do").set("value", what);
    let people = view.choices.people.iter().map(|(id, name)| (id.clone(), Text::from(name.clone())));
    let people = [("me".to_owned(), "Me".into()), ("nobody".to_owned(), "Nobody".into())].into_iter().chain(people);
    let mut bulk = Node::classed("div", "bulk idle")
        .set("role", "group")
        .set("aria-label", "With the selected leads")
        .set("data-none", translated(signed.language, "Selected leads:"))
        .set("data-one", translated(signed.language, "1 selected"))
        .set("data-some", phrase(signed.language, "{count} selected", &[("count", "#")]))
        .children([
            hidden("query", filter.query()),
            hidden("as-of", view.as_of.micros().to_string()),
            hidden("data", filter.environment().as_str()),
            Node::classed("b", "selected").text("Selected leads:"),
            el("label").set("class", "vh").set("for", "bulk-status").text("Change status to"),
            options_as("bulk-status", "set", statuses(), "contacted"),
            act("status", "Change status"),
            el("label").set("class", "vh").set("for", "bulk-person").text("Assign to"),
            options_as("bulk-person", "person", people.collect(), "me"),
            act("assign", "Assign"),
            act("download", "Download"),
            act("spam", "Spam"),
        ]);
    if let Some(total) = view.list.total.filter(|total| *total > view.list.leads.len()) {
        let all = phrase(signed.language, "Select all {count}", &[("count", &thousands(total as i64))]);
        let tick = el("input").set("type", "checkbox").set("name", "all").set("value", "yes");
        bulk = bulk.child(Node::classed("label", "tick").child(tick).child(el("span").text(all)));
    }
    bulk.child(el("button").set("type", "button").set("class", "btn done").text("Clear selection"))
}

fn row(signed: &Signed<'_>, view: &Inbox<'_>, lead: &Lead) -> Node {
    let is_unread = view.unread.contains(&lead.id);
    let name = full_name(signed.language, lead);
    let select = phrase(signed.language, "Select {name}", &[("name", &name)]);
    let work = view.work.get(&lead.id);
    let assignee = work.and_then(|work| work.assignee.as_ref());
    // With what the row shows: what a teammate changes meanwhile is left alone.
    let seen =
        format!("{}.{}.{}", lead.id, lead.status.as_str(), assignee.map(|(id, _)| id.to_string()).unwrap_or_default());
    let check = el("input").set("type", "checkbox").set("name", "lead").set("value", seen).set("aria-label", select);
    let mut who = Node::classed("td", "c-who");
    if is_unread {
        who = who.child(Node::classed("span", "vh").text("Unread. "));
    }
    let who = who.child(link(view.choices.filter.lead_at(lead.id), name)).child(el("span").text(lead.address.clone()));
    let assigned = assignee.map(|(_, name)| Text::from(name.clone()));
    let taken = assigned.or_else(|| lead.taken_by.clone().map(Text::from));
    let taken = match taken {
        Some(name) => Node::classed("td", "c-taken soft").text(name),
        None => Node::classed("td", "c-taken soft nobody").text("Nobody"),
    };
    let visit = Node::classed("td", "c-visit");
    let booked = view.appointments.get(&lead.id);
    let visit = match inspection_in_words(lead.inspection.as_ref(), booked, signed.language) {
        Some(said) => visit.child(Node::classed("span", "visit").text(said)),
        None => visit,
    };
    let row = el("tr").children([
        Node::classed("td", "c-check").child(Node::classed("label", "ck").child(check)),
        who,
        Node::classed("td", "c-wants").children(in_a_row(signed.language, lead)),
        Node::classed("td", "c-status").child(status_pill(lead.status)),
        visit,
        Node::classed("td", "c-phone soft")
            .text(lead.phone.as_ref().map(|phone| phone.as_str().to_owned()).unwrap_or_default()),
        taken,
        Node::classed("td", "c-next soft").children(work.into_iter().flat_map(|work| next_step(signed, view, work))),
        Node::classed("td", "c-source soft").text(origin_in_words(LeadOrigin::of(lead))),
        Node::classed("td", "c-price n").text(price(lead)),
        Node::classed("td", "c-age n soft").child(view.hours.aged(lead.created_at)),
    ]);
    if is_unread { row.set("class", "unread") } else { row }
}

/// What comes next and by when; what is late is marked.
fn next_step(signed: &Signed<'_>, view: &Inbox<'_>, work: &LeadWork) -> Vec<Node> {
    let day = work.due.map(|due| short_due(signed.language, &due)).unwrap_or_default();
    let next = format!("{} {day}", work.next_step.as_deref().unwrap_or_default()).trim().to_owned();
    if next.is_empty() {
        return Vec::new();
    }
    let late = work.due.filter(|due| view.hours.is_overdue(due)).map(|_| overdue());
    late.into_iter().chain([el("span").text(next)]).collect()
}

pub(crate) fn overdue() -> Node {
    pill("pill bad late", "Overdue")
}

fn foot(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let list = view.list;
    let shown = thousands(list.leads.len() as i64);
    let count = match list.total {
        Some(total) if total == list.leads.len() => counted(signed.language, Counted::LEADS, total as i64),
        Some(total) => {
            phrase(signed.language, "{shown} of {count}", &[("shown", &shown), ("count", &thousands(total as i64))])
        }
        None => counted(signed.language, Counted::COMMON_WORDS, list.leads.len() as i64),
    };
    let said = translated(signed.language, sort_in_words(filter.sort));
    let span = format!("{count}. {said}.");
    let names = filter.at_with("/portal/leads.csv", "headings", "names");
    let mut foot = div("foot")
        .child(el("span").text(span))
        .child(link(names, "CSV with column names for programs").set("class", "for-programs"));
    let way = |path: String, text: &'static str| link(path, text).set("class", "btn");
    let [first, back, next] = match filter.sort {
        LeadSort::Newest => ["Newest", "Newer", "Older"],
        _ => ["First page", "Back", "Next"],
    };
    if let Some(before) = &list.before {
        foot = foot
            .child(way(filter.at("/portal/leads"), first))
            .child(way(filter.at_with("/portal/leads", "before", &before.to_string()), back));
    }
    if let Some(after) = &list.after {
        foot = foot.child(way(filter.at_with("/portal/leads", "after", &after.to_string()), next));
    }
    foot
}
