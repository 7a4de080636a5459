//! Settings of the user's own address and language, and of the company.

use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{Field, Tone, button, card, div, el, link, note, p, post, select, soft};
use crate::phrase::phrase;
use crate::time::Hours;

pub struct ProfileView<'v> {
    pub email: &'v str,
    /// The address that a code is on its way to.
    pub asked_email: Option<&'v str>,
    pub has_mail: bool,
    /// A new address that was refused, and why.
    pub refused: Option<(&'v str, &'static str)>,
    /// The tag of the language that was chosen.
    pub chosen: Option<&'v str>,
}

/// Of the company; owners alone see it.
pub struct CompanyView<'v> {
    pub name: &'v str,
    pub phone: &'v str,
    pub website: &'v str,
    pub zone: &'v str,
    /// A field that was refused, and why; the others have what was typed too.
    pub wrong: Option<(&'static str, &'static str)>,
    /// Days after which leads are erased; `None`: never.
    pub kept_days: Option<u32>,
    pub acts_from: Option<Timestamp>,
    /// What another time would erase, while it is looked at.
    pub would: Option<WouldErase>,
    /// What was typed in place of its name, to close it.
    pub not_closed: Option<&'v str>,
}

#[derive(Debug, Clone, Copy)]
pub struct WouldErase {
    pub days: u32,
    pub leads: u64,
}

/// Where contractors of the United States are.
pub const ZONES: [(&str, &str); 9] = [
    ("America/New_York", "Eastern: New York"),
    ("America/Chicago", "Central: Chicago"),
    ("America/Denver", "Mountain: Denver"),
    ("America/Phoenix", "Arizona: Phoenix"),
    ("America/Los_Angeles", "Pacific: Los Angeles"),
    ("America/Anchorage", "Alaska: Anchorage"),
    ("Pacific/Honolulu", "Hawaii: Honolulu"),
    ("America/Puerto_Rico", "Atlantic: Puerto Rico"),
    ("UTC", "UTC"),
];

/// Any other zone is called by its name.
pub(crate) fn zone_in_words(zone: &str) -> Text {
    ZONES.iter().find(|(name, _)| *name == zone).map_or_else(|| zone.to_owned().into(), |(_, said)| Text::from(*said))
}

/// Times that leads may be kept.
pub const KEPT_DAYS: [(u32, &str); 4] = [(365, "1 year"), (730, "2 years"), (1_095, "3 years"), (1_825, "5 years")];

pub(crate) fn email(language: Language, view: &ProfileView<'_>) -> Node {
    let card = card("Email").set("id", "email-card").child(p(phrase(
        language,
        "You sign in as {email}.",
        &[("email", view.email)],
    )));
    if !view.has_mail {
        return card.child(soft(
            "It is changed by a code that is mailed to the new address, and mail is not set up on this server. Ask the person who runs it.",
        ));
    }
    let ask = Field {
        label: "New email address",
        name: "email",
        kind: "email",
        autocomplete: "email",
        value: view.refused.map_or("", |(typed, _)| typed),
        hint: Some("A code goes there. The old address is told once you have typed it."),
        wrong: view.refused.map(|(_, wrong)| wrong),
    };
    let card = match view.asked_email {
        Some(asked) => {
            let code = el("input")
                .set("id", "email-code")
                .set("name", "code")
                .set("class", "in six")
                .set("type", "text")
                .set("inputmode", "numeric")
                .set("autocomplete", "one-time-code")
                .set("maxlength", "9");
            let field = div("field").child(el("label").set("for", "email-code").text("Code")).child(code);
            let said = phrase(language, "A code is on its way to {email}. It lasts 15 minutes.", &[("email", asked)]);
            card.child(note(Tone::Look, said)).child(
                post("/portal/settings/email/code")
                    .set("novalidate", "")
                    .child(field)
                    .child(button("btn ink", "Change my address")),
            )
        }
        None => card,
    };
    card.child(
        post("/portal/settings/email").set("novalidate", "").child(ask.node()).child(button("btn", "Mail me a code")),
    )
}

