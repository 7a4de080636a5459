//! # Buyer insights: stated priors of a household's interest in work on its home
//!
//! **What this is not.** It is no consumer report and nothing in it bears on anyone's credit: no credit data
//! goes in. The scores are **uncalibrated stated priors**, points that people chose, until an operator fits
//! [`crate::calibration`] to outcomes of their own. They must not be used for eligibility, for pricing of credit or
//! for prescreening, nor to offer anyone other terms than their neighbor. The product is off by default for
//! every account. Let a lawyer confirm the use (FCRA, ECOA and Regulation B, Fair Housing Act).
//!
//! **What goes in.** The property's record (years owned, who lives there, age, size, assessed value, last price, grade,
//! walls and roof, permits, a published tax arrears flag) and three figures of the area (median home
//! value, shares of owners and of single-family houses, where the state stands in panels). The type of the
//! evidence has no field for race, ethnicity, religion, national origin, sex, marital status, age, children,
//! disability, language, income, schooling, crime or credit, so no formula can read one; a test checks
//! that. Names are read for what kind of owner they are (a person, a trust, an organization), never for themselves:
//! a test renames every owner and expects the same scores. A second owner says nothing about marriage and
//! is not read.
//!
//! **Minimum evidence.** A score needs at least two of: occupancy, the last sale's date, its price, the value, age,
//! size, materials, grade, kind, permits, tax status, the area's panels. With fewer it is null. So a score of 1 of a
//! style ("unknown") is never given: what is not known is null.
//!
//! **Equity.** `1 − (price × 0.8 × (1 − years/30)) / value`, within 0 to 1: a usual mortgage of 80 % paid off in a
//! straight line over 30 years. The value is the assessed one or, if more, the price. The price is not indexed:
//! a debt does not grow with the market. Token prices (up to 100 USD, or under a tenth of the value within 15
//! years) are no prices; then years owned decide: 15 and more 0.7, 5 and more 0.5, else 0.3.
//!
//! **Pay** (1 to 5) `= 3 ± 0.5 (owner lives there, or elsewhere) + 2 (equity − 0.4) + 0.5 (owned 10 years and more) − 0.5
//! (under 1) − 1.5 (published tax arrears)`, rounded. At least 2 unless tax arrears are published: nothing else
//! on a deed speaks against anybody. Where only the area is known it is 3, or null.
//!
//! **Elevate** (1 to 10) `= 1 + 9 / (1 + e^−z)`, `z = −0.4 + 0.8 (owner lives there) + 0.6 (roof or house 20 to 40 years
//! old) + 0.4 (older) + 0.5 (owned 1 to 3 or 10 to 25 years) + 0.6 equity + 0.5 (any permit in 5 years) − 0.8 (a roof permit
//! in 10)`, rounded. A roof permit gives the roof's age, else the house's counts. The sum never falls under 3.
//! 1 and 2 are given by rule, not by sum: 1 when the record says that no structure stands there, 2 when it contradicts
//! that anyone living there owns it: the owner is an organization (no trust) and no exemption for residents is
//! recorded. A person who owns from elsewhere is no such contradiction: landlords have roofs done.
//!
//! **Styles** (2 to 10) `= 5 + x`, rounded half up:
//!
//! | style | x |
//! |---|---|
//! | savvy shopper | +1.5 paid below the ZIP's median within 10 years; +1 owned over 10 years; +0.5 over 40 years old and a permit in 15 |
//! | brand loyalist | +2 owned over 15 years; +1 took one contractor twice |
//! | trendsetter | +2 solar, charger or heat-pump permit; +1 built after 2010; +1 state in the top fifth for panels |
//! | budget-savvy | +1.5 value under 0.8 of the median, −1 over 1.5; +1 under 1,400 sq ft |
//! | quality first | +2 value over 1.3 of the median; +1 slate, tile, metal or copper roof or masonry walls; +1 grade above average |
//! | impulse | nothing on a deed speaks for it: null, and the firm's own rate (from 5) once calibrated |
//! | popular picks | +1 value within 20 % of the median; +1 the area's usual kind of home under asphalt |
//!
//! No table says which roof is usual in a ZIP; asphalt is in the whole country. A price of long ago is not held
//! against a median of today.
//!
//! **Exclusions and accuracy.** Not residential, or records that contradict each other on whether a building stands
//! there: all null. No structure: elevate 1, the rest null. `P`: the record was
//! matched exactly, a person is named as owner and lives there. `A`: matched exactly, but the owner is a trust or an
//! organization, unnamed, lives elsewhere, or nobody says. `G`: no record of the home, or the address was matched
//! approximately, when the record is not used. `N`: nothing, and wherever no score is given.
//!
//! **Measured error.** None: nobody has checked these points against what households did, and area figures (rank
//! correlations of 0.4 to 0.6 with panels by ZIP, in [`crate::solar`]) say nothing of one household. **What it
//! does not know:** means, plans, taste, health, debts, the roof's state; work done without a permit; sales by
//! will or within a family at a full price; assessments that are a legal fraction of the market.
//!
//! **Sources.** Points as stated in our research; assessor's records and permits as imported; Census ACS 2022 for the
//! area; EIA for panels by state.
//!
//! # Decision
//!
//! `accuracyCode` is N when no score is given: it describes the person a score is about.

mod elevate;
mod equity;
mod hacks;
mod pay;
mod scoring;
mod styles;

use shingle_domain::details::AccuracyCode;
use shingle_domain::{Evidence, Timestamp};

use crate::calibration::{Calibration, Score};
use crate::household::Household;
use crate::owner::OwnerKind;
use equity::equity;
use scoring::ScoreCollector;

pub use hacks::sales_hacks;
pub use scoring::BuyerEstimate;

/// The buyer scores of what is known at `now`, as stated or, where the operator has calibrated one, by that map.
pub fn buyer_scores(evidence: Option<&Evidence>, now: Timestamp, calibration: Option<&Calibration>) -> BuyerEstimate {
    let Some(evidence) = evidence else { return ScoreCollector::new(None).answer(AccuracyCode::N, NO_PLACE) };
    let home = Household::of(evidence, now);
    let code = accuracy(&home);
    let mut collector = ScoreCollector::new(calibration);
    if home.is_not_residential() {
        return collector.answer(code, "The property is not residential: no scores.");
    }
    if home.has_contradictory_structure() {
        let why = "The records contradict each other on whether a building stands there: no scores.";
        return collector.answer(code, why);
    }
    if home.has_no_structure() {
        let because = "the record says that no structure stands there";
        collector.fixed(Score::Elevate, 1, "structure", because.into(), &[]);
        return collector.answer(code, NO_PLACE);
    }
    if !home.recorded {
        pay::of_area(evidence, &mut collector);
        return collector.answer(code, "Nothing is on record of the home, and too little of its area: no scores.");
    }
    let equity = equity(&home);
    pay::of_home(&home, equity, &mut collector);
    elevate::of_home(&home, equity, &mut collector);
    styles::of_home(evidence, &home, &mut collector);
    collector.answer(code, "Too little is on record of the home for a score.")
}

const NO_PLACE: &str = "The address is not known: no scores.";

fn accuracy(home: &Household) -> AccuracyCode {
    match (home.recorded, home.owner, home.owner_occupied) {
        (false, ..) => AccuracyCode::G,
        (true, Some(OwnerKind::Person), Some(true)) => AccuracyCode::P,
        (true, ..) => AccuracyCode::A,
    }
}
