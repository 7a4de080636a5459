//! `/w/{id}`: the same flow as a page of its own, and the page of a widget that is switched off. Both have a
//! strict content policy, so nothing is inline. Addresses are relative, so the page works under any name of
//! the service.
//!
//! # Decisions
//!
//! - The dialog's stylesheet is text in the runtime's script (one request less); the hosted page, drawn without
//!   scripts, has it in its theme. The dialog's frame is only in `www/launcher.css`, which arrives first. In
//!   `www/widget.css` repeated declarations cost less than selectors that avoid them, after brotli: measure.
//! - A hosted page that stands in for the overlay reports its events to the surrounding page (`postMessage`), which
//!   emits them as its own. So sites whose policy forbids WebAssembly count leads too.

use shingle_domain::Language;
use shingle_domain::public::PublicWidget;

use super::loader::json;
use super::manifest::RuntimeManifest;
use super::minify::minify_css;
use super::node::Node;
use super::page::{Head, Step, first_step, meta, page, paused_step};
use crate::view::Markup;
use crate::view::frame::dial;
use crate::words::w;

const CARD: &str = include_str!("../../../../www/widget.css");
const PARTS: &str = include_str!("../../../../www/parts.css");
const AROUND: &str = include_str!("../../../../www/hosted.css");

/// Width and height of `/w/{id}/preview.png`, the picture of a link to the page.
pub const PREVIEW: [u32; 2] = [1200, 630];

/// The page with its first step drawn: a plain form, which `hosted_script` brings to life.
pub fn hosted_page(widget: &PublicWidget, language: Language, runtime: Option<&RuntimeManifest>) -> String {
    let step = Step::first(widget, language);
    let mut card = vec![first_step(&step)];
    let mut head = about_itself(&step);
    if let Some(runtime) = runtime {
        head.more.extend(preloads(widget, runtime));
        card.push(failed(&step));
    }
    page(&step, head, card)
}

/// What a visitor sees of a widget that is switched off.
pub fn paused_page(widget: &PublicWidget, language: Language) -> String {
    let step = Step::first(widget, language);
    let title = format!("{} · {}", step.words().text(w::PAUSED_TITLE), widget.company_name);
    page(&step, Head { title, more: vec![meta("robots", "noindex")] }, vec![paused_step(&step)])
}

/// `/w/{id}/hosted.js`
pub fn hosted_script(widget: &PublicWidget, runtime: &RuntimeManifest) -> String {
    let files = [&runtime.js, &runtime.wasm].map(|f| json(&format!("/runtime/{}", f.file))).join(",");
    let config = json(&format!("/w/{}/config/{}", widget.id, runtime.js.stem()));
    format!("({})({files},{config},import.meta.url);\n", runtime.scripts.hosted)
}

/// `/w/{id}/theme.css`: the widget's colors, the card and the page around it. One file, because a page is not
/// shown before all of its styles are there.
pub fn theme_css(widget: &PublicWidget) -> String {
    let colors: Vec<String> = widget.palette.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    let rules = [CARD, PARTS, AROUND].map(minify_css).concat();
    format!(":root{{{}}}{rules}", colors.join(";"))
}

/// For people who are sent a link, and for those who search.
fn about_itself(step: &Step<'_>) -> Head {
    let widget = step.widget;
    let title = format!("{} · {}", widget.first_page_title, widget.company_name);
    let property =
        |name: &'static str, content: &str| Node::new("meta").set("property", name).set("content", content.to_owned());
    let here = |language: Language| {
        let query = if language == Language::English { "" } else { "?lang=" };
        let code = if query.is_empty() { "" } else { language.tag() };
        format!("{}/w/{}{query}{code}", widget.base_url, widget.id)
    };
    let alternate = |name: &'static str, language| {
        Node::new("link").set("rel", "alternate").set("hreflang", name).set("href", here(language))
    };
    let texts = step.about();
    let picture = format!("{}/w/{}/preview.png", widget.base_url, widget.id);
    let more = [
        meta("description", texts.description.clone()),
        Node::new("link").set("rel", "canonical").set("href", here(step.language)),
        property("og:type", "website"),
        property("og:site_name", &widget.company_name),
        property("og:title", &widget.first_page_title),
        property("og:description", &texts.description),
        property("og:url", &here(step.language)),
        property("og:locale", texts.locale),
        property("og:image", &picture),
        property("og:image:type", "image/png"),
        property("og:image:width", &PREVIEW[0].to_string()),
        property("og:image:height", &PREVIEW[1].to_string()),
        property("og:image:alt", &texts.picture),
        meta("twitter:card", "summary_large_image"),
    ]
    .into_iter()
    .chain(Language::ALL.map(|l| alternate(l.tag(), l)))
    .chain([alternate("x-default", Language::English)])
    .collect();
    Head { title, more }
}

/// The runtime's files, fetched while the page is drawn.
fn preloads(widget: &PublicWidget, runtime: &RuntimeManifest) -> [Node; 3] {
    [
        Node::new("link")
            .set("rel", "modulepreload")
            .set("href", format!("../runtime/{}", runtime.js.file))
            .set("integrity", runtime.js.integrity.clone()),
        Node::new("link")
            .set("rel", "preload")
            .set("as", "fetch")
            .set("crossorigin", "")
            .set("href", format!("../runtime/{}", runtime.wasm.file)),
        Node::new("script").set("type", "module").set("src", format!("{}/hosted.js", widget.id)),
    ]
}

/// Shown by the script when the runtime does not start: the forms still work.
fn failed(step: &Step<'_>) -> Node {
    let texts = step.about();
    let onward = Node::new("a").set("href", step.href("measure", &[("edit", "")])).text(texts.go_on);
    let call = Node::new("a").set("href", dial(step.widget));
    let call = call.text(step.words().fill(w::CALL, &[("phone", &step.widget.company_phone)]));
    Node::classed("p", "h-note")
        .set("id", "shingle-failed")
        .set("role", "alert")
        .set("hidden", "")
        .text(texts.failed)
        .text(" ")
        .child(onward)
        .text(" · ")
        .child(call)
}
