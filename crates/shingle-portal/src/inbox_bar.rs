//! The bar over the list: the search, and the filters as chips with what they narrow to.

use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::LossReason;
use shingle_store::{LeadOrigin, LeadWant};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::counted::{Counted, counted};
use crate::element::{button, div, el, link};
use crate::frame::Signed;
use crate::inbox_choices::{
    Choices, Group, environment_field, group_in_words, groups, later_day, origin_in_words, search_input,
    status_in_words, want_in_words,
};
use crate::inbox_filter::{FilterGroup, InboxFilter};
use crate::lead_outcome::loss_in_words;
use crate::phrase::{phrase, translated};

/// Filters that have a chip of their own also where they narrow nothing; the others are under More.
const ALWAYS: [FilterGroup; 3] = [FilterGroup::Wants, FilterGroup::Town, FilterGroup::Assignee];

/// What a group of filters narrows to: `New, Won`. Empty: the name of the group says it.
pub(crate) fn value_in_words(signed: &Signed<'_>, choices: &Choices<'_>, group: FilterGroup) -> String {
    let filter = choices.filter;
    let say = |text: &'static str| translated(signed.language, text).to_owned();
    let name = |all: &[(String, String)], id: &str| all.iter().find(|(of, _)| of == id).map(|(_, name)| name.clone());
    let range = |from: &str, to: &str, name: &str| match (from, to) {
        (from, "") => phrase(signed.language, "from {first}", &[("first", &format!("{name}{from}"))]),
        ("", to) => phrase(signed.language, "up to {last}", &[("last", &format!("{name}{to}"))]),
        (from, to) => format!("{name}{from} – {to}"),
    };
    let all: Vec<String> = match group {
        // In the order of the menus, however the address has them.
        FilterGroup::Status => {
            let chosen = LeadStatus::ALL.into_iter().filter(|status| filter.statuses.contains(status));
            chosen.map(|status| say(status_in_words(status))).collect()
        }
        FilterGroup::Town => {
            let towns = choices.counts.towns.iter().map(|(town, name, _)| (town.clone(), name.clone()));
            let towns: Vec<_> = towns.chain(choices.other_towns.iter().cloned()).collect();
            filter.towns.iter().filter_map(|town| name(&towns, town)).collect()
        }
        FilterGroup::Tag => {
            let tags = choices.counts.tags.iter().map(|(tag, name, _)| (tag.clone(), name.clone()));
            let tags: Vec<_> = tags.chain(choices.other_tags.iter().cloned()).collect();
            filter.tags.iter().filter_map(|tag| name(&tags, tag)).collect()
        }
        FilterGroup::Loss => {
            let chosen = LossReason::ALL.into_iter().filter(|reason| filter.losses.contains(reason));
            chosen.map(|reason| say(loss_in_words(reason))).collect()
        }
        FilterGroup::Source => {
            let chosen = LeadOrigin::ALL.into_iter().filter(|origin| filter.origins.contains(origin));
            chosen.map(|origin| say(origin_in_words(origin))).collect()
        }
        FilterGroup::Wants => {
            let chosen = LeadWant::ALL.into_iter().filter(|want| filter.wants.contains(want));
            chosen.map(|want| say(want_in_words(want))).collect()
        }
        FilterGroup::Assignee => match filter.assignee.as_str() {
            "me" => vec![say("Me")],
            "nobody" => vec![say("Nobody")],
            id => name(choices.people, id).into_iter().collect(),
        },
        FilterGroup::Widget => name(choices.widgets, &filter.widget).into_iter().collect(),
        FilterGroup::Price => vec![range(&filter.price_from, &filter.price_to, "$")],
        FilterGroup::Date => vec![range(&filter.from, &filter.to, "")],
        FilterGroup::Unread | FilterGroup::Asked | FilterGroup::Waiting => Vec::new(),
    };
    all.join(", ")
}

/// `Town: Saco, Portland`
pub(crate) fn filter_in_words(signed: &Signed<'_>, choices: &Choices<'_>, group: FilterGroup) -> String {
    let name = translated(signed.language, group_in_words(group));
    match value_in_words(signed, choices, group) {
        value if value.is_empty() => name.to_owned(),
        value => format!("{name}: {value}"),
    }
}

