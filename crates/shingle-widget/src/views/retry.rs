//! What did not get through: kept, counted down, tried again.

use super::el::{Child, View, boxed, el, text};
use super::icon::{self, icon};
use super::{Flow, actions, button, call, fact, inner, lead, main_part, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{fill, number};

pub fn view(flow: Flow, unsent: bool) -> View {
    let w = flow.words;
    let (heading, words) = if unsent { (w.unsent_title, w.unsent_lead) } else { (w.unreached_title, w.unreached_lead) };
    let attempts = move || {
        let attempt = flow.watch(|s| s.retry.as_ref().map_or(0, |r| r.attempt));
        let keeps = if unsent { w.retry_keeps } else { "" };
        [&number(w.retry_attempt, attempt as usize), " ", keeps].concat()
    };
    let countdown = boxed("div", "sh-note warn").add(icon(icon::OFFLINE)).add(
        el("span")
            // The seconds are not for the live region.
            .add(el("b").set("aria-hidden", "true").add(text(move || flow.watch(|s| waiting(flow, s)))))
            .add(el("br"))
            .add(text(attempts)),
    );
    let mut main = inner().add(title(heading.to_owned())).add(lead(flow.say(words))).add(countdown);
    if unsent {
        main = kept(flow).into_iter().fold(main, super::el::El::add);
    }
    let buttons = actions().add(button(flow, "sh-btn primary", || Event::TryNow).add(w.retry_go)).add(call(
        flow,
        "sh-btn secondary",
        w.call_instead,
    ));
    let pane = if unsent {
        plan::found(flow, Detail::Areas, "sh-pane only-wide", None)
    } else {
        plan::blank(flow, "sh-pane only-wide")
    };
    [main_part(main).view(), buttons.view(), pane].view()
}

fn waiting(flow: Flow, state: &State) -> String {
    let w = flow.words;
    match state.retry.as_ref().and_then(|r| r.wait) {
        Some(seconds) => fill(w.retry_in, &[("s", &seconds.to_string())]),
        None if state.is_sending() || state.is_looking() => w.retry_now.to_owned(),
        None => w.retry_over.to_owned(),
    }
}

fn kept(flow: Flow) -> [View; 3] {
    let w = flow.words;
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
    for (name, value) in w.kept_rows.iter().zip(values) {
        if !value.is_empty() {
            rows = rows.add(fact(name, value, String::new()));
        }
    }
    let forget = button(flow, "sh-link", || Event::Forget).add(w.forget);
    [boxed("h2", "sh-h2").add(w.kept).view(), rows.view(), boxed("p", "sh-more").add(forget).view()]
}
