//! What is around every page.

use shingle_domain::Role;
use shingle_widget::ssr::{Node, document, meta};
use shingle_widget::view::Markup;
use shingle_widget::words::Language;

use crate::element::{Tone, button, div, el, link, note, post};
use crate::phrase::{phrase, translated};

/// Who is signed in, and where.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'s> {
    pub name: &'s str,
    /// `None`: an operator without a company.
    pub company: Option<&'s str>,
    pub role: Role,
    pub language: Language,
    /// What became of what was pressed last.
    pub notice: Option<Notice<'s>>,
    /// Until when an operator looks at this company, as a time in words.
    pub visiting: Option<&'s str>,
}

#[derive(Debug, Clone, Copy)]
pub struct Notice<'n> {
    pub text: &'n str,
    pub is_wrong: bool,
}

/// A page of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Leads,
    Widgets,
    Usage,
    People,
    Settings,
    Audit,
    // Of the installation
    Accounts,
    Imports,
    Health,
    OperatorAudit,
}

impl Place {
    const ALL: &[Self] = &[Self::Leads, Self::Widgets, Self::Usage, Self::People, Self::Settings, Self::Audit];
    /// Of the installation.
    const OPERATOR: &[Self] = &[Self::Accounts, Self::Imports, Self::Health, Self::OperatorAudit];

    fn path(self) -> &'static str {
        match self {
            Self::Leads => "/portal/leads",
            Self::Widgets => "/portal/widgets",
            Self::Usage => "/portal/usage",
            Self::People => "/portal/people",
            Self::Settings => "/portal/settings",
            Self::Audit => "/portal/audit",
            Self::Accounts => "/portal/operator",
            Self::Imports => "/portal/operator/imports",
            Self::Health => "/portal/operator/health",
            Self::OperatorAudit => "/portal/operator/audit",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Leads => "Leads",
            Self::Widgets => "Widgets",
            Self::Usage => "Usage",
            Self::People => "People",
            Self::Settings => "Settings",
            Self::Audit | Self::OperatorAudit => "Audit log",
            Self::Accounts => "Accounts",
            Self::Imports => "Imports",
            Self::Health => "Health",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::Leads => "M3 5h14v10H3zM3 5.5l7 5 7-5",
            Self::Widgets => "M3 9.5 10 4l7 5.500M5 8v8h10V8M8 16v-4h4v4",
            Self::Usage => "M4 16V9M10 16V4M16 16v-5",
            Self::People => {
                "M7 9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5M2.5 16c.4-3 2-4.5 4.500-4.500s4.100 1.500 4.500 4.500M13 9a2 2 0 1 0 0-4M14 11.600c2 .3 3.200 1.700 3.500 4.400"
            }
            Self::Settings => "M3 6h9M16 6h1M3 14h1M8 14h9M14 4v4M6 12v4",
            Self::Audit | Self::OperatorAudit => "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2",
            Self::Accounts => "M4 17V7l6-4 6 4v10zM8 17v-4h4v4M8 9h.1M12 9h.1",
            Self::Imports => "M10 3v9M6 8.500l4 4 4-4M4 13v4h12v-4",
            Self::Health => "M2 10h4l2-5 4 10 2-5h4",
        }
    }

    /// Members read leads alone.
    fn is_for(self, role: Role) -> bool {
        match self {
            Self::Leads | Self::Settings => true,
            Self::Widgets | Self::Usage | Self::People | Self::Audit => role >= Role::Owner,
            Self::Accounts | Self::Imports | Self::Health | Self::OperatorAudit => role == Role::Operator,
        }
    }
}

fn head(title: String) -> Node {
    el("head").children([
        el("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("robots", "noindex"),
        meta("color-scheme", "light dark"),
        el("title").text(title),
        el("link").set("rel", "stylesheet").set("href", "/portal/portal.css"),
        el("link").set("rel", "icon").set("href", "/portal/icon.svg").set("type", "image/svg+xml"),
        el("script").set("src", "/portal/portal.js").set("defer", ""),
    ])
}

fn mark() -> Node {
    let tiles = "M2 5h6v5H2zM9 5h6v5H9zM16 5h6v5h-6zM2 12h3v5H2zM6 12h6v5H6zM13 12h6v5h-6z";
    let picture = el("svg")
        .set("viewBox", "0 0 24 22")
        .set("aria-hidden", "true")
        .child(el("path").set("d", tiles).set("fill", "currentColor"));
    Node::classed("p", "mark").child(picture).child(el("span").text("Shingle"))
}

fn icon(path: &'static str) -> Node {
    Node::classed("svg", "icon").set("viewBox", "0 0 20 20").set("aria-hidden", "true").child(el("path").set("d", path))
}

fn written(html: Node, language: Language) -> String {
    let html = html.set("lang", language.tag()).translated(&|english| translated(language, english));
    document(html, language.words())
}

/// A page for somebody who is not signed in: one column, one thing to do.
pub(crate) fn lone(title: &str, inside: Vec<Node>) -> String {
    let main = Node::classed("main", "lone").set("id", "main").child(mark()).children(inside);
    let body = Node::classed("body", "alone").child(main);
    written(el("html").child(head(format!("{title} · Shingle"))).child(body), Language::English)
}

/// A page of the menu. `title` is its heading too.
pub(crate) fn shell(signed: &Signed<'_>, place: Place, title: &str, actions: Vec<Node>, inside: Vec<Node>) -> String {
    let entry = |of: Place| {
        let entry = el("a").set("href", of.path()).child(icon(of.icon())).child(el("span").text(of.title()));
        if of == place { entry.set("aria-current", "page") } else { entry }
    };
    // An operator without a company has the installation's pages alone.
    let own = Place::ALL.iter().filter(|_| signed.company.is_some());
    let entries = own.chain(Place::OPERATOR).copied().filter(|place| place.is_for(signed.role)).map(entry);
    let who = div("who")
        .child(el("b").text(signed.name.to_owned()))
        .children(signed.company.map(|company| el("span").text(company.to_owned())))
        .child(post("/portal/sign-out").child(button("plain", "Sign out")));
    let rail = Node::classed("header", "rail")
        .child(mark())
        .child(el("nav").set("aria-label", "Portal").children(entries))
        .child(who);
    let title = translated(signed.language, title);
    let top = div("top").child(el("h1").text(title.to_owned())).children(actions);
    let said = signed.notice.map(|said| {
        let text = translated(signed.language, said.text).to_owned();
        note(if said.is_wrong { Tone::Wrong } else { Tone::Well }, text).set("id", "said")
    });
    let main = el("main")
        .set("id", "main")
        .set("tabindex", "-1")
        .children(visit(signed))
        .child(top)
        .children(said)
        .children(inside);
    let skip = link("#main", "Skip to content").set("class", "skip");
    let body = Node::classed("body", "app").children([skip, rail, main]);
    written(el("html").child(head(format!("{title} · Shingle"))).child(body), signed.language)
}

/// On every page while an operator looks at a company.
fn visit(signed: &Signed<'_>) -> Option<Node> {
    let (until, company) = (signed.visiting?, signed.company?);
    let said = phrase(
        signed.language,
        "You are in {company} as an operator until {time}. They see this in their log. You can look, and change widgets; everything else is theirs.",
        &[("company", company), ("time", until)],
    );
    let leave = post("/portal/operator/leave").child(button("btn", "Leave"));
    Some(
        Node::classed("section", "note warn visit")
            .set("aria-label", "Looking as an operator")
            .child(el("p").text(said))
            .child(leave),
    )
}
