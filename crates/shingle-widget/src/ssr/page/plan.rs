//! The drawing beside a step, by the same sheet as the runtime's.

use shingle_domain::public::RoofFound;
use shingle_domain::roof::{DrawingBasis, RoofDrawing};

use super::{Node, Step, node};
use crate::plan::{Detail, Label, lengths, sheet};
use crate::words::{tenths, thousands, w};

/// What the pane beside a step shows.
pub(super) struct Pane {
    class: &'static str,
    roof: Option<(RoofDrawing, Detail)>,
    tags: Vec<String>,
    more: Option<Node>,
}

impl Pane {
    /// The roof of the first step, before there is a real one.
    pub fn example(step: &Step<'_>, class: &'static str) -> Self {
        let tags = vec![step.words().text(w::TAG_EXAMPLE).to_owned()];
        Self { class, roof: Some((crate::plan::example(), Detail::Areas)), tags, more: None }
    }

    pub fn blank(step: &Step<'_>) -> Self {
        Self {
            class: "sh-pane only-wide",
            roof: None,
            tags: vec![step.words().text(w::TAG_NONE).to_owned()],
            more: None,
        }
    }

    pub fn found(step: &Step<'_>, roof: &RoofFound, building: usize, detail: Detail, class: &'static str) -> Self {
        let Some(drawing) = roof.buildings.get(building).and_then(|b| b.drawing.clone()) else {
            return Self { class, ..Self::blank(step) };
        };
        let mut tags = known(step, roof, &drawing);
        if detail == Detail::Areas && !drawing.facets.is_empty() {
            tags.push(size(step, roof, building, &drawing));
        }
        Self { class, roof: Some((drawing, detail)), tags, more: None }
    }

    /// Beside the price, with figures under the drawing's key.
    pub fn priced(step: &Step<'_>, roof: Option<&RoofFound>, building: usize, more: Node) -> Self {
        let class = "sh-pane only-wide tall-strip";
        let found = roof.and_then(|r| Some((r, r.buildings.get(building)?.drawing.clone()?)));
        let Some((roof, drawing)) = found else { return Self { class, more: Some(more), ..Self::blank(step) } };
        let mut tags = known(step, roof, &drawing);
        if !drawing.facets.is_empty() {
            tags.push(step.words().text(w::TAG_AREAS).to_owned());
        }
        Self { class, roof: Some((drawing, Detail::Areas)), tags, more: Some(more) }
    }

    pub fn node(self, step: &Step<'_>) -> Node {
        let drawing = self.roof.as_ref().map(|(roof, detail)| draw(step, roof, *detail));
        let tags = self.tags.into_iter().map(|tag| node("p").class("sh-tag").text(tag));
        node("div")
            .class(self.class)
            .children(drawing)
            .child(node("div").class("sh-tags").children(tags))
            .child(compass(step))
            .children(strip(step, self.roof.as_ref().map(|(roof, _)| roof), self.more))
    }
}

/// What has to be said about a drawing: how much of it is known, and whether it is real.
fn known(step: &Step<'_>, roof: &RoofFound, drawing: &RoofDrawing) -> Vec<String> {
    let t = step.words();
    let mut tags = Vec::new();
    if roof.provenance.invented {
        tags.push(t.text(w::TAG_INVENTED).to_owned());
    }
    match drawing.basis {
        DrawingBasis::Modelled => tags.push(t.text(w::TAG_MODELLED).to_owned()),
        DrawingBasis::Outline => tags.push(t.text(w::TAG_OUTLINE).to_owned()),
        DrawingBasis::Measured => (),
    }
    tags
}

fn size(step: &Step<'_>, roof: &RoofFound, building: usize, drawing: &RoofDrawing) -> String {
    let area = thousands(roof.buildings.get(building).map_or(0, |b| b.area).into());
    step.words().fill(w::TAG_SIZE, &[("area", &area), ("n", &drawing.facets.len().to_string())])
}

fn compass(step: &Step<'_>) -> Node {
    node("svg")
        .class("sh-compass")
        .set("viewBox", "0 0 34 44")
        .set("role", "img")
        .set("aria-label", step.words().text(w::NORTH))
        .child(line("l", "M17 12 23 34 17 29.5 11 34Z"))
        .child(line("half", "M17 12 17 29.5 11 34Z"))
        .child(node("text").set("x", "17").set("y", "9").set("text-anchor", "middle").text("N"))
}

fn draw(step: &Step<'_>, roof: &RoofDrawing, detail: Detail) -> Node {
    let s = sheet(roof, detail, step.words());
    let fills = s.facets.iter().map(|(class, d)| line(class, d));
    let drawn = |class, d: &str| (!d.is_empty()).then(|| line(class, d));
    let labels = [("t-dim", s.lengths), ("t-area", s.areas), ("t-dim", s.scale_ends)];
    let labels = labels.into_iter().flat_map(|(class, labels)| labels.into_iter().map(move |l| label(class, l)));
    node("svg")
        .class("plan")
        .set("viewBox", s.view_box)
        .set("font-size", s.font.to_string())
        .set("role", "img")
        .set("aria-label", name(step, roof))
        .child(node("g").class("fills").children(fills))
        .child(
            node("g")
                .class("folds")
                .children(drawn("l l-hip", &s.hips))
                .children(drawn("l l-valley", &s.valleys))
                .children(drawn("l l-ridge", &s.ridges)),
        )
        .children(drawn("l l-eave", &s.eaves))
        .children(drawn("l l-dim", &s.arrows))
        .children(drawn("l l-dim", &s.dimensions))
        .children(drawn("l l-scale", &s.scale))
        .children(labels)
}

pub(super) fn line(class: &str, d: &str) -> Node {
    node("path").class(class).set("d", d)
}

fn label(class: &'static str, of: Label) -> Node {
    let text = node("text").class(class).set("x", of.x.to_string()).set("y", of.y.to_string());
    let text = if of.upright { text.set("transform", format!("rotate(-90 {} {})", of.x, of.y)) } else { text };
    text.text(of.text)
}

/// The drawing in a sentence.
fn name(step: &Step<'_>, roof: &RoofDrawing) -> String {
    let t = step.words();
    let facets = match roof.facets.len() {
        0 => t.text(w::PLAN_OUTLINE).to_owned(),
        n => t.number(w::PLAN_FACETS, n),
    };
    let (a, b) = (tenths(roof.width.into()), tenths(roof.height.into()));
    t.fill(w::PLAN_NAME, &[("a", &a), ("b", &b), ("facets", &facets)])
}

/// The key with the length of each kind of line.
fn strip(step: &Step<'_>, roof: Option<&RoofDrawing>, more: Option<Node>) -> Option<Node> {
    const STROKES: [&str; 4] = ["l l-ridge", "l l-hip", "l l-valley", "l l-eave"];
    let t = step.words();
    let along = roof.map(lengths).unwrap_or_default();
    let keys = (0..STROKES.len()).filter(|at| along[*at] > 0).map(|at| {
        let stroke =
            node("svg").set("viewBox", "0 0 22 8").set("aria-hidden", "true").child(line(STROKES[at], "M1 4h20"));
        node("span").child(stroke).text(format!(
            "{} {} {}",
            t.text(w::LINES.at(at)),
            thousands(along[at].into()),
            t.text(w::FEET)
        ))
    });
    let key = node("p").class("plan-key").children(keys);
    (roof.is_some() || more.is_some()).then(|| node("div").class("sh-strip").child(key).children(more))
}
