//! An address that matches nothing, and those that come close to it.

use shingle_domain::public::Suggestion;

use super::el::{Child, El, View, boxed, el};
use super::icon::{self, icon};
use super::{Flow, actions, button, inner, lead, main_part, plan, title};
use crate::flow::Event;
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let (typed, close) =
        flow.read(|s| (s.place.as_ref().map(|p| p.line()).unwrap_or_default(), s.close_matches.clone()));
    let text = if close.is_empty() { w::NOTFOUND_NONE } else { w::NOTFOUND_CLOSE };
    let choices = (!close.is_empty()).then(|| {
        let rows = close.iter().enumerate().map(|(row, of)| choice(flow, row, of, &typed)).collect::<Vec<_>>();
        boxed("ul", "sh-choices").say("aria-label", w::NOTFOUND_LIST).add(rows)
    });
    let main = inner()
        .add(title(w::NOTFOUND_TITLE))
        .add(lead(flow.say_with(text, &[("typed", &typed)])))
        .add(choices)
        .add(boxed("p", "sh-more").add(button(flow, "sh-link", || Event::OpenParts).add(w::PARTS_ROW)));
    let buttons = actions()
        .add(button(flow, "sh-btn primary", || Event::RoofNo).add(w::NOTFOUND_EDIT))
        .add(button(flow, "sh-btn quiet", || Event::AskVisit).add(w::NOTFOUND_PERSON));
    [main_part(main).view(), buttons.view(), plan::blank("sh-pane only-wide")].view()
}

fn choice(flow: Flow, row: usize, of: &Suggestion, typed: &str) -> El {
    let words = el("span").add(differences(&of.street, typed)).add(el("small").add(of.city.clone()));
    let button = boxed("button", "sh-choice")
        .set("type", "button")
        .on("click", move |_| flow.send(Event::CloseMatch(row)))
        .add(icon(icon::PIN))
        .add(words)
        .add(icon(icon::ARROW));
    el("li").add(button)
}

/// The words of `street`, underlined where `typed` has none like it.
fn differences(street: &str, typed: &str) -> El {
    let same = |word: &str| typed.split([',', ' ']).any(|t| t.eq_ignore_ascii_case(word.trim_end_matches(',')));
    let mut line = el("b");
    for (at, word) in street.split(' ').enumerate() {
        if at > 0 {
            line = line.add(" ");
        }
        line = if same(word) { line.add(word.to_owned()) } else { line.add(el("mark").add(word.to_owned())) };
    }
    line
}
