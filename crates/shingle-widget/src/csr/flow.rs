//! The handle that every view has: the state, the widget's texts, and how to raise an event.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use shingle_domain::public::WidgetFacts;
use wasm_bindgen::UnwrapThrowExt;

use super::el::{El, View, region};
use crate::flow::{Effect, Event, State};
use crate::words::{Problem, Word, Words};

#[derive(Clone, Copy)]
pub struct Flow {
    state: RwSignal<State>,
    /// Index into [`CONTEXTS`].
    context: usize,
    pub words: Words,
    /// On the hosted page instead of in a dialog.
    pub page: bool,
}

/// What stays the same for the whole life of the flow, also when the language changes.
pub struct FlowContext {
    widget: WidgetFacts,
    /// What is the same for every visitor, drawn in one language. In the order of the constants in [`super::parts`].
    parts: RefCell<Vec<String>>,
    run: Run,
}

thread_local! {
    /// Of every flow since the page was loaded; `None` once it was removed. Not in Leptos' store for thread-local
    /// values: that asks for the thread's id, which brings a second allocator into the module.
    static CONTEXTS: RefCell<Vec<Option<Rc<FlowContext>>>> = const { RefCell::new(Vec::new()) };
}

impl FlowContext {
    pub fn new(widget: WidgetFacts, parts: Vec<String>, run: Run) -> Rc<Self> {
        Rc::new(Self { widget, parts: RefCell::new(parts), run })
    }

    /// For another language.
    pub fn replace_parts(&self, parts: Vec<String>) {
        self.parts.replace(parts);
    }
}

/// Runs one effect.
pub type Run = Box<dyn Fn(Flow, Effect)>;

impl Flow {
    pub fn new(state: State, words: Words, context: Rc<FlowContext>, page: bool) -> Self {
        let context = CONTEXTS.with_borrow_mut(|all| {
            all.push(Some(context));
            all.len() - 1
        });
        on_cleanup(move || {
            // Dropped after the borrow has ended.
            let ended = CONTEXTS.with_borrow_mut(|all| all[context].take());
            drop(ended);
        });
        Self { state: RwSignal::new(state), context, words, page }
    }

    /// Takes out what outlives the views. They have to be removed before their effects run.
    pub fn leave(self) -> Option<(State, Rc<FlowContext>)> {
        let state = self.state.try_update(|s| std::mem::replace(s, State::new(0)))?;
        Some((state, self.context()?))
    }

    #[inline(never)]
    pub fn send(self, event: Event) {
        // Timers and answers may arrive after the flow was removed.
        let Some(todo) = self.state.try_update(|s| s.apply(event)) else { return };
        self.run(Effect::Remember);
        for effect in todo {
            self.run(effect);
        }
    }

    #[inline(never)]
    pub fn run(self, effect: Effect) {
        if let Some(context) = self.context() {
            (context.run)(self, effect);
        }
    }

    #[inline(never)]
    fn context(self) -> Option<Rc<FlowContext>> {
        CONTEXTS.with_borrow(|all| all[self.context].clone())
    }

    /// One of the parts that came with the configuration.
    #[inline(never)]
    pub fn part(self, at: usize) -> String {
        self.context().and_then(|context| context.parts.borrow().get(at).cloned()).unwrap_or_default()
    }

    pub fn widget<T>(self, read: impl FnOnce(&WidgetFacts) -> T) -> T {
        // The context outlives all views.
        read(&self.context().unwrap_throw().widget)
    }

    /// Reads the state without following it.
    pub fn read<T>(self, read: impl FnOnce(&State) -> T) -> T {
        read(&self.look())
    }

    /// Reads the state; the surrounding effect runs again when it changes.
    pub fn watch<T>(self, read: impl FnOnce(&State) -> T) -> T {
        self.state.track();
        self.read(read)
    }

    /// A function of its own: otherwise each closure would be compiled with the signal's lock around it.
    #[inline(never)]
    fn look(self) -> impl core::ops::Deref<Target = State> {
        self.state.read_untracked()
    }

    /// What is wrong with a field, in words; empty when nothing is.
    #[inline(never)]
    pub fn complaint(self, problem: impl Fn(&State) -> Option<Problem>) -> String {
        self.watch(problem).map(|p| p.text(self.words)).unwrap_or_default()
    }

    /// A region that is drawn again whenever `key` returns another text.
    pub fn live(self, key: fn(&State) -> String, draw: fn(Flow, &State) -> View) -> View {
        region(move || self.watch(key), move || self.read(|s| draw(self, s)))
    }

    /// A text with `{company}` and `{phone}` filled in.
    pub fn say(self, word: Word) -> String {
        self.say_with(word, &[])
    }

    pub fn say_with(self, word: Word, more: &[(&str, &str)]) -> String {
        self.widget(|c| {
            let mut with = more.to_vec();
            with.extend([("company", c.company_name.as_str()), ("phone", &c.company_phone)]);
            self.words.fill(word, &with)
        })
    }
}

impl El {
    /// An attribute that follows the state; `None` removes it.
    #[inline(never)]
    pub fn follow(self, flow: Flow, name: &'static str, read: fn(&State) -> Option<String>) -> Self {
        self.track(name, move || flow.watch(read))
    }
}
