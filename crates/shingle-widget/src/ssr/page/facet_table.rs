//! The planes of a roof with more of them than a drawing on paper has room for, by the numbers that stand on it.

use shingle_domain::home_roof::BuildingSet;
use shingle_domain::public::RoofFound;
use shingle_domain::roof::{Aspect, RoofDrawing};

use crate::site::needs_table;
use crate::ssr::node::Node;
use crate::view::Markup;
use crate::words::{Word, Words, thousands, w};

/// Number, area and direction; `None` where the areas stand on the drawing itself.
pub(super) fn facet_table(words: Words, roof: &RoofFound, chosen: BuildingSet) -> Option<Node> {
    let buildings = roof.buildings.iter().enumerate().filter(|(index, _)| chosen.contains(*index));
    let drawings: Vec<&RoofDrawing> = buildings.filter_map(|(_, building)| building.drawing.as_ref()).collect();
    if !needs_table(drawings.iter().copied()) {
        return None;
    }
    let head = [1, 2, 3].map(|n| Node::new("th").set("scope", "col").text(w::SHEET_FACETS.at(n)));
    let rows = drawings.into_iter().flat_map(|drawing| &drawing.facets).enumerate().map(|(n, facet)| {
        let area = [&thousands(facet.area.into()), " ", words.text(w::SQUARE_FEET)].concat();
        Node::new("tr")
            .child(Node::new("th").set("scope", "row").text((n + 1).to_string()))
            .child(Node::new("td").text(area))
            .child(Node::new("td").text(side(facet.aspect)))
    });
    let table = Node::classed("table", "facets")
        .child(Node::new("caption").text(w::SHEET_FACETS.at(0)))
        .child(Node::new("thead").child(Node::new("tr").children(head)))
        .child(Node::new("tbody").children(rows));
    Some(table)
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
    use super::*;
    use crate::example::{building, found};
    use crate::plan::{Detail, example};
    use crate::site::site;
    use crate::words::Language::{English, Spanish};

    /// A house whose drawing is the example's, its planes this many times over.
    fn roof(times: usize) -> RoofFound {
        let mut house = building("House", 2480);
        let mut drawing = example();
        drawing.facets = drawing.facets.iter().cycle().take(drawing.facets.len() * times).cloned().collect();
        house.drawing = Some(drawing);
        found(vec![house])
    }

    #[test]
    fn more_than_twelve_facets_have_numbers_on_the_drawing_and_a_table() {
        let (few, many) = (roof(2), roof(3));
        let count = |roof: &RoofFound| roof.buildings[0].drawing.as_ref().unwrap().facets.len();
        assert_eq!((count(&few), count(&many)), (12, 18));
        let words = English.words();
        assert!(facet_table(words, &few, BuildingSet::FIRST).is_none());
        let table = facet_table(words, &many, BuildingSet::FIRST).unwrap();
        let html = table.read(words).to_string();
        assert_eq!(html.matches("<th scope=\"row\">").count(), 18);
        let first = &many.buildings[0].drawing.as_ref().unwrap().facets[0];
        assert!(
            html.contains(&format!("<th scope=\"row\">1</th><td>{} sq ft</td><td>North</td>", first.area)),
            "{html}"
        );
        let spanish = facet_table(Spanish.words(), &many, BuildingSet::FIRST).unwrap();
        assert!(spanish.read(Spanish.words()).to_string().contains("<td>Norte</td>"));

        let written = |roof: &RoofFound| -> Vec<String> {
            let drawn = site(words, roof, Some(BuildingSet::FIRST), Detail::Paper, "").unwrap();
            drawn.buildings[0].areas.iter().map(|label| label.text.clone()).collect()
        };
        assert!(written(&few).contains(&first.area.to_string()));
        assert!(written(&many).contains(&"18".to_owned()) && !written(&many).contains(&first.area.to_string()));
    }
}
