//! The figures of a lead's estimate, each with its source.

use shingle_domain::lead::Lead;
use shingle_domain::public::ShownStep;
use shingle_domain::roof::{AreaAlert, Complexity, PitchAlert};
use shingle_widget::price_parts::parts_in_text;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::{dollars, flow_words, squares, tenths, thousands};

use crate::counted::{Counted, counted_with};
use crate::element::{card, div, el, link, p, soft};
use crate::frame::Signed;
use crate::phrase::{capital, phrase, translated};

/// A name, its value, and where that comes from; rows without a value are left out.
pub(crate) fn facts(rows: impl IntoIterator<Item = (&'static str, Option<String>, Option<&'static str>)>) -> Node {
    let rows = rows.into_iter().filter_map(|(name, value, source)| Some((name, value?, source)));
    Node::classed("dl", "facts").children(rows.flat_map(|(name, value, source)| {
        let value = el("dd").child(el("span").text(value));
        let value = match source {
            Some(source) => value.child(Node::classed("span", "soft source").text(source)),
            None => value,
        };
        [el("dt").text(name), value]
    }))
}

pub(crate) fn estimate(
    signed: &Signed<'_>,
    lead: &Lead,
    shown: Option<&ShownStep>,
    drawing: Option<Node>,
    sheet: Option<&str>,
) -> Node {
    let language = signed.language;
    let Some(estimate) = &lead.estimate else {
        return card("Estimate").child(soft(match lead.inspection {
            Some(_) => "No roof data: nothing could be measured, and the person asked for a visit.",
            None => "No roof data: nothing could be measured.",
        }));
    };
    let chosen = lead.shown_price();
    let mut figures = div("column");
    if let Some(price) = chosen {
        let range = [
            ("low", dollars(price.low)),
            ("high", dollars(price.high)),
            ("material", translated(language, price.material.as_str()).to_owned()),
        ];
        let range = range.each_ref().map(|(name, value)| (*name, value.as_str()));
        figures = figures.child(Node::classed("p", "sum").text(dollars(price.cost))).child(soft(phrase(
            language,
            "{low} to {high}, {material}",
            &range,
        )));
    }
    let others = estimate.prices.iter().filter(|price| chosen.is_none_or(|chosen| chosen.material != price.material));
    let others: Vec<_> = others
        .map(|price| format!("{} {}", translated(language, price.material.as_str()), dollars(price.cost)))
        .collect();
    let step = shown.map(|shown| &shown.sheet);
    let degrees = tenths((estimate.average_roof_pitch * 10.0).round() as i64);
    let pitch = match step {
        Some(step) => format!("{}/12, {degrees}°", halves(step.rise_halves)),
        None => format!("{degrees}°"),
    };
    let measured = step.map(|step| step.assumed_pitch.is_none());
    let alerts = [
        match estimate.alerts.roof_pitch_alert {
            Some(PitchAlert::LowPitch) => Some("Low pitch"),
            Some(PitchAlert::HighPitch) => Some("High pitch"),
            _ => None,
        },
        match estimate.alerts.roof_area_alert {
            Some(AreaAlert::LowArea) => Some("Small area"),
            Some(AreaAlert::HighArea) => Some("Large area"),
            _ => None,
        },
    ];
    let alerts: Vec<&str> = alerts.into_iter().flatten().map(|alert| translated(language, alert)).collect();
    let complexity = estimate.roof_complexity_level.map(|level| {
        let level = match level {
            Complexity::Simple => "Simple",
            Complexity::Average => "Average",
            Complexity::Complex => "Complex",
        };
        match step.and_then(|step| step.facets) {
            Some(facets) => {
                counted_with(language, Counted::FACETS, facets.into(), &[("level", translated(language, level))])
            }
            None => translated(language, level).to_owned(),
        }
    });
    let area = thousands(estimate.roof_area.round() as i64);
    figures = figures.child(facts([
        (
            "Price",
            chosen.map(|price| {
                let squares = squares((estimate.squares * 100.0).round() as i64);
                let each = dollars(price.price_per_square);
                let with = [("squares", &*squares), ("price", &*each)];
                let by_size = parts_in_text(flow_words(language), price)
                    .unwrap_or_else(|| phrase(language, "{squares} squares × {price}", &with));
                match price.minimum.map(dollars) {
                    Some(minimum) => phrase(
                        language,
                        "Minimum for a job: {minimum}. By size it would be less: {sum}.",
                        &[("minimum", &*minimum), ("sum", &*by_size)],
                    ),
                    None => by_size,
                }
            }),
            Some("At your price that day"),
        ),
        (
            "Roof area",
            Some(phrase(language, "{area} sq ft", &[("area", &area)])),
            Some("From the outline of the chosen buildings, along the slope"),
        ),
        (
            "Average pitch",
            Some(pitch),
            match measured {
                Some(true) => Some("From a survey’s measurements"),
                Some(false) => Some("Assumed; we have no measurements for this roof’s pitch"),
                None => None,
            },
        ),
        ("Complexity", complexity, Some("From the facets of a survey")),
        (
            "Match",
            Some(phrase(
                language,
                "{score}% sure it’s this building",
                &[("score", &estimate.structure_present_confidence_score.to_string())],
            )),
            None,
        ),
        (
            "Alerts",
            Some(if alerts.is_empty() { translated(language, "None").to_owned() } else { alerts.join(", ") }),
            None,
        ),
        ("Other options shown", Some(capital(&others.join(", "))).filter(|text| !text.is_empty()), None),
    ]));
    let beside = if drawing.is_some() { div("estimate drawn") } else { div("estimate") };
    let card = card("Estimate").child(beside.children(drawing).child(figures));
    match sheet {
        Some(sheet) => card.child(p("").child(link(sheet.to_owned(), "Drawing and print sheet"))),
        None => card,
    }
}

/// `6` or `6.5`.
fn halves(halves: u32) -> String {
    if halves.is_multiple_of(2) { (halves / 2).to_string() } else { format!("{}.5", halves / 2) }
}
