use shingle_domain::lead::LeadChannel;
use shingle_domain::roof::{Dimension, Side};

use super::*;
use crate::picture::{DRAWING, size_of};
use crate::reading::{flowed, shown, unbalanced};
use crate::sample;

struct Given {
    lead: Lead,
    widget: Widget,
    drawing: Option<RoofDrawing>,
    sandbox: bool,
    kind: NoticeKind,
    language: Language,
    time_zone: &'static str,
}

fn given() -> Given {
    Given {
        lead: sample::lead().unwrap(),
        widget: sample::widget().unwrap(),
        drawing: Some(sample::drawing()),
        sandbox: false,
        kind: NoticeKind::New,
        language: Language::English,
        time_zone: "America/New_York",
    }
}

impl Given {
    fn content(&self) -> MailContent {
        let notice = LeadNotice {
            lead: &self.lead,
            drawing: self.drawing.as_ref(),
            photo: None,
            widget: &self.widget,
            reference: "7K3-Q9F",
            sandbox: self.sandbox,
            kind: self.kind,
            to: "office@quillback.example",
            language: self.language,
            time_zone: self.time_zone,
            on_it: "https://shingle.example/on-it/abc?x=1&y=2",
            portal: ["https://shingle.example/portal/leads/7fK2", "https://shingle.example/portal/notices"],
            estimate: Some(["https://shingle.example/e/7fK2", "https://shingle.example/e.pdf"]),
            photos: &["https://shingle.example/photo?photo=1".to_owned()],
        };
        notice.content().unwrap()
    }
}

#[test]
fn every_fact_of_the_lead_stands_in_text_and_html_in_both_languages() {
    let mut given = given();
    let facts = [
        "Dana Whitfield",
        "14 Alder Court, Portland, ME 04103",
        "dana.whitfield@example.com",
        "(207) 555-0163",
        "$16,120",
        "$14,500",
        "$17,700",
        "$650",
        "24.8",
        "2,480",
        "6/12",
        "$52,080",
        "$35,960",
        "$29,760",
        "94",
        "Side gate is open. Friendly dog in the yard.",
        "The ladder is behind the shed.",
        "Ring the side door.",
        "https://www.quillback.example/roof-replacement",
        "https://search.example/",
        "newsletter / email / fall-2026 / new roof / header",
        "gclid=EAIaIQobChMI0",
        "7K3-Q9F",
        "office@quillback.example",
    ];
    let said = [
        (
            Language::English,
            [
                "asphalt shingle",
                "Leaks",
                "Over 20 years",
                "Text, evenings",
                "English",
                "Calls and texts: agreed, Tue, Nov 24, 6:10 pm",
                "Tue, Nov 24, 6:12 pm",
                "Larger than expected",
                "The estimate on your website",
                "6 facets",
            ],
        ),
        (
            Language::Spanish,
            [
                "teja asfáltica",
                "Goteras",
                "Más de 20 años",
                "Mensaje de texto, por la noche",
                "Inglés",
                "Llamadas y mensajes: aceptó, mar 24 nov, 6:10 p. m.",
                "mar 24 nov, 6:12 p. m.",
                "Más grande de lo esperado",
                "El presupuesto en su sitio web",
                "6 planos",
            ],
        ),
    ];
    for (language, words) in said {
        given.language = language;
        let content = given.content();
        let (text, html) = (flowed(&content.text), shown(&content.html));
        for fact in facts.iter().chain(&words) {
            assert!(text.contains(fact), "{language:?} text: {fact}\n{text}");
            assert!(html.contains(fact), "{language:?} HTML: {fact}\n{html}");
        }
        assert_eq!(unbalanced(&content.html), None);
        assert!(content.html.contains(&format!("<html lang=\"{}\">", language.tag())));
    }
}

