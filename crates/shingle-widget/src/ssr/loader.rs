//! `/w/{id}.js`: the loader with one widget's configuration, launcher and stylesheet in it.

use serde::Serialize;
use shingle_domain::id::WidgetId;
use shingle_domain::widget::{ElementType, Widget, WidgetLinks};

use super::launcher::{launcher, launcher_css, skeleton};
use super::lean::{lean_js, lean_json};
use super::{RuntimeManifest, public_widget};

const LOADER: &str = include_str!("../../../../www/loader/loader.js");

/// The script of an active widget.
pub fn loader_script(widget: &Widget, links: &WidgetLinks<'_>, runtime: &RuntimeManifest) -> String {
    if !widget.is_active() {
        return inactive_script(widget.reference_id);
    }
    let mut public = public_widget(widget, links.base_url, links.storage_url);
    // On the host element, where launcher, dialog and runtime inherit them.
    let palette: Vec<String> = public.palette.drain(..).map(|(name, value)| format!("{name}:{value}")).collect();
    let arguments = [
        json(&public),
        json(&widget.allowed_hosts()),
        json(&(launcher(&public), skeleton(&public))),
        json(&launcher_css(&public)),
        json(&palette.join(";")),
        json(&runtime.addresses(&public.base_url)),
    ];
    let kind = if public.element_type == ElementType::Banner { "banner" } else { "plain" };
    let loader = lean_js(&part(LOADER, kind));
    format!("({})({});\n", loader.trim_end_matches(';'), arguments.map(|a| lean_json(&a)).join(","))
}

/// The script without the lines that are for other kinds of launchers.
fn part(script: &str, kind: &str) -> String {
    let mut mine = true;
    let mut kept = String::with_capacity(script.len());
    for line in script.lines() {
        match line.trim().strip_prefix("// § ") {
            Some(name) => mine = name == kind || name == "end",
            None if mine => {
                kept.push_str(line);
                kept.push('\n');
            }
            None => {}
        }
    }
    kept
}

/// The script of a widget that is switched off, or that nobody made: says why nothing is to be seen.
pub fn inactive_script(id: WidgetId) -> String {
    format!("console.warn(\"Shingle: widget {id} is not active, so it shows nothing on this page.\");\n")
}

/// JSON that is also safe inside a script element, should the script ever be inlined.
pub(super) fn json(value: &impl Serialize) -> String {
    // Strings, lists and maps with text keys: nothing in them can fail.
    let text = serde_json::to_string(value).unwrap_or_default();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
