//! # The solar index: how well a home and its place suit rooftop solar, 0 to 10
//!
//! **The formula.** Five components, each from 0 to 1, weighted and renormalised over what is known:
//! `index = 10 × Σ w·s / Σ w (+ incentive)`, clamped to 0 to 10 and rounded to two decimals, half up.
//!
//! | component | weight | score |
//! |---|---|---|
//! | `economics` | 0.40 | `(ln v − ln 120) / (ln 480 − ln 120)`, clamped; `v` = kWh a year from 1 kW facing the best way × USD per kWh |
//! | `occupancy` | 0.20 | owner living there: single family 1, 2 to 4 units, mobile and mixed 0.6, kind unknown 0.8; owner elsewhere 0.1; condominium or 5 and more units 0.1; occupancy unknown: the ZIP's share of owners (at most 0.6 where the kind is), else 0.5 |
//! | `roof` | 0.15 | size × facing × pitch: `area / 1,200 sq ft` up to 1; facing of the best large plane, S 1, SE and SW 0.96, E and W 0.85, N 0.65, in straight lines between them, flat 0.9, unknown 0.94; mean pitch below 10° 0.9, above 45° 0.7, else 1 |
//! | `adoption` | 0.15 | where the state stands among the states in residential panels per owner household |
//! | `valueAndTenure` | 0.10 | mean of what is known of: `ln(r/0.5)/ln 4`, `r` = assessed value over the ZIP's median within 0.5 to 2; years since the sale: 2 to 15 1, up to 30 0.7, else 0.5 |
//!
//! A plane is large from 200 sq ft along the slope (some 4 kW of panels); a roof without one counts its
//! largest. 0.94 is the mean of the best facing of a gable whose ridge may run any way. A value at the ZIP's
//! median counts 0.5: half and double are equally far. At least half of the weight must be known, the bare
//! 0.5 of an unknown occupancy not counted; less is no index.
//!
//! **Fit.** On the rounded index: 8.33 and more Ideal, 5.00 and more Moderate, else Weak: 8.325 rounds to 8.33
//! and is Ideal, 4.995 rounds to 5.00 and is Moderate.
//!
//! **Gates.** No structure, records that contradict each other on it, or a use that is not residential: no index. A solar permit leaves the index as it is,
//! which speaks of the place, and says so in the notes.
//!
//! **Incentives.** An operator's table may add 0 to 0.5 points for full retail net metering or a state's grant.
//! No payback is worked out: the federal residential credit (section 25D) ended for spending after 2025, and
//! tables made before that are wrong now.
//!
//! **Attitude.** A rule about the offer, not about the person: the economic text where economics is 0.6 or
//! more or power costs 1.25 times the nation's price; else the climate text where the grid emits 1.15 times the
//! nation's CO2e per MWh; else the neutral one, and always where only the area is known and one of its
//! own components (economics, the share of owners, adoption) is missing.
//!
//! **Accuracy.** `P`: the parcel's record was matched exactly, names its owner, and nothing says the owner lives
//! elsewhere. `A`: matched exactly, but the owner lives elsewhere, is an organization, or is not named. `G`: only the
//! area speaks (no assessor's record, or the address was matched approximately, when the matched record is left
//! out). `N`: nothing.
//!
//! **Measured, by area only.** Over the 10,497 ZIPs with a published yield, an owner-occupied house under a roof of 0.8 gets
//! 5.3, 6.9 and 9.6 (lowest twentieth, median, highest twentieth): 20 % Ideal, 80 % Moderate, 0.2 % Weak; state medians run
//! from 4.5 (ND) to 9.7 (HI). Where only the ZIP is known 11 % are Ideal, 59 % Moderate, 30 % Weak. Against the panels that
//! Project Sunroof counted per suitable building in 9,394 ZIPs, that area-only index has a rank correlation
//! (Spearman) of 0.45, economics alone 0.39; its adoption component partly measures the same thing. The ZIP's home value against
//! the nation's would lift it to 0.54 and is left out on purpose: it stands in for income. A regression with home value,
//! trained on half of the states, reached 0.56 on the other half.
//!
//! **What it does not know.** No household was ever checked against it: the weights are stated, not fitted.
//! Shade, the age of the roof, the panel a circuit needs, the homeowners' association, tariffs by the hour, net
//! metering rules, and whether anyone wants panels. An assessor's value may be a legal fraction of the
//! market's, which the ratio to the ZIP's median cannot see. ZIP figures are of 2022, prices of 2026.
//!
//! **Sources.** Google Project Sunroof (yield, counted panels), EIA (prices, residential PV), EPA eGRID
//! (emissions), Census ACS 2022 (owners, home values); adopters' traits after Berkeley Lab's solar adopter reports,
//! of which only physical ones and those of the property are used.

mod attitude;
mod component;
mod components;
mod roof;

use shingle_domain::area::{Figure, Table};
use shingle_domain::details::{AccuracyCode, Reason};
use shingle_domain::evidence::PermitKind;
use shingle_domain::solar::{FitLevel, SolarIndex};
use shingle_domain::{Evidence, Timestamp};

use crate::figures;
use crate::household::Household;
use crate::owner::OwnerKind;
use component::FIELD;

pub use attitude::{CLIMATE, ECONOMIC, NEUTRAL};

/// Of a total weight of 1. With less, the index would be a guess.
const MIN_KNOWN_WEIGHT: f64 = 0.5;
const MAX_INCENTIVE: f64 = 0.5;
const MIN_IDEAL_INDEX: f64 = 8.33;
const MIN_MODERATE_INDEX: f64 = 5.0;

