use shingle_domain::Timestamp;
use shingle_domain::inspection::VisitDate;
use shingle_domain::next_step::DueTime;
use shingle_domain::notice::TimeOfDay;

use super::*;
use crate::reading::{flowed, shown, unbalanced};
use crate::sample;

fn mail(is_own: bool, timed: bool, language: Language) -> MailContent {
    let lead = sample::lead().unwrap();
    let at = Timestamp::parse_iso("2026-12-01T19:30:00Z").unwrap();
    let time = timed.then(|| DueTime { of_day: TimeOfDay::parse("14:30").unwrap(), at });
    StepNotice {
        lead: &lead,
        step: "Call <her>\r\nabout the deposit",
        due: &Due { day: VisitDate::parse("2026-12-01").unwrap(), time },
        is_own,
        reference: "7K3-Q9F",
        link: "https://roofs.example/portal/leads/1",
        sandbox: false,
        to: "luis@oak.example",
        language,
        time_zone: "America/New_York",
    }
    .content()
}

#[test]
fn a_reminder_says_what_when_and_for_whom() {
    let content = mail(true, true, Language::English);
    assert!(content.subject.starts_with("Next step: Call <her> about the deposit"), "{}", content.subject);
    for said in [flowed(&content.text), shown(&content.html)] {
        for fact in [
            "Call <her> about the deposit",
            "Tue, Dec 1, 2:30 pm",
            "https://roofs.example/portal/leads/1",
            "7K3-Q9F",
            "Sent to luis@oak.example because this lead is assigned to you.",
        ] {
            assert!(said.contains(fact) || content.html.contains(fact), "{fact}\n{said}");
        }
    }
    assert!(!content.html.contains("<her>"));
    assert_eq!(unbalanced(&content.html), None);
}

#[test]
fn a_step_of_a_day_has_no_time_and_one_of_nobody_says_so() {
    let content = mail(false, false, Language::English);
    let said = flowed(&content.text);
    assert!(said.contains("Tue, Dec 1") && !said.contains("Tue, Dec 1,"), "{said}");
    assert!(said.contains("because nobody is assigned to this lead"), "{said}");
    assert!(mail(true, true, Language::Spanish).subject.starts_with("Siguiente paso: "));
}
