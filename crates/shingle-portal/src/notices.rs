//! Who is notified of leads by mail, when, and what would happen at a given time.

use shingle_domain::notice::Weekday;
use shingle_domain::{Language, Role};
use shingle_store::{Destination, DestinationKind};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::catalog::say;
use crate::connection_form::{TypedFields, check, field, hint, input};
use crate::connections::state;
use crate::element::{Tone, button, card, div, el, group_fault, hidden, link, note, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::profile::zone_in_words;
use crate::time::Hours;

/// What a lead would cause.
#[derive(Debug, Clone)]
pub struct Foreseen {
    /// When, as a time in words.
    pub at: String,
    /// Who is notified.
    pub who: String,
    /// Only where nobody has touched the lead until then.
    pub is_reminder: bool,
}

pub struct NoticesView<'v> {
    pub typed: &'v TypedFields,
    /// Rows for recipients: those there are, and an empty one.
    pub rows: usize,
    /// The settings as the page was made of them.
    pub seen: &'v str,
    pub mail_is_set: bool,
    pub mailboxes: &'v [Destination],
    pub widgets: &'v [(String, String)],
    /// Those that a recipient can be limited to: also such as one is limited to and the company has no more.
    pub recipient_widgets: &'v [(String, String)],
    /// Names of widgets of whose leads nobody is notified.
    pub unheard: &'v [String],
    pub zones: &'v [String],
    /// Hours that this form cannot hold stay as they are.
    pub hours_are_kept: bool,
    /// `2026-11-24T09:46`, in the zone of the settings.
    pub at: &'v str,
    pub widget: &'v str,
    pub foreseen: &'v [Foreseen],
    pub hours: &'v Hours,
}

pub fn weekday_in_words(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

pub fn notices_page(signed: &Signed<'_>, view: &NoticesView<'_>) -> String {
    let mut inside = Vec::new();
    if !view.mail_is_set {
        inside.push(note(
            Tone::Look,
            match signed.role {
                Role::Operator => "Email is not set up, so nobody gets notices yet. The manual says how: /manual/mail. Until then leads wait in the inbox; what you set here applies from then on.",
                _ => "Email is not set up, so nobody gets notices yet. Ask your administrator to set it up. Until then leads wait in the inbox; what you set here applies from then on.",
            },
        ));
    }
    if !view.unheard.is_empty() {
        let widgets = [("widgets", view.unheard.join(", "))];
        let widgets = widgets.each_ref().map(|(name, text)| (*name, text.as_str()));
        inside.push(note(
            Tone::Look,
            phrase(signed.language, "Nobody gets an email about leads of: {widgets}.", &widgets),
        ));
    }
    for refused in view.mailboxes.iter().filter(|mailbox| mailbox.inactive_reason.is_some()) {
        inside.push(refusal(signed, refused));
    }
    let left = div("column").child(form(signed.language, view));
    let devices = card("New leads on your devices")
        .child(soft("Name, street and price on your phone or computer, a moment after a lead comes in."))
        .child(link("/portal/phone", "Choose devices").set("class", "btn"));
    let right = div("column").child(happens(signed, view)).children(mailboxes(signed, view)).child(devices);
    inside.push(div("columns").child(left).child(right));
    shell(signed, Place::Notices, "Notices", Vec::new(), inside)
}

fn refusal(signed: &Signed<'_>, of: &Destination) -> Node {
    let reason = of.inactive_reason.as_ref().map(|reason| say(signed.language, reason)).unwrap_or_default();
    let said = phrase(
        signed.language,
        "We no longer email {address}: {reason}.",
        &[("address", &of.draft.address), ("reason", reason.trim_end_matches('.'))],
    );
    let text = el("p")
        .child(el("b").text(said))
        .child(el("span").text(" "))
        .child(el("span").text("Correct the address below, or retry if the mailbox works again."));
    let again = post(format!("/portal/notices/{}/on", of.id)).child(button("btn", "Try it again"));
    div("trouble").set("role", "status").child(text).child(again)
}

fn time(name: &str, label: &'static str, typed: &TypedFields) -> Node {
    field(name.to_owned(), label, input("time", typed.get(name)), None, typed.wrong(name))
}

/// Where a company has several: which of them this person is notified of.
fn only_widgets(view: &NoticesView<'_>, row: usize) -> Option<Node> {
    if view.recipient_widgets.len() < 2 {
        return None;
    }
    let is_on = |id: &str| !view.typed.get(&format!("widget.{row} {id}")).is_empty();
    let ticks =
        view.recipient_widgets.iter().map(|(id, name)| check(format!("widget.{row}"), id, name.clone(), is_on(id)));
    let any = view.recipient_widgets.iter().any(|(id, _)| is_on(id));
    let inside =
        div("ticks").children(ticks).child(Node::classed("p", "hint").text("Tick none for the leads of every widget."));
    let details = el("details").child(el("summary").text("Only these widgets")).child(inside);
    Some(if any { details.set("open", "") } else { details })
}

fn recipient(language: Language, view: &NoticesView<'_>, row: usize) -> Node {
    let typed = view.typed;
    let named = |part: &str| format!("{part}.{row}");
    let languages = [("en".to_owned(), "English"), ("es".to_owned(), "Spanish")];
    let spoken = named("language");
    let choice = el("select").set("class", "in").children(select("", "", languages, typed.get(&spoken)).inside());
    let on = |part: &str, label: &'static str| {
        let name = named(part);
        let is_on = typed.get(&name) == "yes";
        check(name, "yes", label, is_on)
    };
    let is_new = row + 1 == view.rows && typed.get(&named("email")).is_empty();
    let number = (row + 1).to_string();
    let legend = match is_new {
        true => Text::from("Add someone"),
        false => phrase(language, "Recipient {number}", &[("number", &number)]).into(),
    };
    let remove = (!is_new).then(|| {
        let whom = match typed.get(&named("email")) {
            "" => phrase(language, "Recipient {number}", &[("number", &number)]),
            email => email.to_owned(),
        };
        let label = phrase(language, "Remove {name}", &[("name", &whom)]);
        button("btn", "Remove").set("name", "remove").set("value", row.to_string()).set("aria-label", label)
    });
    el("fieldset")
        .set("class", "recipient")
        .child(el("legend").text(legend))
        .child(field(
            named("email"),
            "Email",
            input("email", typed.get(&named("email"))).set("autocapitalize", "none"),
            None,
            typed.wrong(&named("email")),
        ))
        .child(field(
            named("name"),
            "Name",
            input("text", typed.get(&named("name"))),
            None,
            typed.wrong(&named("name")),
        ))
        .child(field(spoken, "Language", choice, None, None))
        .child(
            div("ticks")
                .child(on("leads", "New leads"))
                .child(on("digest", "Daily summary"))
                .child(on("report", "Monthly report")),
        )
        .children(only_widgets(view, row))
        .children(remove)
}

