//! Labelled fields, and the form that asks who the visitor is.

use super::block::icon;
use super::markup::{Markup, Text};
use crate::strokes::ALERT;
use crate::words::{Word, Words, w};

/// The id of the step's form, for buttons that stand outside of it.
pub const FORM: &str = "sh-form";

/// One text field.
#[derive(Debug)]
pub struct TextField {
    pub id: &'static str,
    /// The id of what stands below it.
    pub note: &'static str,
    pub kind: &'static str,
    pub mode: &'static str,
    pub autocomplete: &'static str,
}

const fn field(
    [id, note]: [&'static str; 2],
    [kind, mode]: [&'static str; 2],
    autocomplete: &'static str,
) -> TextField {
    TextField { id, note, kind, mode, autocomplete }
}

/// In the order of [`Field::ALL`](crate::flow::contact::Field::ALL).
pub static CONTACT_FIELDS: [TextField; 4] = [
    field(["sh-first", "sh-first-n"], ["text", "text"], "given-name"),
    field(["sh-last", "sh-last-n"], ["text", "text"], "family-name"),
    field(["sh-email", "sh-email-n"], ["email", "email"], "email"),
    field(["sh-phone", "sh-phone-n"], ["tel", "tel"], "tel"),
];

/// In the order of [`AddressPart::ALL`](crate::flow::AddressPart::ALL).
pub static ADDRESS_FIELDS: [TextField; 5] = [
    field(["sh-number", "sh-number-n"], ["text", "text"], "off"),
    field(["sh-street", "sh-street-n"], ["text", "text"], "address-line1"),
    field(["sh-city", "sh-city-n"], ["text", "text"], "address-level2"),
    field(["sh-state", "sh-state-n"], ["text", "text"], "address-level1"),
    field(["sh-zip", "sh-zip-n"], ["text", "numeric"], "postal-code"),
];

impl TextField {
    /// With the name its value is sent under, if it is sent by a form.
    pub fn input<M: Markup>(&self, name: Option<&'static str>) -> M {
        let input = M::classed("input", "sh-input").set("id", self.id);
        let input = if let Some(name) = name { input.set("name", name) } else { input };
        input.set("type", self.kind).set("inputmode", self.mode).set("autocomplete", self.autocomplete)
    }

    pub fn label<M: Markup>(&self, text: Word, optional: bool) -> M {
        let label = M::new("label").set("for", self.id).text(text);
        if optional { label.text(" ").child(M::new("i").text(w::OPTIONAL)) } else { label }
    }
}

/// The hint under a field of the address in parts.
pub fn address_hint(part: usize) -> Option<Word> {
    match part {
        3 => Some(w::PARTS_STATE_HINT),
        4 => Some(w::PARTS_ZIP_HINT),
        _ => None,
    }
}

/// Fields in one row.
pub fn row<M: Markup>(class: &'static str, first: M, second: M) -> M {
    M::classed("div", class).child(first).child(second)
}

/// What is wrong with a field.
pub fn error<M: Markup>(problem: impl Into<Text>) -> M {
    M::classed("p", "sh-error").child(icon(ALERT)).text(problem)
}

/// The box to tick: consent is never given beforehand.
pub fn tick<M: Markup>() -> M {
    M::new("input").all(&[("type", "checkbox"), ("name", "consent")])
}

/// `tick` with what is agreed to by it.
pub fn consent<M: Markup>(tick: M, text: String) -> M {
    M::classed("label", "sh-check").child(tick).child(M::new("span").text(text))
}

/// No manager of identities has anything for a field of this name.
pub const TRAP: &str = "sh-blank";

/// A field that no person fills in.
pub fn trap_input<M: Markup>() -> M {
    M::new("input").all(&[
        ("type", "text"),
        ("name", TRAP),
        ("tabindex", "-1"),
        ("autocomplete", "off"),
        ("data-1p-ignore", ""),
        ("data-bwignore", ""),
        ("data-lpignore", "true"),
        ("data-form-type", "other"),
    ])
}

pub fn trap<M: Markup>(input: M) -> M {
    M::classed("div", "sh-hp").set("aria-hidden", "true").child(M::new("label").text(w::TRAP).child(input))
}

/// "2 fields need a look", with a link to each, which `follow` may do more with.
pub fn summary<M: Markup>(words: Words, wrong: &[usize], follow: impl Fn(M, usize) -> M) -> M {
    let count = words.number(if wrong.len() == 1 { w::WRONG_ONE } else { w::WRONG_MANY }, wrong.len());
    let last = wrong.len().saturating_sub(1);
    let mut text = M::new("span").child(M::new("b").text(count)).text(" ");
    for (at, field) in wrong.iter().enumerate() {
        text = match at {
            0 => text,
            _ if at == last => text.text(" ").text(w::AND).text(" "),
            _ => text.text(", "),
        };
        let href = ["#", CONTACT_FIELDS[*field].id].concat();
        text = text.child(follow(M::new("a").set("href", href).text(w::FIELDS.at(*field)), *field));
    }
    M::classed("p", "sh-note bad").child(icon(ALERT)).child(text.text("."))
}
