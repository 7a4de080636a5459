//! The widget is switched off or not allowed on this page: how to reach the company.

use super::block::call;
use super::el::{Child, El, View};
use super::flow::Flow;
use super::parts::PAUSED;
use super::plan;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let main = inner::<El>().part(flow.part(PAUSED));
    let buttons = actions::<El>().child(call(flow, "sh-btn primary", w::CALL));
    [main_part(main).view(), buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}
