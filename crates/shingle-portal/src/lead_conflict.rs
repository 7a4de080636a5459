//! Two people, one lead: the second sees what the first changed, and what was typed stays.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{button, div, el, hidden, link, soft};
use crate::frame::Signed;
use crate::phrase::phrase;

pub struct Conflict<'c> {
    /// The form that was sent.
    pub action: &'static str,
    /// Who was first, and how long ago, where that is known.
    pub by: Option<(&'c str, String)>,
    /// What both changed, as it was typed and as it stands now.
    pub both: Vec<Both>,
    /// Fields that save what was typed anyway.
    pub fields: Vec<(&'static str, String)>,
}

pub struct Both {
    pub what: &'static str,
    pub yours: String,
    pub theirs: String,
}

pub(crate) fn conflict_card(
    signed: &Signed<'_>,
    conflict: &Conflict<'_>,
    path: &str,
    form: &impl Fn(&str) -> Node,
) -> Node {
    let language = signed.language;
    let title = match &conflict.by {
        Some((name, age)) => phrase(language, "{name} changed this lead: {age}", &[("name", name), ("age", age)]),
        None => phrase(language, "Someone changed this lead after you opened it", &[]),
    };
    let side = |title: &'static str, value: fn(&Both) -> &str| {
        let lines = conflict.both.iter().flat_map(|both| {
            let value = Some(value(both)).filter(|text| !text.is_empty());
            [
                el("dt").text(both.what),
                value.map_or_else(|| el("dd").text("Nothing"), |text| el("dd").text(text.to_owned())),
            ]
        });
        div("side").child(Node::classed("p", "soft").text(title)).child(Node::classed("dl", "facts").children(lines))
    };
    let fields = conflict.fields.iter().map(|(name, value)| hidden(name, value.clone()));
    Node::classed("section", "card conflict")
        .set("id", "conflict")
        .set("role", "status")
        .set("tabindex", "-1")
        .child(el("h2").text(title))
        .child(soft("You both changed the same thing. Nothing is lost; choose one."))
        .child(
            div("sides")
                .children([side("Yours, not saved yet", |both| &both.yours), side("Saved now", |both| &both.theirs)]),
        )
        .child(
            div("pair")
                .child(link(path.to_owned(), "Keep the saved one").set("class", "btn ink"))
                .child(form(conflict.action).children(fields).child(button("btn", "Use mine"))),
        )
}
