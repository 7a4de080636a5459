//! Head and foot, the same on every step.

use shingle_domain::public::Picture;

use super::el::{Child, El, View, boxed, el, nothing};
use super::icon::{self, icon};
use super::{Flow, button};
use crate::flow::{Event, State};
use crate::words::{fill, number};

pub fn head(flow: Flow) -> El {
    let w = flow.words;
    let head = el("header")
        .follow(flow, "class", |s| Some(if s.can_go_back() { "sh-head has-back" } else { "sh-head" }.to_owned()))
        .add(flow.live(|s| s.can_go_back().to_string(), back))
        .add(flow.widget(|c| picture("sh-logo", &c.header_logo, c.company_name.clone())))
        .add(flow.live(|s| s.screen().step().map(|n| n.to_string()).unwrap_or_default(), progress))
        .add(flow.widget(|c| {
            let label = fill(w.call_company, &[("company", &c.company_name), ("phone", &c.company_phone)]);
            boxed("a", "sh-call")
                .put("href", ["tel:", &c.company_phone_dial].concat())
                .put("aria-label", label)
                .add(icon(icon::PHONE))
                .add(el("span").add(c.company_phone.clone()))
        }));
    if flow.page {
        return head;
    }
    head.add(button(flow, "sh-iconbtn", || Event::Close).set("aria-label", w.close).add(icon(icon::CLOSE)))
}

fn back(flow: Flow, state: &State) -> View {
    if !state.can_go_back() {
        return nothing();
    }
    button(flow, "sh-iconbtn", || Event::Back).set("aria-label", flow.words.back).add(icon(icon::BACK)).view()
}

fn progress(flow: Flow, state: &State) -> View {
    let w = flow.words;
    let Some(now) = state.screen().step() else { return nothing() };
    let mut steps = el("ol");
    for (at, name) in w.steps.iter().enumerate() {
        let step = el("li").add(*name);
        steps = steps.add(match at.cmp(&now) {
            core::cmp::Ordering::Less => step.set("class", "done"),
            core::cmp::Ordering::Equal => step.all(&[("class", "now"), ("aria-current", "step")]),
            core::cmp::Ordering::Greater => step,
        });
    }
    boxed("div", "sh-progress")
        .add(steps)
        .add(el("p").add(number(w.step_of, now + 1)).add(" · ").add(el("b").add(w.steps[now])))
        .view()
}

fn picture(class: &'static str, of: &Picture, alt: String) -> El {
    boxed("img", class)
        .put("src", of.url.clone())
        .put("width", of.width.to_string())
        .put("height", of.height.to_string())
        .put("alt", alt)
}

pub fn foot(flow: Flow) -> El {
    let w = flow.words;
    flow.widget(|c| {
        let logo = c.footer_logo.as_ref().map(|p| picture("sh-mark", p, String::new()));
        boxed("footer", "sh-foot")
            .add(el("span").add(logo).add(el("span").add(c.footer_company_name.clone())))
            .add(link(c.privacy_link.clone(), w.privacy.to_owned()))
            .add(c.terms_link.clone().map(|href| link(href, w.terms.to_owned())))
    })
}

/// A link that leaves the flow where it is.
pub fn link(href: String, text: String) -> El {
    el("a").put("href", href).all(&[("target", "_blank"), ("rel", "noopener")]).add(text)
}
