//! How much sun the roof receives: its size, the facing of its best large plane, its pitch.

use shingle_domain::Evidence;

use super::component::Component;
use crate::roof::{Plane, RoofMeasure, measure, plans};

/// Square feet along the slope, enough for all panels that a household wants.
const ENOUGH_SQFT: f64 = 1_200.0;
/// Some 4 kW.
const LARGE_SQFT: f64 = 200.0;
const SQFT_PER_SQM: f64 = 10.763_910_416_709_722;
/// On flatter planes the facing hardly matters.
const FLAT_DEGREES: f64 = 5.0;
const FLAT: f64 = 0.9;
/// The mean of the better side of a gable whose ridge may run any way.
const FACING_UNKNOWN: f64 = 0.94;
const LOW_DEGREES: f64 = 10.0;
const STEEP_DEGREES: f64 = 45.0;

/// A year's yield relative to facing south, by degrees away from south.
const FACINGS: [(f64, f64); 4] = [(0.0, 1.0), (45.0, 0.96), (90.0, 0.85), (180.0, 0.65)];

pub(super) fn component(evidence: &Evidence) -> Option<Component> {
    if !evidence.matched.level.is_exact() {
        return None;
    }
    let roof = measure(evidence, None)?;
    let size = (f64::from(roof.area_sqft) / ENOUGH_SQFT).min(1.0);
    let (facing, facing_words) = facing(evidence, &roof);
    let pitch = match roof.pitch_degrees {
        p if p < LOW_DEGREES => 0.9,
        p if p > STEEP_DEGREES => 0.7,
        _ => 1.0,
    };
    let because = format!(
        "{} sq ft of roof count {size:.2}, {facing_words} {facing:.2}, a mean pitch of {:.1} degrees {pitch:.1}",
        roof.area_sqft, roof.pitch_degrees
    );
    let score = size * facing * pitch;
    Some(Component { name: "roof", weight: 0.15, score, because, figures: Vec::new(), guessed: false })
}

fn facing(evidence: &Evidence, roof: &RoofMeasure) -> (f64, String) {
    let plans = plans(evidence);
    let planes = plans.first().map_or(&[][..], |(_, plan)| &plan.planes);
    let size = |p: &Plane| p.sloped_area() * SQFT_PER_SQM;
    let enough = planes.iter().map(size).fold(0.0, f64::max).min(LARGE_SQFT);
    let best = planes.iter().filter(|p| size(p) >= enough).map(of_plane).max_by(f64::total_cmp);
    match best {
        Some(best) => (best, "its best large plane's facing".into()),
        None if roof.pitch_degrees < FLAT_DEGREES => (FLAT, "lying flat".into()),
        None => (FACING_UNKNOWN, "an unknown facing".into()),
    }
}

fn of_plane(plane: &Plane) -> f64 {
    if plane.slope.in_degrees() < FLAT_DEGREES {
        return FLAT;
    }
    let from_south = libm::fabs(libm::atan2(plane.downhill.x, -plane.downhill.y)).to_degrees();
    of_degrees(from_south)
}

/// Linear interpolation between the published points.
fn of_degrees(from_south: f64) -> f64 {
    let line = FACINGS.windows(2).find(|pair| from_south <= pair[1].0);
    match line {
        Some([(from, high), (to, low)]) => high + (low - high) * (from_south - from) / (to - from),
        _ => FACINGS[3].1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_facing_between_two_points_lies_between_their_yields() {
        for (degrees, worth) in [(0.0, 1.0), (22.5, 0.98), (45.0, 0.96), (90.0, 0.85), (135.0, 0.75), (180.0, 0.65)] {
            assert!((of_degrees(degrees) - worth).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn an_unknown_facing_is_worth_the_mean_of_the_better_side_of_a_gable() {
        let mean = (0..=9_000).map(|i| of_degrees(f64::from(i) / 100.0)).sum::<f64>() / 9_001.0;
        println!("mean of the better side: {mean:.4}");
        assert!((mean - FACING_UNKNOWN).abs() < 0.005);
    }
}
