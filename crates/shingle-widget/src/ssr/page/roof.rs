//! Step 2: is this the roof?

use shingle_domain::public::{BuildingChoice, Method, RoofFound};
use shingle_domain::roof::DrawingBasis;

use super::field::{link, note};
use super::frame::{self, Body, Head, lead, title};
use super::plan::Pane;
use super::{Node, Step, node, page};
use crate::plan::Detail;
use crate::strokes::{ALERT, INFO};
use crate::words::{tenths, thousands, w};

/// `building`: which of several is shown, and priced if the visitor agrees.
pub fn roof_page(step: &Step<'_>, roof: &RoofFound, building: usize) -> String {
    let t = step.words();
    let many = roof.buildings.len() > 1;
    let heading = match (many, roof.confidence < 100) {
        (true, _) => t.text(w::MANY_TITLE),
        (_, true) => t.text(w::NEAR_TITLE),
        _ => t.text(w::ROOF_TITLE),
    };
    let inner = [title(heading)]
        .into_iter()
        .chain(intro(step, roof))
        .chain(many.then(|| choices(step, roof, building)))
        .chain(roof.buildings.get(building).into_iter().flat_map(|b| facts(step, roof, b)))
        .collect();
    let at = building.to_string();
    let yes = step.href("contact", &[("key", &roof.key), ("building", &at)]);
    let actions = if many {
        let label = t.fill(w::MANY_USE, &[("letter", &letter(building))]);
        vec![link("sh-btn primary", &yes, &label), link("sh-btn quiet", &step.home(), t.text(w::MANY_NONE))]
    } else {
        vec![
            link("sh-btn primary", &yes, t.text(w::ROOF_YES)),
            link("sh-btn secondary", &step.home(), t.text(w::ROOF_NO)),
        ]
    };
    let pane = Pane::found(step, roof, building, Detail::Measures, "sh-pane pane-high");
    let body = Body { screen: "roof", number: Some(1), back: Some(step.home()), inner, actions, pane };
    page(step, Head::of_step(step, heading), vec![frame::step(step, body)])
}

fn intro(step: &Step<'_>, roof: &RoofFound) -> Vec<Node> {
    let t = step.words();
    if roof.buildings.len() > 1 {
        let n = roof.buildings.len().to_string();
        return vec![lead(t.fill(w::MANY_LEAD, &[("n", &n), ("street", &roof.street)]))];
    }
    if roof.confidence < 100 {
        let heading = t.number(w::NEAR_NOTE_TITLE, roof.confidence.into());
        let near = note("sh-note warn", ALERT, &heading, t.text(w::NEAR_NOTE));
        return vec![lead(t.fill(w::NEAR_LEAD, &[("street", &roof.street)])), near];
    }
    vec![lead(format!("{}, {}", roof.street, roof.city))]
}

fn letter(at: usize) -> String {
    char::from(b'A' + (at % 26) as u8).to_string()
}

/// Each building leads to its own drawing.
fn choices(step: &Step<'_>, roof: &RoofFound, picked: usize) -> Node {
    let t = step.words();
    let rows = roof.buildings.iter().enumerate().map(|(at, of)| {
        let small = if at == 0 && of.shape.is_empty() { t.text(w::MANY_LARGEST) } else { &of.shape };
        let name = node("b").text(format!("{} · {}", letter(at), of.label));
        let href = step.href("measure", &[("key", &roof.key), ("building", &at.to_string())]);
        let row = node("a").class("sh-choice").set("href", href);
        let row = if at == picked { row.set("aria-current", "true") } else { row };
        let area = node("span")
            .class("amount")
            .text(thousands(of.area.into()))
            .child(node("small").text(t.text(w::SQUARE_FEET)));
        node("li").child(
            row.child(node("span").class(if at == picked { "sh-radio on" } else { "sh-radio" }))
                .child(node("span").child(name).child(node("small").text(small)))
                .child(area),
        )
    });
    node("ul").class("sh-choices").set("aria-label", t.text(w::MANY_LEGEND)).children(rows)
}

fn facts(step: &Step<'_>, roof: &RoofFound, building: &BuildingChoice) -> Vec<Node> {
    let t = step.words();
    let sides = match building.longest_sides {
        Some([a, b]) => {
            let sides = format!("{} × {} {}", tenths(a.into()), tenths(b.into()), t.text(w::FEET));
            fact(t.text(w::ROOF_SIDES), &sides, "")
        }
        None => fact(t.text(w::ROOF_AREA), &thousands(building.area.into()), t.text(w::SQUARE_FEET)),
    };
    let shape = (!building.shape.is_empty()).then(|| fact(t.text(w::ROOF_SHAPE), &building.shape, ""));
    let arrows =
        building.drawing.as_ref().is_some_and(|d| d.basis != DrawingBasis::Outline).then_some(t.text(w::SOURCE_ARROWS));
    let from = [
        source(step, roof).as_str(),
        arrows.unwrap_or_default(),
        &t.fill(w::SOURCE_NAME, &[("source", &roof.provenance.source)]),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(" ");
    let newer = roof.provenance.year.as_ref().filter(|_| !roof.provenance.invented);
    let newer =
        newer.map(|year| note("sh-note", INFO, &t.fill(w::NEWER_TITLE, &[("year", year)]), t.text(w::NEWER_TEXT)));
    [node("dl").class("facts").child(sides).children(shape), node("p").class("sh-small").text(from)]
        .into_iter()
        .chain(newer)
        .collect()
}

pub(super) fn fact(name: &str, value: &str, small: &str) -> Node {
    let value = node("dd").text(value);
    let value = if small.is_empty() { value } else { value.text(" ").child(node("small").text(small)) };
    node("div").child(node("dt").text(name)).child(value)
}

/// Where the drawing comes from, in a sentence.
fn source(step: &Step<'_>, roof: &RoofFound) -> String {
    let t = step.words();
    if roof.provenance.invented {
        return t.text(w::SOURCE_INVENTED).to_owned();
    }
    let (plain, dated) = match roof.provenance.method {
        Method::Survey => (w::SOURCE_SURVEY, w::SOURCE_SURVEY_YEAR),
        Method::Outline => (w::SOURCE_OUTLINE, w::SOURCE_OUTLINE_YEAR),
        Method::Records => (w::SOURCE_RECORDS, w::SOURCE_RECORDS_YEAR),
    };
    match &roof.provenance.year {
        Some(year) => t.fill(dated, &[("year", year)]),
        None => t.text(plain).to_owned(),
    }
}
