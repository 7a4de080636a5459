//! The launcher, the dialog before the runtime has filled it, and the stylesheet of both.

use shingle_domain::public::PublicWidget;
use shingle_domain::widget::{ElementLocation, ElementSize, ElementType};

use super::lean::lean_css;
use super::node::{Node, node};

const STYLE: &str = include_str!("../../../../www/launcher.css");

/// The element that opens the dialog: a link to the hosted page, so it works without any script. `None` where
/// the site marks its own elements.
pub fn launcher(widget: &PublicWidget) -> Option<Node> {
    match widget.element_type {
        ElementType::Button => {
            let roof = node("svg")
                .set("viewBox", "0 0 24 24")
                .set("aria-hidden", "true")
                .child(node("path").set("d", "M3 13.5 12 6l9 7.5M6.5 11v7.5h11V11"));
            Some(link(widget).child(roof).child(label(widget)))
        }
        ElementType::Banner => {
            let hide = node("button").set("aria-label", "Hide this banner").text("×");
            let words = widget.banner_text.iter().map(|text| node("p").text(text));
            let banner = node("aside").class("sb").set("aria-label", &widget.first_page_title);
            Some(words.fold(banner, |b, p| b.child(p)).child(link(widget).child(label(widget))).child(hide))
        }
        ElementType::Custom => None,
    }
}

fn link(widget: &PublicWidget) -> Node {
    node("a")
        .class("sl")
        .set("href", format!("{}/w/{}", widget.base_url, widget.id))
        .set("aria-haspopup", "dialog")
        .set("data-shingle-open", widget.id.to_string())
}

fn label(widget: &PublicWidget) -> Node {
    node("span").text(&widget.button_text)
}

/// The dialog between the click and the first drawn step.
pub(super) fn skeleton(widget: &PublicWidget) -> Node {
    node("dialog")
        .set("aria-label", &widget.first_page_title)
        .child(node("button").set("aria-label", "Close").text("×"))
        .child(node("p").text(&widget.first_page_title))
        .child(node("i"))
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
        ElementType::Custom => {}
    }
    wanted.push("dialog");
    let parts = STYLE.split("/* § ").skip(1).filter_map(|part| part.split_once(" */"));
    lean_css(&parts.filter(|(name, _)| wanted.contains(name)).map(|(_, rules)| rules).collect::<String>())
}
