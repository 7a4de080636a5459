//! The places of the portal: a rail on wide screens; on phones a bar with the four that are used most, and a page with the rest.
//!
//! # Decision
//!
//! A phone's bar has four places and a page with the rest; a test limits it to five entries. The rest is a page, not
//! a drawer, so it needs no script. Turned down: a bar that scrolls sideways, whose end nobody finds.

use shingle_domain::Role;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::el;
use crate::phrase::phrase;
use crate::signed::{Reach, Signed};

/// A page of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Leads,
    Results,
    Widgets,
    Notices,
    Connections,
    Towns,
    Usage,
    People,
    Settings,
    Audit,
    // Of the installation
    Accounts,
    Imports,
    Health,
    OperatorAudit,
    /// On phones: what the bar has no room for.
    More,
}

impl Place {
    const ALL: &[Self] = &[
        Self::Leads,
        Self::Results,
        Self::Widgets,
        Self::Notices,
        Self::Connections,
        Self::Towns,
        Self::Usage,
        Self::People,
        Self::Settings,
        Self::Audit,
        Self::Accounts,
        Self::Imports,
        Self::Health,
        Self::OperatorAudit,
    ];

    fn path(self) -> &'static str {
        match self {
            Self::Leads => "/portal/leads",
            Self::Results => "/portal/results",
            Self::Widgets => "/portal/widgets",
            Self::Notices => "/portal/notices",
            Self::Connections => "/portal/connections",
            Self::Towns => "/portal/towns",
            Self::Usage => "/portal/usage",
            Self::People => "/portal/people",
            Self::Settings => "/portal/settings",
            Self::Audit => "/portal/audit",
            Self::Accounts => "/portal/operator",
            Self::Imports => "/portal/operator/imports",
            Self::Health => "/portal/operator/health",
            Self::OperatorAudit => "/portal/operator/audit",
            Self::More => "/portal/more",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Leads => "Leads",
            Self::Results => "Results",
            Self::Widgets => "Widgets",
            Self::Notices => "Notices",
            Self::Connections => "Connections",
            Self::Towns => "Towns",
            Self::Usage => "Usage and billing",
            Self::People => "People",
            Self::Settings => "Settings",
            Self::Audit => "Audit log",
            Self::Accounts => "Accounts",
            Self::Imports => "Imports",
            Self::Health => "Health",
            Self::OperatorAudit => "Installation log",
            Self::More => "More",
        }
    }

    /// What follows the title on the page with the rest.
    fn about(self) -> &'static str {
        match self {
            Self::Connections => "Where leads go besides the inbox",
            Self::Towns => "Whose homes visitors can look up",
            Self::Usage => "Look-ups and what they cost",
            Self::People => "Who may sign in, and invites",
            Self::Settings => "Your name, sign-ins and recovery codes",
            Self::Audit => "Every change, and who made it",
            Self::Accounts => "The companies of this installation",
            Self::Imports => "What we know about addresses",
            Self::Health => "How this installation is doing",
            Self::OperatorAudit => "Changes on the installation, and who made them",
            Self::Leads | Self::Results | Self::Widgets | Self::Notices | Self::More => "",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::Leads => "M3 5h14v10H3zM3 5.5l7 5 7-5",
            Self::Widgets => "M3 9.5 10 4l7 5.500M5 8v8h10V8M8 16v-4h4v4",
            Self::Notices => "M5 14V9a5 5 0 0 1 10 0v5l1.500 1.500h-13zM8.500 17.500h3",
            Self::Connections => "M3 10h9M9 6l4 4-4 4M17 4v12",
            Self::Results => "M3 16h14M5 13V9M10 13V4M15 13V7",
            Self::Towns => "M3 5.500l5-2 4 2 5-2v11l-5 2-4-2-5 2zM8 3.500v11M12 5.500v11",
            Self::Usage => "M4 16V9M10 16V4M16 16v-5",
            Self::People => {
                "M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M2.5 16c.4-3 2-4.5 4.500-4.500s4.100 1.500 4.500 4.500M13 9a2 2 0 1 0 0-4M14 11.600c2 .3 3.200 1.700 3.500 4.400"
            }
            Self::Settings => "M3 6h9M16 6h1M3 14h1M8 14h9M14 4v4M6 12v4",
            Self::Audit | Self::OperatorAudit => "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2",
            Self::Accounts => "M4 17V7l6-4 6 4v10zM8 17v-4h4v4M8 9h.1M12 9h.1",
            Self::Imports => "M10 3v9M6 8.500l4 4 4-4M4 13v4h12v-4",
            Self::Health => "M2 10h4l2-5 4 10 2-5h4",
            Self::More => "M3 6h14M3 10h14M3 14h14",
        }
    }

    /// Members read leads alone. An operator without a company has the installation's pages alone.
    fn is_for(self, role: Role, has_company: bool) -> bool {
        match self {
            Self::Leads | Self::Settings | Self::More => has_company,
            Self::Results
            | Self::Widgets
            | Self::Notices
            | Self::Connections
            | Self::Towns
            | Self::Usage
            | Self::People
            | Self::Audit => has_company && role >= Role::Owner,
            Self::Accounts | Self::Imports | Self::Health | Self::OperatorAudit => role == Role::Operator,
        }
    }

    /// Whether the bar of a phone has it.
    fn is_in_bar(self) -> bool {
        matches!(self, Self::Leads | Self::Results | Self::Widgets | Self::Notices)
    }
}

