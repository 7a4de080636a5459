//! The five components of the index: each 0 to 1, with its weight and its reason.

use shingle_domain::Evidence;
use shingle_domain::area::Area;

use super::component::Component;
use super::roof;
use crate::figures::{describe, owner_share, usable};
use crate::household::{DwellingKind, Household};

pub(super) const ECONOMICS: &str = "economics";

/// USD a year from 1 kW of panels: hardly worth it, and the best on the mainland.
const MIN_YIELD_USD: f64 = 120.0;
const MAX_YIELD_USD: f64 = 480.0;

pub(super) fn known(evidence: &Evidence, home: &Household) -> Vec<Component> {
    let area = &evidence.area;
    let components = [
        economics(area),
        Some(occupancy(area, home)),
        roof::component(evidence),
        adoption(area),
        value_and_tenure(evidence, home),
    ];
    components.into_iter().flatten().collect()
}

fn economics(area: &Area) -> Option<Component> {
    let kwh = usable(area.sun.kwh_per_kw_year)?;
    let price = usable(area.prices.electricity_per_kwh)?;
    let year = kwh.value * price.value;
    let score = if year <= MIN_YIELD_USD {
        0.0
    } else {
        ((libm::log(year) - libm::log(MIN_YIELD_USD)) / (libm::log(MAX_YIELD_USD) - libm::log(MIN_YIELD_USD))).min(1.0)
    };
    let because = format!(
        "{:.0} kWh a year from 1 kW ({}) at {:.4} USD per kWh ({}) are {year:.2} USD, on a scale by ratio from 120 to 480",
        kwh.value,
        describe(&kwh),
        price.value,
        describe(&price),
    );
    Some(Component { name: ECONOMICS, weight: 0.40, score, because, figures: vec![kwh, price], guessed: false })
}

fn occupancy(area: &Area, home: &Household) -> Component {
    let mut figures = Vec::new();
    let mut guessed = false;
    let (score, because) = match (home.kind, home.owner_occupied) {
        (Some(DwellingKind::Condominium | DwellingKind::FiveOrMoreUnits), _) => {
            (0.1, "a condominium or a house of five and more units has no roof of one household's own".to_owned())
        }
        (_, Some(false)) => (0.1, "the owner lives elsewhere".into()),
        (Some(DwellingKind::SingleFamily), Some(true)) => (1.0, "a single-family house its owner lives in".into()),
        (Some(DwellingKind::TwoToFourUnits), Some(true)) => (0.6, "two to four units, the owner lives in one".into()),
        (Some(DwellingKind::MobileHome | DwellingKind::Mixed), Some(true)) => {
            (0.6, "a mobile home or a mixed use, the owner lives there".into())
        }
        (None, Some(true)) => (0.8, "the owner lives there; the kind of home is not on record".into()),
        (kind, None) => {
            let max = match kind {
                Some(DwellingKind::TwoToFourUnits | DwellingKind::MobileHome | DwellingKind::Mixed) => 0.6,
                _ => 1.0,
            };
            match owner_share(area) {
                Some(share) => {
                    figures.push(share);
                    let because = format!(
                        "nobody says whether the owner lives there; {:.0} % of homes around are their owners' ({})",
                        share.value * 100.0,
                        describe(&share)
                    );
                    (share.value.min(max), because)
                }
                None => {
                    guessed = true;
                    (0.5, "nobody says whether the owner lives there".into())
                }
            }
        }
    };
    Component { name: "occupancy", weight: 0.20, score, because, figures, guessed }
}

fn adoption(area: &Area) -> Option<Component> {
    let figure = usable(area.sun.adoption_percentile).filter(|f| f.value <= 1.0)?;
    let because = format!(
        "the state has more panels per owner household than {:.0} % of states ({})",
        figure.value * 100.0,
        describe(&figure)
    );
    Some(Component {
        name: "adoption",
        weight: 0.15,
        score: figure.value,
        because,
        figures: vec![figure],
        guessed: false,
    })
}

fn value_and_tenure(evidence: &Evidence, home: &Household) -> Option<Component> {
    let mut scores = Vec::new();
    let mut words = Vec::new();
    let mut figures = Vec::new();
    if let Some((ratio, median)) = home.value_ratio(evidence).zip(evidence.area.homes.median_value) {
        scores.push(libm::log(ratio.clamp(0.5, 2.0) / 0.5) / libm::log(4.0));
        words.push(format!(
            "assessed at {ratio:.2} times the median home, {:.0} USD ({})",
            median.value,
            describe(&median)
        ));
        figures.push(median);
    }
    if let Some(years) = home.tenure {
        scores.push(match years {
            y if y < 2.0 => 0.5,
            y if y <= 15.0 => 1.0,
            y if y <= 30.0 => 0.7,
            _ => 0.5,
        });
        words.push(format!("{years:.1} years since the last sale"));
    }
    let score = scores.iter().sum::<f64>() / scores.len() as f64;
    let because = words.join("; ");
    (!scores.is_empty()).then_some(Component {
        name: "valueAndTenure",
        weight: 0.10,
        score,
        because,
        figures,
        guessed: false,
    })
}
