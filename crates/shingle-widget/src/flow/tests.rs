//! Every transition, without a browser.

mod address;
mod booking;
mod choose;
mod draft;
mod kept;
mod lead;
mod photo;
#[cfg(not(target_arch = "wasm32"))]
mod strange;
mod walk;

use shingle_domain::public::{
    AddressChoice, BuildingRow, EstimateStep, LeadReceipt, Part, PriceRow, RoofAnswer, RoofStep, SuggestResponse,
    Suggestion,
};
use shingle_domain::roof::RoofMaterial;
use shingle_domain::{Language, LeadId};

use super::contact::Field;
use super::pending::MAX_ATTEMPTS;
use super::*;
use crate::words::{Problem, flow_words};

/// What the live region says.
pub fn said(state: &State) -> String {
    state.announcement.text(flow_words(Language::English))
}

/// What is said under a field; nothing when nothing is wrong.
pub fn complaint(problem: Option<Problem>) -> String {
    problem.map(|p| p.text(flow_words(Language::English))).unwrap_or_default()
}

pub fn flow() -> State {
    let mut state = State::new(7);
    state.apply(Event::Opened);
    state
}

pub fn suggestion(street: &str) -> Suggestion {
    Suggestion { key: format!("key of {street}"), street: street.into(), city: "Portland, ME 04103".into(), matched: 3 }
}

/// A text that a part may hold.
fn part(text: &str) -> Part {
    Part(["[[\"p\",{},\"", text, "\"]]"].concat())
}

pub fn building(label: &str, area: u32) -> BuildingRow {
    BuildingRow { row: part(label), area, picked: false, why: Part::default() }
}

/// The first building is picked.
pub fn found(mut buildings: Vec<BuildingRow>) -> RoofStep {
    buildings[0].picked = true;
    RoofStep {
        key: "place-14".into(),
        street: "14 Alder Court".into(),
        city: "Portland, ME 04103".into(),
        heading: "Is this your roof?".into(),
        intro: part("intro"),
        buildings,
        facts: part("facts"),
        pane: part("pane"),
        aside: part("aside"),
        homes: Vec::new(),
        choose: Part::default(),
        choose_pane: Part::default(),
        not_mine: Part::default(),
    }
}

pub fn receipt(priced: bool) -> LeadReceipt {
    let price = |material, value| PriceRow {
        material,
        value,
        price: part("price"),
        row: part("row"),
        monthly: Part::default(),
        said: format!("Now ${value}."),
    };
    LeadReceipt {
        id: "0193b5a0-0000-7000-8000-000000000001".parse::<LeadId>().unwrap(),
        reference: "HP-4K7Q".into(),
        lead_token: "lead-token".into(),
        estimate: priced.then(|| EstimateStep {
            heading: "Your estimate for 14 Alder Court".into(),
            prices: vec![price(RoofMaterial::AsphaltShingle, 16_120.0), price(RoofMaterial::Metal, 28_520.0)],
            chosen: 0,
            above: Part::default(),
            middle: Part::default(),
            below: part("below"),
            pane: part("priced pane"),
        }),
        booking: part("booking"),
        thanks: part("thanks"),
        kept: part("kept"),
        panel: part("panel"),
        link: "https://x.example/w/1/e/t".into(),
    }
}

/// The number of the request among these effects.
pub fn number(effects: &[Effect]) -> u32 {
    effects
        .iter()
        .find_map(|e| match e {
            Effect::Suggest(n, _) | Effect::LookUp(n, _) | Effect::Send(n, _) | Effect::Change(n, ..) => Some(*n),
            _ => None,
        })
        .expect("a request")
}

/// The timer among these effects.
pub fn timer(effects: &[Effect]) -> (u32, Event) {
    effects
        .iter()
        .find_map(|e| match e {
            Effect::After(ms, event) => Some((*ms, event.clone())),
            _ => None,
        })
        .expect("a timer")
}

pub fn emitted(effects: &[Effect]) -> Vec<&str> {
    effects
        .iter()
        .filter_map(|e| match e {
            Effect::Emit(name, _) => Some(*name),
            _ => None,
        })
        .collect()
}

/// Types, waits, and lets the server answer with these streets.
pub fn suggested(state: &mut State, text: &str, streets: &[&str]) {
    let (_, due) = timer(&state.apply(Event::Typed(text.into())));
    let n = number(&state.apply(due));
    let suggestions = streets.iter().map(|s| suggestion(s)).collect();
    state.apply(Event::Suggested(n, Ok(SuggestResponse { suggestions })));
}

/// As far as the roof step.
pub fn at_roof(buildings: Vec<BuildingRow>) -> State {
    let mut state = flow();
    suggested(&mut state, "14 alder", &["14 Alder Court"]);
    state.apply(Event::Choose(0));
    let n = number(&state.apply(Event::Measure));
    state.apply(Event::LookedUp(n, Ok(RoofAnswer::Roof(found(buildings)))));
    assert_eq!(state.screen(), Screen::Roof);
    state
}

pub fn fill_in(state: &mut State) {
    for (field, text) in
        [(Field::First, " Dana"), (Field::Last, "Whitfield"), (Field::Email, "dana@example.com"), (Field::Phone, "")]
    {
        state.apply(Event::Field(field, text.into()));
    }
}

pub fn submit(state: &mut State, key: &str) -> Vec<Effect> {
    state.apply(Event::Submit { key: key.into(), elapsed_ms: 9_000 })
}

/// As far as the details, filled in.
pub fn at_details() -> State {
    let mut state = at_roof(vec![building("House", 2480)]);
    state.apply(Event::RoofYes);
    fill_in(&mut state);
    state
}

pub fn at_estimate() -> State {
    let mut state = at_details();
    let n = number(&submit(&mut state, "k1"));
    state.apply(Event::Sent(n, Ok(Box::new(receipt(true)))));
    assert_eq!(state.screen(), Screen::Estimate);
    state
}
