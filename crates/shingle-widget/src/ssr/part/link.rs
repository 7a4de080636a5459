//! How an estimate gets to another device: its link, to copy and to be switched off.

use shingle_domain::inspection::VisitDate;
use shingle_domain::public::Part;

use super::dates::long_day;
use super::part;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::view::block::{heading, small};
use crate::words::{Words, w};

#[derive(Debug, Clone, Copy)]
pub struct EstimateLink<'a> {
    pub link: &'a str,
    pub until: VisitDate,
    /// Where it can be mailed to.
    pub email: Option<&'a str>,
    /// The lead's URL and token.
    pub lead: (&'a str, &'a str),
}

pub fn link_part(words: Words, of: &EstimateLink<'_>) -> Part {
    let until = long_day(words, of.until);
    let field =
        Node::classed("input", "sh-input").set("id", "sh-link").set("readonly", "").set("value", of.link.to_owned());
    let copy = button(w::LINK_COPY.into())
        .set("data-copy", of.link.to_owned())
        .set("data-said", w::LINK_COPIED.at(0))
        .set("data-failed", w::LINK_COPIED.at(1));
    let row = Node::classed("div", "sh-field")
        .child(Node::new("label").set("for", "sh-link").text(w::LINK_LABEL))
        .child(Node::classed("div", "copyrow").child(field).child(copy));
    let panel = Node::classed("div", "sh-share")
        .set("data-lead", of.lead.0.to_owned())
        .set("data-token", of.lead.1.to_owned())
        .child(heading(w::LINK_TITLE))
        .child(small(words.fill(w::LINK_TEXT, &[("date", &until)])))
        .child(row);
    // Each button has its place for what is said of it.
    let spoken = |node: Node| Node::new("div").child(node).child(small::<Node>("").set("role", "status"));
    let revoke = Node::classed("button", "sh-link")
        .set("type", "button")
        .set("data-do", "/link/revoke")
        .set("data-ends", "")
        .set("data-said", w::LINK_REVOKED.at(0))
        .set("data-failed", w::LINK_REVOKED.at(1))
        .text(w::LINK_REVOKE);
    let send = of.email.map(|email| {
        let button = button(words.fill(w::LINK_SEND, &[("email", email)]).into())
            .set("data-do", "/link/send")
            .set("data-said", w::LINK_SENT.at(0))
            .set("data-failed", w::LINK_SENT.at(1));
        spoken(button)
    });
    let ended = Node::classed("p", "sh-ended").set("tabindex", "-1").text(w::LINK_REVOKED.at(0));
    part([panel.children(send).child(spoken(revoke)).child(ended)], words)
}

fn button(text: crate::view::Text) -> Node {
    Node::classed("button", "sh-btn secondary").set("type", "button").text(text)
}
