//! What a visitor reads once the lead is there.

use shingle_domain::public::{Part, PublicWidget};

use super::part;
use crate::ssr::node::Node;
use crate::view::block::title;
use crate::view::frame::{link_apart, say};
use crate::view::{Markup, thanks as view};
use crate::words::{Words, w};

/// A lead, as far as its sender is thanked for it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    pub first: &'a str,
    pub email: &'a str,
    pub reference: &'a str,
    /// Consent was given, and a number to call.
    pub may_call: bool,
}

pub fn thanks_part(words: Words, widget: &PublicWidget, of: Outcome<'_>) -> Part {
    let heading = say(words, widget, w::THANKS_TITLE, &[("first", of.first)]);
    let site = widget.company_url.trim_start_matches(|c| c != '/').trim_matches('/').to_owned();
    let nodes = [
        title::<Node>(heading).set("tabindex", "-1"),
        view::request(words, widget, of.reference.to_owned()),
        view::next_steps(words, widget, of.email, of.may_call),
        view::contact_card(widget, false, link_apart(widget.company_url.clone(), site)),
    ];
    part(nodes, words)
}
