use proptest::prelude::*;

use super::{Fields, WidgetDraft, WidgetPatch};
use crate::id::Environment;
use crate::money::Usd;
use crate::widget::{ElementLocation, ElementType, StoredImage, Widget, WidgetLinks};

pub(crate) const OAK: [(&str, &str); 16] = [
    ("referenceId", "7B0E3F3A-6f0a-4c58-9a52-2a2f6e7f0c11"),
    ("primaryColor", "#0B3D91"),
    ("secondaryColor", "#f28c28"),
    ("backgroundColor", "#f5f7fa"),
    ("cardBackgroundColor", "fff"),
    ("textColor", "#1c2733"),
    ("linkColor", "#0b57d0"),
    ("footerCompanyName", "Oak Roofing"),
    ("footerPirvacyPolicyLink", "oak.example.com/privacy"),
    ("status", "active"),
    ("companyName", "Oak Roofing"),
    ("companyPhone", "(757) 555-0134"),
    ("companyEmail", "hello@oak.example.com"),
    ("companyAddress", "1 Main St\r\nPortland"),
    ("companyUrl", "https://www.oak.example.com"),
    ("firstPageTitle", "What would a new roof cost?"),
];

const LOGO: &str = "logo/1.png";

fn draft(changes: &[(&str, &str)]) -> Result<WidgetDraft, Vec<String>> {
    let kept = OAK.into_iter().filter(|(n, _)| !changes.iter().any(|(c, _)| c == n));
    WidgetDraft::parse(&Fields::from_pairs(kept.chain(changes.iter().copied())), true).map_err(|v| v.messages())
}

fn widget(changes: &[(&str, &str)]) -> Widget {
    draft(changes).unwrap().into_widget(StoredImage { path: LOGO.into(), width: 300, height: 150, tones: None }, None)
}

fn patched(widget: &Widget, changes: &[(&str, &str)]) -> Result<Widget, Vec<String>> {
    let fields = Fields::from_pairs(changes.iter().copied());
    WidgetPatch::parse(&fields).and_then(|p| p.apply(widget)).map_err(|v| v.messages())
}

