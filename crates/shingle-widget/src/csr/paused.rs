//! The widget is switched off or not allowed on this page: how to reach the company.

use super::block::call;
use super::el::{Child, El, View};
use super::flow::Flow;
use super::parts::PAUSED;
use super::plan;
use crate::strokes::OFFLINE;
use crate::view::Markup;
use crate::view::block::{actions, icon, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    // A lead that was on its way.
    let kept = flow.read(|s| s.pending.is_some()).then(|| {
        let words = El::new("b").text(w::UNSENT_TITLE);
        let words = El::new("span").child(words).child(El::new("br")).text(w::RETRY_KEEPS);
        El::classed("div", "sh-note warn").child(icon(OFFLINE)).child(words)
    });
    let main = inner::<El>().part(flow.part(PAUSED)).children(kept);
    let buttons = actions::<El>().child(call(flow, "sh-btn primary", w::CALL));
    [main_part(main).view(), buttons.view(), plan::blank(flow, "sh-pane only-wide")].view()
}
