//! Step 2: is this the roof?

use shingle_domain::public::{BuildingRow, RoofStep};

use super::block::{button, title};
use super::el::{Child, El, View, nothing, text};
use super::flow::Flow;
use crate::flow::{Event, State};
use crate::runtime::dom::building_of;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part};
use crate::words::{squares, thousands, w};

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.roof.as_ref().map(|found| draw(flow, found))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, found: &RoofStep) -> View {
    let many = found.buildings.len() > 1;
    let main = inner::<El>()
        .child(title(found.heading.clone()))
        .part(found.intro.0.clone())
        .children(many.then(|| choices(flow, found)))
        .part(found.facts.0.clone());
    let yes = button(flow, "sh-btn primary", || Event::RoofYes);
    let buttons = if many {
        actions::<El>()
            .child(yes.add(text(move || flow.watch(|s| priced(flow, s)))))
            .child(button(flow, "sh-btn quiet", || Event::RoofNo).text(w::MANY_NONE))
    } else {
        actions::<El>()
            .child(yes.text(w::ROOF_YES))
            .child(button(flow, "sh-btn secondary", || Event::RoofNo).text(w::ROOF_NO))
    };
    // Shaded on the drawing as they are chosen.
    let pane = El::classed("div", "sh-pane pane-high")
        .follow(flow, "data-picked", |s| Some(s.picked_list()))
        .on("click", move |e| {
            if let Some(at) = building_of(&e).filter(|_| many) {
                flow.send(Event::PickBuilding(at));
            }
        })
        .part(found.pane.0.clone());
    [pane.view(), main_part(main).view(), buttons.view()].view()
}

fn choices(flow: Flow, found: &RoofStep) -> El {
    let all = El::classed("fieldset", "sh-choices").child(El::classed("legend", "sh-vh").text(w::MANY_LEGEND));
    let all = found.buildings.iter().enumerate().fold(all, |all, (at, b)| all.child(choice(flow, at, b)));
    all.child(El::classed("p", "sh-sum").add(text(move || flow.watch(|s| sum(flow, s)))))
}

fn choice(flow: Flow, at: usize, of: &BuildingRow) -> El {
    let input = El::classed("input", "sh-radio box")
        .set("type", "checkbox")
        .checked(move || flow.watch(|s| s.is_picked(at)))
        .on("change", move |_| flow.send(Event::PickBuilding(at)));
    El::classed("label", "sh-choice").child(input).part(of.row.0.clone())
}

/// "Price A and B"
fn priced(flow: Flow, state: &State) -> String {
    flow.words.fill(w::MANY_USE, &[("letter", &letters(state, &[" ", &flow.words[w::AND], " "].concat()))])
}

fn letters(state: &State, between: &str) -> String {
    let letters: Vec<_> = state.picked().map(|(at, _)| char::from(b'A' + at as u8).to_string()).collect();
    letters.join(between)
}

/// "A + B = 3,087 sq ft, 30.87 squares"
fn sum(flow: Flow, state: &State) -> String {
    let total: u32 = state.picked().map(|(_, of)| of.area).sum();
    let with = [
        ("letters", &*letters(state, " + ")),
        ("total", &thousands(total.into())),
        ("squares", &squares(total.into())),
    ];
    flow.words.fill(w::MANY_SUM, &with)
}
