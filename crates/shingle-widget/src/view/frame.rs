//! What stands around every step: its number, the company, the legal links.
//!
//! # Decision
//!
//! Short windows (under 480 px) scroll as one; from 600 px of width they have two columns. One container query holds
//! both limits: `clamp(600px, (100dvh - 479px) * 999, 860px)`. Turned down: the wide rules twice.

use core::cmp::Ordering;

use shingle_domain::public::PublicWidget;

use super::block::{icon, picture};
use super::markup::{Markup, Text};
use crate::strokes::PHONE;
use crate::words::{Word, Words, w};

/// A text with `{company}` and `{phone}` filled in, and `more`.
pub fn say(words: Words, widget: &PublicWidget, word: Word, more: &[(&str, &str)]) -> String {
    fill(words.text(word), widget, more)
}

/// The same for a text that is in no list of words.
pub fn fill(template: &str, widget: &PublicWidget, more: &[(&str, &str)]) -> String {
    let mut with = vec![("company", widget.company_name.as_str()), ("phone", &widget.company_phone)];
    with.extend_from_slice(more);
    crate::words::fill(template, &with)
}

/// Which of the four steps this is, from 0.
pub fn progress<M: Markup>(words: Words, now: usize) -> M {
    let mut steps = M::new("ol");
    for at in 0..4 {
        let step = M::new("li").text(w::STEPS.at(at));
        steps = steps.child(match at.cmp(&now) {
            Ordering::Less => step.set("class", "done"),
            Ordering::Equal => step.all(&[("class", "now"), ("aria-current", "step")]),
            Ordering::Greater => step,
        });
    }
    let spoken = M::new("p").text(words.number(w::STEP_OF, now + 1)).text(" · ");
    M::classed("div", "sh-progress").child(steps).child(spoken.child(M::new("b").text(w::STEPS.at(now))))
}

/// `foot`: the element that holds it.
pub fn foot<M: Markup>(foot: M, widget: &PublicWidget) -> M {
    let mut company = M::new("span");
    if let Some(logo) = &widget.footer_logo {
        company = company.child(picture("sh-mark", logo, String::new(), widget.color("--wash")));
    }
    let foot = foot
        .child(company.child(M::new("span").text(widget.footer_company_name.clone())))
        .child(link_apart(widget.privacy_link.clone(), w::PRIVACY));
    match &widget.terms_link {
        Some(href) => foot.child(link_apart(href.clone(), w::TERMS)),
        None => foot,
    }
}

/// A link that leaves the flow where it is.
pub fn link_apart<M: Markup>(href: String, text: impl Into<Text>) -> M {
    M::new("a").set("href", href).all(&[("target", "_blank"), ("rel", "noopener")]).text(text)
}

/// The company's site, if it has one.
pub fn site_apart<M: Markup>(widget: &PublicWidget) -> Option<M> {
    if widget.company_url.is_empty() {
        return None;
    }
    let shown = widget.company_url.trim_start_matches(|c| c != '/').trim_matches('/').to_owned();
    Some(link_apart(widget.company_url.clone(), shown))
}

/// The link to the same in the other language.
pub fn other_language<M: Markup>(href: String) -> M {
    let tag = w::OTHER.at(0);
    M::new("a").set("href", href).set("hreflang", tag).set("lang", tag).text(w::OTHER.at(1))
}

/// Where a click calls the company.
pub fn dial(widget: &PublicWidget) -> String {
    ["tel:", &widget.company_phone_dial].concat()
}

pub fn telephone<M: Markup>(widget: &PublicWidget) -> M {
    M::new("a").set("href", dial(widget)).text(widget.company_phone.clone())
}

pub fn mail<M: Markup>(widget: &PublicWidget) -> M {
    M::new("a").set("href", ["mailto:", &widget.company_email].concat()).text(widget.company_email.clone())
}

/// The button that calls the company; what is on it comes with [`Markup::child`].
pub fn call<M: Markup>(class: &'static str, widget: &PublicWidget) -> M {
    M::classed("a", class).set("href", dial(widget)).child(icon(PHONE))
}