fn form(language: Language, view: &NoticesView<'_>) -> Node {
    let typed = view.typed;
    let who = card("Who gets new leads, in order")
        .child(soft("We don’t notify anyone about suspected spam. If the list is empty, we email each widget’s company address."))
        .children((view.recipient_widgets.len() > 1).then(|| hidden("widgets-shown", "yes")))
        .children((0..view.rows).map(|row| recipient(language, view, row)))
        .child(field(
            "escalate".into(),
            "Minutes without an answer before we notify the next person",
            input("number", typed.get("escalate")).set("min", "1").set("max", "10080"),
            hint("After the last person, everyone. Leave blank to tell everyone at once, without reminders."),
            typed.wrong("escalate"),
        ));
    let zones = view.zones.iter().map(|zone| (zone.clone(), zone_in_words(zone)));
    let zone = el("select").set("class", "in").children(select("", "", zones, typed.get("zone")).inside());
    let mut hours = card("Hours").child(field("zone".into(), "Time zone", zone, None, typed.wrong("zone")));
    hours = if view.hours_are_kept {
        hours.child(soft(
            "Your working hours have more parts than this page can show. They stay as you set them through the API.",
        ))
    } else {
        let row = |day: Weekday| {
            let named = |part: &str| format!("{part}.{}", day.as_str());
            div("day-hours")
                .set("role", "group")
                .set("aria-label", weekday_in_words(day))
                .child(el("b").text(weekday_in_words(day)))
                .child(time(&named("from"), "From", typed))
                .child(time(&named("to"), "To", typed))
        };
        hours
            .child(soft("We send reminders in these hours. Blank day = closed. All blank = any time."))
            .children(Weekday::ALL.map(row))
            .children(typed.wrong("hours").map(|said| group_fault("hours-said", said.clone())))
    };
    hours = hours.child(soft("In quiet hours your team gets no email and no push; they come when the quiet hours end. The homeowner’s copy is sent at once.")).child(
        div("day-hours")
            .set("role", "group")
            .set("aria-label", "Quiet hours")
            .child(el("b").text("Quiet"))
            .child(time("quiet.from", "From", typed))
            .child(time("quiet.to", "To", typed)),
    );
    let muted = view.widgets.iter().map(|(id, title)| {
        let is_on = !typed.get(&format!("mute {id}")).is_empty();
        check("mute".to_owned(), id, title.clone(), is_on)
    });
    let more = card("Summary and homeowner")
        .child(field(
            "digest-at".into(),
            "Yesterday’s summary, at",
            input("time", typed.get("digest-at")),
            hint("Leave blank for never."),
            typed.wrong("digest-at"),
        ))
        .child(soft(
            "The monthly report is a PDF, emailed on the first working day at that hour, or at 8 if it is blank. A month without leads brings no report.",
        ))
        .child(check(
            "copy".to_owned(),
            "yes",
            "Email homeowners their estimate, after their consent, once a day at most",
            typed.get("copy") == "yes",
        ));
    let more = if view.widgets.is_empty() {
        more
    } else {
        more.child(el("fieldset").set("class", "ticks").child(el("legend").text("Mute these widgets")).children(muted))
    };
    // The Enter key presses the first button of a form, which must not be one that removes.
    let enter = button("btn", "Save").set("hidden", "");
    post("/portal/notices")
        .set("novalidate", "")
        .child(enter)
        .child(hidden("seen", view.seen.to_owned()))
        .children(typed.whole())
        .child(who)
        .child(hours)
        .child(more)
        .child(button("btn ink", "Save"))
}

