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

/// `may_call`: the visitor agreed to it, and gave a number.
pub fn next_steps<M: Markup>(words: Words, widget: &PublicWidget, email: &str, may_call: bool) -> M {
    let mut steps = M::classed("ol", "steps");
    for step in [if may_call { w::THANKS_CALL } else { w::THANKS_MAIL }, w::THANKS_VISIT, w::THANKS_YOURS] {
        let heading = M::new("b").text(say(words, widget, step.at(0), &[]));
        let text = M::new("small").text(say(words, widget, step.at(1), &[("email", email)]));
        steps = steps.child(M::new("li").child(M::new("div").child(heading).child(text)));
    }
    steps
}

/// The company: name, address, ways to reach it.
pub fn contact_card<M: Markup>(widget: &PublicWidget, phone: bool, site: M) -> M {
    let mut card = M::classed("div", "contact-card")
        .child(M::new("b").text(widget.company_name.clone()))
        .child(M::new("span").text(widget.company_address.clone()));
    if phone {
        card = card.child(M::new("span").child(telephone(widget)));
    }
    card.child(M::new("span").child(mail(widget))).child(M::new("span").child(site))
}
