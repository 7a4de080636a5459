//! What went wrong in an exchange with a mail server, and whose fault it is.
//!
//! # Decision
//!
//! A refusal is classified by whose fault it is, even if the server reports late (in answer to the recipient) that it
//! does not accept us. A wrong password must not count as a wrong recipient.

use std::error::Error as _;
use std::io;
use std::time::Duration;

use shingle_domain::message::ToMessage;

use super::address::one_line;
use super::error::{MailFailure, MailFailureKind};
use super::messages::{MailProblem, ServerFault, Unusable};
use super::server::SmtpServer;
use crate::error::CertificateFault;

/// Where an exchange was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Up to the answer to EHLO.
    Connect,
    StartTls,
    Login,
    Sender,
    Recipient,
    Data,
    /// From the first byte of the mail to the server's answer to all of it.
    Content,
    /// A question without a mail.
    Probe,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    /// The server said no.
    Reply {
        code: u16,
        text: String,
    },
    /// No connection, or none any more.
    Broken(ServerFault),
    Timeout(Duration),
    /// The server cannot be used with our settings.
    Unusable(Unusable),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) step: Step,
    pub(super) cause: Cause,
}

/// Characters of a reply that are kept.
const MAX_REPLY: usize = 500;

impl Fault {
    pub(super) fn new(step: Step, cause: Cause) -> Self {
        Self { step, cause }
    }

    /// From lettre's error.
    pub(super) fn from_smtp(step: Step, error: &lettre::transport::smtp::Error) -> Self {
        let said = || error.source().map(ToString::to_string).unwrap_or_default();
        let cause = match error.status() {
            Some(code) => Cause::Reply { code: code.into(), text: said() },
            None if error.is_response() && said() == "incomplete response" => Cause::Broken(ServerFault::Closed),
            None if error.is_response() || error.is_client() => Cause::Broken(ServerFault::NotSmtp),
            None => Cause::Broken(broken(error)),
        };
        Self { step, cause }
    }

    /// For a kept connection: it is gone, or the server takes nothing more over it. Nothing of the mail was sent.
    pub(super) fn is_of_the_connection(&self) -> bool {
        let before = matches!(self.step, Step::Sender | Step::Recipient | Step::Data);
        match &self.cause {
            Cause::Broken(_) | Cause::Reply { code: 421, .. } => before,
            // A server that has taken mails from this sender may say that they were enough for one connection.
            // And only the first question to a kept connection has a time limit of its own.
            Cause::Reply { .. } | Cause::Timeout(_) => self.step == Step::Sender,
            Cause::Unusable(_) => false,
        }
    }

    /// The server has refused this mail for good, and can be given the next. What it refuses for now, it may refuse
    /// because of the connection.
    pub(super) fn leaves_connection_usable(&self) -> bool {
        let in_mail = matches!(self.step, Step::Sender | Step::Recipient | Step::Data | Step::Content);
        in_mail && matches!(self.cause, Cause::Reply { code, .. } if code >= 500)
    }

    pub(super) fn is_reply(&self) -> bool {
        matches!(self.cause, Cause::Reply { .. })
    }

    fn kind(&self) -> MailFailureKind {
        use MailFailureKind::{Later, Misconfigured, Refused, Unavailable};
        match &self.cause {
            Cause::Broken(_) | Cause::Timeout(_) => Unavailable,
            Cause::Unusable(_) => Misconfigured,
            Cause::Reply { code, .. } if *code < 500 => Later,
            Cause::Reply { code, text } => match self.step {
                // The mail is too large.
                Step::Sender if *code == 552 || enhanced(text) == Some("5.3.4") => Refused,
                Step::Recipient | Step::Data | Step::Content if !is_our_fault(*code, text) => Refused,
                _ => Misconfigured,
            },
        }
    }

    /// In words for the operator. `server` says who, and which secrets a reply must not repeat.
    pub(super) fn into_failure(self, server: &SmtpServer) -> MailFailure {
        let kind = self.kind();
        let may_have_arrived = self.step == Step::Content && matches!(self.cause, Cause::Broken(_) | Cause::Timeout(_));
        let host = server.host.clone();
        let mut code = None;
        let what = match self.cause {
            Cause::Reply { code: reply, text } => {
                code = Some(reply);
                let text = without(&server.secrets(), one_line(&text, MAX_REPLY));
                no(self.step, format!("{reply} {text}").trim_end().to_owned())
            }
            Cause::Broken(what) => what,
            Cause::Timeout(after) => late(self.step, after),
            Cause::Unusable(why) => ServerFault::Unusable { why },
        };
        let problem = match may_have_arrived {
            true => MailProblem::MayHaveArrived { host, what },
            false => MailProblem::Server { host, what },
        };
        MailFailure { kind, code, why: problem.to_message(), may_have_arrived }
    }
}

fn no(step: Step, said: String) -> ServerFault {
    match step {
        Step::Connect | Step::Probe => ServerFault::NoMail { said },
        Step::StartTls => ServerFault::NoEncryption { said },
        Step::Login => ServerFault::NoLogin { said },
        Step::Sender => ServerFault::NoSender { said },
        Step::Recipient => ServerFault::NoRecipient { said },
        Step::Data | Step::Content => ServerFault::NoContent { said },
    }
}

fn late(step: Step, after: Duration) -> ServerFault {
    match step {
        Step::Connect => ServerFault::LateAnswer { after },
        Step::StartTls => ServerFault::LateEncryption { after },
        Step::Login => ServerFault::LateLogin { after },
        Step::Sender | Step::Recipient | Step::Data | Step::Probe => ServerFault::Late { after },
        Step::Content => ServerFault::LateConfirmation { after },
    }
}

