//! Labelled fields with what is wrong with them, and notes.

use super::frame::icon;
use super::{Node, node};
use crate::strokes::ALERT;

pub(super) const FORM: &str = "sh-form";

/// One text field.
pub(super) struct Field<'a> {
    pub id: &'static str,
    pub name: &'static str,
    pub label: &'a str,
    /// Beside the label: that it may be left out.
    pub aside: &'a str,
    pub kind: &'static str,
    pub mode: &'static str,
    pub autocomplete: &'static str,
    pub value: &'a str,
    pub hint: &'a str,
    pub problem: &'a str,
}

impl Field<'_> {
    /// `focused`: the page opens with the cursor in it.
    pub fn node(&self, focused: bool) -> Node {
        let note = format!("{}-n", self.id);
        let label = node("label").set("for", self.id).text(self.label);
        let optional = !self.aside.is_empty();
        let label = if optional { label.text(" ").child(node("i").text(self.aside)) } else { label };
        let mut input = node("input")
            .class("sh-input")
            .set("id", self.id)
            .set("name", self.name)
            .set("type", self.kind)
            .set("inputmode", self.mode)
            .set("autocomplete", self.autocomplete)
            .set("value", self.value);
        if !self.hint.is_empty() || !self.problem.is_empty() {
            input = input.set("aria-describedby", &note);
        }
        if !self.problem.is_empty() {
            input = input.set("aria-invalid", "true");
        }
        let input = if focused { input.set("autofocus", "") } else { input };
        let below = if self.problem.is_empty() {
            (!self.hint.is_empty()).then(|| node("p").class("sh-hint").text(self.hint))
        } else {
            Some(error(self.problem))
        };
        let below = below.map(|p| node("div").set("id", note).child(p));
        node("div").class("sh-field").child(label).child(input).children(below)
    }
}

pub(super) fn error(problem: &str) -> Node {
    node("p").class("sh-error").child(icon(ALERT)).text(problem)
}

pub(super) fn hidden(name: &str, value: &str) -> Node {
    node("input").set("type", "hidden").set("name", name).set("value", value)
}

/// A paragraph beside an icon: what it is about, and more of it.
pub(super) fn note(class: &'static str, path: &'static str, heading: &str, text: &str) -> Node {
    let words = node("span").child(node("b").text(heading)).text(" ").text(text);
    node("p").class(class).child(icon(path)).child(words)
}

/// The main button of a form that stands elsewhere on the page.
pub(super) fn submit(label: &str) -> Node {
    node("button").class("sh-btn primary").set("type", "submit").set("form", FORM).text(label)
}

pub(super) fn link(class: &'static str, href: &str, label: &str) -> Node {
    node("a").class(class).set("href", href).text(label)
}
