//! Squares times price, and the range around it.

use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::lead::{MaterialPrice, PricePart, RoofWork};
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

impl<'a> PriceTerms<'a> {
    /// Those of a look-up, and the price of a square of its material: the caller's, or the table's. What a caller pays more
    /// for the material it also pays more for the rest.
    pub fn of_look_up(table: &'a PriceTable, material: RoofMaterial, installed_price: Option<Usd>) -> (Self, Usd) {
        let listed = table.price(material);
        let asphalt_override = installed_price.map(|own| {
            let asphalt = table.price(RoofMaterial::AsphaltShingle);
            let product = i128::from(own.cents()) * i128::from(asphalt.cents());
            Usd::from_cents(rounded(product, i128::from(listed.cents())))
        });
        let terms = Self { table, asphalt_override, own: OwnPrices::default() };
        (terms, installed_price.unwrap_or(listed))
    }

    /// USD per square. With an override, other materials keep the table's ratio to asphalt, in whole dollars.
    pub fn price(&self, material: RoofMaterial) -> Usd {
        if let Some(own) = self.own.of(material) {
            return own;
        }
        let listed = self.table.price(material);
        match self.asphalt_override {
            Some(own) if material == RoofMaterial::AsphaltShingle => own,
            _ => self.scaled(listed),
        }
    }

    /// USD per square of a work; `None` where it costs nothing of its own. `covering` is the price of the material.
    pub fn of_work(&self, work: RoofWork, covering: Usd) -> Option<Usd> {
        match work {
            RoofWork::LowSlope => {
                Some(self.own.low_slope.unwrap_or_else(|| self.scaled(self.table.low_slope().per_square)))
            }
            RoofWork::Covering => Some(covering),
            RoofWork::Steep => self.own.steep,
            RoofWork::VerySteep => self.own.very_steep.or(self.own.steep),
            RoofWork::TwoStories => self.own.two_stories,
            RoofWork::ThreeStories => self.own.three_stories.or(self.own.two_stories),
        }
    }

    /// What was shown of a roof of this size, at these prices; `None` where they are the same.
    pub fn again(&self, area_sqft: u32, shown: &MaterialPrice) -> Option<MaterialPrice> {
        let covering = self.price(shown.material);
        // What costs nothing more today stays in the list, so that the sum can be compared.
        let price = |work| self.of_work(work, covering).unwrap_or(Usd::from_cents(0));
        let parts: Vec<PricePart> = shown
            .parts
            .iter()
            .map(|part| {
                let price_per_square = price(part.work);
                PricePart { price_per_square, cost: cost(part.roof_area, price_per_square), ..*part }
            })
            .collect();
        if covering == shown.price_per_square && parts == shown.parts {
            return None;
        }
        let sum = if parts.is_empty() { cost(area_sqft, covering) } else { total(&parts) };
        let before = if parts.is_empty() { cost(area_sqft, shown.price_per_square) } else { total(&shown.parts) };
        let at_today = |end: Usd| {
            let product = i128::from(end.cents()) * i128::from(sum.cents());
            Usd::from_cents(rounded(product, i128::from(before.cents().max(1))))
        };
        let again = MaterialPrice {
            material: shown.material,
            price_per_square: covering,
            cost: sum,
            low: at_today(shown.low).min(sum),
            high: at_today(shown.high).max(sum),
            minimum: None,
            parts,
        };
        Some(again.at_least(self.own.minimum))
    }

    /// `covering` is the price of the material.
    pub(crate) fn sum(&self, measure: &RoofMeasure, covering: Usd) -> Sum {
        let parts = RoofWork::ALL.into_iter().filter_map(|work| {
            let roof_area = measure.works.area(work, measure.area_sqft);
            let price_per_square = self.of_work(work, covering).filter(|_| roof_area > 0)?;
            Some(PricePart { work, roof_area, price_per_square, cost: cost(roof_area, price_per_square) })
        });
        let parts: Vec<PricePart> = parts.collect();
        if parts.iter().all(|part| part.work == RoofWork::Covering) {
            return Sum { cost: cost(measure.area_sqft, covering), parts: Vec::new() };
        }
        Sum { cost: total(&parts), parts }
    }

