//! What ties the flow to a browser: the exports the loader calls, and the place where effects are run.
//!
//! Contract with the loader: it makes the `<dialog>` in an open shadow root, adopts the stylesheet and paints a
//! skeleton; [`mount`] puts the flow in the skeleton's place. Without a dialog the flow lives in the host itself.

pub mod dom;
mod drafts;
mod history;
mod keep;
pub mod popover;
mod read;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod read_tests;
mod store;
mod wire;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::mount::mount_to_renderer;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement};

use crate::flow::{Effect, Event, Failure, Focus, Pending, State};
use crate::view::contact::{ADDRESS_FIELDS, CONTACT_FIELDS};
use crate::views::{Fixed, Flow, app};
use crate::words::{Words, w};
use dom::{Listener, by_id};
use keep::Courier;
use wire::Slot;

struct Shell {
    /// Where the flow is mounted: ids are looked up in here.
    root: HtmlElement,
    dialog: Option<HtmlDialogElement>,
    courier: Rc<Courier>,
    /// How the visitor came, as leads tell it.
    source: JsValue,
    /// What an earlier page was sending, under its key.
    earlier: RefCell<Option<(String, JsValue)>>,
    looking: Slot,
    suggesting: Slot,
    history: history::Trail,
    flow: Cell<Option<Flow>>,
    listeners: RefCell<Vec<Listener>>,
    unmount: RefCell<Option<Box<dyn FnOnce()>>>,
}

/// A mounted flow. A page may drop it: the garbage collector frees the handle, only `destroy` ends the flow.
#[wasm_bindgen]
pub struct Handle {
    shell: Rc<Shell>,
}

const STRANGE_WORDS: &str = "the words are not of this version";

/// Puts the flow into `dialog`, or into `host` where there is none. `config` is a `PublicWidget`; `context.source` a
/// `LeadSource`; `on_event` is called with a name and a detail; `list` and `print` are wishes, for the stage. Fails
/// when `config` is not understood, or when `context.words` is not the list of sentences this module knows the order of.
#[wasm_bindgen]
pub fn mount(
    host: HtmlElement,
    dialog: Option<HtmlDialogElement>,
    config: JsValue,
    context: JsValue,
    on_event: js_sys::Function,
) -> Result<Handle, JsValue> {
    let widget = read::widget(&config).ok_or("the configuration is not understood")?;
    let words = read::words(&context).ok_or(STRANGE_WORDS)?;
    dom::listen_until(read::given(&context, "signal"));
    for (name, value) in &widget.palette {
        dom::set_property(&host, name, value);
    }
    let root: HtmlElement = match &dialog {
        Some(dialog) => dialog.clone().unchecked_into(),
        None => dom::page_root(&host)?,
    };
    root.replace_children_with_node_0();
    let courier = Courier::new(&widget, Some(on_event));
    let mut state = State::new(random());
    let mut earlier = None;
    if let Some((draft, lead)) = courier.shelf.drafts.find(&read::given(&context, "draft"), &courier.shelf) {
        earlier = lead.map(|lead| (draft.lead().to_owned(), lead));
        state.resume(draft, earlier.as_ref().map(|(_, lead)| read::consents(lead)));
    }
    if let Some(dialog) = &dialog {
        let _ = dialog.set_attribute("aria-labelledby", "sh-title");
    }
    let shell = Rc::new(Shell {
        root: root.clone(),
        dialog,
        courier,
        source: read::given(&context, "source"),
        earlier: RefCell::new(earlier),
        looking: Slot::default(),
        suggesting: Slot::default(),
        history: history::Trail::default(),
        flow: Cell::default(),
        listeners: RefCell::default(),
        unmount: RefCell::default(),
    });
    let performer = shell.clone();
    let run = Box::new(move |flow, effect| performer.perform(flow, effect));
    shell.draw(state, words, Fixed::new(widget, run));
    shell.listen();
    OPENED.set(js_sys::Date::now());
    let handle = Handle { shell };
    handle.prefill(read::given(&context, "prefill"));
    handle.shell.send(Event::Opened);
    handle.shell.pending().as_deref().inspect(|key| keep::hold(key));
    Ok(handle)
}

/// Sends what an earlier visit could not send, and tells `on_event` of it. For a page that opens nothing: cheap
/// when nothing is kept.
#[wasm_bindgen]
pub fn deliver(config: JsValue, on_event: Option<js_sys::Function>) -> Result<(), JsValue> {
    let widget = read::widget(&config).ok_or("the configuration is not understood")?;
    Courier::new(&widget, on_event).deliver();
    Ok(())
}

