//! The document around a step: head, logo, card, company; and the step's own head, body and foot.

use core::cmp::Ordering;

use shingle_domain::public::Picture;

use super::plan::Pane;
use super::{Node, Step, node};
use crate::strokes::BACK;
use crate::words::w;

/// What the document says about itself.
pub struct Head {
    pub title: String,
    /// More for the head: the first page has much to say, a step only that it is not to be found.
    pub more: Vec<Node>,
}

impl Head {
    /// Of a step: nobody arrives there from outside.
    pub(super) fn of_step(step: &Step<'_>, title: &str) -> Self {
        let robots = node("meta").set("name", "robots").set("content", "noindex");
        Self { title: format!("{title} · {}", step.widget.company_name), more: vec![robots] }
    }
}

/// The parts of one step.
pub(super) struct Body {
    /// As the flow calls it.
    pub screen: &'static str,
    /// Which of the four, from 0.
    pub number: Option<usize>,
    pub back: Option<String>,
    pub inner: Vec<Node>,
    pub actions: Vec<Node>,
    pub pane: Pane,
}

/// A whole document.
pub fn page(step: &Step<'_>, head: Head, card: Vec<Node>) -> String {
    let widget = step.widget;
    let meta = |name: &'static str, content: &str| node("meta").set("name", name).set("content", content);
    let viewport = "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content";
    let color = widget.palette.iter().find(|(name, _)| name == "--bg").map(|(_, value)| meta("theme-color", value));
    let head = node("head")
        .children([
            node("meta").set("charset", "utf-8"),
            meta("viewport", viewport),
            node("title").text(head.title),
            // Without one, browsers ask for /favicon.ico.
            node("link")
                .set("rel", "icon")
                .set("href", &widget.footer_logo.as_ref().unwrap_or(&widget.header_logo).url),
            node("link").set("rel", "stylesheet").set("href", step.path("theme.css")),
        ])
        .children(color)
        .children(head.more);
    let logo = picture("h-logo", &widget.header_logo, &widget.company_name);
    let site = node("p").child(outward(&widget.company_url, &shown(&widget.company_url)));
    let top = node("header").class("h-top").child(logo).child(site);
    let card = node("main").class("h-card").children(card);
    let about = node("footer").class("h-about").children([
        node("p").child(node("b").text(&widget.company_name)).child(node("br")).text(&widget.company_address),
        node("p").child(telephone(step)).child(node("br")).child(mail(step)),
    ]);
    let body = node("body").class("hosted").children([top, card, about]);
    format!("<!doctype html>\n{}\n", node("html").set("lang", step.language.tag()).child(head).child(body))
}

/// The card's content, where the runtime would draw.
pub(super) fn step(step: &Step<'_>, of: Body) -> Node {
    let back = of.back.as_ref().map(|href| {
        node("a").class("sh-iconbtn").set("href", href).set("aria-label", step.words().text(w::BACK)).child(icon(BACK))
    });
    let head = node("header").class(if back.is_some() { "sh-head has-back" } else { "sh-head" });
    let head = head.children(back).children(of.number.map(|now| progress(step, now)));
    let inner = node("div").class("sh-inner").children(of.inner);
    let main = node("div").class("sh-main sh-scroll").child(inner);
    let actions = node("div").class("sh-actions").children(of.actions);
    // On a phone the picture of a found roof comes first, as it does in the runtime.
    let pane = of.pane.node(step);
    let body = node("div").class("sh-body").set("data-screen", of.screen);
    let body = if of.screen == "roof" {
        body.child(pane).child(main).child(actions)
    } else {
        body.child(main).child(actions).child(pane)
    };
    let card = node("div").class("sh page").set("lang", step.language.tag()).child(head).child(body).child(foot(step));
    node("div").set("id", "shingle").child(card)
}

fn progress(step: &Step<'_>, now: usize) -> Node {
    let t = step.words();
    let steps = (0..4).map(|at| {
        let item = node("li").text(t.text(w::STEPS.at(at)));
        match at.cmp(&now) {
            Ordering::Less => item.class("done"),
            Ordering::Equal => item.class("now").set("aria-current", "step"),
            Ordering::Greater => item,
        }
    });
    let spoken = t.number(w::STEP_OF, now + 1) + " · ";
    node("div")
        .class("sh-progress")
        .child(node("ol").children(steps))
        .child(node("p").text(spoken).child(node("b").text(t.text(w::STEPS.at(now)))))
}

fn foot(step: &Step<'_>) -> Node {
    let (widget, t) = (step.widget, step.words());
    let mark = widget.footer_logo.as_ref().map(|p| picture("sh-mark", p, ""));
    let apart =
        |href: &str, text: &str| node("a").set("href", href).set("target", "_blank").set("rel", "noopener").text(text);
    node("footer")
        .class("sh-foot")
        .child(node("span").children(mark).child(node("span").text(&widget.footer_company_name)))
        .child(apart(&widget.privacy_link, t.text(w::PRIVACY)))
        .children(widget.terms_link.as_ref().map(|href| apart(href, t.text(w::TERMS))))
        .children(step.first.then(|| other_language(step)))
}

/// From here on the language goes along; only on the first page nothing is lost by it.
fn other_language(step: &Step<'_>) -> Node {
    let [tag, name] = [0, 1].map(|n| step.words().text(w::OTHER.at(n)));
    node("a").set("href", format!("?lang={tag}")).set("hreflang", tag).set("lang", tag).text(name)
}

pub(super) fn title(text: impl Into<String>) -> Node {
    node("h1").class("sh-title").set("id", "sh-title").text(text)
}

pub(super) fn lead(text: impl Into<String>) -> Node {
    node("p").class("sh-lead").text(text)
}

pub(super) fn icon(path: &'static str) -> Node {
    drawing("sh-icon", "0 0 20 20", path)
}

/// One path, decoration only.
pub(super) fn drawing(class: &'static str, view_box: &'static str, path: &'static str) -> Node {
    node("svg")
        .class(class)
        .set("viewBox", view_box)
        .set("aria-hidden", "true")
        .child(node("path").class("l").set("d", path))
}

fn picture(class: &'static str, of: &Picture, alt: &str) -> Node {
    node("img")
        .class(class)
        .set("src", &of.url)
        .set("alt", alt)
        .set("width", of.width.to_string())
        .set("height", of.height.to_string())
}

pub(super) fn telephone(step: &Step<'_>) -> Node {
    node("a").set("href", format!("tel:{}", step.widget.company_phone_dial)).text(&step.widget.company_phone)
}

pub(super) fn mail(step: &Step<'_>) -> Node {
    node("a").set("href", format!("mailto:{}", step.widget.company_email)).text(&step.widget.company_email)
}

/// To a page that is not ours.
pub(super) fn outward(href: &str, text: &str) -> Node {
    node("a").set("href", href).set("rel", "noopener noreferrer nofollow").text(text)
}

/// A web address as people write it.
pub(super) fn shown(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/').to_owned()
}
