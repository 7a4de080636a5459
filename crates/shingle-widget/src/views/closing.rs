//! "Close your estimate?"

use super::el::{Child, View, boxed, el, nothing};
use super::{Flow, button};
use crate::flow::{Event, State};
use crate::runtime::dom::keep_inside;
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.live(|s| s.closing.to_string(), question)
}

fn question(flow: Flow, state: &State) -> View {
    if !state.closing {
        return nothing();
    }
    let alert = boxed("div", "sh-alert")
        .all(&[
            ("role", "alertdialog"),
            ("aria-modal", "true"),
            ("aria-labelledby", "sh-closing"),
            ("aria-describedby", "sh-closing-text"),
        ])
        .on("keydown", |e| keep_inside(&e))
        .add(el("h2").set("id", "sh-closing").add(w::CLOSING_TITLE))
        .add(boxed("p", "sh-lead").set("id", "sh-closing-text").add(w::CLOSING_TEXT))
        .add(button(flow, "sh-btn primary", || Event::KeepGoing).set("id", "sh-keep").add(w::CLOSING_KEEP))
        .add(button(flow, "sh-btn secondary", || Event::Discard).add(w::CLOSING_DROP));
    boxed("div", "sh-veil").add(alert).view()
}
