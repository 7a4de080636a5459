//! The drawing and what stands around it: compass, tags, key.

use leptos::prelude::*;
use shingle_domain::roof::{DrawingBasis, RoofDrawing};

use super::Flow;
use crate::flow::State;
use crate::plan::{Detail, Label, Sheet, lengths, sheet};
use crate::words::{fill, number, tenths, thousands};

/// The pane of the first step, before there is a roof to show.
pub fn example(flow: Flow) -> AnyView {
    let roof = crate::plan::example();
    let class = if flow.read(|s| s.screen() == crate::flow::Screen::Address) { "after" } else { "only-wide" };
    let inside = view! {
        {draw(flow, &roof, Detail::Areas)}
        {compass(flow)}
        {tags(vec![flow.words.tag_example.to_owned()])}
        {strip(flow, &roof, ().into_any())}
    };
    wrap(class, inside.into_any())
}

/// A pane without a roof.
pub fn blank(flow: Flow, class: &'static str) -> AnyView {
    let inside = view! { {compass(flow)} {tags(vec![flow.words.tag_none.to_owned()])} };
    wrap(class, inside.into_any())
}

/// The roof that was found and picked.
pub fn found(flow: Flow, detail: Detail, class: &'static str) -> AnyView {
    pane(flow, detail, class, ().into_any())
}

/// The same, with more under its key.
pub fn pane(flow: Flow, detail: Detail, class: &'static str, more: AnyView) -> AnyView {
    let picked = Memo::new(move |_| flow.state.with(|s| s.building));
    let roof = move || {
        picked.track();
        flow.read(|s| match s.picked_building().and_then(|b| b.drawing.as_ref()) {
            Some(roof) => view! { {draw(flow, roof, detail)} {tags(known(flow, s, roof, detail))} }.into_any(),
            None => tags(vec![flow.words.tag_none.to_owned()]),
        })
    };
    let key = flow.read(|s| s.picked_building().and_then(|b| b.drawing.as_ref()).map(|roof| strip(flow, roof, more)));
    // The key follows the building, what stands below it does not change.
    let inside = view! { {roof} {compass(flow)} {key} };
    wrap(class, inside.into_any())
}

fn wrap(class: &'static str, inside: AnyView) -> AnyView {
    view! { <div class=["sh-pane ", class].concat()>{inside}</div> }.into_any()
}

/// What has to be said about a drawing: how much of it is known, and whether it is real.
fn known(flow: Flow, state: &State, roof: &RoofDrawing, detail: Detail) -> Vec<String> {
    let w = flow.words;
    let mut tags = Vec::new();
    if state.roof.as_ref().is_some_and(|r| r.provenance.invented) {
        tags.push(w.tag_invented.to_owned());
    }
    match roof.basis {
        DrawingBasis::Modelled => tags.push(w.tag_modelled.to_owned()),
        DrawingBasis::Outline => tags.push(w.tag_outline.to_owned()),
        DrawingBasis::Measured => (),
    }
    if detail == Detail::Areas && !roof.facets.is_empty() {
        tags.push(if state.sheet().is_some() {
            w.tag_areas.to_owned()
        } else {
            let area = state.picked_building().map_or(0, |b| b.area);
            fill(w.tag_size, &[("area", &thousands(area.into())), ("n", &roof.facets.len().to_string())])
        });
    }
    tags
}

fn tags(texts: Vec<String>) -> AnyView {
    let tags = texts.into_iter().map(|text| view! { <p class="sh-tag">{text}</p> }).collect::<Vec<_>>();
    view! { <div class="sh-tags">{tags}</div> }.into_any()
}

fn compass(flow: Flow) -> AnyView {
    view! {
        <svg class="sh-compass" viewBox="0 0 34 44" role="img" aria-label=flow.words.north>
            <path class="l" d=NEEDLE/>
            <path class="half" d=NEEDLE_WEST/>
            <text x="17" y="9" text-anchor="middle">{"N"}</text>
        </svg>
    }
    .into_any()
}

const NEEDLE: &str = "M17 12 23 34 17 29.5 11 34Z";
const NEEDLE_WEST: &str = "M17 12 17 29.5 11 34Z";

pub fn draw(flow: Flow, roof: &RoofDrawing, detail: Detail) -> AnyView {
    let s = sheet(roof, detail);
    let facets = s.facets.iter().map(|(class, d)| path(class, d.clone())).collect::<Vec<_>>();
    let Sheet { view_box, font, hips, valleys, ridges, eaves, dimensions, arrows, scale, .. } = s;
    view! {
        <svg class="plan" viewBox=view_box font-size=font.to_string() role="img" aria-label=name(flow, roof)>
            <g class="fills">{facets}</g>
            <g class="folds">{path("l l-hip", hips)}{path("l l-valley", valleys)}{path("l l-ridge", ridges)}</g>
            {path("l l-eave", eaves)}
            {path("l l-dim", arrows)}
            {path("l l-dim", dimensions)}
            {path("l l-scale", scale)}
            {labels("t-dim", s.lengths)}
            {labels("t-area", s.areas)}
            {labels("t-dim", s.scale_ends)}
        </svg>
    }
    .into_any()
}

fn path(class: &'static str, d: String) -> AnyView {
    if d.is_empty() { ().into_any() } else { view! { <path class=class d=d/> }.into_any() }
}

fn labels(class: &'static str, labels: Vec<Label>) -> AnyView {
    labels
        .into_iter()
        .map(|l| {
            let (x, y) = (l.x.to_string(), l.y.to_string());
            let turn = l.upright.then(|| ["rotate(-90 ", &x, " ", &y, ")"].concat());
            view! { <text class=class x=x y=y transform=turn>{l.text}</text> }
        })
        .collect::<Vec<_>>()
        .into_any()
}

/// The drawing in a sentence.
fn name(flow: Flow, roof: &RoofDrawing) -> String {
    let w = flow.words;
    let facets = match roof.facets.len() {
        0 => w.plan_outline.to_owned(),
        n => number(w.plan_facets, n),
    };
    let (a, b) = (tenths(roof.width.into()), tenths(roof.height.into()));
    fill(w.plan_name, &[("a", &a), ("b", &b), ("facets", &facets)])
}

/// The key with the length of each kind of line.
fn strip(flow: Flow, roof: &RoofDrawing, more: AnyView) -> AnyView {
    const STROKES: [&str; 4] = ["l l-ridge", "l l-hip", "l l-valley", "l l-eave"];
    let w = flow.words;
    let rows = lengths(roof).into_iter().enumerate().filter(|(_, feet)| *feet > 0).map(|(at, feet)| {
        let text = [w.lines[at], " ", &thousands(feet.into()), " ", w.feet].concat();
        view! {
            <span><svg viewBox="0 0 22 8" aria-hidden="true">{path(STROKES[at], "M1 4h20".to_owned())}</svg>{text}</span>
        }
    });
    view! { <div class="sh-strip"><p class="plan-key">{rows.collect::<Vec<_>>()}</p>{more}</div> }.into_any()
}
