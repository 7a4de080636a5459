//! A look-up that takes its time. Only what is known is shown: no bar without a count.

use leptos::prelude::*;
use shingle_domain::public::AddressChoice;

use super::icon::{self, drawing};
use super::{Flow, actions, button, lead, main_part, plan, title};
use crate::flow::{Event, State};
use crate::words::fill;

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let (line, picked) = flow.read(|s| {
        let place = s.place.as_ref();
        (place.map(|p| p.line()).unwrap_or_default(), place.is_some_and(|p| matches!(p.choice, AddressChoice::Key(_))))
    });
    let chosen = picked.then(|| stage("", icon::CHECK, w.measuring_chosen));
    let main = view! {
        {title(w.measuring_title.to_owned())}
        {lead(line)}
        <ul class="sh-stages">
            {chosen}
            {stage("", icon::PART, w.measuring_now)}
            {stage("wait", icon::RING, w.measuring_then)}
        </ul>
        // Counts every second: not for the live region.
        <p class="sh-small" aria-hidden="true">{flow.live(elapsed)}</p>
    };
    view! {
        {plan::blank(flow, "pane-low")}
        {main_part(main.into_any())}
        {actions(button(flow, "sh-btn secondary", w.measuring_stop, || Event::Stop))}
    }
    .into_any()
}

fn stage(class: &'static str, path: &'static str, text: &'static str) -> AnyView {
    view! { <li class=class>{drawing("sh-icon dot", "0 0 20 20", path)}<div>{text}</div></li> }.into_any()
}

fn elapsed(flow: Flow, state: &State) -> AnyView {
    match state.elapsed {
        0 => String::new(),
        1 => flow.words.measuring_time_one.to_owned(),
        s => fill(flow.words.measuring_time, &[("s", &s.to_string())]),
    }
    .into_any()
}
