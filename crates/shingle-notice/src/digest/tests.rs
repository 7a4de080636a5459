use super::*;
use crate::reading::{flowed, shown, unbalanced};
use crate::sample;

fn digest(counts: DigestCounts, leads: &[DigestLead<'_>], spam: &[DigestLead<'_>], language: Language) -> MailContent {
    let digest = Digest {
        company: "Quillback Roofing",
        day: Timestamp::parse_iso("2026-11-24T12:00:00Z").unwrap(),
        counts,
        leads,
        spam,
        widget: None,
        held: None,
        unsubscribe: Some("https://shingle.example/u/abc?x=1&y=2"),
        to: "office@quillback.example",
        language,
        time_zone: "America/New_York",
    };
    digest.content()
}

const LINK: &str = "https://shingle.example/portal/leads/7fK2";

const COUNTS: DigestCounts =
    DigestCounts { new: 2, taken: 1, waiting: 1, longest_wait_minutes: Some(905), median_first_touch_minutes: Some(8) };

#[test]
fn the_day_is_told_in_figures_and_lead_by_lead() {
    let mut lead = sample::lead().unwrap();
    let other = Lead { first_name: "Lee".into(), last_name: "Moreno".into(), estimate: None, ..lead.clone() };
    let robot = Lead { first_name: "Cheap".into(), last_name: "Pills".into(), ..lead.clone() };
    lead.status = LeadStatus::Contacted;
    let taken = Touch::Taken { minutes: 8, by: Some("Marcus Bell") };
    let waiting = Touch::Waiting { minutes: 905 };
    let leads = [
        DigestLead { lead: &lead, reference: "7K3-Q9F", touch: taken, link: "https://shingle.example/portal/leads/1" },
        DigestLead {
            lead: &other,
            reference: "8M1-AA2",
            touch: waiting,
            link: "https://shingle.example/portal/leads/2",
        },
    ];
    let spam = [DigestLead {
        lead: &robot,
        reference: "9Z9-ZZZ",
        touch: waiting,
        link: "https://shingle.example/portal/leads/3",
    }];
    let content = digest(COUNTS, &leads, &spam, Language::English);
    assert_eq!(content.subject, "2 new leads, Tue, Nov 24");
    for said in [flowed(&content.text), shown(&content.html)] {
        for fact in [
            "Quillback Roofing",
            "1, the longest for 15 h 5 min",
            "after 8 min (median)",
            "Dana Whitfield",
            "14 Alder Court, $16,120",
            "contacted, taken by Marcus Bell after 8 min · 7K3-Q9F",
            "Lee Moreno",
            "no price yet",
            "Leaks · Now · Over 20 years · Text, evenings",
            "nobody is on it, 15 h 5 min · 8M1-AA2",
            "Cheap Pills",
            "6:12 pm",
        ] {
            assert!(said.contains(fact), "{fact}\n{said}");
        }
        assert!(
            said.find("Lee Moreno") < said.to_lowercase().find("suspected spam"),
            "spam has its own section, below"
        );
        assert!(said.to_lowercase().find("suspected spam") < said.find("Cheap Pills"));
        assert_eq!(said.matches("555-0163").count(), 2, "not of suspected spam: {said}");
        assert!(!said.contains("dana.whitfield"), "{said}");
    }
    for link in ["https://shingle.example/portal/leads/1", "https://shingle.example/portal/leads/3", "tel:+12075550163"]
    {
        assert!(content.html.contains(link), "{link}");
    }
    assert!(content.text.contains("https://shingle.example/portal/leads/2"), "{}", content.text);
}

#[test]
fn a_day_without_leads_says_so() {
    let content = digest(DigestCounts::default(), &[], &[], Language::Spanish);
    assert_eq!(content.subject, "Ninguna solicitud nueva, mar 24 nov");
    assert!(!content.text.contains("EN CIFRAS") && !content.text.contains("SPAM"));
}

#[test]
fn the_way_out_stands_in_both_parts() {
    let content = digest(COUNTS, &[], &[], Language::English);
    assert!(content.html.contains("href=\"https://shingle.example/u/abc?x=1&amp;y=2\""));
    assert!(content.text.contains("https://shingle.example/u/abc?x=1&y=2"));
}

#[test]
fn a_flood_of_leads_is_cut_and_counted() {
    let lead = sample::lead().unwrap();
    let one = DigestLead { lead: &lead, reference: "7K3-Q9F", touch: Touch::Waiting { minutes: 3 }, link: LINK };
    let content = digest(DigestCounts { new: 4_000, ..COUNTS }, &[one; 4_000], &[one; 41], Language::English);
    assert!(content.text.contains("and 3960 more") && content.text.contains("and 1 more"));
    assert!(content.html.len() < 100_000, "mail programs cut what is longer than 102 kB: {}", content.html.len());
}

#[test]
fn names_of_strangers_are_not_markup() {
    let mut lead = sample::lead().unwrap();
    lead.first_name = "<script>alert(1)</script>\u{202e}\r\n".into();
    let one =
        DigestLead { lead: &lead, reference: "<b>", touch: Touch::Taken { minutes: 1, by: Some("<i>") }, link: LINK };
    let content = digest(COUNTS, &[one], &[one], Language::English);
    assert_eq!(unbalanced(&content.html), None);
    for tag in ["<script", "<i>", "<b>", "\u{202e}"] {
        assert!(!content.html.contains(tag), "{tag}");
    }
}

#[test]
fn what_is_held_is_told_alone_with_the_way_to_all_of_it() {
    let lead = sample::lead().unwrap();
    let names = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo"];
    let held: Vec<Lead> = names
        .iter()
        .map(|name| Lead { first_name: (*name).to_owned(), status: LeadStatus::Spam, ..lead.clone() })
        .collect();
    for count in 1..=names.len() {
        let rows: Vec<DigestLead<'_>> = held[..count]
            .iter()
            .map(|lead| DigestLead { lead, reference: "9Z9-ZZZ", touch: Touch::Waiting { minutes: 70 }, link: LINK })
            .collect();
        for language in [Language::English, Language::Spanish] {
            let list = "https://shingle.example/portal/leads?status=spam";
            let content = Digest {
                company: "Quillback Roofing",
                day: Timestamp::parse_iso("2026-11-24T12:00:00Z").unwrap(),
                counts: DigestCounts::default(),
                leads: &[],
                spam: &rows,
                widget: None,
                held: Some(list),
                unsubscribe: None,
                to: "office@quillback.example",
                language,
                time_zone: "America/New_York",
            }
            .content();
            assert!(content.subject.starts_with(&count.to_string()), "{}", content.subject);
            let text = flowed(&content.text);
            assert!(content.html.contains(list) && text.contains("office@quillback.example"), "{text}");
            assert_eq!(names.iter().filter(|name| text.contains(&format!("{name} {}", lead.last_name))).count(), count);
            assert_eq!(unbalanced(&content.html), None);
        }
    }
}
