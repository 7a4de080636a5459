//! The pictures of the flow: one file a step. They draw a [`State`] and send [`Event`]s, and know nothing of
//! requests or timers.

mod address;
mod closing;
mod details;
mod el;
mod estimate;
mod frame;
mod measuring;
mod notfound;
mod parts;
mod paused;
mod plan;
mod retry;
mod roof;
mod thanks;

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use shingle_domain::public::PublicWidget;
use wasm_bindgen::UnwrapThrowExt;

use crate::flow::{Effect, Event, Screen, State};
use crate::view::frame::say;
use crate::view::{Markup, Text, block, thanks as company};
use crate::words::{Problem, Word, Words, w};
pub use el::Page;
pub use el::watch;
use el::{Child, El, View, part, text};

/// What every view holds on to: the state, the widget's texts, and the way to say that something happened.
#[derive(Clone, Copy)]
pub struct Flow {
    state: RwSignal<State>,
    /// Which entry of [`FIXED`].
    fixed: usize,
    pub words: Words,
    /// On a page of its own instead of in a dialog.
    pub page: bool,
}

/// What stays the same as long as the flow is there, whatever its language.
pub struct Fixed {
    widget: PublicWidget,
    run: Run,
}

thread_local! {
    /// Of every flow since the page was loaded; `None` once it was taken down. Leptos' own store for what stays on
    /// its thread asks for the thread's id, and the standard library makes that with an allocator of its own.
    static FIXED: RefCell<Vec<Option<Rc<Fixed>>>> = const { RefCell::new(Vec::new()) };
}

impl Fixed {
    pub fn new(widget: PublicWidget, run: Run) -> Rc<Self> {
        Rc::new(Self { widget, run })
    }
}

/// Whoever runs effects.
pub type Run = Box<dyn Fn(Flow, Effect)>;

impl Flow {
    pub fn new(state: State, words: Words, fixed: Rc<Fixed>, page: bool) -> Self {
        let fixed = FIXED.with_borrow_mut(|all| {
            all.push(Some(fixed));
            all.len() - 1
        });
        on_cleanup(move || {
            // Dropped only when nothing is borrowed any more.
            let ended = FIXED.with_borrow_mut(|all| all[fixed].take());
            drop(ended);
        });
        Self { state: RwSignal::new(state), fixed, words, page }
    }

    /// What outlives its views, which have to go before they are woken.
    pub fn leave(self) -> Option<(State, Rc<Fixed>)> {
        let state = self.state.try_update(|s| std::mem::replace(s, State::new(0)))?;
        Some((state, self.fixed()?))
    }

    #[inline(never)]
    pub fn send(self, event: Event) {
        // Late timers and answers may come after the flow was taken down.
        let Some(todo) = self.state.try_update(|s| s.apply(event)) else { return };
        self.run(Effect::Remember);
        for effect in todo {
            self.run(effect);
        }
    }

    #[inline(never)]
    pub fn run(self, effect: Effect) {
        if let Some(fixed) = self.fixed() {
            (fixed.run)(self, effect);
        }
    }

    #[inline(never)]
    fn fixed(self) -> Option<Rc<Fixed>> {
        FIXED.with_borrow(|all| all[self.fixed].clone())
    }

    pub fn widget<T>(self, read: impl FnOnce(&PublicWidget) -> T) -> T {
        // Views are gone before it is.
        read(&self.fixed().unwrap_throw().widget)
    }

    /// Looks at the state without following it.
    pub fn read<T>(self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.look())
    }

    /// Looks at the state, and has whatever effect this is in run again when it changes.
    pub fn watch<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.track();
        self.read(read)
    }

    /// One function, where each closure given to a signal would be compiled with a signal's lock around it.
    #[inline(never)]
    fn look(self) -> impl core::ops::Deref<Target = State> {
        self.state.read_untracked()
    }

    /// What is wrong with a field, in words; empty when nothing is.
    #[inline(never)]
    fn complaint(self, problem: impl Fn(&State) -> Option<Problem>) -> String {
        self.watch(problem).map(|p| p.text(self.words)).unwrap_or_default()
    }

    /// A part that is drawn anew whenever `key` says something else.
    fn live(self, key: fn(&State) -> String, draw: fn(Flow, &State) -> View) -> View {
        part(move || self.watch(key), move || self.read(|s| draw(self, s)))
    }

    /// A text with `{company}` and `{phone}` filled in.
    pub fn say(self, word: Word) -> String {
        self.say_with(word, &[])
    }

    fn say_with(self, word: Word, more: &[(&str, &str)]) -> String {
        self.widget(|c| say(self.words, c, word, more))
    }
}

/// The whole flow, inside the dialog or the page's card.
pub fn app(flow: Flow) -> Page {
    let body = flow.live(|s| s.screen().name().to_owned(), screen);
    let said = move || flow.watch(|s| s.said.text(flow.words));
    let whole = El::classed("div", if flow.page { "sh page" } else { "sh" })
        .set("lang", w::LANG)
        .child(frame::head(flow))
        .child(
            El::classed("div", "sh-body").follow(flow, "data-screen", |s| Some(s.screen().name().to_owned())).add(body),
        )
        .child(frame::foot(flow))
        .add(closing::view(flow))
        .child(El::classed("p", "sh-vh").set("role", "status").add(text(said)));
    Page(flow.words, whole.view())
}

fn screen(flow: Flow, state: &State) -> View {
    match state.screen() {
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
    }
}

/// The heading that names the dialog and takes the focus on every new step.
fn title(text: impl Into<Text>) -> El {
    block::title::<El>(text).set("tabindex", "-1")
}

/// A button that sends one event; what stands on it comes with `add`.
fn button(flow: Flow, class: &'static str, event: fn() -> Event) -> El {
    El::classed("button", class).set("type", "button").on("click", move |_| flow.send(event()))
}

/// The link that calls the company.
fn call(flow: Flow, class: &'static str, label: Word) -> El {
    flow.widget(|c| company::call::<El>(class, c)).text(flow.say(label))
}
