//! What a mail says, without envelope: written by code that knows the words, sent by code that knows the servers.

/// The content of a mail. HTML and text say the same.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailContent {
    /// One line, without control characters.
    pub subject: String,
    pub text: String,
    pub html: String,
    /// Pictures that the HTML shows as `cid:…`.
    pub pictures: Vec<MailPicture>,
    pub attachments: Vec<MailAttachment>,
    /// What the recipient's calendar follows.
    pub calendar: Option<MailCalendar>,
}

/// A calendar file that belongs to a mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailCalendar {
    pub method: CalendarMethod,
    pub text: String,
}

/// What a calendar does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CalendarMethod {
    Publish,
    Request,
    Cancel,
}

impl CalendarMethod {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Publish => "PUBLISH",
            Self::Request => "REQUEST",
            Self::Cancel => "CANCEL",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailPicture {
    /// Without `cid:`.
    pub content_id: String,
    /// `image/png`
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailAttachment {
    pub file_name: String,
    /// `application/pdf`
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}
