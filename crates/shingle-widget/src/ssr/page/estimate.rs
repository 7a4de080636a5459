//! Step 4: the price first, then how it was made.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateSheet, RoofFound};
use shingle_domain::roof::RoofMaterial;

use super::field::{link, note};
use super::frame::{self, Body, Head, drawing};
use super::plan::{Pane, line};
use super::roof::fact;
use super::{Node, Passed, Step, node, page};
use crate::strokes::{ALERT, INFO, RANGE, courses, mark, triangle};
use crate::words::{area_alert, complexity, dollars, material, material_in_text, pitch_alert, tenths, thousands, w};

/// What the step shows, and what its forms send back.
#[derive(Debug)]
pub struct Estimate<'a> {
    pub sheet: &'a EstimateSheet,
    pub roof: Option<&'a RoofFound>,
    pub building: usize,
    pub material: Option<RoofMaterial>,
    /// Proof of whose lead this is, and where its roof is.
    pub passed: &'a Passed<'a>,
}

pub fn estimate_page(step: &Step<'_>, of: &Estimate<'_>) -> String {
    let t = step.words();
    let sheet = of.sheet;
    let picked = of.material.and_then(|m| sheet.prices.iter().position(|p| p.material == m)).unwrap_or(0);
    let heading = t.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]);
    let rows = sheet.prices.iter().enumerate().map(|(row, price)| choice(step, price, row == picked));
    let materials = node("fieldset").class("sh-choices").child(node("legend").class("sh-h2").text(t.text(w::MATERIAL)));
    let materials = step.form("post", "estimate", of.passed, vec![materials.children(rows)]);
    let measured = node("div")
        .class("only-narrow")
        .child(node("h2").class("sh-h2").text(t.text(w::MEASURED)))
        .child(facts(step, sheet));
    let inner = [node("h1").class("sh-label sh-for").set("id", "sh-title").text(&heading)]
        .into_iter()
        .chain(sheet.prices.get(picked).into_iter().flat_map(|p| price(step, sheet, p)))
        .chain(flags(step, sheet))
        .chain([materials, measured, note("sh-note", INFO, t.text(w::NOTE.at(0)), &step.say(t.text(w::NOTE.at(1))))])
        .collect();
    let body = Body {
        screen: "estimate",
        number: Some(3),
        back: None,
        inner,
        actions: vec![link("sh-btn primary", &step.href("thanks", of.passed), t.text(w::BOOK))],
        pane: Pane::priced(step, of.roof, of.building, facts(step, sheet)),
    };
    page(step, Head::of_step(step, &heading), vec![frame::step(step, body)])
}

fn price(step: &Step<'_>, sheet: &EstimateSheet, price: &MaterialPrice) -> [Node; 3] {
    let t = step.words();
    let squares = tenths(sheet.squares_tenths.into());
    let per = dollars(price.price_per_square);
    let with = [("squares", squares.as_str()), ("price", &per), ("material", t.text(material_in_text(price.material)))];
    let sum = t.fill(w::SUM, &with);
    let sum = if has_flags(sheet) { format!("{sum} {}", t.text(w::FLAG_WIDER)) } else { sum };
    let bar = node("svg")
        .set("viewBox", "0 0 320 14")
        .set("preserveAspectRatio", "none")
        .set("aria-hidden", "true")
        .child(line("l l-range", RANGE))
        .child(line("l l-mark", &mark(price)));
    let end = |name: &str, amount| node("span").text(name).text(" ").child(node("b").text(dollars(amount)));
    let ends = node("div").child(end(t.text(w::LOW), price.low)).child(end(t.text(w::HIGH), price.high));
    [
        node("p").class("price").text(dollars(price.cost)),
        node("div").class("range").child(bar).child(ends),
        node("p").class("sh-small").text(sum),
    ]
}

fn has_flags(sheet: &EstimateSheet) -> bool {
    pitch_alert(sheet.alerts.roof_pitch_alert).is_some() || area_alert(sheet.alerts.roof_area_alert).is_some()
}

fn flags(step: &Step<'_>, sheet: &EstimateSheet) -> Vec<Node> {
    let t = step.words();
    let both = [pitch_alert(sheet.alerts.roof_pitch_alert), area_alert(sheet.alerts.roof_area_alert)];
    let notes =
        both.into_iter().flatten().map(|flag| note("sh-note warn", ALERT, t.text(flag.at(0)), t.text(flag.at(1))));
    let heading = has_flags(sheet).then(|| node("h2").class("sh-h2").text(step.words().text(w::FLAGS)));
    heading.into_iter().chain(notes).collect()
}

/// A button a material: one press, and the lead and the price follow.
fn choice(step: &Step<'_>, of: &MaterialPrice, picked: bool) -> Node {
    let t = step.words();
    let per = t.fill(w::PER_SQUARE, &[("price", &dollars(of.price_per_square))]);
    let names = node("span").child(node("b").text(t.text(material(of.material)))).child(node("small").text(per));
    let kind =
        node("span").class("sh-kind").child(drawing("sh-swatch", "0 0 40 40", courses(of.material))).child(names);
    node("button")
        .class("sh-choice")
        .set("type", "submit")
        .set("name", "material")
        .set("value", of.material.as_str())
        .set("aria-pressed", picked.to_string())
        .child(node("span").class(if picked { "sh-radio on" } else { "sh-radio" }))
        .child(kind)
        .child(node("span").class("amount").text(dollars(of.cost)))
}

/// What was measured, as four figures.
fn facts(step: &Step<'_>, sheet: &EstimateSheet) -> Node {
    let t = step.words();
    // Halves as tenths.
    let rise = tenths(i64::from(sheet.rise_halves) * 5);
    let degrees = format!("{}°", tenths(sheet.pitch_tenths.into()));
    let facets = sheet.facets.map(|n| t.number(w::FACETS, n as usize)).unwrap_or_default();
    let path = triangle(sheet.rise_halves);
    let sign = node("svg")
        .set("viewBox", "0 0 76 56")
        .set("role", "img")
        .set("aria-label", t.fill(w::RISE_RUN, &[("rise", &rise)]))
        .child(line("f f-w", &path))
        .child(line("l l-ridge", &path))
        .child(node("text").set("x", "32").set("y", "54").set("text-anchor", "middle").text("12"))
        .child(node("text").set("x", "64").set("y", "32").text(&rise));
    let pitch = fact(t.text(w::FACTS.at(2)), &format!("{rise}/12"), &degrees).class("pitch");
    node("dl")
        .class("facts")
        .child(fact(t.text(w::FACTS.at(0)), &thousands(sheet.roof_area.into()), t.text(w::SQUARE_FEET)))
        .child(fact(t.text(w::FACTS.at(1)), &tenths(sheet.squares_tenths.into()), t.text(w::TIMES_HUNDRED)))
        .child(pitch.child(node("dd").class("pitch-sign").child(sign)))
        .child(fact(t.text(w::FACTS.at(3)), t.text(complexity(sheet.complexity)), &facets))
}
