//! Switched off, or not meant for this page: still somebody to call.

use super::el::{Child, El, View};
use super::thanks::contact_card;
use super::{Flow, call, plan, title};
use crate::view::Markup;
use crate::view::block::{actions, inner, lead, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let main = inner::<El>()
        .child(title(w::PAUSED_TITLE))
        .child(lead(flow.say(w::PAUSED_LEAD)))
        .child(contact_card(flow, true));
    let buttons = actions::<El>().child(call(flow, "sh-btn primary", w::CALL));
    [main_part(main).view(), buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}
