//! Passkeys: buttons that a script shows where the browser knows them, and the list of the user's own.

use shingle_store::Passkey;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;
use shingle_widget::words::Language;

use crate::element::{button, card, div, el, hidden, post, soft};
use crate::phrase::phrase;
use crate::time::Hours;

pub(crate) const FAILED: &str = "That did not work. Try again, or go on without a passkey.";

/// What the device says, in the form that carries it.
pub(crate) fn carried() -> [Node; 2] {
    [hidden("ceremony", ""), hidden("passkey", "")]
}

/// A form whose passkey is asked for there.
pub(crate) fn with_passkey(form: Node, asked_at: &'static str) -> Node {
    form.set("data-passkey", asked_at).children(carried())
}

pub(crate) fn failed() -> Node {
    Node::classed("p", "wrong").set("role", "alert").set("data-failed", "").set("hidden", "").text(FAILED)
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
    /// Whether this installation is reached by a name: devices know no others.
    pub has_passkeys: bool,
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
        el("li").child(div("who2").child(el("b").text(passkey.name.clone())).child(times).child(rename)).child(remove)
    });
    let mut card = card("Passkeys").set("id", "passkeys");
    if view.passkeys.is_empty() {
        card = card
            .child(soft("You have none. With one, your phone or computer signs you in by fingerprint, face or PIN."));
    } else {
        card = card.child(Node::classed("ul", "rows").children(rows));
    }
    if !view.has_passkeys {
        return card.child(soft(
            "Devices make passkeys only for a server with a name and an encrypted connection (https). Ask whoever runs this one.",
        ));
    }
    let input = el("input")
        .set("id", "passkey-name")
        .set("name", "name")
        .set("class", "in")
        .set("maxlength", "60")
        .set("autocomplete", "off")
        .set("value", view.device.to_owned());
    let name = div("field").child(el("label").set("for", "passkey-name").text("Name of the new one")).child(input);
    let form = with_passkey(post("/portal/settings/passkeys"), "/portal/settings/passkeys/options")
        .set("data-with", "")
        .set("hidden", "")
        .child(name)
        .child(failed())
        .child(button("btn", "Add a passkey").set("data-go", ""));
    card.child(soft("Passkeys need a browser that knows them, with scripts on.").set("data-alone", "")).child(form)
}
