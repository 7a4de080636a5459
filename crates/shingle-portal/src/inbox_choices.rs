//! The filters of the list by groups, and their page of a phone.

use shingle_domain::Environment;
use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::LossReason;
use shingle_store::{LeadCounts, LeadOrigin, LeadWant};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::counted::{Counted, counted};
use crate::element::{button, div, el, hidden, link};
use crate::frame::{Place, Signed, shell};
use crate::inbox_filter::{FilterGroup, InboxFilter, SORTS};
use crate::lead_outcome::loss_in_words;
use crate::phrase::translated;

/// What there is to choose from.
#[derive(Clone, Copy)]
pub struct Choices<'c> {
    pub filter: &'c InboxFilter,
    pub counts: &'c LeadCounts,
    /// Ids and names of the widgets and of the people.
    pub widgets: &'c [(String, String)],
    pub people: &'c [(String, String)],
    /// Towns that are chosen and are not among those with the most leads: hashes and names.
    pub other_towns: &'c [(String, String)],
    pub other_tags: &'c [(String, String)],
    /// How many leads each group of filters leaves alone. `None`: it was not counted.
    pub of_groups: &'c [(FilterGroup, Option<usize>)],
    /// How many leads all filters and words leave.
    pub matches: Option<usize>,
}

pub fn status_in_words(status: LeadStatus) -> &'static str {
    match status {
        LeadStatus::New => "New",
        LeadStatus::Contacted => "Contacted",
        LeadStatus::Qualified => "Qualified",
        LeadStatus::Won => "Won",
        LeadStatus::Lost => "Lost",
        LeadStatus::Spam => "Spam",
    }
}

pub(crate) fn origin_in_words(origin: LeadOrigin) -> &'static str {
    match origin {
        LeadOrigin::Site => "Site",
        LeadOrigin::Hosted => "Hosted page",
        LeadOrigin::Link => "Link",
        LeadOrigin::Qr => "QR code",
        LeadOrigin::Hand => "By hand",
        LeadOrigin::Import => "From a file",
        LeadOrigin::Ads => "Ads",
    }
}

pub(crate) fn want_in_words(want: LeadWant) -> &'static str {
    match want {
        LeadWant::Leaks => "Leaks",
        LeadWant::Damage => "Damage, no leak",
        LeadWant::Now => "Wants it now",
        LeadWant::ThisYear => "This year",
        LeadWant::OldRoof => "Roof over 20 years",
        LeadWant::Call => "Prefers a call",
        LeadWant::Text => "Prefers a text",
        LeadWant::Email => "Prefers email",
    }
}

/// A choice of a few, whose texts are translated where they are ours.
pub(crate) fn options(name: &'static str, all: Vec<(String, Text)>, chosen: &str) -> Node {
    options_as(name, name, all, chosen)
}

pub(crate) fn options_as(id: impl Into<Text>, name: impl Into<Text>, all: Vec<(String, Text)>, chosen: &str) -> Node {
    let option = |(value, text): (String, Text)| {
        let option = el("option").set("value", value.clone());
        let option = if value == chosen { option.set("selected", "") } else { option };
        option.write(text)
    };
    el("select").set("id", id).set("name", name).set("class", "in").children(all.into_iter().map(option))
}

pub(crate) fn labelled(label: &'static str, name: &'static str, field: Node) -> Node {
    div("field").child(el("label").set("for", name).text(label)).child(field)
}

/// One that can be chosen with others: its value, what it is called, how many leads it has.
struct Tick {
    value: String,
    text: Text,
    count: Option<usize>,
    chosen: bool,
}

fn tick(name: &'static str, kind: &'static str, tick: Tick) -> Node {
    let input = el("input").set("type", kind).set("name", name).set("value", tick.value);
    let input = if tick.chosen { input.set("checked", "") } else { input };
    let label = Node::classed("label", "tick").child(input).child(el("span").write(tick.text));
    match tick.count {
        Some(count) => label.child(Node::classed("span", "soft").text(count.to_string())),
        None => label,
    }
}

/// A group of filters with its fields.
pub(crate) struct Group {
    /// `None`: what belongs to no filter of its own.
    pub of: Option<FilterGroup>,
    pub name: &'static str,
    pub inside: Vec<Node>,
}

