//! The user's own settings: name, signed-in browsers, recovery codes.

use shingle_domain::{Language, SessionId};
use shingle_store::{Session, SignInWay};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::closing::close;
use crate::counted::{Counted, counted};
use crate::element::{Field, Tone, button, card, div, el, link, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::passkey::{PasskeysView, passkeys};
use crate::phrase::{phrase, translated};
use crate::profile::{CompanyView, ProfileView, company, email, language, leave, retention};
use crate::sign_in::keep_codes;
use crate::time::Hours;

pub struct SettingsView<'v> {
    pub sessions: &'v [Session],
    pub own: SessionId,
    pub passkeys: PasskeysView<'v>,
    pub profile: ProfileView<'v>,
    /// `None`: they are no owner.
    pub company: Option<CompanyView<'v>>,
    pub codes_left: u32,
    /// Those that were just made: they are shown once.
    pub codes: &'v [String],
    pub hours: &'v Hours,
    pub name: &'v str,
    pub wrong: Option<&'static str>,
}

/// `Firefox on Linux`: what people know of a browser.
pub fn browser(language: Language, user_agent: &str) -> String {
    let has = |word: &str| user_agent.contains(word);
    let browser = match () {
        () if has("Edg/") => "Edge",
        () if has("Firefox/") || has("FxiOS/") => "Firefox",
        () if has("Chrome/") || has("CriOS/") => "Chrome",
        () if has("Safari/") => "Safari",
        () => translated(language, "A browser"),
    };
    let system = match () {
        () if has("iPhone") => "iPhone",
        () if has("iPad") => "iPad",
        () if has("Android") => "Android",
        () if has("Windows") => "Windows",
        () if has("Mac OS X") => "Mac",
        () if has("Linux") => "Linux",
        () => return browser.to_owned(),
    };
    phrase(language, "{browser} on {system}", &[("browser", browser), ("system", system)])
}

fn way(way: SignInWay) -> &'static str {
    match way {
        SignInWay::Invite => "invite",
        SignInWay::Passkey => "passkey",
        SignInWay::MailedLink => "emailed link",
        SignInWay::MailedCode => "emailed code",
        SignInWay::RecoveryCode => "recovery code",
        SignInWay::CommandLine => "command-line link",
    }
}

pub fn settings_page(signed: &Signed<'_>, view: &SettingsView<'_>) -> String {
    let name = Field {
        label: "Your name",
        name: "name",
        kind: "text",
        autocomplete: "name",
        value: view.name,
        hint: Some("Teammates see it on the leads you take."),
        wrong: view.wrong,
    };
    let own = card("You")
        .child(post("/portal/settings/name").set("novalidate", "").child(name.node()).child(button("btn", "Save")));
    // The rail has it on wide screens.
    let sign_out = Node::classed("section", "card only-narrow")
        .set("aria-label", "Sign out")
        .child(post("/portal/sign-out").child(button("btn", "Sign out here")));
    let mut cards = vec![
        own,
        email(signed.language, &view.profile),
        language(&view.profile),
        passkeys(signed.language, &view.passkeys, view.hours),
        sessions(signed.language, view),
        devices(),
        calendars(),
    ];
    // Of the company, whose clients have no page to set them on.
    if signed.client.is_none() {
        cards.extend([replies(), new_leads()]);
    }
    cards.push(codes(signed.language, view));
    if let Some(of) = &view.company {
        cards.extend([
            company(of),
            retention(signed.language, of, view.hours),
            leave(),
            close(signed.language, of.name, "/portal/settings/close".to_owned(), of.not_closed),
        ]);
    }
    cards.push(sign_out);
    shell(signed, Place::Settings, "Settings", Vec::new(), cards)
}

fn replies() -> Node {
    card("Replies")
        .child(soft("Ready-made emails and texts for your team. You pick one on a lead’s page."))
        .child(link("/portal/settings/replies", "Replies").set("class", "btn"))
}

fn new_leads() -> Node {
    card("New leads")
        .child(soft("Give each new lead to a teammate, by town or ZIP, or in turn."))
        .child(link("/portal/settings/leads", "New leads go to").set("class", "btn"))
}

fn sessions(language: Language, view: &SettingsView<'_>) -> Node {
    let rows = view.sessions.iter().map(|session| {
        let title = browser(language, &session.user_agent);
        let about = div("who2").child(el("b").text(title.clone())).child(
            Node::classed("span", "soft").text(format!("{} · ", session.network)).text(phrase(
                language,
                "by {way} · used {ago}",
                &[("way", translated(language, way(session.way))), ("ago", &view.hours.ago(session.last_used_at))],
            )),
        );
        let row = el("li").child(about);
        if session.id == view.own {
            return row.child(pill("pill ok", "This one"));
        }
        row.child(post(format!("/portal/settings/sessions/{}/end", session.id)).child(
            button("btn", "Sign out").set("aria-label", phrase(language, "Sign out {browser}", &[("browser", &title)])),
        ))
    });
    let card = card("Where you are signed in")
        .child(soft("A browser is signed out after 14 days without use, and after 90 days in any case."))
        .child(Node::classed("ul", "rows").children(rows));
    if view.sessions.len() < 2 {
        return card;
    }
    card.child(post("/portal/settings/sessions/end-others").child(button("btn", "Sign out everywhere else")))
}

fn devices() -> Node {
    card("New leads on your devices")
        .child(soft("Name, street and price on your phone or computer, a moment after a lead comes in."))
        .child(link("/portal/phone", "Choose devices").set("class", "btn"))
}

fn calendars() -> Node {
    card("Inspections in your calendar")
        .child(soft("A private link for the calendar on your phone or computer."))
        .child(link("/portal/calendar", "Set up").set("class", "btn"))
}

fn codes(language: Language, view: &SettingsView<'_>) -> Node {
    let mut card = card("Recovery codes");
    if view.codes.is_empty() {
        card = card.child(soft(match view.codes_left {
            0 => Text::from("You have none. Use one to sign in if your email doesn’t arrive."),
            left => counted(language, Counted::CODES_LEFT, left as i64).into(),
        }));
    } else {
        card = card
            .child(note(Tone::Well, "These are new, and you won’t see them again. Earlier codes no longer work."))
            .child(
                Node::classed("ol", "codes")
                    .set("id", "codes")
                    .children(view.codes.iter().map(|code| el("li").text(code.clone()))),
            )
            .child(keep_codes());
    }
    card.child(post("/portal/settings/recovery-codes").child(button("btn", "Create new codes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_as_people_know_it() {
        for (agent, named) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
                "Chrome on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605 Version/19 Mobile Safari/604",
                "Safari on iPhone",
            ),
            ("curl/8", "A browser"),
            ("", "A browser"),
        ] {
            assert_eq!(browser(Language::English, agent), named);
        }
    }
}
