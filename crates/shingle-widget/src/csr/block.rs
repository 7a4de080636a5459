//! Small parts that only the browser's steps have.

use super::el::El;
use super::flow::Flow;
use crate::flow::Event;
use crate::view::{Markup, Text, block, thanks};
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
    flow.widget(|c| thanks::call::<El>(class, c)).text(flow.say(label))
}