#[test]
fn the_subject_says_who_where_and_how_much() {
    let mut given = given();
    assert_eq!(given.content().subject, "New lead: Dana Whitfield, leaks now, 14 Alder Court, $16,120");
    given.kind = NoticeKind::Reminder { minutes: 15 };
    assert_eq!(given.content().subject, "Still waiting, 15 min: Dana Whitfield, leaks now, 14 Alder Court, $16,120");
    given.sandbox = true;
    given.lead.estimate = None;
    let subject = given.content().subject;
    assert_eq!(subject, "Test lead, still waiting, 15 min: Dana Whitfield, leaks now, 14 Alder Court, no price yet");
    given.kind = NoticeKind::New;
    given.language = Language::Spanish;
    let subject = given.content().subject;
    assert_eq!(subject, "Solicitud de prueba: Dana Whitfield, con goteras, 14 Alder Court, aún sin precio");
}

#[test]
fn the_price_is_that_of_the_chosen_material() {
    let mut given = given();
    given.lead.roof_material = Some(shingle_domain::roof::RoofMaterial::Metal);
    assert!(given.content().subject.ends_with("$29,760"));
    given.lead.roof_material = None;
    assert!(given.content().subject.ends_with("$16,120"));
    given.lead.estimate.as_mut().unwrap().prices.clear();
    assert!(given.content().text.contains("No price shown"));
}

#[test]
fn a_call_is_offered_only_where_it_was_agreed_to() {
    let mut given = given();
    assert!(given.content().html.contains("href=\"tel:+12075550163\""));
    given.lead.consent.given = false;
    let content = given.content();
    assert!(
        !content.html.contains("tel:") && content.html.contains("href=\"mailto:dana.whitfield@example.com?subject=")
    );
    assert!(content.text.contains("Calls and texts: not agreed. Reply by email."));
    assert!(content.text.contains("Phone:       (207) 555-0163"), "the number is told all the same");
    given.lead.consent.given = true;
    given.lead.phone = None;
    let content = given.content();
    assert!(!content.html.contains("tel:") && flowed(&content.text).contains("(no phone given)"));
}

#[test]
fn a_lead_without_estimate_says_that_no_price_was_shown() {
    let mut given = given();
    given.lead.estimate = None;
    given.drawing = None;
    let content = given.content();
    assert!(content.text.contains("No price shown\nWe can’t price this roof from here."));
    assert!(content.pictures.is_empty() && !content.html.contains("<img"));
}

#[test]
fn a_lead_with_the_least_in_it_is_still_a_notice() {
    let mut given = given();
    let lead = &mut given.lead;
    (lead.first_name, lead.last_name, lead.address) = Default::default();
    (lead.phone, lead.preferred_contact_time, lead.roof_material, lead.message, lead.estimate) = Default::default();
    lead.answers = Default::default();
    lead.source = LeadSource { via: LeadChannel::Qr, ..LeadSource::default() };
    given.drawing = Some(RoofDrawing::default());
    let content = given.content();
    assert_eq!(content.subject, "New lead: dana.whitfield@example.com, no price yet");
    assert!(content.text.contains("WHAT WAS ASKED FOR") && content.text.contains("A QR code"));
    assert!(content.pictures.is_empty());
}

#[test]
fn a_reminder_says_how_long_nobody_has_taken_the_lead() {
    let mut given = given();
    given.kind = NoticeKind::Reminder { minutes: 135 };
    let content = given.content();
    assert!(content.text.starts_with("STILL WAITING, 2 H 15 MIN"), "{}", content.text);
    assert!(flowed(&content.text).contains("Nobody has said “I’m on it” in 2 h 15 min."));
    assert!(content.text.contains("$16,120") && content.text.contains("I’m on it:"));
}

#[test]
fn clicks_on_ads_are_told_and_cookies_are_not() {
    let mut given = given();
    given.lead.source.click_id = Some("gclid=a1&fbclid=b2&_ga=GA1.1.2.3".to_owned());
    let text = given.content().text;
    assert!(text.contains("Ad click: gclid=a1 / fbclid=b2\n") && !text.contains("GA1"), "{text}");
    given.lead.source.click_id = Some("_ga=GA1.1.2.3".to_owned());
    assert!(!given.content().text.contains("Ad click"));
}

