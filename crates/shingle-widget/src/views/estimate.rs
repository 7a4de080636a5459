//! Step 4: the price first, then how it was made.

use leptos::prelude::*;
use shingle_domain::lead::MaterialPrice;
use shingle_domain::public::EstimateSheet;
use shingle_domain::roof::RoofMaterial;

use super::icon::{self, drawing, icon};
use super::{Flow, actions, button, fact, main_part, note, plan};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{
    area_alert, complexity, dollars, fill, material, material_in_text, number, pitch_alert, tenths, thousands,
};

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let Some(sheet) = flow.read(|s| s.sheet().cloned()) else { return ().into_any() };
    let rows = sheet.prices.iter().enumerate().map(|(row, p)| choice(flow, row, p)).collect::<Vec<_>>();
    let main = view! {
        <h1 class="sh-label sh-for" id="sh-title" tabindex="-1">{fill(w.estimate_for, &[("street", &sheet.street)])}</h1>
        {flow.live(price)}
        {flags(flow, &sheet)}
        <fieldset class="sh-choices"><legend class="sh-h2">{w.material}</legend>{rows}</fieldset>
        <div class="only-narrow">
            <h2 class="sh-h2">{w.measured}</h2>
            {facts(flow, &sheet)}
        </div>
        {note("sh-note", icon::INFO, w.note[0].to_owned(), flow.say(w.note[1]))}
    };
    let print = view! { {icon(icon::PRINT)}{w.print} };
    let buttons = view! {
        {button(flow, "sh-btn primary", w.book, || Event::Book)}
        {button(flow, "sh-btn quiet", print, || Event::Print)}
    };
    view! {
        {main_part(main.into_any())}
        {actions(buttons.into_any())}
        {plan::pane(flow, Detail::Areas, "only-wide tall-strip", facts(flow, &sheet))}
    }
    .into_any()
}

fn price(flow: Flow, state: &State) -> AnyView {
    let w = flow.words;
    let (Some(sheet), Some(price)) = (state.sheet(), state.sheet().and_then(|s| s.prices.get(state.material))) else {
        return ().into_any();
    };
    let sum = fill(
        w.sum,
        &[
            ("squares", &tenths(sheet.squares_tenths.into())),
            ("price", &dollars(price.price_per_square)),
            ("material", material_in_text(price.material)),
        ],
    );
    let wider = has_flags(sheet).then(|| [" ", w.flag_wider].concat());
    view! {
        <p class="price">{dollars(price.cost)}</p>
        <div class="range">
            <svg viewBox="0 0 320 14" preserveAspectRatio="none" aria-hidden="true">
                <path class="l l-range" d=RANGE/>
                <path class="l l-mark" d=mark(price)/>
            </svg>
            <div><span>{w.low}" "<b>{dollars(price.low)}</b></span><span>{w.high}" "<b>{dollars(price.high)}</b></span></div>
        </div>
        <p class="sh-small">{sum}{wider}</p>
    }
    .into_any()
}

const RANGE: &str = "M0 7H320M0 1v12M320 1v12";

/// Where the price stands between low and high.
fn mark(price: &MaterialPrice) -> String {
    let (low, high) = (price.low.cents(), price.high.cents());
    let at = (price.cost.cents() - low).clamp(0, (high - low).max(0)) * 320 / (high - low).max(1);
    ["M", &at.to_string(), " 0v14"].concat()
}

fn has_flags(sheet: &EstimateSheet) -> bool {
    pitch_alert(sheet.alerts.roof_pitch_alert).is_some() || area_alert(sheet.alerts.roof_area_alert).is_some()
}

