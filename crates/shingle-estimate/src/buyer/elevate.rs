//! The elevate score: whether work on the home is likely.

use shingle_domain::evidence::PermitKind;

use super::equity::Equity;
use super::scoring::{EvidenceKind, ScoreCollector, ScoreSum};
use crate::calibration::Score;
use crate::household::Household;
use crate::owner::OwnerKind;

const START: f64 = -0.4;
/// Lower levels are given only by the two rules.
const MIN_BY_SUM: u8 = 3;

pub(super) fn of_home(home: &Household, equity: Option<Equity>, collector: &mut ScoreCollector<'_>) {
    if home.owner == Some(OwnerKind::Organisation) && home.owner_occupied != Some(true) {
        let because = "the owner on record is an organisation: nobody who lives there decides on the roof";
        return collector.fixed(Score::Elevate, 2, "owner", because.into(), &[]);
    }
    let mut sum = ScoreSum::from(Score::Elevate, START);
    if let Some(lives_there) = home.owner_occupied {
        let (points, because) =
            if lives_there { (0.8, "the owner lives there") } else { (0.0, "the owner lives elsewhere") };
        sum.add(&[EvidenceKind::Occupancy], "occupancy", points, because.into());
    }
    let roof = home.newest_permit(|kind| kind == PermitKind::Roof);
    if let Some(years) = roof.or(home.age) {
        let points = match years {
            y if y > 40.0 => 0.4,
            y if y >= 20.0 => 0.6,
            _ => 0.0,
        };
        let what = if roof.is_some() { "the roof, by its permit," } else { "the house" };
        sum.add(&[EvidenceKind::Age], "age", points, format!("{what} is {years:.0} years old"));
    }
    sum.tenure(home, |years| if (1.0..=3.0).contains(&years) || (10.0..=25.0).contains(&years) { 0.5 } else { 0.0 });
    sum.equity(equity, |share| share * 0.6);
    if let Some(years) = home.newest_permit(|_| true) {
        let points = if years <= 5.0 { 0.5 } else { 0.0 };
        sum.add(&[EvidenceKind::Permits], "permit", points, format!("the last permit is {years:.1} years old"));
    }
    if let Some(years) = roof {
        let points = if years <= 10.0 { -0.8 } else { 0.0 };
        sum.add(&[EvidenceKind::Permits], "sameWork", points, format!("the last roof permit is {years:.1} years old"));
    }
    collector.give(sum, MIN_BY_SUM, |z| 1.0 + 9.0 / (1.0 + libm::exp(-z)));
}
