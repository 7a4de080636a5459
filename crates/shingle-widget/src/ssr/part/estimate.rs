//! What the estimate step shows.

use shingle_domain::WidgetSettings;
use shingle_domain::home_roof::BuildingSet;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::{EstimateStep, EstimateSummary, PriceRow, PublicWidget, RoofFound};
use shingle_domain::roof::RoofMaterial;

use super::part;
use super::taps::{AskedLead, taps};
use super::terms::{credentials, included, monthly};
use crate::plan::Detail;
use crate::price_parts::named;
use crate::ssr::node::Node;
use crate::strokes::INFO;
use crate::view::block::note;
use crate::view::plan::{Picked, found};
use crate::view::{Markup, estimate as view};
use crate::words::{Words, dollars, w};

/// What the step says and asks besides the figures.
#[derive(Debug, Clone, Copy)]
pub struct EstimateParts<'a> {
    pub widget: &'a PublicWidget,
    pub settings: &'a WidgetSettings,
    /// Who is asked; `None` where nothing can be answered.
    pub lead: Option<AskedLead<'a>>,
}

/// `roof`: what was priced, and which of its buildings.
pub fn estimate_step(
    words: Words,
    parts: EstimateParts<'_>,
    sheet: &EstimateSummary,
    chosen: Option<RoofMaterial>,
    roof: Option<(&RoofFound, BuildingSet)>,
) -> EstimateStep {
    let picked = roof.map(|(roof, of)| Picked { roof, chosen: Some(of), priced: true, unit: None });
    let pane = found::<Node>(words, picked, Detail::Areas, Some(view::facts(words, sheet)));
    let EstimateParts { widget, settings, lead } = parts;
    let company = widget.company_name.as_str();
    let asked = lead.and_then(|lead| taps(words, settings, widget, lead));
    let honest = note::<Node>("sh-note", INFO, w::NOTE.at(0), words.fill(w::NOTE.at(1), &[("company", company)]));
    EstimateStep {
        heading: words.fill(w::ESTIMATE_FOR, &[("street", &sheet.street)]),
        prices: sheet.prices.iter().map(|price| row(words, settings, sheet, price)).collect(),
        chosen: chosen.and_then(|m| sheet.prices.iter().position(|p| p.material == m)).unwrap_or(0) as u32,
        above: part(view::assumed::<Node>(words, sheet).into_iter().chain(view::flags::<Node>(sheet)), words),
        middle: part(asked.into_iter().chain(included(words, settings, company)), words),
        below: part(credentials(words, settings).into_iter().chain([view::measured(words, sheet), honest]), words),
        pane: part(pane, words),
    }
}

fn row(words: Words, settings: &WidgetSettings, sheet: &EstimateSummary, of: &MaterialPrice) -> PriceRow {
    PriceRow {
        material: of.material,
        value: of.cost.dollars(),
        price: part(view::price::<Node>(words, sheet, of), words),
        row: part(view::choice(Node::new("span"), words, of).inside(), words),
        monthly: part(monthly(words, settings, of.cost), words),
        said: words.fill(
            w::PRICE_SAID,
            &[
                ("material", &words[named(of).0]),
                ("price", &dollars(of.cost)),
                ("low", &dollars(of.low)),
                ("high", &dollars(of.high)),
            ],
        ),
    }
}
