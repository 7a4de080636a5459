//! The launcher, the dialog before the runtime has filled it, and the stylesheet of both.
//!
//! # Decisions
//!
//! - The launcher is sent as a tree of nodes and built node by node, because pages with Trusted Types do not parse
//!   HTML. So the server needs no Leptos. Turned down: Leptos markup rendered on the server.
//! - Colors and sizes replace their variables in the launcher's rules; nobody can override them there.
//! - The launcher checks for fixed bars at its place and moves beyond them by a transform: no layout shift, no timer.
//!   It checks after it is drawn, when the body gains children, and at clicks, hovers and focus. Something over 200
//!   px high is not a bar. Turned down: observing all attributes of the page.
//! - The launcher's host is a child of `<html>`, not `<body>`: page swaps, transforms on the body and frameworks that
//!   own the body leave it alone. A page that removes it gets it back up to fifty times.

use shingle_domain::public::PublicWidget;
use shingle_domain::widget::{ElementLocation, ElementSize, ElementType};

use super::minify::minify_css;
use super::node::{Node, Page};
use crate::view::Markup;
use crate::view::frame::dial;
use crate::words::{Words, w};

const STYLE: &str = include_str!("../../../../www/launcher.css");

/// The element that opens the dialog: a link to the hosted page, so it works without any script; where the site
/// marks its own elements, the card that it may place among them.
pub fn launcher(widget: &PublicWidget, words: Words) -> Page {
    let launcher = match widget.element_type {
        ElementType::Button => {
            let roof = Node::new("svg")
                .set("viewBox", "0 0 24 24")
                .set("aria-hidden", "true")
                .child(Node::new("path").set("d", "M3 13.5 12 6l9 7.5M6.5 11v7.5h11V11"));
            link(widget).child(roof).child(label(widget))
        }
        ElementType::Banner => {
            let hide = Node::new("button").set("aria-label", w::BANNER_HIDE).text("×");
            Node::classed("aside", "sb")
                .set("aria-label", widget.first_page_title.clone())
                .children(widget.banner_text.clone().map(|text| Node::new("p").text(text)))
                .child(link(widget).child(label(widget)))
                .child(hide)
        }
        ElementType::Custom => {
            let company = [("company", widget.company_name.as_str())];
            let field = Node::new("input")
                .set("aria-label", w::ADDRESS_LABEL)
                .set("placeholder", w::ADDRESS_PLACEHOLDER)
                .set("autocomplete", "street-address")
                .set("enterkeyhint", "go");
            Node::classed("form", "sc")
                .set("lang", w::LANG)
                .set("aria-label", widget.first_page_title.clone())
                .child(Node::new("h2").text(widget.first_page_title.clone()))
                .child(Node::new("p").text(words.fill(w::ADDRESS_PROMISE, &company)))
                .child(Node::new("div").child(field).child(Node::new("button").text(w::ADDRESS_GO)))
        }
    };
    launcher.read(words)
}

fn link(widget: &PublicWidget) -> Node {
    Node::classed("a", "sl")
        .set("href", format!("{}/w/{}", widget.base_url, widget.id))
        .set("aria-haspopup", "dialog")
        .set("data-shingle-open", widget.id.to_string())
}

fn label(widget: &PublicWidget) -> Node {
    Node::new("span").text(widget.button_text.clone())
}

/// The dialog between the click and the first drawn step. Should nothing follow, the company can be called.
pub(super) fn skeleton(widget: &PublicWidget, words: Words) -> Page {
    let title = &widget.first_page_title;
    let phone = widget.company_phone.as_str();
    Node::new("dialog")
        .set("lang", w::LANG)
        .set("aria-label", title.clone())
        .child(Node::new("button").set("aria-label", w::CLOSE).text("×"))
        .child(Node::new("a").set("href", dial(widget)).text(words.fill(w::CALL, &[("phone", phone)])))
        .child(Node::new("section").text(title.clone()).child(Node::new("i")))
        .read(words)
}

/// The parts of the stylesheet that this launcher needs.
pub fn launcher_css(widget: &PublicWidget) -> String {
    let mut wanted = vec!["base"];
    let place = widget.element_location.map(ElementLocation::as_str);
    match widget.element_type {
        ElementType::Button => {
            let side = matches!(widget.element_location, Some(ElementLocation::SideLeft | ElementLocation::SideRight));
            wanted.extend(["button", "floating", widget.element_size.as_str(), if side { "side" } else { "corner" }]);
            wanted.extend(place);
        }
        ElementType::Banner => {
            let size = match widget.element_size {
                ElementSize::Small => "small banner",
                ElementSize::Medium => "medium banner",
                ElementSize::Large => "large banner",
            };
            wanted.extend(["button", "banner", size]);
            wanted.extend(place);
        }
        ElementType::Custom => wanted.push("card"),
    }
    wanted.push("dialog");
    let parts = STYLE.split("/* § ").skip(1).filter_map(|part| part.split_once(" */"));
    minify_css(&parts.filter(|(name, _)| wanted.contains(name)).map(|(_, rules)| rules).collect::<String>())
}
