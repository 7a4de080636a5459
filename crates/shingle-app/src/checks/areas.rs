//! Whether the homes of each area are as new as their source has them, or wait for a person.

use super::messages::{AreaTold, Finding};
use crate::areas::{AreaRecord, AreaStage, Areas, HeldWhy};
use crate::installation::Installation;
use crate::operator_error::OperatorError;

pub(super) fn areas(context: &Installation) -> Result<Finding, OperatorError> {
    let areas = Areas::open(context)?;
    Ok(finding(&areas.list(), areas.monthly()))
}

fn finding(areas: &[AreaRecord], monthly: bool) -> Finding {
    let told: Vec<AreaTold> = areas.iter().flat_map(told).collect();
    match areas.len() {
        _ if !told.is_empty() => Finding::AreasToLookAt { areas: told },
        0 => Finding::NoAreas,
        areas if monthly => Finding::AreasMonthly { areas },
        areas => Finding::AreasByHand { areas },
    }
}

/// What was taken back is as a person wanted it.
fn told(area: &AreaRecord) -> Option<AreaTold> {
    let name = || area.found.name.clone();
    if let Some(held) = area.held.as_ref().filter(|held| held.why != HeldWhy::TakenBack) {
        return Some(AreaTold::Held { area: name(), release: held.release.to_string(), why: held.why.clone() });
    }
    let failed = |said| Some(AreaTold::Failed { area: name(), said });
    match (&area.stage, &area.checked) {
        (AreaStage::Failed { said }, _) => failed(said.clone()),
        (_, Some(checked)) => failed(checked.failed.clone()?),
        _ => None,
    }
}
