//! What ties the flow to a browser: the exports the loader calls, and the place where effects are run.
//!
//! Contract with the loader: it makes the `<dialog>` in an open shadow root, adopts the stylesheet and paints a
//! skeleton; [`mount`] puts the flow in the skeleton's place. Without a dialog the flow lives in the host itself.

pub mod dom;
mod drafts;
mod history;
mod keep;
pub mod popover;
mod print;
mod read;
#[cfg(test)]
#[cfg(target_arch = "wasm32")]
mod read_tests;
mod store;
mod wire;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use leptos::mount::mount_to_renderer;
use shingle_domain::lead::Via;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement};

use crate::flow::{Effect, Event, Focus, Pending, Setup, State};
use crate::views::{Flow, app};
use crate::words::w;
use dom::{Listener, Timers, by_id};
use wire::{Slot, Wire};

struct Shell {
    /// Where the flow is mounted: ids are looked up in here.
    root: HtmlElement,
    dialog: Option<HtmlDialogElement>,
    wire: Wire,
    keep: keep::Shelf,
    on_event: js_sys::Function,
    looking: Slot,
    suggesting: Slot,
    history: history::Trail,
    timers: Timers,
    flow: OnceCell<Flow>,
    listeners: RefCell<Vec<Listener>>,
    unmount: RefCell<Option<Box<dyn FnOnce()>>>,
}

/// A mounted flow. A page may drop it: the garbage collector frees the handle, only `destroy` ends the flow.
#[wasm_bindgen]
pub struct Handle {
    shell: Rc<Shell>,
}

/// Puts the flow into `dialog`, or into `host` where there is none. `config` is a `PublicWidget`; `on_event` is
/// called with a name and a detail. Fails when `config` is not understood, or when `context.words` is not the list
/// of sentences this module knows the order of.
#[wasm_bindgen]
pub fn mount(
    host: HtmlElement,
    dialog: Option<HtmlDialogElement>,
    config: JsValue,
    context: JsValue,
    on_event: js_sys::Function,
) -> Result<Handle, JsValue> {
    let widget = read::widget(&config).ok_or("the configuration is not understood")?;
    let words = read::words(&context).ok_or("the words are not of this version")?;
    let page = dialog.is_none();
    dom::listen_until(read::given(&context, "signal"));
    for (name, value) in &widget.palette {
        dom::set_property(&host, name, value);
    }
    let root: HtmlElement = match &dialog {
        Some(dialog) => dialog.clone().unchecked_into(),
        None => dom::page_root(&host)?,
    };
    root.replace_children_with_node_0();
    let setup = Setup {
        source: read::source(&context, if page { Via::Hosted } else { Via::Embed }),
        consent_text: words.fill(w::CONSENT, &[("company", &widget.company_name)]),
        seed: (js_sys::Math::random() * f64::from(u32::MAX)) as u32,
    };
    let keep = keep::Shelf::new(&widget);
    let mut state = State::new(setup);
    if let Some((draft, lead)) = keep.drafts.find(&read::given(&context, "draft"), &keep) {
        state.resume(draft, lead);
    }
    let shell = Rc::new(Shell {
        wire: Wire::new(&widget),
        keep,
        root: root.clone(),
        dialog,
        on_event,
        looking: Slot::default(),
        suggesting: Slot::default(),
        history: history::Trail::default(),
        timers: Timers::default(),
        flow: OnceCell::new(),
        listeners: RefCell::default(),
        unmount: RefCell::default(),
    });
    if let Some(dialog) = &shell.dialog {
        let _ = dialog.set_attribute("aria-labelledby", "sh-title");
    }
    let inside = shell.clone();
    let mounted = mount_to_renderer(&root, move || {
        let performer = inside.clone();
        let run = Box::new(move |flow, effect| performer.perform(flow, effect));
        let flow = Flow::new(state, words, widget, page, run);
        let _ = inside.flow.set(flow);
        app(flow)
    });
    shell.listen();
    *shell.unmount.borrow_mut() = Some(Box::new(move || drop(mounted)));
    let handle = Handle { shell };
    handle.prefill(read::given(&context, "prefill"));
    handle.open();
    Ok(handle)
}

/// Sends what an earlier visit could not send, and tells `on_event` of it. For a page that opens nothing: cheap
/// when nothing is kept.
#[wasm_bindgen]
pub fn deliver(config: JsValue, on_event: Option<js_sys::Function>) -> Result<(), JsValue> {
    let widget = read::widget(&config).ok_or("the configuration is not understood")?;
    keep::Shelf::new(&widget).deliver(Wire::new(&widget), Timers::default(), on_event, 1);
    Ok(())
}

