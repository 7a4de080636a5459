//! What of a roof has a price of its own: too low for shingles, steep, or high above the ground.

use shingle_domain::evidence::RoofType;
use shingle_domain::lead::RoofWork;

use super::pitch::Slope;
use super::plan::Plan;

/// Shingles leak under 2/12 (International Residential Code R905.2.2).
const LOW: f64 = 2.0;
/// Roofers charge more from here on: nobody works there without a hold, nor walks there further up.
const STEEP: f64 = 8.0;
const VERY_STEEP: f64 = 10.0;
/// A pitch that a survey gives as 8/12 may be a hair less; so much of a rise, over 12.
const ROUNDING: f64 = 0.05;

/// Square feet along the slope, by work. What nobody measured is not steep, and low only where the records say flat: a
/// surcharge needs a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Works {
    low_slope: u32,
    steep: u32,
    very_steep: u32,
    two_stories: u32,
    three_stories: u32,
}

impl Works {
    /// `area_sqft` is that of the whole roof: the planes' shares of it are used, for they may not cover it exactly.
    pub(crate) fn of(area_sqft: u32, plan: &Plan, known_type: Option<RoofType>, stories: Option<f64>) -> Self {
        if plan.planes.is_empty() {
            return Self::of_records(area_sqft, known_type, stories);
        }
        let (mut all, mut low_slope, mut steep, mut very_steep) = (0.0, 0.0, 0.0, 0.0);
        for plane in &plan.planes {
            let (area, rise) = (plane.sloped_area(), rise_of(plane.slope));
            all += area;
            if rise < LOW {
                low_slope += area;
            } else if rise >= VERY_STEEP {
                very_steep += area;
            } else if rise >= STEEP {
                steep += area;
            }
        }
        let share = |part: f64| if part > 0.0 { (f64::from(area_sqft) * part / all).round() as u32 } else { 0 };
        Self {
            low_slope: share(low_slope),
            steep: share(steep),
            very_steep: share(very_steep),
            ..Self::of_height(area_sqft, stories)
        }
    }

    pub(crate) fn of_records(area_sqft: u32, known_type: Option<RoofType>, stories: Option<f64>) -> Self {
        let low_slope = if known_type == Some(RoofType::Flat) { area_sqft } else { 0 };
        Self { low_slope, ..Self::of_height(area_sqft, stories) }
    }

    /// A story and a half is worked on like one.
    fn of_height(area_sqft: u32, stories: Option<f64>) -> Self {
        match stories {
            Some(stories) if stories >= 3.0 => Self { three_stories: area_sqft, ..Self::default() },
            Some(stories) if stories >= 2.0 => Self { two_stories: area_sqft, ..Self::default() },
            _ => Self::default(),
        }
    }

    /// Those of two roofs.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            low_slope: self.low_slope + other.low_slope,
            steep: self.steep + other.steep,
            very_steep: self.very_steep + other.very_steep,
            two_stories: self.two_stories + other.two_stories,
            three_stories: self.three_stories + other.three_stories,
        }
    }

    /// Square feet of a roof of this size that need the work.
    pub(crate) fn area(self, work: RoofWork, area_sqft: u32) -> u32 {
        match work {
            RoofWork::LowSlope => self.low_slope.min(area_sqft),
            RoofWork::Covering => area_sqft.saturating_sub(self.low_slope),
            RoofWork::Steep => self.steep,
            RoofWork::VerySteep => self.very_steep,
            RoofWork::TwoStories => self.two_stories,
            RoofWork::ThreeStories => self.three_stories,
        }
    }
}

/// Over a run of 12.
fn rise_of(slope: Slope) -> f64 {
    slope.rise() * 12.0 + ROUNDING
}