fn flags(flow: Flow, sheet: &EstimateSheet) -> AnyView {
    if !has_flags(sheet) {
        return ().into_any();
    }
    let both = [pitch_alert(sheet.alerts.roof_pitch_alert), area_alert(sheet.alerts.roof_area_alert)];
    let notes = both
        .into_iter()
        .flatten()
        .map(|[heading, text]| note("sh-note warn", icon::ALERT, (*heading).to_owned(), (*text).to_owned()));
    view! { <h2 class="sh-h2">{flow.words.flags}</h2>{notes.collect::<Vec<_>>()} }.into_any()
}

fn choice(flow: Flow, row: usize, of: &MaterialPrice) -> AnyView {
    let per = fill(flow.words.per_square, &[("price", &dollars(of.price_per_square))]);
    view! {
        <label class="sh-choice">
            <input
                class="sh-radio"
                type="radio"
                name="sh-material"
                value=of.material.as_str()
                prop:checked=move || flow.state.with(|s| s.material == row)
                on:change=move |_| flow.send(Event::Material(row))
            />
            <span class="sh-kind">
                {drawing("sh-swatch", "0 0 40 40", courses(of.material))}
                <span><b>{material(of.material)}</b><small>{per}</small></span>
            </span>
            <span class="amount">{dollars(of.cost)}</span>
        </label>
    }
    .into_any()
}

/// The pattern a covering is laid in.
fn courses(of: RoofMaterial) -> &'static str {
    match of {
        RoofMaterial::AsphaltShingle => {
            "M0 10h40M0 20h40M0 30h40M8 0v10M22 0v10M34 0v10M2 10v10M15 10v10M29 10v10M8 20v10M22 20v10M34 20v10M2 30v10M15 30v10M29 30v10"
        }
        RoofMaterial::Metal => "M7 0v40M9 0v40M19 0v40M21 0v40M31 0v40M33 0v40",
        RoofMaterial::Tile => {
            "M0 3a5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0M-5 13a5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0M0 23a5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0M-5 33a5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0 5 5 0 0 0 10 0"
        }
        RoofMaterial::Slate => "M0 13h40M0 27h40M10 0v13M30 0v13M0 13v14M20 13v14M40 13v14M10 27v13M30 27v13",
        RoofMaterial::Other => "M0 40 40 0M0 20 20 0M20 40 40 20",
    }
}

/// What was measured, as four figures.
fn facts(flow: Flow, sheet: &EstimateSheet) -> AnyView {
    let w = flow.words;
    let rise = halves(sheet.rise_halves);
    let degrees = [&tenths(sheet.pitch_tenths.into()), "°"].concat();
    let facets = sheet.facets.map(|n| number(w.facets, n as usize)).unwrap_or_default();
    view! {
        <dl class="facts">
            {fact(w.facts[0], thousands(sheet.roof_area.into()), w.square_feet.to_owned())}
            {fact(w.facts[1], tenths(sheet.squares_tenths.into()), w.times_hundred.to_owned())}
            <div class="pitch">
                <dt>{w.facts[2]}</dt>
                <dd>{[&rise, "/12"].concat()}" "<small>{degrees}</small></dd>
                {triangle(flow, sheet.rise_halves, rise)}
            </div>
            {fact(w.facts[3], complexity(sheet.complexity).to_owned(), facets)}
        </dl>
    }
    .into_any()
}

fn halves(n: u32) -> String {
    tenths(i64::from(n) * 5)
}

fn triangle(flow: Flow, rise_halves: u32, rise: String) -> AnyView {
    let height = (rise_halves * 56 / 24).clamp(2, 40);
    let path = ["M4 42H60V", &(42 - height).to_string(), "Z"].concat();
    let name = fill(flow.words.rise_run, &[("rise", &rise)]);
    view! {
        <dd class="pitch-sign">
            <svg viewBox="0 0 76 56" role="img" aria-label=name>
                <path class="f f-w" d=path.clone()/>
                <path class="l l-ridge" d=path/>
                <text x="32" y="54" text-anchor="middle">{"12"}</text>
                <text x="64" y="32">{rise}</text>
            </svg>
        </dd>
    }
    .into_any()
}
