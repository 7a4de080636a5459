//! Head and foot, the same on every step.

use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use crate::flow::{Event, State};
use crate::strokes::{BACK, CLOSE, PHONE};
use crate::view::block::{icon, picture};
use crate::view::{Markup, frame};
use crate::words::w;

pub fn head(flow: Flow) -> El {
    // No `header` and `footer`: in a dialog they would count as the page's landmarks.
    let head = El::new("div")
        .follow(flow, "class", |s| Some(if s.can_go_back() { "sh-head has-back" } else { "sh-head" }.to_owned()))
        .add(flow.live(|s| s.can_go_back().to_string(), back))
        .child(flow.widget(|c| picture(El::classed("img", "sh-logo"), &c.header_logo, c.company_name.clone())))
        .add(flow.live(|s| s.screen().step().map(|n| n.to_string()).unwrap_or_default(), progress))
        .child(flow.widget(|c| {
            let label = flow.words.fill(w::CALL_COMPANY, &[("company", &c.company_name), ("phone", &c.company_phone)]);
            El::classed("a", "sh-call")
                .set("href", frame::dial(c))
                .set("aria-label", label)
                .child(icon(PHONE))
                .child(El::new("span").text(c.company_phone.clone()))
        }));
    if flow.page {
        return head;
    }
    head.child(button(flow, "sh-iconbtn", || Event::Close).set("aria-label", w::CLOSE).child(icon(CLOSE)))
}

fn back(flow: Flow, state: &State) -> View {
    if !state.can_go_back() {
        return nothing();
    }
    button(flow, "sh-iconbtn", || Event::Back).set("aria-label", w::BACK).child(icon(BACK)).view()
}

fn progress(flow: Flow, state: &State) -> View {
    state.screen().step().map(|now| frame::progress::<El>(flow.words, now)).view()
}

pub fn foot(flow: Flow) -> El {
    flow.widget(|c| {
        // `stage.js` switches the words in place; if it cannot, the link leads to the hosted page.
        let tag = flow.words.text(w::OTHER.at(0));
        let other = [&c.base_url, "/w/", &c.id.text(), "?lang=", tag].concat();
        frame::foot(El::classed("div", "sh-foot"), c).child(frame::other_language(other))
    })
}
