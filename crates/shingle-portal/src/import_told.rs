//! What an import reports about its rows: how many are found, why others were rejected, what looks wrong.

use shingle_domain::Language;
use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{div, el};
use crate::import_words::told_by_import;
use crate::phrase::phrase;
use crate::responsive_table::figure;

/// How many of some of its own rows are found.
pub(crate) fn found_rows(language: Language, own_rows: Option<(u64, u64)>) -> Option<Node> {
    let (found, asked) = own_rows.filter(|(_, asked)| *asked > 0)?;
    let with = [("found", figure(found)), ("asked", figure(asked))];
    let with: Vec<(&str, &str)> = with.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let said = phrase(language, "Its own rows, as people write them: {found} of {asked} found", &with);
    Some(el("p").text(said + "."))
}

pub(crate) fn reasons(language: Language, reasons: &[(Message, u64)]) -> Option<Node> {
    let rows = reasons.iter().map(|(reason, rows)| {
        el("li")
            .child(div("who2").child(told_by_import(el("span"), language, reason)))
            .child(el("b").text(figure(*rows)))
    });
    (!reasons.is_empty()).then(|| Node::classed("ul", "rows").children(rows))
}

pub(crate) fn notes(language: Language, notes: &[Message]) -> Option<Node> {
    let rows: Vec<Node> = notes.iter().map(|note| told_by_import(el("li"), language, note)).collect();
    (!rows.is_empty()).then(|| Node::classed("ul", "stack").children(rows))
}
