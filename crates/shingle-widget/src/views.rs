//! The pictures of the flow: one file a step. They draw a [`State`] and send [`Event`]s, and know nothing of
//! requests or timers.
//!
//! Nested elements that are wholly constant would be built through `innerHTML`, which a page with Trusted
//! Types forbids; so every leaf here takes at least one value from outside the markup.

mod address;
mod closing;
mod details;
mod estimate;
mod frame;
mod icon;
mod measuring;
mod notfound;
mod parts;
mod paused;
mod plan;
mod retry;
mod roof;
mod thanks;

pub use details::field_id;
pub use parts::part_id;

use leptos::prelude::*;
use shingle_domain::public::PublicWidget;

use crate::flow::{Effect, Event, Screen, State};
use crate::words::{EN, Words, fill};

/// What every view holds on to: the state, the widget's texts, and the way to say that something happened.
#[derive(Clone, Copy)]
pub struct Flow {
    pub state: RwSignal<State>,
    widget: StoredValue<PublicWidget>,
    run: StoredValue<Run, LocalStorage>,
    pub words: &'static Words,
    /// On a page of its own instead of in a dialog.
    pub page: bool,
}

/// Whoever runs effects.
pub type Run = Box<dyn Fn(Flow, Effect)>;

impl Flow {
    pub fn new(state: State, widget: PublicWidget, page: bool, run: Run) -> Self {
        Self {
            state: RwSignal::new(state),
            widget: StoredValue::new(widget),
            run: StoredValue::new_local(run),
            words: &EN,
            page,
        }
    }

    pub fn send(self, event: Event) {
        // Late timers and answers may come after the flow was taken down.
        let todo = self.state.try_update(|s| s.apply(event)).unwrap_or_default();
        for effect in todo {
            self.run(effect);
        }
    }

    pub fn run(self, effect: Effect) {
        self.run.try_with_value(|run| run(self, effect));
    }

    /// Shows or hides the list of suggestions where its field is.
    #[cfg(feature = "csr")]
    pub fn place_list(self, open: bool) {
        self.run(Effect::PlaceList(open));
    }

    pub fn widget<T>(self, read: impl FnOnce(&PublicWidget) -> T) -> T {
        self.widget.with_value(read)
    }

    /// Looks at the state without following it.
    pub fn read<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.with_untracked(read)
    }

    /// A value that follows the state. A function pointer, so that all uses share one compiled closure.
    fn of<T: 'static>(self, read: fn(&State) -> T) -> impl Fn() -> T + Copy + Send + Sync + 'static {
        move || self.state.with(read)
    }

    /// A view that follows the state.
    fn live(self, draw: fn(Flow, &State) -> AnyView) -> AnyView {
        (move || self.state.with(|s| draw(self, s))).into_any()
    }

    /// A text with `{company}` and `{phone}` filled in.
    fn say(self, template: &str) -> String {
        self.say_with(template, &[])
    }

    fn say_with(self, template: &str, more: &[(&str, &str)]) -> String {
        self.widget(|w| {
            let mut with = vec![("company", w.company_name.as_str()), ("phone", &w.company_phone)];
            with.extend_from_slice(more);
            fill(template, &with)
        })
    }
}

/// The whole flow, inside the dialog or the page's card.
pub fn app(flow: Flow) -> AnyView {
    let screen = Memo::new(move |_| flow.state.with(State::screen));
    let body = move || match screen.get() {
        Screen::Address => address::view(flow),
        Screen::Parts => parts::view(flow),
        Screen::Measuring => measuring::view(flow),
        Screen::NotFound => notfound::view(flow),
        Screen::Roof => roof::view(flow),
        Screen::Details => details::view(flow, false),
        Screen::Visit => details::view(flow, true),
        Screen::Unsent => retry::view(flow, true),
        Screen::Unreached => retry::view(flow, false),
        Screen::Estimate => estimate::view(flow),
        Screen::Thanks => thanks::view(flow),
        Screen::Paused => paused::view(flow),
    };
    view! {
        <div class="sh" class:page=flow.page lang=flow.words.lang>
            {frame::head(flow)}
            <div class="sh-body" data-screen=move || screen.get().name()>{body}</div>
            {frame::foot(flow)}
            {closing::view(flow)}
            <p class="sh-vh" role="status">{flow.of(|s| s.said.clone())}</p>
        </div>
    }
    .into_any()
}

/// The part of a step that scrolls.
fn main_part(children: AnyView) -> AnyView {
    view! { <div class="sh-main sh-scroll"><div class="sh-inner">{children}</div></div> }.into_any()
}

fn actions(children: AnyView) -> AnyView {
    view! { <div class="sh-actions">{children}</div> }.into_any()
}

/// The heading that names the dialog and takes the focus on every new step.
fn title(text: String) -> AnyView {
    view! { <h1 class="sh-title" id="sh-title" tabindex="-1">{text}</h1> }.into_any()
}

fn lead(text: String) -> AnyView {
    view! { <p class="sh-lead">{text}</p> }.into_any()
}

/// A button that sends one event.
fn button(flow: Flow, class: &'static str, content: impl IntoView + 'static, event: fn() -> Event) -> AnyView {
    view! { <button type="button" class=class on:click=move |_| flow.send(event())>{content.into_any()}</button> }
        .into_any()
}

fn note(class: &'static str, path: &'static str, title: String, text: String) -> AnyView {
    view! { <p class=class>{icon::icon(path)}<span><b>{title}</b>" "{text}</span></p> }.into_any()
}

/// The link that calls the company.
fn call(flow: Flow, class: &'static str, label: &str) -> AnyView {
    let href = flow.widget(|w| ["tel:", &w.company_phone_dial].concat());
    view! { <a class=class href=href>{icon::icon(icon::PHONE)}{flow.say(label)}</a> }.into_any()
}

fn fact(name: &'static str, value: String, small: String) -> AnyView {
    let small = (!small.is_empty()).then(|| view! { " "<small>{small}</small> });
    view! { <div><dt>{name}</dt><dd>{value}{small}</dd></div> }.into_any()
}
