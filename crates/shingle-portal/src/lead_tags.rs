//! The tags of a lead. Words that are in use are suggested.

use shingle_domain::Language;
use shingle_domain::tag::{Tag, TagProblem};
use shingle_store::KnownTag;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, field, input};
use crate::element::{button, card, div, el, hidden};
use crate::phrase::phrase;

pub fn tag_problem(problem: TagProblem) -> &'static str {
    match problem {
        TagProblem::Empty => "Please type a tag.",
        TagProblem::Long => "A tag has 30 characters at most.",
        TagProblem::Unclean => "A tag has no comma and no invisible character. Add one tag at a time.",
    }
}

/// `all`: those in use. `form` makes the form of an action.
pub(crate) fn tags(
    language: Language,
    own: &[KnownTag],
    all: &[KnownTag],
    typed: &TypedFields,
    form: &impl Fn(&str) -> Node,
) -> Node {
    let each = own.iter().map(|tag| {
        let remove = phrase(language, "Remove the tag {name}", &[("name", &tag.name)]);
        let mark = el("span").set("aria-hidden", "true").text("×".to_owned());
        let off = el("button").set("type", "submit").set("class", "plain").child(mark);
        let off = off.child(Node::classed("span", "vh").text(remove));
        el("li")
            .child(el("span").text(tag.name.clone()))
            .child(form("untag").child(hidden("tag", tag.hash.clone())).child(off))
    });
    let mut whole = card("Tags").set("id", "tags");
    if !own.is_empty() {
        whole = whole.child(Node::classed("ul", "tag-list").children(each));
    }
    if own.len() >= Tag::MAX_OF_LEAD && typed.wrong("tag").is_none() {
        return whole.child(Node::classed("p", "soft").text("A lead has 10 tags at most. Remove one to add another."));
    }
    let others = all.iter().filter(|known| own.iter().all(|tag| tag.hash != known.hash));
    let suggested = el("datalist").set("id", "known-tags");
    let suggested = suggested.children(others.map(|tag| el("option").set("value", tag.name.clone())));
    let input = input("text", typed.get("tag")).set("maxlength", Tag::MAX_CHARS.to_string()).set("list", "known-tags");
    let add = form("tag")
        .child(field("tag".into(), "New tag", input, None, typed.wrong("tag")).child(suggested))
        .child(div("pair").child(button("btn", "Add tag")));
    whole.child(add)
}
