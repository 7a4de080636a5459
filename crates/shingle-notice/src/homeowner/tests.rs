use shingle_domain::answers::ContactBy;
use shingle_domain::contact::Phone;
use shingle_domain::inspection::Inspection;

use super::*;
use crate::reading::{flowed, shown, unbalanced};
use crate::sample;

struct Given {
    lead: Lead,
    widget: Widget,
    drawing: Option<RoofDrawing>,
    open: Option<&'static str>,
    pick: Option<&'static str>,
    includes: Vec<String>,
    sandbox: bool,
    language: Language,
}

fn given() -> Given {
    Given {
        lead: sample::lead().unwrap(),
        widget: sample::widget().unwrap(),
        drawing: Some(sample::drawing()),
        open: Some("https://shingle.example/e/7fK2-mQ9x"),
        pick: None,
        includes: Vec::new(),
        sandbox: false,
        language: Language::English,
    }
}

impl Given {
    fn try_content(&self) -> Option<MailContent> {
        let copy = HomeownerCopy {
            lead: &self.lead,
            drawing: self.drawing.as_ref(),
            photo: None,
            widget: &self.widget,
            base_url: "https://shingle.example",
            reference: "7K3-Q9F",
            sandbox: self.sandbox,
            open: self.open,
            pick: self.pick,
            includes: &self.includes,
            language: self.language,
            time_zone: "America/New_York",
        };
        copy.content().unwrap()
    }

    fn content(&self) -> MailContent {
        self.try_content().unwrap()
    }
}

fn pdf(content: &MailContent) -> &MailAttachment {
    let [attachment] = &content.attachments[..] else { panic!("{} attachments", content.attachments.len()) };
    attachment
}

fn holds(pdf: &[u8], part: &str) -> bool {
    count(pdf, part) > 0
}

fn count(pdf: &[u8], part: &str) -> usize {
    pdf.windows(part.len()).filter(|window| *window == part.as_bytes()).count()
}

#[test]
fn where_times_can_be_picked_the_mail_leads_there() {
    let page = "https://shingle.example/t/7fK2-mQ9x";
    let mut given = given();
    assert!(!given.try_content().unwrap().text.contains("Pick a time"));
    given.pick = Some(page);
    let content = given.try_content().unwrap();
    assert!(content.text.contains("Pick a time for a visit") && content.text.contains(page), "{}", content.text);
    assert!(content.html.contains(page), "{}", content.html);
}

#[test]
fn what_is_included_and_whether_a_visit_is_agreed_is_said_as_it_is() {
    let mut given = given();
    let mut asked = sample::lead().unwrap().inspection.unwrap_or_else(|| Inspection {
        requested_at: given.lead.created_at,
        wishes: Vec::new(),
        contact_by: ContactBy::Email,
        note: None,
        photos: Vec::new(),
        state: InspectionState::Asked,
    });
    for (language, includes, nothing, told) in [
        (
            Language::English,
            "Includes",
            "Nothing is booked",
            [
                "You have no appointment until Quillback Roofing confirms a time.",
                "Your visit is confirmed",
                "can’t come at the times",
            ],
        ),
        (
            Language::Spanish,
            "Incluye",
            "No hay nada reservado",
            [
                "No hay cita hasta que Quillback Roofing confirme",
                "Su visita está confirmada",
                "no puede ir en los horarios",
            ],
        ),
    ] {
        given.language = language;
        given.includes = vec![" ".to_owned()];
        given.lead.inspection = None;
        let text = flowed(&given.content().text);
        assert!(!text.contains(includes) && text.contains(nothing), "{text}");
        let states = [InspectionState::Asked, InspectionState::Confirmed, InspectionState::Declined];
        for (state, told) in states.into_iter().zip(told) {
            asked.state = state;
            given.lead.inspection = Some(asked.clone());
            let text = flowed(&given.content().text);
            assert!(text.contains(told) && !text.contains(nothing), "{text}");
        }
    }
}

#[test]
fn a_roof_of_many_planes_stays_on_one_sheet() {
    let mut given = given();
    let drawing = given.drawing.as_mut().unwrap();
    let few = drawing.facets.len();
    drawing.facets = drawing.facets.iter().cycle().take(few * 4).cloned().collect();
    assert!(drawing.facets.len() > 12);
    for language in [Language::English, Language::Spanish] {
        given.language = language;
        let content = given.content();
        let bytes: Vec<u8> = pdf(&content).bytes.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
        assert_eq!((count(&bytes, "/Type/Page/"), count(&bytes, "/Type/Pages/Count1")), (1, 1));
    }
}

#[test]
fn the_estimate_stands_in_text_and_html_in_both_languages() {
    let mut given = given();
    given.includes = vec!["Tear-off of one layer".to_owned(), "Ten-year workmanship warranty".to_owned()];
    let facts = [
        "14 Alder Court, Portland, ME 04103",
        "$16,120",
        "$14,500",
        "$17,700",
        "24.8",
        "$650",
        "Tear-off of one layer",
        "Ten-year workmanship warranty",
        "$52,080",
        "$35,960",
        "$29,760",
        "Quillback Roofing",
        "88 Wharf Street, Portland, ME 04101",
        "(207) 555-0199",
        "office@quillback.example",
        "7K3-Q9F",
        "www.quillback.example",
    ];
    let said = [
        (
            Language::English,
            [
                "Your roof estimate, Dana",
                "asphalt shingle, installed",
                "An estimate, not an inspection.",
                "Nothing is booked",
                "November 24, 2026",
            ],
        ),
        (
            Language::Spanish,
            [
                "Su presupuesto de techo, Dana",
                "teja asfáltica, con instalación",
                "Es un presupuesto aproximado, no una inspección.",
                "No hay nada reservado",
                "24 de noviembre de 2026",
            ],
        ),
    ];
    for (language, words) in said {
        given.language = language;
        let content = given.content();
        for said in [flowed(&content.text), shown(&content.html)] {
            for fact in facts.iter().chain(&words) {
                assert!(said.contains(fact), "{language:?}: {fact}\n{said}");
            }
        }
        assert_eq!(unbalanced(&content.html), None);
        assert!(content.html.contains("href=\"https://shingle.example/e/7fK2-mQ9x\""));
        assert!(content.text.contains("https://shingle.example/e/7fK2-mQ9x"));
    }
}

