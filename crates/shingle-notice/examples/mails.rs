//! Writes every mail of an example lead into a folder, to be looked at: `cargo run -p shingle-notice --example mails --
//! FOLDER`. The HTML's pictures are files beside it.

use std::error::Error;
use std::fs;
use std::path::Path;

use shingle_domain::mail::MailContent;
use shingle_notice::{Language, LeadNotice, NoticeKind};

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
        widget: &widget,
        reference: "7K3-Q9F",
        sandbox: false,
        kind: NoticeKind::New,
        to: "office@quillback.example",
        language,
        time_zone: "America/New_York",
        on_it: "https://shingle.example/n/on-it/eyJsZWFkIjoiMDE5MmY0YzEifQ.c2lnbmF0dXJl",
    };
    let reminder = LeadNotice { kind: NoticeKind::Reminder { minutes: 15 }, ..notice };
    let visit = LeadNotice { lead: &plain, drawing: None, sandbox: true, ..notice };
    Ok(vec![("lead", notice.content()?), ("reminder", reminder.content()?), ("visit", visit.content()?)])
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