#[wasm_bindgen]
impl Handle {
    /// To be called once the flow was seen: what nobody has to wait for.
    pub fn settle(&self) {
        let shell = &self.shell;
        shell.send(Event::Settled);
        let inside = shell.clone();
        shell.courier.wire.session(Box::new(move |token| inside.send(Event::Session(token.map(drop)))));
        shell.courier.deliver();
    }

    /// What the page knows of the visitor: `address`, `firstName`, `lastName`, `email`, `phone`. `typed` says that
    /// the visitor typed the address himself, in a field of the page.
    pub fn prefill(&self, data: JsValue) {
        self.shell.send(Event::Prefill(Box::new(read::prefill(&data))));
    }

    /// Says everything in `context.words`, where the visitor is: only the views are made anew.
    pub fn turn(&self, context: JsValue) -> Result<(), JsValue> {
        let words = read::words(&context).ok_or(STRANGE_WORDS)?;
        let shell = &self.shell;
        if let Some((state, fixed)) = shell.flow.get().and_then(Flow::leave) {
            shell.unmount();
            shell.draw(state, words, fixed);
            shell.send(Event::Turned);
        }
        Ok(())
    }

    /// Takes everything down: views, listeners, timers, requests.
    pub fn destroy(self) {
        self.shell.pending().as_deref().inspect(|key| keep::release(key));
        self.shell.courier.timers.stop();
        self.shell.looking.stop();
        self.shell.suggesting.stop();
        self.shell.history.unwind();
        self.shell.listeners.borrow_mut().clear();
        self.shell.unmount();
    }
}

fn random() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}

/// The contact form was submitted.
pub fn submit(flow: Flow) {
    let elapsed = js_sys::Date::now() - OPENED.get();
    flow.send(Event::Submit { key: dom::fresh_key(), elapsed_ms: elapsed.clamp(0.0, f64::from(u32::MAX)) as u32 });
}

thread_local! {
    /// When a flow was last opened on this page: only one dialog can be.
    static OPENED: Cell<f64> = const { Cell::new(0.0) };
}

impl Shell {
    fn draw(self: &Rc<Self>, state: State, words: Words, fixed: Rc<Fixed>) {
        let inside = self.clone();
        let mounted = mount_to_renderer(&self.root, move || {
            let flow = Flow::new(state, words, fixed, inside.dialog.is_none());
            inside.flow.set(Some(flow));
            app(flow)
        });
        self.unmount.replace(Some(Box::new(move || drop(mounted))));
    }

    fn unmount(&self) {
        let unmount = self.unmount.take();
        if let Some(unmount) = unmount {
            unmount();
        }
    }

    fn send(&self, event: Event) {
        if let Some(flow) = self.flow.get() {
            flow.send(event);
        }
    }

    /// The key of the lead that the flow sees to.
    fn pending(&self) -> Option<String> {
        self.flow.get().and_then(|flow| flow.read(|s| s.pending.as_ref().map(|p| p.key.clone())))
    }

    fn perform(self: &Rc<Self>, flow: Flow, effect: Effect) {
        let Courier { wire, shelf, timers, .. } = &*self.courier;
        // Answers are told to whatever flow is there then: the language may have changed.
        let shell = self.clone();
        match effect {
            Effect::After(ms, event) => timers.after(ms, move || shell.send(event)),
            Effect::Suggest(n, text) => {
                let then = move |answer: Result<JsValue, Failure>| {
                    let answer = answer.and_then(|answer| read::suggestions(&answer).ok_or(Failure::Busy));
                    shell.send(Event::Suggested(n, answer));
                };
                wire.suggest(text, self.suggesting.renew(), Box::new(then));
            }
            Effect::Look(n, choice) => {
                let then = move |answer: Result<JsValue, Failure>| {
                    let answer = answer.and_then(|answer| read::roof(&answer).ok_or(Failure::Busy));
                    shell.send(Event::Looked(n, answer));
                };
                let lang = flow.words.text(w::LANG);
                wire.roof(read::address(&choice), lang, self.looking.renew(), Box::new(then));
            }
            Effect::StopLooking => self.looking.stop(),
            Effect::Forget(key) => shelf.remove(&key),
            Effect::Send(n, pending) => self.send_lead(flow, n, *pending),
            Effect::Change(n, id, token, material) => {
                let then = move |done: Result<JsValue, Failure>| shell.send(Event::Changed(n, done.map(drop)));
                wire.change(&id, read::change(&token, material), Box::new(then));
            }
            Effect::Focus(focus) => self.focus(focus),
            Effect::History(depth) => self.history.stand_at(depth),
            Effect::PlaceList(open) => self.courier.emit("list", ("open", open.into())),
            Effect::Emit(name, detail) => self.tell(flow, name, detail),
            Effect::Remember => shelf.drafts.save(flow.read(State::draft)),
            Effect::Print => self.courier.emit("print", ("", JsValue::UNDEFINED)),
            Effect::Close => {
                if let Some(dialog) = &self.dialog {
                    dialog.close();
                }
            }
        }
    }

