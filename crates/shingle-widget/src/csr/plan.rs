//! The pane with the drawing, and when it is drawn.

use std::cell::RefCell;

use super::el::{Child, El, View, nothing, region};
use super::flow::Flow;
use crate::flow::{Screen, State};
use crate::plan::Detail;
use crate::view::Markup;
use crate::view::plan::{self, Picked};

/// The pane of the first step, before there is a roof to show.
pub fn example(flow: Flow) -> View {
    let first = flow.read(|s| s.screen() == Screen::Address);
    // Drawn after the field: the drawing is half of all nodes of this step.
    El::classed("div", if first { "sh-pane after" } else { "sh-pane only-wide" })
        .add(flow.live(|s| s.painted.to_string(), drawn_example))
        .view()
}

fn drawn_example(flow: Flow, state: &State) -> View {
    if !state.painted {
        return nothing();
    }
    plan::example::<El>(flow.words).view()
}

/// A pane without a roof.
pub fn blank(flow: Flow, class: &'static str) -> View {
    El::classed("div", class).children(plan::blank::<El>(flow.words)).view()
}

/// The roof that was found and picked, with more under its key.
pub fn found(flow: Flow, detail: Detail, class: &'static str, more: Option<El>) -> View {
    let more = RefCell::new(more);
    let pane = El::classed("div", class);
    // `more` is taken once: only panes without it can change their building.
    pane.add(region(
        move || flow.watch(|s| s.building.to_string()),
        move || {
            let more = more.take();
            flow.read(|s| {
                let priced = s.estimate().is_some();
                let picked = s.roof.as_ref().map(|roof| Picked { roof, building: s.building, priced });
                plan::found::<El>(flow.words, picked, detail, more).view()
            })
        },
    ))
    .view()
}
