//! Errors of the mail settings, and why a mail was not accepted.

use core::fmt;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;

messages! {
    /// What is wrong with the settings. No text of a setting that may hold a password is repeated.
    #[derive(Debug, Clone, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum MailError {
        Url { problem: SmtpUrlProblem } => "the address of the mail server cannot be read: {problem}",
        UnencryptedPassword =>
            "a password must not go over the network unencrypted: write smtps:// or smtp+starttls:// (smtp:// with a \
             password is for this machine only)",
        From => "the sender must be an email address, alone or like Shingle <leads@example.com>",
        FromNotAscii => "the sender's address must consist of ASCII letters before the @",
        DkimSelector => "the DKIM selector must be a name in DNS, like shingle2026",
        DkimKey { problem: DkimKeyProblem } => "the DKIM key cannot be used: {problem}",
        Tls { why: String } => "TLS cannot be set up: {why}",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum SmtpUrlProblem {
        Form =>
            "it is not like smtps://user:password@smtp.example.com:465 (in user and password, write @ as %40, : as \
             %3A, / as %2F, # as %23, ? as %3F and % as %25)",
        Scheme => "it must begin with smtps://, smtp+starttls:// or smtp://",
        NoServer => "it names no server",
        PortZero => "port 0 is no port of a server",
        PortOfTls => "port 465 is encrypted from the start: write smtps://",
        Login => "user or password is not UTF-8, or holds a control character (write % as %25)",
        NoUser => "it has a password and no user",
        NoPassword => "it has a user and no password",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DkimKeyProblem {
        Kind => "it is neither RSA of 2,048 to 4,096 bits nor Ed25519",
        NoKey => "the file holds no private key in PEM form",
        Signing => "signing failed",
    }
}

/// Whose fault it is that a mail was not accepted, and so what to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MailFailureKind {
    /// The server will never take this mail for this recipient.
    Refused,
    /// The server asks to try again later.
    Later,
    /// There was no usable connection, or no answer.
    Unavailable,
    /// The server does not accept us: credentials, sender or encryption. No mail will go out until the operator acts.
    Misconfigured,
}

impl MailFailureKind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Later => "later",
            Self::Unavailable => "unavailable",
            Self::Misconfigured => "misconfigured",
        }
    }
}

/// Why a mail was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailFailure {
    pub kind: MailFailureKind,
    /// The SMTP reply's code.
    pub code: Option<u16>,
    /// With what the server said. Passwords are taken out.
    pub why: Message,
    /// The whole mail was sent and the answer is missing: the server may have taken it. Sent again, it may arrive
    /// twice, under the same Message-ID.
    pub may_have_arrived: bool,
}

impl fmt::Display for MailFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for MailFailure {}

impl ToMessage for MailFailure {
    fn to_message(&self) -> Message {
        self.why.clone()
    }
}

/// The server has taken the mail, and is now responsible for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailReceipt {
    /// What the server said: `250 2.0.0 Ok: queued as 4XyZ`.
    pub response: String,
}
