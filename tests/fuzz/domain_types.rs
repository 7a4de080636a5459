//! Domain types: links, colors, forms and leads.

use proptest::prelude::*;
use shingle_domain::host::parse_host;
use shingle_domain::lead::LeadSource;
use shingle_domain::lookup::{LookupQuery, Product};
use shingle_domain::public::{AddressChoice, ConsentChoice, LeadSubmission};
use shingle_domain::rules::{Fields, NewLead, WidgetDraft};
use shingle_domain::text::{is_clean, is_clean_block};
use shingle_domain::{Email, HexColor, Phone, SafeUrl, Timestamp};

use super::{corpus, text};

const LOOKUP: [&str; 11] = [
    "streetNumber",
    "streetAddress",
    "city",
    "state",
    "zip",
    "address",
    "lastName",
    "leadIntegrityScoreOn",
    "roofMaterial",
    "installedPrice",
    "include",
];

const WIDGET: [&str; 26] = [
    "referenceId",
    "elementType",
    "elementSize",
    "elementLocation",
    "buttonText",
    "buttonTextColor",
    "buttonBackgroundColor",
    "bannerText",
    "bannerBackgroundColor",
    "primaryColor",
    "secondaryColor",
    "backgroundColor",
    "cardBackgroundColor",
    "textColor",
    "linkColor",
    "footerCompanyName",
    "footerPirvacyPolicyLink",
    "status",
    "companyName",
    "companyPhone",
    "companyEmail",
    "companyAddress",
    "companyUrl",
    "domains",
    "firstPageTitle",
    "installedPrice",
];

/// A valid form, to be corrupted in places.
const VALID: [&str; 26] = [
    "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11",
    "button",
    "medium",
    "bottom_right",
    "Estimate",
    "#fff",
    "#000000",
    "",
    "#00000080",
    "#8c3b24",
    "#2f4858",
    "#f6f1e9",
    "#ffffff",
    "#22262a",
    "#8c3b24",
    "Quillback",
    "https://quillback.example/privacy",
    "active",
    "Quillback",
    "(207) 555-0143",
    "hello@quillback.example",
    "6 Ropewalk Lane",
    "https://quillback.example",
    "quillback.example",
    "See what a roof costs",
    "650",
];

fn fields(names: &'static [&'static str]) -> impl Strategy<Value = Vec<(&'static str, String)>> {
    prop::collection::vec((prop::sample::select(names), text()), 0..16)
}

fn an_accepted_link_is_safe(text: &str) -> Result<(), TestCaseError> {
    if let Some(link) = SafeUrl::parse(text) {
        let written = link.as_str();
        prop_assert!(written.starts_with("https://") || written.starts_with("http://"), "{written}");
        prop_assert!(is_clean(written) && !written.contains(['"', '<', '>', ' ', '\\', '`']), "{written}");
        prop_assert_eq!(SafeUrl::parse(written), Some(link));
    }
    Ok(())
}

fn small_values_come_back(text: &str) -> Result<(), TestCaseError> {
    if let Some(color) = HexColor::parse(text) {
        prop_assert_eq!(HexColor::parse(color.as_str()), Some(color));
    }
    if let Some(phone) = Phone::parse_loosely(text) {
        prop_assert_eq!(Phone::parse(phone.as_str()), Some(phone));
    }
    if let Some(email) = Email::parse(text) {
        prop_assert!(is_clean(email.as_str()) && !email.as_str().contains(['<', '>', '"', ' ', ',']), "{}", email);
    }
    if let Some(host) = parse_host(text) {
        prop_assert_eq!(parse_host(&host), Some(host));
    }
    if let Some(moment) = Timestamp::parse_iso(text) {
        prop_assert!(moment.month_start() <= moment);
    }
    Ok(())
}

#[test]
fn the_kept_texts_have_every_property() {
    corpus::replay(corpus::texts(), |text| {
        an_accepted_link_is_safe(text)?;
        small_values_come_back(text)
    });
}

proptest! {
    #[test]
    fn an_accepted_link_is_safe_in_a_page(text in text()) {
        an_accepted_link_is_safe(&text)?;
    }

    #[test]
    fn small_values_are_parsed_back_as_they_are_written(text in text()) {
        small_values_come_back(&text)?;
    }

    #[test]
    fn a_lookup_is_parsed_or_every_error_is_reported(given in fields(&LOOKUP), product in prop::sample::select(&Product::ALL[..])) {
        let fields = Fields::from_pairs(given);
        match LookupQuery::parse(product, &fields) {
            Ok(query) => prop_assert!(query.last_name.is_none_or(|name| is_clean(&name))),
            Err(broken) => prop_assert!(!broken.0.is_empty() && broken.messages().iter().all(|message| is_clean(message))),
        }
    }

    #[test]
    fn a_corrupted_widget_form_is_refused_or_safe(spoilt in prop::collection::vec((0_usize..26, text()), 0..3), logo: bool) {
        let mut values: Vec<String> = VALID.iter().map(|value| (*value).to_owned()).collect();
        for (at, text) in spoilt {
            values[at] = text;
        }
        let fields = Fields::from_pairs(WIDGET.iter().copied().zip(values));
        match WidgetDraft::parse(&fields, logo) {
            Ok(_) => prop_assert!(logo, "a widget has a header logo"),
            Err(broken) => prop_assert!(!broken.0.is_empty()),
        }
    }

    #[test]
    fn an_accepted_lead_holds_no_control_characters(
        (first, last, email, phone) in (text(), text(), text(), text()),
        (message, consent, line, page) in (text(), text(), text(), text()),
        website in prop_oneof![Just(String::new()), text()],
    ) {
        let sent = LeadSubmission {
            token: String::new(),
            idempotency_key: None,
            lead_id: None,
            lead_token: None,
            address: AddressChoice::Line(line),
            buildings: String::new(),
            first_name: first,
            last_name: last,
            email,
            phone: Some(phone),
            preferred_contact_time: None,
            message: Some(message),
            consent: ConsentChoice { given: true, text: consent },
            lang: None,
            source: LeadSource { page_url: Some(page), ..LeadSource::default() },
            website,
            elapsed_ms: 0,
            acts: None,
            altcha: None,
        };
        match NewLead::parse(&sent, |_| true) {
            Ok(lead) => {
                prop_assert!(is_clean(&lead.first_name) && is_clean(&lead.last_name));
                prop_assert!(lead.message.is_none_or(|text| is_clean_block(&text)));
                prop_assert!(lead.source.page_url.is_none_or(|url| is_clean(&url)));
            }
            Err(broken) => prop_assert!(!broken.0.is_empty()),
        }
    }
}
