//! A request failed: the countdown to the next attempt.

use super::block::{button, call, title};
use super::el::{Child, El, View, text};
use super::flow::Flow;
use super::plan;
use crate::flow::{Event, State};
use crate::strokes::OFFLINE;
use crate::view::Markup;
use crate::view::block::{actions, fact, heading, icon, inner, lead, main_part, more};
use crate::words::w;

pub fn view(flow: Flow, unsent: bool) -> View {
    let (name, words) =
        if unsent { (w::UNSENT_TITLE, w::UNSENT_LEAD) } else { (w::UNREACHED_TITLE, w::UNREACHED_LEAD) };
    let attempts = move || {
        let attempt = flow.watch(|s| s.retry.as_ref().map_or(0, |r| r.attempt));
        let keeps = if unsent { &flow.words[w::RETRY_KEEPS] } else { "" };
        [&flow.words.number(w::RETRY_ATTEMPT, attempt as usize), " ", keeps].concat()
    };
    let countdown = El::classed("div", "sh-note warn").child(icon(OFFLINE)).child(
        El::new("span")
            // Changes every second: not for screen readers.
            .child(El::new("b").set("aria-hidden", "true").add(text(move || flow.watch(|s| waiting(flow, s)))))
            .child(El::new("br"))
            .child(El::new("span").set("role", "status").add(text(attempts))),
    );
    let mut main = inner::<El>().child(title(name)).child(lead(flow.say(words))).child(countdown);
    if unsent {
        main = kept(flow, main);
    }
    let buttons = actions::<El>()
        .child(button(flow, "sh-btn primary", || Event::TryNow).text(w::RETRY_GO))
        .child(call(flow, "sh-btn secondary", w::CALL_INSTEAD));
    let pane = if unsent { plan::aside(flow) } else { plan::blank(flow, "sh-pane only-wide") };
    [main_part(main).view(), buttons.view(), pane].view()
}

fn waiting(flow: Flow, state: &State) -> String {
    match state.retry.as_ref().and_then(|r| r.wait) {
        Some(seconds) => flow.words.fill(w::RETRY_IN, &[("s", &seconds.to_string())]),
        None if state.is_sending() || state.is_looking() => flow.words[w::RETRY_NOW].to_owned(),
        None => flow.words[w::RETRY_OVER].to_owned(),
    }
}

/// What is stored on the device until it is sent.
fn kept(flow: Flow, inner: El) -> El {
    let values = flow.read(|s| {
        let c = &s.contact;
        [
            [c.first.trim(), c.last.trim()].join(" "),
            s.address.as_ref().map(|p| p.street.clone()).unwrap_or_default(),
            c.email.trim().to_owned(),
            c.phone.trim().to_owned(),
        ]
    });
    let mut rows = El::classed("dl", "facts plain");
    for (at, value) in values.into_iter().enumerate() {
        if !value.is_empty() {
            rows = rows.child(fact(w::KEPT_ROWS.at(at), value, None));
        }
    }
    let forget = button(flow, "sh-link", || Event::Forget).text(w::FORGET);
    inner.child(heading(w::KEPT)).child(rows).child(more(forget))
}
