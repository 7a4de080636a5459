//! The pay score.

use shingle_domain::Evidence;

use super::equity::Equity;
use super::scoring::{EvidenceKind, ScoreCollector, ScoreSum};
use crate::calibration::Score;
use crate::figures::{describe, owner_share, usable};
use crate::household::Household;

const NEUTRAL: u8 = 3;

pub(super) fn of_home(home: &Household, equity: Option<Equity>, collector: &mut ScoreCollector<'_>) {
    let mut sum = ScoreSum::from(Score::Pay, f64::from(NEUTRAL));
    if let Some(lives_there) = home.owner_occupied {
        let (points, because) =
            if lives_there { (0.5, "the owner lives there") } else { (-0.5, "the owner lives elsewhere") };
        sum.add(&[EvidenceKind::Occupancy], "occupancy", points, because.into());
    }
    sum.equity(equity, |share| (share - 0.4) * 2.0);
    sum.tenure(home, |years| match years {
        y if y >= 10.0 => 0.5,
        y if y < 1.0 => -0.5,
        _ => 0.0,
    });
    if let Some(late) = home.tax_delinquent {
        let (points, because) = if late {
            (-1.5, "the county publishes tax arrears")
        } else {
            (0.0, "the county publishes no tax arrears")
        };
        sum.add(&[EvidenceKind::TaxStatus], "taxStatus", points, because.into());
    }
    let min = if home.tax_delinquent == Some(true) { 1 } else { 2 };
    collector.give(sum, min, |total| total);
}

/// Of an area alone nothing more can be said than the neutral level.
pub(super) fn of_area(evidence: &Evidence, collector: &mut ScoreCollector<'_>) {
    let homes = &evidence.area.homes;
    let (Some(owners), Some(value)) = (owner_share(&evidence.area), usable(homes.median_value)) else { return };
    let because = format!(
        "only the area is known: {:.0} % of homes are their owners' ({}), the median home is worth {:.0} USD ({})",
        owners.value * 100.0,
        describe(&owners),
        value.value,
        describe(&value),
    );
    collector.fixed(Score::Pay, NEUTRAL, "area", because, &[owners, value]);
}
