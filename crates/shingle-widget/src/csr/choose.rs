//! Step 2, where it is another roof: the choice among the homes near it, and what is left where it is none of them.

use shingle_domain::public::{ChooseStep, HomeRow};

use super::block::{button, call, radio};
use super::el::{Child, El, View, nothing, text};
use super::flow::Flow;
use super::plan;
use crate::flow::{Event, State};
use crate::runtime::dom::building_of;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|found| draw(flow, &found.choose))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, of: &ChooseStep) -> View {
    // Named by the heading.
    let homes = El::classed("div", "sh-choices").all(&[("role", "radiogroup"), ("aria-labelledby", "sh-title")]);
    let homes = of.homes.iter().enumerate().fold(homes, |homes, (at, home)| homes.child(choice(flow, at, home)));
    let main = inner::<El>().part(of.intro.0.clone()).child(homes).part(of.note.0.clone());
    let go = button(flow, "sh-btn primary", || Event::MeasureHome).add(text(move || flow.watch(go)));
    let none = button(flow, "sh-btn quiet", || Event::NoHome).text(w::MANY_NONE);
    // A tap on an outline presses its radio (`parts.js`).
    let pane = El::classed("div", "sh-pane pane-high")
        .follow(flow, "data-home", |s| Some(s.home.to_string()))
        .part(of.pane.0.clone());
    [pane.view(), main_part(main).view(), actions::<El>().child(go).child(none).view()].view()
}

fn choice(flow: Flow, at: usize, of: &HomeRow) -> El {
    let input = radio(flow, "sh-home", at, |s| s.home, Event::Home).set("data-at", at.to_string());
    El::classed("label", "sh-choice").child(input).part(of.row.0.clone())
}

fn go(state: &State) -> String {
    let mut homes = state.roof.iter().flat_map(|roof| &roof.choose.homes);
    homes.nth(state.home).map(|home| home.go.clone()).unwrap_or_default()
}

pub fn none(flow: Flow) -> View {
    let ways = flow.read(|s| s.roof.as_ref().map(|roof| roof.choose.none.0.clone())).unwrap_or_default();
    let main = inner::<El>().part(ways).on("click", move |e| {
        if let Some(way) = building_of(&e) {
            flow.send(if way == 0 { Event::EditAddress } else { Event::AskVisit });
        }
    });
    let buttons = actions::<El>().child(call(flow, "sh-btn secondary", w::CALL));
    [main_part(main).view(), buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}