/// Who reads the menu.
#[derive(Debug, Clone, Copy)]
struct Reader<'r> {
    role: Role,
    has_company: bool,
    client: Option<&'r dyn Reach>,
}

impl Reader<'_> {
    fn of<'r>(signed: &'r Signed<'_>) -> Reader<'r> {
        Reader { role: signed.role, has_company: signed.company.is_some(), client: signed.client }
    }

    fn places(self) -> impl Iterator<Item = Place> {
        Place::ALL.iter().copied().filter(move |place| match self.client {
            Some(reach) => reach.may_open(place.path()),
            None => place.is_for(self.role, self.has_company),
        })
    }

    /// What the bar of a phone has no room for. One place more, or an operator's without a company, it has room for.
    fn rest(self) -> Vec<Place> {
        let rest: Vec<Place> = self.places().filter(|place| !place.is_in_bar()).collect();
        if self.has_company && rest.len() > 1 { rest } else { Vec::new() }
    }
}

fn icon(path: &'static str) -> Node {
    Node::classed("svg", "icon").set("viewBox", "0 0 20 20").set("aria-hidden", "true").child(el("path").set("d", path))
}

/// What the badge says of so many new leads.
pub fn badge(new_leads: u64) -> String {
    if new_leads < 100 { new_leads.to_string() } else { "99+".to_owned() }
}

fn entry(signed: &Signed<'_>, of: Place) -> Node {
    let entry = el("a").set("href", of.path()).child(icon(of.icon())).child(el("span").text(of.title()));
    if of != Place::Leads {
        return entry;
    }
    let count = badge(signed.new_leads);
    let said = |count: &str| phrase(signed.language, "{count} new", &[("count", count)]);
    let number = Node::classed("span", "count").set("aria-hidden", "true").text(count.clone());
    let words = Node::classed("span", "vh").set("data-said", said("#")).text(said(&count));
    // A script shows them when the first lead comes in.
    let when_any = |node: Node| if signed.new_leads == 0 { node.set("hidden", "") } else { node };
    entry.child(when_any(number)).child(when_any(words))
}

/// The menu around the page of `place`.
pub(crate) fn bar(signed: &Signed<'_>, place: Place) -> Vec<Node> {
    let reader = Reader::of(signed);
    let rest = reader.rest();
    let mut bar: Vec<Node> = reader
        .places()
        .map(|of| {
            let entry = entry(signed, of);
            let entry = if of == place { entry.set("aria-current", "page") } else { entry };
            if rest.contains(&of) { entry.set("class", "only-wide") } else { entry }
        })
        .collect();
    if !rest.is_empty() {
        let more = entry(signed, Place::More).set("class", "only-narrow");
        let more = match place {
            Place::More => more.set("aria-current", "page"),
            of if rest.contains(&of) => more.set("aria-current", "true"),
            _ => more,
        };
        bar.push(more);
    }
    bar
}

/// Links to what the bar of a phone has no room for.
pub(crate) fn rest_of_menu(signed: &Signed<'_>) -> Node {
    let row = |of: Place| {
        let text = el("span").child(el("b").text(of.title())).child(Node::classed("span", "soft").text(of.about()));
        el("li").child(el("a").set("href", of.path()).child(icon(of.icon())).child(text))
    };
    Node::classed("ul", "places").children(Reader::of(signed).rest().into_iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(role: Role, has_company: bool) -> Reader<'static> {
        Reader { role, has_company, client: None }
    }

    #[test]
    fn every_place_of_a_role_is_in_the_bar_or_in_the_rest() {
        for role in [Role::Member, Role::Owner, Role::Operator] {
            let (all, rest) = (reader(role, true).places().count(), reader(role, true).rest().len());
            assert!(all - rest < 5, "the bar of a phone has room for five, with More: {role:?}");
        }
        assert!(reader(Role::Member, true).rest().is_empty() && reader(Role::Operator, false).rest().is_empty());
        assert!(reader(Role::Operator, false).places().count() < 5);
        assert!(Place::ALL.iter().all(|place| place.is_in_bar() || !place.about().is_empty()));
    }
}
