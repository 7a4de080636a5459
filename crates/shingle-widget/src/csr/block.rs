//! Small parts that only the browser's steps have.

use super::el::El;
use super::flow::Flow;
use crate::flow::Event;
use crate::strokes::PHONE;
use crate::view::block::icon;
use crate::view::{Markup, Text, block};
use crate::words::Word;

/// The heading that names the dialog and takes the focus on every new step.
pub fn title(text: impl Into<Text>) -> El {
    block::title::<El>(text).set("tabindex", "-1")
}

/// A button that sends one event; its content is added by the caller.
pub fn button(flow: Flow, class: &'static str, event: fn() -> Event) -> El {
    El::classed("button", class).set("type", "button").on("click", move |_| flow.send(event()))
}

/// The link that calls the company.
pub fn call(flow: Flow, class: &'static str, label: Word) -> El {
    let dial = flow.widget(|c| ["tel:", &c.company_phone_dial].concat());
    El::classed("a", class).set("href", dial).child(icon(PHONE)).text(flow.say(label))
}
