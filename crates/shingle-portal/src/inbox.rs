//! The list of leads. Everything that narrows it stands in the page's address.

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{Environment, Timestamp};
use shingle_store::SavedView;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, thousands};

use crate::element::{button, div, el, hidden, link, p, pill, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::time::Hours;

/// What narrows the list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InboxFilter {
    pub environment: Option<Environment>,
    pub status: Option<LeadStatus>,
    pub search: String,
    /// Days of the company, `2026-11-24`.
    pub from: String,
    pub to: String,
    /// Id of a widget.
    pub widget: String,
    /// `me`, `nobody`, or the id of a user.
    pub assignee: String,
}

impl InboxFilter {
    pub fn environment(&self) -> Environment {
        self.environment.unwrap_or(Environment::Production)
    }

    fn is_narrow(&self) -> bool {
        self.status.is_some() || self.texts().iter().any(|(_, value)| !value.is_empty())
    }

    /// As the query of an address.
    pub fn query(&self) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        if self.environment() == Environment::Sandbox {
            query.append_pair("data", "sandbox");
        }
        if let Some(status) = self.status {
            query.append_pair("status", status.as_str());
        }
        for (name, value) in self.texts() {
            if !value.is_empty() {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }

    fn texts(&self) -> [(&'static str, &str); 5] {
        [
            ("search", &self.search),
            ("from", &self.from),
            ("to", &self.to),
            ("widget", &self.widget),
            ("assignee", &self.assignee),
        ]
    }

    fn at(&self, path: &str) -> String {
        let query = self.query();
        if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
    }

    fn with_status(&self, status: Option<LeadStatus>) -> Self {
        Self { status, ..self.clone() }
    }
}

pub struct Inbox<'i> {
    pub filter: &'i InboxFilter,
    pub leads: &'i [Lead],
    /// Ids of those that this user has not opened.
    pub unread: &'i [shingle_domain::LeadId],
    /// The cursor of the next page.
    pub older: Option<String>,
    /// Whether this is the first page.
    pub is_newest: bool,
    pub hours: &'i Hours,
    /// Why a filter was not understood.
    pub wrong: Option<&'i str>,
    /// Ids and names of the widgets and of the people to choose from.
    pub widgets: &'i [(String, String)],
    pub people: &'i [(String, String)],
    /// Whose leads these are.
    pub assignees: &'i [(shingle_domain::LeadId, String)],
    pub views: &'i [SavedView],
    /// Until when the list is known: newer leads are told.
    pub as_of: Timestamp,
}

pub(crate) fn status_in_words(status: LeadStatus) -> &'static str {
    match status {
        LeadStatus::New => "New",
        LeadStatus::Contacted => "Contacted",
        LeadStatus::Qualified => "Qualified",
        LeadStatus::Won => "Won",
        LeadStatus::Lost => "Lost",
        LeadStatus::Spam => "Spam",
    }
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

pub(crate) fn statuses() -> impl Iterator<Item = (String, &'static str)> {
    LeadStatus::ALL.into_iter().map(|status| (status.as_str().to_owned(), status_in_words(status)))
}

/// The sum of the material that was chosen, else of the first.
pub fn price(lead: &Lead) -> Option<shingle_domain::Usd> {
    let prices = &lead.estimate.as_ref()?.prices;
    let chosen = prices.iter().find(|price| Some(price.material) == lead.roof_material);
    Some(chosen.or_else(|| prices.first())?.cost)
}

pub(crate) fn full_name(lead: &Lead) -> String {
    let name = format!("{} {}", lead.first_name, lead.last_name);
    let name = name.trim();
    if name.is_empty() { "No name".to_owned() } else { name.to_owned() }
}

pub fn inbox_page(signed: &Signed<'_>, view: &Inbox<'_>) -> String {
    let filter = view.filter;
    let download = link(filter.at("/portal/leads.csv"), "Download CSV").set("class", "btn");
    let mut list = Node::classed("section", "card flush").set("aria-label", "Leads").child(search(view));
    if let Some(wrong) = view.wrong {
        list = list.child(Node::classed("p", "wrong pad").set("role", "alert").text(wrong.to_owned()));
    }
    list = if view.leads.is_empty() { list.child(empty(filter)) } else { list.child(rows(view)) };
    let keys = Node::classed("p", "keys soft").set("id", "keys").set("tabindex", "-1").children(
        [
            ("j", " "),
            ("k", " move, "),
            ("Enter", " open, "),
            ("e", " select, "),
            ("/", " search, "),
            ("?", " these keys"),
        ]
        .into_iter()
        .flat_map(|(key, said)| [el("kbd").text(key), el("span").text(said)]),
    );
    shell(signed, Place::Leads, "Leads", vec![download], vec![tabs(filter), views(view), news(view), list, keys])
}

fn tabs(filter: &InboxFilter) -> Node {
    let tab = |status: Option<LeadStatus>| {
        let of = filter.with_status(status);
        let tab = link(of.at("/portal/leads"), status.map_or("All", status_in_words));
        if filter.status == status { tab.set("aria-current", "page") } else { tab }
    };
    let other = match filter.environment() {
        Environment::Production => (Environment::Sandbox, "Test data"),
        Environment::Sandbox => (Environment::Production, "Real data"),
    };
    let switched = InboxFilter { environment: Some(other.0), ..InboxFilter::default() };
    el("nav")
        .set("class", "tabs")
        .set("aria-label", "Leads by status")
        .children([None].into_iter().chain(LeadStatus::ALL.map(Some)).map(tab))
        .child(link(switched.at("/portal/leads"), other.1).set("class", "end"))
}

fn search(view: &Inbox<'_>) -> Node {
    let filter = view.filter;
    let day = |id: &'static str, name: &'static str, label: &'static str, value: &str| {
        div("field day").child(el("label").set("for", id).text(label)).child(
            el("input")
                .set("id", id)
                .set("name", name)
                .set("type", "date")
                .set("class", "in")
                .set("value", value.to_owned()),
        )
    };
    let mut form = el("form")
        .set("method", "get")
        .set("action", "/portal/leads")
        .set("class", "bar")
        .set("role", "search")
        .child(
            div("field grow").child(el("label").set("for", "search").text("Name, street, email or telephone")).child(
                el("input")
                    .set("id", "search")
                    .set("name", "search")
                    .set("type", "search")
                    .set("class", "in")
                    .set("maxlength", "200")
                    .set("value", filter.search.clone()),
            ),
        )
        .child(day("from", "from", "From", &filter.from))
        .child(day("to", "to", "To", &filter.to));
    let choice =
        |name: &'static str, label: &'static str, first: &[(&str, &str)], more: &[(String, String)], chosen: &str| {
            let first = first.iter().map(|(value, said)| ((*value).to_owned(), (*said).to_owned()));
            div("field day").child(el("label").set("for", name).text(label)).child(select(
                name,
                name,
                first.chain(more.iter().cloned()),
                chosen,
            ))
        };
    form = form.child(choice(
        "assignee",
        "Whose",
        &[("", "Anybody’s"), ("me", "Mine"), ("nobody", "Nobody’s")],
        view.people,
        &filter.assignee,
    ));
    if view.widgets.len() > 1 {
        form = form.child(choice("widget", "Widget", &[("", "Every widget")], view.widgets, &filter.widget));
    }
    if let Some(status) = filter.status {
        form = form.child(hidden("status", status.as_str()));
    }
    if filter.environment() == Environment::Sandbox {
        form = form.child(hidden("data", "sandbox"));
    }
    form.child(button("btn", "Search"))
}

