//! Writes every mail of an example lead into a folder, to be looked at: `cargo run -p shingle-notice --example mails --
//! FOLDER`. The HTML's pictures are files beside it.

use std::error::Error;
use std::fs;
use std::path::Path;

use shingle_domain::Timestamp;
use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::mail::MailContent;
use shingle_notice::{
    Destination, Digest, DigestCounts, DigestLead, HomeownerCopy, Language, LeadNotice, NoticeKind, Problem,
    ProblemNotice, Remedy, Touch,
};

#[path = "../src/sample.rs"]
mod sample;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    for language in Language::ALL {
        for (name, content) in mails(language)? {
            write(folder, &format!("{name}-{}", language.tag()), &content)?;
        }
    }
    Ok(())
}

fn mails(language: Language) -> Result<Vec<(&'static str, MailContent)>, Box<dyn Error>> {
    let (widget, lead, drawing) = (sample::widget()?, sample::lead()?, sample::drawing());
    let mut plain = lead.clone();
    plain.consent.given = false;
    plain.estimate = None;
    let notice = LeadNotice {
        lead: &lead,
        drawing: Some(&drawing),
        photo: None,
        widget: &widget,
        reference: "7K3-Q9F",
        sandbox: false,
        kind: NoticeKind::New,
        to: "office@quillback.example",
        language,
        time_zone: "America/New_York",
        on_it: "https://shingle.example/n/on-it/eyJsZWFkIjoiMDE5MmY0YzEifQ.c2lnbmF0dXJl",
        portal: ["https://shingle.example/portal/leads/7fK2", "https://shingle.example/portal/notices"],
        estimate: Some(["https://shingle.example/e/7fK2", "https://shingle.example/e.pdf"]),
        photos: &[],
    };
    let reminder = LeadNotice { kind: NoticeKind::Reminder { minutes: 15 }, ..notice };
    let visit = LeadNotice { lead: &plain, drawing: None, sandbox: true, ..notice };
    let copy = HomeownerCopy {
        lead: &lead,
        drawing: Some(&drawing),
        photo: None,
        widget: &widget,
        base_url: "https://shingle.example",
        reference: "7K3-Q9F",
        sandbox: false,
        open: Some("https://shingle.example/e/7fK2-mQ9x"),
        pick: None,
        includes: &[],
        language,
        time_zone: "America/New_York",
    };
    let now = Timestamp::parse_iso("2026-11-25T14:00:00Z").ok_or("not a time")?;
    Ok(vec![
        ("lead", notice.content()?),
        ("reminder", reminder.content()?),
        ("visit", visit.content()?),
        ("off", switched_off(language, now)),
        ("bounced", bounced(&lead, language, now)),
        ("digest", digest(&lead, language, now)),
        ("homeowner", copy.content()?.ok_or("no price")?),
    ])
}

fn switched_off(language: Language, now: Timestamp) -> MailContent {
    let problem = Problem::SwitchedOff {
        destination: Destination::Webhook,
        name: "https://crm.example.com/hooks/roof",
        reason: "answered 500 Internal Server Error",
        at: now,
        failing_since: now - std::time::Duration::from_secs(5 * 86_400),
        failed: 214,
        remedy: Remedy::Command("shingle webhook enable 0192f4c1"),
    };
    ProblemNotice { problem, to: "office@quillback.example", language, time_zone: "America/New_York" }.content()
}

fn bounced(lead: &Lead, language: Language, now: Timestamp) -> MailContent {
    let reply = "550 5.1.1 no such user";
    let problem = Problem::HomeownerBounced {
        lead,
        reference: "7K3-Q9F",
        reply,
        at: now,
        link: "https://shingle.example/portal/leads/7fK2",
    };
    ProblemNotice { problem, to: "office@quillback.example", language, time_zone: "America/New_York" }.content()
}

fn digest(lead: &Lead, language: Language, now: Timestamp) -> MailContent {
    let named = |first: &str, last: &str, status| Lead {
        first_name: first.to_owned(),
        last_name: last.to_owned(),
        status,
        ..lead.clone()
    };
    let [dana, lee, robot] = [
        named("Dana", "Whitfield", LeadStatus::Contacted),
        named("Lee", "Moreno", LeadStatus::New),
        named("Cheap", "Pills", LeadStatus::Spam),
    ];
    let link = "https://shingle.example/portal/leads/7fK2";
    let of = |lead, reference, touch| DigestLead { lead, reference, touch, link };
    let waiting = Touch::Waiting { minutes: 905 };
    Digest {
        company: "Quillback Roofing",
        day: now - std::time::Duration::from_secs(86_400),
        counts: DigestCounts {
            new: 2,
            taken: 1,
            waiting: 1,
            longest_wait_minutes: Some(905),
            median_first_touch_minutes: Some(8),
        },
        leads: &[
            of(&dana, "7K3-Q9F", Touch::Taken { minutes: 8, by: Some("Marcus Bell") }),
            of(&lee, "8M1-AA2", waiting),
        ],
        spam: &[of(&robot, "9Z9-ZZZ", waiting)],
        widget: None,
        held: None,
        unsubscribe: Some("https://shingle.example/n/unsubscribe/abc"),
        to: "office@quillback.example",
        language,
        time_zone: "America/New_York",
    }
    .content()
}

fn write(folder: &Path, name: &str, content: &MailContent) -> Result<(), Box<dyn Error>> {
    let mut html = content.html.clone();
    for picture in &content.pictures {
        let file = format!("{name}-{}.png", picture.content_id);
        html = html.replace(&format!("cid:{}", picture.content_id), &file);
        fs::write(folder.join(file), &picture.bytes)?;
    }
    for attachment in &content.attachments {
        fs::write(folder.join(format!("{name}-{}", attachment.file_name)), &attachment.bytes)?;
    }
    fs::write(folder.join(format!("{name}.html")), html)?;
    fs::write(folder.join(format!("{name}.txt")), format!("Subject: {}\n\n{}", content.subject, content.text))?;
    Ok(())
}