fn without(secrets: &[String], text: String) -> String {
    secrets.iter().filter(|secret| !secret.is_empty()).fold(text, |text, secret| text.replace(secret, "[secret]"))
}

/// The code at the start of a reply's text (RFC 3463): `5.1.1`.
fn enhanced(text: &str) -> Option<&str> {
    let first = text.split([' ', '\n']).next()?;
    let digits = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    (first.split('.').count() == 3 && first.split('.').all(digits)).then_some(first)
}

/// Servers may report only in answer to the recipient or the mail that they do not accept us.
fn is_our_fault(code: u16, text: &str) -> bool {
    const CODES: &[&str] = &[
        // The sender's address.
        "5.1.7", "5.1.8", // Authentication.
        "5.7.8", "5.7.9", "5.7.10", "5.7.11", // DKIM, SPF, reverse DNS and DMARC of our domain.
        "5.7.20", "5.7.21", "5.7.22", "5.7.23", "5.7.24", "5.7.25", "5.7.26", "5.7.27",
        // Exchange: not allowed to send as this sender.
        "5.7.60",
    ];
    const WORDS: &[&str] = &[
        "relay",
        "sender address rejected",
        "sender verify failed",
        "sender rejected",
        "authentication required",
        "authenticate first",
        "must issue a starttls",
        "not allowed to send",
        "not permitted to send",
    ];
    let text = text.to_ascii_lowercase();
    matches!(code, 530 | 534 | 535 | 538)
        || enhanced(&text).is_some_and(|code| CODES.contains(&code))
        || WORDS.iter().any(|word| text.contains(word))
}

/// By the cause at the end of the chain.
fn broken(error: &(dyn std::error::Error + 'static)) -> ServerFault {
    let mut next = Some(error);
    while let Some(cause) = next {
        if let Some(tls) = cause.downcast_ref::<rustls::Error>() {
            return match tls {
                rustls::Error::InvalidCertificate(fault) => {
                    ServerFault::Certificate { fault: CertificateFault::from_rustls(fault) }
                }
                _ => ServerFault::NotTls,
            };
        }
        let io = cause.downcast_ref::<io::Error>();
        if let Some(wrapped) = io.and_then(io::Error::get_ref) {
            // The error inside an I/O error is not one of its sources.
            next = Some(wrapped);
            continue;
        }
        if let Some(io) = io {
            return by_kind(io.kind());
        }
        next = cause.source();
    }
    ServerFault::Closed
}

pub(super) fn by_kind(kind: io::ErrorKind) -> ServerFault {
    match kind {
        io::ErrorKind::ConnectionRefused => ServerFault::Refused,
        io::ErrorKind::NetworkUnreachable | io::ErrorKind::HostUnreachable => ServerFault::Unreachable,
        io::ErrorKind::TimedOut => ServerFault::LateConnection,
        // Bytes that are not text, or an endless response.
        io::ErrorKind::InvalidData => ServerFault::NotSmtp,
        _ => ServerFault::Closed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(step: Step, code: u16, text: &str) -> MailFailureKind {
        Fault::new(step, Cause::Reply { code, text: text.into() }).kind()
    }

    #[test]
    fn a_refusal_is_the_recipients_or_ours_whenever_it_comes() {
        use MailFailureKind::{Later, Misconfigured, Refused};
        for (step, code, text, expected) in [
            (Step::Recipient, 550, "5.1.1 No such user", Refused),
            (Step::Recipient, 550, "Unrouteable address", Refused),
            (Step::Recipient, 554, "5.7.1 <a@example.org>: Relay access denied", Misconfigured),
            (Step::Recipient, 550, "relay not permitted", Misconfigured),
            (Step::Recipient, 553, "5.7.1 <l@example.com>: Sender address rejected: not owned", Misconfigured),
            (Step::Recipient, 530, "5.7.0 Authentication required", Misconfigured),
            (Step::Recipient, 452, "4.2.2 Mailbox full", Later),
            (Step::Recipient, 450, "4.2.0 Greylisted", Later),
            (Step::Content, 554, "5.7.1 Looks like spam", Refused),
            (Step::Content, 550, "5.7.26 This mail has been blocked: unauthenticated", Misconfigured),
            (Step::Content, 552, "5.3.4 Message too big", Refused),
            (Step::Content, 451, "try later", Later),
            (Step::Sender, 552, "5.3.4 Message size exceeds fixed limit", Refused),
            (Step::Sender, 550, "5.1.0 sender refused", Misconfigured),
            (Step::Sender, 421, "closing", Later),
            (Step::Login, 535, "5.7.8 bad password", Misconfigured),
            (Step::Login, 454, "4.7.0 try later", Later),
            (Step::Connect, 554, "go away", Misconfigured),
            (Step::Connect, 421, "too busy", Later),
        ] {
            assert_eq!(kind(step, code, text), expected, "{step:?} {code} {text}");
        }
    }

    #[test]
    fn a_reply_that_repeats_the_password_is_cleaned() {
        let server = SmtpServer::parse("smtps://ann:hunter2@smtp.example.com").unwrap();
        let token = &server.secrets()[0];
        let text = format!("unknown: AUTH PLAIN {token}\nhunter2 aHVudGVyMg==");
        let failure = Fault::new(Step::Login, Cause::Reply { code: 500, text }).into_failure(&server);
        assert_eq!(
            failure.to_string(),
            "the mail server smtp.example.com refuses user and password: 500 unknown: AUTH PLAIN [secret] [secret] \
             [secret]"
        );
    }
}
