//! The first step: a field for the address, and those that come close to one that nobody knows.

use shingle_domain::public::Suggestion;

use super::block::icon;
use super::markup::Markup;
use crate::strokes::{ARROW, PIN};
use crate::words::w;

/// The field with its label and its icon.
pub fn field<M: Markup>(input: M) -> M {
    M::classed("div", "sh-combo sh-field")
        .child(M::new("label").set("for", "sh-address").text(w::ADDRESS_LABEL))
        .child(M::classed("span", "lead-icon").child(icon(PIN)))
        .child(input)
}

pub fn input<M: Markup>() -> M {
    M::classed("input", "sh-input")
        .all(&[
            ("id", "sh-address"),
            ("name", "address"),
            ("type", "text"),
            ("autocomplete", "street-address"),
            ("autocapitalize", "words"),
            ("spellcheck", "false"),
            ("enterkeyhint", "go"),
        ])
        .set("placeholder", w::ADDRESS_PLACEHOLDER)
}

/// A row of the close matches. `choice`: what is pressed.
pub fn close_match<M: Markup>(choice: M, of: &Suggestion, typed: &str) -> M {
    let words = M::new("span").child(differences(&of.street, typed)).child(M::new("small").text(of.city.clone()));
    M::new("li").child(choice.child(icon(PIN)).child(words).child(icon(ARROW)))
}

/// The words of `street`, underlined where `typed` has none like it.
fn differences<M: Markup>(street: &str, typed: &str) -> M {
    let same = |word: &str| typed.split([',', ' ']).any(|t| t.eq_ignore_ascii_case(word.trim_end_matches(',')));
    let mut line = M::new("b");
    for (at, word) in street.split(' ').enumerate() {
        if at > 0 {
            line = line.text(" ");
        }
        let text = word.to_owned();
        line = if same(word) { line.text(text) } else { line.child(M::new("mark").text(text)) };
    }
    line
}
