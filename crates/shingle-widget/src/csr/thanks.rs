//! What was asked for, what happens now, and whom to reach.

use super::block::{button, call};
use super::el::{Child, El, View};
use super::estimate::{panel, print};
use super::flow::Flow;
use super::plan;
use crate::flow::Event;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part};
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let (said, books) =
        flow.read(|s| s.receipt.as_ref().map(|r| (r.thanks.0.clone(), !r.booking.0.is_empty())).unwrap_or_default());
    let main = inner::<El>().part(said).children(panel(flow));
    let book = books.then(|| button(flow, "sh-btn secondary", || Event::Book).text(w::BOOK_TIMES));
    let buttons = actions::<El>().child(call(flow, "sh-btn primary", w::CALL)).children(book).children(print(flow));
    [main_part(main).view(), buttons.view(), plan::aside(flow)].view()
}
