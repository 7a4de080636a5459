//! The list of leads. All filters are in the page's address.

use std::collections::HashMap;

use shingle_domain::appointment::Appointment;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Environment, Language, LeadId, Role, Timestamp};
use shingle_store::{LeadCounts, LeadList, LeadSort, LeadWant, LeadWork, SavedView};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::{dollars, thousands};

use crate::counted::{Counted, counted};
use crate::days::short_day;
use crate::element::{Tone, button, div, el, hidden, link, note, p, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_choices::{Choices, options_as, origin_in_words, search, status_in_words, want_in_words};
use crate::inbox_filter::InboxFilter;
use crate::lead_answers::in_a_row;
use crate::phrase::{phrase, translated};
use crate::time::Hours;
use crate::visit_words::inspection_in_words;

/// Rows that a phone shows before scrolling. The style lays out the others after the first paint.
const FIRST_SCREEN: usize = 5;
/// Lists that are shorter are laid out at once: the room that is kept for the others would show.
const LONG: usize = 15;

pub struct Inbox<'i> {
    pub choices: Choices<'i>,
    pub list: &'i LeadList,
    /// Ids of those that this user has not opened.
    pub unread: &'i [LeadId],
    pub work: &'i HashMap<LeadId, LeadWork>,
    pub appointments: &'i HashMap<LeadId, Appointment>,
    pub hours: &'i Hours,
    /// Why a filter was not understood.
    pub wrong: Option<&'static str>,
    pub views: &'i [SavedView],
    /// Until when the list is known: newer leads are announced.
    pub as_of: Timestamp,
    /// Whether this browser could get notifications of new leads but does not.
    pub is_untold: bool,
    /// What the words alone would find, where nothing is found.
    pub without: Option<&'i LeadList>,
    /// Words near those that no lead has, and what they find.
    pub near: Option<&'i (String, LeadList)>,
}

pub(crate) fn status_pill(status: LeadStatus) -> Node {
    let kind = match status {
        LeadStatus::New => "pill new",
        LeadStatus::Won => "pill ok",
        LeadStatus::Contacted => "pill warn",
        LeadStatus::Spam => "pill bad",
        LeadStatus::Qualified | LeadStatus::Lost => "pill",
    };
    pill(kind, status_in_words(status))
}

pub(crate) fn statuses() -> Vec<(String, Text)> {
    LeadStatus::ALL.map(|status| (status.as_str().to_owned(), status_in_words(status).into())).to_vec()
}

pub(crate) fn full_name(language: Language, lead: &Lead) -> String {
    let name = format!("{} {}", lead.first_name, lead.last_name);
    let name = name.trim();
    if name.is_empty() { translated(language, "No name").to_owned() } else { name.to_owned() }
}

pub(crate) fn price(lead: &Lead) -> Text {
    lead.shown_price().map_or_else(|| "No roof data".into(), |price| dollars(price.cost).into())
}

pub(crate) fn lead_path(id: LeadId, environment: Environment) -> String {
    match environment {
        Environment::Production => format!("/portal/leads/{id}"),
        Environment::Sandbox => format!("/portal/leads/{id}?data=sandbox"),
    }
}

pub(crate) fn heading_actions(filter: &InboxFilter, board: bool) -> Vec<Node> {
    let other = if board {
        link(filter.at("/portal/leads"), "List").set("class", "btn")
    } else {
        link(filter.at("/portal/leads/board"), "Board").set("class", "btn")
    };
    let data = if filter.environment() == Environment::Sandbox { "?data=sandbox" } else { "" };
    let add = link(format!("/portal/leads/new{data}"), "Add a lead").set("class", "btn");
    vec![other, link(filter.at("/portal/leads.csv"), "Download CSV").set("class", "btn"), add]
}

pub fn inbox_page(signed: &Signed<'_>, view: &Inbox<'_>) -> String {
    let filter = view.choices.filter;
    let mut list = Node::classed("section", "card flush listed").set("aria-label", "Leads").child(search(
        signed,
        &view.choices,
        "/portal/leads",
    ));
    if let Some(wrong) = view.wrong {
        list = list.child(Node::classed("p", "wrong pad").set("role", "alert").text(wrong));
    }
    list = if view.list.leads.is_empty() { list.child(empty(signed, view)) } else { list.child(rows(signed, view)) };
    let mut inside = vec![
        tabs(filter, view.choices.counts, view.views),
        keep_view(signed.language, filter, view.views).unwrap_or_else(|| el("span").set("hidden", "")),
        news(signed, view),
        list,
        keys(signed.language),
    ];
    if view.is_untold {
        inside.insert(0, untold());
    }
    shell(signed, Place::Leads, "Leads", heading_actions(filter, false), inside)
}

