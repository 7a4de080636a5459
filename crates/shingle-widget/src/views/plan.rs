//! The drawing and what stands around it: compass, tags, key.

use std::cell::RefCell;

use shingle_domain::roof::{DrawingBasis, RoofDrawing};

use super::Flow;
use super::el::{Child, El, View, boxed, el, nothing, part};
use crate::flow::{Screen, State};
use crate::plan::{Detail, Label, lengths, sheet};
use crate::words::{tenths, thousands, w};

/// The pane of the first step, before there is a roof to show.
pub fn example(flow: Flow) -> View {
    let first = flow.read(|s| s.screen() == Screen::Address);
    // The field is there first: half of all that is on this step is in the drawing.
    boxed("div", if first { "sh-pane after" } else { "sh-pane only-wide" })
        .add(flow.live(|s| s.settled.to_string(), drawn_example))
        .view()
}

fn drawn_example(flow: Flow, state: &State) -> View {
    if !state.settled {
        return nothing();
    }
    let roof = crate::plan::example();
    [
        draw(flow, &roof, Detail::Areas).view(),
        compass().view(),
        tags([w::TAG_EXAMPLE.view()]).view(),
        strip(flow, Some(&roof), None).view(),
    ]
    .view()
}

/// A pane without a roof.
pub fn blank(class: &'static str) -> View {
    boxed("div", class).add(compass()).add(tags([w::TAG_NONE.view()])).view()
}

/// The roof that was found and picked, with more under its key.
pub fn found(flow: Flow, detail: Detail, class: &'static str, more: Option<El>) -> View {
    let more = RefCell::new(more);
    let pane = boxed("div", class);
    // Another building can be picked only where nothing else is in the strip.
    pane.add(part(
        move || flow.watch(|s| s.building.to_string()),
        move || {
            let more = more.take();
            flow.read(|s| {
                let roof = s.picked_building().and_then(|b| b.drawing.as_ref());
                let (drawing, tags) = match roof {
                    Some(roof) => (Some(draw(flow, roof, detail)), tags(known(flow, s, roof, detail))),
                    None => (None, tags([w::TAG_NONE.view()])),
                };
                [drawing.view(), tags.view(), compass().view(), strip(flow, roof, more).view()].view()
            })
        },
    ))
    .view()
}

/// What has to be said about a drawing: how much of it is known, and whether it is real.
fn known(flow: Flow, state: &State, roof: &RoofDrawing, detail: Detail) -> Vec<View> {
    let mut tags = Vec::new();
    if state.roof.as_ref().is_some_and(|r| r.provenance.invented) {
        tags.push(w::TAG_INVENTED.view());
    }
    match roof.basis {
        DrawingBasis::Modelled => tags.push(w::TAG_MODELLED.view()),
        DrawingBasis::Outline => tags.push(w::TAG_OUTLINE.view()),
        DrawingBasis::Measured => (),
    }
    if detail == Detail::Areas && !roof.facets.is_empty() {
        tags.push(if state.sheet().is_some() {
            w::TAG_AREAS.view()
        } else {
            let area = state.picked_building().map_or(0, |b| b.area);
            flow.words
                .fill(w::TAG_SIZE, &[("area", &thousands(area.into())), ("n", &roof.facets.len().to_string())])
                .view()
        });
    }
    tags
}

fn tags(texts: impl IntoIterator<Item = View>) -> El {
    texts.into_iter().fold(boxed("div", "sh-tags"), |tags, text| tags.add(boxed("p", "sh-tag").add(text)))
}

fn compass() -> El {
    boxed("svg", "sh-compass")
        .all(&[("viewBox", "0 0 34 44"), ("role", "img")])
        .say("aria-label", w::NORTH)
        .add(boxed("path", "l").set("d", "M17 12 23 34 17 29.5 11 34Z"))
        .add(boxed("path", "half").set("d", "M17 12 17 29.5 11 34Z"))
        .add(el("text").all(&[("x", "17"), ("y", "9"), ("text-anchor", "middle")]).add("N"))
}

fn draw(flow: Flow, roof: &RoofDrawing, detail: Detail) -> El {
    let s = sheet(roof, detail, flow.words);
    let fills = s.facets.into_iter().fold(boxed("g", "fills"), |g, (class, d)| g.add(boxed("path", class).put("d", d)));
    let folds = boxed("g", "folds")
        .add(line("l l-hip", s.hips))
        .add(line("l l-valley", s.valleys))
        .add(line("l l-ridge", s.ridges));
    let drawing = boxed("svg", "plan")
        .put("viewBox", s.view_box)
        .put("font-size", s.font.to_string())
        .set("role", "img")
        .put("aria-label", name(flow, roof))
        .add(fills)
        .add(folds)
        .add(line("l l-eave", s.eaves))
        .add(line("l l-dim", s.arrows))
        .add(line("l l-dim", s.dimensions))
        .add(line("l l-scale", s.scale));
    let labels = [("t-dim", s.lengths), ("t-area", s.areas), ("t-dim", s.scale_ends)];
    labels.into_iter().fold(drawing, |drawing, (class, labels)| {
        labels.into_iter().fold(drawing, |drawing, l| drawing.add(label(class, l)))
    })
}

fn line(class: &'static str, d: String) -> Option<El> {
    (!d.is_empty()).then(|| boxed("path", class).put("d", d))
}

fn label(class: &'static str, of: Label) -> El {
    let (x, y) = (of.x.to_string(), of.y.to_string());
    let turn = ["rotate(-90 ", &x, " ", &y, ")"].concat();
    let text = boxed("text", class).put("x", x).put("y", y).add(of.text);
    if of.upright { text.put("transform", turn) } else { text }
}

/// The drawing in a sentence.
fn name(flow: Flow, roof: &RoofDrawing) -> String {
    let facets = match roof.facets.len() {
        0 => flow.words[w::PLAN_OUTLINE].to_owned(),
        n => flow.words.number(w::PLAN_FACETS, n),
    };
    let (a, b) = (tenths(roof.width.into()), tenths(roof.height.into()));
    flow.words.fill(w::PLAN_NAME, &[("a", &a), ("b", &b), ("facets", &facets)])
}

/// The key with the length of each kind of line.
fn strip(flow: Flow, roof: Option<&RoofDrawing>, more: Option<El>) -> Option<El> {
    const STROKES: [&str; 4] = ["l l-ridge", "l l-hip", "l l-valley", "l l-eave"];
    let mut key = boxed("p", "plan-key");
    for (at, feet) in roof.map(lengths).unwrap_or_default().into_iter().enumerate() {
        if feet > 0 {
            let text = [&flow.words[w::LINES.at(at)], " ", &thousands(feet.into()), " ", &flow.words[w::FEET]].concat();
            let stroke = el("svg").all(&[("viewBox", "0 0 22 8"), ("aria-hidden", "true")]);
            key = key.add(el("span").add(stroke.add(line(STROKES[at], "M1 4h20".to_owned()))).add(text));
        }
    }
    (roof.is_some() || more.is_some()).then(|| boxed("div", "sh-strip").add(key).add(more))
}
