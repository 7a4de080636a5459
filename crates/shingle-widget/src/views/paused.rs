//! Switched off, or not meant for this page: still somebody to call.

use super::el::{Child, View};
use super::thanks::contact_card;
use super::{Flow, actions, call, inner, lead, main_part, plan, title};

pub fn view(flow: Flow) -> View {
    let w = flow.words;
    let main =
        inner().add(title(w.paused_title.to_owned())).add(lead(flow.say(w.paused_lead))).add(contact_card(flow, true));
    [
        main_part(main).view(),
        actions().add(call(flow, "sh-btn primary", w.call)).view(),
        plan::blank(flow, "sh-pane only-wide"),
    ]
    .view()
}
