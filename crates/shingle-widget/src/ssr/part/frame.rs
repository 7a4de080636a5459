//! What is the same for every visitor of a widget: it comes with the configuration.

use shingle_domain::public::{Part, PublicWidget};

use super::part;
use crate::ssr::node::Node;
use crate::strokes::PHONE;
use crate::view::block::{icon, lead, picture, title};
use crate::view::frame::{dial, foot, other_language, progress, say, site_apart};
use crate::view::{Markup, plan, thanks};
use crate::words::{Words, w};

/// In the order in which the runtime knows them (`csr/parts.rs`).
pub fn frame_parts(widget: &PublicWidget, words: Words) -> Vec<Part> {
    let other = [&widget.base_url, "/w/", &widget.id.to_string(), "?lang=", words.text(w::OTHER.at(0))].concat();
    let label = words.fill(w::CALL_COMPANY, &[("company", &widget.company_name), ("phone", &widget.company_phone)]);
    let call = Node::classed("a", "sh-call")
        .set("href", dial(widget))
        .set("aria-label", label)
        .child(icon(PHONE))
        .child(Node::new("span").text(widget.company_phone.clone()));
    let paused = [
        title::<Node>(w::PAUSED_TITLE).set("tabindex", "-1"),
        lead(say(words, widget, w::PAUSED_LEAD, &[])),
        thanks::contact_card(widget, true, site_apart(widget)),
    ];
    let parts = [
        vec![picture("sh-logo", &widget.header_logo, widget.company_name.clone(), widget.color("--card"))],
        vec![call],
        // `stage.js` switches the words in place; if it cannot, the link leads to the hosted page.
        vec![foot(Node::classed("div", "sh-foot"), widget).child(other_language(other))],
        plan::example(words),
        plan::blank(words),
        paused.into(),
        vec![title::<Node>(widget.first_page_title.clone()).set("tabindex", "-1")],
    ];
    let steps = (0..4).map(|now| vec![progress(words, now)]);
    parts.into_iter().chain(steps).map(|nodes| part(nodes, words)).collect()
}
