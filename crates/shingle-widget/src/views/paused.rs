//! Switched off, or not meant for this page: still somebody to call.

use super::el::{Child, View};
use super::thanks::contact_card;
use super::{Flow, actions, call, inner, lead, main_part, plan, title};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let main = inner().add(title(w::PAUSED_TITLE)).add(lead(flow.say(w::PAUSED_LEAD))).add(contact_card(flow, true));
    [
        main_part(main).view(),
        actions().add(call(flow, "sh-btn primary", w::CALL)).view(),
        plan::blank("sh-pane only-wide"),
    ]
    .view()
}
