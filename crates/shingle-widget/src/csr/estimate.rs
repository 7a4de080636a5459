//! Step 4: the price first, then how it was made.

use shingle_domain::public::{EstimateStep, PriceRow};

use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use crate::flow::{Event, State};
use crate::strokes::PRINT;
use crate::view::Markup;
use crate::view::block::{actions, icon, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    flow.read(|s| s.estimate().map(|sheet| draw(flow, sheet))).unwrap_or_else(nothing)
}

fn draw(flow: Flow, sheet: &EstimateStep) -> View {
    let heading = El::classed("h1", "sh-label sh-for").set("id", "sh-title").set("tabindex", "-1");
    let materials = El::classed("fieldset", "sh-choices").child(El::classed("legend", "sh-h2").text(w::MATERIAL));
    let materials = sheet.prices.iter().enumerate().fold(materials, |all, (row, p)| all.child(choice(flow, row, p)));
    let main = inner::<El>()
        .child(heading.text(sheet.heading.clone()))
        .add(flow.live(|s| s.material.to_string(), |_, s| of_price(s, |price| &price.price.0)))
        .part(sheet.above.0.clone())
        .child(materials)
        .part(sheet.middle.0.clone())
        .add(flow.live(|s| s.material.to_string(), |_, s| of_price(s, |price| &price.monthly.0)))
        .part(sheet.below.0.clone())
        .children(panel(flow));
    let buttons =
        actions::<El>().child(button(flow, "sh-btn primary", || Event::Book).text(w::BOOK)).children(print(flow));
    let pane = El::classed("div", "sh-pane only-wide").part(sheet.pane.0.clone());
    [main_part(main).view(), buttons.view(), pane.view()].view()
}

fn of_price(state: &State, read: fn(&PriceRow) -> &String) -> View {
    let price = state.estimate().and_then(|sheet| sheet.prices.get(state.material));
    price.map(read).filter(|part| !part.is_empty()).map_or_else(nothing, |part| View::Part(part.clone()))
}

fn choice(flow: Flow, row: usize, of: &PriceRow) -> El {
    let input = El::classed("input", "sh-radio")
        .all(&[("type", "radio"), ("name", "sh-material")])
        .set("value", of.material.as_str())
        .checked(move || flow.watch(|s| s.material == row))
        .on("change", move |_| flow.send(Event::Material(row)));
    El::classed("label", "sh-choice").child(input).part(of.row.0.clone())
}

/// How the estimate gets to another device.
pub fn panel(flow: Flow) -> Option<El> {
    let panel = flow.read(|s| s.receipt.as_ref().map(|r| r.panel.0.clone()))?;
    Some(El::classed("div", "sh-panel").part(panel))
}

/// The link to the page made for paper.
pub fn print(flow: Flow) -> Option<El> {
    let link = flow.read(|s| s.receipt.as_ref().map(|r| r.link.clone())).filter(|link| !link.is_empty())?;
    let href = [&link, "/print"].concat();
    let link = El::classed("a", "sh-btn quiet").set("href", href).all(&[("target", "_blank"), ("rel", "noopener")]);
    Some(link.child(icon(PRINT)).text(w::PRINT))
}
