use proptest::prelude::*;

use super::{FieldItem, FieldProblem, Fields, LeadListQuery, LeadPatch, NewLead, email, message, person_name, phone};
use crate::lead::{LeadSource, LeadStatus};
use crate::public::{AddressChoice, ConsentChoice, LeadSubmission};
use crate::violation::Violations;

#[test]
fn the_language_of_the_page_is_kept_and_what_a_browser_claims_in_the_source_is_not() {
    for (lang, kept) in [
        (Some("es"), "es"),
        (Some("es-MX"), "es"),
        (Some("ES_us"), "es"),
        (Some("en"), "en"),
        (Some("fr"), "en"),
        (Some(""), "en"),
        (None, "en"),
    ] {
        let mut sent = submission();
        sent.lang = lang.map(str::to_owned);
        for claimed in ["\"es\"", "\"fr\"", "7", "null"] {
            sent.source = serde_json::from_str(&format!("{{\"language\":{claimed}}}")).unwrap();
            let new = NewLead::parse(&sent, |_| true).unwrap();
            assert_eq!(new.source.language.tag(), kept, "{lang:?} {claimed}");
        }
    }
}

fn submission() -> LeadSubmission {
    LeadSubmission {
        token: "t".into(),
        idempotency_key: Some("k-1".into()),
        lead_id: None,
        lead_token: None,
        address: AddressChoice::Line(" 12 Oak St, Portland ME ".into()),
        buildings: String::new(),
        lang: None,
        first_name: "\u{2003}Ada ".into(),
        last_name: "Oak".into(),
        email: " ada@example.com ".into(),
        phone: Some("757 555 0134".into()),
        preferred_contact_time: None,
        message: Some(" Two\nlines ".into()),
        consent: ConsentChoice { given: true, text: "I agree that Oak may call.".into() },
        source: LeadSource::default(),
        website: String::new(),
        elapsed_ms: 4_000,
        acts: None,
        altcha: None,
    }
}

/// At a widget that shows the text of [`submission`].
fn parse(sent: &LeadSubmission) -> Result<NewLead, Violations> {
    NewLead::parse(sent, |text| text == "I agree that Oak may call.")
}

#[test]
fn a_submission_is_trimmed_and_its_phone_written_one_way() {
    let lead = parse(&submission()).unwrap();
    assert_eq!((lead.first_name.as_str(), lead.email.as_str()), ("Ada", "ada@example.com"));
    assert_eq!(lead.phone.unwrap().as_str(), "(757) 555-0134");
    assert_eq!(lead.message.as_deref(), Some("Two\nlines"));
    assert_eq!(lead.address, AddressChoice::Line("12 Oak St, Portland ME".into()));
}

#[test]
fn every_broken_field_of_a_submission_is_named_in_order() {
    let mut sent = submission();
    sent.address = AddressChoice::Line("\u{200e}".into());
    sent.first_name = " ".into();
    sent.last_name = "O\0k".into();
    sent.email = "ada@example".into();
    sent.phone = Some("555-0134".into());
    sent.message = Some("x".repeat(2_001));
    sent.consent.text = String::new();
    assert_eq!(
        parse(&sent).unwrap_err().messages(),
        [
            "address.line must not contain control characters",
            "firstName should not be empty",
            "lastName must not contain control characters",
            "email must be an email",
            "phone must be a valid phone number",
            "message must be shorter than or equal to 2000 characters",
            "consent.text should not be empty",
        ]
    );
}

#[test]
fn what_the_widget_does_not_show_is_no_consent_and_no_refusal_of_it() {
    for (given, text) in [(true, "I agree to buy a roof."), (false, "I agree that Oak may call. Daily.")] {
        let mut sent = submission();
        sent.consent = ConsentChoice { given, text: text.into() };
        assert_eq!(parse(&sent).unwrap_err().messages(), ["consent.text must be a text that the widget shows"]);
    }
}

#[test]
fn phone_and_consent_are_not_conditions() {
    let mut sent = submission();
    sent.phone = Some("  ".into());
    sent.consent.given = false;
    let lead = parse(&sent).unwrap();
    assert_eq!((lead.phone, lead.consent_given), (None, false));
}

#[test]
fn an_odd_tracking_value_never_costs_a_lead() {
    let mut sent = submission();
    sent.source.utm_source = Some("news\0letter\u{202e}".into());
    sent.source.page_url = Some("x".repeat(9_000));
    sent.source.utm_term = Some("\u{7}".into());
    let source = parse(&sent).unwrap().source;
    assert_eq!(source.utm_source.as_deref(), Some("newsletter"));
    assert_eq!(source.page_url.map(|u| u.len()), Some(2_048));
    assert_eq!(source.utm_term, None);
}

