//! Step 2: is this the roof?

use shingle_domain::public::RoofFound;

use super::field::link;
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::Step;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::view::block::{inner, title};
use crate::view::{Markup, roof as view};
use crate::words::w;

/// `building`: which of several is shown, and priced if the visitor agrees.
pub fn roof_page(step: &Step<'_>, roof: &RoofFound, building: usize) -> String {
    let t = step.words();
    let many = roof.buildings.len() > 1;
    let heading = view::heading(roof);
    let inner = view::intro(inner::<Node>().child(title(heading)), t, roof)
        .children(many.then(|| choices(step, roof, building)))
        .children(roof.buildings.get(building).into_iter().flat_map(|b| view::facts(t, roof, b)));
    let at = building.to_string();
    let yes = step.href("contact", &[("key", &roof.key), ("building", &at)]);
    let actions = if many {
        let label = t.fill(w::MANY_USE, &[("letter", &view::letter(building))]);
        vec![link("sh-btn primary", yes, label), link("sh-btn quiet", step.home(), w::MANY_NONE)]
    } else {
        vec![link("sh-btn primary", yes, w::ROOF_YES), link("sh-btn secondary", step.home(), w::ROOF_NO)]
    };
    let pane = Pane::found(step, roof, building, Detail::Measures, "sh-pane pane-high");
    let body = Body { screen: "roof", number: Some(1), back: Some(step.home()), inner, actions, pane };
    page(step, Head::of_step(step, t.text(heading)), vec![frame::step(step, body)])
}

/// Each building leads to its own drawing.
fn choices(step: &Step<'_>, roof: &RoofFound, picked: usize) -> Node {
    let rows = roof.buildings.iter().enumerate().map(|(at, of)| {
        let href = step.href("measure", &[("key", &roof.key), ("building", &at.to_string())]);
        let row = Node::classed("a", "sh-choice").set("href", href);
        let row = if at == picked { row.set("aria-current", "true") } else { row };
        let mark = Node::classed("span", if at == picked { "sh-radio on" } else { "sh-radio" });
        Node::new("li").child(view::choice(row.child(mark), at, of))
    });
    Node::classed("ul", "sh-choices").set("aria-label", w::MANY_LEGEND).children(rows)
}
