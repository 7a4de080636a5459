//! A submitted lead, for tests that need one and say little about it.

use shingle_domain::Email;
use shingle_domain::lead::{LeadSource, ShownEstimate};
use shingle_domain::roof::Alerts;
use shingle_store::{ConsentDraft, LeadDraft};

/// A person of their own for every name, at one address.
///
/// # Panics
/// Where the name gives no e-mail address.
pub fn sample_lead(name: &str) -> LeadDraft {
    LeadDraft {
        address: "14 Alder Court, Portland, ME 04103".to_owned(),
        first_name: name.to_owned(),
        last_name: "Sample".to_owned(),
        email: Some(Email::parse(&format!("{}@example.com", name.to_lowercase())).expect("an e-mail address")),
        phone: None,
        preferred_contact_time: None,
        roof_material: None,
        message: None,
        estimate: Some(ShownEstimate {
            roof_area: 2_480.0,
            squares: 24.8,
            average_roof_pitch: 26.6,
            roof_complexity_level: None,
            structure_present_confidence_score: 100,
            alerts: Alerts::default(),
            prices: vec![],
        }),
        drawing: None,
        shown: None,
        source: LeadSource::default(),
        consent: ConsentDraft {
            given: true,
            text: "Acme Roofing may call me about my roof.".to_owned(),
            page_url: Some("https://acme.example.com/".to_owned()),
            ip: Some("198.51.100.7".to_owned()),
            user_agent: Some("Sample/1.0".to_owned()),
        },
        changes: None,
        added_by: None,
        spam: None,
    }
}
