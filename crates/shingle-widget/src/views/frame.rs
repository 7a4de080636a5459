//! Head and foot, the same on every step.

use shingle_domain::public::{Picture, PublicWidget};

use super::el::{Child, El, View, boxed, el, nothing};
use super::icon::{self, icon};
use super::{Flow, button};
use crate::flow::{Event, State};
use crate::words::w;

pub fn head(flow: Flow) -> El {
    // Plain boxes: inside a dialog, `header` and `footer` would be the page's.
    let head = el("div")
        .follow(flow, "class", |s| Some(if s.can_go_back() { "sh-head has-back" } else { "sh-head" }.to_owned()))
        .add(flow.live(|s| s.can_go_back().to_string(), back))
        .add(flow.widget(|c| picture("sh-logo", &c.header_logo, c.company_name.clone())))
        .add(flow.live(|s| s.screen().step().map(|n| n.to_string()).unwrap_or_default(), progress))
        .add(flow.widget(|c| {
            let label = flow.words.fill(w::CALL_COMPANY, &[("company", &c.company_name), ("phone", &c.company_phone)]);
            boxed("a", "sh-call")
                .put("href", ["tel:", &c.company_phone_dial].concat())
                .put("aria-label", label)
                .add(icon(icon::PHONE))
                .add(el("span").add(c.company_phone.clone()))
        }));
    if flow.page {
        return head;
    }
    head.add(button(flow, "sh-iconbtn", || Event::Close).say("aria-label", w::CLOSE).add(icon(icon::CLOSE)))
}

fn back(flow: Flow, state: &State) -> View {
    if !state.can_go_back() {
        return nothing();
    }
    button(flow, "sh-iconbtn", || Event::Back).say("aria-label", w::BACK).add(icon(icon::BACK)).view()
}

fn progress(flow: Flow, state: &State) -> View {
    let Some(now) = state.screen().step() else { return nothing() };
    let mut steps = el("ol");
    for at in 0..4 {
        let step = el("li").add(w::STEPS.at(at));
        steps = steps.add(match at.cmp(&now) {
            core::cmp::Ordering::Less => step.set("class", "done"),
            core::cmp::Ordering::Equal => step.all(&[("class", "now"), ("aria-current", "step")]),
            core::cmp::Ordering::Greater => step,
        });
    }
    boxed("div", "sh-progress")
        .add(steps)
        .add(el("p").add(flow.words.number(w::STEP_OF, now + 1)).add(" · ").add(el("b").add(w::STEPS.at(now))))
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
    flow.widget(|c| {
        let logo = c.footer_logo.as_ref().map(|p| picture("sh-mark", p, String::new()));
        boxed("div", "sh-foot")
            .add(el("span").add(logo).add(el("span").add(c.footer_company_name.clone())))
            .add(link(c.privacy_link.clone(), w::PRIVACY))
            .add(c.terms_link.clone().map(|href| link(href, w::TERMS)))
            .add(other_language(flow, c))
    })
}

/// The stage changes the words; where it cannot, this leads to the hosted page.
fn other_language(flow: Flow, widget: &PublicWidget) -> El {
    let tag = w::OTHER.at(0);
    el("a")
        .put("href", [&widget.base_url, "/w/", &widget.id.text(), "?lang=", flow.words.text(tag)].concat())
        .say("hreflang", tag)
        .say("lang", tag)
        .add(w::OTHER.at(1))
}

/// A link that leaves the flow where it is.
pub fn link(href: String, text: impl Child) -> El {
    el("a").put("href", href).all(&[("target", "_blank"), ("rel", "noopener")]).add(text)
}
