//! Squares times price, and the range around it.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::money::Usd;
use shingle_domain::roof::{Complexity, PriceTable, RoofMaterial};
use shingle_domain::settings::OwnPrices;
use shingle_domain::utility::Interval;

use super::measure::RoofMeasure;
use super::width;

/// Prices per square: the contractor's own; the others from the reference table, scaled to their price of asphalt.
#[derive(Debug, Clone, Copy)]
pub struct PriceTerms<'a> {
    pub table: &'a PriceTable,
    /// The operator's (or caller's) installed price of asphalt shingle.
    pub asphalt_override: Option<Usd>,
    /// Those of the other materials.
    pub own: OwnPrices,
}

impl PriceTerms<'_> {
    /// USD per square. With an override, other materials keep the table's ratio to asphalt, in whole dollars.
    pub fn price(&self, material: RoofMaterial) -> Usd {
        if let Some(own) = self.own.of(material) {
            return own;
        }
        let listed = self.table.price(material);
        let asphalt = self.table.price(RoofMaterial::AsphaltShingle);
        match self.asphalt_override {
            Some(own) if material == RoofMaterial::AsphaltShingle => own,
            Some(own) if own != asphalt => {
                let cents = i128::from(own.cents()) * i128::from(listed.cents());
                let dollars = rounded(cents, i128::from(asphalt.cents()) * 100).max(1);
                Usd::from_dollars(dollars)
            }
            _ => listed,
        }
    }
}

/// Hundredths of a square times a price, so that the cost can be checked by hand.
pub(crate) fn cost(hundredths: u32, price: Usd) -> Usd {
    Usd::from_cents(rounded(i128::from(price.cents()) * i128::from(hundredths), 100))
}

fn rounded(dividend: i128, divisor: i128) -> i64 {
    i64::try_from((dividend + divisor / 2) / divisor).unwrap_or(i64::MAX)
}

/// What to order: the roof and the usual waste. It is not part of the estimate, because a price per square includes it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderQuantity {
    /// Usual waste, in percent: 10 for a simple roof, 13 for an average one, 18 for a complex one. Example: `13`
    pub waste_percent: u32,
    /// Squares of 100 square feet, waste included, rounded up to a hundredth. Example: `28.03`
    pub squares: f64,
}

/// Published ranges of waste are 10 to 12 % for simple gables and 15 to 20 % for hips with valleys and dormers. A
/// roof of unknown complexity counts as an average one.
pub fn order_quantity(measure: &RoofMeasure) -> OrderQuantity {
    let waste_percent = match measure.complexity {
        Some(Complexity::Simple) => 10,
        Some(Complexity::Average) | None => 13,
        Some(Complexity::Complex) => 18,
    };
    let hundredths = (u64::from(measure.area_sqft) * u64::from(100 + waste_percent)).div_ceil(100);
    OrderQuantity { waste_percent, squares: hundredths as f64 / 100.0 }
}

/// For `include=range`: how far size and cost may lie from the estimate, and what to order. The size by the error of its
/// evidence: 51 surveyed roofs; an assumed pitch fitted on 23 roofs of one European city, where it held 22 of 23 others; eaves
/// of a wall outline and recorded flat roofs are judged, and so is how far roofers' prices differ. Not tested on invoices.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoofRange {
    /// Of the area along the slope, in square feet; an assumed pitch may be flat, or steeper than usual.
    pub area: Interval<u32>,
    /// Of the cost, in US dollars, with ends rounded to 100; widened where a check raised a flag.
    pub cost: Interval<Usd>,
    /// What to order.
    pub order: OrderQuantity,
}

/// `price` is in USD per square.
pub fn range(measure: &RoofMeasure, price: Usd) -> RoofRange {
    let area = |factor: f64| (f64::from(measure.area_sqft) * factor).round() as u32;
    let (size, price_width) = (width::of_area(measure), width::of_price(measure));
    let cost = cost(measure.area_sqft, price);
    RoofRange {
        area: Interval { low: area((1.0 - size.below).max(0.0)), high: area(1.0 + size.above) },
        cost: Interval {
            low: hundreds(cost, 1.0 - price_width.below).min(cost),
            high: hundreds(cost, 1.0 + price_width.above).max(cost),
        },
        order: order_quantity(measure),
    }
}

fn hundreds(cost: Usd, factor: f64) -> Usd {
    Usd::from_f64((cost.dollars() * factor / 100.0).round() * 100.0)
}

/// The price of one material: ends of the range rounded to 100 USD, never beyond the cost itself, never below the minimum.
pub(crate) fn material_price(
    measure: &RoofMeasure,
    squares_tenths: u32,
    material: RoofMaterial,
    terms: &PriceTerms<'_>,
) -> MaterialPrice {
    let price = terms.price(material);
    let cost = cost(squares_tenths * 10, price);
    let width = width::of_price(measure);
    MaterialPrice {
        material,
        price_per_square: price,
        cost,
        low: hundreds(cost, 1.0 - width.below).min(cost),
        high: hundreds(cost, 1.0 + width.above).max(cost),
        minimum: None,
    }
    .at_least(terms.own.minimum)
}
