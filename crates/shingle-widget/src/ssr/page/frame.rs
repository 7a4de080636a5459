//! The document around a step: head, logo, card, company; and the step's own head, body and foot.

use shingle_domain::public::PublicWidget;

use super::plan::Pane;
use super::step::Step;
use crate::ssr::node::Node;
use crate::strokes::BACK;
use crate::view::block::{actions, icon, main_part, picture};
use crate::view::frame::{foot, mail, other_language, progress, telephone};
use crate::view::{Markup, Text};
use crate::words::{Words, w};

/// What the document says about itself.
pub struct Head {
    pub title: String,
    /// More for the head: the first page has much to say, a step only that it is not to be found.
    pub more: Vec<Node>,
}

impl Head {
    /// Of a step: nobody arrives there from outside.
    pub(super) fn of_step(step: &Step<'_>, title: &str) -> Self {
        Self { title: format!("{title} · {}", step.widget.company_name), more: vec![meta("robots", "noindex")] }
    }
}

/// The parts of one step.
pub(super) struct Body {
    /// As the flow calls it.
    pub screen: &'static str,
    /// Which of the four, from 0.
    pub number: Option<usize>,
    pub back: Option<String>,
    pub inner: Node,
    pub actions: Vec<Node>,
    pub pane: Pane,
}

pub fn meta(name: &'static str, content: impl Into<Text>) -> Node {
    Node::new("meta").set("name", name).set("content", content)
}

/// Without one, browsers ask for /favicon.ico.
pub fn favicon(widget: &PublicWidget) -> Node {
    let picture = widget.footer_logo.as_ref().unwrap_or(&widget.header_logo);
    Node::new("link").set("rel", "icon").set("href", picture.url.clone())
}

pub fn document(html: Node, words: Words) -> String {
    format!("<!doctype html>\n{}\n", html.read(words))
}

/// A whole document.
pub fn page(step: &Step<'_>, head: Head, card: Vec<Node>) -> String {
    let widget = step.widget;
    let viewport = "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content";
    let color = widget.palette.iter().find(|(name, _)| name == "--bg").map(|(_, value)| value.clone());
    let head = Node::new("head")
        .child(Node::new("meta").set("charset", "utf-8"))
        .child(meta("viewport", viewport))
        .child(Node::new("title").text(head.title))
        .child(favicon(widget))
        .child(Node::new("link").set("rel", "stylesheet").set("href", step.path("theme.css")))
        .children(color.map(|value| meta("theme-color", value)))
        .children(head.more);
    let logo = picture("h-logo", &widget.header_logo, widget.company_name.clone(), widget.color("--bg"));
    let top =
        Node::classed("header", "h-top").child(logo).children(site(widget).map(|site| Node::new("p").child(site)));
    let card = Node::classed("main", "h-card").children(card);
    let mut company = Node::new("p").child(Node::new("b").text(widget.company_name.clone()));
    if !widget.company_address.is_empty() {
        company = company.child(Node::new("br")).text(widget.company_address.clone());
    }
    let about = Node::classed("footer", "h-about")
        .child(company)
        .child(Node::new("p").child(telephone(widget)).child(Node::new("br")).child(mail(widget)));
    let body = Node::classed("body", "hosted").children([top, card, about]);
    document(Node::new("html").set("lang", step.language.tag()).child(head).child(body), step.words())
}

/// The card's content, where the runtime would draw.
pub(super) fn step(step: &Step<'_>, of: Body) -> Node {
    let back = of
        .back
        .map(|href| Node::classed("a", "sh-iconbtn").set("href", href).set("aria-label", w::BACK).child(icon(BACK)));
    let head = Node::classed("header", if back.is_some() { "sh-head has-back" } else { "sh-head" })
        .children(back)
        .children(of.number.map(|now| progress(step.words(), now)));
    let parts = [main_part(of.inner), actions::<Node>().children(of.actions)];
    // On a phone the picture of a found roof comes first, as it does in the runtime.
    let has_photo = of.pane.has_photo;
    let pane = of.pane.node();
    let body = Node::classed("div", "sh-body").set("data-screen", of.screen);
    // Without a script it is there from the start.
    let body = if has_photo { body.set("data-photo", "page") } else { body };
    let pane_first = matches!(of.screen, "roof" | "choose");
    let body = if pane_first { body.child(pane).children(parts) } else { body.children(parts).child(pane) };
    // From here on the language goes along; only on the first page nothing is lost by it.
    let other = step.first.then(|| other_language(format!("?lang={}", step.words().text(w::OTHER.at(0)))));
    let foot = foot(Node::classed("footer", "sh-foot"), step.widget).children(other);
    let card = Node::classed("div", "sh page").set("lang", step.language.tag()).child(head).child(body).child(foot);
    Node::new("div").set("id", "shingle").child(card)
}

/// The link to the company's own site, if it has one.
pub(super) fn site(widget: &PublicWidget) -> Option<Node> {
    let link = || {
        Node::new("a")
            .set("href", widget.company_url.clone())
            .set("rel", "noopener noreferrer nofollow")
            .text(shown(&widget.company_url))
    };
    (!widget.company_url.is_empty()).then(link)
}

/// A web address as people write it.
fn shown(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/').to_owned()
}
