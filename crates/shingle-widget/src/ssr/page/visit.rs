//! The form that asks for a visit.

use super::field::{link, submit};
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::ssr::node::Node;
use crate::ssr::part::{BookingForm, booking_nodes};
use crate::strokes::ALERT;
use crate::view::Markup;
use crate::view::block::{inner, note};
use crate::view::contact::FORM;
use crate::words::w;

/// `None` where nothing can be asked for. `refused`: what was sent broke a rule.
pub fn visit_page(step: &Step<'_>, of: &BookingForm<'_>, passed: &Passed<'_>, refused: bool) -> Option<String> {
    let form = booking_nodes(step.words(), step.widget, of);
    if form.is_empty() {
        return None;
    }
    let form = Node::classed("form", "sh-form")
        .set("id", FORM)
        .set("method", "post")
        .set("enctype", "multipart/form-data")
        // The address says whose form it is: the server reads nothing of a stranger's.
        .set("action", step.href("visit", passed))
        .children(form);
    let problem = refused.then(|| {
        note::<Node>("sh-note bad", ALERT, w::BOOK_REFUSED.at(0), step.say(w::BOOK_REFUSED.at(1))).set("role", "alert")
    });
    let body = Body {
        screen: "booking",
        number: None,
        back: Some(step.href("estimate", passed)),
        inner: inner::<Node>().children(problem).child(form),
        actions: vec![submit(w::BOOK_GO), link("sh-btn quiet", step.href("thanks", passed), w::BOOK_SKIP)],
        pane: Pane::blank(step),
    };
    let heading = step.say(w::WISH_TITLE);
    Some(page(step, Head::of_step(step, &heading), vec![frame::step(step, body)]))
}
