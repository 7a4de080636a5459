//! What happens now, and whom to reach.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;

use super::field::link;
use super::frame::{self, Body, Head, page, site};
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::ssr::part::{Outcome, outcome_nodes};
use crate::view::block::{inner, lead, title};
use crate::view::frame::call as call_button;
use crate::view::{Markup, thanks as view};
use crate::words::w;

/// The lead, as far as its sender is thanked for it.
#[derive(Debug)]
pub struct Thanks<'a> {
    pub outcome: Outcome<'a>,
    /// Whether a visit can be asked for here.
    pub books: bool,
    /// The estimate as a page of its own, with its link.
    pub link: Option<&'a str>,
    /// The roof that was priced, and which of its buildings.
    pub roof: Option<(&'a RoofFound, BuildingSet)>,
    /// The way back to the price.
    pub passed: &'a Passed<'a>,
}

pub fn thanks_page(step: &Step<'_>, of: &Thanks<'_>) -> String {
    let (t, widget) = (step.words(), step.widget);
    let heading = step.say_with(w::THANKS_TITLE, &[("first", of.outcome.first)]);
    let inner = inner::<Node>().children(outcome_nodes(t, widget, of.outcome)).child(view::contact_card(
        widget,
        true,
        site(widget),
    ));
    let (back, pane) = match of.roof {
        Some((roof, chosen)) => {
            let pane = Pane::found(step, roof, Some(chosen), Detail::Areas, "sh-pane only-wide");
            (Some(step.href("estimate", of.passed)), pane)
        }
        None => (None, Pane::blank(step)),
    };
    let mut actions = vec![call(step)];
    if of.books {
        actions.push(link("sh-btn secondary", step.href("visit", of.passed), w::BOOK_TIMES));
    }
    actions.extend(of.link.map(|href| link("sh-btn quiet", href.to_owned(), w::PRINT)));
    let body = Body { screen: "thanks", number: None, back, inner, actions, pane };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}

/// The step of a widget that is switched off.
pub fn paused_step(step: &Step<'_>) -> Node {
    let inner = inner::<Node>()
        .child(title(w::PAUSED_TITLE))
        .child(lead(step.say(w::PAUSED_LEAD)))
        .child(view::contact_card(step.widget, true, site(step.widget)));
    let pane = Pane::blank(step);
    frame::step(step, Body { screen: "paused", number: None, back: None, inner, actions: vec![call(step)], pane })
}

pub(super) fn call(step: &Step<'_>) -> Node {
    call_button::<Node>("sh-btn primary", step.widget).child(Node::new("span").text(step.say(w::CALL)))
}
