//! What happens now, and whom to reach.

use super::block::{button, call, title};
use super::el::{Child, El, View};
use super::flow::Flow;
use super::plan;
use crate::flow::Event;
use crate::plan::Detail;
use crate::strokes::PRINT;
use crate::view::block::{actions, icon, inner, main_part};
use crate::view::frame::link_apart;
use crate::view::{Markup, thanks};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let (first, email, reference, may_call, priced) = flow.read(|s| {
        (
            s.contact.first.trim().to_owned(),
            s.contact.email.trim().to_owned(),
            s.receipt.as_ref().map(|r| r.reference.clone()).unwrap_or_default(),
            s.contact.consent && !s.contact.phone.trim().is_empty(),
            s.estimate().is_some(),
        )
    });
    let main = inner::<El>()
        .child(title(flow.say_with(w::THANKS_TITLE, &[("first", &first)])))
        .child(flow.widget(|c| thanks::request(flow.words, c, reference)))
        .child(flow.widget(|c| thanks::next_steps(flow.words, c, &email, may_call)))
        .child(contact_card(flow, false));
    let buttons = actions::<El>()
        .child(call(flow, "sh-btn primary", w::CALL))
        .child(button(flow, "sh-btn secondary", || Event::Print).child(icon(PRINT)).text(w::PRINT));
    let pane = if priced {
        plan::found(flow, Detail::Areas, "sh-pane only-wide", None)
    } else {
        plan::blank(flow, "sh-pane only-wide")
    };
    [main_part(main).view(), buttons.view(), pane].view()
}

pub fn contact_card(flow: Flow, phone: bool) -> El {
    flow.widget(|c| {
        let site = c.company_url.trim_start_matches(|c| c != '/').trim_matches('/').to_owned();
        thanks::contact_card(c, phone, link_apart(c.company_url.clone(), site))
    })
}
