//! Charts that the server draws: each is a picture with one sentence, and its table is in `details` beside it.
//!
//! # Decision
//!
//! A chart is a picture with one sentence and a table, drawn by the server. Percentages appear from 30 on, counts
//! below. Leads, waits and won values are summed from the leads, so they match the inbox; the funnel is summed from
//! counts, in which erased leads remain.

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

/// How much room a chart has on a wide page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Room {
    Whole,
    Half,
}

/// Bars from the left, one under the other: names beside them where there is room, above them on a narrow page. A drawing
/// without a `viewBox` is measured in pixels of the page and in shares of its width, so that its letters keep their size.
pub(crate) fn bars(sentence: &str, bars: &[Bar], on: Room) -> Node {
    let most = bars.iter().map(|bar| bar.value).max().unwrap_or_default().max(1);
    let rows = bars.iter().map(|bar| {
        let kind = match (bar.is_open, bar.is_strong) {
            (true, _) => "open",
            (false, true) => "strong",
            (false, false) => "bar",
        };
        let length = format!("{:.1}%", bar.value.max(0) as f64 * 100.0 / most as f64);
        let rect = Node::classed("rect", kind).set("y", "1").set("width", length.clone()).set("height", "22");
        let mut said = el("text").set("x", length).set("dx", "8").set("y", "17").text(bar.said.clone());
        if !bar.share.is_empty() {
            said = said.child(el("tspan").set("dx", "10").text(bar.share.clone()));
        }
        let mut row = div("bar-row")
            .child(el("span").text(bar.name.clone()))
            .child(Node::classed("svg", "chart").child(rect).child(said));
        // Above the bar on a narrow page, which has no room for it behind the figure.
        if !bar.share.is_empty() {
            row = row.child(Node::classed("span", "share").text(bar.share.clone()));
        }
        row
    });
    // A long figure needs more room behind the longest bar.
    let is_long = bars.iter().any(|bar| bar.said.chars().count() > LONG);
    let has_shares = bars.iter().any(|bar| !bar.share.is_empty());
    let chart = match (on, is_long, has_shares) {
        (Room::Half, ..) => div("bars half"),
        (Room::Whole, _, true) => div("bars shares"),
        (Room::Whole, true, false) => div("bars long"),
        (Room::Whole, false, false) => div("bars"),
    };
    chart.set("role", "img").set("aria-label", sentence.to_owned()).children(rows)
}

/// Characters of a figure that has room behind the longest bar.
const LONG: usize = 8;

/// One column of a row of days.
pub(crate) struct Column {
    pub value: i64,
    /// The part of it that is drawn strongly.
    pub strong: i64,
}

/// Columns side by side, the first and the last with their names. `key` names the whole and its strong part.
pub(crate) fn columns(sentence: &str, columns: &[Column], ends: [&str; 2], key: [&'static str; 2]) -> Node {
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
    let ends = div("ends").children(ends.map(|end| el("span").text(end.to_owned())));
    let [whole, strong] = key;
    let key = Node::classed("p", "chart-key")
        .set("aria-hidden", "true")
        .child(el("span").text(whole))
        .child(Node::classed("span", "of-strong").text(strong));
    div("days").child(key).child(picture).child(ends)
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
