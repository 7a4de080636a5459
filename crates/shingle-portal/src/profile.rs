//! Settings of the user's own address and language, and of the company.

use shingle_domain::{Language, Timestamp};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::counted::{Counted, counted};
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
            "To change it, we email a code to the new address, but email is not set up on this server. Ask your administrator.",
        ));
    }
    let ask = Field {
        label: "New email address",
        name: "email",
        kind: "email",
        autocomplete: "email",
        value: view.refused.map_or("", |(typed, _)| typed),
        hint: Some("We’ll email a code there. Once you type it, we’ll let the old address know."),
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
            let said =
                phrase(language, "We’ve emailed a code to {email}. It expires in 15 minutes.", &[("email", asked)]);
            card.child(note(Tone::Look, said)).child(
                post("/portal/settings/email/code")
                    .set("novalidate", "")
                    .child(field)
                    .child(button("btn ink", "Change my email")),
            )
        }
        None => card,
    };
    card.child(
        post("/portal/settings/email").set("novalidate", "").child(ask.node()).child(button("btn", "Email me a code")),
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
    card("Company")
        .child(
            post("/portal/settings/company")
                .set("novalidate", "")
                .child(field("Company name", "company", "text", "organization", view.name, None))
                .child(field("Phone", "phone", "tel", "tel", view.phone, None))
                .child(field(
                    "Website",
                    "website",
                    "url",
                    "url",
                    view.website,
                    Some("Used for new widgets; existing ones don’t change."),
                ))
                .child(zone)
                .child(button("btn", "Save company")),
        )
        .child(p("").child(link("/portal/settings/brand", "Change how the portal looks")))
        .child(p("").child(link("/portal/settings/sender", "Who emails to homeowners are from")))
}

pub(crate) fn retention(language: Language, view: &CompanyView<'_>, hours: &Hours) -> Node {
    let mut card = card("How long we keep leads").set("id", "retention");
    card = card.child(soft(match view.kept_days {
        None => phrase(language, "We keep leads until someone erases them.", &[]),
        Some(days) => counted(language, Counted::KEPT, days.into()),
    }));
    if let (Some(_), Some(from)) = (view.kept_days, view.acts_from) {
        card = card.child(soft(phrase(language, "This starts {time}.", &[("time", &hours.full(from))])));
    }
    if let Some(would) = view.would {
        let (days, leads) = (would.days.to_string(), would.leads.to_string());
        let said = phrase(
            language,
            "If you keep leads for {days}, we erase those that are older, with their consents and photos. Of the leads you have, that is {leads}. It starts a day after you set it, unless you choose a longer time than before.",
            &[("days", &counted(language, Counted::DAYS, would.days.into())), ("leads", &leads)],
        );
        card = card.child(note(Tone::Look, said)).child(
            post("/portal/settings/retention")
                .child(crate::element::hidden("days", days))
                .child(button("btn bad", "Set it")),
        );
    }
    // To keep them for good again is a button of its own.
    let forever = view.kept_days.is_none().then_some((String::new(), "Forever (current)"));
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
        card = card.child(post("/portal/settings/retention").child(button("btn", "Keep leads forever")));
    }
    card
}

pub(crate) fn leave() -> Node {
    card("Export all data")
        .child(soft(
            "One file with your company, its people, widgets, notices, and every lead with its consents: one JSON record per line, and the last line says how many leads there are. It holds personal data, so keep it safe.",
        ))
        .child(p("").child(link("/portal/export", "Export all").set("class", "btn").set("download", "")))
}
