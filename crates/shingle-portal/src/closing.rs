//! Closing an account, and what its owners see from then on.

use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::connection_form::{field, input};
use crate::element::{button, card, el, link, post, soft};
use crate::frame::lone;
use crate::phrase::phrase;
use crate::time::Hours;

/// The card of the settings, and of the operator's page: closes the account whose name is typed.
/// `typed`: what was typed in place of it.
pub(crate) fn close(language: Language, company: &str, action: String, typed: Option<&str>) -> Node {
    let label = phrase(language, "To close it, type {company}", &[("company", company)]);
    let wrong = typed.map(|_| Text::from("That is not the name of the company."));
    let typed = field("closing".into(), label, input("text", typed.unwrap_or_default()), None, wrong.as_ref());
    card("Close the account")
        .set("id", "close")
        .child(soft(
            "Widgets, hosted pages, links to estimates and API keys stop at once, and only owners can sign in, to reopen the account within 7 days. Then we erase everything: leads, consents, photos, widgets and people. Only the company’s name and monthly use stay, for your administrator’s books, and the log, which names nobody.",
        ))
        .child(soft("What is on its way to other systems still arrives. Copies in other systems stay there."))
        .child(
            post(action).set("novalidate", "").child(typed).child(button("btn bad", "Close the account")),
        )
}

pub struct ClosedView<'v> {
    pub company: &'v str,
    pub closed_at: Timestamp,
    /// `None`: it is too late to open it again.
    pub until: Option<Timestamp>,
    pub hours: &'v Hours,
    /// Whether they work in other companies too.
    pub has_others: bool,
}

pub fn closed_page(language: Language, view: &ClosedView<'_>) -> String {
    let closed = phrase(
        language,
        "The account of {company} was closed on {time}.",
        &[("company", view.company), ("time", &view.hours.full(view.closed_at))],
    );
    let mut inside = vec![el("h1").text("This account is closed"), soft(closed)];
    match view.until {
        Some(until) => inside.extend([
            soft(phrase(
                language,
                "Until {time} you can reopen it as it was. After that we erase everything.",
                &[("time", &view.hours.full(until))],
            )),
            post("/portal/closed/reopen").child(button("btn ink big", "Reopen it")),
            link("/portal/export", "Export all").set("class", "btn big").set("download", ""),
        ]),
        None => inside.push(soft("You can no longer reopen it. We’re erasing what is left.")),
    }
    if view.has_others {
        inside.push(link("/portal/companies", "Your companies").set("class", "btn big"));
    }
    inside.push(post("/portal/sign-out").child(button("plain", "Sign out")));
    lone(language.into(), "This account is closed", inside)
}
