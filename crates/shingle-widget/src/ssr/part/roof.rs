//! What the roof step shows, and the steps beside which its drawing stands.

use shingle_domain::home_roof::NoPrice;
use shingle_domain::public::{BuildingRow, Part, RoofAnswer, RoofFound, RoofResponse, RoofStep, Suggestion};

use super::part;
use crate::plan::Detail;
use crate::site::homes::{Home, homes};
use crate::ssr::node::Node;
use crate::view::plan::{Picked, blank, found, homes as homes_pane};
use crate::view::{Markup, choose, gate, roof as view};
use crate::words::Words;

/// The answer to a look-up as the runtime gets it.
pub fn roof_answer(words: Words, response: RoofResponse) -> RoofAnswer {
    match response {
        RoofResponse::Roof(found) => RoofAnswer::Roof(roof_step(words, found)),
        RoofResponse::NoRoof { key, street, city, reason, roof } => {
            let unit = match &reason {
                Some(NoPrice::Unit { unit, .. }) => unit.as_deref(),
                _ => None,
            };
            let why = reason.as_ref().and_then(|reason| gate::why(words, reason));
            let pane = match &roof {
                Some(roof) => {
                    let picked = Picked { roof, chosen: None, priced: false, unit };
                    found::<Node>(words, Some(picked), Detail::Measures, None)
                }
                None => blank(words),
            };
            RoofAnswer::NoRoof { key, street, city, why: part(why, words), pane: part(pane, words) }
        }
        RoofResponse::NotFound { typed, close } => RoofAnswer::NotFound { typed, close },
    }
}

fn roof_step(words: Words, of: RoofFound) -> RoofStep {
    let pane = |detail| {
        let picked = Picked { roof: &of, chosen: None, priced: false, unit: None };
        part(found::<Node>(words, Some(picked), detail, None), words)
    };
    let rows = of.buildings.iter().enumerate().map(|(at, building)| BuildingRow {
        row: part(view::choice(Node::new("span"), at, building).inside(), words),
        area: building.area,
        picked: at == 0,
        why: part(building.no_price.as_ref().and_then(|reason| gate::why(words, reason)), words),
    });
    let intro = view::intro(Node::new("div"), words, &of).inside();
    let facts = of.buildings.first().map(|first| view::facts(words, &of, first)).unwrap_or_default();
    let homes = homes(&of);
    let way = |at: &'static str| Node::classed("button", "sh-choice").set("type", "button").set("data-building", at);
    let some = |nodes: Vec<Node>| if homes.is_empty() { Part::default() } else { part(nodes, words) };
    RoofStep {
        choose: some(choose::list(words, &homes, "sh-home", |at, _| at.to_string())),
        choose_pane: some(homes_pane(words, &of)),
        not_mine: part(choose::none(way("0"), way("1")), words),
        homes: homes.iter().map(suggestion).collect(),
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

fn suggestion(of: &Home<'_>) -> Suggestion {
    Suggestion { key: of.key.to_owned(), street: of.street.to_owned(), city: of.city.to_owned(), matched: 0 }
}
