//! What happens now, and whom to reach.

use shingle_domain::public::PublicWidget;

use super::frame::{mail, say, telephone};
use super::markup::Markup;
use crate::words::{Words, w};

/// "Your request is with …", and by which reference.
pub fn request<M: Markup>(words: Words, widget: &PublicWidget, reference: String) -> M {
    M::classed("p", "sh-lead")
        .text(say(words, widget, w::THANKS_LEAD, &[]))
        .text(" ")
        .child(M::new("b").text(reference))
        .text(".")
}

/// What can happen next: heading and text of each step.
pub fn steps<M: Markup>(of: impl IntoIterator<Item = [String; 2]>) -> M {
    of.into_iter().fold(M::classed("ol", "steps"), |steps, [heading, text]| {
        let step = M::new("div").child(M::new("b").text(heading)).child(M::new("small").text(text));
        steps.child(M::new("li").child(step))
    })
}

/// The company: name, address, ways to reach it.
pub fn contact_card<M: Markup>(widget: &PublicWidget, phone: bool, site: Option<M>) -> M {
    let mut card = M::classed("div", "contact-card").child(M::new("b").text(widget.company_name.clone()));
    if !widget.company_address.is_empty() {
        card = card.child(M::new("span").text(widget.company_address.clone()));
    }
    if phone {
        card = card.child(M::new("span").child(telephone(widget)));
    }
    card = card.child(M::new("span").child(mail(widget)));
    match site {
        Some(site) => card.child(M::new("span").child(site)),
        None => card,
    }
}
