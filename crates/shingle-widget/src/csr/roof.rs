//! Step 2: is this the roof?

use shingle_domain::public::{BuildingChoice, RoofFound};

use super::block::{button, title};
use super::el::{Child, El, View, nothing, text};
use super::flow::Flow;
use super::plan;
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::view::block::{actions, inner, main_part};
use crate::view::{Markup, roof};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|found| draw(flow, found))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, found: &RoofFound) -> View {
    let many = found.buildings.len() > 1;
    let main = roof::intro(inner::<El>().child(title(roof::heading(found))), flow.words, found)
        .children(many.then(|| choices(flow, found)))
        .add(flow.live(|s| s.building.to_string(), facts));
    let yes = button(flow, "sh-btn primary", || Event::RoofYes);
    let buttons = if many {
        let label = move || flow.words.fill(w::MANY_USE, &[("letter", &roof::letter(flow.watch(|s| s.building)))]);
        actions::<El>()
            .child(yes.add(text(label)))
            .child(button(flow, "sh-btn quiet", || Event::RoofNo).text(w::MANY_NONE))
    } else {
        actions::<El>()
            .child(yes.text(w::ROOF_YES))
            .child(button(flow, "sh-btn secondary", || Event::RoofNo).text(w::ROOF_NO))
    };
    [plan::found(flow, Detail::Measures, "sh-pane pane-high", None), main_part(main).view(), buttons.view()].view()
}

fn choices(flow: Flow, found: &RoofFound) -> El {
    let all = El::classed("fieldset", "sh-choices").child(El::classed("legend", "sh-vh").text(w::MANY_LEGEND));
    found.buildings.iter().enumerate().fold(all, |all, (at, b)| all.child(choice(flow, at, b)))
}

fn choice(flow: Flow, at: usize, of: &BuildingChoice) -> El {
    let input = El::classed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-building")])
        .checked(move || flow.watch(|s| s.building == at))
        .on("change", move |_| flow.send(Event::PickBuilding(at)));
    roof::choice(El::classed("label", "sh-choice").child(input), at, of)
}

fn facts(flow: Flow, state: &State) -> View {
    let (Some(found), Some(building)) = (&state.roof, state.picked_building()) else { return nothing() };
    roof::facts::<El>(flow.words, found, building).view()
}
