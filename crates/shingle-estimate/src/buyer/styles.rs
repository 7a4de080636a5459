//! The seven buying styles.

use shingle_domain::Evidence;
use shingle_domain::evidence::{Grade, PermitKind};

use super::scoring::{EvidenceKind, ScoreCollector, ScoreSum};
use crate::calibration::Score;
use crate::figures::usable;
use crate::household::{DwellingKind, Household};

const NEUTRAL: f64 = 5.0;
const MIN_LEVEL: u8 = 2;
const EXPENSIVE_ROOFS: [&str; 6] = ["slate", "tile", "tiles", "metal", "copper", "steel"];
const MASONRY: [&str; 4] = ["brick", "stone", "masonry", "stonework"];
const USUAL_ROOFS: [&str; 4] = ["asphalt", "composition", "comp", "architectural"];

pub(super) fn of_home(evidence: &Evidence, home: &Household, collector: &mut ScoreCollector<'_>) {
    let ratio = home.value_ratio(evidence);
    for sum in [
        savvy(evidence, home),
        loyal(home),
        trendsetter(evidence, home),
        budget(evidence, home, ratio),
        quality(evidence, home, ratio),
        popular(evidence, home, ratio),
    ] {
        collector.give(sum, MIN_LEVEL, |total| total);
    }
    collector.only_calibrated(Score::ImpulseShopper, NEUTRAL as u8);
}

fn savvy(evidence: &Evidence, home: &Household) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::SavvyShopper, NEUTRAL);
    let median = usable(evidence.area.homes.median_value);
    let one_home = matches!(
        home.kind,
        Some(DwellingKind::SingleFamily | DwellingKind::Condominium | DwellingKind::MobileHome) | None
    );
    let recently = home.tenure.is_some_and(|years| years <= 10.0);
    if let (Some(price), Some(median), true, true) = (home.price, median, one_home, recently) {
        let points = if price < median.value { 1.5 } else { 0.0 };
        let because = format!("paid {price:.0} USD where the median home is worth {:.0} USD", median.value);
        sum.add(&[EvidenceKind::Price], "price", points, because);
        sum.read(Some(median));
    }
    sum.tenure(home, |years| if years > 10.0 { 1.0 } else { 0.0 });
    if let (Some(age), Some(permit)) = (home.age, home.newest_permit(|_| true)) {
        let points = if age > 40.0 && permit <= 15.0 { 0.5 } else { 0.0 };
        let because = format!("{age:.0} years old, the last permit {permit:.1} years ago");
        sum.add(&[EvidenceKind::Permits], "keptUp", points, because);
    }
    sum
}

fn loyal(home: &Household) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::BrandLoyalist, NEUTRAL);
    sum.tenure(home, |years| if years > 15.0 { 2.0 } else { 0.0 });
    if let Some(same) = home.same_contractor {
        let (points, because) =
            if same { (1.0, "took one contractor twice") } else { (0.0, "took a new contractor every time") };
        sum.add(&[EvidenceKind::Contractors], "contractor", points, because.into());
    }
    sum
}

fn trendsetter(evidence: &Evidence, home: &Household) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::Trendsetter, NEUTRAL);
    if !home.permits.is_empty() {
        let new = home.newest_permit(|kind| {
            matches!(kind, PermitKind::Solar | PermitKind::VehicleCharger | PermitKind::HeatPump)
        });
        let (points, because) = match new {
            Some(_) => (2.0, "a permit for solar, a charger or a heat pump"),
            None => (0.0, "permits, none for solar, a charger or a heat pump"),
        };
        sum.add(&[EvidenceKind::Permits], "permits", points, because.into());
    }
    if let Some(built) = home.built {
        sum.add(&[EvidenceKind::Age], "built", if built > 2010 { 1.0 } else { 0.0 }, format!("built in {built}"));
    }
    if let Some(panels) = usable(evidence.area.sun.adoption_percentile) {
        let because = format!("the state has more panels per owner than {:.0} % of states", panels.value * 100.0);
        sum.add(&[EvidenceKind::AreaPanels], "areaPanels", if panels.value > 0.8 { 1.0 } else { 0.0 }, because);
        sum.read(Some(panels));
    }
    sum
}

fn budget(evidence: &Evidence, home: &Household, ratio: Option<f64>) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::BudgetsavvyBuyer, NEUTRAL);
    value(&mut sum, evidence, ratio, |r| match r {
        r if r < 0.8 => 1.5,
        r if r > 1.5 => -1.0,
        _ => 0.0,
    });
    if let Some(sqft) = home.living_sqft {
        sum.add(&[EvidenceKind::Size], "size", if sqft < 1_400.0 { 1.0 } else { 0.0 }, format!("{sqft:.0} sq ft"));
    }
    sum
}

fn quality(evidence: &Evidence, home: &Household, ratio: Option<f64>) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::QualityFirstBuyer, NEUTRAL);
    value(&mut sum, evidence, ratio, |r| if r > 1.3 { 2.0 } else { 0.0 });
    let (roof, wall) = (home.roof_material.as_deref(), home.wall_type.as_deref());
    if roof.is_some() || wall.is_some() {
        let lasting = roof.is_some_and(|r| names(r, &EXPENSIVE_ROOFS)) || wall.is_some_and(|w| names(w, &MASONRY));
        let because = format!("roof of {}, walls of {}", roof.unwrap_or("unknown"), wall.unwrap_or("unknown"));
        sum.add(&[EvidenceKind::Materials], "materials", if lasting { 1.0 } else { 0.0 }, because);
    }
    if let Some(grade) = home.grade {
        let (points, because) = match grade {
            Grade::AboveAverage => (1.0, "graded above average"),
            Grade::Average => (0.0, "graded average"),
            Grade::BelowAverage => (0.0, "graded below average"),
        };
        sum.add(&[EvidenceKind::Grade], "grade", points, because.into());
    }
    sum
}

fn popular(evidence: &Evidence, home: &Household, ratio: Option<f64>) -> ScoreSum {
    let mut sum = ScoreSum::from(Score::PopularPicks, NEUTRAL);
    value(&mut sum, evidence, ratio, |r| if (0.8..=1.2).contains(&r) { 1.0 } else { 0.0 });
    let single = usable(evidence.area.homes.single_family);
    if let (Some(kind), Some(single), Some(roof)) = (home.kind, single, home.roof_material.as_deref()) {
        let usual_kind = (kind == DwellingKind::SingleFamily) == (single.value > 0.5);
        let points = if usual_kind && names(roof, &USUAL_ROOFS) { 1.0 } else { 0.0 };
        let because = format!("{:.0} % of homes around are single-family; roof of {roof}", single.value * 100.0);
        sum.add(&[EvidenceKind::Kind, EvidenceKind::Materials], "usual", points, because);
        sum.read(Some(single));
    }
    sum
}

fn value(sum: &mut ScoreSum, evidence: &Evidence, ratio: Option<f64>, points: impl Fn(f64) -> f64) {
    if let Some(ratio) = ratio {
        let because = format!("assessed at {ratio:.2} times the median home of the area");
        sum.add(&[EvidenceKind::Value], "value", points(ratio), because);
        sum.read(evidence.area.homes.median_value);
    }
}

/// Whether a lower-case text contains one of the words.
fn names(text: &str, words: &[&str]) -> bool {
    text.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}
