//! A flow on the page: draws it, runs its effects, and passes the browser's events to it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::mount::mount_to_renderer;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement};

use super::api::RequestSlot;
use super::dom::{self, Listener, by_id};
use super::pending::claim;
use super::read;
use super::sender::LeadSender;
use crate::csr::app::app;
use crate::csr::flow::{Flow, FlowContext};
use crate::flow::{Effect, Event, Focus, Pending, RequestError, State};
use crate::view::contact::{ADDRESS_FIELDS, CONTACT_FIELDS};
use crate::words::{Words, w};

pub struct MountedFlow {
    /// The element the flow is mounted in.
    pub root: HtmlElement,
    pub dialog: Option<HtmlDialogElement>,
    pub sender: Rc<LeadSender>,
    /// The source of the visit, as it is sent with a lead.
    pub source: JsValue,
    /// The lead that an earlier page was sending, with its key.
    pub earlier: RefCell<Option<(String, JsValue)>>,
    pub looking: RequestSlot,
    pub suggesting: RequestSlot,
    pub flow: Cell<Option<Flow>>,
    pub listeners: RefCell<Vec<Listener>>,
    pub unmount: RefCell<Option<Box<dyn FnOnce()>>>,
}

impl MountedFlow {
    pub fn draw(self: &Rc<Self>, state: State, words: Words, context: Rc<FlowContext>) {
        let inside = self.clone();
        let mounted = mount_to_renderer(&self.root, move || {
            let flow = Flow::new(state, words, context, inside.dialog.is_none());
            inside.flow.set(Some(flow));
            app(flow)
        });
        self.unmount.replace(Some(Box::new(move || drop(mounted))));
    }

    pub fn unmount(&self) {
        let unmount = self.unmount.take();
        if let Some(unmount) = unmount {
            unmount();
        }
    }

    pub fn send(&self, event: Event) {
        if let Some(flow) = self.flow.get() {
            flow.send(event);
        }
    }

    /// The key of the lead that the flow is sending.
    pub fn pending(&self) -> Option<String> {
        self.flow.get().and_then(|flow| flow.read(|s| s.pending.as_ref().map(|p| p.key.clone())))
    }

    pub fn perform(self: &Rc<Self>, flow: Flow, effect: Effect) {
        let LeadSender { api, pending, drafts, kept, timers, .. } = &*self.sender;
        // Answers go to the flow that is there then: the language may have changed meanwhile.
        let mounted = self.clone();
        match effect {
            Effect::After(ms, event) => timers.after(ms, move || mounted.send(event)),
            Effect::Suggest(n, text) => {
                let then = move |answer: Result<JsValue, RequestError>| {
                    let answer = answer.and_then(|answer| read::suggestions(&answer).ok_or(RequestError::Busy));
                    mounted.send(Event::Suggested(n, answer));
                };
                api.suggest(text, self.suggesting.renew(), Box::new(then));
            }
            Effect::LookUp(n, choice) => {
                let then = move |answer: Result<JsValue, RequestError>| {
                    let answer = answer.and_then(|answer| read::roof(&answer).ok_or(RequestError::Busy));
                    mounted.send(Event::LookedUp(n, answer));
                };
                let lang = flow.words.text(w::LANG);
                api.roof(read::address(&choice), lang, self.looking.renew(), Box::new(then));
            }
            Effect::StopLookUp => self.looking.stop(),
            Effect::Forget(key) => pending.remove(&key),
            Effect::Send(n, lead) => self.send_lead(flow, n, *lead),
            Effect::Change(n, id, token, material) => {
                let then = move |done: Result<JsValue, RequestError>| mounted.send(Event::Changed(n, done.map(drop)));
                api.change(&id, read::change(&token, material), Box::new(then));
            }
            Effect::ReadBooking => {
                let request = self.sender.emit("booking", ("", JsValue::UNDEFINED)).as_string();
                self.send(Event::Wished(request.unwrap_or_default()));
            }
            Effect::RequestVisit(n, id, token, request) => {
                let then = move |answer: Result<JsValue, RequestError>| {
                    let answer = answer.and_then(|answer| read::receipt(&answer).ok_or(RequestError::Busy));
                    mounted.send(Event::Booked(n, answer.map(Box::new)));
                };
                api.change(&id, read::visit(&token, &request), Box::new(then));
            }
            Effect::Keep(id, token) => kept.put(&id, &token),
            Effect::ForgetKept => kept.remove(),
            Effect::Reload(id, token) => self.reload(flow, &id, &token),
            Effect::Reread(choice) => {
                let then = move |answer: Result<JsValue, RequestError>| {
                    if let Some(answer) = answer.ok().as_ref().and_then(read::roof) {
                        mounted.send(Event::Reread(answer));
                    }
                };
                api.roof(read::address(&choice), flow.words.text(w::LANG), None, Box::new(then));
            }
            Effect::Focus(focus) => self.focus(focus),
            Effect::History(depth) => drop(self.sender.emit("steps", ("steps", (depth as u32).into()))),
            Effect::PlaceList(open) => drop(self.sender.emit("list", ("open", open.into()))),
            Effect::Emit(name, detail) => self.tell(flow, name, detail),
            Effect::Remember => drafts.save(flow.read(State::draft), flow.read(|s| s.acts)),
            Effect::Close => {
                if let Some(dialog) = &self.dialog {
                    dialog.close();
                }
            }
        }
    }

