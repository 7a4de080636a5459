//! Switched off, or not meant for this page: still somebody to call.

use leptos::prelude::*;

use super::thanks::contact_card;
use super::{Flow, actions, call, lead, main_part, plan, title};

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let main = view! {
        {title(w.paused_title.to_owned())}
        {lead(flow.say(w.paused_lead))}
        {contact_card(flow, true)}
    };
    view! {
        {main_part(main.into_any())}
        {actions(call(flow, "sh-btn primary", w.call))}
        {plan::blank(flow, "only-wide")}
    }
    .into_any()
}
