//! Who the emails of a company to homeowners are from: the form, the code, and which of two things happens.

use shingle_domain::Language;
use shingle_store::Sender;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Field, Tone, button, card, link, note, p, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;

/// Characters of a name.
pub const MAX_SENDER_NAME: usize = 60;

#[derive(Default)]
pub struct SenderForm<'v> {
    /// Our own address, where this server sends email.
    pub own: Option<&'v str>,
    /// The one that is proved, and whether its domain is set up.
    pub sender: Option<&'v Sender>,
    pub may_send: bool,
    /// The one that a code is on its way to.
    pub asked: Option<&'v Sender>,
    /// What was typed and refused.
    pub typed: Option<(&'v str, &'v str)>,
    pub wrong_name: Option<&'static str>,
    pub wrong_email: Option<&'static str>,
}

pub fn sender_page(signed: &Signed<'_>, view: &SenderForm<'_>) -> String {
    let language = signed.language;
    let mut inside = vec![Node::classed("p", "").child(link("/portal/settings", "Settings"))];
    let title = "Who emails to homeowners are from";
    let Some(own) = view.own else {
        inside.push(card(title).child(soft("Email is not set up on this server. Ask your administrator.")));
        return shell(signed, Place::Settings, title, Vec::new(), inside);
    };
    let (typed_name, typed_email) = view.typed.unwrap_or_else(|| {
        let shown = view.asked.or(view.sender);
        shown.map_or(("", ""), |sender| (sender.name.as_str(), sender.email.as_str()))
    });
    let name = Field {
        label: "Name",
        name: "senderName",
        kind: "text",
        autocomplete: "organization",
        value: typed_name,
        hint: Some("Leave blank for the name of the widget’s company."),
        wrong: view.wrong_name,
    };
    let email = Field {
        label: "Email address",
        name: "senderEmail",
        kind: "email",
        autocomplete: "off",
        value: typed_email,
        hint: Some("We email a code there first, so that nobody sends in another company’s name."),
        wrong: view.wrong_email,
    };
    let mut whole = card(title)
        .child(soft("Of estimates, inspections and replies that we send to homeowners."))
        .child(p(what_happens(language, own, view)));
    if let Some(asked) = view.asked {
        let said = "We’ve emailed a code to {email}. It expires in 15 minutes.";
        whole = whole.child(note(Tone::Look, phrase(language, said, &[("email", asked.email.as_str())])));
        let code = Field {
            label: "Code",
            name: "code",
            kind: "text",
            autocomplete: "one-time-code",
            value: "",
            hint: None,
            wrong: None,
        };
        whole = whole.child(
            post("/portal/settings/sender/code")
                .set("novalidate", "")
                .child(code.node())
                .child(button("btn ink", "Confirm this address")),
        );
    }
    whole = whole.child(
        post("/portal/settings/sender")
            .set("novalidate", "")
            .child(name.node())
            .child(email.node())
            .child(button("btn", "Save")),
    );
    if view.sender.is_some() {
        whole = whole.child(post("/portal/settings/sender/remove").child(button("btn", "Use no address of our own")));
    }
    inside.push(whole);
    shell(signed, Place::Settings, title, Vec::new(), inside)
}

fn what_happens(language: Language, own: &str, view: &SenderForm<'_>) -> String {
    let Some(sender) = view.sender else {
        let said = "Now they show the company’s name of the widget and are from {own}. Answers go to the company’s email of the widget.";
        return phrase(language, said, &[("own", own)]);
    };
    let email = sender.email.as_str();
    let domain = email.rsplit_once('@').map_or("", |(_, domain)| domain);
    let with = [("own", own), ("email", email), ("domain", domain)];
    let said = match view.may_send {
        true => "They are from {email}, because your administrator has set up {domain} for this.",
        false => {
            "They show your name and are from {own}; answers go to {email}. To send from {email} itself, ask your administrator to set up {domain}: without that, mail servers would take such emails for forged."
        }
    };
    phrase(language, said, &with)
}
