//! Elements that every page uses.

use shingle_domain::Language;
use shingle_domain::message::Message;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::catalog::say;
use crate::phrase::capital;
use crate::signed::Signed;

pub(crate) fn el(tag: &'static str) -> Node {
    Node::new(tag)
}

pub(crate) fn div(class: &'static str) -> Node {
    Node::classed("div", class)
}

pub(crate) fn p(text: impl Into<Text>) -> Node {
    el("p").text(text)
}

pub(crate) fn soft(text: impl Into<Text>) -> Node {
    Node::classed("p", "soft").text(text)
}

pub(crate) fn link(href: impl Into<Text>, text: impl Into<Text>) -> Node {
    el("a").set("href", href).text(text)
}

pub(crate) fn button(class: &'static str, text: impl Into<Text>) -> Node {
    el("button").set("type", "submit").set("class", class).text(text)
}

/// A form that changes something.
pub(crate) fn post(action: impl Into<Text>) -> Node {
    el("form").set("method", "post").set("action", action)
}

/// A form with this, sent twice as it is, is carried out once.
pub(crate) fn once(signed: &Signed<'_>) -> Node {
    hidden("once", signed.once.to_owned())
}

pub(crate) fn hidden(name: &'static str, value: impl Into<Text>) -> Node {
    el("input").set("type", "hidden").set("name", name).set("value", value)
}

/// A heading with what is under it.
pub(crate) fn card(title: &'static str) -> Node {
    Node::classed("section", "card").child(el("h2").text(title))
}

/// An input that is known by its name.
pub(crate) fn input(name: &'static str, kind: &'static str) -> Node {
    el("input").set("id", name).set("name", name).set("class", "in").set("type", kind)
}

/// For dollars: phones show the keys of numbers.
pub(crate) fn amount_input(name: &'static str, value: &str) -> Node {
    input(name, "text").set("inputmode", "decimal").set("autocomplete", "off").set("value", value.to_owned())
}

pub(crate) fn color_input(name: &'static str, value: &str) -> Node {
    el("input")
        .set("id", name)
        .set("name", name)
        .set("class", "in color")
        .set("type", "color")
        .set("value", value.to_owned())
}

/// What is said under a control.
pub(crate) enum Under {
    Wrong(Text),
    Hint(Node),
}

/// A control with its label, and what is said of it.
pub(crate) fn labelled(label: impl Into<Text>, name: &'static str, control: Node, under: Option<Under>) -> Node {
    let field = div("field").child(el("label").set("for", name).text(label));
    let id = format!("{name}-said");
    let (control, said) = match under {
        None => return field.child(control),
        Some(Under::Hint(said)) => (control, said),
        Some(Under::Wrong(text)) => {
            (control.set("aria-invalid", "true"), Node::classed("p", "wrong").set("role", "alert").text(text))
        }
    };
    field.child(control.set("aria-describedby", id.clone())).child(said.set("id", id))
}

/// A text field with its label, and what is wrong with it.
pub(crate) struct Field<'f> {
    pub label: &'static str,
    pub name: &'static str,
    pub kind: &'static str,
    pub autocomplete: &'static str,
    pub value: &'f str,
    pub hint: Option<&'static str>,
    pub wrong: Option<&'static str>,
}

impl Field<'_> {
    pub fn node(self) -> Node {
        let mut input =
            input(self.name, self.kind).set("autocomplete", self.autocomplete).set("value", self.value.to_owned());
        if self.kind == "email" {
            input = input.set("autocapitalize", "none").set("spellcheck", "false");
        }
        let under = match (self.wrong, self.hint) {
            (Some(wrong), _) => Some(Under::Wrong(wrong.into())),
            (None, hint) => hint.map(|hint| Under::Hint(Node::classed("p", "hint").text(hint))),
        };
        labelled(self.label, self.name, input, under)
    }
}

/// What is wrong with a group of fields, and with none of them alone.
pub(crate) fn group_fault(id: &'static str, said: impl Into<Text>) -> Node {
    Node::classed("p", "wrong").set("id", id).set("role", "alert").set("tabindex", "-1").text(said)
}

/// What is wrong with a form, and with no field of it.
pub(crate) fn form_fault(said: impl Into<Text>) -> Node {
    note(Tone::Wrong, said).set("data-refused", "").set("tabindex", "-1")
}

/// Copies what is in another element; a browser without scripts has no use for it.
pub(crate) fn copied(id: &'static str) -> Node {
    el("button").set("type", "button").set("class", "btn").set("data-copy", id).set("hidden", "").text("Copy")
}

/// A choice of a few.
pub(crate) fn select<T: Into<Text>>(
    id: &'static str,
    name: &'static str,
    options: impl IntoIterator<Item = (String, T)>,
    chosen: &str,
) -> Node {
    let option = |(value, text): (String, T)| {
        let option = el("option").set("value", value.clone());
        let option = if value == chosen { option.set("selected", "") } else { option };
        option.text(text)
    };
    el("select").set("id", id).set("name", name).set("class", "in").children(options.into_iter().map(option))
}

/// What another part of Shingle tells, in English only: a screen reader has to know.
pub(crate) fn english(node: Node) -> Node {
    node.set("lang", "en")
}

/// A message in the reader's language. A text is what another server says, whose language nobody knows: most often English.
pub(crate) fn message(node: Node, language: Language, said: &Message) -> Node {
    of_message(node, said).text(say(language, said))
}

/// The same as a line of its own.
pub(crate) fn sentence(node: Node, language: Language, said: &Message) -> Node {
    of_message(node, said).text(capital(&say(language, said)))
}

fn of_message(node: Node, said: &Message) -> Node {
    if matches!(said, Message::Text(_)) { english(node) } else { node }
}

/// A state in a word, with a mark of its own shape.
pub(crate) fn pill(kind: &'static str, text: impl Into<Text>) -> Node {
    Node::classed("span", kind).text(text)
}

/// What is well, what to look at, what is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Well,
    Look,
    Wrong,
}

pub(crate) fn note(tone: Tone, text: impl Into<Text>) -> Node {
    let (class, role) = match tone {
        Tone::Well => ("note ok", "status"),
        Tone::Look => ("note warn", "status"),
        Tone::Wrong => ("note bad", "alert"),
    };
    Node::classed("p", class).set("role", role).text(text)
}