/// Shown by the script where the browser has kept its side of what ended here.
fn untold() -> Node {
    note(Tone::Look, "This device no longer gets notifications of new leads.")
        .set("id", "untold")
        .set("hidden", "")
        .child(el("span").text(" "))
        .child(link("/portal/phone", "Turn it on again"))
}

/// What the keyboard does; each can be used without it.
fn keys(language: Language) -> Node {
    let all = [
        ("j", " "),
        ("k", " move, "),
        ("Enter", " open, "),
        ("x", " select, "),
        ("e", " status, "),
        ("#", " spam, "),
        ("/", " search, "),
        ("?", " these keys"),
    ];
    let all = all.into_iter().flat_map(|(key, said)| [el("kbd").text(key), el("span").text(said)]);
    let switch = el("button").set("type", "button").set("class", "plain").set("id", "keys-switch").set("hidden", "");
    let switch = switch
        .set("data-on", translated(language, "Turn these keys off"))
        .set("data-off", translated(language, "Turn these keys on"));
    Node::classed("div", "keys soft").set("id", "keys").set("tabindex", "-1").children(all).child(switch)
}

/// The lists that everybody has.
fn fixed(environment: Environment) -> [(&'static str, InboxFilter); 6] {
    let of = InboxFilter::of(environment);
    let by = |status| InboxFilter { statuses: vec![status], ..of.clone() };
    [
        ("All", of.clone()),
        ("New", by(LeadStatus::New)),
        ("Mine", InboxFilter { assignee: "me".to_owned(), ..of.clone() }),
        ("Inspection requested", InboxFilter { asked: true, ..of.clone() }),
        ("Leaks", InboxFilter { wants: vec![LeadWant::Leaks], ..of.clone() }),
        ("Suspected spam", by(LeadStatus::Spam)),
    ]
}

fn is_fixed(filter: &InboxFilter) -> bool {
    let query = filter.query();
    fixed(filter.environment()).iter().any(|(_, fixed)| fixed.query() == query)
}

/// They, then those that one has named.
pub(crate) fn tabs(filter: &InboxFilter, counts: &LeadCounts, views: &[SavedView]) -> Node {
    let counts = [
        counts.all(),
        counts.of(LeadStatus::New),
        counts.mine,
        counts.asked,
        counts.wants[LeadWant::Leaks as usize],
        counts.of(LeadStatus::Spam),
    ];
    let here = InboxFilter { sort: LeadSort::Newest, ..filter.clone() };
    let current = |tab: Node, is_here: bool| if is_here { tab.set("aria-current", "page") } else { tab };
    let fixed = fixed(filter.environment()).into_iter().zip(counts).map(|((name, of), count)| {
        let count = Node::classed("span", "count").text(thousands(count as i64));
        let tab = el("a").set("href", of.at("/portal/leads")).child(el("span").text(name)).child(count);
        current(tab, of.query() == here.query())
    });
    let query = filter.query();
    let is_fixed = is_fixed(filter);
    let named = views.iter().map(|saved| {
        let path =
            if saved.query.is_empty() { "/portal/leads".to_owned() } else { format!("/portal/leads?{}", saved.query) };
        current(link(path, saved.name.clone()), saved.query == query && !is_fixed)
    });
    let (environment, other) = match filter.environment() {
        Environment::Production => (Environment::Sandbox, "Test data"),
        Environment::Sandbox => (Environment::Production, "Real data"),
    };
    el("nav")
        .set("class", "tabs inbox-tabs")
        .set("aria-label", "Lists of leads")
        .children(fixed)
        .children(named)
        .child(link(InboxFilter::of(environment).at("/portal/leads"), other).set("class", "end"))
}

/// How to name this list, or to forget its name.
fn keep_view(language: Language, filter: &InboxFilter, views: &[SavedView]) -> Option<Node> {
    let query = filter.query();
    if let Some(saved) = views.iter().find(|saved| saved.query == query) {
        let label = phrase(language, "Delete the view {name}", &[("name", &saved.name)]);
        let forget = button("plain", label);
        return Some(post(format!("/portal/leads/views/{}/delete", saved.id)).child(forget));
    }
    if !filter.is_narrow() || is_fixed(filter) {
        return None;
    }
    let name = el("input")
        .set("id", "view-name")
        .set("name", "name")
        .set("class", "in")
        .set("type", "text")
        .set("maxlength", "40")
        .set("required", "")
        .set("autocomplete", "off");
    let form = post("/portal/leads/views")
        .set("class", "inline")
        .child(hidden("query", query))
        .child(el("label").set("for", "view-name").text("Name this view"))
        .child(name)
        .child(button("btn", "Save view"));
    Some(Node::classed("details", "keep").child(el("summary").text("Save this view")).child(form))
}

/// Where a script announces leads that came in meanwhile.
fn news(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let news = Node::classed("p", "note news").set("id", "news").set("role", "status").set("hidden", "");
    let news = news
        .set("data-since", view.as_of.micros().to_string())
        .set("data-data", filter.environment().as_str())
        .child(el("span").text(""))
        .set("data-one", format!("{} ", counted(signed.language, Counted::NEW_LEADS, 1)))
        .set("data-many", format!("{} ", translated(signed.language, Counted::NEW_LEADS.many).replace("{count}", "#")))
        .child(link(filter.at("/portal/leads"), "Show them"));
    if view.list.before.is_none() && filter.sort == LeadSort::Newest { news.set("data-newest", "") } else { news }
}

/// The filters in words: `New, Falmouth`.
fn named_filters(signed: &Signed<'_>, choices: &Choices<'_>) -> String {
    let filter = choices.filter;
    let say = |text: &'static str| translated(signed.language, text).to_owned();
    let name = |all: &[(String, String)], id: &str| all.iter().find(|(of, _)| of == id).map(|(_, name)| name.clone());
    let mut all: Vec<String> = filter.statuses.iter().map(|status| say(status_in_words(*status))).collect();
    let towns = choices.counts.towns.iter().map(|(town, name, _)| (town.clone(), name.clone()));
    let towns: Vec<_> = towns.chain(choices.other_towns.iter().cloned()).collect();
    all.extend(filter.towns.iter().filter_map(|town| name(&towns, town)));
    all.extend(filter.origins.iter().map(|origin| say(origin_in_words(*origin))));
    all.extend(filter.wants.iter().map(|want| say(want_in_words(*want))));
    match filter.assignee.as_str() {
        "" => {}
        "me" => all.push(say("Mine")),
        "nobody" => all.push(say("Unassigned")),
        id => all.extend(name(choices.people, id)),
    }
    all.extend(name(choices.widgets, &filter.widget));
    match (filter.price_from.as_str(), filter.price_to.as_str()) {
        ("", "") => {}
        (from, "") => all.push(phrase(signed.language, "from ${from}", &[("from", from)])),
        ("", to) => all.push(phrase(signed.language, "up to ${to}", &[("to", to)])),
        (from, to) => all.push(format!("${from}–{to}")),
    }
    match (filter.from.as_str(), filter.to.as_str()) {
        ("", "") => {}
        (from, to) => all.push(format!("{from} – {to}")),
    }
    all.extend(filter.unread.then(|| say("Unread")));
    all.extend(filter.asked.then(|| say("Inspection requested")));
    all.join(", ")
}

fn empty(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let empty = div("empty");
    let language = signed.language;
    if filter.is_narrow() {
        let filters = named_filters(signed, &view.choices);
        let searched = match (filter.search.as_str(), filters.as_str()) {
            ("", filters) => phrase(language, "Filters: {filters}.", &[("filters", filters)]),
            (words, "") => phrase(language, "Searched “{words}”.", &[("words", words)]),
            (words, filters) => {
                phrase(language, "Searched “{words}” in {filters}.", &[("words", words), ("filters", filters)])
            }
        };
        let mut empty = empty.child(el("h2").text("No lead matches")).child(soft(searched));
        let named = |leads: &[Lead]| {
            let line =
                |lead: &Lead| el("li").child(link(lead_path(lead.id, filter.environment()), full_name(language, lead)));
            el("ul").children(leads.iter().map(line).collect::<Vec<_>>())
        };
        let more = view.without.map_or(&[][..], |list| &list.leads);
        if !more.is_empty() {
            let said = counted(language, Counted::HIDDEN_BY_FILTERS, more.len() as i64);
            empty = empty.child(soft(said)).child(named(more));
        }
        if let Some((words, list)) = view.near {
            let said = phrase(language, "Did you mean “{words}”?", &[("words", words)]);
            let to = link(filter.searched(words).at("/portal/leads"), said);
            empty = empty.child(p("").child(to)).child(named(&list.leads));
        }
        let mut ways = div("pair");
        if !filter.search.is_empty() && filter.narrowing() > 0 {
            ways = ways.child(link(filter.without_filters().at("/portal/leads"), "Clear filters").set("class", "btn"));
        }
        let all = InboxFilter::of(filter.environment());
        return empty.child(ways.child(link(all.at("/portal/leads"), "Clear all").set("class", "btn")));
    }
    match filter.environment() {
        Environment::Production => empty
            .child(el("h2").text("No lead yet"))
            .child(soft("When a homeowner finishes the estimate on your site, the lead shows up here within seconds."))
            .children((signed.role >= Role::Owner).then(|| p("").child(link("/portal/start", "Set up step by step"))))
            .child(p("").child(link("/portal/leads?data=sandbox", "Show test data"))),
        Environment::Sandbox => empty
            .child(el("h2").text("No test lead yet"))
            .child(soft(
                "Test leads you send yourself show up here, and so do leads from widgets created with a sandbox key. They’re never billed.",
            )),
    }
}

fn rows(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let columns = ["", "Lead", "Wants", "Status", "Inspection requested", "Assignee", "Next step", "Price", "Age"];
    let heads = columns.iter().enumerate().map(|(n, name)| {
        let head = el("th").set("scope", "col");
        let head = if n >= 7 { head.set("class", "n") } else { head };
        if n == 0 {
            let all = translated(signed.language, "Select all rows of this page");
            head.set("data-all", all).child(Node::classed("span", "vh").text("Selected"))
        } else {
            head.text(*name)
        }
    });
    let count = view.list.leads.len();
    let (first, rest) = view.list.leads.split_at(if count < LONG { count } else { FIRST_SCREEN });
    let body = |leads: &[Lead]| el("tbody").children(leads.iter().map(|lead| row(signed, view, lead)));
    let table = Node::classed("table", "leads")
        .child(Node::classed("caption", "vh").text(match filter.environment() {
            Environment::Production => "Leads",
            Environment::Sandbox => "Test leads",
        }))
        .child(el("thead").child(el("tr").children(heads)))
        .child(body(first))
        .children((!rest.is_empty()).then(|| body(rest).set("class", "rest")));
    let form = post("/portal/leads/bulk").child(bulk(signed, view)).child(table);
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
        .set("data-some", phrase(signed.language, "{count} selected", &[("count", "#")]))
        .children([
            hidden("query", filter.query()),
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
    bulk
}

fn row(signed: &Signed<'_>, view: &Inbox<'_>, lead: &Lead) -> Node {
    let is_unread = view.unread.contains(&lead.id);
    let name = full_name(signed.language, lead);
    let select = phrase(signed.language, "Select {name}", &[("name", &name)]);
    let check = el("input")
        .set("type", "checkbox")
        .set("name", "lead")
        .set("value", lead.id.to_string())
        .set("aria-label", select);
    let mut who = Node::classed("td", "c-who");
    if is_unread {
        who = who.child(Node::classed("span", "vh").text("Unread. "));
    }
    let who = who.child(link(view.choices.filter.lead_at(lead.id), name)).child(el("span").text(lead.address.clone()));
    let work = view.work.get(&lead.id);
    let assigned = work.and_then(|work| work.assignee.as_ref()).map(|(_, name)| Text::from(name.clone()));
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
        taken,
        Node::classed("td", "c-next soft").children(work.into_iter().flat_map(|work| next_step(signed, view, work))),
        Node::classed("td", "c-price n").text(price(lead)),
        Node::classed("td", "c-age n soft").child(view.hours.aged(lead.created_at)),
    ]);
    if is_unread { row.set("class", "unread") } else { row }
}

/// What comes next and by when; a day that is over is marked.
fn next_step(signed: &Signed<'_>, view: &Inbox<'_>, work: &LeadWork) -> Vec<Node> {
    let day = work.due.map(|day| short_day(signed.language, day.0)).unwrap_or_default();
    let next = format!("{} {day}", work.next_step.as_deref().unwrap_or_default()).trim().to_owned();
    if next.is_empty() {
        return Vec::new();
    }
    let late = work.due.filter(|day| view.hours.is_past(day.0)).map(|_| overdue());
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
    let ages = (list.leads.first().map(|lead| lead.created_at), list.leads.last().map(|lead| lead.created_at));
    let span = match ages {
        (Some(first), Some(last))
            if filter.sort == LeadSort::Newest && view.hours.age(first) != view.hours.age(last) =>
        {
            let (from, to) = (view.hours.full(first), view.hours.full(last));
            phrase(
                signed.language,
                "{count}, from {from} back to {to}",
                &[("count", &count), ("from", &from), ("to", &to)],
            )
        }
        _ => count,
    };
    let mut foot = div("foot").child(el("span").text(span));
    let way = |path: String, text: &'static str| link(path, text).set("class", "btn");
    let [first, back, next] = match filter.sort {
        LeadSort::Newest => ["Newest", "Newer", "Older"],
        LeadSort::Price | LeadSort::Due => ["First page", "Back", "Next"],
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
