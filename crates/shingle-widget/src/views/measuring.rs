//! A look-up that takes its time. Only what is known is shown: no bar without a count.

use shingle_domain::public::AddressChoice;

use super::el::{Child, El, View, boxed, el, text};
use super::icon::{self, drawing};
use super::{Flow, actions, button, inner, lead, main_part, plan, title};
use crate::flow::Event;
use crate::words::fill;

pub fn view(flow: Flow) -> View {
    let w = flow.words;
    let (line, picked) = flow.read(|s| {
        let place = s.place.as_ref();
        (place.map(|p| p.line()).unwrap_or_default(), place.is_some_and(|p| matches!(p.choice, AddressChoice::Key(_))))
    });
    let elapsed = move || match flow.watch(|s| s.elapsed) {
        0 => String::new(),
        1 => w.measuring_time_one.to_owned(),
        s => fill(w.measuring_time, &[("s", &s.to_string())]),
    };
    let stages = boxed("ul", "sh-stages")
        .add(picked.then(|| stage("", icon::CHECK, w.measuring_chosen)))
        .add(stage("", icon::PART, w.measuring_now))
        .add(stage("wait", icon::RING, w.measuring_then));
    let main = inner()
        .add(title(w.measuring_title.to_owned()))
        .add(lead(line))
        .add(stages)
        // Counts every second: not for the live region.
        .add(boxed("p", "sh-small").set("aria-hidden", "true").add(text(elapsed)));
    [
        plan::blank(flow, "sh-pane pane-low"),
        main_part(main).view(),
        actions().add(button(flow, "sh-btn secondary", || Event::Stop).add(w.measuring_stop)).view(),
    ]
    .view()
}

fn stage(class: &'static str, path: &'static str, text: &'static str) -> El {
    boxed("li", class).add(drawing("sh-icon dot", "0 0 20 20", path)).add(el("div").add(text))
}