#[test]
fn what_a_visitor_typed_is_never_markup_or_a_header() {
    let mut given = given();
    let evil = "<img src=x onerror=alert(1)>\"'&\r\nBcc: x@example.com\u{202e}\u{2028}</style></title>";
    let lead = &mut given.lead;
    for field in [&mut lead.first_name, &mut lead.last_name, &mut lead.address] {
        *field = evil.to_owned();
    }
    lead.message = Some(evil.repeat(200));
    let source = &mut lead.source;
    for field in [&mut source.page_url, &mut source.referrer, &mut source.utm_campaign, &mut source.click_id] {
        *field = Some(evil.to_owned());
    }
    given.widget.company_name = evil.to_owned();
    let content = given.content();
    assert!(!content.subject.chars().any(|c| c.is_control() || c == '\u{2028}'), "{}", content.subject);
    for text in [&content.subject, &content.text, &content.html] {
        assert!(!text.contains(['\u{202e}', '\u{2028}', '\r', '\0']));
    }
    assert!(!content.html.contains("<img src=x") && !content.html.contains("x@example.com\n"));
    assert!(!content.text.contains("\nBcc:"));
    for closing in ["</style>", "</title>"] {
        assert_eq!(content.html.matches(closing).count(), 1, "{closing}");
    }
    assert_eq!(unbalanced(&content.html), None);
    // Attributes end where they should: every quotation mark of a tag has its pair.
    for tag in content.html.split('<').skip(1).filter_map(|part| part.split_once('>')) {
        assert_eq!(tag.0.matches('"').count() % 2, 0, "{}", tag.0);
    }
}

#[test]
fn ten_kilobytes_emoji_and_other_alphabets_do_no_harm() {
    let mut given = given();
    given.lead.message = Some("a long story ".repeat(800));
    given.lead.first_name = "Zoë 👩‍👧‍👦 李".to_owned();
    given.lead.last_name = "х".repeat(3_000);
    let content = given.content();
    assert!(content.html.len() < 60_000, "mail programs cut what is longer than 102 kB: {}", content.html.len());
    assert!(content.subject.chars().count() < 200 && content.subject.contains("Zoë 👩‍👧‍👦 李"));
    assert!(content.text.contains('…'), "what was cut is marked");
}

#[test]
fn a_link_that_is_no_link_is_not_offered() {
    let given = given();
    let notice = LeadNotice {
        lead: &given.lead,
        drawing: None,
        photo: None,
        widget: &given.widget,
        reference: "",
        sandbox: false,
        kind: NoticeKind::New,
        to: "",
        language: Language::English,
        time_zone: "",
        on_it: "javascript:alert(1)",
        portal: ["https://shingle.example/portal/leads/7fK2", "https://shingle.example/portal/notices"],
        estimate: None,
        photos: &[],
    };
    assert!(!notice.content().unwrap().html.contains("javascript:"));
    assert!(given.content().html.contains("href=\"https://shingle.example/on-it/abc?x=1&amp;y=2\""));
}

#[test]
fn lines_of_the_text_are_short() {
    let content = given().content();
    for line in content.text.lines().filter(|line| !line.contains("https://")) {
        assert!(line.chars().count() < 72, "{line}");
    }
}

#[test]
fn times_without_a_known_zone_say_utc() {
    let mut given = given();
    given.time_zone = "Nowhere/Land";
    assert!(given.content().text.starts_with("NEW LEAD, Tue, Nov 24, 11:12 pm UTC"));
}

