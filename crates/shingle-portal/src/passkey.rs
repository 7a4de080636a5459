//! Passkeys: buttons that a script shows where the browser knows them, and the list of the user's own.

use shingle_domain::Language;
use shingle_store::Passkey;
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::element::{button, card, div, el, hidden, post, soft};
use crate::phrase::phrase;
use crate::time::Hours;

const FAILED_HERE: &str = "That didn’t work. A passkey only works at the address you created it for, and you have some for {hosts}. Sign in another way, then add one for this address.";
pub(crate) const FAILED: &str = "That did not work. Try again, or go on without a passkey.";

/// What the device says, in the form that carries it.
pub(crate) fn carried() -> [Node; 2] {
    [hidden("ceremony", ""), hidden("passkey", "")]
}

/// A form whose passkey is asked for there.
pub(crate) fn with_passkey(form: Node, asked_at: &'static str) -> Node {
    form.set("data-passkey", asked_at).children(carried())
}

/// `said`: what a script shows where the device did not do it.
fn failed_with(said: impl Into<Text>) -> Node {
    Node::classed("p", "wrong").set("role", "alert").set("data-failed", "").set("hidden", "").text(said)
}

pub(crate) fn failed() -> Node {
    failed_with(FAILED)
}

/// Browsers do not say that a device has passkeys for another name of the server.
pub(crate) fn failed_to_sign_in(language: Language, other_hosts: &[String]) -> Node {
    if other_hosts.is_empty() {
        return failed();
    }
    failed_with(phrase(language, FAILED_HERE, &[("hosts", &other_hosts.join(", "))]))
}

/// The button that asks the device.
pub(crate) fn go(text: &'static str) -> Node {
    button("btn ink big", text).set("data-go", "")
}

/// For somebody who joins: with a passkey, or as it works everywhere.
pub(crate) fn join(has_passkeys: bool, with: &'static str, without: &'static str, alone: &'static str) -> Vec<Node> {
    if !has_passkeys {
        return vec![button("btn ink big", alone)];
    }
    let both = div("with")
        .set("data-with", "")
        .set("hidden", "")
        .child(go(with))
        .child(soft("Your phone or computer then signs you in with fingerprint, face or PIN. There is no password."))
        .child(failed())
        .child(button("btn big", without));
    vec![both, button("btn ink big", alone).set("data-alone", "")]
}

pub struct PasskeysView<'v> {
    pub passkeys: &'v [Passkey],
    /// The name by which devices know this server; `None` where it has none.
    pub host: Option<&'v str>,
    /// What a new one here would be called.
    pub device: &'v str,
}

pub(crate) fn passkeys(language: Language, view: &PasskeysView<'_>, hours: &Hours) -> Node {
    let rows = view.passkeys.iter().map(|passkey| {
        let label = |english: &str| phrase(language, english, &[("name", &passkey.name)]);
        let times =
            Node::classed("span", "soft").child(el("span").text("Added ")).child(hours.aged(passkey.created_at));
        let times = match passkey.last_used_at {
            Some(at) => times.child(el("span").text(" · used ")).child(hours.aged(at)),
            None => times.child(el("span").text(" · not used yet")),
        };
        let elsewhere = (view.host != Some(&passkey.host)).then(|| {
            Node::classed("span", "wrong").text(phrase(language, "Works at {host} only", &[("host", &passkey.host)]))
        });
        let name = el("input")
            .set("class", "in")
            .set("name", "name")
            .set("value", passkey.name.clone())
            .set("maxlength", "60")
            .set("autocomplete", "off")
            .set("aria-label", label("Name of {name}"));
        let rename = post(format!("/portal/settings/passkeys/{}", passkey.id))
            .set("class", "rename")
            .child(div("field").child(name))
            .child(button("btn", "Rename").set("aria-label", label("Rename {name}")));
        let remove = post(format!("/portal/settings/passkeys/{}/remove", passkey.id))
            .child(button("btn bad", "Remove").set("aria-label", label("Remove {name}")));
        el("li")
            .child(div("who2").child(el("b").text(passkey.name.clone())).children(elsewhere).child(times).child(rename))
            .child(remove)
    });
    let mut card = card("Passkeys").set("id", "passkeys");
    if view.passkeys.is_empty() {
        card = card
            .child(soft("You have none. With one, your phone or computer signs you in by fingerprint, face or PIN."));
    } else {
        card = card.child(Node::classed("ul", "rows").children(rows));
    }
    if view.host.is_none() {
        return card.child(soft(
            "Passkeys need a server with a name and an encrypted connection (https). Ask your administrator.",
        ));
    }
    let input = el("input")
        .set("id", "passkey-name")
        .set("name", "name")
        .set("class", "in")
        .set("maxlength", "60")
        .set("autocomplete", "off")
        .set("value", view.device.to_owned());
    let name = div("field").child(el("label").set("for", "passkey-name").text("Name of the new passkey")).child(input);
    let form = with_passkey(post("/portal/settings/passkeys"), "/portal/settings/passkeys/options")
        .set("data-with", "")
        .set("hidden", "")
        .child(name)
        .child(failed())
        .child(button("btn", "Add a passkey").set("data-go", ""));
    card.child(soft("Passkeys need a browser that supports them, with JavaScript on.").set("data-alone", ""))
        .child(form)
}