pub(crate) fn language(view: &ProfileView<'_>) -> Node {
    let options = [("", "Like this browser"), ("en", "English"), ("es", "Español")];
    let options = options.map(|(tag, name)| (tag.to_owned(), name));
    let choice = select("language", "language", options, view.chosen.unwrap_or_default());
    let field = div("field").child(el("label").set("for", "language").text("Language of these pages")).child(choice);
    card("Language").child(post("/portal/settings/language").child(field).child(button("btn", "Save")))
}

pub(crate) fn company(view: &CompanyView<'_>) -> Node {
    let field = |label, name, kind, autocomplete, value, hint| {
        let wrong = view.wrong.filter(|(field, _)| *field == name).map(|(_, wrong)| wrong);
        Field { label, name, kind, autocomplete, value, hint, wrong }.node()
    };
    let known = ZONES.iter().any(|(name, _)| *name == view.zone);
    let other = (!known).then_some(view.zone);
    let zones = ZONES.iter().map(|(name, _)| *name).chain(other).map(|zone| (zone.to_owned(), zone_in_words(zone)));
    let zone = div("field")
        .child(el("label").set("for", "zone").text("Time zone"))
        .child(select("zone", "zone", zones, view.zone))
        .child(Node::classed("p", "hint").text("Used for times on these pages and in notices."));
    card("Company").child(
        post("/portal/settings/company")
            .set("novalidate", "")
            .child(field("Company name", "company", "text", "organization", view.name, None))
            .child(field("Telephone", "phone", "tel", "tel", view.phone, None))
            .child(field(
                "Website",
                "website",
                "url",
                "url",
                view.website,
                Some("New widgets begin with these. Those you have keep theirs."),
            ))
            .child(zone)
            .child(button("btn", "Save the company")),
    )
}

pub(crate) fn retention(language: Language, view: &CompanyView<'_>, hours: &Hours) -> Node {
    let mut card = card("How long leads are kept").set("id", "retention");
    card = card.child(soft(match view.kept_days {
        None => phrase(language, "Leads are kept until somebody erases them.", &[]),
        Some(days) => phrase(language, "Leads are erased after {days} days.", &[("days", &days.to_string())]),
    }));
    if let (Some(_), Some(from)) = (view.kept_days, view.acts_from) {
        card = card.child(soft(phrase(language, "That acts from {time}.", &[("time", &hours.full(from))])));
    }
    if let Some(would) = view.would {
        let (days, leads) = (would.days.to_string(), would.leads.to_string());
        let said = phrase(
            language,
            "Kept for {days} days, {leads} of the leads you have would be erased, with their consents and photos. It begins a day \
             after you set it, unless the time is longer than the one before.",
            &[("days", &days), ("leads", &leads)],
        );
        card = card.child(note(Tone::Look, said)).child(
            post("/portal/settings/retention")
                .child(crate::element::hidden("days", days))
                .child(button("btn bad", "Set it")),
        );
    }
    // To keep them for good again is a button of its own.
    let forever = view.kept_days.is_none().then_some((String::new(), "For good, as now"));
    let options = forever.into_iter().chain(KEPT_DAYS.iter().map(|(days, said)| (days.to_string(), *said)));
    let chosen = view.would.map(|would| would.days).or(view.kept_days).map(|days| days.to_string()).unwrap_or_default();
    let look = el("form")
        .set("method", "get")
        .set("action", "/portal/settings")
        .child(
            div("field")
                .child(el("label").set("for", "keep").text("Keep leads for"))
                .child(select("keep", "keep", options, &chosen)),
        )
        .child(button("btn", "Show what it would erase"));
    card = card.child(look);
    card = card.child(p("").child(link("/portal/consents", "What homeowners agree to")));
    if view.kept_days.is_some() {
        card = card.child(post("/portal/settings/retention").child(button("btn", "Keep leads for good")));
    }
    card
}

pub(crate) fn leave() -> Node {
    card("Take everything with you")
        .child(soft(
            "One file with the company, its people, widgets, notices, and every lead with its consents: one JSON record a line, the \
             last of which says how many leads there are. It holds personal data, so keep it safe.",
        ))
        .child(p("").child(link("/portal/export", "Export all").set("class", "btn").set("download", "")))
}
