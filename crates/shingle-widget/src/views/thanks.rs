//! What happens now, and whom to reach.

use super::el::{Child, El, View, boxed, el};
use super::frame::link;
use super::icon::{self, icon};
use super::{Flow, actions, button, call, inner, main_part, plan, title};
use crate::flow::Event;
use crate::plan::Detail;
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let (first, email, reference, may_call, priced) = flow.read(|s| {
        (
            s.contact.first.trim().to_owned(),
            s.contact.email.trim().to_owned(),
            s.receipt.as_ref().map(|r| r.reference.clone()).unwrap_or_default(),
            s.contact.consent && !s.contact.phone.trim().is_empty(),
            s.sheet().is_some(),
        )
    });
    let mut steps = boxed("ol", "steps");
    for step in [if may_call { w::THANKS_CALL } else { w::THANKS_MAIL }, w::THANKS_VISIT, w::THANKS_YOURS] {
        let text = flow.say_with(step.at(1), &[("email", &email)]);
        steps = steps.add(el("li").add(el("div").add(el("b").add(flow.say(step.at(0)))).add(el("small").add(text))));
    }
    let request = boxed("p", "sh-lead").add(flow.say(w::THANKS_LEAD)).add(" ").add(el("b").add(reference)).add(".");
    let main = inner()
        .add(title(flow.say_with(w::THANKS_TITLE, &[("first", &first)])))
        .add(request)
        .add(steps)
        .add(contact_card(flow, false));
    let buttons = actions()
        .add(call(flow, "sh-btn primary", w::CALL))
        .add(button(flow, "sh-btn secondary", || Event::Print).add(icon(icon::PRINT)).add(w::PRINT));
    let pane = if priced {
        plan::found(flow, Detail::Areas, "sh-pane only-wide", None)
    } else {
        plan::blank("sh-pane only-wide")
    };
    [main_part(main).view(), buttons.view(), pane].view()
}

/// The company: name, address, ways to reach it.
pub fn contact_card(flow: Flow, phone: bool) -> El {
    flow.widget(|c| {
        let plain = |href: String, text: &str| el("span").add(el("a").put("href", href).add(text.to_owned()));
        let phone = phone.then(|| plain(["tel:", &c.company_phone_dial].concat(), &c.company_phone));
        let site = c.company_url.trim_start_matches(|c| c != '/').trim_matches('/').to_owned();
        boxed("div", "contact-card")
            .add(el("b").add(c.company_name.clone()))
            .add(el("span").add(c.company_address.clone()))
            .add(phone)
            .add(plain(["mailto:", &c.company_email].concat(), &c.company_email))
            .add(el("span").add(link(c.company_url.clone(), site)))
    })
}
