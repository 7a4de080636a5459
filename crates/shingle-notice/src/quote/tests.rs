use shingle_domain::Timestamp;
use shingle_domain::quote::{Deposit, QuoteAnswer, QuoteContent, QuoteItem, QuoteRecord};

use super::*;
use crate::reading::{shown, unbalanced};
use crate::sample;

fn parties(language: Language) -> QuoteParties {
    QuoteParties {
        company: "Quillback Roofing".to_owned(),
        contact: vec!["88 Wharf Street, Portland, ME 04101".to_owned(), "(207) 555-0199".to_owned()],
        homeowner: "Dana Whitfield".to_owned(),
        address: "14 Alder Court, Portland, ME 04103".to_owned(),
        language,
        sent_on: VisitDate::parse("2026-11-24").unwrap(),
    }
}

fn quote(state: QuoteState) -> Quote {
    let choice = |title: &str, material: &str, dollars: i64, items: Vec<QuoteItem>| QuoteChoice {
        title: title.to_owned(),
        material: material.to_owned(),
        includes: "Tear-off of one layer\nIce and water shield".to_owned(),
        items,
        price_cents: dollars * 100,
    };
    let item = |text: &str, cents| QuoteItem { text: text.to_owned(), cents };
    let items = vec![item("Standing seam", 3_000_000), item("Fall discount", -24_000)];
    let content = QuoteContent {
        choices: vec![choice("Good", "Asphalt shingle", 16_100, Vec::new()), choice("Best", "Metal", 29_760, items)],
        tax: 5_500,
        deposit: Some(Deposit::Percent(30)),
        valid_until: VisitDate::parse("2026-12-24").unwrap(),
        message: "Thank you for showing us the roof.\nThe valley needs new flashing.".to_owned(),
        terms: "Work begins within six weeks.".to_owned(),
    };
    let at = Timestamp::parse_iso("2026-11-24T15:04:05.000Z").unwrap();
    let is_accepted = state == QuoteState::Accepted;
    let answer = QuoteAnswer {
        name: if is_accepted { "Dana M. Whitfield" } else { "" }.to_owned(),
        reason: if is_accepted { "" } else { "Too much for now." }.to_owned(),
        by_company: false,
    };
    Quote {
        id: "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap(),
        lead: "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a".parse().unwrap(),
        number: Some(1_007),
        revision: 2,
        state,
        record: QuoteRecord { content, parties: None, salt: String::new() },
        answer: matches!(state, QuoteState::Accepted | QuoteState::Declined).then_some(answer),
        chosen: is_accepted.then_some(1),
        digest: "5f".repeat(32),
        replaces: None,
        expires_at: Some(at),
        author: "Maya".to_owned(),
        updated_at: at,
        sent_at: Some(at),
        answered_at: is_accepted.then_some(at),
    }
}

fn paper<'a>(quote: &'a Quote, parties: &'a QuoteParties, widget: &'a Widget) -> QuotePaper<'a> {
    QuotePaper { quote, parties, widget, sandbox: false, time_zone: "America/New_York" }
}

fn mail(quote: &Quote, language: Language) -> MailContent {
    let (parties, widget, lead) = (parties(language), sample::widget().unwrap(), sample::lead().unwrap());
    let page = "https://shingle.example/w/1/q/2";
    let paper = paper(quote, &parties, &widget);
    let mail = QuoteMail { paper, lead: &lead, page, reference: "7K3-Q9F", base_url: "https://shingle.example" };
    mail.content().unwrap()
}

/// Pages of a PDF, as its page tree counts them.
fn count_pages(pdf: &[u8]) -> usize {
    let text = String::from_utf8_lossy(pdf);
    text.matches("/Type/Page/").count() + text.matches("/Type /Page\n").count() + text.matches("/Type/Page\n").count()
}

