//! The widget is switched off or not allowed on this page: how to reach the company.

use super::block::{call, title};
use super::el::{Child, El, View};
use super::flow::Flow;
use super::plan;
use super::thanks::contact_card;
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
