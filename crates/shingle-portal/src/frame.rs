//! The layout of every page.
//!
//! # Decision
//!
//! The result of a form is a word in the next address (`said=saved`) whose sentence the page knows. Turned down: the
//! sentence itself, which a stranger's link could put into our page.

use shingle_domain::Language;
use shingle_store::Brand;
use shingle_widget::ssr::{Node, document, meta};
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::flow_words;

use crate::companies;
use crate::element::{Tone, button, div, el, form_fault, hidden, link, note, post};
use crate::faults;
pub use crate::menu::Place;
use crate::menu::bar;
use crate::phrase::{phrase, read, translated};
pub use crate::signed::{Notice, Reach, Signed, Trouble, Visiting};

fn head(title: String) -> Node {
    el("head").children([
        el("meta").set("charset", "utf-8"),
        meta("viewport", "width=device-width, initial-scale=1, viewport-fit=cover"),
        meta("robots", "noindex"),
        meta("color-scheme", "light dark"),
        el("title").text(title),
        el("link").set("rel", "stylesheet").set("href", "/portal/portal.css"),
        meta("theme-color", "#2b5ba6"),
        el("link").set("rel", "manifest").set("href", "/portal/manifest.webmanifest"),
        el("link").set("rel", "apple-touch-icon").set("href", "/portal/icon-192.png"),
        el("link").set("rel", "icon").set("href", "/portal/icon.svg").set("type", "image/svg+xml"),
        // The style comes first: without the script a page is whole.
        el("script").set("src", "/portal/portal.js").set("defer", "").set("fetchpriority", "low"),
    ])
}

/// What is on top of the pages of a company.
fn own_mark(brand: Option<&Brand>) -> Node {
    let Some(brand) = brand else { return mark() };
    if brand.name.is_empty() && brand.logo.is_none() {
        return mark();
    }
    let logo = brand.logo.as_ref().map(|path| {
        let alt = if brand.name.is_empty() { product(Some(brand)).to_owned() } else { String::new() };
        el("img").set("class", "brand-logo").set("src", format!("/storage/{path}")).set("alt", alt)
    });
    let name = (!brand.name.is_empty()).then(|| el("span").text(brand.name.clone()));
    Node::classed("p", "mark").children(logo).children(name)
}

/// What this is called here.
fn product(brand: Option<&Brand>) -> &str {
    brand.map(|brand| brand.name.as_str()).filter(|name| !name.is_empty()).unwrap_or("Shingle")
}

/// The style of a brand's color. Another color is another address, so it can stay with the browser.
fn own_style(brand: Option<&Brand>) -> Option<Node> {
    let version = brand?.color.as_ref()?.as_str().trim_start_matches('#');
    Some(el("link").set("rel", "stylesheet").set("href", format!("/portal/brand.css?v={version}")))
}

/// Somebody who is not signed in, and at whose door: the brand is that of the company whose own domain it is.
#[derive(Debug, Clone, Copy)]
pub struct Guest<'g> {
    pub language: Language,
    pub brand: Option<&'g Brand>,
}

impl From<Language> for Guest<'_> {
    fn from(language: Language) -> Self {
        Self { language, brand: None }
    }
}

fn mark() -> Node {
    let tiles = "M2 5h6v5H2zM9 5h6v5H9zM16 5h6v5h-6zM2 12h3v5H2zM6 12h6v5H6zM13 12h6v5h-6z";
    let picture = el("svg")
        .set("viewBox", "0 0 24 22")
        .set("aria-hidden", "true")
        .child(el("path").set("d", tiles).set("fill", "currentColor"));
    Node::classed("p", "mark").child(picture).child(el("span").text("Shingle"))
}

fn written(html: Node, language: Language) -> String {
    let html = html.set("lang", language.tag()).translated(&|english| translated(language, english));
    document(html, flow_words(language))
}

