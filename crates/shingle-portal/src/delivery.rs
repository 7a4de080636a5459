//! One delivery: what was sent, the response, when, and why it failed.

use shingle_store::{Attempt, Delivery, DeliveryState};
use shingle_widget::ssr::Node;
use shingle_widget::view::{Markup, Text};
use shingle_widget::words::thousands;

use crate::connection_form::event_in_words;
use crate::destination::delivery_state;
use crate::element::{Tone, button, card, el, link, note, pill, post, sentence, soft};
use crate::frame::{Place, Signed, shell};
use crate::phrase::phrase;
use crate::time::Hours;
use crate::trial::block;

/// Request and answer of an attempt, as texts without secrets.
#[derive(Debug, Clone, Default)]
pub struct ExchangeText {
    pub request: String,
    pub answer: String,
}

pub struct DeliveryView<'v> {
    pub delivery: &'v Delivery,
    /// Of its destination, if that has a page: where, and its name.
    pub destination: (String, &'v str),
    pub attempts: &'v [(Attempt, Vec<ExchangeText>)],
    /// The event as it is posted; `None` where its lead was erased, or only an id is sent.
    pub payload: Option<&'v str>,
    /// What was signed with which keys, if anything was.
    pub signature: Option<&'static str>,
    /// The lead that it is about.
    pub lead: Option<String>,
    pub hours: &'v Hours,
}

pub fn delivery_page(signed: &Signed<'_>, view: &DeliveryView<'_>) -> String {
    let (of, language) = (view.delivery, signed.language);
    let (path, name) = &view.destination;
    let back = soft("").child(link(path.clone(), (*name).to_owned()));
    let mut inside = vec![back];
    if of.state == DeliveryState::Pending {
        let said = if of.attempts == 0 {
            Text::from("It is on its way. This page checks again for a moment.")
        } else {
            phrase(language, "Next try: {time}.", &[("time", &view.hours.full(of.due_at))]).into()
        };
        inside.push(note(Tone::Look, said));
    } else if let Some(reason) = &of.reason {
        let tone = if of.state == DeliveryState::Delivered { Tone::Well } else { Tone::Wrong };
        inside.push(sentence(note(tone, ""), language, reason));
    }
    let mut facts = vec![
        ("Event", el("dd").text(event_in_words(of.kind))),
        ("Event ID", el("dd").set("class", "mono").text(of.event.to_string())),
        ("Created", el("dd").text(view.hours.full(of.created_at))),
        ("Attempts", el("dd").text(of.attempts.to_string())),
    ];
    if let Some(at) = of.completed_at {
        facts.push(("Ended", el("dd").text(view.hours.full(at))));
    }
    if let Some(signature) = view.signature {
        facts.push(("Signature", el("dd").text(signature)));
    }
    if let Some(lead) = &view.lead {
        facts.push(("Lead", el("dd").child(link(lead.clone(), "Open the lead"))));
    }
    let list = el("dl")
        .set("class", "facts")
        .children(facts.into_iter().flat_map(|(name, value)| [el("dt").text(name), value]));
    let again = post(format!("/portal/deliveries/{}/again", of.id)).child(button("btn", "Send it again"));
    inside.push(card("Delivery").child(list).child(again));
    for (attempt, exchanges) in view.attempts {
        inside.push(attempt_card(signed, view, attempt, exchanges));
    }
    if let Some(payload) = view.payload {
        inside.push(
            card("What the event says").child(
                el("pre")
                    .set("tabindex", "0")
                    .set("role", "region")
                    .set("aria-label", "The event")
                    .text(payload.to_owned()),
            ),
        );
    }
    shell(signed, Place::Connections, event_in_words(of.kind), vec![delivery_state(of.state)], inside)
}

fn attempt_card(signed: &Signed<'_>, view: &DeliveryView<'_>, of: &Attempt, exchanges: &[ExchangeText]) -> Node {
    let answer = match of.status {
        Some(status) => format!("HTTP {status}"),
        None if of.delivered => String::new(),
        None => crate::phrase::translated(signed.language, "No answer").to_owned(),
    };
    let took = thousands(i64::try_from(of.duration.as_millis()).unwrap_or(i64::MAX));
    let title = phrase(signed.language, "Attempt {number}", &[("number", &of.number.to_string())]);
    let told =
        phrase(signed.language, "{time}, {took} ms", &[("time", &view.hours.full(of.started_at)), ("took", &took)]);
    let mut card = el("section").set("class", "card").child(el("h2").text(title)).child(soft(told));
    card = match (of.delivered, answer.is_empty()) {
        (true, true) => card.child(pill("pill ok", "Taken")),
        (true, false) => card.child(pill("pill ok", answer)),
        (false, _) => card.child(pill("pill bad", answer)),
    };
    if let Some(cause) = &of.cause {
        card = card.child(sentence(note(Tone::Wrong, "").set("role", "note"), signed.language, cause));
    }
    for exchange in exchanges {
        card = card.children(block("Request, without secrets", &exchange.request));
        if !exchange.answer.is_empty() {
            card = card.children(block("Answer", &exchange.answer));
        }
    }
    card
}
