//! The drawing and what stands around it: tags, compass, key.

use shingle_domain::public::RoofFound;
use shingle_domain::roof::{DrawingBasis, RoofDrawing};

use super::block::line;
use super::markup::{Markup, Text};
use crate::plan::{Detail, Label, lengths, sheet};
use crate::words::{Words, tenths, thousands, w};

/// The roof of the first step, before there is a real one.
pub fn example<M: Markup>(words: Words) -> Vec<M> {
    around(words, Some((&crate::plan::example(), Detail::Areas)), vec![w::TAG_EXAMPLE.into()], None)
}

/// A pane without a roof.
pub fn blank<M: Markup>(words: Words) -> Vec<M> {
    around(words, None, vec![w::TAG_NONE.into()], None)
}

/// The roof that was found, and which of its buildings was picked.
#[derive(Debug, Clone, Copy)]
pub struct Picked<'a> {
    pub roof: &'a RoofFound,
    pub building: usize,
    /// The visitor knows its price: its figures stand beside the drawing.
    pub priced: bool,
}

/// The picked building, with `more` under the key.
pub fn found<M: Markup>(words: Words, of: Option<Picked<'_>>, detail: Detail, more: Option<M>) -> Vec<M> {
    let drawing = of.and_then(|of| Some((of, of.roof.buildings.get(of.building)?.drawing.as_ref()?)));
    let tags = drawing.map_or_else(|| vec![w::TAG_NONE.into()], |(of, drawing)| known(words, of, drawing, detail));
    around(words, drawing.map(|(_, drawing)| (drawing, detail)), tags, more)
}

fn around<M: Markup>(words: Words, roof: Option<(&RoofDrawing, Detail)>, tags: Vec<Text>, more: Option<M>) -> Vec<M> {
    let mut pane: Vec<M> = roof.map(|(roof, detail)| draw(words, roof, detail)).into_iter().collect();
    let tag = |text| M::classed("p", "sh-tag").text(text);
    pane.push(M::classed("div", "sh-tags").children(tags.into_iter().map(tag)));
    pane.push(compass());
    if roof.is_some() || more.is_some() {
        let strip = M::classed("div", "sh-strip").child(key(words, roof.map(|(roof, _)| roof)));
        pane.push(strip.children(more));
    }
    pane
}

/// What has to be said about a drawing: how much of it is known, and whether it is real.
fn known(words: Words, of: Picked<'_>, drawing: &RoofDrawing, detail: Detail) -> Vec<Text> {
    let mut tags = Vec::new();
    if of.roof.provenance.invented {
        tags.push(w::TAG_INVENTED.into());
    }
    match drawing.basis {
        DrawingBasis::Modelled => tags.push(w::TAG_MODELLED.into()),
        DrawingBasis::Outline => tags.push(w::TAG_OUTLINE.into()),
        DrawingBasis::Measured => (),
    }
    if detail == Detail::Areas && !drawing.facets.is_empty() {
        tags.push(if of.priced {
            w::TAG_AREAS.into()
        } else {
            let area = of.roof.buildings.get(of.building).map_or(0, |b| b.area);
            let with = [("area", thousands(area.into())), ("n", drawing.facets.len().to_string())];
            words.fill(w::TAG_SIZE, &with.each_ref().map(|(name, value)| (*name, value.as_str()))).into()
        });
    }
    tags
}

fn compass<M: Markup>() -> M {
    M::classed("svg", "sh-compass")
        .all(&[("viewBox", "0 0 34 44"), ("role", "img")])
        .set("aria-label", w::NORTH)
        .child(line("l", "M17 12 23 34 17 29.5 11 34Z"))
        .child(line("half", "M17 12 17 29.5 11 34Z"))
        .child(M::new("text").all(&[("x", "17"), ("y", "9"), ("text-anchor", "middle")]).text("N"))
}

fn draw<M: Markup>(words: Words, roof: &RoofDrawing, detail: Detail) -> M {
    let s = sheet(roof, detail, words);
    let fills = s.facets.into_iter().fold(M::classed("g", "fills"), |g, (class, path)| g.child(line(class, path)));
    let folds = M::classed("g", "folds");
    let folds = lines(folds, [("l l-hip", s.hips), ("l l-valley", s.valleys), ("l l-ridge", s.ridges)]);
    let drawing = M::classed("svg", "plan")
        .set("viewBox", s.view_box)
        .set("font-size", s.font.to_string())
        .set("role", "img")
        .set("aria-label", name(words, roof))
        .child(fills)
        .child(folds);
    let drawing = lines(
        drawing,
        [("l l-eave", s.eaves), ("l l-dim", s.arrows), ("l l-dim", s.dimensions), ("l l-scale", s.scale)],
    );
    let labels = [("t-dim", s.lengths), ("t-area", s.areas), ("t-dim", s.scale_ends)];
    labels.into_iter().fold(drawing, |drawing, (class, labels)| {
        labels.into_iter().fold(drawing, |drawing, l| drawing.child(label(class, l)))
    })
}

/// Those that there are.
fn lines<M: Markup, const N: usize>(mut within: M, paths: [(&'static str, String); N]) -> M {
    for (class, path) in paths {
        if !path.is_empty() {
            within = within.child(line(class, path));
        }
    }
    within
}

fn label<M: Markup>(class: &'static str, of: Label) -> M {
    let (x, y) = (of.x.to_string(), of.y.to_string());
    let turn = ["rotate(-90 ", &x, " ", &y, ")"].concat();
    let text = M::classed("text", class).set("x", x).set("y", y);
    if of.upright { text.set("transform", turn) } else { text }.text(of.text)
}

/// The drawing in a sentence.
fn name(words: Words, roof: &RoofDrawing) -> String {
    let facets = match roof.facets.len() {
        0 => words[w::PLAN_OUTLINE].to_owned(),
        n => words.number(w::PLAN_FACETS, n),
    };
    let (a, b) = (tenths(roof.width.into()), tenths(roof.height.into()));
    words.fill(w::PLAN_NAME, &[("a", &a), ("b", &b), ("facets", &facets)])
}

/// Each kind of line with its length.
fn key<M: Markup>(words: Words, roof: Option<&RoofDrawing>) -> M {
    const STROKES: [&str; 4] = ["l l-ridge", "l l-hip", "l l-valley", "l l-eave"];
    let mut key = M::classed("p", "plan-key");
    for (at, feet) in roof.map(lengths).unwrap_or_default().into_iter().enumerate() {
        if feet > 0 {
            let text = [&words[w::LINES.at(at)], " ", &thousands(feet.into()), " ", &words[w::FEET]].concat();
            let stroke = M::new("svg").all(&[("viewBox", "0 0 22 8"), ("aria-hidden", "true")]);
            key = key.child(M::new("span").child(stroke.child(line(STROKES[at], "M1 4h20"))).text(text));
        }
    }
    key
}