/// Lists that somebody has named, and how to name this one.
fn views(view: &Inbox<'_>) -> Node {
    let named = view.views.iter().map(|saved| {
        let path =
            if saved.query.is_empty() { "/portal/leads".to_owned() } else { format!("/portal/leads?{}", saved.query) };
        let here = saved.query == view.filter.query();
        let to = link(path, saved.name.clone()).set("class", "btn");
        let to = if here { to.set("aria-current", "page") } else { to };
        let mut entry = div("view").child(to);
        if here {
            entry = entry.child(
                post(format!("/portal/leads/views/{}/delete", saved.id))
                    .child(button("plain", "Forget").set("aria-label", format!("Forget the list {}", saved.name))),
            );
        }
        entry
    });
    let mut all = div("views").children(named);
    if view.filter.is_narrow() && view.views.iter().all(|saved| saved.query != view.filter.query()) {
        let name = el("input")
            .set("id", "view-name")
            .set("name", "name")
            .set("class", "in")
            .set("type", "text")
            .set("maxlength", "40")
            .set("required", "")
            .set("autocomplete", "off");
        all = all.child(
            post("/portal/leads/views")
                .set("class", "inline")
                .child(hidden("query", view.filter.query()))
                .child(el("label").set("for", "view-name").text("Keep this list as"))
                .child(name)
                .child(button("btn", "Keep")),
        );
    }
    all
}

/// Where a script tells of leads that came in meanwhile.
fn news(view: &Inbox<'_>) -> Node {
    let news = Node::classed("p", "note news").set("id", "news").set("role", "status").set("hidden", "");
    let news = news
        .set("data-since", view.as_of.micros().to_string())
        .set("data-data", view.filter.environment().as_str())
        .child(el("span").text(""))
        .child(link(view.filter.at("/portal/leads"), "Show"));
    if view.is_newest { news.set("data-newest", "") } else { news }
}

