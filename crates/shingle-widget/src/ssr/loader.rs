//! `/w/{id}.js`: the loader with one widget's configuration, launcher and stylesheet in it.

use std::collections::BTreeMap;

use serde::Serialize;
use shingle_domain::public::{PublicWidget, WidgetFacts};
use shingle_domain::widget::{ElementType, Widget, WidgetLinks};
use shingle_domain::{Environment, WidgetId, WidgetSettings};

use super::launcher::{launcher, launcher_css, skeleton};
use super::manifest::RuntimeManifest;
use super::part::frame_parts;
use super::public::public_widget;
use crate::words::Language;

/// The script of an active widget.
pub fn loader_script(
    widget: &Widget,
    settings: &WidgetSettings,
    environment: Environment,
    links: &WidgetLinks<'_>,
    runtime: &RuntimeManifest,
) -> String {
    if !widget.is_active() {
        return inactive_script(widget.reference_id);
    }
    let say = |language| public_widget(widget, settings, language, links);
    let public = say(Language::English);
    let edge = public.element_location.filter(|_| public.element_type == ElementType::Banner);
    let mut arguments = vec![
        json(&public.id),
        json(&public.base_url),
        json(&widget.page_hosts(environment)),
        json(&BTreeMap::from(Language::ALL.map(|l| {
            let public = say(l);
            (l.tag(), (launcher(&public, l.words()), skeleton(&public, l.words())))
        }))),
        json(&rules(&public)),
        json(&[runtime.js.sum(), runtime.wasm.sum()]),
    ];
    arguments.extend(edge.map(|edge| json(&edge.as_str())));
    let loader = match public.element_type {
        ElementType::Button => runtime.scripts.plain,
        ElementType::Banner => runtime.scripts.banner,
        ElementType::Custom => runtime.scripts.card,
    };
    format!("({loader})({});\n", arguments.join(","))
}

/// The stylesheet, and those of the widget's colours that it uses. The others come with the runtime.
fn rules(public: &PublicWidget) -> String {
    let css = launcher_css(public);
    let used = public.palette.iter().filter(|(name, _)| css.contains(&format!("var({name})")));
    let colors: Vec<String> = used.map(|(name, value)| format!("{name}:{value}")).collect();
    format!(":host{{{}}}{css}", colors.join(";"))
}

/// `/w/{id}/config/…`: what the runtime has to know of the widget, and the words and parts of one language.
pub fn config_json(widget: &PublicWidget, language: Language) -> String {
    let facts = json(&WidgetFacts::from(widget));
    let (words, parts) = (json(&language.words().flow()), json(&frame_parts(widget, language.words())));
    format!("{{\"widget\":{facts},\"words\":{words},\"parts\":{parts}}}\n")
}

/// The script of a widget that is switched off or does not exist: it says why the page shows nothing.
pub fn inactive_script(id: WidgetId) -> String {
    format!("console.warn(\"Shingle: widget {id} is not active, so it shows nothing on this page.\");\n")
}

/// The script of a service that was built without its browser runtime.
pub fn unbuilt_script() -> String {
    "console.warn(\"Shingle was built without its browser runtime, so it shows nothing on this page.\");\n".to_owned()
}

/// JSON that is also safe inside a script element, should the script ever be inlined.
pub(super) fn json(value: &impl Serialize) -> String {
    // Strings, lists and maps with text keys: nothing in them can fail.
    let text = serde_json::to_string(value).unwrap_or_default();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}
