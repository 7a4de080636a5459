//! Figures of an area: which can be used, and how reasons name their tables.

use shingle_domain::area::{Area, Figure, Scope, Table};

/// The tables of these figures, in the order of [`Table::ALL`], each once.
pub(crate) fn tables(read: &[Figure]) -> Vec<Table> {
    Table::ALL.into_iter().filter(|t| read.iter().any(|f| f.table == *t)).collect()
}

/// Where a figure comes from, for a reason: `solar-yield, ZIP`.
pub(crate) fn describe(figure: &Figure) -> String {
    let scope = match figure.scope {
        Scope::Zip => "ZIP",
        Scope::Nearby => "close by",
        Scope::State => "state",
        Scope::Region => "region",
        Scope::Nation => "nation",
    };
    let placeholder = if figure.placeholder { ", placeholder" } else { "" };
    format!("{}, {scope}{placeholder}", figure.table.as_str())
}

/// A figure that can be used in a formula: operators may bring their own tables.
pub(crate) fn usable(figure: Option<Figure>) -> Option<Figure> {
    figure.filter(|f| f.value.is_finite() && f.value >= 0.0)
}

pub(crate) fn owner_share(area: &Area) -> Option<Figure> {
    usable(area.homes.owner_occupied).filter(|f| f.value <= 1.0)
}
