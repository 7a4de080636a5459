//! One webhook or connector: its state, settings, trial and log.

use shingle_domain::event::EventKind;
use shingle_store::{Delivery, DeliveryState, Destination};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};

use crate::catalog::say;
use crate::connection_form::{TypedFields, event_in_words, field, input, setting_fields, webhook_fields};
use crate::connection_reach::{webhook_options, widget_choice};
use crate::connections::{count, state, test_data};
use crate::counted::{Counted, counted};
use crate::element::{Tone, button, card, div, el, hidden, link, message, note, pill, post, select, soft};
use crate::frame::{Place, Signed, shell};
use crate::new_connection::{ServiceView, checked, steps};
use crate::phrase::phrase;
use crate::time::Hours;
use crate::trial::{Trial, trial_card};

/// What of the log is shown.
#[derive(Debug, Clone, Default)]
pub struct LogFilter {
    pub state: Option<DeliveryState>,
    pub event: Option<EventKind>,
    /// The id of a lead.
    pub lead: String,
}

pub struct DestinationView<'v> {
    pub destination: &'v Destination,
    /// `None`: a webhook.
    pub service: Option<&'v ServiceView>,
    pub typed: &'v TypedFields,
    /// A secret that was just made: it is shown once.
    pub secret: Option<&'v str>,
    /// Of its environment: ids and titles.
    pub widgets: &'v [(String, String)],
    /// Names of a webhook's own headers.
    pub headers: &'v [String],
    /// Leads to try it with: ids and what people call them.
    pub leads: &'v [(String, String)],
    pub trial: Option<&'v Trial>,
    pub log: &'v [Delivery],
    pub filter: &'v LogFilter,
    /// The cursor of the page before.
    pub older: Option<String>,
    pub hours: &'v Hours,
}

fn named(leads: &[(String, String)]) -> impl Iterator<Item = (String, Text)> {
    leads.iter().map(|(id, name)| (id.clone(), name.clone().into()))
}

pub(crate) fn delivery_state(of: DeliveryState) -> Node {
    match of {
        DeliveryState::Pending => pill("pill new", "On its way"),
        DeliveryState::Waiting => pill("pill", "Waits for the one before"),
        DeliveryState::Delivered => pill("pill ok", "Delivered"),
        DeliveryState::Failed => pill("pill bad", "Failed"),
        DeliveryState::Skipped => pill("pill warn", "Left out"),
    }
}

pub fn destination_page(signed: &Signed<'_>, view: &DestinationView<'_>) -> String {
    let of = view.destination;
    let back = soft("").child(link("/portal/connections", "Connections"));
    let mut inside = vec![back];
    if let Some(secret) = view.secret {
        inside.push(
            el("section")
                .set("class", "card")
                .set("aria-label", "The signing secret")
                .child(note(
                    Tone::Look,
                    "This is its signing secret. You won’t see it again, so store it where your receiver checks signatures.",
                ))
                .child(el("p").set("class", "mono").set("id", "secret").text(secret.to_owned()))
                .child(button("btn", "Copy").set("type", "button").set("data-copy", "secret").set("hidden", "")),
        );
    }
    inside.extend(health(signed, view));
    if let Some(service) = view.service {
        inside.push(checked(signed, service));
    }
    let left = el("div")
        .set("class", "column")
        .child(settings(signed, view))
        .children(try_it(view))
        .children(view.trial.map(|trial| trial_card(signed, trial)));
    let right = el("div")
        .set("class", "column")
        .child(switch(view))
        .children(secret_card(view))
        .children(view.service.and_then(|service| steps(signed, service)))
        .child(deletion(view));
    inside.push(el("div").set("class", "columns").child(left).child(right));
    inside.push(log(signed, view));
    let pills = test_data(of).into_iter().chain([state(of)]).collect();
    shell(signed, Place::Connections, of.draft.name.clone(), pills, inside)
}

