//! The page of all leads. Filters and order are in the page's address.

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Environment, Language, Role};
use shingle_store::{LeadCounts, LeadSort, LeadWant, SavedView};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::counted::{Counted, counted};
use crate::element::{Tone, button, div, el, hidden, link, note, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::inbox_bar::{filter_in_words, search_bar};
use crate::inbox_choices::Choices;
use crate::inbox_filter::InboxFilter;
use crate::inbox_table::rows;
use crate::inbox_view::{Inbox, full_name, lead_path};
use crate::phrase::{phrase, translated};

pub(crate) fn heading_actions(filter: &InboxFilter, board: bool) -> Vec<Node> {
    let other = if board {
        link(filter.at("/portal/leads"), "List").set("class", "btn")
    } else {
        link(filter.at("/portal/leads/board"), "Board").set("class", "btn")
    };
    let data = if filter.environment() == Environment::Sandbox { "?data=sandbox" } else { "" };
    let add = link(format!("/portal/leads/new{data}"), "Add a lead").set("class", "btn");
    let import = link(format!("/portal/leads/import{data}"), "Import").set("class", "btn");
    vec![other, link(filter.at("/portal/leads.csv"), "Download CSV").set("class", "btn"), import, add]
}

pub fn inbox_page(signed: &Signed<'_>, view: &Inbox<'_>) -> String {
    let filter = view.choices.filter;
    let mut list = Node::classed("section", "card flush listed").set("aria-label", "Leads").child(search_bar(
        signed,
        &view.choices,
        "/portal/leads",
    ));
    if let Some(wrong) = view.wrong {
        list = list.child(Node::classed("p", "wrong pad").set("role", "alert").text(wrong));
    }
    list = if view.list.leads.is_empty() { list.child(empty(signed, view)) } else { list.child(rows(signed, view)) };
    let lists = div("lists").child(tabs(filter, view.choices.counts, view.views)).children(keep_view(
        signed.language,
        filter,
        view.views,
    ));
    let mut inside = vec![lists, list, keys(signed.language)];
    if view.is_untold {
        inside.insert(0, untold());
    }
    let mut actions = heading_actions(filter, false);
    actions.insert(0, news(signed, view));
    shell(signed, Place::Leads, "Leads", actions, inside)
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

/// The lists that everybody has, and how many leads are in each.
fn fixed(environment: Environment, counts: &LeadCounts) -> [(&'static str, InboxFilter, usize); 7] {
    let of = InboxFilter::of(environment);
    let by = |status| InboxFilter { statuses: vec![status], ..of.clone() };
    let waiting = InboxFilter { waiting: true, sort: LeadSort::Oldest, ..of.clone() };
    [
        ("All", of.clone(), counts.all()),
        ("New", by(LeadStatus::New), counts.of(LeadStatus::New)),
        ("Mine", InboxFilter { assignee: "me".to_owned(), ..of.clone() }, counts.mine),
        ("Longest waiting", waiting, counts.waiting),
        ("Inspection requested", InboxFilter { asked: true, ..of.clone() }, counts.asked),
        ("Leaks", InboxFilter { wants: vec![LeadWant::Leaks], ..of.clone() }, counts.wants[LeadWant::Leaks as usize]),
        ("Suspected spam", by(LeadStatus::Spam), counts.of(LeadStatus::Spam)),
    ]
}

/// The same list in any order.
fn is_same(one: &InboxFilter, other: &InboxFilter) -> bool {
    one.sorted(LeadSort::Newest).query() == other.sorted(LeadSort::Newest).query()
}

fn is_fixed(filter: &InboxFilter) -> bool {
    fixed(filter.environment(), &LeadCounts::default()).iter().any(|(_, fixed, _)| is_same(fixed, filter))
}

/// They, then those that one has named.
pub(crate) fn tabs(filter: &InboxFilter, counts: &LeadCounts, views: &[SavedView]) -> Node {
    let current = |tab: Node, is_here: bool| if is_here { tab.set("aria-current", "page") } else { tab };
    let fixed = fixed(filter.environment(), counts).into_iter().map(|(name, of, count)| {
        let count = Node::classed("span", "count").text(thousands(count as i64));
        let tab = el("a").set("href", of.at("/portal/leads")).child(el("span").text(name)).child(count);
        current(tab, is_same(&of, filter))
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

/// Where a script announces leads of this list that came in meanwhile. It has its own place: nothing moves for it.
fn news(signed: &Signed<'_>, view: &Inbox<'_>) -> Node {
    let filter = view.choices.filter;
    let news = Node::classed("p", "arrivals").set("id", "news").set("hidden", "");
    let news = news
        .set("data-since", view.as_of.micros().to_string())
        .set("data-data", filter.environment().as_str())
        .set("data-query", filter.query())
        .child(el("span").text(""))
        .set("data-one", counted(signed.language, Counted::NEW_LEADS, 1))
        .set("data-many", translated(signed.language, Counted::NEW_LEADS.many).replace("{count}", "#"))
        .child(link(filter.sorted(LeadSort::Newest).at("/portal/leads"), "Show them"));
    div("news-place").set("role", "status").child(news)
}

/// The filters in words: `Status: New, Town: Falmouth`.
fn named_filters(signed: &Signed<'_>, choices: &Choices<'_>) -> String {
    let active = choices.filter.active().into_iter();
    active.map(|group| filter_in_words(signed, choices, group)).collect::<Vec<_>>().join("; ")
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
