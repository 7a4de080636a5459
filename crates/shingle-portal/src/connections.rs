//! Where leads go besides the inbox: what is connected, and what can be.

use shingle_domain::Environment;
use shingle_store::{Destination, DestinationKind};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::thousands;

use crate::element::{card, div, el, link, pill, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::time::Hours;

/// A service that can be connected.
#[derive(Debug, Clone, Copy)]
pub struct CatalogueEntry {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub group: &'static str,
}

pub struct ConnectionsView<'v> {
    /// Webhooks and connectors, of both environments.
    pub destinations: &'v [Destination],
    pub catalogue: &'v [CatalogueEntry],
    pub hours: &'v Hours,
}

/// How a destination does, in a word.
pub(crate) fn state(of: &Destination) -> Node {
    match () {
        // A homeowner's mailbox that takes no mail says nothing of the next one's: it is told on its lead.
        () if of.draft.active && of.draft.kind == DestinationKind::Homeowner => pill("pill ok", "On"),
        () if of.draft.active && of.failures_in_a_row > 0 => pill("pill warn", "Failing"),
        () if of.draft.active => pill("pill ok", "On"),
        () if of.inactive_reason.is_some() => pill("pill bad", "Stopped automatically"),
        () => pill("pill", "Off"),
    }
}

pub(crate) fn test_data(of: &Destination) -> Option<Node> {
    (of.tenant.environment == Environment::Sandbox).then(|| pill("pill", "Test data"))
}

pub fn connections_page(signed: &Signed<'_>, view: &ConnectionsView<'_>) -> String {
    let language = signed.language;
    let row = |of: &Destination| {
        let entry = view.catalogue.iter().find(|entry| entry.name == of.draft.address);
        let kind = match of.draft.kind {
            DestinationKind::Webhook => el("span").set("class", "soft").text(of.draft.address.clone()),
            // It is called after its service, unless somebody has called it something else.
            _ => {
                let title = entry.map_or("", |entry| entry.title);
                el("span").set("class", "soft").text(if of.draft.name == title { "" } else { title })
            }
        };
        let last = of.last_success_at.max(of.last_failure_at);
        let counts = phrase(
            language,
            "Delivered: {done}. Failed attempts: {failed}.",
            &[("done", &count(of.success_count)), ("failed", &count(of.failure_count))],
        );
        let told = el("span").set("class", "soft").text(counts);
        let told = match last {
            Some(at) => told.child(el("span").text(" · ")).child(view.hours.last_tried(at)),
            None => told,
        };
        let name = link(format!("/portal/connections/{}", of.id), of.draft.name.clone());
        let about = div("who2").child(el("b").child(name)).child(kind).child(told);
        el("li").child(about).children(test_data(of)).child(state(of))
    };
    let connected = card("Connected");
    let connected = if view.destinations.is_empty() {
        connected.child(soft("Nothing yet. Leads arrive in this inbox, and in the emails you set under Notices."))
    } else {
        connected.child(el("ul").set("class", "rows").children(view.destinations.iter().map(row)))
    };
    let mut groups: Vec<&'static str> = Vec::new();
    for entry in view.catalogue {
        if !groups.contains(&entry.group) {
            groups.push(entry.group);
        }
    }
    let service = |name: &'static str, title: &'static str, about: &'static str| {
        let letters: String = title.chars().filter(|c| c.is_alphanumeric()).take(2).collect();
        let mark = el("span").set("class", "letters").set("aria-hidden", "true").text(letters);
        let text = el("span").child(el("b").text(title)).child(el("span").set("class", "soft").text(about));
        el("li").child(link(format!("/portal/connections/new?of={name}"), "").child(mark).child(text))
    };
    let own = card("Your own server").child(el("ul").set("class", "services").child(service(
        "webhook",
        "Webhook",
        "Posts signed events to your own address.",
    )));
    let groups = groups.into_iter().map(|group| {
        let of_group = view.catalogue.iter().filter(|entry| entry.group == group);
        card(group)
            .child(el("ul").set("class", "services").children(of_group.map(|e| service(e.name, e.title, e.about))))
    });
    let site = card("Your website").child(
        soft("WordPress shows your widgets with a plugin, without any code. ")
            .child(link("/portal/connect", "Connect a website")),
    );
    let keys = soft("Your own programs can also fetch leads. ").child(link("/portal/keys", "API keys"));
    let inside =
        [soft("Where a lead goes besides this inbox. A webhook is on as soon as you add it; every other connection waits until you switch it on."), connected]
            .into_iter()
            .chain(groups)
            .chain([own, site, keys]);
    shell(signed, Place::Connections, "Connections", Vec::new(), inside.collect())
}

pub(crate) fn count(number: u64) -> String {
    thousands(i64::try_from(number).unwrap_or(i64::MAX))
}
