//! What happens now, and whom to reach.

use shingle_domain::public::RoofFound;

use super::frame::{self, Body, Head, page, site};
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::view::block::{inner, lead, title};
use crate::view::frame::call as call_button;
use crate::view::{Markup, thanks as view};
use crate::words::w;

/// The lead, as far as its sender is thanked for it.
#[derive(Debug)]
pub struct Thanks<'a> {
    pub first: &'a str,
    pub email: &'a str,
    pub reference: &'a str,
    /// Consent was given, and a number to call.
    pub may_call: bool,
    /// The roof that was priced.
    pub roof: Option<(&'a RoofFound, usize)>,
    /// The way back to the price.
    pub passed: &'a Passed<'a>,
}

pub fn thanks_page(step: &Step<'_>, of: &Thanks<'_>) -> String {
    let (t, widget) = (step.words(), step.widget);
    let heading = step.say_with(w::THANKS_TITLE, &[("first", of.first)]);
    let inner = inner::<Node>()
        .child(title(heading.clone()))
        .child(view::request(t, widget, of.reference.to_owned()))
        .child(view::next_steps(t, widget, of.email, of.may_call))
        .child(view::contact_card(widget, true, site(widget)));
    let (back, pane) = match of.roof {
        Some((roof, at)) => {
            let pane = Pane::found(step, roof, at, Detail::Areas, "sh-pane only-wide");
            (Some(step.href("estimate", of.passed)), pane)
        }
        None => (None, Pane::blank(step)),
    };
    let body = Body { screen: "thanks", number: None, back, inner, actions: vec![call(step)], pane };
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
