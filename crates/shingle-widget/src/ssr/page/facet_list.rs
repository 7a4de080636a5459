//! The largest planes of a roof with more of them than a drawing on paper has room for, by the numbers that are on it.
//! Not all of them, so that the estimate stays on one sheet; what the others have together is said.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;
use shingle_domain::roof::{Aspect, RoofDrawing};

use crate::site::ListedFacets;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::words::{Word, Words, thousands, w};

/// Number, area and direction; `None` where the areas are on the drawing itself.
pub(super) fn facet_list(words: Words, roof: &RoofFound, chosen: BuildingSet) -> Option<Node> {
    let buildings = roof.buildings.iter().enumerate().filter(|(index, _)| chosen.contains(*index));
    let drawings: Vec<&RoofDrawing> = buildings.filter_map(|(_, building)| building.drawing.as_ref()).collect();
    let facets = ListedFacets::of(drawings.into_iter())?;
    let rows = facets.largest().iter().enumerate().map(|(n, facet)| {
        let number = Node::new("b").text((n + 1).to_string());
        let area = [" ", &thousands(facet.area.into()), " · "].concat();
        Node::new("li").child(number).text(area).text(side(facet.aspect))
    });
    // The unit once: in Spanish it is as long as the rest of a line.
    let heading = Node::new("h2").text(w::SHEET_FACETS.at(0)).text(", ").text(w::SQUARE_FEET);
    let list = Node::classed("section", "facets").child(heading);
    let list = list.child(Node::new("ol").children(rows));
    let smaller = facets.smaller();
    if smaller.is_empty() {
        return Some(list);
    }
    let area = thousands(smaller.iter().map(|facet| i64::from(facet.area)).sum());
    let sentence = w::SHEET_FACETS.at(if smaller.len() == 1 { 1 } else { 2 });
    let rest = words.fill(sentence, &[("n", &smaller.len().to_string()), ("area", &area)]);
    Some(list.child(Node::new("p").text(rest)))
}

fn side(aspect: Aspect) -> Word {
    w::SHEET_SIDES.at(match aspect {
        Aspect::North => 0,
        Aspect::East => 1,
        Aspect::South => 2,
        Aspect::West => 3,
        Aspect::Flat => 4,
    })
}

#[cfg(test)]
mod tests {
    use shingle_domain::roof::Facet;

    use shingle_domain::Language::{English, Spanish};

    use super::*;
    use crate::example::{building, found};
    use crate::plan::{Detail, example};
    use crate::site::site;
    use crate::words::flow_words;

    /// A house whose drawing has the example's planes, of these areas.
    fn roof(areas: &[u32]) -> RoofFound {
        let mut house = building("House", 2480);
        let mut drawing = example();
        let planes = drawing.facets.clone();
        drawing.facets =
            planes.into_iter().cycle().zip(areas).map(|(plane, area)| Facet { area: *area, ..plane }).collect();
        house.drawing = Some(drawing);
        found(vec![house])
    }

    fn listed(words: Words, roof: &RoofFound) -> String {
        facet_list(words, roof, BuildingSet::FIRST).unwrap().read(words).to_string()
    }

    fn numbers(roof: &RoofFound) -> Vec<String> {
        let drawn = site(flow_words(English), roof, Some(BuildingSet::FIRST), Detail::Paper, "").unwrap();
        drawn.buildings[0].areas.iter().map(|label| label.text.clone()).collect()
    }

    #[test]
    fn of_more_than_twelve_facets_the_largest_are_numbered_and_the_others_summed_up() {
        let words = flow_words(English);
        let few: Vec<u32> = (100..112).collect();
        assert!(facet_list(words, &roof(&few), BuildingSet::FIRST).is_none());
        assert_eq!(numbers(&roof(&few)).len(), 12);
        assert!(numbers(&roof(&few)).contains(&"111".to_owned()));

        // The smallest first: numbers go by size.
        let many: Vec<u32> = (100..115).collect();
        let html = listed(words, &roof(&many));
        assert_eq!(html.matches("<li>").count(), 12);
        assert!(html.contains("<li><b>1</b> 114 · "), "{html}");
        assert!(html.contains("<li><b>12</b> 103 · "), "{html}");
        assert!(html.contains("3 smaller facets, 303 sq ft together"), "{html}");
        let spanish = listed(flow_words(Spanish), &roof(&many));
        assert!(spanish.contains("3 planos más pequeños: 303 pies cuadrados en total"), "{spanish}");
        // On the drawing in the order of the planes: the three smallest have none.
        assert_eq!(numbers(&roof(&many)), (1..=12).rev().map(|n: i32| n.to_string()).collect::<Vec<_>>());
    }

    #[test]
    fn what_has_no_room_for_a_number_is_not_listed() {
        let words = flow_words(English);
        let mut areas = vec![39; 10];
        areas.extend([500, 400, 300]);
        let html = listed(words, &roof(&areas));
        assert_eq!(html.matches("<li>").count(), 3);
        assert!(html.contains("10 smaller facets, 390 sq ft together"), "{html}");
        assert_eq!(numbers(&roof(&areas)), ["1", "2", "3"]);
        let one: Vec<u32> = (0..12).map(|_| 90).chain([20]).collect();
        assert!(listed(words, &roof(&one)).contains("One smaller facet, 20 sq ft"));
    }

    #[test]
    fn facets_of_one_size_have_numbers_of_their_own() {
        let roof = roof(&[80; 14]);
        assert_eq!(numbers(&roof), (1..=12).map(|n: i32| n.to_string()).collect::<Vec<_>>());
    }
}
