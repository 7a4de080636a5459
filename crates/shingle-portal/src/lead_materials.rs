//! What to order for a lead's roof. For the company alone.

use shingle_domain::Language;
use shingle_domain::materials::{Item, Need};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup as _;
use shingle_widget::words::thousands;

use crate::element::{card, soft};
use crate::phrase::{capital, phrase, translated};
use crate::responsive_table::{Cell, responsive_table};

/// `None` without anything to order: nobody measured the roof.
pub(crate) fn materials(language: Language, needs: &[Need]) -> Option<Node> {
    if needs.is_empty() {
        return None;
    }
    let rows = needs.iter().map(|need| {
        let [item, from, order] = told(language, need);
        vec![Cell::text(item), Cell::text(from), Cell::text(order)]
    });
    let columns = [("Material", false), ("Worked out from", false), ("Order", true)];
    let table = responsive_table("Materials", &columns, rows.collect());
    Some(card("Materials").child(table).child(soft(
        "For your order. Homeowners don’t see it. Package sizes differ by brand, so check them before you order.",
    )))
}

/// In one line: `Shingles: 86 × bundle; Drip edge: 23 × piece of 10 ft`.
pub fn materials_in_text(language: Language, needs: &[Need]) -> String {
    let line = |need: &Need| {
        let [item, _, order] = told(language, need);
        [&item, ": ", &order].concat()
    };
    needs.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// The material, what its number was worked out from, and how much to order.
fn told(language: Language, need: &Need) -> [String; 3] {
    let of = |n: u32| thousands(n.into());
    let count = of(need.count);
    let (item, from, order) = match need.item {
        Item::Shingles { area, waste_percent } => {
            ("Shingles", phrase_of_waste(language, area, waste_percent), "{n} × bundle")
        }
        Item::Covering { material, area, waste_percent } => {
            (material.as_str(), phrase_of_waste(language, area, waste_percent), "{n} sq ft")
        }
        Item::Starter { eaves, rakes } => ("Starter strip", outer(language, eaves, rakes), "{n} × box of 105 ft"),
        Item::RidgeCap { ridges_and_hips } => {
            let with = [("feet", &*of(ridges_and_hips))];
            ("Ridge cap", phrase(language, "Ridges and hips {feet} ft", &with), "{n} × bundle of 25 ft")
        }
        Item::DripEdge { eaves, rakes } => {
            let outer = outer(language, eaves, rakes);
            ("Drip edge", phrase(language, "{what}, 5% more", &[("what", &outer)]), "{n} × piece of 10 ft")
        }
        Item::ValleyMetal { valleys } => {
            let with = [("feet", &*of(valleys))];
            ("Valley metal", phrase(language, "Valleys {feet} ft, 6 in laps", &with), "{n} × piece of 10 ft")
        }
        Item::IceShield { area } => {
            let with = [("area", &*of(area))];
            let from = phrase(language, "6 ft along eaves, 3 ft along valleys: {area} sq ft", &with);
            ("Ice shield", from, "{n} × roll of 200 sq ft")
        }
        Item::Underlayment { area } => {
            let with = [("area", &*of(area))];
            ("Underlayment", phrase(language, "The other {area} sq ft, 10% more", &with), "{n} × roll of 1,000 sq ft")
        }
        Item::Nails { area_with_waste } => {
            let with = [("area", &*of(area_with_waste))];
            ("Nails", phrase(language, "320 per square, for {area} sq ft", &with), "{n} × box of 7,200")
        }
        Item::Membrane { area } => {
            let with = [("area", &*of(area))];
            ("Membrane", phrase(language, "Low slope {area} sq ft, 10% more", &with), "{n} sq ft")
        }
    };
    let item = capital(translated(language, item));
    [item, from, phrase(language, order, &[("n", &count)])]
}

fn phrase_of_waste(language: Language, area: u32, waste_percent: u32) -> String {
    let with = [("area", &*thousands(area.into())), ("percent", &waste_percent.to_string())];
    phrase(language, "{area} sq ft, {percent}% waste", &with)
}

fn outer(language: Language, eaves: u32, rakes: u32) -> String {
    let with = [("eaves", &*thousands(eaves.into())), ("rakes", &thousands(rakes.into()))];
    match rakes {
        0 => phrase(language, "Eaves {eaves} ft", &with),
        _ => phrase(language, "Eaves {eaves} ft, rakes {rakes} ft", &with),
    }
}
