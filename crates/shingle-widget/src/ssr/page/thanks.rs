//! What happens now, and whom to reach.

use shingle_domain::public::RoofFound;

use super::field::link;
use super::frame::{self, Body, Head, icon, lead, mail, outward, shown, telephone, title};
use super::plan::Pane;
use super::{Node, Passed, Step, node, page};
use crate::plan::Detail;
use crate::strokes::PHONE;
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
    let t = step.words();
    let heading = step.say_with(t.text(w::THANKS_TITLE), &[("first", of.first)]);
    let rows = [if of.may_call { w::THANKS_CALL } else { w::THANKS_MAIL }, w::THANKS_VISIT, w::THANKS_YOURS];
    let rows = rows.map(|row| {
        let text = node("small").text(step.say_with(t.text(row.at(1)), &[("email", of.email)]));
        node("li").child(node("div").child(node("b").text(step.say(t.text(row.at(0))))).child(text))
    });
    let request = node("p").class("sh-lead").text(step.say(t.text(w::THANKS_LEAD))).text(" ");
    let inner = vec![
        title(&heading),
        request.child(node("b").text(of.reference)).text("."),
        node("ol").class("steps").children(rows),
        contact_card(step),
    ];
    let (back, pane) = match of.roof {
        Some((roof, at)) => {
            let pane = Pane::found(step, roof, at, Detail::Areas, "sh-pane only-wide");
            (Some(step.href("estimate", of.passed)), pane)
        }
        None => (None, Pane::blank(step)),
    };
    let actions = vec![call(step)];
    let body = Body { screen: "thanks", number: None, back, inner, actions, pane };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}

/// The step of a widget that is switched off.
pub fn paused_step(step: &Step<'_>) -> Node {
    let t = step.words();
    let inner = vec![title(t.text(w::PAUSED_TITLE)), lead(step.say(t.text(w::PAUSED_LEAD))), contact_card(step)];
    let pane = Pane::blank(step);
    frame::step(step, Body { screen: "paused", number: None, back: None, inner, actions: vec![call(step)], pane })
}

/// The company: name, address, ways to reach it.
fn contact_card(step: &Step<'_>) -> Node {
    let widget = step.widget;
    node("div")
        .class("contact-card")
        .child(node("b").text(&widget.company_name))
        .child(node("span").text(&widget.company_address))
        .child(node("span").child(telephone(step)))
        .child(node("span").child(mail(step)))
        .child(node("span").child(outward(&widget.company_url, &shown(&widget.company_url))))
}

pub(super) fn call(step: &Step<'_>) -> Node {
    let href = format!("tel:{}", step.widget.company_phone_dial);
    let label = step.say(step.words().text(w::CALL));
    let call = link("sh-btn primary", &href, "");
    call.child(icon(PHONE)).child(node("span").text(label))
}
