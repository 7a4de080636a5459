//! What a roofer orders for a measured roof, item by item. For the company alone: a homeowner never sees it.
//!
//! | item | for | of | rule of |
//! |---|---|---|---|
//! | shingles | squares and waste | 3 bundles a square | manufacturers of architectural shingles |
//! | starter strip | eaves and rakes | boxes of 105 ft | the same |
//! | ridge cap | ridges and hips | bundles of 25 ft | the same |
//! | drip edge | eaves and rakes, 5 % more | pieces of 10 ft | usual pieces |
//! | valley metal | valleys | pieces of 10 ft, laps of 6 in | usual pieces |
//! | ice shield | 6 ft along eaves, 3 ft along valleys | rolls of 200 sq ft | code in cold states: 24 in inside of the wall |
//! | underlayment | the rest, 10 % more | rolls of 1,000 sq ft | synthetic rolls |
//! | nails | 320 a square with waste | boxes of 7,200 | 4 a shingle, 80 shingles a square |
//! | membrane | what is under 2/12, 10 % more | square feet | laps |
//!
//! Sizes differ by maker: each line says what it was worked out from, so that it can be done again.

use shingle_domain::lead::{RoofWork, ShownEstimate};
use shingle_domain::materials::{Item, Need};
use shingle_domain::roof::{LineKind, OuterEdges, RoofDrawing, RoofMaterial};

use super::price::waste_percent;

/// Empty unless a survey measured the planes: an order from guessed edges would be wrong.
pub fn materials(estimate: &ShownEstimate, material: RoofMaterial, drawing: &RoofDrawing) -> Vec<Need> {
    let Some(OuterEdges { eaves, rakes }) = drawing.outer else { return Vec::new() };
    let along = |kind| drawing.lines.iter().filter(|line| line.kind == kind).map(|line| line.length).sum::<u32>();
    let ridges_and_hips = along(LineKind::Ridge) + along(LineKind::Hip);
    let valleys = along(LineKind::Valley);
    let all = estimate.roof_area.round() as u32;
    let parts = estimate.prices.iter().flat_map(|price| &price.parts);
    let low =
        parts.filter(|part| part.work == RoofWork::LowSlope).map(|part| part.roof_area).max().unwrap_or(0).min(all);
    let area = all - low;
    let waste = waste_percent(estimate.roof_complexity_level);
    let mut needs = Vec::new();
    let mut need = |count: u32, item: Item| {
        if count > 0 {
            needs.push(Need { item, count });
        }
    };
    let with_waste = with_more(area, waste);
    match material {
        RoofMaterial::AsphaltShingle => {
            need((with_waste * 3).div_ceil(100), Item::Shingles { area, waste_percent: waste });
        }
        _ => need(with_waste, Item::Covering { material, area, waste_percent: waste }),
    }
    need(with_more(low, 10), Item::Membrane { area: low });
    if material == RoofMaterial::AsphaltShingle && area > 0 {
        need((eaves + rakes).div_ceil(105), Item::Starter { eaves, rakes });
        need(ridges_and_hips.div_ceil(25), Item::RidgeCap { ridges_and_hips });
    }
    need(with_more(eaves + rakes, 5).div_ceil(10), Item::DripEdge { eaves, rakes });
    // Each piece of 10 ft covers 9.5.
    need((valleys * 2).div_ceil(19), Item::ValleyMetal { valleys });
    if area > 0 {
        let shielded = (eaves * 6 + valleys * 3).min(area);
        need(shielded.div_ceil(200), Item::IceShield { area: shielded });
        need(with_more(area - shielded, 10).div_ceil(1_000), Item::Underlayment { area: area - shielded });
    }
    if material == RoofMaterial::AsphaltShingle {
        need((with_waste * 320).div_ceil(720_000), Item::Nails { area_with_waste: with_waste });
    }
    needs
}

/// Rounded up.
fn with_more(n: u32, percent: u32) -> u32 {
    (n * (100 + percent)).div_ceil(100)
}
