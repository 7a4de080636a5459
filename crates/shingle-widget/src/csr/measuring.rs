//! A slow look-up. Shows only what is known, so no progress bar.

use shingle_domain::public::AddressChoice;

use super::block::{button, title};
use super::el::{Child, El, View, text};
use super::flow::Flow;
use super::plan;
use crate::flow::Event;
use crate::strokes::{ARC, CHECK, RING};
use crate::view::Markup;
use crate::view::block::{actions, drawing, inner, lead, main_part};
use crate::words::{Word, w};

pub fn view(flow: Flow) -> View {
    let (line, picked) = flow.read(|s| {
        let address = s.address.as_ref();
        (
            address.map(|p| p.line()).unwrap_or_default(),
            address.is_some_and(|p| matches!(p.choice, AddressChoice::Key(_))),
        )
    });
    let elapsed = move || match flow.watch(|s| s.elapsed) {
        0 => String::new(),
        1 => flow.words[w::MEASURING_TIME_ONE].to_owned(),
        s => flow.words.fill(w::MEASURING_TIME, &[("s", &s.to_string())]),
    };
    let stages = El::classed("ul", "sh-stages")
        .children(picked.then(|| stage("", CHECK, w::MEASURING_CHOSEN)))
        .child(stage("", ARC, w::MEASURING_NOW))
        .child(stage("wait", RING, w::MEASURING_THEN));
    let main = inner::<El>()
        .child(title(w::MEASURING_TITLE))
        .child(lead(line))
        .child(stages)
        // Changes every second: not for screen readers.
        .child(El::classed("p", "sh-small").set("aria-hidden", "true").add(text(elapsed)));
    let stop = button(flow, "sh-btn secondary", || Event::Stop).text(w::MEASURING_STOP);
    [plan::blank(flow, "sh-pane pane-low"), main_part(main).view(), actions::<El>().child(stop).view()].view()
}

fn stage(class: &'static str, path: &'static str, text: Word) -> El {
    El::classed("li", class).child(drawing("sh-icon dot", "0 0 20 20", path)).child(El::new("div").text(text))
}