#[test]
fn a_field_says_what_is_wrong_with_it() {
    assert_eq!(person_name(""), Err(FieldProblem::Empty));
    assert_eq!(person_name(&"x".repeat(101)), Err(FieldProblem::TooLong(100)));
    assert_eq!(email("ada.example.com"), Err(FieldProblem::EmailWithoutName));
    assert_eq!(email("@example.com"), Err(FieldProblem::EmailWithoutName));
    assert_eq!(email("ada@example"), Err(FieldProblem::EmailWithoutEnding));
    assert_eq!(email("ada@example."), Err(FieldProblem::EmailWithoutEnding));
    assert_eq!(email("ad a@example.com"), Err(FieldProblem::EmailMalformed));
    assert_eq!(phone("555-013"), Err(FieldProblem::PhoneDigits(6)));
    assert_eq!(phone("ask Ada"), Err(FieldProblem::PhoneMalformed));
    assert_eq!(message("\u{1}"), Err(FieldProblem::Unclean));
    assert_eq!(message(" \n "), Ok(None));
}

#[test]
fn an_owner_changes_status_and_message() {
    let patch = LeadPatch::parse(&Fields::from_pairs([("status", "won"), ("message", "called\ntwice")])).unwrap();
    assert_eq!((patch.status, patch.message.as_deref()), (Some(LeadStatus::Won), Some("called\ntwice")));
    let mut fields = Fields::from_pairs([("status", "Won")]);
    fields.push_item("message", FieldItem::Number(5.0));
    assert_eq!(
        LeadPatch::parse(&fields).unwrap_err().messages(),
        [
            "status must be one of the following values: new, contacted, qualified, won, lost, spam",
            "message must be a string",
        ]
    );
}

#[test]
fn a_list_has_one_to_a_hundred_leads() {
    let parse = |pairs: &[(&str, &str)]| {
        LeadListQuery::parse(&Fields::from_pairs(pairs.iter().copied())).map_err(|v| v.messages())
    };
    assert_eq!(parse(&[]).unwrap().limit, LeadListQuery::DEFAULT_LIMIT);
    assert_eq!(parse(&[("limit", "100")]).unwrap().limit, 100);
    for (limit, rule) in [
        ("0", "limit must not be less than 1"),
        ("-3", "limit must not be less than 1"),
        ("101", "limit must not be greater than 100"),
        ("1.5", "limit must be an integer number"),
        ("", "limit must be an integer number"),
        ("99999999999999999999", "limit must be an integer number"),
    ] {
        assert_eq!(parse(&[("limit", limit)]).unwrap_err(), [rule], "{limit}");
    }
    assert_eq!(
        parse(&[("widgetId", "7"), ("cursor", ""), ("status", "open")]).unwrap_err(),
        [
            "status must be one of the following values: new, contacted, qualified, won, lost, spam",
            "widgetId must be a UUID",
            "cursor should not be empty",
        ]
    );
}

#[test]
fn click_ids_that_do_not_fit_are_left_out_whole() {
    let kept = |ids: String| {
        let mut sent = submission();
        sent.source.click_id = Some(ids);
        parse(&sent).unwrap().source.click_id
    };
    let (first, last) = ("a".repeat(400), "b".repeat(87));
    let fits = format!("gclid={first}&_ga={last}é");
    assert_eq!((fits.chars().count(), kept(fits.clone())), (499, Some(fits.clone())));
    assert_eq!(kept(format!("{fits}x")), Some(format!("{fits}x")));
    assert_eq!(kept(format!("{fits}xx")), Some(format!("gclid={first}")));
    assert_eq!(kept(format!("{fits}x&_fbp=1")), Some(format!("{fits}x")));
    assert_eq!(kept(format!("gclid={}", "a".repeat(600))).unwrap().len(), 500);
}

proptest! {
    #[test]
    fn no_submission_makes_the_parser_panic(a in any::<String>(), b in any::<String>(), c in any::<String>()) {
        let mut sent = submission();
        sent.address = AddressChoice::Key(c.clone());
        sent.source.click_id = Some(c.clone());
        (sent.first_name, sent.email, sent.phone, sent.message) = (a.clone(), b.clone(), Some(c), Some(a));
        sent.consent.text = b;
        let _ = parse(&sent);
    }
}
