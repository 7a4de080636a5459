//! No address matches; similar ones are offered.

use super::block::{button, title};
use super::el::{Child, El, View};
use super::flow::Flow;
use super::plan;
use crate::flow::Event;
use crate::view::block::{actions, inner, lead, main_part, more};
use crate::view::{Markup, address};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let (typed, close) =
        flow.read(|s| (s.address.as_ref().map(|p| p.line()).unwrap_or_default(), s.close_matches.clone()));
    let text = if close.is_empty() { w::NOTFOUND_NONE } else { w::NOTFOUND_CLOSE };
    let choices = (!close.is_empty()).then(|| {
        let list = El::classed("ul", "sh-choices").set("aria-label", w::NOTFOUND_LIST);
        close.iter().enumerate().fold(list, |list, (row, of)| {
            let choice = El::classed("button", "sh-choice")
                .set("type", "button")
                .on("click", move |_| flow.send(Event::CloseMatch(row)));
            list.child(address::close_match(choice, of, &typed))
        })
    });
    let main = inner::<El>()
        .child(title(w::NOTFOUND_TITLE))
        .child(lead(flow.say_with(text, &[("typed", &typed)])))
        .children(choices)
        .child(more(button(flow, "sh-link", || Event::OpenAddressForm).text(w::PARTS_ROW)));
    let buttons = actions::<El>()
        .child(button(flow, "sh-btn primary", || Event::EditAddress).text(w::NOTFOUND_EDIT))
        .child(button(flow, "sh-btn quiet", || Event::AskVisit).text(w::NOTFOUND_PERSON));
    [main_part(main).view(), buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}