fn empty(filter: &InboxFilter) -> Node {
    let empty = div("empty");
    if filter.is_narrow() {
        let all = InboxFilter { environment: filter.environment, ..InboxFilter::default() };
        return empty
            .child(el("h2").text("No lead matches"))
            .child(soft("Nothing here has these words, this status and these days together."))
            .child(link(all.at("/portal/leads"), "Clear all").set("class", "btn"));
    }
    match filter.environment() {
        Environment::Production => empty
            .child(el("h2").text("No lead yet"))
            .child(soft("When a homeowner finishes the estimate on your site, the lead stands here a second later."))
            .child(p("").child(link("/portal/leads?data=sandbox", "Look at test data"))),
        Environment::Sandbox => empty
            .child(el("h2").text("No test lead yet"))
            .child(soft("Leads of widgets that were made with a sandbox key stand here. They are never billed.")),
    }
}

fn rows(view: &Inbox<'_>) -> Node {
    let columns = ["", "Lead", "Status", "Whose", "Price", "Age"];
    let heads = columns.iter().enumerate().map(|(n, name)| {
        let head = el("th").set("scope", "col");
        let head = if n >= 4 { head.set("class", "n") } else { head };
        if n == 0 { head.child(Node::classed("span", "vh").text("Selected")) } else { head.text(*name) }
    });
    let body = view.leads.iter().map(|lead| row(view, lead));
    let table = Node::classed("table", "leads")
        .child(Node::classed("caption", "vh").text(match view.filter.environment() {
            Environment::Production => "Leads, newest first",
            Environment::Sandbox => "Test leads, newest first",
        }))
        .child(el("thead").child(el("tr").children(heads)))
        .child(el("tbody").children(body));
    let bulk = div("bulk").children([
        el("label").set("for", "bulk").text("Set the selected to"),
        select("bulk", "status", statuses(), "contacted"),
        hidden("back", view.filter.at("/portal/leads")),
        hidden("data", view.filter.environment().as_str()),
        button("btn", "Set status"),
    ]);
    let form = el("form").set("method", "post").set("action", "/portal/leads/status").child(bulk).child(table);
    div("list").child(form).child(foot(view))
}

fn row(view: &Inbox<'_>, lead: &Lead) -> Node {
    let is_unread = view.unread.contains(&lead.id);
    let name = full_name(lead);
    let path = format!(
        "/portal/leads/{}{}",
        lead.id,
        match view.filter.environment() {
            Environment::Production => "",
            Environment::Sandbox => "?data=sandbox",
        }
    );
    let check = el("input")
        .set("type", "checkbox")
        .set("name", "lead")
        .set("value", lead.id.to_string())
        .set("aria-label", format!("Select {name}"));
    let mut who = Node::classed("td", "c-who");
    if is_unread {
        who = who.child(Node::classed("span", "vh").text("Unread. "));
    }
    let who = who.child(link(path, name)).child(el("span").text(lead.address.clone()));
    let assigned = view.assignees.iter().find(|(id, _)| *id == lead.id).map(|(_, name)| name.clone());
    let taken = assigned.or_else(|| lead.taken_by.clone()).unwrap_or_else(|| "Nobody’s".to_owned());
    let sum = price(lead).map_or_else(|| "No roof data".to_owned(), dollars);
    let row = el("tr").children([
        Node::classed("td", "c-check").child(Node::classed("label", "ck").child(check)),
        who,
        Node::classed("td", "c-status").child(status_pill(lead.status)),
        Node::classed("td", "c-taken soft").text(taken),
        Node::classed("td", "c-price n").text(sum),
        Node::classed("td", "c-age n soft").child(view.hours.aged(lead.created_at)),
    ]);
    if is_unread { row.set("class", "unread") } else { row }
}

fn foot(view: &Inbox<'_>) -> Node {
    let count = match view.leads.len() {
        1 => "1 lead".to_owned(),
        more => format!("{} leads", thousands(more as i64)),
    };
    let ages = (view.leads.first().map(|lead| lead.created_at), view.leads.last().map(|lead| lead.created_at));
    let span = match ages {
        (Some(first), Some(last)) if view.hours.age(first) != view.hours.age(last) => {
            format!("{count}, from {} back to {}", view.hours.full(first), view.hours.full(last))
        }
        _ => count,
    };
    let mut foot = div("foot").child(el("span").text(span));
    if !view.is_newest {
        foot = foot.child(link(view.filter.at("/portal/leads"), "Newest").set("class", "btn"));
    }
    if let Some(older) = &view.older {
        let query = view.filter.query();
        let join = if query.is_empty() { "" } else { "&" };
        foot = foot.child(link(format!("/portal/leads?{query}{join}cursor={older}"), "Older").set("class", "btn"));
    }
    foot
}
