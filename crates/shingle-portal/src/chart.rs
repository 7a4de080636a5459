//! Charts that the server draws: each is a picture with one sentence, and its table stands in `details` beside it.

use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{div, el};

/// A bar of a chart.
pub(crate) struct Bar {
    pub name: Text,
    pub value: i64,
    /// Behind the bar.
    pub said: String,
    /// What follows more softly.
    pub share: String,
    pub is_strong: bool,
    /// Not over yet: an outline of dashes.
    pub is_open: bool,
}

impl Bar {
    pub fn new(name: impl Into<Text>, value: i64, said: String) -> Self {
        Self { name: name.into(), value, said, share: String::new(), is_strong: false, is_open: false }
    }
}

/// Characters of a name beside its bar; the table has all of it.
const MAX_NAME: usize = 30;

/// What the widths of a figure in pixels of the drawing are, for places on either side of it.
const DIGIT: usize = 9;

fn shown(name: &Text) -> Text {
    match name {
        Text::Made(text) if text.chars().count() > MAX_NAME => {
            let short: String = text.chars().take(MAX_NAME - 1).collect();
            format!("{short}…").into()
        }
        other => other.clone(),
    }
}

/// How much room a chart has on a wide page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Whole,
    Half,
}

/// Bars from the left, one under the other: names beside them where there is room, above them on a narrow page.
pub(crate) fn bars(sentence: &str, bars: &[Bar], on: Room) -> Vec<Node> {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or_default().max(1);
    let draw = |class: &'static str, width: usize, left: usize, room: usize, step: usize, above: usize| {
        let height = bars.len() * step;
        let mut picture = Node::classed("svg", class)
            .set("viewBox", format!("0 0 {width} {height}"))
            .set("role", "img")
            .set("aria-label", sentence.to_owned());
        for (n, bar) in bars.iter().enumerate() {
            let top = n * step + above;
            let length = usize::try_from(bar.value.max(0) * room as i64 / most).unwrap_or_default();
            let name_at = if above == 0 { top + 19 } else { top - 7 };
            let kind = match (bar.is_open, bar.is_strong) {
                (true, _) => "open",
                (false, true) => "strong",
                (false, false) => "bar",
            };
            let rect = Node::classed("rect", kind)
                .set("x", left.to_string())
                .set("y", (top + 2).to_string())
                .set("width", length.max(usize::from(bar.value > 0)).to_string())
                .set("height", "22");
            let behind = left + length + 8;
            let text = |x: usize, y: usize| el("text").set("x", x.to_string()).set("y", y.to_string());
            picture = picture
                .child(text(0, name_at).text(shown(&bar.name)))
                .child(rect)
                .child(text(behind, top + 18).set("class", "v").text(bar.said.clone()));
            if !bar.share.is_empty() {
                let x = behind + bar.said.chars().count() * DIGIT + 8;
                picture = picture.child(text(x, top + 18).set("class", "soft").text(bar.share.clone()));
            }
        }
        picture
    };
    match on {
        Room::Whole => {
            vec![draw("chart only-wide", 860, 230, 400, 38, 0), draw("chart only-narrow", 320, 0, 190, 54, 24)]
        }
        Room::Half => vec![draw("chart half", 320, 0, 190, 54, 24)],
    }
}

/// One column of a row of days.
pub(crate) struct Column {
    pub value: i64,
    /// The part of it that is drawn strongly.
    pub strong: i64,
}

/// Columns side by side, the first and the last with their names.
pub(crate) fn columns(sentence: &str, columns: &[Column], first: &str, last: &str) -> Node {
    const WIDTH: usize = 860;
    const HEIGHT: usize = 120;
    let most = columns.iter().map(|column| column.value).max().unwrap_or_default().max(1);
    let step = WIDTH as f64 / columns.len().max(1) as f64;
    let mut picture = Node::classed("svg", "chart columns-of")
        .set("viewBox", format!("0 0 {WIDTH} {HEIGHT}"))
        .set("preserveAspectRatio", "none")
        .set("role", "img")
        .set("aria-label", sentence.to_owned());
    for (n, column) in columns.iter().enumerate() {
        for (class, value) in [("bar", column.value), ("strong", column.strong)] {
            let height = (value.max(0) as f64 / most as f64 * HEIGHT as f64).min(HEIGHT as f64);
            if height > 0.0 {
                let rect = Node::classed("rect", class)
                    .set("x", format!("{:.1}", n as f64 * step))
                    .set("y", format!("{:.1}", HEIGHT as f64 - height))
                    .set("width", format!("{:.1}", (step * 0.8).max(0.6)))
                    .set("height", format!("{height:.1}"));
                picture = picture.child(rect);
            }
        }
    }
    let ends = div("ends").child(el("span").text(first.to_owned())).child(el("span").text(last.to_owned()));
    div("days").child(picture).child(ends)
}

/// A table behind its summary. The first column is text, the others are figures.
pub(crate) fn table(caption: String, heads: &[&'static str], rows: Vec<Vec<Text>>) -> Node {
    let head = |(n, name): (usize, &&'static str)| {
        let head = el("th").set("scope", "col").text(*name);
        if n > 0 { head.set("class", "n") } else { head }
    };
    let row = |cells: Vec<Text>| {
        el("tr").children(cells.into_iter().enumerate().map(|(n, cell)| match n {
            0 => el("th").set("scope", "row").text(cell),
            _ => Node::classed("td", "n").text(cell),
        }))
    };
    let table = Node::classed("table", "figures")
        .child(Node::classed("caption", "vh").text(caption.clone()))
        .child(el("thead").child(el("tr").children(heads.iter().enumerate().map(head))))
        .child(el("tbody").children(rows.into_iter().map(row)));
    div("wide").set("tabindex", "0").set("role", "region").set("aria-label", caption).child(table)
}

pub(crate) fn as_table(table: Node) -> Node {
    el("details").set("class", "as-table").child(el("summary").text("As a table")).child(table)
}
