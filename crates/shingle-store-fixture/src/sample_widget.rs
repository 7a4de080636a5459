//! A widget, for tests and measurements that need one and say nothing about it.

use serde_json::{Value, json};
use shingle_domain::WidgetId;
use shingle_domain::widget::{Widget, WidgetRecord};

/// A button of this id, and its record.
pub fn sample_widget(id: WidgetId) -> (Widget, WidgetRecord) {
    let link = "https://oak.example.com/";
    let fields = json!({
        "referenceId": id,
        "elementType": "button", "elementSize": "medium", "elementLocation": "bottom_right",
        "buttonText": "Get my roof estimate", "buttonTextColor": "#ffffff", "buttonBackgroundColor": "#1a5f3c",
        "bannerText": null, "bannerBackgroundColor": "#1a5f3c",
        "primaryColor": "#1a5f3c", "secondaryColor": "#334455", "backgroundColor": "#ffffff",
        "cardBackgroundColor": "#fafafa", "textColor": "#111111", "linkColor": "#0044cc",
        "footerCompanyName": "Oak", "footerPirvacyPolicyLink": link, "footerTermsOfUseLink": null,
        "footerLogo": null, "footerLogoUrl": null, "removeFooterLogo": false,
        "headerLogo": { "path": "logos/a.png", "width": 300, "height": 150 }, "headerLogoUrl": link,
        "status": "active", "companyName": "Oak Roofing", "companyPhone": "(207) 555-0101",
        "companyEmail": "office@oak.example.com", "companyAddress": "1 Main Street", "companyUrl": link,
        "firstPageTitle": "What would a new roof cost?", "installedPrice": 550,
        "widgetScript": link, "widgetQrCode": link, "hostedQrCode": link, "widgetLink": link, "hostedPageLink": link
    });
    let with_domains = |domains: Value| {
        let mut fields = fields.clone();
        fields["domains"] = domains;
        fields.to_string()
    };
    let record = serde_json::from_str(&with_domains(json!(""))).expect("a widget record");
    (serde_json::from_str(&with_domains(json!([]))).expect("a widget"), record)
}
