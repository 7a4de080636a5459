//! Which of the three texts fits the offer. Nothing of a person enters.

use shingle_domain::area::{Area, Figure};

use super::{owner_share, sound};

pub const CLIMATE: &str = "Open with the environment: clean power from the own roof replaces some of the most \
    carbon-heavy electricity in the country. Bring in the costs once that is understood.";
pub const ECONOMIC: &str = "Open with the numbers: what the roof can earn at today's power price, which incentives \
    still exist, and how much independence from the utility it buys. Mention clean energy as the bonus.";
pub const NEUTRAL: &str = "Give both sides the same room: what solar may save and what it does for the climate. \
    Let the homeowner say which of the two matters.";

const GOOD_ECONOMICS: f64 = 0.6;
const DEAR_POWER: f64 = 1.25;
const DIRTY_GRID: f64 = 1.15;

pub(super) struct Offer<'a> {
    /// The sub-score.
    pub economics: Option<f64>,
    pub area: &'a Area,
    /// Nothing is known of the home itself.
    pub area_only: bool,
}

pub(super) struct Attitude {
    pub text: &'static str,
    /// What was read to choose it.
    pub figures: Vec<Figure>,
}

pub(super) fn of(offer: &Offer<'_>) -> Attitude {
    let area = offer.area;
    let missing =
        offer.economics.is_none() || owner_share(area).is_none() || sound(area.sun.adoption_percentile).is_none();
    if offer.area_only && missing {
        return Attitude { text: NEUTRAL, figures: Vec::new() };
    }
    let prices = [sound(area.prices.electricity_per_kwh), sound(area.prices.us_electricity_per_kwh)];
    let grids = [sound(area.grid.co2e_lb_per_mwh), sound(area.grid.us_co2e_lb_per_mwh)];
    let text = if offer.economics.is_some_and(|e| e >= GOOD_ECONOMICS) || exceeds(prices, DEAR_POWER) {
        ECONOMIC
    } else if exceeds(grids, DIRTY_GRID) {
        CLIMATE
    } else {
        NEUTRAL
    };
    Attitude { text, figures: prices.into_iter().chain(grids).flatten().collect() }
}

/// Whether the first is at least so many times the second.
fn exceeds([here, nation]: [Option<Figure>; 2], times: f64) -> bool {
    here.zip(nation).is_some_and(|(here, nation)| nation.value > 0.0 && here.value >= times * nation.value)
}
