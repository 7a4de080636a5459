//! What the flow calls things of the domain.

use shingle_domain::roof::{AreaAlert, Complexity, PitchAlert, RoofMaterial};

use super::table::{Group, Word, w};

pub fn material(of: RoofMaterial) -> Word {
    w::MATERIALS.at(of as usize)
}

pub fn material_in_text(of: RoofMaterial) -> Word {
    w::MATERIALS_IN_TEXT.at(of as usize)
}

pub fn complexity(of: Option<Complexity>) -> Word {
    of.map_or(w::UNKNOWN, |c| w::COMPLEXITY.at(c as usize))
}

/// A heading and what it means.
pub fn pitch_alert(alert: Option<PitchAlert>) -> Option<Group> {
    match alert? {
        PitchAlert::HighPitch => Some(w::HIGH_PITCH),
        PitchAlert::LowPitch => Some(w::LOW_PITCH),
        PitchAlert::NoAlerts => None,
    }
}

/// A heading and what it means.
pub fn area_alert(alert: Option<AreaAlert>) -> Option<Group> {
    match alert? {
        AreaAlert::HighArea => Some(w::HIGH_AREA),
        AreaAlert::LowArea => Some(w::LOW_AREA),
        AreaAlert::NoAlerts => None,
    }
}