pub(crate) fn group_in_words(group: FilterGroup) -> &'static str {
    match group {
        FilterGroup::Wants => "Wants",
        FilterGroup::Town => "Town",
        FilterGroup::Tag => "Tag",
        FilterGroup::Loss => "Loss reason",
        FilterGroup::Assignee => "Assignee",
        FilterGroup::Status => "Status",
        FilterGroup::Price => "Price",
        FilterGroup::Source => "Source",
        FilterGroup::Widget => "Widget",
        FilterGroup::Date => "Date",
        FilterGroup::Unread => "Unread",
        FilterGroup::Asked => "Inspection requested",
        FilterGroup::Waiting => "Nobody responded",
    }
}

/// A field of a day.
fn day(input: Node) -> Node {
    input.set("type", "date")
}

/// The same where nobody sees it at first. Browsers spend on it what all other filters take together, so a script makes it one after
/// the first paint.
pub(crate) fn later_day(input: Node) -> Node {
    input.set("data-type", "date").set("placeholder", "2026-01-31")
}

/// A box for each of these: the field, its value, its words and how many leads it would leave.
fn ticks<T: Copy + PartialEq, const N: usize>(
    all: [T; N],
    chosen: &[T],
    of: impl Fn(T) -> (&'static str, &'static str, &'static str, usize),
) -> [Node; N] {
    all.map(|one| {
        let (name, value, text, count) = of(one);
        let it = Tick { value: value.to_owned(), text: text.into(), count: Some(count), chosen: chosen.contains(&one) };
        tick(name, "checkbox", it)
    })
}

/// A box for each of these, the known ones with their counts: hashes and names.
fn named_ticks(
    field: &'static str,
    known: &[(String, String, usize)],
    others: &[(String, String)],
    chosen: &[String],
) -> Vec<Node> {
    let known = known.iter().map(|(hash, name, count)| (hash, name, Some(*count)));
    let all = known.chain(others.iter().map(|(hash, name)| (hash, name, None)));
    let one = |(hash, name, count): (&String, &String, Option<usize>)| Tick {
        value: hash.clone(),
        text: name.clone().into(),
        count,
        chosen: chosen.contains(hash),
    };
    all.map(|all| tick(field, "checkbox", one(all))).collect()
}

pub(crate) fn groups(view: &Choices<'_>, day: fn(Node) -> Node) -> Vec<Group> {
    let filter = view.filter;
    let statuses = ticks(LeadStatus::ALL, &filter.statuses, |status| {
        ("status", status.as_str(), status_in_words(status), view.counts.of(status))
    });
    let towns = named_ticks("town", &view.counts.towns, view.other_towns, &filter.towns);
    let tags = named_ticks("tag", &view.counts.tags, view.other_tags, &filter.tags);
    let losses = ticks(LossReason::ALL, &filter.losses, |reason| {
        ("loss", reason.as_str(), loss_in_words(reason), view.counts.losses[reason as usize])
    });
    let losses = Vec::from(losses);
    let has_losses = view.counts.losses.iter().any(|count| *count > 0) || !filter.losses.is_empty();
    let ours: [(String, Text); 3] =
        [(String::new(), "Anyone".into()), ("me".into(), "Me".into()), ("nobody".into(), "Nobody".into())];
    let people = view.people.iter().map(|(id, name)| (id.clone(), name.clone().into()));
    let people: Vec<_> = ours.into_iter().chain(people).collect();
    let money = |name: &'static str, label: &'static str, value: &str| {
        let input = el("input").set("id", name).set("name", name).set("class", "in").set("inputmode", "numeric");
        let input = input.set("maxlength", "9").set("autocomplete", "off").set("value", value.to_owned());
        labelled(label, name, input)
    };
    let labelled_day = |name: &'static str, label: &'static str, value: &str| {
        let input = el("input").set("id", name).set("name", name).set("class", "in");
        labelled(label, name, day(input).set("value", value.to_owned()))
    };
    let origins = ticks(LeadOrigin::ALL, &filter.origins, |origin| {
        ("source", origin.as_str(), origin_in_words(origin), view.counts.origins[origin as usize])
    });
    let wants = ticks(LeadWant::ALL, &filter.wants, |want| {
        ("wants", want.as_str(), want_in_words(want), view.counts.wants[want as usize])
    });
    let yes = |name: &'static str, text: &'static str, count: usize, chosen: bool| {
        tick(name, "checkbox", Tick { value: "yes".to_owned(), text: text.into(), count: Some(count), chosen })
    };
    let sorts = SORTS.map(|(_, word, text)| (word.to_owned(), text.into())).to_vec();
    let sort = SORTS.iter().find(|(sort, ..)| *sort == filter.sort).map_or("newest", |(_, word, _)| word);
    let widgets = (view.widgets.len() > 1 || !filter.widget.is_empty()).then(|| {
        let all = view.widgets.iter().map(|(id, name)| (id.clone(), name.clone().into()));
        let all = [(String::new(), "Every widget".into())].into_iter().chain(all).collect();
        labelled("Widget", "widget", options("widget", all, &filter.widget))
    });
    let of = |of: FilterGroup, inside: Vec<Node>| Group { of: Some(of), name: group_in_words(of), inside };
    let mut groups = vec![
        of(FilterGroup::Wants, wants.into()),
        of(FilterGroup::Town, towns),
        of(FilterGroup::Tag, tags),
        of(
            FilterGroup::Assignee,
            vec![labelled("Assigned to", "assignee", options("assignee", people, &filter.assignee))],
        ),
        of(FilterGroup::Status, statuses.into()),
        of(FilterGroup::Loss, if has_losses { losses } else { Vec::new() }),
        of(
            FilterGroup::Price,
            vec![
                money("priceFrom", "From, in dollars", &filter.price_from),
                money("priceTo", "To, in dollars", &filter.price_to),
            ],
        ),
        of(FilterGroup::Source, origins.into()),
        of(FilterGroup::Widget, widgets.into_iter().collect()),
        of(FilterGroup::Date, vec![labelled_day("from", "From", &filter.from), labelled_day("to", "To", &filter.to)]),
        Group {
            of: None,
            name: "More",
            inside: vec![
                yes("unread", group_in_words(FilterGroup::Unread), view.counts.unread, filter.unread),
                yes("asked", group_in_words(FilterGroup::Asked), view.counts.asked, filter.asked),
                yes("waiting", group_in_words(FilterGroup::Waiting), view.counts.waiting, filter.waiting),
                labelled("Sort by", "sort", options("sort", sorts, sort)),
            ],
        },
    ];
    groups.retain(|group| !group.inside.is_empty());
    groups
}

pub(crate) fn environment_field(filter: &InboxFilter) -> Option<Node> {
    (filter.environment() == Environment::Sandbox).then(|| hidden("data", "sandbox"))
}

pub(crate) fn search_input(filter: &InboxFilter) -> Node {
    el("input")
        .set("id", "search")
        .set("name", "search")
        .set("type", "search")
        .set("class", "in")
        .set("maxlength", "200")
        .set("value", filter.search.clone())
}

/// The page of its own. A script keeps the button's number true while one chooses.
pub fn filters_page(signed: &Signed<'_>, view: &Choices<'_>) -> String {
    let filter = view.filter;
    let clear = InboxFilter::of(filter.environment());
    let groups = groups(view, day)
        .into_iter()
        .map(|group| el("fieldset").child(el("legend").text(group.name)).child(div("ticks").children(group.inside)));
    let search = labelled("Name, street, phone, email, reference, tag or note", "search", search_input(filter));
    let form = el("form")
        .set("method", "get")
        .set("action", "/portal/leads")
        .set("class", "filter-page")
        .set("id", "filter-page")
        .set("data-one", counted(signed.language, Counted::SHOW_LEADS, 1))
        .set("data-many", translated(signed.language, Counted::SHOW_LEADS.many).replace("{count}", "#"))
        .children(environment_field(filter))
        .child(search)
        .children(groups)
        .child(
            div("pinned")
                .child(link(clear.at("/portal/leads"), "Clear").set("class", "btn"))
                .child(button("btn ink", "Show leads")),
        );
    let back = link(filter.at("/portal/leads"), "All leads").set("class", "btn");
    shell(signed, Place::Leads, "Filters", vec![back], vec![form])
}