/// Why it was switched off or waits, and what mends it.
fn health(signed: &Signed<'_>, view: &DestinationView<'_>) -> Option<Node> {
    let (of, language) = (view.destination, signed.language);
    if let Some(reason) = of.inactive_reason.as_ref().filter(|_| !of.draft.active) {
        let reason = say(language, reason);
        let said = phrase(language, "It stopped automatically: {reason}.", &[("reason", reason.trim_end_matches('.'))]);
        let mend =
            "Check the last failed delivery, fix the address or the key, switch it on, and resend what it missed.";
        let text = el("p").child(el("b").text(said)).child(el("span").text(" ")).child(el("span").text(mend));
        return Some(div("trouble").set("role", "status").child(text));
    }
    if !of.draft.active || of.failures_in_a_row == 0 {
        return None;
    }
    let failures = count(of.failures_in_a_row);
    let said = match of.failing_since {
        Some(since) => phrase(
            language,
            "Failed attempts in a row: {count}, since {time}. We try each event for three days.",
            &[("count", &failures), ("time", &view.hours.full(since))],
        ),
        None => phrase(
            language,
            "Failed attempts in a row: {count}. We try each event for three days.",
            &[("count", &failures)],
        ),
    };
    Some(note(Tone::Look, said))
}

fn path(view: &DestinationView<'_>, rest: &str) -> String {
    format!("/portal/connections/{}{rest}", view.destination.id)
}

/// A service that is off is set up in three steps.
fn numbered(view: &DestinationView<'_>, step: &'static str, plain: &'static str) -> &'static str {
    if view.service.is_some() && !view.destination.draft.active { step } else { plain }
}

fn settings(signed: &Signed<'_>, view: &DestinationView<'_>) -> Node {
    let form = post(path(view, "")).set("novalidate", "").children(view.typed.whole());
    let widgets = widget_choice(view.widgets, view.typed);
    let form = match view.service {
        None => form.children(webhook_fields(view.typed)).children(widgets).children(webhook_options(
            signed,
            view.typed,
            view.headers,
        )),
        Some(service) => form
            .child(field("name".into(), "Name", input("text", view.typed.get("name")), None, view.typed.wrong("name")))
            .children(setting_fields(&service.settings, view.typed, true))
            .children(widgets),
    };
    card(numbered(view, "1. Settings", "Settings")).child(form.child(button("btn", "Save")))
}

fn try_it(view: &DestinationView<'_>) -> Vec<Node> {
    let Some(service) = view.service else {
        let test = card("Try it")
            .child(soft("A test event contains no homeowner’s data. You see the answer right away."))
            .child(post(path(view, "/test")).child(button("btn", "Send a test event")));
        return vec![test];
    };
    let made_up = [(String::new(), Text::from("A made-up lead"))];
    let choice = div("field").child(el("label").set("for", "lead").text("Lead")).child(select(
        "lead",
        "lead",
        made_up.into_iter().chain(named(view.leads)),
        view.trial.map_or("", |trial| trial.lead.as_str()),
    ));
    let warning = if service.is_conversion {
        "Sending counts as a real conversion there. Showing sends nothing."
    } else {
        "Sending creates a real record or message there. Delete it there if you don’t want it. Showing sends nothing."
    };
    let form = post(path(view, "/try"))
        .child(choice)
        .child(button("btn ink", "Show what would be sent").set("name", "send").set("value", "no"))
        .child(note(Tone::Look, warning).set("role", "note"))
        .child(button("btn", "Send it once").set("name", "send").set("value", "yes"));
    vec![card(numbered(view, "2. Dry run", "Dry run")).child(form)]
}

fn switch(view: &DestinationView<'_>) -> Node {
    let of = view.destination;
    let facts = [("Delivered", count(of.success_count)), ("Failed attempts", count(of.failure_count))];
    let list = el("dl")
        .set("class", "facts")
        .children(facts.into_iter().flat_map(|(name, value)| [el("dt").text(name), el("dd").text(value)]));
    let at = |name: &'static str, at: Option<shingle_domain::Timestamp>| match at {
        Some(at) => [el("dt").text(name), el("dd").child(view.hours.aged(at))],
        None => [el("dt").text(name), el("dd").text("Never")],
    };
    let list = list.children(at("Last success", of.last_success_at)).children(at("Last failure", of.last_failure_at));
    let (title, said, action, label) = if of.draft.active {
        (
            "It is on",
            "When off, it gets nothing, and we skip what is on its way. You can resend that later.",
            "/off",
            "Switch off",
        )
    } else {
        (
            numbered(view, "3. Switch on", "It is off"),
            "When on, it gets each new event within seconds. You can resend what it missed below.",
            "/on",
            "Switch on",
        )
    };
    let button = button(if of.draft.active { "btn" } else { "btn ink" }, label);
    card(title).child(list).child(soft(said)).child(post(path(view, action)).child(button))
}