#[test]
fn the_subject_names_the_company_and_nothing_that_was_typed() {
    let mut given = given();
    given.lead.address = "99 Typed Street, Portland, ME 04103".to_owned();
    assert_eq!(given.content().subject, "Your roof estimate from Quillback Roofing");
    given.language = Language::Spanish;
    assert_eq!(given.content().subject, "Su presupuesto de techo de Quillback Roofing");
    given.sandbox = true;
    assert_eq!(given.content().subject, "Prueba: su presupuesto de techo de Quillback Roofing");
}

#[test]
fn a_stranger_gets_no_message_by_way_of_a_name_or_a_note() {
    let mut given = given();
    given.lead.message = Some("Buy at evil.example".to_owned());
    for name in
        ["Win at www.evil.example", "You owe $900: call 207 555 0100 at once", "Dana\r\nBcc: x@example.com", "a/b"]
    {
        given.lead.first_name = name.to_owned();
        let content = given.content();
        for said in [&content.text, &content.html, &content.subject] {
            assert!(!said.contains("evil.example") && !said.contains("555 0100") && !said.contains("Bcc"), "{said}");
        }
        assert!(content.text.contains("\nYour roof estimate\n"));
    }
    given.lead.first_name = "María José O’Neil-Łoś".to_owned();
    assert!(given.content().text.contains("Your roof estimate, María José O’Neil-Łoś"));
}

#[test]
fn a_lead_without_price_has_no_copy() {
    let mut given = given();
    given.lead.estimate.as_mut().unwrap().prices.clear();
    assert!(given.try_content().is_none());
    given.lead.estimate = None;
    assert!(given.try_content().is_none());
}

#[test]
fn what_happens_next_follows_from_the_consent() {
    let mut given = given();
    assert!(
        flowed(&given.content().text).contains("They may call or text you. You agreed to that for (207) 555-0163.")
    );
    given.lead.consent.given = false;
    let text = flowed(&given.content().text);
    assert!(text.contains("At dana.whitfield@example.com. You have not agreed to calls or texts."), "{text}");
    given.lead.consent.given = true;
    given.lead.phone = None::<Phone>;
    assert!(flowed(&given.content().text).contains("They may write to you."));
}

#[test]
fn without_a_page_to_open_there_is_no_button() {
    let mut given = given();
    given.open = None;
    let content = given.content();
    assert!(!content.html.contains("Open my estimate") && !content.text.contains("Anyone who has this link"));
}

#[test]
fn the_pdf_is_one_tagged_page_in_the_language_of_the_mail() {
    let mut given = given();
    for (language, lang, name) in [
        (Language::English, "/Lang(en)", "roof-estimate-7K3-Q9F.pdf"),
        (Language::Spanish, "/Lang(es)", "presupuesto-techo-7K3-Q9F.pdf"),
    ] {
        given.language = language;
        let content = given.content();
        let file = pdf(&content);
        assert_eq!((&*file.file_name, file.media_type), (name, "application/pdf"));
        let bytes: Vec<u8> = file.bytes.iter().copied().filter(|b| !b.is_ascii_whitespace()).collect();
        assert!(bytes.starts_with(b"%PDF-") && bytes.ends_with(b"%%EOF"));
        assert_eq!((count(&bytes, "/Type/Page/"), count(&bytes, "/Type/Pages/Count1")), (1, 1));
        for part in [
            "/MarkInfo",
            "/Markedtrue",
            lang,
            "/StructTreeRoot",
            "/S/Figure",
            "/Alt",
            "/S/H1",
            "/S/TH",
            "pdfuaid:part>1",
        ] {
            assert!(holds(&bytes, part), "{part}");
        }
        assert!(holds(&bytes, "/FontFile"), "the font is embedded");
        assert!(file.bytes.len() < 120_000, "{}", file.bytes.len());
    }
}

#[test]
fn letters_that_the_font_lacks_neither_break_the_pdf_nor_stop_it() {
    let mut given = given();
    for name in ["李屋根 🏠", "Roof 🏠 李 Bros\u{301}", "\u{202e}\n\0", "مرحبا", "e\u{301}clair", ""] {
        given.widget.company_name = name.to_owned();
        given.widget.company_address = name.to_owned();
        given.lead.address = format!("{name}, Portland");
        assert!(holds(&pdf(&given.content()).bytes, "/StructTreeRoot"), "{name}");
    }
}

#[test]
fn a_drawing_is_not_needed() {
    let mut given = given();
    given.drawing = None;
    let content = given.content();
    assert!(content.pictures.is_empty() && !content.html.contains("<img"));
    assert!(!holds(&pdf(&content).bytes, "/Figure"));
    given.drawing = Some(RoofDrawing::default());
    assert!(given.content().pictures.is_empty());
}

#[test]
fn the_same_copy_has_the_same_bytes() {
    assert_eq!(given().content(), given().content());
}
