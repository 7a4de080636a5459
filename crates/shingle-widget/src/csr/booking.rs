//! When could somebody come by?

use super::address::submit;
use super::block::button;
use super::el::{Child, El, View, nothing};
use super::flow::Flow;
use super::plan;
use crate::flow::{Booking, Event, State};
use crate::strokes::ALERT;
use crate::view::Markup;
use crate::view::block::{actions, inner, main_part, note};
use crate::view::contact::FORM;
use crate::words::w;

pub fn view(flow: Flow) -> View {
    let form = flow.read(|s| s.receipt.as_ref().map(|r| r.booking.0.clone()).unwrap_or_default());
    let form = El::classed("form", "sh-form")
        .set("id", FORM)
        .set("novalidate", "")
        .on("submit", move |e| {
            e.prevent_default();
            flow.send(Event::SubmitBooking);
        })
        .part(form);
    let main = inner::<El>()
        .child(El::new("div").set("role", "alert").add(flow.live(|s| (s.booking as u8).to_string(), problem)))
        .child(form);
    let buttons = actions::<El>()
        .child(submit(flow, w::BOOK_GO, |s| s.booking != Booking::Sending))
        .child(button(flow, "sh-btn quiet", || Event::SkipBooking).text(w::BOOK_SKIP));
    [main_part(main).view(), buttons.view(), plan::aside(flow)].view()
}

/// The request did not arrive, or was not accepted.
fn problem(flow: Flow, state: &State) -> View {
    let words = match state.booking {
        Booking::Offline => w::BOOK_OFFLINE,
        Booking::Refused => w::BOOK_REFUSED,
        Booking::Empty => w::BOOK_NONE,
        Booking::Idle | Booking::Sending => return nothing(),
    };
    note::<El>("sh-note bad", ALERT, words.at(0), flow.say(words.at(1))).view()
}