/// The index and the reasons for it.
#[derive(Debug, Clone, PartialEq)]
pub struct SolarEstimate {
    pub index: SolarIndex,
    /// One for every known component: their points add up to the index, before rounding and clamping.
    pub reasons: Vec<Reason>,
    /// What a reader should know about the number.
    pub notes: Vec<String>,
    /// Tables that were read, in the order of [`Table::ALL`], each once.
    pub tables: Vec<Table>,
}

/// The solar index of what is known at `now`.
pub fn solar_index(evidence: Option<&Evidence>, now: Timestamp) -> SolarEstimate {
    let Some(evidence) = evidence else { return SolarEstimate::nothing(Vec::new()) };
    let home = Household::of(evidence, now);
    let code = accuracy(&home);
    if home.is_not_residential() {
        return SolarEstimate::nothing(vec!["The property is not residential: no index.".into()]);
    }
    if home.has_no_structure() {
        return SolarEstimate::nothing(vec!["No structure stands there: no index.".into()]);
    }
    if home.has_contradictory_structure() {
        let note = "The records contradict each other on whether a building stands there: no index.";
        return SolarEstimate::nothing(vec![note.into()]);
    }
    let area = &evidence.area;
    let components = components::known(evidence, &home);
    let weight: f64 = components.iter().map(|p| p.weight).sum();
    let certain: f64 = components.iter().filter(|p| !p.guessed).map(|p| p.weight).sum();
    if certain < MIN_KNOWN_WEIGHT {
        return SolarEstimate::nothing(vec!["Too little is known of the place for an index.".into()]);
    }
    let incentive = area.sun.incentive.filter(|f| f.value > 0.0);
    let mut reasons: Vec<Reason> = components.iter().map(|p| p.reason(weight)).collect();
    reasons.extend(incentive.map(reason_of_incentive));
    let index = rounded(reasons.iter().map(|r| r.points).sum());
    let attitude = attitude::of(&attitude::AttitudeInputs {
        economics: components.iter().find(|p| p.name == components::ECONOMICS).map(|p| p.score),
        area,
        area_only: code == AccuracyCode::G,
    });
    let read: Vec<Figure> =
        components.iter().flat_map(|p| p.figures.iter().copied()).chain(incentive).chain(attitude.figures).collect();
    SolarEstimate {
        index: SolarIndex {
            solar_index: Some(index),
            prospect_fit_level: Some(fit(index)),
            prospect_attitude: Some(attitude.text),
            accuracy_code: code,
        },
        reasons,
        notes: notes(&home, &read),
        tables: figures::tables(&read),
    }
}

impl SolarEstimate {
    /// A code without an index would say whom no index is of.
    fn nothing(notes: Vec<String>) -> Self {
        let accuracy_code = AccuracyCode::N;
        let index = SolarIndex { solar_index: None, prospect_fit_level: None, prospect_attitude: None, accuracy_code };
        Self { index, reasons: Vec::new(), notes, tables: Vec::new() }
    }
}

fn accuracy(home: &Household) -> AccuracyCode {
    match (home.recorded, home.owner, home.owner_occupied) {
        (false, ..) => AccuracyCode::G,
        (true, None | Some(OwnerKind::Organisation), _) | (true, _, Some(false)) => AccuracyCode::A,
        (true, Some(OwnerKind::Person | OwnerKind::Trust), Some(true) | None) => AccuracyCode::P,
    }
}

/// Two decimals, half up, within 0 to 10. Sums that should end in 5 may be slightly below it.
pub(crate) fn rounded(index: f64) -> f64 {
    ((index.clamp(0.0, 10.0) * 100.0 + 0.5 + 1e-7).floor() / 100.0).min(10.0)
}

/// The level of a rounded index.
pub fn fit(index: f64) -> FitLevel {
    if index >= MIN_IDEAL_INDEX {
        FitLevel::Ideal
    } else if index >= MIN_MODERATE_INDEX {
        FitLevel::Moderate
    } else {
        FitLevel::Weak
    }
}

fn reason_of_incentive(figure: Figure) -> Reason {
    let points = figure.value.min(MAX_INCENTIVE);
    let because = format!("{points:.2} points for net metering and state incentives ({})", figures::describe(&figure));
    Reason { field: FIELD, part: "incentive", points, weight: None, because }
}

fn notes(home: &Household, read: &[Figure]) -> Vec<String> {
    let mut notes = Vec::new();
    if home.newest_permit(|kind| kind == PermitKind::Solar).is_some() {
        notes.push("Already has PV: a solar permit is on record. The index speaks of the place all the same.".into());
    }
    let mut doubtful: Vec<Table> = read.iter().filter(|f| f.placeholder).map(|f| f.table).collect();
    doubtful.sort_unstable();
    doubtful.dedup();
    notes.extend(doubtful.into_iter().map(|table| {
        format!("A figure of the table {} is a placeholder: nobody publishes it for this place.", table.as_str())
    }));
    notes.push("No payback is given: the federal 25D credit ended for spending after 2025-12-31.".into());
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_is_decided_on_the_rounded_index() {
        for (sum, index, level) in [
            (8.325, 8.33, FitLevel::Ideal),
            (8.3249, 8.32, FitLevel::Moderate),
            (4.995, 5.0, FitLevel::Moderate),
            (4.9949, 4.99, FitLevel::Weak),
            (10.4, 10.0, FitLevel::Ideal),
            (-0.1, 0.0, FitLevel::Weak),
        ] {
            assert_eq!(rounded(sum), index, "{sum}");
            assert_eq!(fit(rounded(sum)), level, "{sum}");
        }
    }
}