/// A page for somebody who is not signed in: one column, one thing to do.
pub(crate) fn lone(guest: Guest<'_>, title: impl Into<Text>, inside: Vec<Node>) -> String {
    let Guest { language, brand } = guest;
    let title = read(&title.into(), language);
    let main = Node::classed("main", "lone").set("id", "main").child(own_mark(brand)).children(inside);
    let body = Node::classed("body", "alone").child(main);
    let head = head(format!("{title} · {}", product(brand))).children(own_style(brand));
    written(el("html").child(head).child(body), language)
}

/// The bar on top of the owner's pages: the cause, and one thing to do about it.
fn trouble(signed: &Signed<'_>) -> Option<Node> {
    let (title, said) = match signed.trouble? {
        Trouble::Paused => (
            "Your account is paused.",
            "API look-ups are refused until your administrator resumes the account. Widgets and leads keep working.",
        ),
        Trouble::NothingLeft => (
            "Your balance is used up.",
            "API look-ups are refused until your administrator adds credit. Widgets and leads keep working.",
        ),
        Trouble::LimitReached => (
            "This month’s limit is reached.",
            "API look-ups are refused until the month ends or your administrator raises the limit. Widgets and leads keep working.",
        ),
    };
    let text = el("p").child(el("b").text(title)).child(el("span").text(" ")).child(el("span").text(said));
    let act = link("/portal/usage", "See usage and billing").set("class", "btn");
    Some(div("trouble").set("role", "status").child(text).child(act))
}

/// A page of the menu. `title` is its heading too; one of ours is translated, a name is not.
pub(crate) fn shell(
    signed: &Signed<'_>,
    place: Place,
    title: impl Into<Text>,
    actions: Vec<Node>,
    inside: Vec<Node>,
) -> String {
    let who = div("who")
        .child(el("b").text(signed.name.to_owned()))
        .children(signed.company.map(|company| el("span").text(company.to_owned())))
        .child(post("/portal/sign-out").child(button("plain", "Sign out")));
    let rail = Node::classed("header", "rail")
        .child(own_mark(signed.brand))
        .children(companies::choice(signed))
        .child(el("nav").set("aria-label", "Portal").children(bar(signed, place)))
        .child(who);
    let title = read(&title.into(), signed.language);
    let top = div("top").child(el("h1").text(title.clone())).children(actions);
    whole(signed, "app", rail, title, top, inside)
}

/// A page of the first run: `head` in place of the menu, and the title in focus.
pub(crate) fn run(signed: &Signed<'_>, title: impl Into<Text>, head: Vec<Node>, inside: Vec<Node>) -> String {
    let head = Node::classed("header", "run-head").child(own_mark(signed.brand)).children(head);
    let title = read(&title.into(), signed.language);
    let top = el("h1").set("tabindex", "-1").set("autofocus", "").text(title.clone());
    whole(signed, "run", head, title, div("top").child(top), inside)
}

fn whole(
    signed: &Signed<'_>,
    class: &'static str,
    head_of_page: Node,
    title: String,
    top: Node,
    inside: Vec<Node>,
) -> String {
    let notice = signed.notice.as_ref();
    let said = faults::summary(&inside, notice.map(|said| &said.text), signed.language).or_else(|| {
        notice.map(|said| match said.is_wrong {
            true => form_fault(said.text.clone()),
            false => note(Tone::Well, said.text.clone()),
        })
    });
    let said = said.map(|said| said.set("id", "said"));
    let page = [top].into_iter().chain(trouble(signed)).chain(zone(signed)).chain(said).chain(inside);
    let page = page.map(|node| match signed.here {
        Some(here) => node.changed(&|node| companies::bound(node, here)),
        None => node,
    });
    let main = el("main").set("id", "main").set("tabindex", "-1").children(visit(signed));
    let main = match signed.visiting {
        Some(visiting) => main.children(page.map(|node| node.changed(&|node| looked_at(node, visiting)))),
        None => match signed.client {
            Some(reach) => main.children(page.map(|node| node.changed(&|node| for_client(node, reach)))),
            None => main.children(page),
        },
    };
    let skip = link("#main", "Skip to content").set("class", "skip");
    let body = Node::classed("body", class).children([skip, head_of_page, main]);
    let body = match signed.here {
        Some(here) => body.set("data-company", here.to_owned()),
        None => body,
    };
    let head = head(format!("{title} · {}", product(signed.brand))).children(own_style(signed.brand));
    written(el("html").child(head).child(body), signed.language)
}

