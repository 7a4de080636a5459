//! `/w/{id}`: the same flow as a page of its own, and the page of a widget that is switched off. Both stand
//! under a strict content policy: nothing inline. Addresses are relative to the page, so it works under
//! whatever name the service is reached by.

use shingle_domain::public::PublicWidget;

use super::RuntimeManifest;
use super::lean::lean_css;
use super::loader::json;
use super::node::{Node, node};
use crate::words::{Language, fill, w};

const STYLE: &str = include_str!("../../../../www/hosted.css");

/// The page with its first step drawn; `hosted_script` brings it to life.
pub fn hosted_page(widget: &PublicWidget, runtime: &RuntimeManifest) -> String {
    let id = widget.id;
    let preload = [
        node("link")
            .set("rel", "modulepreload")
            .set("href", format!("../runtime/{}", runtime.js.file))
            .set("integrity", &runtime.js.integrity),
        node("link")
            .set("rel", "preload")
            .set("as", "fetch")
            .set("crossorigin", "")
            .set("href", format!("../runtime/{}", runtime.wasm.file)),
        node("link")
            .set("rel", "stylesheet")
            .set("href", format!("../runtime/{}", runtime.css.file))
            .set("integrity", &runtime.css.integrity),
        node("script").set("type", "module").set("src", format!("{id}/hosted.js")),
    ];
    let title = format!("{} · {}", widget.first_page_title, widget.company_name);
    let description = format!(
        "Type an address, see the roof from above and what {} would charge for a new one.",
        widget.company_name
    );
    let call = |text: &str| node("p").text(fill(text, &[("company", &widget.company_name)])).child(telephone(widget));
    let card = node("main").class("h-card").children([
        first_step(widget),
        call("The estimate could not start in this browser. {company} is a call away: ")
            .class("h-note")
            .set("id", "shingle-failed")
            .set("role", "alert")
            .set("hidden", ""),
        node("noscript")
            .child(call("Online estimates need JavaScript. You can reach {company} directly: ").class("h-note")),
    ]);
    page(widget, &title, &description, preload, card)
}

/// What a visitor sees of a widget that is switched off.
pub fn paused_page(widget: &PublicWidget) -> String {
    let words = Language::English.words();
    let title = format!("{} · {}", &words[w::PAUSED_TITLE], widget.company_name);
    let text = words.fill(w::PAUSED_LEAD, &[("company", &widget.company_name)]);
    let card = node("main").class("h-card").child(node("section").class("h-note").children([
        node("h1").text(&words[w::PAUSED_TITLE]),
        node("p").text(&text),
        node("p").child(telephone(widget)),
        node("p").child(link(&format!("mailto:{}", widget.company_email), &widget.company_email)),
    ]));
    let head = [node("meta").set("name", "robots").set("content", "noindex")];
    page(widget, &title, &text, head, card)
}

/// `/w/{id}/hosted.js`
pub fn hosted_script(widget: &PublicWidget, runtime: &RuntimeManifest) -> String {
    let files = [&runtime.js, &runtime.wasm].map(|f| json(&format!("/runtime/{}", f.file))).join(",");
    let config = json(&format!("/w/{}/config/{}", widget.id, runtime.js.stem()));
    format!("({})({files},{config},import.meta.url);\n", runtime.scripts.hosted)
}

/// `/w/{id}/theme.css`: the widget's colours and the page around the card.
pub fn theme_css(widget: &PublicWidget) -> String {
    let colors: Vec<String> = widget.palette.iter().map(|(name, value)| format!("{name}:{value}")).collect();
    format!(":root{{{}}}{}", colors.join(";"), lean_css(STYLE))
}

