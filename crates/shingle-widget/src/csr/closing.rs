//! "Close your estimate?"

use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use crate::flow::{Event, State};
use crate::runtime::dom::keep_inside;
use crate::view::Markup;
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.live(|s| s.closing.to_string(), question)
}

fn question(flow: Flow, state: &State) -> View {
    if !state.closing {
        return nothing();
    }
    let alert = El::classed("div", "sh-alert")
        .all(&[
            ("role", "alertdialog"),
            ("aria-modal", "true"),
            ("aria-labelledby", "sh-closing"),
            ("aria-describedby", "sh-closing-text"),
        ])
        .on("keydown", |e| keep_inside(&e))
        .child(El::new("h2").set("id", "sh-closing").text(w::CLOSING_TITLE))
        .child(El::classed("p", "sh-lead").set("id", "sh-closing-text").text(w::CLOSING_TEXT))
        .child(button(flow, "sh-btn primary", || Event::KeepGoing).set("id", "sh-keep").text(w::CLOSING_KEEP))
        .child(button(flow, "sh-btn secondary", || Event::Discard).text(w::CLOSING_DROP));
    El::classed("div", "sh-veil").child(alert).view()
}
