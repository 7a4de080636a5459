use shingle_domain::widget::{ElementLocation, ElementSize, ElementType, Widget, WidgetLinks, WidgetStatus};

use super::*;
use crate::example;

const LINKS: WidgetLinks<'_> =
    WidgetLinks { base_url: "https://roofs.example/", storage_url: "https://roofs.example/storage" };
const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";

fn runtime() -> RuntimeManifest {
    let file = |name: &str| RuntimeFile { file: name.to_owned(), integrity: "sha384-x".to_owned() };
    RuntimeManifest {
        js: file("runtime.0a1b2c3d4e5f6071.js"),
        wasm: file("runtime.8293a4b5c6d7e8f9.wasm"),
        css: file("widget.f0e1d2c3b4a59687.css"),
        words: [("en", "words.en.5a69788796a5b4c3.json"), ("es", "words.es.c3b4a59687786950.json")]
            .map(|(tag, name)| (tag.to_owned(), file(name)))
            .into(),
    }
}

fn script(widget: &Widget) -> String {
    loader_script(widget, &LINKS, &runtime())
}

fn public(widget: &Widget) -> shingle_domain::public::PublicWidget {
    public_widget(widget, LINKS.base_url, LINKS.storage_url)
}

fn brotli(text: &str) -> usize {
    let mut out = Vec::new();
    let settings = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut text.as_bytes(), &mut out, &settings).unwrap();
    out.len()
}

#[test]
fn loader_and_launcher_stay_within_their_budget() {
    let mut widget = example::widget();
    for size in ElementSize::ALL {
        for place in ElementType::Button.locations() {
            widget.element_size = Some(*size);
            widget.element_location = Some(*place);
            let script = script(&widget);
            let (raw, packed) = (script.len(), brotli(&script));
            println!("{} {}: {raw} raw, {packed} brotli", size.as_str(), place.as_str());
            assert!(packed <= 3_500 && raw <= 10_000, "{raw} raw, {packed} brotli");
        }
    }
}

#[test]
fn a_banner_says_its_text_beside_the_link_and_can_be_hidden() {
    let mut widget = example::widget();
    widget.element_type = Some(ElementType::Banner);
    widget.banner_text = Some("What would a new roof cost?".into());
    for (size, height) in [(ElementSize::Small, "52px"), (ElementSize::Medium, "64px"), (ElementSize::Large, "96px")] {
        for place in ElementType::Banner.locations() {
            (widget.element_size, widget.element_location) = (Some(size), Some(*place));
            let css = launcher_css(&public(&widget));
            assert!(css.contains(&format!("--h:{height}")) && css.contains(&format!("{}:0", place.as_str())), "{css}");
            let script = script(&widget);
            println!("banner {} {}: {} raw, {} brotli", size.as_str(), place.as_str(), script.len(), brotli(&script));
            assert!(script.contains("scroll-padding-"), "the banner's part of the loader");
        }
    }
    let html = launcher(&public(&widget)).unwrap().to_string();
    assert!(html.starts_with(r#"<aside class="sb" aria-label="#), "{html}");
    assert!(html.contains("<p>What would a new roof cost?</p><a class=\"sl\" href="), "{html}");
    assert!(html.ends_with("</button></aside>") && html.contains("Hide this banner"), "{html}");
    widget.element_type = None;
    assert!(!script(&widget).contains("scroll-padding-"), "a button brings nothing of a banner");
}

#[test]
fn the_launcher_is_a_link_to_the_hosted_page() {
    let html = launcher(&public(&example::widget())).unwrap().to_string();
    assert!(
        html.starts_with(&format!(r#"<a class="sl" href="https://roofs.example/w/{ID}" aria-haspopup="dialog""#)),
        "{html}"
    );
    assert!(html.contains("<span>Instant roof estimate</span>"));
}

#[test]
fn a_custom_element_brings_no_launcher_but_still_opens() {
    let mut widget = example::widget();
    widget.element_type = Some(ElementType::Custom);
    assert_eq!(launcher(&public(&widget)), None);
    assert!(script(&widget).contains("[null,[\"dialog\""));
}

#[test]
fn a_launcher_brings_only_the_rules_of_its_size_and_place() {
    let mut widget = example::widget();
    widget.element_size = Some(ElementSize::Large);
    widget.element_location = Some(ElementLocation::SideLeft);
    let side = launcher_css(&public(&widget));
    assert!(
        side.contains("writing-mode:vertical-rl") && side.contains("left:0") && side.contains("--h:60px"),
        "{side}"
    );
    widget.element_size = None;
    widget.element_location = None;
    let corner = launcher_css(&public(&widget));
    assert!(!corner.contains("writing-mode") && !corner.contains("--h:60px"), "{corner}");
    assert_eq!(corner.matches('{').count(), corner.matches('}').count());
}

#[test]
fn hostile_texts_stay_text_everywhere() {
    let hostile = "</script><script>alert(1)</script>\u{2028}\"'&<img src=x onerror=alert(1)>";
    let mut widget = example::widget();
    widget.button_text = Some(hostile.into());
    widget.company_name = hostile.into();
    widget.first_page_title = hostile.into();
    widget.company_address = hostile.into();
    widget.footer_company_name = hostile.into();
    let script = script(&widget);
    assert!(!script.contains("</script") && !script.contains("<img") && !script.contains('\u{2028}'));
    let public = public(&widget);
    for page in [hosted_page(&public, &runtime()), paused_page(&public)] {
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{page}");
        assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    }
    assert!(!hosted_script(&public, &runtime()).contains("</script"));
}

#[test]
fn a_paused_widget_says_why_and_how_to_reach_the_company() {
    let mut widget = example::widget();
    widget.status = WidgetStatus::Inactive;
    let script = script(&widget);
    assert!(script.starts_with("console.warn(") && script.contains(ID) && !script.contains("harborpine"), "{script}");
    let page = paused_page(&public(&widget));
    assert!(page.contains("Online estimates are paused") && page.contains(r#"href="tel:+12075550142""#));
    assert!(!page.contains("<script"));
}

#[test]
fn the_hosted_page_has_nothing_inline_and_names_its_files_by_hash() {
    let page = hosted_page(&public(&example::widget()), &runtime());
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"));
    assert!(page.contains("<title>See what a new roof would cost · Harbor &amp; Pine Roofing</title>"));
    assert!(page.contains(r#"<h1 class="sh-title">See what a new roof would cost</h1>"#));
    assert!(page.contains("../runtime/widget.f0e1d2c3b4a59687.css"));
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick"));
    assert!(page.contains(r#"<link rel="icon""#), "or browsers ask for /favicon.ico");
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains(&format!(r#"<script type="module" src="{ID}/hosted.js"></script>"#)));
}

#[test]
fn the_theme_sets_every_color_of_the_palette() {
    let public = public(&example::widget());
    let css = theme_css(&public);
    for (name, value) in &public.palette {
        assert!(css.contains(&format!("{name}:{value}")), "{name}");
    }
}

#[test]
fn the_loader_carries_who_may_run_it_and_what_to_fetch() {
    let script = script(&example::widget());
    assert!(script.contains(r#"["harborpine.example","www.harborpine.example"]"#));
    assert!(script.contains(r#""https://roofs.example/runtime/runtime.8293a4b5c6d7e8f9.wasm""#));
    assert!(script.contains(r#","https://roofs.example/runtime/words.es.c3b4a59687786950.json"]"#));
    assert!(!script.contains("// "), "comments are for readers of the source");
}
