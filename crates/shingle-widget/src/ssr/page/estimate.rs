//! Step 4: the price first, then how it was made.

use shingle_domain::WidgetSettings;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateSummary, RoofFound};
use shingle_domain::roof::RoofMaterial;

use super::field::link;
use super::frame::{self, Body, Head, page};
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::ssr::node::Node;
use crate::ssr::part::terms;
use crate::strokes::INFO;
use crate::view::block::{inner, note};
use crate::view::{Markup, estimate as view};
use crate::words::w;

/// What the step shows, and what its forms send back.
#[derive(Debug)]
pub struct Estimate<'a> {
    pub sheet: &'a EstimateSummary,
    pub roof: Option<&'a RoofFound>,
    pub building: usize,
    pub material: Option<RoofMaterial>,
    pub settings: &'a WidgetSettings,
    /// Whether a visit can be asked for here.
    pub books: bool,
    /// The estimate as a page of its own, with its link.
    pub link: Option<&'a str>,
    /// Proof of whose lead this is, and where its roof is.
    pub passed: &'a Passed<'a>,
}

pub fn estimate_page(step: &Step<'_>, of: &Estimate<'_>) -> String {
    let t = step.words();
    let sheet = of.sheet;
    let picked = of.material.and_then(|m| sheet.prices.iter().position(|p| p.material == m)).unwrap_or(0);
    let heading = t.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]);
    let rows = sheet.prices.iter().enumerate().map(|(row, price)| choice(step, price, row == picked));
    let materials = Node::classed("fieldset", "sh-choices").child(Node::classed("legend", "sh-h2").text(w::MATERIAL));
    let inner = inner::<Node>()
        .child(view::title(heading.clone()))
        .children(sheet.prices.get(picked).into_iter().flat_map(|p| view::price(t, sheet, p)));
    let inner = inner
        .children(view::assumed::<Node>(t, sheet))
        .children(view::flags(sheet))
        .child(step.form("post", "estimate", of.passed, vec![materials.children(rows)]))
        .children(
            sheet.prices.get(picked).into_iter().flat_map(|p| terms(t, of.settings, &step.widget.company_name, p.cost)),
        )
        .child(view::measured(t, sheet))
        .child(note("sh-note", INFO, w::NOTE.at(0), step.say(w::NOTE.at(1))));
    let body = Body {
        screen: "estimate",
        number: Some(3),
        back: None,
        inner,
        actions: vec![link("sh-btn primary", step.href(if of.books { "visit" } else { "thanks" }, of.passed), w::BOOK)]
            .into_iter()
            .chain(of.link.map(|href| link("sh-btn quiet", href.to_owned(), w::PRINT)))
            .collect(),
        pane: Pane::priced(step, of.roof, of.building, view::facts(t, sheet)),
    };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}

/// A button a material: one press, and the lead and the price follow.
fn choice(step: &Step<'_>, of: &MaterialPrice, picked: bool) -> Node {
    let button = Node::classed("button", "sh-choice")
        .set("type", "submit")
        .set("name", "material")
        .set("value", of.material.as_str())
        .set("aria-pressed", picked.to_string())
        .child(Node::classed("span", if picked { "sh-radio on" } else { "sh-radio" }));
    view::choice(button, step.words(), of)
}
