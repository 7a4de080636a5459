//! What a visitor reads once the lead is there: what was asked for, who has what, and what can happen now.

use shingle_domain::answers::ContactBy;
use shingle_domain::inspection::{Inspection, InspectionState};
use shingle_domain::public::{Part, PublicWidget};

use super::booking::asked_list;
use super::part;
use crate::ssr::node::Node;
use crate::view::block::{heading, lead, small, title};
use crate::view::frame::{say, site_apart};
use crate::view::{Markup, thanks as view};
use crate::words::{Group, Words, w};

/// A lead, as far as its sender is told what becomes of it.
#[derive(Debug, Clone, Copy)]
pub struct Outcome<'a> {
    pub first: &'a str,
    pub email: &'a str,
    pub phone: Option<&'a str>,
    pub reference: &'a str,
    /// Consent to calls and texts was given.
    pub agreed: bool,
    pub estimate: bool,
    /// A copy is mailed, for sure.
    pub copy: bool,
    pub visit: Option<&'a Inspection>,
}

pub fn thanks_part(words: Words, widget: &PublicWidget, of: Outcome<'_>) -> Part {
    let mut nodes = outcome_nodes(words, widget, of);
    nodes.push(view::contact_card(widget, false, site_apart(widget)));
    part(nodes, words)
}

/// Without the company's card.
pub(crate) fn outcome_nodes(words: Words, widget: &PublicWidget, of: Outcome<'_>) -> Vec<Node> {
    let told = |word| say(words, widget, word, &[]);
    let title = title::<Node>(say(words, widget, w::THANKS_TITLE, &[("first", of.first)])).set("tabindex", "-1");
    let mut nodes = vec![title, view::request(words, widget, of.reference.to_owned())];
    match of.visit {
        Some(visit) => {
            let state = match visit.state {
                InspectionState::Asked => 0,
                InspectionState::Confirmed => 1,
                InspectionState::Declined => 2,
            };
            nodes.push(lead(told(w::ASKED_STATES.at(state))));
            nodes.push(heading(w::ASKED));
            nodes.push(asked_list(words, visit, of.phone, of.email));
        }
        None if of.estimate => nodes.push(lead(w::NO_VISIT)),
        // The request itself was for a visit.
        None => {}
    }
    nodes.push(view::steps(what_happens_next(words, widget, of)));
    let has = usize::from(of.estimate) * 2 + usize::from(of.phone.is_some());
    let mut known = vec![words.text(w::HAS_WHAT.at(has)).to_owned()];
    if of.phone.is_some() {
        known.push(words.text(w::AGREED.at(usize::from(!of.agreed))).to_owned());
    }
    nodes.push(Node::classed("h2", "sh-h2").text(told(w::HAS)));
    nodes.push(small(known.join(" ")));
    nodes
}

/// Heading and text of each step. Nothing that was not asked for or agreed to is said to happen.
fn what_happens_next(words: Words, widget: &PublicWidget, of: Outcome<'_>) -> Vec<[String; 2]> {
    let say = |word, more: &[(&str, &str)]| say(words, widget, word, more);
    let both = |group: Group, more: &[(&str, &str)]| [say(group.at(0), more), say(group.at(1), more)];
    let waiting = of.visit.filter(|visit| visit.state == InspectionState::Asked);
    let first = match waiting.map(|visit| visit.contact_by) {
        Some(ContactBy::Call) => [say(w::NEXT_BY.at(0), &[]), say(w::NEXT_BY_TEXT.at(0), &[])],
        Some(ContactBy::Text) => {
            [say(w::NEXT_BY.at(1), &[]), say(w::NEXT_BY_TEXT.at(1), &[("to", of.phone.unwrap_or_default())])]
        }
        Some(ContactBy::Email) => [say(w::NEXT_BY.at(2), &[]), say(w::NEXT_BY_TEXT.at(1), &[("to", of.email)])],
        None if of.agreed && of.phone.is_some() => both(w::NEXT_MAY, &[]),
        None => both(w::NEXT_WRITE, &[("email", of.email)]),
    };
    let mut steps = vec![first];
    if of.copy {
        steps.push(both(w::NEXT_COPY, &[("email", of.email)]));
    }
    if of.visit.is_none() {
        steps.push(both(w::THANKS_VISIT, &[]));
    }
    steps.push(both(w::THANKS_YOURS, &[]));
    steps
}
