//! Notes about a lead. Who wrote one can edit and delete it.

use shingle_domain::EntryId;
use shingle_domain::rules::NoteDraft;
use shingle_store::{EntryKind, LeadEntry};
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::connection_form::field;
use crate::element::{button, card, div, el, hidden};
use crate::lead_work::WorkView;
use crate::time::Hours;

pub const MAX_NOTE: usize = NoteDraft::MAX_TEXT;

/// The name of the field that a note is edited in.
pub fn note_field(id: EntryId) -> String {
    format!("note-{id}")
}

/// `form` makes the form of an action.
pub(crate) fn notes(view: &WorkView<'_>, hours: &Hours, form: &impl Fn(&str) -> Node) -> Node {
    let typed = view.typed;
    // The script shows it where it has put a note back.
    let kept = Node::classed("p", "hint").set("id", "note-kept").set("role", "status").set("hidden", "");
    let label = "Note (only your team sees it)";
    let field = field("note".into(), label, area(typed.get("note")), None, typed.wrong("note"))
        .child(kept.text("What you typed before and did not save is back."));
    let add = form("note").child(field).child(div("pair").child(button("btn", "Add note")));
    let written = view.entries.iter().filter(|entry| entry.kind == EntryKind::Note);
    let written = written.map(|entry| written_note(view, entry, hours, form));
    card("Notes").child(Node::classed("ol", "history").children(written)).child(add)
}

fn area(text: &str) -> Node {
    let area = el("textarea").set("class", "in").set("rows", "3").set("maxlength", MAX_NOTE.to_string());
    area.text(text.to_owned())
}

fn written_note(view: &WorkView<'_>, entry: &LeadEntry, hours: &Hours, form: &impl Fn(&str) -> Node) -> Node {
    let by = Node::classed("span", "soft")
        .child(el("span").text(format!("{}, ", entry.author)))
        .child(hours.aged(entry.at))
        .children(entry.changed_at.map(|_| el("span").text(", ").child(el("span").text("edited"))));
    let note = el("li").child(Node::classed("blockquote", "said").text(entry.text.clone())).child(by);
    if entry.author_id != Some(view.reader) {
        return note;
    }
    let name = note_field(entry.id);
    let seen = entry.changed_at.map(|at| at.micros().to_string()).unwrap_or_default();
    let of =
        |action: &str| form(action).child(hidden("entry", entry.id.to_string())).child(hidden("seen", seen.clone()));
    let text = view.typed.typed(&name).unwrap_or(&entry.text);
    let edited = field(name.clone(), "Your note", area(text), None, view.typed.wrong(&name));
    let edit = of("edit-note").child(edited).child(div("pair").child(button("btn", "Save note")));
    // Its text is gone then: it is asked first.
    let sure = of("delete-note")
        .child(Node::classed("p", "soft").text("The text can’t be restored. The timeline still says there was a note."))
        .child(button("btn bad", "Delete note"));
    let delete = Node::classed("details", "change").child(el("summary").text("Delete this note?")).child(sure);
    let change = Node::classed("details", "change");
    let change = if view.typed.typed(&name).is_some() { change.set("open", "") } else { change };
    note.child(change.child(el("summary").text("Edit or delete")).child(edit).child(delete))
}
