//! What the roof step shows, and the steps beside which its drawing stands.

use shingle_domain::public::{BuildingRow, Part, RoofAnswer, RoofFound, RoofResponse, RoofStep};

use super::part;
use crate::plan::Detail;
use crate::ssr::node::Node;
use crate::view::plan::{Picked, blank, found};
use crate::view::{Markup, roof as view};
use crate::words::Words;

/// The answer to a look-up as the runtime gets it.
pub fn roof_answer(words: Words, response: RoofResponse) -> RoofAnswer {
    match response {
        RoofResponse::Roof(found) => RoofAnswer::Roof(roof_step(words, found)),
        RoofResponse::NoRoof { key, street, city, .. } => no_roof_answer(words, key, street, city, Vec::new()),
        RoofResponse::NotFound { typed, close } => RoofAnswer::NotFound { typed, close },
    }
}

/// `why`: what stands under the heading of the step that offers a visit.
pub fn no_roof_answer(words: Words, key: Option<String>, street: String, city: String, why: Vec<Node>) -> RoofAnswer {
    RoofAnswer::NoRoof { key, street, city, why: part(why, words), pane: part(blank(words), words) }
}

fn roof_step(words: Words, of: RoofFound) -> RoofStep {
    let pane = |detail| {
        let picked = Picked { roof: &of, building: 0, priced: false };
        part(found::<Node>(words, Some(picked), detail, None), words)
    };
    let rows = of.buildings.iter().enumerate().map(|(at, building)| BuildingRow {
        row: part(view::choice(Node::new("span"), at, building).inside(), words),
        area: building.area,
        picked: at == 0,
        why: Part::default(),
    });
    let intro = view::intro(Node::new("div"), words, &of).inside();
    let facts = of.buildings.first().map(|first| view::facts(words, &of, first)).unwrap_or_default();
    RoofStep {
        heading: words.text(view::heading(&of)).to_owned(),
        intro: part(intro, words),
        buildings: rows.collect(),
        facts: part(facts, words),
        pane: pane(Detail::Measures),
        aside: pane(Detail::Areas),
        key: of.key.clone(),
        street: of.street.clone(),
        city: of.city.clone(),
    }
}
