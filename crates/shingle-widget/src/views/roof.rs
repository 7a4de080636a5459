//! Step 2: is this the roof?

use leptos::prelude::*;
use shingle_domain::public::{BuildingChoice, Method, RoofFound};
use shingle_domain::roof::DrawingBasis;

use super::icon;
use super::{Flow, actions, button, fact, lead, main_part, note, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{fill, number, tenths, thousands};

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let Some((many, near)) = flow.read(|s| s.roof.as_ref().map(|r| (r.buildings.len() > 1, r.confidence < 100))) else {
        return ().into_any();
    };
    let heading = match (many, near) {
        (true, _) => w.many_title,
        (_, true) => w.near_title,
        _ => w.roof_title,
    };
    let buildings = many.then(|| choices(flow));
    let main = view! { {title(heading.to_owned())} {flow.live(intro)} {buildings} {flow.live(facts)} };
    let buttons = if many {
        view! { {flow.live(use_button)} {button(flow, "sh-btn quiet", w.many_none, || Event::RoofNo)} }.into_any()
    } else {
        view! {
            {button(flow, "sh-btn primary", w.roof_yes, || Event::RoofYes)}
            {button(flow, "sh-btn secondary", w.roof_no, || Event::RoofNo)}
        }
        .into_any()
    };
    view! { {plan::found(flow, Detail::Measures, "pane-high")} {main_part(main.into_any())} {actions(buttons)} }
        .into_any()
}

fn intro(flow: Flow, state: &State) -> AnyView {
    let w = flow.words;
    let Some(roof) = &state.roof else { return ().into_any() };
    if roof.buildings.len() > 1 {
        let n = roof.buildings.len().to_string();
        return lead(fill(w.many_lead, &[("n", &n), ("street", &roof.street)]));
    }
    if roof.confidence < 100 {
        return view! { {lead(fill(w.near_lead, &[("street", &roof.street)]))} {near(flow, roof)} }.into_any();
    }
    lead([roof.street.as_str(), ", ", &roof.city].concat())
}

fn near(flow: Flow, roof: &RoofFound) -> AnyView {
    let w = flow.words;
    note("sh-note warn", icon::ALERT, number(w.near_note_title, roof.confidence.into()), w.near_note.to_owned())
}

fn letter(at: usize) -> String {
    char::from(b'A' + (at % 26) as u8).to_string()
}

fn use_button(flow: Flow, state: &State) -> AnyView {
    let label = fill(flow.words.many_use, &[("letter", &letter(state.building))]);
    button(flow, "sh-btn primary", label, || Event::RoofYes)
}

fn choices(flow: Flow) -> AnyView {
    let w = flow.words;
    let rows = flow.read(|s| {
        let buildings = s.roof.as_ref().map(|r| r.buildings.as_slice()).unwrap_or_default();
        buildings.iter().enumerate().map(|(at, b)| choice(flow, at, b)).collect::<Vec<_>>()
    });
    view! { <fieldset class="sh-choices"><legend class="sh-vh">{w.many_legend}</legend>{rows}</fieldset> }.into_any()
}

fn choice(flow: Flow, at: usize, of: &BuildingChoice) -> AnyView {
    let w = flow.words;
    let small = match (at, of.shape.as_str()) {
        (0, "") => w.many_largest.to_owned(),
        (_, shape) => shape.to_owned(),
    };
    view! {
        <label class="sh-choice">
            <input
                class="sh-radio"
                type="radio"
                name="sh-building"
                prop:checked=move || flow.state.with(|s| s.building == at)
                on:change=move |_| flow.send(Event::PickBuilding(at))
            />
            <span><b>{[&letter(at), " · ", &of.label].concat()}</b><small>{small}</small></span>
            <span class="amount">{thousands(of.area.into())}<small>{w.square_feet}</small></span>
        </label>
    }
    .into_any()
}

fn facts(flow: Flow, state: &State) -> AnyView {
    let w = flow.words;
    let (Some(roof), Some(building)) = (&state.roof, state.picked_building()) else { return ().into_any() };
    let sides = match building.longest_sides {
        Some([a, b]) => {
            fact(w.roof_sides, [&tenths(a.into()), " × ", &tenths(b.into()), " ", w.feet].concat(), String::new())
        }
        None => fact(w.roof_area, thousands(building.area.into()), w.square_feet.to_owned()),
    };
    let shape = (!building.shape.is_empty()).then(|| fact(w.roof_shape, building.shape.clone(), String::new()));
    let arrows = building.drawing.as_ref().is_some_and(|d| d.basis != DrawingBasis::Outline).then_some(w.source_arrows);
    let newer = roof.provenance.year.as_ref().map(|year| {
        let heading = fill(w.newer_title, &[("year", year)]);
        note("sh-note", icon::INFO, heading, w.newer_text.to_owned())
    });
    view! {
        <dl class="facts">{sides}{shape}</dl>
        <p class="sh-small">{source(flow, roof)}" "{arrows}" "{fill(w.source_name, &[("source", &roof.provenance.source)])}</p>
        {newer}
    }
    .into_any()
}

fn source(flow: Flow, roof: &RoofFound) -> String {
    let w = flow.words;
    let (plain, dated) = match roof.provenance.method {
        Method::Survey => (w.source_survey, w.source_survey_year),
        Method::Outline => (w.source_outline, w.source_outline_year),
        Method::Records => (w.source_records, w.source_records_year),
    };
    match &roof.provenance.year {
        Some(year) => fill(dated, &[("year", year)]),
        None => plain.to_owned(),
    }
}
