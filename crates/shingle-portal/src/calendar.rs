//! Links by which a calendar reads inspections by itself.

use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Tone, button, card, div, el, link, note, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::share::shown;

/// Addresses of the files; `None`: no link was made.
pub struct CalendarView<'v> {
    pub own: Option<&'v str>,
    /// `None`: not for this person.
    pub company: Option<Option<&'v str>>,
}

pub fn calendar_page(signed: &Signed<'_>, view: &CalendarView<'_>) -> String {
    let back = el("p").child(link("/portal/settings", "Settings"));
    let own = one(
        "own",
        "Your inspections",
        "Inspections that you go to, with name, phone, answers and roof, in the calendar that you use anyway.",
        view.own,
    );
    let company = view.company.map(|address| {
        one(
            "company",
            "All inspections of the company",
            "For a screen in the office: all inspections, each with the name of the person who goes.",
            address,
        )
    });
    let cards = [back, own].into_iter().chain(company).collect();
    shell(signed, Place::Settings, "Inspections in your calendar", Vec::new(), cards)
}

fn one(whose: &'static str, title: &'static str, about: &'static str, address: Option<&str>) -> Node {
    let card = card(title).child(soft(about));
    let path = |action: &str| format!("/portal/calendar/{whose}/{action}");
    let Some(address) = address else {
        return card.child(post(path("make")).child(button("btn ink", "Make a calendar link")));
    };
    // Calendars know this scheme as a subscription; a browser would download the file.
    let subscribe = match address.split_once("://") {
        Some((_, rest)) => format!("webcal://{rest}"),
        None => address.to_owned(),
    };
    let id = if whose == "own" { "own-address" } else { "company-address" };
    card.child(div("pair").child(link(subscribe, "Subscribe").set("class", "btn ink")))
        .child(shown(id, "Or add this address as a calendar “by URL”", address))
        .child(note(
            Tone::Look,
            "Anyone who has this address can read these inspections, with names and phones. Don’t share it.",
        ))
        .child(soft(
            "Your calendar decides how often it checks for changes; some take a day. We still email you each inspection.",
        ))
        .child(
            div("pair")
                .child(post(path("make")).child(button("btn", "Make a new link")))
                .child(post(path("end")).child(button("btn bad", "Turn off"))),
        )
}
