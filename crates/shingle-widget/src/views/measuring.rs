//! A look-up that takes its time. Only what is known is shown: no bar without a count.

use shingle_domain::public::AddressChoice;

use super::el::{Child, El, View, boxed, el, text};
use super::icon::{self, drawing};
use super::{Flow, actions, button, inner, lead, main_part, plan, title};
use crate::flow::Event;
use crate::words::{Word, w};

pub fn view(flow: Flow) -> View {
    let (line, picked) = flow.read(|s| {
        let place = s.place.as_ref();
        (place.map(|p| p.line()).unwrap_or_default(), place.is_some_and(|p| matches!(p.choice, AddressChoice::Key(_))))
    });
    let elapsed = move || match flow.watch(|s| s.elapsed) {
        0 => String::new(),
        1 => flow.words[w::MEASURING_TIME_ONE].to_owned(),
        s => flow.words.fill(w::MEASURING_TIME, &[("s", &s.to_string())]),
    };
    let stages = boxed("ul", "sh-stages")
        .add(picked.then(|| stage("", icon::CHECK, w::MEASURING_CHOSEN)))
        .add(stage("", icon::PART, w::MEASURING_NOW))
        .add(stage("wait", icon::RING, w::MEASURING_THEN));
    let main = inner()
        .add(title(w::MEASURING_TITLE))
        .add(lead(line))
        .add(stages)
        // Counts every second: not for the live region.
        .add(boxed("p", "sh-small").set("aria-hidden", "true").add(text(elapsed)));
    [
        plan::blank("sh-pane pane-low"),
        main_part(main).view(),
        actions().add(button(flow, "sh-btn secondary", || Event::Stop).add(w::MEASURING_STOP)).view(),
    ]
    .view()
}

fn stage(class: &'static str, path: &'static str, text: Word) -> El {
    boxed("li", class).add(drawing("sh-icon dot", "0 0 20 20", path)).add(el("div").add(text))
}
