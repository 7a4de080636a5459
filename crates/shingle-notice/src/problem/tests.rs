use super::*;
use crate::reading::{flowed, shown, unbalanced};
use crate::sample;

fn at(iso: &str) -> Timestamp {
    Timestamp::parse_iso(iso).unwrap()
}

fn off(destination: Destination, language: Language) -> MailContent {
    let problem = Problem::SwitchedOff {
        destination,
        name: "https://crm.example.com/hooks?a=1&b=<2>",
        reason: "answered 500 Internal\r\nServer Error",
        at: at("2026-11-24T23:12:00Z"),
        failing_since: at("2026-11-19T15:00:00Z"),
        failed: 1_204,
        remedy: Remedy::Command("shingle webhook update 12 --status active"),
    };
    ProblemNotice { problem, to: "office@quillback.example", language, time_zone: "America/New_York" }.content()
}

#[test]
fn what_was_switched_off_is_told_with_its_reason_its_failures_and_the_way_back() {
    let content = off(Destination::Webhook, Language::English);
    assert_eq!(content.subject, "Switched off: https://crm.example.com/hooks?a=1&b=<2>");
    for said in [flowed(&content.text), shown(&content.html)] {
        for fact in [
            "https://crm.example.com/hooks?a=1&b=<2>",
            "answered 500 Internal Server Error",
            "Thu, Nov 19, 10:00 am",
            "Tue, Nov 24, 6:12 pm",
            "1,204 deliveries",
            "shingle webhook update 12 --status active",
            "office@quillback.example",
        ] {
            assert!(said.contains(fact), "{fact}\n{said}");
        }
    }
    assert!(!content.html.contains("<2>"));
    assert_eq!(unbalanced(&content.html), None);
}

#[test]
fn each_kind_of_destination_has_its_own_advice_in_both_languages() {
    for language in Language::ALL {
        let kinds = [Destination::Webhook, Destination::Connector, Destination::Chat, Destination::MailAddress];
        let texts = kinds.map(|kind| off(kind, language).text);
        for (n, text) in texts.iter().enumerate() {
            assert!(texts.iter().skip(n + 1).all(|other| other != text), "{text}");
        }
    }
    assert!(off(Destination::MailAddress, Language::English).text.contains("They are stored"));
}

fn bounced(lead: &Lead) -> MailContent {
    let reply = "550 5.1.1 <dana.whitfield@example.com>: no such user";
    let problem = Problem::HomeownerBounced {
        lead,
        reference: "7K3-Q9F",
        reply,
        at: at("2026-11-24T23:14:00Z"),
        link: "https://shingle.example/portal/leads/1",
    };
    let language = Language::English;
    ProblemNotice { problem, to: "office@quillback.example", language, time_zone: "America/New_York" }.content()
}

#[test]
fn a_homeowners_dead_address_is_told_with_the_servers_reply_and_another_way() {
    let mut lead = sample::lead().unwrap();
    let content = bounced(&lead);
    assert_eq!(content.subject, "Email to Dana Whitfield bounced");
    for said in [flowed(&content.text), shown(&content.html)] {
        for fact in ["550 5.1.1 <dana.whitfield@example.com>: no such user", "(207) 555-0163", "7K3-Q9F", "agreed"] {
            assert!(said.contains(fact), "{fact}\n{said}");
        }
    }
    assert!(content.html.contains("href=\"tel:+12075550163\"") && !content.html.contains("mailto:"));
    assert!(content.html.contains("https://shingle.example/portal/leads/1"), "a bounce leads to its lead");
    lead.consent.given = false;
    assert!(!bounced(&lead).html.contains("tel:"));
    lead.phone = None;
    assert!(flowed(&bounced(&lead).text).contains("Phone: None given"));
}

#[test]
fn a_link_to_switch_on_is_a_button() {
    let problem = Problem::SwitchedOff {
        destination: Destination::Connector,
        name: "HubSpot",
        reason: "401",
        at: at("2026-11-24T23:12:00Z"),
        failing_since: at("2026-11-24T23:00:00Z"),
        failed: 1,
        remedy: Remedy::Link("https://shingle.example/c/7"),
    };
    let notice = ProblemNotice { problem, to: "a@b.co", language: Language::Spanish, time_zone: "" };
    let content = notice.content();
    assert!(content.html.contains("href=\"https://shingle.example/c/7\""));
    assert!(content.text.contains("1 entrega\n") && content.text.contains("Con el botón de abajo."));
}
