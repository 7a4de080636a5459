//! What did not get through: kept, counted down, tried again.

use leptos::prelude::*;

use super::icon::{self, icon};
use super::{Flow, actions, button, call, lead, main_part, plan, title};
use crate::flow::{Event, State};
use crate::plan::Detail;
use crate::words::{fill, number};

pub fn view(flow: Flow, unsent: bool) -> AnyView {
    let w = flow.words;
    let (heading, text) = if unsent { (w.unsent_title, w.unsent_lead) } else { (w.unreached_title, w.unreached_lead) };
    let main = view! {
        {title(heading.to_owned())}
        {lead(flow.say(text))}
        {flow.live(countdown)}
        {unsent.then(|| kept(flow))}
    };
    let buttons = view! {
        {button(flow, "sh-btn primary", w.retry_go, || Event::TryNow)}
        {call(flow, "sh-btn secondary", w.call_instead)}
    };
    let pane = if unsent { plan::found(flow, Detail::Areas, "only-wide") } else { plan::blank(flow, "only-wide") };
    view! { {main_part(main.into_any())} {actions(buttons.into_any())} {pane} }.into_any()
}

fn countdown(flow: Flow, state: &State) -> AnyView {
    let w = flow.words;
    let Some(retry) = &state.retry else { return ().into_any() };
    let now = match retry.wait {
        Some(seconds) => fill(w.retry_in, &[("s", &seconds.to_string())]),
        None if state.is_sending() || state.is_looking() => w.retry_now.to_owned(),
        None => w.retry_over.to_owned(),
    };
    let keeps = state.pending.is_some().then_some(w.retry_keeps);
    view! {
        <div class="sh-note warn">
            {icon(icon::OFFLINE)}
            // The seconds are not for the live region.
            <span><b aria-hidden="true">{now}</b><br/>{number(w.retry_attempt, retry.attempt as usize)}" "{keeps}</span>
        </div>
    }
    .into_any()
}

fn kept(flow: Flow) -> AnyView {
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
    let rows = w
        .kept_rows
        .iter()
        .zip(values)
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| view! { <div><dt>{*name}</dt><dd>{value}</dd></div> });
    view! {
        <h2 class="sh-h2">{w.kept}</h2>
        <dl class="facts plain">{rows.collect::<Vec<_>>()}</dl>
        <p class="sh-more">{button(flow, "sh-link", w.forget, || Event::Forget)}</p>
    }
    .into_any()
}
