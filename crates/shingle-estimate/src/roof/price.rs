//! Squares times price, and the range around it.

use shingle_domain::lead::MaterialPrice;
use shingle_domain::money::Usd;
use shingle_domain::roof::{PriceTable, RoofMaterial};

use super::checks::any_raised;
use super::measure::RoofMeasure;

/// What a square costs: the reference table, moved to the operator's own price of asphalt.
#[derive(Debug, Clone, Copy)]
pub struct PriceTerms<'a> {
    pub table: &'a PriceTable,
    /// The operator's (or caller's) installed price of asphalt shingle.
    pub asphalt_override: Option<Usd>,
}

impl PriceTerms<'_> {
    /// USD per square. With an override, other materials keep the table's ratio to asphalt, in whole dollars.
    pub fn price(&self, material: RoofMaterial) -> Usd {
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

/// Hundredths of a square times a price: the sum can be done again on paper.
pub(crate) fn cost(hundredths: u32, price: Usd) -> Usd {
    Usd::from_cents(rounded(i128::from(price.cents()) * i128::from(hundredths), 100))
}

fn rounded(dividend: i128, divisor: i128) -> i64 {
    i64::try_from((dividend + divisor / 2) / divisor).unwrap_or(i64::MAX)
}

/// How far below and above its middle a price may lie, as shares of it.
///
/// Without a flag 10 % each way, with any flag 20 % below and 30 % above; in both cases at least as wide
/// as the eight-in-ten range of the measure's own error (1.28 sigma).
fn spread(measure: &RoofMeasure) -> (f64, f64) {
    const EIGHT_IN_TEN: f64 = 1.28;
    let own = EIGHT_IN_TEN * measure.sigma;
    let (low, high): (f64, f64) = if any_raised(measure.alerts) { (0.20, 0.30) } else { (0.10, 0.10) };
    (low.max(own), high.max(own))
}

/// The line of one material: ends rounded to 100 USD, never past the middle.
pub(crate) fn line(measure: &RoofMeasure, squares_tenths: u32, material: RoofMaterial, price: Usd) -> MaterialPrice {
    let cost = cost(squares_tenths * 10, price);
    let (below, above) = spread(measure);
    let hundreds = |dollars: f64| Usd::from_f64((dollars / 100.0).round() * 100.0);
    MaterialPrice {
        material,
        price_per_square: price,
        cost,
        low: hundreds(cost.dollars() * (1.0 - below)).min(cost),
        high: hundreds(cost.dollars() * (1.0 + above)).max(cost),
    }
}
