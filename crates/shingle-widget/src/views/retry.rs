//! What did not get through: kept, counted down, tried again.

use super::el::{Child, View, boxed, el, text};
use super::icon::{self, icon};
use super::{Flow, actions, button, call, fact, inner, lead, main_part, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::w;

pub fn view(flow: Flow, unsent: bool) -> View {
    let (heading, words) =
        if unsent { (w::UNSENT_TITLE, w::UNSENT_LEAD) } else { (w::UNREACHED_TITLE, w::UNREACHED_LEAD) };
    let attempts = move || {
        let attempt = flow.watch(|s| s.retry.as_ref().map_or(0, |r| r.attempt));
        let keeps = if unsent { &flow.words[w::RETRY_KEEPS] } else { "" };
        [&flow.words.number(w::RETRY_ATTEMPT, attempt as usize), " ", keeps].concat()
    };
    let countdown = boxed("div", "sh-note warn").add(icon(icon::OFFLINE)).add(
        el("span")
            // The seconds are not for the live region.
            .add(el("b").set("aria-hidden", "true").add(text(move || flow.watch(|s| waiting(flow, s)))))
            .add(el("br"))
            .add(el("span").set("role", "status").add(text(attempts))),
    );
    let mut main = inner().add(title(heading)).add(lead(flow.say(words))).add(countdown);
    if unsent {
        main = kept(flow).into_iter().fold(main, super::el::El::add);
    }
    let buttons = actions().add(button(flow, "sh-btn primary", || Event::TryNow).add(w::RETRY_GO)).add(call(
        flow,
        "sh-btn secondary",
        w::CALL_INSTEAD,
    ));
    let pane = if unsent {
        plan::found(flow, Detail::Areas, "sh-pane only-wide", None)
    } else {
        plan::blank("sh-pane only-wide")
    };
    [main_part(main).view(), buttons.view(), pane].view()
}

fn waiting(flow: Flow, state: &State) -> String {
    match state.retry.as_ref().and_then(|r| r.wait) {
        Some(seconds) => flow.words.fill(w::RETRY_IN, &[("s", &seconds.to_string())]),
        None if state.is_sending() || state.is_looking() => flow.words[w::RETRY_NOW].to_owned(),
        None => flow.words[w::RETRY_OVER].to_owned(),
    }
}

fn kept(flow: Flow) -> [View; 3] {
    let values = flow.read(|s| {
        let c = &s.contact;
        [
            [c.first.trim(), c.last.trim()].join(" "),
            s.place.as_ref().map(|p| p.street.clone()).unwrap_or_default(),
            c.email.trim().to_owned(),
            c.phone.trim().to_owned(),
        ]
    });
    let mut rows = boxed("dl", "facts plain");
    for (at, value) in values.into_iter().enumerate() {
        if !value.is_empty() {
            rows = rows.add(fact(w::KEPT_ROWS.at(at), value, None));
        }
    }
    let forget = button(flow, "sh-link", || Event::Forget).add(w::FORGET);
    [boxed("h2", "sh-h2").add(w::KEPT).view(), rows.view(), boxed("p", "sh-more").add(forget).view()]
}