    /// On the device first: a tab closed in the middle loses nothing. What lies there is sent as it is, for the
    /// server knows a lead that it has seen by its key and its every word.
    fn send_lead(self: &Rc<Self>, flow: Flow, n: u32, Pending { key, lead }: Pending) {
        let shelf = &self.courier.shelf;
        keep::hold(&key);
        let kept = shelf.lead(&key).or_else(|| {
            let lead = match self.earlier.take().filter(|(other, _)| *other == key) {
                Some((_, lead)) => lead,
                // The consent as it stands on screen.
                None => read::lead(&lead?, &flow.say(w::CONSENT), &self.source),
            };
            shelf.put(&key, &lead);
            Some(lead)
        });
        if let Some(lead) = kept {
            let shell = self.clone();
            let then = move |receipt: Result<_, _>| shell.send(Event::Sent(n, receipt.map(Box::new)));
            self.courier.send(key, lead, Box::new(then));
        }
    }

    /// After the views have caught up with the state: they were woken before this.
    fn focus(self: &Rc<Self>, on: Focus) {
        let shell = self.clone();
        dom::spawn(async move {
            let id = match on {
                Focus::Title => "sh-title",
                Focus::Address => "sh-address",
                Focus::KeepGoing => "sh-keep",
                Focus::Field(field) => CONTACT_FIELDS[field as usize].id,
                Focus::Part(part) => ADDRESS_FIELDS[part as usize].id,
            };
            if let Some(element) = by_id(&shell.root, id) {
                let _ = element.focus();
            }
        });
    }

    /// The funnel, without anything personal.
    fn tell(&self, flow: Flow, name: &str, detail: &str) {
        let told = flow.read(|s| match name {
            "submit" => s.receipt.as_ref().map(|r| ("reference", r.reference.as_str().into())),
            "estimate" => s.sheet().and_then(|e| e.prices.first()).map(|p| ("value", p.cost.dollars().into())),
            "view" => Some(("step", detail.into())),
            "error" => Some(("where", detail.into())),
            _ => None,
        });
        self.courier.emit(name, told.unwrap_or(("", JsValue::UNDEFINED)));
    }

    fn listen(self: &Rc<Self>) {
        let mut listeners = self.listeners.borrow_mut();
        let window = dom::window();
        if let Some(dialog) = &self.dialog {
            let shell = self.clone();
            listeners.push(Listener::new(dialog, "cancel", move |e| {
                e.prevent_default();
                shell.send(Event::Close);
            }));
            // A browser lets `cancel` be refused once for each deed of the visitor's; a second Escape would close
            // without the question.
            let shell = self.clone();
            listeners.push(Listener::new(dialog, "keydown", move |e| {
                if dom::key_of(&e) == "Escape" {
                    e.prevent_default();
                    shell.send(Event::Close);
                }
            }));
            let shell = self.clone();
            listeners.push(Listener::new(dialog, "click", move |e| {
                // The dialog itself is hit only beside its content: on the backdrop.
                let on_backdrop = e.target().is_some_and(|t| t.dyn_ref::<HtmlDialogElement>().is_some());
                if on_backdrop {
                    shell.send(Event::Close);
                }
            }));
            // Closed by the browser, past all questions: nothing typed is thrown away.
            let shell = self.clone();
            listeners.push(Listener::new(dialog, "close", move |_| shell.history.unwind()));
        }
        let shell = self.clone();
        listeners.push(Listener::new(&window, "popstate", move |e| {
            if let Some(depth) = shell.history.popped(&e) {
                shell.send(Event::Popped(depth));
            }
        }));
        let shell = self.clone();
        listeners.push(Listener::new(&window, "online", move |_| {
            shell.send(Event::TryNow);
            shell.courier.deliver();
        }));
    }
}
