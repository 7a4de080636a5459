//! Step 2, where it is another roof: the choice among the homes near it, and what is left where it is none of them.

use shingle_domain::public::RoofStep;

use super::block::{button, call};
use super::el::{Child, El, View, nothing, text};
use super::flow::Flow;
use super::plan;
use crate::flow::{Event, State};
use crate::runtime::dom::building_of;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|found| draw(flow, found))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, of: &RoofStep) -> View {
    // A tap on an outline presses its radio, and a list that is drawn again keeps what was chosen (`parts.js`).
    let pane = El::classed("div", "sh-pane pane-high")
        .follow(flow, "data-home", |s| Some(s.home.to_string()))
        .part(of.choose_pane.0.clone());
    let list = numbered(flow, &of.choose.0, "change", Event::Home);
    let go = button(flow, "sh-btn primary", || Event::MeasureHome);
    let go = go.add(text(move || flow.words.fill(w::PICK_GO, &[("street", &flow.watch(street))])));
    let none = button(flow, "sh-btn quiet", || Event::NoHome).text(w::MANY_NONE);
    [pane.view(), list, actions::<El>().child(go).child(none).view()].view()
}

fn street(state: &State) -> String {
    state.roof.iter().flat_map(|roof| &roof.homes).nth(state.home).map(|home| home.street.clone()).unwrap_or_default()
}

pub fn none(flow: Flow) -> View {
    let ways = flow.read(|s| s.roof.as_ref().map(|roof| roof.not_mine.0.clone())).unwrap_or_default();
    let main = numbered(flow, &ways, "click", |way| if way == 0 { Event::EditAddress } else { Event::AskVisit });
    let buttons = actions::<El>().child(call(flow, "sh-btn secondary", w::CALL));
    [main, buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}

/// What the server has drawn, and what happens by the number of what the visitor uses in it.
fn numbered(flow: Flow, part: &str, on: &'static str, event: fn(usize) -> Event) -> View {
    let used = move |e| {
        if let Some(at) = building_of(&e) {
            flow.send(event(at));
        }
    };
    main_part(inner::<El>().part(part.to_owned()).on(on, used)).view()
}
