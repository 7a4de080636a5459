//! `/w/{id}.js`: the loader with one widget's configuration, launcher and stylesheet in it.
//!
//! # Decisions
//!
//! - The loader holds what is needed before a click and nothing else. Configuration and the words of one language are
//!   one request after intent, `/w/{id}/config/{runtime}.{language}.json`, named after the runtime so that another
//!   version's words cannot arrive. Turned down: everything in the loader; the banner's did not fit its budget.
//! - A page view fetches the loader only. The runtime follows on intent (hover, focus, touch, a mouse within 300 px),
//!   or by one timeout after ten seconds in view; with a data saver never early. An unsent lead on the device fetches
//!   at once, because the runtime sends it. Turned down: fetching when idle for everybody; a contractor may still
//!   choose that.
//! - Module and script are named by their SHA-256, which the loader also uses as integrity. The script is fetched
//!   with it and then imported from the cache, because `import()` has no integrity.
//! - The first field comes first. The sample drawing, the session and leads of earlier visits are requested in the
//!   frame after the one that shows the flow: half the time to a usable dialog. Fonts are set while the module
//!   compiles, and the script compiles off the main thread.

use std::collections::BTreeMap;

use serde::Serialize;
use shingle_domain::public::{PublicWidget, WidgetFacts};
use shingle_domain::settings::{FetchAhead, LauncherOffset};
use shingle_domain::widget::{ElementLocation, ElementType, Widget, WidgetLinks};
use shingle_domain::{Environment, Language, LinkId, WidgetSettings};

use super::launcher::{launcher, launcher_css, skeleton};
use super::manifest::RuntimeManifest;
use super::part::frame_parts;
use super::public::public_widget;
use crate::words::flow_words;

/// The script of an active widget.
pub fn loader_script(
    widget: &Widget,
    settings: &WidgetSettings,
    environment: Environment,
    links: &WidgetLinks<'_>,
    runtime: &RuntimeManifest,
) -> String {
    if !widget.is_active() {
        return inactive_script(widget.link_id());
    }
    let say = |language| public_widget(widget, settings, language, links);
    let public = say(Language::English);
    let edge = match (public.element_type, public.element_location) {
        (ElementType::Banner, Some(edge)) => Some(edge.as_str()),
        (ElementType::Button, Some(ElementLocation::BottomLeft | ElementLocation::BottomRight)) => Some("bottom"),
        _ => None,
    };
    let mut arguments = vec![
        json(&public.id),
        json(&public.base_url),
        json(&widget.page_hosts(environment)),
        json(&BTreeMap::from(Language::ALL.map(|l| {
            let public = say(l);
            (l.tag(), (launcher(&public, flow_words(l)), skeleton(&public, flow_words(l))))
        }))),
        json(&rules(&public, settings.launcher)),
        json(&runtime.js.sum()),
        json(&fetch_ahead_ms(settings.fetch_ahead)),
    ];
    arguments.extend(edge.map(|edge| json(&edge)));
    let loader = match public.element_type {
        ElementType::Button => runtime.scripts.plain,
        ElementType::Banner => runtime.scripts.banner,
        ElementType::Custom => runtime.scripts.card,
    };
    guarded(&format!("({loader})({})", arguments.join(",")), &public)
}

/// Where the loader itself fails, in a browser that lacks something or on a page that has broken it, there is still a link.
fn guarded(call: &str, public: &PublicWidget) -> String {
    let (page, text) = (json(&format!("{}/w/{}", public.base_url, public.id)), json(&public.first_page_title));
    format!(
        "try{{{call}}}catch(e){{console.warn(e);document.documentElement.append(Object.assign(document.createElement(\"a\"),\
         {{href:{page},textContent:{text}}}))}}\n"
    )
}

/// After how long with a page in view the runtime is fetched; `None` where only intent fetches it.
fn fetch_ahead_ms(ahead: FetchAhead) -> Option<u32> {
    match ahead {
        FetchAhead::Intent => None,
        FetchAhead::Dwell => Some(10_000),
        FetchAhead::Idle => Some(0),
    }
}

/// The stylesheet, with colors and measures in place of their names: fewer bytes than both.
fn rules(public: &PublicWidget, offset: LauncherOffset) -> String {
    let css = launcher_css(public) + &moved(public.element_type, offset);
    let css = public.palette.iter().fold(css, |css, (name, color)| css.replace(&format!("var({name})"), color));
    let mut parts = css.split("--").map(str::to_owned);
    let mut plain = parts.next().unwrap_or_default();
    let mut measures = Vec::new();
    for part in parts {
        // Not where a name is used.
        match part.split_once(':').filter(|_| plain.ends_with(['{', ';'])) {
            Some((name, rest)) => {
                let end = rest.find([';', '}']).unwrap_or(rest.len());
                measures.push((format!("var(--{name})"), rest[..end].to_owned()));
                plain.push_str(rest[end..].trim_start_matches(';'));
            }
            None => plain = plain + "--" + &part,
        }
    }
    let plain = plain.replace("#ffffff", "#fff").replace("#000000", "#000");
    // A rule whose measures have all moved into others is empty.
    let css = measures.iter().fold(plain, |css, (name, length)| css.replace(name, length));
    css.replace(".sl{}", "").replace(".sb{}", "")
}

/// The rule that moves a launcher from its usual place into the page.
fn moved(element_type: ElementType, LauncherOffset { offset_x: x, offset_y: y }: LauncherOffset) -> String {
    let launcher = match element_type {
        ElementType::Button => ".sl",
        ElementType::Banner => ".over",
        ElementType::Custom => return String::new(),
    };
    // The margin of an edge at which it is not fixed moves nothing.
    if x == 0 && y == 0 { String::new() } else { format!("{launcher}{{margin:{y}px {x}px}}") }
}

/// `/w/{id}/config/…`: what the runtime has to know of the widget, and the words and parts of one language.
pub fn config_json(widget: &PublicWidget, language: Language) -> String {
    let facts = json(&WidgetFacts::from(widget));
    let (words, parts) = (json(&flow_words(language).flow()), json(&frame_parts(widget, flow_words(language))));
    format!("{{\"widget\":{facts},\"words\":{words},\"parts\":{parts}}}\n")
}

/// The script of a widget that is switched off or does not exist: it says why the page shows nothing.
pub fn inactive_script(id: LinkId) -> String {
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
