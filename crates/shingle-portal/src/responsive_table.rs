//! A table that becomes rows on a phone: each cell carries its column's name.

use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::element::{div, el};

/// A count as people read it.
pub(crate) fn figure(n: u64) -> String {
    thousands(i64::try_from(n).unwrap_or(i64::MAX))
}

/// What a column is called, and whether it holds figures.
pub(crate) type Column = (&'static str, bool);

pub(crate) enum Cell {
    Text(Text),
    Nodes(Vec<Node>),
    /// A row on a phone has no line for it.
    Blank,
}

impl Cell {
    pub fn text(text: impl Into<Text>) -> Self {
        Self::Text(text.into())
    }
}

/// A row's first cell is its heading.
pub(crate) fn responsive_table(caption: &'static str, columns: &[Column], rows: Vec<Vec<Cell>>) -> Node {
    responsive_table_with_sums(caption, columns, rows, None)
}

/// With the sum of all as the last row.
pub(crate) fn responsive_table_with_sums(
    caption: &'static str,
    columns: &[Column],
    rows: Vec<Vec<Cell>>,
    sum: Option<Vec<Cell>>,
) -> Node {
    let head = |(name, is_figure): &Column| {
        let head = el("th").set("scope", "col").text(*name);
        if *is_figure { head.set("class", "n") } else { head }
    };
    let row = |cells: Vec<Cell>| {
        let cells = cells.into_iter().zip(columns).enumerate().map(|(n, (cell, (name, is_figure)))| {
            let node = match n {
                0 => el("th").set("scope", "row"),
                _ => el("td").set("data-l", *name),
            };
            let node = match (&cell, is_figure) {
                (Cell::Blank, _) => node.set("class", "blank"),
                (_, true) => node.set("class", "n"),
                (_, false) => node,
            };
            match cell {
                Cell::Blank => node,
                Cell::Text(text) => node.child(el("span").text(text)),
                Cell::Nodes(nodes) => node.child(div("cell").children(nodes)),
            }
        });
        el("tr").children(cells)
    };
    Node::classed("table", "rowed")
        .child(Node::classed("caption", "vh").text(caption))
        .child(el("thead").child(el("tr").children(columns.iter().map(head))))
        .child(el("tbody").children(rows.into_iter().map(row)).children(sum.map(|sum| row(sum).set("class", "in-all"))))
}