#[wasm_bindgen]
impl Handle {
    /// Shows the flow (again), where the visitor left it.
    pub fn open(&self) {
        let shell = &self.shell;
        if let Some(dialog) = shell.dialog.as_ref().filter(|d| !d.open()) {
            let _ = dialog.show_modal();
        }
        OPENED.with(|at| at.set(js_sys::Date::now()));
        shell.send(Event::Opened);
        let (wire, inside) = (shell.wire.clone(), shell.clone());
        dom::spawn(async move {
            let session = wire.session().await.map(|_| ());
            inside.send(Event::Session(session));
        });
        shell.deliver();
    }

    /// What the page knows of the visitor: `address`, `firstName`, `lastName`, `email`, `phone`. `typed` says that
    /// the visitor typed the address himself, in a field of the page.
    pub fn prefill(&self, data: JsValue) {
        self.shell.send(Event::Prefill(Box::new(read::prefill(&data))));
    }

    /// Takes everything down: views, listeners, timers, requests.
    pub fn destroy(self) {
        if let Some(pending) = self.shell.flow.get().and_then(|flow| flow.read(|s| s.pending.clone())) {
            keep::release(&pending.key);
        }
        self.shell.timers.stop();
        self.shell.looking.stop();
        self.shell.suggesting.stop();
        self.shell.history.unwind();
        self.shell.listeners.borrow_mut().clear();
        let unmount = self.shell.unmount.take();
        if let Some(unmount) = unmount {
            unmount();
        }
    }
}

/// The contact form was submitted.
pub fn submit(flow: Flow) {
    let elapsed = OPENED.with(|at| js_sys::Date::now() - at.get());
    flow.send(Event::Submit { key: dom::fresh_key(), elapsed_ms: elapsed.clamp(0.0, f64::from(u32::MAX)) as u32 });
}

thread_local! {
    /// When a flow was last opened on this page: only one dialog can be.
    static OPENED: Cell<f64> = const { Cell::new(0.0) };
}

impl Shell {
    fn send(&self, event: Event) {
        if let Some(flow) = self.flow.get() {
            flow.send(event);
        }
    }

    fn deliver(&self) {
        let (wire, timers) = (self.wire.clone(), self.timers.clone());
        self.keep.clone().deliver(wire, timers, Some(self.on_event.clone()), 1);
    }

    fn emit(&self, name: &str, key: &str, value: JsValue) {
        let detail = read::object(&[(key, value)]);
        let _ = self.on_event.call2(&JsValue::NULL, &name.into(), &detail);
    }

    fn perform(self: &Rc<Self>, flow: Flow, effect: Effect) {
        match effect {
            Effect::After(ms, event) => self.timers.after(ms, move || flow.send(event)),
            Effect::Suggest(n, text) => {
                let shell = self.clone();
                let signal = self.suggesting.renew();
                dom::spawn(async move {
                    let answer = shell.wire.suggest(text, signal).await;
                    flow.send(Event::Suggested(n, answer));
                });
            }
            Effect::Look(n, choice) => {
                let shell = self.clone();
                let signal = self.looking.renew();
                dom::spawn(async move {
                    let answer = shell.wire.roof(choice, flow.words.text(w::LANG), signal).await;
                    flow.send(Event::Looked(n, answer));
                });
            }
            Effect::StopLooking => self.looking.stop(),
            Effect::Keep(pending) => self.keep.put(&pending),
            Effect::Forget(key) => self.keep.remove(&key),
            Effect::Send(n, pending) => self.send_lead(flow, n, *pending),
            Effect::Change(n, id, change) => {
                let wire = self.wire.clone();
                dom::spawn(async move {
                    let done = wire.change(&id, &change).await;
                    flow.send(Event::Changed(n, done));
                });
            }
            Effect::Focus(focus) => self.focus(focus),
            Effect::History(depth) => self.history.stand_at(depth),
            Effect::PlaceList(open) => popover::place(&self.root, open),
            Effect::Emit(name, detail) => self.tell(flow, name, detail),
            Effect::Remember => self.keep.drafts.save(flow.read(State::draft)),
            Effect::Print => print::print(&self.root),
            Effect::Close => {
                if let Some(dialog) = &self.dialog {
                    dialog.close();
                }
            }
        }
    }

    fn send_lead(self: &Rc<Self>, flow: Flow, n: u32, pending: Pending) {
        let (wire, keep) = (self.wire.clone(), self.keep.clone());
        dom::spawn(async move {
            let receipt = keep.send(&wire, &pending.key, read::written(&pending.submission)).await;
            flow.send(Event::Sent(n, receipt.map(Box::new)));
        });
    }

    /// After the views have caught up with the state.
    fn focus(self: &Rc<Self>, on: Focus) {
        let shell = self.clone();
        self.timers.after(0, move || {
            let id = match on {
                Focus::Title => "sh-title",
                Focus::Address => "sh-address",
                Focus::KeepGoing => "sh-keep",
                Focus::Field(field) => crate::views::field_id(field),
                Focus::Part(part) => crate::views::part_id(part),
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
        let (key, value) = told.unwrap_or(("", JsValue::UNDEFINED));
        self.emit(name, key, value);
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
            shell.deliver();
        }));
    }
}
