//! An earlier visit's estimate, before anything else.

use super::block::button;
use super::el::{Child, El, View};
use super::estimate::panel;
use super::flow::Flow;
use super::plan;
use crate::flow::Event;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part, more};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let kept = flow.read(|s| s.receipt.as_ref().map(|r| r.kept.0.clone()).unwrap_or_default());
    let forget = button(flow, "sh-link", || Event::ForgetKept).text(w::KEPT_DELETE);
    let main = inner::<El>().part(kept).child(more(forget)).children(panel(flow));
    let buttons = actions::<El>()
        .child(button(flow, "sh-btn primary", || Event::OpenKept).text(w::KEPT_OPEN))
        .child(button(flow, "sh-btn secondary", || Event::StartOver).text(w::KEPT_NEW));
    [main_part(main).view(), buttons.view(), plan::aside(flow)].view()
}
