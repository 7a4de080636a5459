use super::*;
use crate::sample;

fn section(title: Option<&str>, leads: u64, sources: usize) -> ReportSection {
    let sums = |leads| ReportSums {
        leads,
        won: leads / 4,
        won_cents: 1_250_000 * i64::try_from(leads / 4).unwrap(),
        estimated_cents: 1_100_000 * i64::try_from(leads).unwrap(),
        middle_wait: Some(14),
    };
    let sources = (0..sources).map(|n| (format!("Source {n}"), 5, 1)).collect();
    ReportSection { title: title.map(str::to_owned), now: sums(leads), before: sums(9), sources }
}

fn report<'a>(sections: &'a [ReportSection], widget: &'a Widget, language: Language) -> MonthlyReport<'a> {
    MonthlyReport {
        company: "Oak & Slate Roofing",
        month: Month::parse("2026-11").unwrap(),
        sections,
        widget,
        language,
        made: Timestamp::parse_iso("2026-12-01T13:00:00Z").unwrap(),
        time_zone: "America/New_York",
        sandbox: false,
    }
}

const MAIL: ReportMail<'static> = ReportMail {
    to: "bo@oak.example.com",
    page: "https://x.example/portal/results",
    unsubscribe: "https://x.example/u",
};

#[test]
fn the_mail_has_the_figures_of_both_months_and_the_pdf() {
    let widget = sample::widget().unwrap();
    let sections = [section(None, 12, 2), section(Some("Oak"), 12, 2)];
    let mail = report(&sections, &widget, Language::English).mail(&MAIL).unwrap().unwrap();
    assert_eq!(mail.subject, "Oak & Slate Roofing: November 2026");
    let text = mail.text.replace('\u{a0}', " ");
    for shown in ["Your month: November 2026", "12 (October 2026: 9)", "$37,500 (October 2026: $25,000)", "14 min"] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    assert_eq!(mail.attachments[0].file_name, "report-2026-11.pdf");
    assert!(mail.attachments[0].bytes.starts_with(b"%PDF-"));
    let spanish = report(&sections, &widget, Language::Spanish).mail(&MAIL).unwrap().unwrap();
    assert!(spanish.text.contains("noviembre de 2026") && !spanish.text.contains("November"), "{}", spanish.text);
}

#[test]
fn a_month_without_leads_is_a_page_and_no_mail() {
    let widget = sample::widget().unwrap();
    for sections in [vec![], vec![section(None, 0, 0)]] {
        let report = report(&sections, &widget, Language::English);
        assert!(report.mail(&MAIL).unwrap().is_none());
        assert!(report.pdf().unwrap().starts_with(b"%PDF-"));
    }
}

#[test]
fn many_widgets_go_on_over_pages_and_long_names_do_no_harm() {
    let widget = sample::widget().unwrap();
    let name = "Ω≈ç ".repeat(60) + &"x".repeat(300);
    let mut sections = vec![section(None, 400, 8)];
    sections.extend((0..40).map(|n| section(Some(if n == 3 { &name } else { "Oak" }), n, 8)));
    let pdf = report(&sections, &widget, Language::Spanish).pdf().unwrap();
    let pages = String::from_utf8_lossy(&pdf).matches("/Type /Page\n").count();
    assert!(pages == 0 || pages > 10, "{pages}");
    assert!(pdf.len() < 400_000, "fonts are in it once: {}", pdf.len());
}
