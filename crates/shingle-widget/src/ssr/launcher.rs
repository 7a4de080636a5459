//! The launcher, the dialog before the runtime has filled it, and the stylesheet of both.

use shingle_domain::public::PublicWidget;
use shingle_domain::widget::{ElementLocation, ElementSize, ElementType};

use super::lean::lean_css;
use super::node::{Node, node};
use crate::words::{Words, w};

const STYLE: &str = include_str!("../../../../www/launcher.css");

/// The element that opens the dialog: a link to the hosted page, so it works without any script; where the site
/// marks its own elements, the card that it may place among them.
pub fn launcher(widget: &PublicWidget, words: Words) -> Node {
    match widget.element_type {
        ElementType::Button => {
            let roof = node("svg")
                .set("viewBox", "0 0 24 24")
                .set("aria-hidden", "true")
                .child(node("path").set("d", "M3 13.5 12 6l9 7.5M6.5 11v7.5h11V11"));
            link(widget).child(roof).child(label(widget))
        }
        ElementType::Banner => {
            let hide = node("button").set("aria-label", &words[w::BANNER_HIDE]).text("×");
            let said = widget.banner_text.iter().map(|text| node("p").text(text));
            let banner = node("aside").class("sb").set("aria-label", &widget.first_page_title);
            said.fold(banner, |b, p| b.child(p)).child(link(widget).child(label(widget))).child(hide)
        }
        ElementType::Custom => {
            let company = [("company", widget.company_name.as_str())];
            let field = node("input")
                .set("aria-label", &words[w::ADDRESS_LABEL])
                .set("placeholder", &words[w::ADDRESS_PLACEHOLDER])
                .set("autocomplete", "street-address")
                .set("enterkeyhint", "go");
            node("form").class("sc").set("lang", &words[w::LANG]).set("aria-label", &widget.first_page_title).children(
                [
                    node("h2").text(&widget.first_page_title),
                    node("p").text(words.fill(w::ADDRESS_PROMISE, &company)),
                    node("div").child(field).child(node("button").text(&words[w::ADDRESS_GO])),
                ],
            )
        }
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

/// The dialog between the click and the first drawn step. Should nothing follow, the company can be called.
pub(super) fn skeleton(widget: &PublicWidget, words: Words) -> Node {
    let phone = widget.company_phone.as_str();
    node("dialog").set("lang", &words[w::LANG]).set("aria-label", &widget.first_page_title).children([
        node("button").set("aria-label", &words[w::CLOSE]).text("×"),
        node("a")
            .set("href", format!("tel:{}", widget.company_phone_dial))
            .text(words.fill(w::CALL, &[("phone", phone)])),
        node("section").text(&widget.first_page_title).child(node("i")),
    ])
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
    lean_css(&parts.filter(|(name, _)| wanted.contains(name)).map(|(_, rules)| rules).collect::<String>())
}