fn menu(name: &'static str, summary: Node, is_on: bool, inside: Vec<Node>) -> Node {
    let open = Node::classed("div", "menu")
        .child(el("fieldset").child(Node::classed("legend", "vh").text(name)).children(inside))
        .child(button("btn", "Show"));
    Node::classed("details", if is_on { "filter on" } else { "filter" }).child(summary).child(open)
}

/// One that narrows: its value, how many leads have it, and the way to remove it. A phone shows that way alone.
fn chip(signed: &Signed<'_>, view: &Choices<'_>, action: &str, of: FilterGroup, group: Option<Group>) -> Node {
    let said = filter_in_words(signed, view, of);
    let count = view.of_groups.iter().find(|(group, _)| *group == of).and_then(|(_, count)| *count);
    let count = count.map(|count| thousands(count as i64));
    let whole = count.iter().fold(said.clone(), |said, count| format!("{said} {count}"));
    let label = Node::classed("span", "value").text(said);
    let count = count.map(|count| Node::classed("span", "count").text(count));
    let shown = match group {
        Some(group) => {
            let summary = el("summary").set("class", "btn").child(label).children(count);
            menu(group.name, summary, true, group.inside)
        }
        None => Node::classed("span", "filter on").child(Node::classed("span", "btn").child(label).children(count)),
    };
    let remove = phrase(signed.language, "Remove {filter}", &[("filter", &whole)]);
    let remove = link(view.filter.without(of).at(action), "")
        .set("class", "remove")
        .set("aria-label", remove)
        .child(Node::classed("span", "only-narrow").text(whole));
    Node::classed("span", "chip on").child(shown).child(remove)
}

/// The chips, those that narrow first. The form has each field once.
fn chips(signed: &Signed<'_>, view: &Choices<'_>, action: &str) -> Vec<Node> {
    let filter = view.filter;
    let (mut on, mut off, mut more) = (Vec::new(), Vec::new(), Vec::new());
    for group in groups(view, later_day) {
        match group.of {
            Some(of) if filter.is_on(of) => on.push(chip(signed, view, action, of, Some(group))),
            Some(of) if ALWAYS.contains(&of) => {
                let summary = el("summary").set("class", "btn").text(group.name);
                off.push(menu(group.name, summary, false, group.inside));
            }
            Some(_) => {
                more.push(el("fieldset").child(el("legend").text(group.name)).children(group.inside));
            }
            None => more.extend(group.inside),
        }
    }
    // These are boxes under More.
    let boxes = [FilterGroup::Unread, FilterGroup::Asked, FilterGroup::Waiting];
    on.extend(boxes.into_iter().filter(|of| filter.is_on(*of)).map(|of| chip(signed, view, action, of, None)));
    let summary = el("summary").set("class", "btn").text("More");
    on.into_iter().chain(off).chain([menu("More", summary, false, more)]).collect()
}

/// The search, with the filters where there is room for them.
pub(crate) fn search_bar(signed: &Signed<'_>, view: &Choices<'_>, action: &'static str) -> Node {
    let filter = view.filter;
    let number = filter.narrowing().to_string();
    let filters = phrase(signed.language, "Filters ({count})", &[("count", &number)]);
    let mut bar = el("form")
        .set("method", "get")
        .set("action", action)
        .set("class", "bar inbox-bar")
        .set("role", "search")
        .children(environment_field(filter))
        .child(
            div("grow")
                .child(
                    Node::classed("label", "vh")
                        .set("for", "search")
                        .text("Name, street, phone, email, reference, tag or note"),
                )
                .child(
                    search_input(filter)
                        .set("placeholder", translated(signed.language, "Name, street, phone or 7K3-Q9F")),
                ),
        )
        .child(button("btn", "Search"))
        .child(link(filter.at("/portal/leads/filters"), filters).set("class", "btn only-narrow"))
        .child(Node::classed("div", "filters").children(chips(signed, view, action)));
    if filter.is_narrow() {
        let clear = InboxFilter { sort: filter.sort, ..InboxFilter::of(filter.environment()) };
        let count = view.matches.map(|count| el("span").text(counted(signed.language, Counted::LEADS, count as i64)));
        let clear = link(clear.at(action), "Clear all");
        bar = bar.child(Node::classed("p", "found").set("role", "status").children(count).child(clear));
    }
    bar
}
