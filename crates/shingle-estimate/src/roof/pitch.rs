//! The usual pitch of a roof that nobody has measured.

use shingle_domain::evidence::{Assessor, Place, RoofType};
use shingle_domain::home_roof::PitchReason;

/// A slope, as its tangent: rise over run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slope {
    rise: f64,
}

impl Slope {
    /// Anything steeper is a wall, not a roof.
    const MAX_DEGREES: f64 = 80.0;

    /// `6.0` is 6/12.
    pub(crate) fn twelfths(rise: f64) -> Self {
        Self { rise: rise / 12.0 }
    }

    /// `None` unless between 0 and 80 degrees.
    pub(crate) fn degrees(degrees: f64) -> Option<Self> {
        (0.0..=Self::MAX_DEGREES).contains(&degrees).then(|| Self { rise: libm::tan(degrees.to_radians()) })
    }

    pub(crate) fn rise(self) -> f64 {
        self.rise
    }

    /// Sloped area over plan area: 1/cos.
    pub(crate) fn factor(self) -> f64 {
        (1.0 + self.rise * self.rise).sqrt()
    }

    pub(crate) fn in_degrees(self) -> f64 {
        libm::atan(self.rise).to_degrees()
    }
}

/// The roof type, if it is on record or follows from a covering that is used only on flat roofs.
pub(crate) fn known_type(assessor: &Assessor) -> Option<RoofType> {
    const FLAT_COVERS: [&str; 6] = ["tar", "built", "membrane", "rubber", "epdm", "tpo"];
    let covered_flat = || {
        let material = assessor.roof_material.as_ref()?.value.to_lowercase();
        let mut words = material.split(|c: char| !c.is_alphanumeric());
        words.any(|w| FLAT_COVERS.contains(&w)).then_some(RoofType::Flat)
    };
    assessor.roof_type.as_ref().map(|f| f.value).or_else(covered_flat)
}

/// The usual slope for a roof of this type, age and place; one sigma is about 7 degrees.
pub(crate) fn usual(place: &Place) -> Slope {
    let in_degrees = |d: f64| Slope::degrees(d).unwrap_or(Slope::twelfths(6.0));
    match reason(place) {
        PitchReason::RoofType { roof_type: RoofType::Flat } => in_degrees(2.0),
        PitchReason::RoofType { roof_type: RoofType::Shed } => in_degrees(14.0),
        PitchReason::RoofType { roof_type: RoofType::Gambrel } => in_degrees(38.0),
        PitchReason::RoofType { roof_type: RoofType::Mansard } => Slope::twelfths(12.0),
        PitchReason::LowRegion | PitchReason::Ranch => Slope::twelfths(4.0),
        PitchReason::OldNortheast => Slope::twelfths(8.0),
        PitchReason::RoofType { roof_type: RoofType::Gable | RoofType::Hip } | PitchReason::Usual => {
            Slope::twelfths(6.0)
        }
    }
}

/// Why that slope is the usual one.
pub(crate) fn reason(place: &Place) -> PitchReason {
    const LOW_SLOPED: [&str; 5] = ["FL", "AZ", "NV", "NM", "CA"];
    const STEEP_WHEN_OLD: [&str; 9] = ["CT", "ME", "MA", "NH", "RI", "VT", "NJ", "NY", "PA"];
    // A gable or a hip says nothing of the slope.
    if let Some(roof_type @ (RoofType::Flat | RoofType::Shed | RoofType::Gambrel | RoofType::Mansard)) =
        known_type(&place.assessor)
    {
        return PitchReason::RoofType { roof_type };
    }
    let state = place.address.state.as_str();
    let year = place.assessor.year_built.as_ref().map(|f| f.value);
    if LOW_SLOPED.contains(&state) || in_south_texas(state, place.address.zip.as_str()) {
        return PitchReason::LowRegion;
    }
    match year {
        Some(1950..=1979) if is_ranch(&place.assessor) => PitchReason::Ranch,
        Some(1600..=1939) if STEEP_WHEN_OLD.contains(&state) => PitchReason::OldNortheast,
        _ => PitchReason::Usual,
    }
}

/// Two pitches that are common too where this one is usual, rise over 12; none where the type of the roof is on record.
pub(crate) fn others(reason: PitchReason) -> Option<[u32; 2]> {
    match reason {
        PitchReason::RoofType { .. } => None,
        PitchReason::LowRegion | PitchReason::Ranch => Some([3, 7]),
        PitchReason::OldNortheast => Some([6, 12]),
        PitchReason::Usual => Some([4, 9]),
    }
}

/// The reason for [`usual`].
pub(crate) fn why(place: &Place) -> String {
    let rise = (usual(place).rise() * 240.0).round() / 20.0;
    match reason(place) {
        PitchReason::RoofType { roof_type } => {
            let name = match roof_type {
                RoofType::Flat => "flat",
                RoofType::Shed => "shed",
                RoofType::Gable => "gable",
                RoofType::Hip => "hip",
                RoofType::Gambrel => "gambrel",
                RoofType::Mansard => "mansard",
            };
            format!("usual for a {name} roof")
        }
        _ => format!("{rise}/12 is usual for houses of this kind, age and place"),
    }
}

/// ZIP codes from Victoria and San Antonio to the Rio Grande.
fn in_south_texas(state: &str, zip: &str) -> bool {
    state == "TX" && matches!(zip.get(..3), Some("779" | "780" | "781" | "782" | "783" | "784" | "785"))
}

fn is_ranch(assessor: &Assessor) -> bool {
    match &assessor.style {
        Some(style) => {
            let style = style.value.to_lowercase();
            style.contains("ranch") || style.contains("rambler")
        }
        None => assessor.storeys.as_ref().is_some_and(|s| s.value == 1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_factors_are_the_roofers_table() {
        let table = [
            (2.0, 9.46, 1.014),
            (3.0, 14.04, 1.031),
            (4.0, 18.43, 1.054),
            (5.0, 22.62, 1.083),
            (6.0, 26.57, 1.118),
            (7.0, 30.26, 1.158),
            (8.0, 33.69, 1.202),
            (9.0, 36.87, 1.250),
            (10.0, 39.81, 1.302),
            (12.0, 45.0, 1.414),
        ];
        for (rise, degrees, factor) in table {
            let slope = Slope::twelfths(rise);
            assert!((slope.in_degrees() - degrees).abs() < 0.006, "{rise}/12: {}", slope.in_degrees());
            assert!((slope.factor() - factor).abs() < 0.0006, "{rise}/12: {}", slope.factor());
            let same = Slope::degrees(slope.in_degrees()).expect("a roof's slope");
            assert!((same.factor() - slope.factor()).abs() < 1e-12);
        }
    }

    #[test]
    fn walls_and_nonsense_are_no_slopes() {
        for degrees in [-1.0, 80.1, 90.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Slope::degrees(degrees), None, "{degrees}");
        }
    }
}
