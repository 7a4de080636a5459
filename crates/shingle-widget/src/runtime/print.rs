//! Prints the flow alone, without the page around it, and leaves the page as it was.

use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ShadowRoot};

use super::dom::window;

const MARK: &str = "data-shingle-print";
/// Everything that does not hold the flow steps aside.
const RULE: &str =
    "@media print{body>*:not([data-shingle-print]):not(:has([data-shingle-print])){display:none!important}}";

pub fn print(root: &HtmlElement) {
    let host = root.get_root_node().dyn_into::<ShadowRoot>().map(|s| s.host()).ok();
    if let Some(host) = &host {
        let _ = host.set_attribute(MARK, "");
    }
    let before = sheets();
    let added = before.as_ref().and_then(with_rule);
    if let Some(added) = &added {
        put(added);
    }
    let _ = window().print();
    if let (Some(before), Some(_)) = (&before, &added) {
        put(before);
    }
    if let Some(host) = &host {
        let _ = host.remove_attribute(MARK);
    }
}

fn sheets() -> Option<JsValue> {
    let document = JsValue::from(window().document()?);
    Reflect::get(&document, &"adoptedStyleSheets".into()).ok().filter(|v| !v.is_undefined())
}

fn put(sheets: &JsValue) {
    if let Some(document) = window().document() {
        let _ = Reflect::set(&document, &"adoptedStyleSheets".into(), sheets);
    }
}

/// The page's sheets and one more, without `<style>`: a strict policy allows it.
fn with_rule(before: &JsValue) -> Option<JsValue> {
    let make = Reflect::get(&window(), &"CSSStyleSheet".into()).ok()?.dyn_into::<Function>().ok()?;
    let sheet = Reflect::construct(&make, &Array::new()).ok()?.unchecked_into::<Object>();
    let fill = Reflect::get(&sheet, &"replaceSync".into()).ok()?.dyn_into::<Function>().ok()?;
    fill.call1(&sheet, &RULE.into()).ok()?;
    let all = Array::from(before);
    all.push(&sheet);
    Some(all.into())
}
