//! Head and foot, the same on every step.

use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use super::parts::{CALL, FOOT, LOGO, PROGRESS};
use crate::flow::{Event, State};
use crate::strokes::{BACK, CLOSE};
use crate::view::Markup;
use crate::view::block::icon;
use crate::words::w;

pub fn head(flow: Flow) -> El {
    // No `header` and `footer`: in a dialog they would count as the page's landmarks.
    let head = El::new("div")
        .follow(flow, "class", |s| Some(if s.can_go_back() { "sh-head has-back" } else { "sh-head" }.to_owned()))
        .add(flow.live(|s| s.can_go_back().to_string(), back))
        .part(flow.part(LOGO))
        .add(flow.live(|s| s.screen().step().map(|n| n.to_string()).unwrap_or_default(), progress))
        .part(flow.part(CALL));
    if flow.page {
        return head;
    }
    head.child(button(flow, "sh-iconbtn", || Event::Close).set("aria-label", w::CLOSE).child(icon(CLOSE)))
}

fn back(flow: Flow, state: &State) -> View {
    if !state.can_go_back() {
        return nothing();
    }
    button(flow, "sh-iconbtn", || Event::Back).set("aria-label", w::BACK).child(icon(BACK)).view()
}

fn progress(flow: Flow, state: &State) -> View {
    state.screen().step().map_or_else(nothing, |now| View::Part(flow.part(PROGRESS + now)))
}

pub fn foot(flow: Flow) -> View {
    View::Part(flow.part(FOOT))
}