fn secret_card(view: &DestinationView<'_>) -> Option<Node> {
    if view.service.is_some() {
        return None;
    }
    let form = post(path(view, "/rotate")).child(button("btn", "Create a new secret"));
    Some(card("Signing secret").child(soft("You see the new one only once. The old one keeps signing for 24 hours too, so nothing is refused while you change it.")).child(form))
}

fn deletion(view: &DestinationView<'_>) -> Node {
    let sure = post(path(view, "/delete"))
        .child(soft("This also deletes its log and drops what is on its way."))
        .child(button("btn bad", "Delete it"));
    let ask = Node::classed("details", "ask").child(el("summary").set("class", "btn bad").text("Delete…")).child(sure);
    card("Delete this connection").child(ask)
}

fn log(signed: &Signed<'_>, view: &DestinationView<'_>) -> Node {
    let filter = view.filter;
    let states = [(String::new(), "Any state")].into_iter().chain(DeliveryState::ALL.map(|state| {
        let said = match state {
            DeliveryState::Pending => "On its way",
            DeliveryState::Waiting => "Waits for the one before",
            DeliveryState::Delivered => "Delivered",
            DeliveryState::Failed => "Failed",
            DeliveryState::Skipped => "Left out",
        };
        (state.as_str().to_owned(), said)
    }));
    let events = [(String::new(), "Any event")].into_iter().chain(
        EventKind::PUBLIC
            .into_iter()
            .chain([EventKind::Ping])
            .map(|kind| (kind.as_str().to_owned(), event_in_words(kind))),
    );
    let leads = [(String::new(), Text::from("Any lead"))].into_iter().chain(named(view.leads));
    let known = view.leads.iter().any(|(id, _)| *id == filter.lead);
    let leads =
        leads.chain((!known && !filter.lead.is_empty()).then(|| (filter.lead.clone(), filter.lead.clone().into())));
    let day = |id: &'static str, label: &'static str, select: Node| {
        div("field day").child(el("label").set("for", id).text(label)).child(select)
    };
    let form = el("form")
        .set("method", "get")
        .set("action", path(view, ""))
        .set("class", "bar flat")
        .child(day("state", "State", select("state", "state", states, filter.state.map_or("", DeliveryState::as_str))))
        .child(day("event", "Event", select("event", "event", events, filter.event.map_or("", EventKind::as_str))))
        .child(day("of-lead", "Lead", select("of-lead", "lead", leads, &filter.lead)))
        .child(button("btn", "Show"));
    let rows = view.log.iter().map(|delivery| {
        let to = link(format!("/portal/deliveries/{}", delivery.id), event_in_words(delivery.kind));
        let told = el("span").set("class", "soft");
        let told = match delivery.attempts {
            0 => told.text("Not tried yet"),
            count => told.text(counted(signed.language, Counted::ATTEMPTS, count.into())),
        };
        let told = match &delivery.reason {
            Some(reason) => told.child(el("span").text(" · ")).child(message(el("span"), signed.language, reason)),
            None => told,
        };
        let about = div("who2").child(el("b").child(to)).child(told);
        el("li").child(about).child(view.hours.aged(delivery.created_at)).child(delivery_state(delivery.state))
    });
    let mut card = card("Deliveries").set("id", "log").child(form);
    card = if view.log.is_empty() {
        card.child(soft("None here. We keep the log for 30 days."))
    } else {
        card.child(el("ul").set("class", "rows").children(rows))
    };
    if let Some(cursor) = &view.older {
        let query = [
            ("state", filter.state.map_or("", DeliveryState::as_str)),
            ("event", filter.event.map_or("", EventKind::as_str)),
            ("cursor", cursor.as_str()),
        ];
        let query: Vec<String> = query.iter().filter(|(_, v)| !v.is_empty()).map(|(n, v)| format!("{n}={v}")).collect();
        card = card.child(
            el("p").child(link(format!("{}?{}#log", path(view, ""), query.join("&")), "Older").set("class", "btn")),
        );
    }
    let since = field(
        "since".into(),
        "Resend what failed or was skipped since",
        input("date", ""),
        None,
        view.typed.wrong("since"),
    );
    card.child(
        post(path(view, "/again"))
            .set("class", "bar flat")
            .child(since)
            .child(hidden("again", "yes"))
            .child(button("btn", "Send again")),
    )
}
