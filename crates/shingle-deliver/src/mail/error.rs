//! Errors of the mail settings, and why a mail was not accepted.

use core::fmt;

/// What is wrong with the settings. No text of a setting that may hold a password is repeated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MailError {
    #[error("the address of the mail server cannot be read: {0}")]
    Url(&'static str),
    #[error(
        "a password must not go over the network unencrypted: write smtps:// or smtp+starttls:// (smtp:// with a \
         password is for this machine only)"
    )]
    UnencryptedPassword,
    #[error("the sender must be an e-mail address, alone or like Shingle <leads@example.com>")]
    From,
    #[error("the sender's address must consist of ASCII letters before the @")]
    FromNotAscii,
    #[error("the DKIM selector must be a name in DNS, like shingle2026")]
    DkimSelector,
    #[error("the DKIM key cannot be used: {0}")]
    DkimKey(&'static str),
    #[error("TLS cannot be set up: {0}")]
    Tls(String),
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
    /// One line for people, with what the server said. Passwords are taken out.
    pub text: String,
    /// The whole mail was sent and the answer is missing: the server may have taken it. Sent again, it may arrive
    /// twice, under the same Message-ID.
    pub may_have_arrived: bool,
}

impl fmt::Display for MailFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for MailFailure {}

/// The server has taken the mail, and is now responsible for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailReceipt {
    /// What the server said: `250 2.0.0 Ok: queued as 4XyZ`.
    pub response: String,
}
