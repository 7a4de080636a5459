//! What happens now, and whom to reach.

use leptos::prelude::*;

use super::icon::{self, icon};
use super::{Flow, actions, button, call, main_part, plan, title};
use crate::flow::Event;
use crate::plan::Detail;

pub fn view(flow: Flow) -> AnyView {
    let w = flow.words;
    let (first, email, reference, may_call, priced) = flow.read(|s| {
        (
            s.contact.first.trim().to_owned(),
            s.contact.email.trim().to_owned(),
            s.receipt.as_ref().map(|r| r.reference.clone()).unwrap_or_default(),
            s.contact.consent && !s.contact.phone.trim().is_empty(),
            s.sheet().is_some(),
        )
    });
    let steps = [if may_call { &w.thanks_call } else { &w.thanks_mail }, &w.thanks_visit, &w.thanks_yours];
    let steps = steps.into_iter().map(|[heading, text]| {
        let text = flow.say_with(text, &[("email", &email)]);
        view! { <li><div><b>{flow.say(heading)}</b><small>{text}</small></div></li> }
    });
    let main = view! {
        {title(flow.say_with(w.thanks_title, &[("first", &first)]))}
        <p class="sh-lead">{flow.say(w.thanks_lead)}" "<b>{reference}</b>"."</p>
        <ol class="steps">{steps.collect::<Vec<_>>()}</ol>
        {contact_card(flow, false)}
    };
    let print = view! { {icon(icon::PRINT)}{w.print} };
    let buttons = view! {
        {call(flow, "sh-btn primary", w.call)}
        {button(flow, "sh-btn secondary", print, || Event::Print)}
    };
    let pane = if priced { plan::found(flow, Detail::Areas, "only-wide") } else { plan::blank(flow, "only-wide") };
    view! { {main_part(main.into_any())} {actions(buttons.into_any())} {pane} }.into_any()
}

/// The company: name, address, ways to reach it.
pub fn contact_card(flow: Flow, phone: bool) -> AnyView {
    flow.widget(|c| {
        let phone = phone.then(|| {
            let href = ["tel:", &c.company_phone_dial].concat();
            view! { <span><a href=href>{c.company_phone.clone()}</a></span> }
        });
        let mail = ["mailto:", &c.company_email].concat();
        let site = c.company_url.split("://").last().unwrap_or_default().trim_end_matches('/').to_owned();
        view! {
            <div class="contact-card">
                <b>{c.company_name.clone()}</b>
                <span>{c.company_address.clone()}</span>
                {phone}
                <span><a href=mail>{c.company_email.clone()}</a></span>
                <span><a href=c.company_url.clone() target="_blank" rel="noopener">{site}</a></span>
            </div>
        }
        .into_any()
    })
}