#[test]
fn a_minimal_widget_takes_its_defaults() {
    let links = WidgetLinks {
        base_url: "https://roofs.example/",
        pages_url: std::borrow::Cow::Borrowed("https://roofs.example/"),
        storage_url: "https://roofs.example/storage",
    };
    let record = widget(&[]).record(&links, Usd::from_dollars(650));
    let id = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
    assert_eq!(record.reference_id.to_string(), id);
    assert_eq!(record.element_location, Some(ElementLocation::BottomRight));
    assert_eq!(record.button_text_color.as_str(), "#ffffff");
    assert_eq!(record.button_background_color.as_str(), "#0b3d91");
    assert_eq!(record.footer_pirvacy_policy_link.as_str(), "https://oak.example.com/privacy");
    assert_eq!(record.installed_price, Usd::from_dollars(650));
    assert_eq!(record.header_logo_url, "https://roofs.example/storage/logo/1.png");
    assert_eq!(record.widget_script, format!(r#"<script async src="https://roofs.example/w/{id}.js"></script>"#));
    assert_eq!(record.widget_link, format!("https://roofs.example/go/{id}"));
    assert_eq!(record.hosted_page_link, format!("https://roofs.example/w/{id}"));
    assert_eq!(record.hosted_qr_code, format!("https://roofs.example/storage/qr/{id}-hosted-0b3d91.png"));
}

#[test]
fn a_widget_reads_back_from_its_own_json() {
    let widget = widget(&[("domains", "a.example, *.b.example"), ("installedPrice", "612.5")]);
    let json = serde_json::to_string(&widget).unwrap();
    assert_eq!(serde_json::from_str::<Widget>(&json).unwrap(), widget);
}

#[test]
fn a_missing_header_logo_is_reported_after_the_fields() {
    let complain = |pairs: &[(&str, &str)]| {
        WidgetDraft::parse(&Fields::from_pairs(pairs.iter().copied()), false).unwrap_err().messages()
    };
    assert_eq!(complain(&OAK), ["headerLogo should not be empty"]);
    assert!(!complain(&[]).contains(&"headerLogo should not be empty".to_owned()));
}

#[test]
fn a_location_of_the_wrong_group_is_refused_on_create_and_update() {
    let banner = "elementLocation must be one of the following values when elementType is banner: top, bottom";
    let sent = [("elementType", "banner"), ("elementLocation", "side_left")];
    assert_eq!(draft(&sent).unwrap_err(), [banner]);
    assert_eq!(patched(&widget(&[]), &sent).unwrap_err(), [banner]);
    assert_eq!(
        patched(&widget(&[]), &[("elementLocation", "top")]).unwrap_err(),
        [
            "elementLocation must be one of the following values when elementType is button: bottom_right, bottom_left, side_right, side_left"
        ]
    );
    assert_eq!(
        draft(&[("elementType", "custom"), ("elementLocation", "top")]).unwrap_err(),
        ["elementLocation should be empty when elementType is custom"]
    );
}

#[test]
fn a_new_type_of_element_forgets_a_location_it_cannot_have() {
    let side = widget(&[("elementLocation", "side_left")]);
    let banner = patched(&side, &[("elementType", "banner")]).unwrap();
    assert_eq!(banner.element_location(), Some(ElementLocation::Bottom));
    let custom = patched(&side, &[("elementType", "custom")]).unwrap();
    assert_eq!((custom.element_type(), custom.element_location()), (ElementType::Custom, None));
}

#[test]
fn an_update_changes_what_it_names_and_nothing_else() {
    let before = widget(&[("buttonText", "Go"), ("bannerText", "Hi"), ("domains", "a.example")]);
    assert_eq!(patched(&before, &[]).unwrap(), before);
    let after = patched(&before, &[("buttonText", ""), ("status", "inactive"), ("domains", "")]).unwrap();
    assert_eq!(after.button_text(), "Get my roof estimate");
    assert!(!after.is_active());
    assert_eq!(after.banner_text.as_deref(), Some("Hi"));
    assert_eq!(after.allowed_hosts(), ["oak.example.com", "www.oak.example.com"]);
}

#[test]
fn the_footer_logo_goes_only_when_asked() {
    let mut before = widget(&[]);
    before.footer_logo = Some(StoredImage { path: "logo/2.png".into(), width: 24, height: 24, tones: None });
    assert!(patched(&before, &[("removeFooterLogo", "false")]).unwrap().footer_logo.is_some());
    assert_eq!(patched(&before, &[("removeFooterLogo", "TRUE")]).unwrap().footer_logo, None);
}

#[test]
fn domains_are_echoed_as_sent_and_compared_tidied() {
    let widget = widget(&[("domains", "Oak.example.com, https://*.oak.example/,localhost:8080")]);
    let links = WidgetLinks { base_url: "", pages_url: std::borrow::Cow::Borrowed(""), storage_url: "" };
    let record = widget.record(&links, Usd::from_dollars(1));
    assert_eq!(record.domains, "Oak.example.com, https://*.oak.example/,localhost:8080");
    let allows = |host| widget.allows_page(host, Environment::Production);
    assert!(allows("oak.example.com") && allows("shop.oak.example") && allows("localhost"));
    assert!(!allows("oak.example") && !allows("evil.example"));
    let rule = "domains must be a comma-separated list of domain names";
    let many = "oak.example.com,".repeat(250);
    assert!(draft(&[("domains", &many)]).is_ok(), "a list of 4,000 characters");
    assert_eq!(
        draft(&[("domains", &format!("{many}x"))]).unwrap_err(),
        ["domains must be shorter than or equal to 4000 characters"]
    );
    for text in ["a.example,,b.example", "a.example/x", "nope", "a.example b.example"] {
        assert_eq!(draft(&[("domains", text)]).unwrap_err(), [rule], "{text}");
    }
}

#[test]
fn a_sandbox_widget_runs_on_ones_own_machine_and_in_files_and_a_production_widget_does_not() {
    let widget = widget(&[("domains", "oak.example.com,localhost")]);
    let hosts = |environment| widget.page_hosts(environment);
    assert_eq!(hosts(Environment::Sandbox), ["oak.example.com", "localhost", "127.0.0.1", ""]);
    assert_eq!(hosts(Environment::Production), ["oak.example.com", "localhost"]);
    assert!(widget.allows_page("", Environment::Sandbox) && widget.allows_page("127.0.0.1", Environment::Sandbox));
    assert!(
        !widget.allows_page("", Environment::Production) && !widget.allows_page("127.0.0.1", Environment::Production)
    );
    assert!(!widget.allows_page("evil.example", Environment::Sandbox));
}

#[test]
fn a_field_that_the_document_does_not_name_is_dropped_and_named() {
    let before = widget(&[]);
    assert_eq!(patched(&before, &[("favouriteAnimal", "cat")]).unwrap(), before);
    assert_eq!(
        patched(&before, &[("favouriteAnimal", "cat"), ("status", "on")]).unwrap_err(),
        ["status must be one of the following values: active, inactive"]
    );
    draft(&[("footerPrivacyPolicyLink", "https://oak.example.com/privacy")]).unwrap();
    for (name, is_ignored) in [
        ("favouriteAnimal", true),
        ("footerPrivacyPolicyLink", true),
        ("companyNme", true),
        ("CompanyName", true),
        ("company_name", true),
        (" status", true),
        ("", true),
        ("__proto__", true),
        ("headerLogos", true),
        ("domains[]", true),
        ("status", false),
        ("footerPirvacyPolicyLink", false),
        ("widgetScript", false),
        ("headerLogo", false),
    ] {
        let fields = Fields::from_pairs([(name, "x"), ("buttonText", "Hello")]);
        assert_eq!(WidgetPatch::ignored(&fields) == [name], is_ignored, "{name}");
    }
    let links = WidgetLinks {
        base_url: "https://a.example",
        pages_url: std::borrow::Cow::Borrowed("https://a.example"),
        storage_url: "https://a.example/storage",
    };
    let record = serde_json::to_value(before.record(&links, Usd::from_dollars(650))).unwrap();
    let whole: Vec<(String, String)> = record
        .as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let whole = Fields::from_pairs(whole);
    assert!(WidgetPatch::ignored(&whole).is_empty());
    WidgetPatch::parse(&whole).expect("a whole record may be sent back");
}

#[test]
fn a_repeated_form_field_is_not_a_string() {
    let twice = OAK.into_iter().chain([("companyEmail", "b@c.de"), ("buttonText", "a"), ("buttonText", "b")]);
    assert_eq!(
        WidgetDraft::parse(&Fields::from_pairs(twice), true).unwrap_err().messages(),
        ["buttonText must be a string", "companyEmail must be a string", "companyEmail must be an email"]
    );
}

#[test]
fn hostile_texts_and_links_are_refused_by_name() {
    let link = format!("https://oak.example.com/{}", "x".repeat(2_048));
    assert_eq!(
        draft(&[
            ("companyName", "Oak\0"),
            ("firstPageTitle", "\u{202e}eman"),
            ("companyAddress", "1 Main\u{7} St"),
            ("companyUrl", "https://good.com@evil.com"),
            ("footerPirvacyPolicyLink", link.as_str()),
        ])
        .unwrap_err(),
        [
            "footerPirvacyPolicyLink must be a URL address",
            "companyName must not contain control characters",
            "companyAddress must not contain control characters",
            "companyUrl must be a URL address",
            "firstPageTitle must not contain control characters",
        ]
    );
    let script = "<script>alert('x')</script>";
    assert_eq!(widget(&[("companyName", script)]).company_name, script, "markup is text like any other");
}

proptest! {
    #[test]
    fn no_form_makes_the_parser_panic(values in proptest::collection::vec((0..OAK.len(), any::<String>()), 0..12)) {
        let pairs = values.iter().map(|(i, v)| (OAK[*i].0, v.as_str()));
        let fields = Fields::from_pairs(OAK.into_iter().take(3).chain(pairs));
        let _ = (WidgetDraft::parse(&fields, true), WidgetPatch::parse(&fields));
    }
}

#[test]
fn a_formatted_field_that_is_too_long_gets_its_format_message_alone() {
    let long = "x".repeat(3_000);
    for (name, sent, rule) in [
        ("companyEmail", format!("{long}@oak.example.com"), "must be an email"),
        ("companyUrl", format!("https://oak.example.com/{long}"), "must be a URL address"),
        ("primaryColor", format!("#{long}"), "must be a hexadecimal color"),
        ("status", long, "must be one of the following values: active, inactive"),
    ] {
        assert_eq!(draft(&[(name, &sent)]).unwrap_err(), [format!("{name} {rule}")]);
    }
}

#[test]
fn the_list_of_domains_may_have_four_thousand_characters() {
    let entry = "roofs.example.com,";
    let longest = format!("{}{}.example.com", entry.repeat(220), "x".repeat(28));
    assert_eq!(longest.len(), 4_000);
    assert!(draft(&[("domains", &longest)]).is_ok());
    let rule = "domains must be shorter than or equal to 4000 characters";
    assert_eq!(draft(&[("domains", &format!("{longest}m"))]).unwrap_err(), [rule]);
}
