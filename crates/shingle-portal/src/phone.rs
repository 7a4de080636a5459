//! The portal on a phone: as an app, and which devices get notifications of new leads.
//!
//! # Decision
//!
//! The service worker keeps one page, which names nobody. Turned down: leads stored on a phone that gets lost.

use shingle_store::PushDevice;
use shingle_widget::ssr::Node;
use shingle_widget::view::Markup;

use crate::element::{Tone, button, card, div, el, hidden, link, note, pill, post, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::time::Hours;

/// One's own.
pub struct DeviceView<'v> {
    pub device: &'v PushDevice,
    /// As people know it.
    pub browser: String,
    /// Whether this page is shown there.
    pub is_this: bool,
}

pub struct PhoneView<'v> {
    /// With which browsers subscribe; `None`: this installation cannot send.
    pub key: Option<&'v str>,
    pub devices: &'v [DeviceView<'v>],
    pub hours: &'v Hours,
}

/// Alerts on the device that shows the page. `then`: the page that the form leads back to; empty: the one of devices.
pub(crate) fn push_card(signed: &Signed<'_>, key: Option<&str>, is_on: bool, then: &'static str) -> Node {
    let told = card("New leads on this device").child(soft(
        "Name, answers, street and price, a moment after a lead comes in, or when quiet hours end. It’s encrypted for this browser: its push service can’t read it.",
    ));
    match key {
        _ if signed.visiting.is_some() => {
            told.child(soft("You’re viewing this company as an administrator, so your devices don’t get its leads."))
        }
        Some(key) => turn_on(told, key, is_on, then),
        None => told.child(soft("This installation can’t send them.")),
    }
}

pub fn phone_page(signed: &Signed<'_>, view: &PhoneView<'_>) -> String {
    let is_on = view.devices.iter().any(|of| of.is_this && of.device.is_active());
    let told = push_card(signed, view.key, is_on, "");
    let own = card("Your devices that get notifications");
    let own = if view.devices.is_empty() {
        own.child(soft("None."))
    } else {
        let rows = view.devices.iter().map(|of| row(signed, of, view.hours));
        own.child(Node::classed("ul", "rows").children(rows))
    };
    let own = own.child(soft(
        "A device gets notifications until you turn it off or sign out there, as long as you open the portal on it at least every 14 days. After 90 days the portal asks you to sign in again; then turn it on again.",
    ));
    let install = card("As an app").child(soft(
        "On an iPhone or iPad: Share, then Add to Home Screen. On Android: the menu of the browser, then Install app or Add to Home \
         screen.",
    ));
    let back = el("p").child(link("/portal/settings", "Settings"));
    shell(signed, Place::Settings, "New leads on your devices", Vec::new(), vec![back, told, own, install])
}

/// The button, and what replaces it where a browser cannot: the script shows what is true.
fn turn_on(told: Node, key: &str, is_on: bool, then: &'static str) -> Node {
    let kept = ["endpoint", "p256dh", "auth"].map(|name| hidden(name, ""));
    let form = post("/portal/phone/push").set("id", "push").set("hidden", "").set("data-key", key.to_owned());
    let form = if is_on { form.set("data-on", "") } else { form };
    let state =
        |state: &'static str, tone, text: &'static str| note(tone, text).set("hidden", "").set("data-push", state);
    let then = (!then.is_empty()).then(|| hidden("then", then));
    told.child(form.children(kept).children(then).child(button("btn ink", "Turn on for this device")))
        // Seen until the script takes its place. Not every browser that is set to run none shows `noscript`.
        .child(
            note(
                Tone::Look,
                "Notifications need JavaScript, which is off in this browser. The inbox works without it.",
            )
            .set("data-push", "plain"),
        )
        .child(state("on", Tone::Well, "This device gets notifications of new leads."))
        .child(state(
            "insecure",
            Tone::Look,
            "Browsers allow notifications only on https pages, and this page isn’t one.",
        ))
        .child(state(
            "ios",
            Tone::Look,
            "On an iPhone or iPad, only the installed app gets notifications (iOS 16.4 or later). Tap Share, then Add to Home Screen, open the portal from there and come back to this page.",
        ))
        .child(state(
            "none",
            Tone::Look,
            "This browser doesn’t show notifications from websites. Private windows and browsers inside other apps never do; open this page in your usual browser.",
        ))
        .child(state(
            "denied",
            Tone::Look,
            "This browser blocks notifications from this site. Allow them in its settings for this site (for an installed app, in the phone’s settings), then reload this page.",
        ))
        .child(state(
            "lost",
            Tone::Look,
            "This device is in the list below, but its browser no longer accepts notifications. Turn it on again.",
        ))
        .child(state(
            "failed",
            Tone::Wrong,
            "The browser could not reach its push service, or has none. Nothing was saved. Try again in a moment.",
        ))
}

fn row(signed: &Signed<'_>, of: &DeviceView<'_>, hours: &Hours) -> Node {
    let device = of.device;
    let state = match () {
        () if !device.is_active() => pill("pill bad", "No longer works"),
        () if device.is_failing() => pill("pill warn", "Failing"),
        () if device.last_success_at().is_some() => pill("pill ok", "Works"),
        () => pill("pill", "Nothing sent yet"),
    };
    let mut about = div("who2").child(el("b").text(of.browser.clone()));
    if let Some(at) = device.last_success_at() {
        let last = Node::classed("span", "soft").child(el("span").text("Last notification: ")).child(hours.aged(at));
        about = about.child(last);
    }
    let mut row = el("li").child(about);
    if of.is_this {
        row = row.child(pill("pill", "This device"));
    }
    row = row.child(state);
    let path = format!("/portal/phone/push/{}", device.production.id);
    let named = |english: &str| phrase(signed.language, english, &[("device", &of.browser)]);
    if device.is_active() {
        let label = named("Send a test notification to {device}");
        row = row.child(post(format!("{path}/test")).child(button("btn", "Test").set("aria-label", label)));
    }
    let end = post(format!("{path}/end"));
    // Another company of this person may go on writing to this browser.
    let end = if of.is_this && signed.companies.is_empty() { end.set("data-own", "") } else { end };
    row.child(end.child(button("btn", "Turn off").set("aria-label", named("Turn off {device}"))))
}