fn page(
    widget: &PublicWidget,
    title: &str,
    description: &str,
    head: impl IntoIterator<Item = Node>,
    card: Node,
) -> String {
    let meta = |name: &'static str, content: &str| node("meta").set("name", name).set("content", content);
    let property = |name: &'static str, content: &str| node("meta").set("property", name).set("content", content);
    let here = format!("{}/w/{}", widget.base_url, widget.id);
    let head = node("head")
        .children([
            node("meta").set("charset", "utf-8"),
            meta(
                "viewport",
                "width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content",
            ),
            node("title").text(title),
            meta("description", description),
            property("og:title", title),
            property("og:description", description),
            property("og:type", "website"),
            property("og:url", &here),
            property("og:image", &widget.header_logo.url),
            node("link").set("rel", "canonical").set("href", &here),
            // Without one, browsers ask for /favicon.ico.
            node("link")
                .set("rel", "icon")
                .set("href", &widget.footer_logo.as_ref().unwrap_or(&widget.header_logo).url),
        ])
        .children(head)
        .child(node("link").set("rel", "stylesheet").set("href", format!("{}/theme.css", widget.id)));
    let logo = &widget.header_logo;
    let top = node("header").class("h-top").children([
        node("img")
            .class("h-logo")
            .set("src", &logo.url)
            .set("alt", &widget.company_name)
            .set("width", logo.width.to_string())
            .set("height", logo.height.to_string()),
        node("p").child(link(&widget.company_url, &shown(&widget.company_url))),
    ]);
    let about = node("footer").class("h-about").children([
        node("p").child(node("b").text(&widget.company_name)).child(node("br")).text(&widget.company_address),
        node("p")
            .child(telephone(widget))
            .child(node("br"))
            .child(link(&format!("mailto:{}", widget.company_email), &widget.company_email)),
    ]);
    let body = node("body").class("hosted").children([top, card, about]);
    format!("<!doctype html>\n{}\n", node("html").set("lang", "en").child(head).child(body))
}

/// The address step, drawn before the runtime is there; the runtime takes over what was typed.
fn first_step(widget: &PublicWidget) -> Node {
    let words = Language::English.words();
    let steps = (0..4).map(|i| {
        let step = node("li").text(&words[w::STEPS.at(i)]);
        if i == 0 { step.class("now").set("aria-current", "step") } else { step }
    });
    let progress = node("div").class("sh-progress").children([
        node("ol").children(steps),
        node("p").text(words.number(w::STEP_OF, 1) + " · ").child(node("b").text(&words[w::STEPS.at(0)])),
    ]);
    let field = node("div").class("sh-combo sh-field").children([
        node("label").set("for", "sh-address").text(&words[w::ADDRESS_LABEL]),
        node("input")
            .class("sh-input")
            .set("id", "sh-address")
            .set("type", "text")
            .set("autocomplete", "street-address")
            .set("placeholder", &words[w::ADDRESS_PLACEHOLDER]),
    ]);
    let say = |word| words.fill(word, &[("company", &widget.company_name)]);
    let inner = node("div").class("sh-inner").children([
        node("h1").class("sh-title").text(&widget.first_page_title),
        node("p").class("sh-lead").text(say(w::ADDRESS_LEAD)),
        field,
        node("p").class("sh-hint").text(say(w::ADDRESS_PROMISE)),
    ]);
    let go = node("button")
        .class("sh-btn primary")
        .set("type", "button")
        .set("aria-disabled", "true")
        .text(&words[w::ADDRESS_GO]);
    node("div").set("id", "shingle").child(node("div").class("sh page").children(
        [
            node("header").class("sh-head").child(progress),
            node("div").class("sh-body").children([
                node("div").class("sh-main sh-scroll").child(inner),
                node("div").class("sh-actions").child(go),
            ]),
        ],
    ))
}

fn telephone(widget: &PublicWidget) -> Node {
    link(&format!("tel:{}", widget.company_phone_dial), &widget.company_phone)
}

fn link(href: &str, text: &str) -> Node {
    let away = href.starts_with("http");
    let link = node("a").set("href", href).text(text);
    if away { link.set("rel", "noopener noreferrer nofollow") } else { link }
}

/// A web address as people write it.
fn shown(url: &str) -> String {
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches('/').to_owned()
}
