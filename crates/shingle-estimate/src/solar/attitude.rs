//! Which of the three texts fits the offer. No personal data is used.

use shingle_domain::area::{Area, Figure};

use crate::figures::{owner_share, usable};

pub const CLIMATE: &str = "Open with the environment: clean power from the own roof replaces some of the most \
    carbon-heavy electricity in the country. Bring in the costs once that is understood.";
pub const ECONOMIC: &str = "Open with the numbers: what the roof can earn at today's power price, which incentives \
    still exist, and how much independence from the utility it buys. Mention clean energy as the bonus.";
pub const NEUTRAL: &str = "Give both sides the same room: what solar may save and what it does for the climate. \
    Let the homeowner say which of the two matters.";

const MIN_GOOD_ECONOMICS: f64 = 0.6;
const MIN_HIGH_PRICE_RATIO: f64 = 1.25;
const MIN_DIRTY_GRID_RATIO: f64 = 1.15;

pub(super) struct AttitudeInputs<'a> {
    /// The sub-score.
    pub economics: Option<f64>,
    pub area: &'a Area,
    /// Nothing is known of the home itself.
    pub area_only: bool,
}

pub(super) struct Attitude {
    pub text: &'static str,
    /// The figures that decided.
    pub figures: Vec<Figure>,
}

pub(super) fn of(inputs: &AttitudeInputs<'_>) -> Attitude {
    let area = inputs.area;
    let missing =
        inputs.economics.is_none() || owner_share(area).is_none() || usable(area.sun.adoption_percentile).is_none();
    if inputs.area_only && missing {
        return Attitude { text: NEUTRAL, figures: Vec::new() };
    }
    let prices = [usable(area.prices.electricity_per_kwh), usable(area.prices.us_electricity_per_kwh)];
    let grids = [usable(area.grid.co2e_lb_per_mwh), usable(area.grid.us_co2e_lb_per_mwh)];
    let text = if inputs.economics.is_some_and(|e| e >= MIN_GOOD_ECONOMICS) || exceeds(prices, MIN_HIGH_PRICE_RATIO) {
        ECONOMIC
    } else if exceeds(grids, MIN_DIRTY_GRID_RATIO) {
        CLIMATE
    } else {
        NEUTRAL
    };
    Attitude { text, figures: prices.into_iter().chain(grids).flatten().collect() }
}

/// Whether the first is at least `times` the second.
fn exceeds([here, nation]: [Option<Figure>; 2], times: f64) -> bool {
    here.zip(nation).is_some_and(|(here, nation)| nation.value > 0.0 && here.value >= times * nation.value)
}
