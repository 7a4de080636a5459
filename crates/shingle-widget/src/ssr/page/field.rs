//! Labelled fields with what is wrong with them, and buttons.

use crate::ssr::node::Node;
use crate::view::block::hint;
use crate::view::contact::{FORM, TextField, error};
use crate::view::{Markup, Text};
use crate::words::Word;

/// One text field, as it is shown.
pub(super) struct TextInput<'a> {
    pub of: &'static TextField,
    pub name: &'static str,
    pub label: Word,
    pub optional: bool,
    pub value: &'a str,
    pub hint: Option<Word>,
    /// Empty when nothing is wrong.
    pub problem: &'a str,
    /// The page opens with the cursor in it.
    pub focused: bool,
}

impl TextInput<'_> {
    pub fn node(&self) -> Node {
        let mut input: Node = self.of.input(Some(self.name));
        input = input.set("value", self.value.to_owned());
        let below: Option<Node> =
            if self.problem.is_empty() { self.hint.map(hint) } else { Some(error(self.problem.to_owned())) };
        if below.is_some() {
            input = input.set("aria-describedby", self.of.note);
        }
        if !self.problem.is_empty() {
            input = input.set("aria-invalid", "true");
        }
        if self.focused {
            input = input.set("autofocus", "");
        }
        let below = below.map(|below| Node::new("div").set("id", self.of.note).child(below));
        let label = self.of.label(self.label, self.optional);
        Node::classed("div", "sh-field").child(label).child(input).children(below)
    }
}

pub(super) fn hidden(name: &'static str, value: &str) -> Node {
    Node::new("input").set("type", "hidden").set("name", name).set("value", value.to_owned())
}

/// The main button of a form that stands elsewhere on the page.
pub(super) fn submit(label: impl Into<Text>) -> Node {
    Node::classed("button", "sh-btn primary").set("type", "submit").set("form", FORM).text(label)
}

pub(super) fn link(class: &'static str, href: String, label: impl Into<Text>) -> Node {
    Node::classed("a", class).set("href", href).text(label)
}
