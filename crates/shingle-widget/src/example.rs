//! A realistic widget for the tests of this crate.

use shingle_domain::public::{BuildingChoice, MeasureMethod, Provenance, RoofFound};
use shingle_domain::roof::{Alerts, RoofDrawing};
use shingle_domain::rules::{Fields, WidgetDraft};
use shingle_domain::widget::{StoredImage, Widget};

pub fn widget() -> Widget {
    let fields = Fields::from_pairs([
        ("referenceId", "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11"),
        ("buttonText", "Instant roof estimate"),
        ("buttonBackgroundColor", "#F28A1E"),
        ("buttonTextColor", "#10233A"),
        ("primaryColor", "#14365C"),
        ("secondaryColor", "#C65A11"),
        ("backgroundColor", "#EDF1F5"),
        ("cardBackgroundColor", "#FFFFFF"),
        ("textColor", "#17212B"),
        ("linkColor", "#1B5FA8"),
        ("footerCompanyName", "Harbor & Pine Roofing Co."),
        ("footerPirvacyPolicyLink", "https://www.harborpine.example/privacy"),
        ("footerTermsOfUseLink", "https://www.harborpine.example/terms"),
        ("status", "active"),
        ("companyName", "Harbor & Pine Roofing"),
        ("companyPhone", "(207) 555-0142"),
        ("companyEmail", "hello@harborpine.example"),
        ("companyAddress", "88 Wharf Street, Portland, ME 04101"),
        ("companyUrl", "https://www.harborpine.example/"),
        ("domains", "harborpine.example, www.harborpine.example"),
        ("firstPageTitle", "See what a new roof would cost"),
    ]);
    let logo = |path: &str, width, height| StoredImage { path: path.to_owned(), width, height, tones: None };
    WidgetDraft::parse(&fields, true)
        .unwrap()
        .into_widget(logo("logo/7f0c11a2b3c4d5e6.png", 300, 150), Some(logo("logo/2a2f6e7f0c11aabb.png", 24, 24)))
}

pub fn building(label: &str, area: u32) -> BuildingChoice {
    BuildingChoice {
        label: label.into(),
        area,
        drawing: Some(RoofDrawing { width: 560, height: 534, ..RoofDrawing::default() }),
        at: [0, 0],
        ground: 2218,
        longest_sides: Some([560, 534]),
        shape: "Hip, L-shaped".into(),
        no_price: None,
    }
}

pub fn found(buildings: Vec<BuildingChoice>) -> RoofFound {
    RoofFound {
        key: "place-14".into(),
        street: "14 Alder Court".into(),
        city: "Portland, ME 04103".into(),
        buildings,
        confidence: 100,
        alerts: Alerts::default(),
        provenance: Provenance {
            method: MeasureMethod::Outline,
            year: Some("2021".into()),
            source: "outlines".into(),
            invented: false,
        },
        around: None,
        photo: None,
        photo_of_homes: None,
    }
}
