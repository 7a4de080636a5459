//! The pane with the drawing, and when it is drawn.

use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use super::parts::{BLANK, EXAMPLE};
use crate::flow::{Screen, State};
use crate::view::Markup;

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
    View::Part(flow.part(EXAMPLE))
}

/// A pane without a roof.
pub fn blank(flow: Flow, class: &'static str) -> View {
    El::classed("div", class).part(flow.part(BLANK)).view()
}

/// The roof that was found, beside the steps that follow; nothing without one.
pub fn aside(flow: Flow) -> View {
    match flow.read(|s| s.aside().map(str::to_owned)) {
        Some(aside) => {
            // The roof's drawing holds all buildings; the estimate's only those that were picked.
            let picked = flow.read(|s| s.roof.as_ref().map(|_| s.picked_list()));
            let pane = El::classed("div", "sh-pane only-wide").part(aside);
            match picked {
                Some(picked) => pane.set("data-picked", picked).view(),
                None => pane.view(),
            }
        }
        None => blank(flow, "sh-pane only-wide"),
    }
}
