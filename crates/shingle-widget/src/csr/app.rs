//! The whole flow: head, the step, foot, and the question before it is closed.

use super::el::{Child, El, Page, View, text};
use super::flow::Flow;
use super::{
    address, address_form, booking, choose, closing, details, estimate, frame, kept, measuring, notfound, paused,
    retry, roof, thanks,
};
use crate::flow::{Event, Photo, Screen, State};
use crate::runtime::dom::{aerial_of, choose_view, wants_photo};
use crate::view::Markup;
use crate::words::w;

/// The whole flow, inside the dialog or the page's card.
pub fn app(flow: Flow) -> Page {
    let body = flow.live(|s| [s.screen().name(), &s.drawn.to_string()].concat(), screen);
    let said = move || flow.watch(|s| s.announcement.text(flow.words));
    let whole = El::classed("div", if flow.page { "sh page" } else { "sh" })
        .set("lang", w::LANG)
        .child(frame::head(flow))
        .child(
            El::classed("div", "sh-body")
                .follow(flow, "data-screen", |s| Some(s.screen().name().to_owned()))
                .follow(flow, "data-photo", |s| s.photo.name().map(str::to_owned))
                .on("load", move |e| {
                    if let Some(aerial) = aerial_of(&e) {
                        flow.send(Event::PhotoLoaded);
                        choose_view(&aerial, flow.read(|s| s.photo == Photo::Shown));
                    }
                })
                .on("change", move |e| {
                    if let Some(shown) = wants_photo(&e) {
                        flow.send(Event::SwitchPhoto(shown));
                    }
                })
                .add(body),
        )
        .add(frame::foot(flow))
        .add(closing::view(flow))
        .child(El::classed("p", "sh-vh").set("role", "status").add(text(said)));
    Page(flow.words, whole.view())
}

fn screen(flow: Flow, state: &State) -> View {
    match state.screen() {
        Screen::Address => address::view(flow),
        Screen::AddressForm => address_form::view(flow),
        Screen::Measuring => measuring::view(flow),
        Screen::NotFound => notfound::view(flow),
        Screen::Roof => roof::view(flow),
        Screen::Choose => choose::view(flow),
        Screen::NotMine => choose::none(flow),
        Screen::Details => details::view(flow, false),
        Screen::Visit => details::view(flow, true),
        Screen::Unsent => retry::view(flow, true),
        Screen::Unreached => retry::view(flow, false),
        Screen::Estimate => estimate::view(flow),
        Screen::Booking => booking::view(flow),
        Screen::Kept => kept::view(flow),
        Screen::Thanks => thanks::view(flow),
        Screen::Paused => paused::view(flow),
    }
}
