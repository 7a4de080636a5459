//! What a company orders for a lead's roof.

use shingle_domain::lead::Lead;
use shingle_domain::materials::Need;
use shingle_domain::roof::RoofDrawing;
use shingle_estimate::roof::materials;

/// In the material that the homeowner chose. Empty where nobody measured the roof.
pub fn materials_of(lead: &Lead, drawing: Option<&RoofDrawing>) -> Vec<Need> {
    let known = || Some(materials(lead.estimate.as_ref()?, lead.shown_price()?.material, drawing?));
    known().unwrap_or_default()
}