#[test]
fn a_quote_is_mailed_with_every_choice_its_link_and_its_pdf() {
    let content = mail(&quote(QuoteState::Sent), Language::English);
    assert_eq!(content.subject, "Your quote from Quillback Roofing");
    let html = shown(&content.html);
    for text in [&content.text, &html] {
        for part in [
            "Dana, here is your quote",
            "Quote 1007-2",
            "14 Alder Court, Portland, ME 04103",
            "The valley needs new flashing.",
            "Good",
            // 16,100 with 5.5 percent.
            "$16,985.50",
            "Best",
            "$31,396.80",
            "Valid through December 24, 2026",
            "(207) 555-0199",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    assert!(content.html.contains("https://shingle.example/w/1/q/2") && content.text.contains("/w/1/q/2"));
    assert_eq!(unbalanced(&content.html), None);
    let [pdf] = content.attachments.as_slice() else { panic!() };
    assert_eq!(pdf.file_name, "quote-1007-2.pdf");
    assert!(pdf.bytes.starts_with(b"%PDF"));
    let spanish = mail(&quote(QuoteState::Sent), Language::Spanish);
    assert_eq!(spanish.subject, "Su cotización de Quillback Roofing");
    assert!(spanish.text.contains("24 de diciembre de 2026"), "{}", spanish.text);
}

#[test]
fn what_was_accepted_is_confirmed_with_its_choice() {
    let accepted = quote(QuoteState::Accepted);
    let content = mail(&accepted, Language::English);
    assert_eq!(content.subject, "You accepted the quote from Quillback Roofing");
    assert!(content.text.contains("$31,396.80") && !content.text.contains("$16,985.50"), "{}", content.text);
    let (parties, widget) = (parties(Language::English), sample::widget().unwrap());
    let said = paper(&accepted, &parties, &widget).accepted(true).unwrap();
    let expected = "Dana M. Whitfield accepted “Best” for $31,396.80 on this page, November 24, 2026, 10:04\u{a0}am.";
    assert_eq!(said, expected);
    let sent = quote(QuoteState::Sent);
    assert_eq!(paper(&sent, &parties, &widget).accepted(true), None);
}

#[test]
fn a_pdf_has_as_many_pages_as_its_terms_need() {
    let (parties, widget) = (parties(Language::English), sample::widget().unwrap());
    let short = paper(&quote(QuoteState::Sent), &parties, &widget).pdf().unwrap();
    let mut long = quote(QuoteState::Accepted);
    // One paragraph of all the letters that there may be, without a line break.
    long.record.content.terms = "Terms and more terms. ".repeat(360);
    let long = paper(&long, &parties, &widget).pdf().unwrap();
    let mut words = quote(QuoteState::Draft);
    words.record.content.terms = "x".repeat(QuoteContent::MAX_TERMS);
    let many = QuoteItem { text: "An item whose text goes over several lines of the table ".repeat(2), cents: 100 };
    words.record.content.choices[0].items = vec![many; 20];
    let words = paper(&words, &parties, &widget).pdf().unwrap();
    let counts = [&short, &long, &words].map(|pdf| count_pages(pdf));
    assert!(counts[0] <= 2, "{counts:?}");
    assert!(counts[1] >= 2 && counts[2] >= 3, "{counts:?}");
    let again = paper(&quote(QuoteState::Sent), &parties, &widget).pdf().unwrap();
    assert!(short == again, "the same quote has the same bytes");
}

#[test]
fn the_contractor_reads_who_answered_what() {
    let lead = sample::lead().unwrap();
    let notice = |quote: &Quote, language| {
        let notice = QuoteAnswered {
            quote,
            lead: &lead,
            reference: "7K3-Q9F",
            link: "https://shingle.example/portal/leads/1",
            to: "office@quillback.example",
            sandbox: false,
            language,
            time_zone: "America/New_York",
        };
        notice.content()
    };
    let accepted = notice(&quote(QuoteState::Accepted), Language::English);
    assert_eq!(accepted.subject, "Dana Whitfield accepted quote 1007-2");
    for part in ["Best, $31,396.80", "Dana M. Whitfield", "marked as won", "/portal/leads/1"] {
        assert!(accepted.text.contains(part) && accepted.html.contains(part), "{part}: {}", accepted.text);
    }
    let declined = notice(&quote(QuoteState::Declined), Language::Spanish);
    assert_eq!(declined.subject, "Dana Whitfield rechazó la cotización 1007-2");
    assert!(declined.text.contains("Too much for now.") && !declined.text.contains("ganado"), "{}", declined.text);
}
