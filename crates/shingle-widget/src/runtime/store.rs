//! The browser's storage, with entries of JSON. Where storage is blocked, nothing is found and nothing is kept.

use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;

use super::dom::window;
use super::read;

#[wasm_bindgen]
extern "C" {
    /// Without `web_sys`, whose texts would come into this module and go back to be parsed.
    type Storage;
    #[wasm_bindgen(method, catch, js_name = getItem)]
    fn item(this: &Storage, name: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setItem)]
    fn set(this: &Storage, name: &str, text: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = removeItem)]
    fn remove(this: &Storage, name: &str) -> Result<(), JsValue>;
    #[wasm_bindgen(catch, js_namespace = JSON)]
    fn parse(text: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(catch, js_namespace = JSON)]
    fn stringify(entry: &JsValue) -> Result<JsValue, JsValue>;
}

#[derive(Clone, Copy)]
pub struct Store(&'static str);

/// For as long as the tab is there.
pub const TAB: Store = Store("sessionStorage");
pub const DEVICE: Store = Store("localStorage");

impl Store {
    /// Of a browser that bars it, undefined: every call then fails, as it may.
    #[inline(never)]
    fn storage(self) -> Storage {
        read::get(&window(), self.0).unchecked_into()
    }

    #[inline(never)]
    pub fn entry(self, name: &str) -> Option<JsValue> {
        parsed(&self.storage().item(name).ok()?)
    }

    #[inline(never)]
    pub fn put(self, name: &str, entry: &JsValue) {
        if let Ok(text) = stringify(entry) {
            let _ = self.storage().set(name, &text);
        }
    }

    #[inline(never)]
    pub fn remove(self, name: &str) {
        let _ = self.storage().remove(name);
    }

    /// The names of all entries, also those of the page.
    pub fn names(self) -> Array {
        Reflect::own_keys(&self.storage()).unwrap_or_default()
    }
}

/// What is written there, if it is an object.
#[inline(never)]
pub fn parsed(text: &JsValue) -> Option<JsValue> {
    parse(text).ok().filter(JsValue::is_object)
}
