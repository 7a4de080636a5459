//! The field for a logo. A script draws an SVG that is chosen, or that the company's site has, and sends it as PNG.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{el, input};

/// What the server reads. The script adds SVG.
pub(crate) fn logo_input(name: &'static str) -> Node {
    input(name, "file").set("accept", "image/png,image/jpeg,image/webp").set("data-draws", "")
}

/// `more` comes last.
pub(crate) fn logo_hint(more: Option<&'static str>) -> Node {
    let drawn = el("span").set("data-drawn", "").set("hidden", "").text("SVG works too.");
    let more = more.into_iter().flat_map(|more| [el("span").text(" "), el("span").text(more)]);
    Node::classed("p", "hint")
        .child(el("span").text("PNG, JPEG or WebP, 1 MB at most."))
        .child(el("span").text(" "))
        .child(drawn)
        .children(more)
}

/// Shown by the script, in place of what is under the field.
pub(crate) fn undrawn() -> Node {
    Node::classed("p", "wrong")
        .set("data-undrawn", "")
        .set("hidden", "")
        .text("We couldn’t draw this SVG. Choose a PNG, JPEG or WebP.")
}
