//! The pay score.

use shingle_domain::Evidence;

use super::sum::{Piece, Sum, Tally};
use super::{Equity, Score};
use crate::household::Household;
use crate::solar::{owner_share, sound, source};

const NEUTRAL: u8 = 3;

pub(super) fn of_home(home: &Household, equity: Option<Equity>, tally: &mut Tally<'_>) {
    let mut sum = Sum::from(Score::Pay, f64::from(NEUTRAL));
    if let Some(lives_there) = home.owner_occupied {
        let (points, because) =
            if lives_there { (0.5, "the owner lives there") } else { (-0.5, "the owner lives elsewhere") };
        sum.add(&[Piece::Occupancy], "occupancy", points, because.into());
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
        sum.add(&[Piece::TaxStatus], "taxStatus", points, because.into());
    }
    let least = if home.tax_delinquent == Some(true) { 1 } else { 2 };
    tally.give(sum, least, |total| total);
}

/// Of neighbours one cannot say more than that they are like everybody.
pub(super) fn of_area(evidence: &Evidence, tally: &mut Tally<'_>) {
    let homes = &evidence.area.homes;
    let (Some(owners), Some(value)) = (owner_share(&evidence.area), sound(homes.median_value)) else { return };
    let because = format!(
        "only the area is known: {:.0} % of homes are their owners' ({}), the median home is worth {:.0} USD ({})",
        owners.value * 100.0,
        source(&owners),
        value.value,
        source(&value),
    );
    tally.fixed(Score::Pay, NEUTRAL, "area", because, &[owners, value]);
}
