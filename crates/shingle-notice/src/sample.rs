//! One lead with everything in it, for the tests and for `examples/mails.rs`. All of it is invented.

use serde_json::{Result, from_value, json};
use shingle_domain::lead::Lead;
use shingle_domain::roof::{Dimension, RoofDrawing, Side};
use shingle_domain::widget::Widget;
use shingle_widget::plan;

pub fn widget() -> Result<Widget> {
    from_value(json!({
        "referenceId": "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11",
        "elementType": null, "elementSize": null, "elementLocation": null,
        "buttonText": null, "buttonTextColor": null, "buttonBackgroundColor": null,
        "bannerText": null, "bannerBackgroundColor": null,
        "primaryColor": "#7A2E1D", "secondaryColor": "#2F5062", "backgroundColor": "#F3EFEC",
        "cardBackgroundColor": "#FFFFFF", "textColor": "#1E2329", "linkColor": "#1A5A9E",
        "footerCompanyName": "Quillback Roofing LLC",
        "footerPirvacyPolicyLink": "https://www.quillback.example/privacy",
        "footerTermsOfUseLink": null, "footerLogo": null,
        "headerLogo": { "path": "logo/7f0c11a2b3c4d5e6.png", "width": 300, "height": 100 },
        "status": "active",
        "companyName": "Quillback Roofing", "companyPhone": "(207) 555-0199",
        "companyEmail": "office@quillback.example",
        "companyAddress": "88 Wharf Street, Portland, ME 04101",
        "companyUrl": "https://www.quillback.example/",
        "domains": [], "firstPageTitle": "See what a new roof would cost", "installedPrice": null,
    }))
}

pub fn lead() -> Result<Lead> {
    let price = |material: &str, per: i64, cost: i64, low: i64, high: i64| json!({ "material": material, "pricePerSquare": per, "cost": cost, "low": low, "high": high });
    from_value(json!({
        "id": "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a",
        "widgetId": "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11",
        "status": "new",
        "address": "14 Alder Court, Portland, ME 04103",
        "firstName": "Dana", "lastName": "Whitfield",
        "email": "dana.whitfield@example.com", "phone": "(207) 555-0163",
        "preferredContactTime": "morning", "roofMaterial": "asphalt shingle",
        "answers": {
            "roofAge": "over-20", "leak": "leak", "planned": "now", "contactBy": "text", "contactTime": "evening",
            "note": "Ring the side door.",
        },
        "message": "Side gate is open. Friendly dog in the yard.\nThe ladder is behind the shed.",
        "estimate": {
            "roofArea": 2480.0, "squares": 24.8, "averageRoofPitch": 26.57, "roofComplexityLevel": "average",
            "structurePresentConfidenceScore": 94,
            "alerts": { "roofPitchAlert": "NO_ALERTS", "roofAreaAlert": "HIGH_AREA" },
            "prices": [
                price("asphalt shingle", 650, 16_120, 14_500, 17_700),
                price("slate", 2_100, 52_080, 46_900, 57_300),
                price("tile", 1_450, 35_960, 32_400, 39_600),
                price("metal", 1_200, 29_760, 26_800, 32_700),
            ],
        },
        "source": {
            "via": "embed",
            "pageUrl": "https://www.quillback.example/roof-replacement",
            "referrer": "https://search.example/",
            "utmSource": "newsletter", "utmMedium": "email", "utmCampaign": "fall-2026",
            "utmTerm": "new roof", "utmContent": "header",
            "clickId": "gclid=EAIaIQobChMI0",
        },
        "consent": {
            "given": true, "text": "I agree that Quillback Roofing may call or text me.", "textHash": "00",
            "at": "2026-11-24T23:10:00Z", "pageUrl": null, "ip": "192.0.2.7", "userAgent": null,
        },
        "createdAt": "2026-11-24T23:12:00Z", "updatedAt": "2026-11-24T23:12:00Z",
    }))
}

/// The roof of the flow's first step, with its lengths.
pub fn drawing() -> RoofDrawing {
    let dimensions = vec![
        Dimension { side: Side::North, from: [0, 0], to: [560, 0], length: 560 },
        Dimension { side: Side::East, from: [560, 0], to: [560, 534], length: 534 },
        Dimension { side: Side::South, from: [330, 534], to: [560, 534], length: 230 },
        Dimension { side: Side::West, from: [0, 0], to: [0, 300], length: 300 },
    ];
    RoofDrawing { dimensions, ..plan::example() }
}
