//! What the runtime needs of the document and the window.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use web_sys::{Element, Event, EventTarget, HtmlElement, HtmlInputElement, ShadowRoot, Window};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_name = window)]
    static WINDOW: Window;
}

pub fn window() -> Window {
    WINDOW.with(Clone::clone)
}

pub fn is_framed() -> bool {
    window().parent().is_ok_and(|parent| parent.is_some_and(|parent| parent != window()))
}

pub fn has_focus() -> bool {
    window().document().is_some_and(|document| document.has_focus().unwrap_or(true))
}

/// All futures get one type: what surrounds a future is compiled again for each type.
pub fn spawn(future: impl Future<Output = ()> + 'static) {
    spawn_boxed(Box::pin(future));
}

#[inline(never)]
fn spawn_boxed(future: Pin<Box<dyn Future<Output = ()>>>) {
    wasm_bindgen_futures::spawn_local(future);
}

/// Through CSSOM: a strict policy for styles allows it.
pub fn set_property(element: &HtmlElement, name: &str, value: &str) {
    let _ = element.style().set_property(name, value);
}

/// The element that holds the flow on a page of its own: the loader's, or a new one.
pub fn page_root(host: &HtmlElement) -> Result<HtmlElement, JsValue> {
    let Some(shadow) = host.shadow_root() else {
        return Ok(host.clone());
    };
    if let Some(root) = shadow.query_selector("[data-flow]")? {
        return Ok(root.unchecked_into());
    }
    let root = window().document().ok_or(JsValue::NULL)?.create_element("div")?;
    root.set_attribute("data-flow", "")?;
    shadow.append_child(&root)?;
    Ok(root.unchecked_into())
}

pub fn by_id(root: &HtmlElement, id: &str) -> Option<HtmlElement> {
    root.query_selector(&["#", id].concat()).ok().flatten().map(JsCast::unchecked_into)
}

/// The key of a keyboard event. Autofill sends key events without one, and while an input method composes, its keys are
/// its own.
pub fn key_of(event: &Event) -> String {
    let composes = super::read::get(event, "isComposing").is_truthy();
    super::read::text(event, "key").filter(|_| !composes).unwrap_or_default()
}

fn field_of(event: &Event) -> Option<HtmlInputElement> {
    event.target().map(JsCast::unchecked_into)
}

pub fn typed_into(event: &Event) -> String {
    field_of(event).map(|f| f.value()).unwrap_or_default()
}

pub fn ticked(event: &Event) -> bool {
    field_of(event).is_some_and(|f| f.checked())
}

/// The building on the drawing that was clicked.
pub fn building_of(event: &Event) -> Option<usize> {
    let clicked: Element = event.target()?.unchecked_into();
    clicked.closest("[data-building]").ok()??.get_attribute("data-building")?.parse().ok()
}

/// The photograph of a drawing that was loaded, if it was no logo.
pub fn aerial_of(event: &Event) -> Option<Element> {
    let loaded: Element = event.target()?.unchecked_into();
    (loaded.tag_name() == "image").then_some(loaded)
}

/// Puts the switch beside a photograph.
pub fn choose_view(aerial: &Element, photo: bool) {
    let field = if photo { "[value=photo]" } else { "[value=drawing]" };
    let pane = aerial.closest(".sh-pane").ok().flatten();
    if let Some(field) = pane.and_then(|pane| pane.query_selector(field).ok().flatten()) {
        field.unchecked_into::<HtmlInputElement>().set_checked(true);
    }
}

/// What the switch beside a drawing was put to, if it was that field which changed.
pub fn wants_photo(event: &Event) -> Option<bool> {
    let field = field_of(event)?;
    (field.name() == "sh-view").then(|| field.value() == "photo")
}

/// Two buttons in a question: the tabulator goes from one to the other and nowhere else.
pub fn keep_inside(event: &Event) {
    if key_of(event) != "Tab" {
        return;
    }
    let Some(box_) = event.current_target().and_then(|t| t.dyn_into::<Element>().ok()) else { return };
    let Ok(buttons) = box_.query_selector_all("button") else { return };
    let focused = box_.get_root_node().unchecked_into::<ShadowRoot>().active_element();
    let on_first = buttons.item(0).is_some_and(|b| focused.is_some_and(|f| f.is_same_node(Some(&b))));
    if let Some(next) = buttons.item(u32::from(on_first)) {
        event.prevent_default();
        let _ = next.unchecked_into::<HtmlElement>().focus();
    }
}

pub fn random() -> u32 {
    (js_sys::Math::random() * f64::from(u32::MAX)) as u32
}

/// A random key for one lead.
pub fn fresh_key() -> String {
    let mut bytes = [0_u8; 16];
    if let Ok(crypto) = window().crypto() {
        let _ = crypto.get_random_values_with_u8_array(&mut bytes);
    } else {
        bytes.fill_with(|| (js_sys::Math::random() * 256.0) as u8);
    }
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|b| [b >> 4, b & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[wasm_bindgen]
extern "C" {
    type Target;

    #[wasm_bindgen(method, js_name = addEventListener)]
    fn listen(this: &Target, name: &str, act: &JsValue, until: &JsValue);
}

thread_local! {
    /// `{signal}` of the flow that is open: only one can be.
    static UNTIL: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// After this signal no listener is called any more, also where the module itself can no longer take it off.
pub fn listen_until(signal: JsValue) {
    UNTIL.set(super::read::object(&[("signal", signal)]));
}

/// An event listener that is taken off when it is dropped.
pub struct Listener {
    target: EventTarget,
    name: &'static str,
    closure: Closure<dyn FnMut(Event)>,
}

impl Listener {
    pub fn new(target: &EventTarget, name: &'static str, act: impl FnMut(Event) + 'static) -> Self {
        Self::add(target, name, Closure::new(act))
    }

    fn add(target: &EventTarget, name: &'static str, closure: Closure<dyn FnMut(Event)>) -> Self {
        UNTIL.with_borrow(|until| target.unchecked_ref::<Target>().listen(name, closure.as_ref(), until));
        Self { target: target.clone(), name, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.name, self.closure.as_ref().unchecked_ref());
    }
}

/// Timers that can be stopped together.
#[derive(Clone, Default)]
pub struct Timers {
    running: Rc<RefCell<Vec<i32>>>,
}

impl Timers {
    pub fn after(&self, ms: u32, act: impl FnOnce() + 'static) {
        let running = self.running.clone();
        let id = Rc::new(Cell::new(0));
        let own = id.clone();
        let act: Box<dyn FnOnce()> = Box::new(move || {
            running.borrow_mut().retain(|id| *id != own.get());
            act();
        });
        let callback = Closure::once_into_js(act);
        let ms = i32::try_from(ms).unwrap_or(i32::MAX);
        let set = window().set_timeout_with_callback_and_timeout_and_arguments_0(callback.unchecked_ref(), ms);
        if let Ok(set) = set {
            id.set(set);
            self.running.borrow_mut().push(set);
        }
    }

    pub fn stop(&self) {
        for id in self.running.take() {
            window().clear_timeout_with_handle(id);
        }
    }
}