    /// Asks for the receipt of this lead.
    pub fn reload(self: &Rc<Self>, flow: Flow, id: &str, token: &str) {
        let mounted = self.clone();
        let then = move |answer: Result<JsValue, RequestError>| {
            let answer = answer.and_then(|answer| read::receipt(&answer).ok_or(RequestError::Busy));
            mounted.send(Event::Kept(answer.map(Box::new)));
        };
        self.sender.api.receipt(id, token, flow.words.text(w::LANG), Box::new(then));
    }

    /// Stores the lead on the device first: a tab that is closed meanwhile loses nothing. A stored lead is sent
    /// unchanged, because the server recognizes it by its key and its exact content.
    fn send_lead(self: &Rc<Self>, flow: Flow, n: u32, Pending { key, lead }: Pending) {
        let pending = &self.sender.pending;
        claim(&key);
        let kept = pending.lead(&key).or_else(|| {
            let lead = match self.earlier.take().filter(|(other, _)| *other == key) {
                Some((_, lead)) => lead,
                // The text of the consent as it was shown.
                None => read::lead(&lead?, flow.words, &flow.say(w::CONSENT), &self.source, self.sender.kept.get()),
            };
            pending.put(&key, &lead);
            Some(lead)
        });
        if let Some(lead) = kept {
            let mounted = self.clone();
            let then = move |receipt: Result<_, _>| mounted.send(Event::Sent(n, receipt.map(Box::new)));
            self.sender.send(key, lead, Box::new(then));
        }
    }

    /// In a later task: by then the views' effects, which are already queued, have run.
    fn focus(self: &Rc<Self>, on: Focus) {
        let mounted = self.clone();
        dom::spawn(async move {
            if !mounted.may_focus() {
                return;
            }
            let id = match on {
                Focus::Title => "sh-title",
                Focus::Address => "sh-address",
                Focus::KeepGoing => "sh-keep",
                Focus::Field(field) => CONTACT_FIELDS[field as usize].id,
                Focus::AddressPart(part) => ADDRESS_FIELDS[part as usize].id,
            };
            if let Some(element) = by_id(&mounted.root, id) {
                let _ = element.focus();
            }
        });
    }

    /// A hosted page in a frame leaves the focus to the page around it until somebody comes into the frame. The loader's own
    /// fallback frame fills a dialog that was just opened.
    fn may_focus(&self) -> bool {
        let is_fallback = read::given(&self.source, "via").as_string().as_deref() == Some("embed");
        self.dialog.is_some() || is_fallback || !dom::is_framed() || dom::has_focus()
    }

    /// Tells the page how far the visitor is, without anything personal.
    fn tell(&self, flow: Flow, name: &str, detail: &str) {
        let detail_of = flow.read(|s| match name {
            "submit" => s.receipt.as_ref().map(|r| ("reference", r.reference.as_str().into())),
            "estimate" => s.estimate().and_then(|e| e.prices.first()).map(|p| ("value", p.value.into())),
            "view" => Some(("step", detail.into())),
            "error" => Some(("where", detail.into())),
            _ => None,
        });
        let _ = self.sender.emit(name, detail_of.unwrap_or(("", JsValue::UNDEFINED)));
    }

    pub fn listen(self: &Rc<Self>) {
        let mut listeners = self.listeners.borrow_mut();
        let window = dom::window();
        if let Some(dialog) = &self.dialog {
            let mounted = self.clone();
            listeners.push(Listener::new(dialog, "cancel", move |e| {
                e.prevent_default();
                mounted.send(Event::Close);
            }));
            // A browser lets a page prevent `cancel` once per action of the visitor; a second Escape would close
            // without the question.
            let mounted = self.clone();
            listeners.push(Listener::new(dialog, "keydown", move |e| {
                if dom::key_of(&e) == "Escape" {
                    e.prevent_default();
                    mounted.send(Event::Close);
                }
            }));
            let mounted = self.clone();
            listeners.push(Listener::new(dialog, "click", move |e| {
                // Only a click on the backdrop has the dialog itself as its target.
                let on_backdrop = e.target().is_some_and(|t| t.dyn_ref::<HtmlDialogElement>().is_some());
                if on_backdrop {
                    mounted.send(Event::Close);
                }
            }));
        }
        let mounted = self.clone();
        listeners.push(Listener::new(&window, "online", move |_| {
            mounted.send(Event::TryNow);
            mounted.sender.deliver();
        }));
    }
}