    /// A listed price by the ratio of the own price of asphalt to the listed one, in whole dollars.
    fn scaled(&self, listed: Usd) -> Usd {
        let asphalt = self.table.price(RoofMaterial::AsphaltShingle);
        match self.asphalt_override {
            Some(own) if own != asphalt => {
                let cents = i128::from(own.cents()) * i128::from(listed.cents());
                Usd::from_dollars(rounded(cents, i128::from(asphalt.cents()) * 100).max(1))
            }
            _ => listed,
        }
    }
}

/// Hundredths of a square times a price, so that the cost can be checked by hand.
pub(crate) fn cost(hundredths: u32, price: Usd) -> Usd {
    Usd::from_cents(rounded(i128::from(price.cents()) * i128::from(hundredths), 100))
}

/// What a roof costs. Several parts where not all of it has one price; one price has no parts.
pub(crate) struct Sum {
    pub cost: Usd,
    pub parts: Vec<PricePart>,
}

fn total(parts: &[PricePart]) -> Usd {
    parts.iter().fold(Usd::from_cents(0), |sum, part| sum + part.cost)
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
pub(crate) fn waste_percent(complexity: Option<Complexity>) -> u32 {
    match complexity {
        Some(Complexity::Simple) => 10,
        Some(Complexity::Average) | None => 13,
        Some(Complexity::Complex) => 18,
    }
}

pub fn order_quantity(measure: &RoofMeasure) -> OrderQuantity {
    let waste_percent = waste_percent(measure.complexity);
    let hundredths = (u64::from(measure.area_sqft) * u64::from(100 + waste_percent)).div_ceil(100);
    OrderQuantity { waste_percent, squares: hundredths as f64 / 100.0 }
}

/// For `include=range`: how far size and cost may lie from the estimate, and what to order. The size by the error of its
/// evidence: 51 surveyed roofs; an assumed pitch fitted on 23 roofs of one European city, where it held 22 of 23 others; eaves
/// of a wall outline and recorded flat roofs are judged, and so is how far roofers' prices differ. Not tested on invoices.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RoofRange {
    /// Of the area along the slope, in square feet; an assumed pitch may be flat, or steeper than usual.
    pub area: Interval<u32>,
    /// Of the cost, in US dollars, with ends rounded to 100; widened where a check raised a flag.
    pub cost: Interval<Usd>,
    /// What the cost is made of, where the whole roof has not one price. Empty otherwise.
    pub parts: Vec<PricePart>,
    /// What to order.
    pub order: OrderQuantity,
}

/// `price` is that of a square of the material, as the record has it.
pub fn range(measure: &RoofMeasure, material: RoofMaterial, price: Usd, table: &PriceTable) -> RoofRange {
    let (terms, price) = PriceTerms::of_look_up(table, material, Some(price));
    let area = |factor: f64| (f64::from(measure.area_sqft) * factor).round() as u32;
    let (size, price_width) = (width::of_area(measure), width::of_price(measure));
    let Sum { cost, parts } = terms.sum(measure, price);
    RoofRange {
        area: Interval { low: area((1.0 - size.below).max(0.0)), high: area(1.0 + size.above) },
        cost: Interval {
            low: hundreds(cost, 1.0 - price_width.below).min(cost),
            high: hundreds(cost, 1.0 + price_width.above).max(cost),
        },
        parts,
        order: order_quantity(measure),
    }
}

fn hundreds(cost: Usd, factor: f64) -> Usd {
    Usd::from_f64((cost.dollars() * factor / 100.0).round() * 100.0)
}

/// The price of one material: ends of the range rounded to 100 USD, never beyond the cost itself, never below the minimum.
pub(crate) fn material_price(measure: &RoofMeasure, material: RoofMaterial, terms: &PriceTerms<'_>) -> MaterialPrice {
    let sum = terms.sum(measure, terms.price(material));
    let width = width::of_price(measure);
    MaterialPrice {
        material,
        price_per_square: terms.price(material),
        cost: sum.cost,
        low: hundreds(sum.cost, 1.0 - width.below).min(sum.cost),
        high: hundreds(sum.cost, 1.0 + width.above).max(sum.cost),
        minimum: None,
        parts: sum.parts,
    }
    .at_least(terms.own.minimum)
}
