use shingle_domain::Language::{self, English, Spanish};
use shingle_domain::settings::{FetchAhead, LauncherOffset};
use shingle_domain::widget::{ElementLocation, ElementSize, ElementType, Widget, WidgetLinks, WidgetStatus};

use shingle_domain::{Environment, HexColor, WidgetSettings};

use super::*;
use crate::example;
use crate::words::Words;
use crate::words::flow_words;

const LINKS: WidgetLinks<'_> = WidgetLinks {
    base_url: "https://roofs.example/",
    pages_url: std::borrow::Cow::Borrowed("https://roofs.example/"),
    storage_url: "https://roofs.example/storage",
};
const ID: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";

fn runtime() -> RuntimeManifest {
    let file = |name: &str, sum: &str| RuntimeFile { file: name.to_owned(), integrity: format!("sha256-{sum}") };
    RuntimeManifest {
        js: file("X48E9qOokqqrvdts.js", "X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="),
        wasm: file("LPJNulwow4m6Dsqx.wasm", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="),
        scripts: Scripts { hosted: "hosted", plain: "plain", banner: "banner", card: "card" },
    }
}

fn english() -> Words {
    flow_words(English)
}

fn script(widget: &Widget) -> String {
    loader_script(widget, &WidgetSettings::default(), Environment::Production, &LINKS, &runtime())
}

fn public(widget: &Widget) -> shingle_domain::public::PublicWidget {
    public_widget(widget, &WidgetSettings::default(), English, &LINKS)
}

#[test]
fn the_launcher_speaks_the_pages_language_where_its_text_is_ours() {
    let spanish = |widget: &Widget, settings: &WidgetSettings| {
        let public = public_widget(widget, settings, Spanish, &LINKS);
        (public.button_text, public.banner_text, public.first_page_title)
    };
    let mut widget = example::widget();
    widget.button_text = None;
    widget.first_page_title = "See what a new roof would cost".into();
    let ours = ("Ver el precio de mi techo".to_owned(), None, "Vea cuánto costaría un techo nuevo".to_owned());
    assert_eq!(spanish(&widget, &WidgetSettings::default()), ours);
    let loader = script(&widget);
    assert!(loader.contains("Get my roof estimate") && loader.contains("Ver el precio de mi techo"), "{loader}");

    widget.button_text = Some("Price my roof".into());
    widget.banner_text = Some("A new roof?".into());
    let mut settings = WidgetSettings::default();
    assert_eq!(spanish(&widget, &settings).0, "Price my roof", "the contractor's own words stay");
    settings.texts.es.button_text = Some("Calcular".into());
    settings.texts.es.banner_text = Some("¿Un techo nuevo?".into());
    settings.texts.es.first_page_title = Some("Su techo".into());
    let own = ("Calcular".to_owned(), Some("¿Un techo nuevo?".to_owned()), "Su techo".to_owned());
    assert_eq!(spanish(&widget, &settings), own);
    let english = public_widget(&widget, &settings, English, &LINKS);
    assert_eq!((english.button_text.as_str(), english.banner_text.as_deref()), ("Price my roof", Some("A new roof?")));
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
            assert!(
                script.starts_with("try{(banner)(") && script.contains(&format!(",\"{}\")}}catch", place.as_str())),
                "{script}"
            );
        }
    }
    let html = launcher(&public(&widget), english()).to_string();
    assert!(html.starts_with(r#"<aside class="sb" aria-label="#), "{html}");
    assert!(html.contains("<p>What would a new roof cost?</p><a class=\"sl\" href="), "{html}");
    assert!(html.ends_with("</button></aside>") && html.contains("Hide this banner"), "{html}");
    widget.element_type = None;
    assert!(script(&widget).starts_with("try{(plain)("), "a button brings nothing of a banner");
}

#[test]
fn the_launcher_is_a_link_to_the_hosted_page() {
    let html = launcher(&public(&example::widget()), english()).to_string();
    assert!(
        html.starts_with(&format!(r#"<a class="sl" href="https://roofs.example/w/{ID}" aria-haspopup="dialog""#)),
        "{html}"
    );
    assert!(html.contains("<span>Instant roof estimate</span>"));
}

#[test]
fn a_custom_widget_brings_a_card_for_the_places_that_the_site_gives_it() {
    let mut widget = example::widget();
    widget.element_type = Some(ElementType::Custom);
    let card = launcher(&public(&widget), english()).to_string();
    assert!(
        card.starts_with("<form class=\"sc\" lang=\"en\" aria-label=\"See what a new roof would cost\">"),
        "{card}"
    );
    let script = script(&widget);
    assert!(script.starts_with("try{(card)(") && !script.contains("position:fixed"), "{script}");
    assert!(script.contains(r#""lang":"en""#) && script.contains(r#""lang":"es""#), "in the language of the page");
}

#[test]
fn a_loader_carries_colors_and_measures_in_the_place_of_their_names() {
    let mut widget = example::widget();
    for kind in [None, Some(ElementType::Banner), Some(ElementType::Custom)] {
        widget.element_type = kind;
        let script = script(&widget);
        // Only where the page may put its own value, and for what undoes the page's zoom.
        let own = |name: &&str| !name.starts_with("--shingle-z,") && !name.starts_with("--z)");
        let named: Vec<&str> = script.split("var(").skip(1).filter(own).collect();
        assert_eq!(named, Vec::<&str>::new(), "{script}");
        let palette = crate::palette::Palette::of(&widget);
        let used = if kind.is_none() { "--btn-bg" } else { "--card" };
        let color = palette.get(used).unwrap().replace("#ffffff", "#fff");
        assert!(script.contains(&color) && !script.contains("{--"), "{script}");
    }
}

#[test]
fn a_loader_fetches_ahead_as_the_settings_say_and_moves_its_launcher_into_the_page() {
    let widget = example::widget();
    let script =
        |settings: &WidgetSettings| loader_script(&widget, settings, Environment::Production, &LINKS, &runtime());
    let mut settings = WidgetSettings::default();
    assert!(script(&settings).contains(",10000,\"bottom\")}catch"), "after ten seconds");
    assert!(!script(&settings).contains("margin:0px"));
    settings.fetch_ahead = FetchAhead::Intent;
    assert!(script(&settings).contains(",null,\"bottom\")}catch"), "not before it is needed");
    settings.fetch_ahead = FetchAhead::Idle;
    settings.launcher = LauncherOffset { offset_x: 8, offset_y: 72 };
    assert!(script(&settings).contains(",0,\"bottom\")}catch"), "at once");
    assert!(script(&settings).contains(".sl{margin:72px 8px}"), "{}", script(&settings));
}

#[test]
fn the_configuration_holds_the_widget_and_all_words_of_one_language() {
    for language in Language::ALL {
        let read: serde_json::Value =
            serde_json::from_str(&config_json(&public(&example::widget()), language)).unwrap();
        assert_eq!(read["widget"]["companyName"], "Harbor & Pine Roofing");
        assert_eq!(read["words"][0], language.tag());
        assert_eq!(read["words"].as_array().unwrap().len(), flow_words(language).flow().len());
        let parts = read["parts"].as_array().unwrap();
        assert!(parts.len() == 11 && parts.iter().all(|part| part.as_str().unwrap().starts_with("[[")), "{parts:?}");
    }
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
    for page in [hosted_page(&public, English, Some(&runtime())), paused_page(&public, English)] {
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
    let page = paused_page(&public(&widget), English);
    assert!(page.contains("Online estimates are paused") && page.contains(r#"href="tel:+12075550142""#));
    assert!(!page.contains("<script"));
}

#[test]
fn the_hosted_page_has_nothing_inline_and_names_its_files_by_hash() {
    let page = hosted_page(&public(&example::widget()), English, Some(&runtime()));
    assert!(page.starts_with("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"));
    assert!(page.contains("<title>See what a new roof would cost · Harbor &amp; Pine Roofing</title>"));
    assert!(page.contains(r#"<h1 class="sh-title" id="sh-title">See what a new roof would cost</h1>"#));
    assert!(page.contains("../runtime/X48E9qOokqqrvdts.js"));
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick"));
    assert!(page.contains(r#"<link rel="icon""#), "or browsers ask for /favicon.ico");
    assert_eq!(page.matches("<script").count(), 1);
    assert!(page.contains(&format!(r#"<script type="module" src="{ID}/hosted.js"></script>"#)));
}

#[test]
fn the_first_step_is_a_form_that_needs_no_script() {
    let page = hosted_page(&public(&example::widget()), English, None);
    assert!(page.contains(&format!(r#"<form method="get" action="{ID}/measure" id="sh-form">"#)), "{page}");
    assert!(
        page.contains(r#"name="address""#)
            && page.contains(r#"<button class="sh-btn primary" type="submit" form="sh-form">"#)
    );
    assert!(page.contains(r#"viewBox="-110 -100 780 744""#), "the example roof");
    assert!(!page.contains("<script") && !page.contains("/runtime/"), "a build without the runtime");
}

#[test]
fn the_page_speaks_the_language_it_is_asked_for_and_names_the_other() {
    let public = public(&example::widget());
    for (language, code, other) in [(English, "en", "Español"), (Spanish, "es", "English")] {
        let page = hosted_page(&public, language, Some(&runtime()));
        assert!(page.contains(&format!(r#"<html lang="{code}">"#)));
        assert!(page.contains(&format!(r#"name="lang" value="{code}""#)), "the steps speak it too");
        assert!(page.contains(&format!(">{other}</a>")));
        for (name, query) in [("en", ""), ("es", "?lang=es"), ("x-default", "")] {
            let link =
                format!(r#"<link rel="alternate" hreflang="{name}" href="https://roofs.example/w/{ID}{query}">"#);
            assert!(page.contains(&link), "{link}");
        }
    }
}

#[test]
fn a_link_to_the_page_shows_a_picture_of_it() {
    let page = hosted_page(&public(&example::widget()), English, Some(&runtime()));
    for (name, content) in [
        ("og:title", "See what a new roof would cost"),
        ("og:site_name", "Harbor &amp; Pine Roofing"),
        ("og:url", &format!("https://roofs.example/w/{ID}")),
        ("og:image", &format!("https://roofs.example/w/{ID}/preview.png")),
        ("og:image:width", "1200"),
        ("og:image:height", "630"),
        ("og:image:alt", "The logo of Harbor &amp; Pine Roofing beside a roof drawn from above"),
        ("og:locale", "en_US"),
    ] {
        assert!(page.contains(&format!(r#"<meta property="{name}" content="{content}">"#)), "{name}");
    }
    assert!(page.contains(r#"<meta name="twitter:card" content="summary_large_image">"#));
    assert!(page.contains(r##"<meta name="theme-color" content="#edf1f5">"##));
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
    // The module has the script's name, and the script its sum.
    assert!(script.contains("X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE="), "{script}");
    assert!(!script.contains("LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="), "{script}");
    let link = format!(r#"{{href:"https://roofs.example/w/{ID}",textContent:"See what a new roof would cost"}}"#);
    assert!(script.contains(&link), "where it fails there is a link: {script}");
}

#[test]
fn a_logo_that_cannot_be_told_from_what_it_stands_on_gets_a_ground_of_its_own() {
    let mut widget = example::widget();
    let class = |widget: &Widget| {
        let page = hosted_page(&public(widget), English, Some(&runtime()));
        let logo = page.split("class=\"h-logo").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let config = config_json(&public(widget), English);
        let head = config.split("sh-logo").nth(1).unwrap().split('\\').next().unwrap().to_owned();
        (logo, head)
    };
    widget.header_logo.tones = Some(shingle_domain::color::Tones([0, 0, 1, 2, 3]));
    assert_eq!(class(&widget), (String::new(), String::new()), "dark on light");
    widget.card_background_color = HexColor::parse("#181d22").unwrap();
    assert_eq!(class(&widget), (String::new(), " on-light".to_owned()), "the page behind the card is still light");
    widget.background_color = HexColor::parse("#000000").unwrap();
    assert_eq!(class(&widget).0, " on-light");
    widget.header_logo.tones = None;
    assert_eq!(class(&widget), (String::new(), String::new()), "it brings its own ground");
}

#[test]
fn every_building_that_can_be_offered_is_shaded_while_it_is_not_picked() {
    let style = theme_css(&public(&example::widget()));
    let shaded =
        |n: usize| style.matches(&format!("[data-picked]:not([data-picked~=\"{n}\"]) [data-building=\"{n}\"]")).count();
    let offered = shingle_domain::home_roof::BuildingSet::MAX_BUILDINGS;
    assert!((0..offered).all(|n| shaded(n) == 2), "its opacity, and its fill");
    assert_eq!(shaded(offered), 0);
}
