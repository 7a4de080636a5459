//! The exports the loader calls.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{HtmlDialogElement, HtmlElement};

use super::api::RequestSlot;
use super::dom::{self, random};
use super::drafts::{Resumed, Work};
use super::mounted::MountedFlow;
use super::pending::{claim, release};
use super::sender::LeadSender;
use super::{read, submit};
use crate::csr::flow::{Flow, FlowContext};
use crate::flow::{Event, State};

/// A mounted flow. A page may drop it: the garbage collector frees the handle, only `destroy` ends the flow.
#[wasm_bindgen]
pub struct Handle {
    flow: Rc<MountedFlow>,
}

const STRANGE_WORDS: &str = "the words are not of this version";

/// Puts the flow into `dialog`, or into `host` where there is none. `config` is a `WidgetFacts`; `context.source` a
/// `LeadSource`; `on_event` is called with a name and a detail; `list`, `steps` and `booking` are requests to `stage.js`. Fails
/// when `config` is not understood, or when `context.words` is not a list of this module's sentences.
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
    let sender = LeadSender::new(&widget, Some(on_event));
    let mut state = State::new(random());
    let (mut earlier, mut fresh) = (None, true);
    let mut worked = Work::default();
    if let Some(Resumed { draft, lead, work }) = sender.drafts.find(&read::given(&context, "draft"), &sender.pending) {
        fresh = false;
        worked = work;
        state.acts = work.acts;
        earlier = lead.map(|lead| (draft.lead().to_owned(), lead));
        state.resume(draft, earlier.as_ref().map(|(_, lead)| read::consents(lead)));
    }
    if let Some(dialog) = &dialog {
        let _ = dialog.set_attribute("aria-labelledby", "sh-title");
    }
    let flow = Rc::new(MountedFlow {
        root: root.clone(),
        dialog,
        sender,
        source: read::given(&context, "source"),
        earlier: RefCell::new(earlier),
        looking: RequestSlot::default(),
        suggesting: RequestSlot::default(),
        flow: Cell::default(),
        listeners: RefCell::default(),
        unmount: RefCell::default(),
    });
    let performer = flow.clone();
    let run = Box::new(move |flow, effect| performer.perform(flow, effect));
    flow.draw(state, words, FlowContext::new(widget, read::parts(&context), run));
    flow.listen();
    submit::opened_now(worked.took);
    let handle = Handle { flow };
    handle.prefill(read::given(&context, "prefill"));
    handle.flow.send(Event::Opened);
    handle.flow.pending().as_deref().inspect(|key| claim(key));
    if let (true, Some([id, token]), Some(flow)) = (fresh, handle.flow.sender.kept.get(), handle.flow.flow.get()) {
        handle.flow.reload(flow, &id, &token);
    }
    Ok(handle)
}

/// Sends the leads that an earlier visit could not send, and reports them to `on_event`. Cheap when there are none.
#[wasm_bindgen]
pub fn deliver(config: JsValue, on_event: Option<js_sys::Function>) -> Result<(), JsValue> {
    let widget = read::widget(&config).ok_or("the configuration is not understood")?;
    LeadSender::new(&widget, on_event).deliver();
    Ok(())
}

#[wasm_bindgen]
impl Handle {
    /// To be called after the first frame was painted: draws and fetches what nobody waits for.
    pub fn painted(&self) {
        let flow = &self.flow;
        flow.send(Event::Painted);
        let inside = flow.clone();
        flow.sender.api.session(Box::new(move |token| inside.send(Event::Session(token.map(drop)))));
        flow.sender.deliver();
    }

    /// The visitor went back or forward in the browser's history, to the entry of this step.
    pub fn popped(&self, depth: usize) {
        self.flow.send(Event::Popped(depth));
    }

    /// The visitor went back beyond the first step. What was typed stays in the draft.
    pub fn leave(&self) {
        // Later: it ends in `destroy`, which needs this handle for itself.
        let flow = self.flow.clone();
        dom::spawn(async move { flow.send(Event::Leave) });
    }

    /// What the page knows of the visitor: `address`, `firstName`, `lastName`, `email`, `phone`. `typed` says that
    /// the visitor typed the address, in a field of the page.
    pub fn prefill(&self, data: JsValue) {
        self.flow.send(Event::Prefill(Box::new(read::prefill(&data))));
    }

    /// Switches to the language of `context.words`. The state stays; the views are drawn again.
    pub fn set_words(&self, context: JsValue) -> Result<(), JsValue> {
        let words = read::words(&context).ok_or(STRANGE_WORDS)?;
        let flow = &self.flow;
        if let Some((state, kept)) = flow.flow.get().and_then(Flow::leave) {
            flow.unmount();
            kept.replace_parts(read::parts(&context));
            flow.draw(state, words, kept);
            flow.send(Event::LanguageChanged);
        }
        Ok(())
    }

    /// Removes everything: views, listeners, timers, requests.
    pub fn destroy(self) {
        self.flow.pending().as_deref().inspect(|key| release(key));
        self.flow.sender.timers.stop();
        self.flow.looking.stop();
        self.flow.suggesting.stop();
        self.flow.listeners.borrow_mut().clear();
        self.flow.unmount();
    }
}
