//! Files that the company keeps with a lead.

use shingle_domain::{Environment, LeadId, Role};
use shingle_store::{LeadFile, MAX_FILES};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::{TypedFields, field, hint, input};
use crate::element::{button, card, div, el, hidden, link};
use crate::frame::Signed;
use crate::health::bytes;
use crate::lead_work::WorkView;
use crate::time::Hours;

/// `form` makes the form of an action.
pub(crate) fn files(
    signed: &Signed<'_>,
    (files, work): (&[LeadFile], &WorkView<'_>),
    (lead, environment): (LeadId, Environment),
    hours: &Hours,
    form: &impl Fn(&str) -> Node,
) -> Node {
    let rows = files.iter().map(|file| {
        let path = format!("/portal/leads/{lead}/files/{}?data={}", file.id, environment.as_str());
        let about = Node::classed("span", "soft")
            .child(el("span").text(format!("{} · {} · ", bytes(u64::from(file.bytes)), file.author)))
            .child(hours.aged(file.at));
        let row = el("li").child(div("who2").child(link(path, file.name.clone())).child(about));
        if file.author_id != Some(work.reader) && signed.role < Role::Owner {
            return row;
        }
        row.child(
            form("delete-file").child(hidden("file", file.id.to_string())).child(button("btn bad", "Delete file")),
        )
    });
    let list = (!files.is_empty()).then(|| Node::classed("ul", "rows").children(rows));
    let card = card("Files").set("id", "files").children(list);
    if files.len() >= MAX_FILES && work.typed.wrong("file").is_none() {
        return card;
    }
    let chooser = input("file", "").set("accept", "image/jpeg,image/png,image/webp,application/pdf");
    let typed: &TypedFields = work.typed;
    let under = hint("Pictures and PDFs up to 10 MB. Only your team sees them.");
    let chooser = field("file".into(), "Add a file", chooser, under, typed.wrong("file"));
    let add = form("files").set("enctype", "multipart/form-data");
    card.child(add.child(chooser).child(div("pair").child(button("btn", "Add file"))))
}
