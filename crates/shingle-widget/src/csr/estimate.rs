//! Step 4: the price first, then how it was made.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::EstimateSummary;

use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use super::plan;
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::strokes::{INFO, PRINT};
use crate::view::block::{actions, icon, inner, main_part, note};
use crate::view::{Markup, estimate};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.estimate().map(|sheet| draw(flow, sheet))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, sheet: &EstimateSummary) -> View {
    let heading = flow.words.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]);
    let materials = El::classed("fieldset", "sh-choices").child(El::classed("legend", "sh-h2").text(w::MATERIAL));
    let materials = sheet.prices.iter().enumerate().fold(materials, |all, (row, p)| all.child(choice(flow, row, p)));
    let inner = inner::<El>()
        .child(estimate::title::<El>(heading).set("tabindex", "-1"))
        .add(flow.live(|s| s.material.to_string(), price));
    let main = estimate::flags(inner, sheet).child(materials).child(estimate::measured(flow.words, sheet)).child(note(
        "sh-note",
        INFO,
        w::NOTE.at(0),
        flow.say(w::NOTE.at(1)),
    ));
    let buttons = actions::<El>()
        .child(button(flow, "sh-btn primary", || Event::Book).text(w::BOOK))
        .child(button(flow, "sh-btn quiet", || Event::Print).child(icon(PRINT)).text(w::PRINT));
    let facts = estimate::facts(flow.words, sheet);
    let pane = plan::found(flow, Detail::Areas, "sh-pane only-wide tall-strip", Some(facts));
    [main_part(main).view(), buttons.view(), pane].view()
}

fn price(flow: Flow, state: &State) -> View {
    let Some(sheet) = state.estimate() else { return nothing() };
    let Some(price) = sheet.prices.get(state.material) else { return nothing() };
    estimate::price::<El>(flow.words, sheet, price).map(Child::view).view()
}

fn choice(flow: Flow, row: usize, of: &MaterialPrice) -> El {
    let input = El::classed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-material")])
        .set("value", of.material.as_str())
        .checked(move || flow.watch(|s| s.material == row))
        .on("change", move |_| flow.send(Event::Material(row)));
    estimate::choice(El::classed("label", "sh-choice").child(input), flow.words, of)
}