#[test]
fn the_drawing_is_a_picture_of_the_mail_at_twice_its_width() {
    let content = given().content();
    let [picture] = &content.pictures[..] else { panic!() };
    assert!(content.html.contains("src=\"cid:roof\"") && picture.content_id == DRAWING);
    let png = image::load_from_memory(&picture.bytes).unwrap();
    assert_eq!((png.width(), png.height()), (1120, 760));
    assert!(content.html.contains("alt=\"Plan of the roof at 14 Alder Court: 56 by 53.4 feet, 6 facets, north up\""));
    // Nothing else is fetched: no tracking picture.
    assert!(!content.html.contains("src=\"http") && !content.html.contains("url("));
}

#[test]
fn any_outline_can_be_drawn() {
    let mut given = given();
    let bare = RoofDrawing { facets: vec![], lines: vec![], dimensions: vec![], ..sample::drawing() };
    let side = |side, to| Dimension { side, from: [0, 0], to, length: 7 };
    let drawings = [
        bare.clone(),
        RoofDrawing { width: 4_000, height: 30, rings: vec![vec![[0, 0], [4_000, 0], [4_000, 30]]], ..bare.clone() },
        RoofDrawing { width: 1, height: 9_000, rings: vec![vec![[0, 0], [1, 0], [1, 9_000]]], ..bare.clone() },
        RoofDrawing { width: 1, height: 1, dimensions: vec![side(Side::West, [0, 1])], ..bare },
    ];
    for drawing in drawings {
        let size = size_of(&drawing, Language::English);
        given.drawing = Some(drawing);
        let picture = given.content().pictures.remove(0);
        let png = image::load_from_memory(&picture.bytes).unwrap();
        assert_eq!((png.width(), size), (1120, Some((png.width(), png.height()))));
    }
}

#[test]
fn a_drawing_of_impossible_size_is_left_out() {
    let mut given = given();
    for side in [i32::MIN, -1, 0, 2_000_000, i32::MAX] {
        given.drawing = Some(RoofDrawing { width: side, ..sample::drawing() });
        assert!(given.content().pictures.is_empty(), "{side}");
        let rings = vec![vec![[0, 0], [side.max(40_000), 0], [0, 90]]];
        given.drawing = Some(RoofDrawing { rings, ..sample::drawing() });
        assert!(given.content().pictures.is_empty(), "{side}");
    }
}

#[test]
fn the_same_notice_has_the_same_bytes() {
    assert_eq!(given().content(), given().content());
}

#[test]
fn a_visit_that_is_asked_for_is_told_with_its_times_in_both_languages() {
    let visit = serde_json::json!({
        "requestedAt": "2026-11-24T18:12:00.000Z",
        "wishes": [{ "date": "2026-12-01", "part": "morning" }, { "date": "2026-12-04", "part": "afternoon" }],
        "contactBy": "text", "note": "Side gate is <open>.",
        "photos": [{ "id": "0193b5a0-0000-7000-8000-000000000001", "width": 10, "height": 10, "bytes": 9 }],
        "state": "asked"
    });
    let mut given = given();
    given.kind = NoticeKind::Visit;
    given.lead.inspection = Some(serde_json::from_value(visit).unwrap());
    let content = given.content();
    assert!(content.subject.starts_with("Inspection request: Dana Whitfield"), "{}", content.subject);
    for fact in [
        "Tue, Dec 1, morning",
        "Fri, Dec 4, afternoon",
        "Text message",
        "Side gate is <open>.",
        "Photo 1",
        "/photo?photo=1",
    ] {
        assert!(flowed(&content.text).contains(fact), "{fact}: {}", content.text);
    }
    assert!(!content.html.contains("<open>"), "{}", content.html);
    given.language = Language::Spanish;
    let content = given.content();
    assert!(content.subject.starts_with("Solicitud de inspección"), "{}", content.subject);
    given.sandbox = true;
    assert!(given.content().subject.starts_with("Prueba: solicitud de inspección"));
    given.kind = NoticeKind::New;
    given.lead.inspection = None;
    assert!(!given.content().text.contains("Buenos horarios"), "nothing is said of a visit that nobody asked for");
}