fn happens(signed: &Signed<'_>, view: &NoticesView<'_>) -> Node {
    let named = view.widgets.iter().map(|(id, name)| (id.clone(), Text::from(name.clone())));
    let widgets = [(String::new(), Text::from("Any widget"))].into_iter().chain(named);
    let ask = el("form")
        .set("method", "get")
        .set("action", "/portal/notices")
        .child(field("at".into(), "If a lead came at", input("datetime-local", view.at), None, None))
        .child(div("field").child(el("label").set("for", "widget").text("From widget")).child(select(
            "widget",
            "widget",
            widgets,
            view.widget,
        )))
        .child(button("btn", "Show"));
    let steps = view.foreseen.iter().map(|step| {
        let told = el("span").set("class", "soft").text(step.at.clone());
        let whom = phrase(signed.language, "Email to {to}", &[("to", &step.who)]);
        let step_node = el("li").child(el("b").text(whom)).child(told);
        if step.is_reminder {
            step_node.child(el("span").set("class", "soft").text("if nobody is on it"))
        } else {
            step_node
        }
    });
    let said = if view.foreseen.is_empty() {
        soft("Nobody would get an email.")
    } else {
        el("ol").set("class", "history").children(steps)
    };
    let unsent = (!view.mail_is_set && !view.foreseen.is_empty())
        .then(|| note(Tone::Look, "Email is not set up on this server, so we can’t send any of these."));
    let output = div("foreseen").set("role", "status").children(unsent).child(said);
    card("What would happen")
        .child(ask)
        .child(output)
        .child(soft("Based on the saved settings. Your connections get leads within seconds, at any hour."))
}

fn mailboxes(signed: &Signed<'_>, view: &NoticesView<'_>) -> Option<Node> {
    let shown: Vec<_> = view.mailboxes.iter().filter(|m| m.draft.active || m.inactive_reason.is_some()).collect();
    if shown.is_empty() {
        return None;
    }
    let rows = shown.into_iter().map(|mailbox| {
        let counts = phrase(
            signed.language,
            "Delivered: {done}. Failed attempts: {failed}.",
            &[("done", &mailbox.success_count.to_string()), ("failed", &mailbox.failure_count.to_string())],
        );
        let told = el("span").set("class", "soft").text(counts);
        let last = mailbox.last_success_at.max(mailbox.last_failure_at);
        let told = match last {
            Some(at) => told.child(el("span").text(" · ")).child(view.hours.last_tried(at)),
            None => told,
        };
        let is_person = mailbox.draft.kind == DestinationKind::Mail;
        let about = div("who2").child(el("b").text(mailbox.draft.name.clone()));
        let about = if is_person && mailbox.draft.address != mailbox.draft.name {
            about.child(el("span").text(mailbox.draft.address.clone()))
        } else {
            about
        };
        let row = el("li").child(about.child(told)).child(state(mailbox));
        if is_person && mailbox.draft.active && view.mail_is_set {
            let label =
                phrase(signed.language, "Send a test email to {address}", &[("address", &mailbox.draft.address)]);
            row.child(
                post(format!("/portal/notices/{}/test", mailbox.id))
                    .child(button("btn", "Test").set("aria-label", label)),
            )
        } else {
            row
        }
    });
    Some(card("Email addresses").child(el("ul").set("class", "rows").children(rows)))
}
