//! What a roofer orders for a roof.

use crate::roof::RoofMaterial;

/// One line of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    pub item: Item,
    /// How many to order, rounded up.
    pub count: u32,
}

/// What is ordered, with what its number was worked out from: square feet, or feet along the slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// Bundles.
    Shingles { area: u32, waste_percent: u32 },
    /// Square feet of a material that is not sold in bundles.
    Covering { material: RoofMaterial, area: u32, waste_percent: u32 },
    /// Boxes.
    Starter { eaves: u32, rakes: u32 },
    /// Bundles.
    RidgeCap { ridges_and_hips: u32 },
    /// Pieces.
    DripEdge { eaves: u32, rakes: u32 },
    /// Pieces.
    ValleyMetal { valleys: u32 },
    /// Rolls.
    IceShield { area: u32 },
    /// Rolls.
    Underlayment { area: u32 },
    /// Boxes; square feet, waste included.
    Nails { area_with_waste: u32 },
    /// Square feet.
    Membrane { area: u32 },
}
