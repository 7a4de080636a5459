//! A letter becomes the content of a mail.

use shingle_domain::mail::MailContent;

use crate::clean;
use crate::letter::Letter;
use crate::{html, plain};

pub fn compose(mut letter: Letter) -> MailContent {
    letter.subject = clean::line(&letter.subject);
    letter.preview = clean::line(&letter.preview);
    let (text, html) = (plain::render(&letter), html::render(&letter));
    let Letter { subject, pictures, attachments, .. } = letter;
    MailContent { subject, text, html, pictures, attachments, calendar: None }
}