/// The script shows it in a browser of another time zone.
fn zone(signed: &Signed<'_>) -> Option<Node> {
    let said = phrase(signed.language, "Times here are in UTC. Your browser is in {zone}.", &[("zone", "#")]);
    let form = post("/portal/settings/zone").set("id", "zone-ask").set("class", "note warn zone").set("hidden", "");
    let form = form.child(hidden("zone", "")).child(el("span").set("data-said", said));
    signed.asks_zone.then(|| form.child(button("btn", "Use my time zone")))
}

/// Beside what does nothing.
const OFF_ON_A_VISIT: &str = "Off for you: only the company’s people can do this.";

/// What is not for an operator who looks at a company is seen, does nothing, and says why.
fn looked_at(node: Node, visiting: Visiting<'_>) -> Node {
    match node.tag() {
        "form" if is_sent(&node) => {
            if path_in(&node, "action").is_none_or(|to| visiting.reach.may_send(&to)) {
                return node;
            }
            let still = Node::classed("fieldset", "still").set("disabled", "");
            node.around(still).child(Node::classed("p", "hint why").text(OFF_ON_A_VISIT))
        }
        "a" => {
            if own_path(&node).is_none_or(|to| visiting.reach.may_open(&to)) {
                return node;
            }
            let off = node.without("href").set("role", "link").set("aria-disabled", "true");
            off.set("tabindex", "0").set("title", OFF_ON_A_VISIT)
        }
        _ => node,
    }
}

/// The path that an attribute names.
fn path_in(node: &Node, name: &str) -> Option<String> {
    let to = match node.value(name)? {
        Text::Fixed(to) => to,
        Text::Made(to) => to.as_str(),
        Text::Word(_) => return None,
    };
    to.split(['?', '#']).next().map(str::to_owned)
}

/// Where a link goes, if that is in the portal.
fn own_path(link: &Node) -> Option<String> {
    path_in(link, "href").filter(|to| to.starts_with("/portal/"))
}

fn is_sent(form: &Node) -> bool {
    matches!(form.value("method"), Some(Text::Fixed("post")))
}

/// What a client may not do is not there; a link in a sentence stays as its words.
fn for_client(node: Node, reach: &dyn Reach) -> Node {
    let is_for_them = match node.tag() {
        "form" if is_sent(&node) => path_in(&node, "action").is_none_or(|to| reach.may_send(&to)),
        "a" => own_path(&node).is_none_or(|to| reach.may_open(&to)),
        _ => true,
    };
    let is_button =
        matches!(node.value("class"), Some(Text::Fixed(class)) if class.split(' ').any(|word| word == "btn"));
    match node.tag() {
        _ if is_for_them => node,
        "a" if !is_button => node.without("href"),
        _ => el("span").set("hidden", ""),
    }
}

/// To an operator who looks at a company, and tried what is for its people.
pub fn visit_refused_page(signed: &Signed<'_>, back: &str) -> String {
    let said = "Only the company’s own people can do this. An administrator can’t erase, close, send or copy anything, or create a key or link, in their name.";
    let inside = vec![el("p").text(said), el("p").child(link(back.to_owned(), "Back to the page").set("class", "btn"))];
    shell(signed, Place::More, "You don’t have access", Vec::new(), inside)
}

/// On every page while an operator looks at a company.
fn visit(signed: &Signed<'_>) -> Option<Node> {
    let (Visiting { until, .. }, company) = (signed.visiting?, signed.company?);
    let said = phrase(
        signed.language,
        "You’re viewing {company} as an administrator until {time}. Their log shows it. You can look around and change widgets, nothing else.",
        &[("company", company), ("time", until)],
    );
    let leave = post("/portal/operator/leave").child(button("btn", "Leave"));
    Some(
        Node::classed("section", "note warn visit")
            .set("aria-label", "Viewing as an administrator")
            .child(el("p").text(said))
            .child(leave),
    )
}
