//! Step 4: the price first, then how it was made.

use shingle_domain::WidgetSettings;
use shingle_domain::answers::Answers;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateSummary, RoofFound};
use shingle_domain::roof::RoofMaterial;

use super::field::link;
use super::frame::{self, Body, Head, page};
use super::page_words::PageWords;
use super::plan::Pane;
use super::step::{Passed, Step};
use crate::ssr::node::Node;
use crate::ssr::part::{questions, section, terms};
use crate::strokes::INFO;
use crate::view::block::{inner, note};
use crate::view::{Markup, estimate as view};
use crate::words::w;

/// The field that says that the answers were sent, and the place on the page where they stand.
pub const ANSWERED: &str = "answered";

/// What the step shows, and what its forms send back.
#[derive(Debug)]
pub struct Estimate<'a> {
    pub sheet: &'a EstimateSummary,
    pub roof: Option<&'a RoofFound>,
    pub chosen: BuildingSet,
    pub material: Option<RoofMaterial>,
    pub settings: &'a WidgetSettings,
    pub answers: &'a Answers,
    /// The answers have just been saved.
    pub saved: bool,
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
    // One form: who presses a material loses no answer.
    let choices = [materials.children(rows)].into_iter().chain(asked(step, of)).collect();
    let inner = inner::<Node>()
        .child(view::title(heading.clone()))
        .children(sheet.prices.get(picked).into_iter().flat_map(|p| view::price(t, sheet, p)));
    let inner = inner
        .children(view::assumed::<Node>(t, sheet))
        .children(view::flags(sheet))
        .child(step.form("post", "estimate", of.passed, choices))
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
        pane: Pane::priced(step, of.roof, of.chosen, view::facts(t, sheet)),
    };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}

/// What the contractor asks, with a button that saves the answers.
fn asked(step: &Step<'_>, of: &Estimate<'_>) -> Option<Node> {
    let button =
        Node::classed("button", "sh-btn secondary").all(&[("type", "submit"), ("name", ANSWERED), ("value", "1")]);
    let said = of.saved.then(|| Node::classed("p", "sh-small").set("role", "status").text(w::TAPS_SAID));
    let end = [button.text(PageWords::of(step.language).answers_go.clone())].into_iter().chain(said);
    let asked = questions(step.words(), of.settings, step.widget, of.answers)?;
    let asked = section(step.words(), step.widget, asked).set("id", ANSWERED);
    Some(asked.child(Node::classed("div", "sh-tap").children(end)))
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
