//! What the estimate step shows.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateStep, EstimateSummary, Part, PriceRow, RoofFound};
use shingle_domain::roof::RoofMaterial;

use super::part;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::strokes::INFO;
use crate::view::block::note;
use crate::view::plan::{Picked, found};
use crate::view::{Markup, estimate as view};
use crate::words::{Words, dollars, material, w};

/// `roof`: what was priced, and which of its buildings.
pub fn estimate_step(
    words: Words,
    company: &str,
    sheet: &EstimateSummary,
    chosen: Option<RoofMaterial>,
    roof: Option<(&RoofFound, BuildingSet)>,
) -> EstimateStep {
    let picked = roof.map(|(roof, of)| Picked { roof, chosen: Some(of), priced: true, unit: None });
    let pane = found::<Node>(words, picked, Detail::Areas, Some(view::facts(words, sheet)));
    let honest = note::<Node>("sh-note", INFO, w::NOTE.at(0), words.fill(w::NOTE.at(1), &[("company", company)]));
    EstimateStep {
        heading: words.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]),
        prices: sheet.prices.iter().map(|price| row(words, sheet, price)).collect(),
        chosen: chosen.and_then(|m| sheet.prices.iter().position(|p| p.material == m)).unwrap_or(0) as u32,
        above: part(view::assumed::<Node>(words, sheet).into_iter().chain(view::flags::<Node>(sheet)), words),
        middle: Part::default(),
        below: part([view::measured(words, sheet), honest], words),
        pane: part(pane, words),
    }
}

fn row(words: Words, sheet: &EstimateSummary, of: &MaterialPrice) -> PriceRow {
    PriceRow {
        material: of.material,
        value: of.cost.dollars(),
        price: part(view::price::<Node>(words, sheet, of), words),
        row: part(view::choice(Node::new("span"), words, of).inside(), words),
        monthly: Part::default(),
        said: words.fill(
            w::PRICE_SAID,
            &[
                ("material", &words[material(of.material)]),
                ("price", &dollars(of.cost)),
                ("low", &dollars(of.low)),
                ("high", &dollars(of.high)),
            ],
        ),
    }
}
