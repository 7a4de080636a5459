//! The mail server's address: `smtps://user:password@smtp.example.com`.

use core::fmt;
use std::net::IpAddr;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use url::{Host, Url};

use super::error::{MailError, SmtpUrlProblem};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encryption {
    /// `smtp://`: none; to this machine and private networks only.
    Plain,
    /// `smtp+starttls://`: none until STARTTLS, without which nothing is sent.
    StartTls,
    /// `smtps://`: from the first byte.
    Tls,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct SmtpServer {
    pub(super) encryption: Encryption,
    /// A name, or an IP address without brackets.
    pub(super) host: String,
    pub(super) port: u16,
    /// User and password.
    pub(super) login: Option<(String, String)>,
}

impl SmtpServer {
    /// Nothing of the text is repeated in an error: it holds a password.
    pub(super) fn parse(text: &str) -> Result<Self, MailError> {
        const FORM: MailError = MailError::Url { problem: SmtpUrlProblem::Form };
        let wrong = |problem| Err(MailError::Url { problem });
        let url = Url::parse(text.trim()).map_err(|_| FORM)?;
        let (encryption, default_port) = match url.scheme() {
            "smtp" => (Encryption::Plain, 25),
            "smtp+starttls" => (Encryption::StartTls, 587),
            "smtps" => (Encryption::Tls, 465),
            _ => return wrong(SmtpUrlProblem::Scheme),
        };
        if !matches!(url.path(), "" | "/") || url.query().is_some() || url.fragment().is_some() {
            return Err(FORM);
        }
        let host = match url.host() {
            Some(Host::Ipv4(ip)) => ip.to_string(),
            Some(Host::Ipv6(ip)) => ip.to_string(),
            // Of a scheme the parser does not know, it keeps the host as it stands.
            Some(Host::Domain(name)) => match Host::parse(name).map_err(|_| FORM)? {
                Host::Domain(name) => name,
                Host::Ipv4(ip) => ip.to_string(),
                Host::Ipv6(ip) => ip.to_string(),
            },
            None => return wrong(SmtpUrlProblem::NoServer),
        };
        let port = url.port().unwrap_or(default_port);
        if port == 0 {
            return wrong(SmtpUrlProblem::PortZero);
        }
        if (encryption, port) == (Encryption::StartTls, 465) {
            return wrong(SmtpUrlProblem::PortOfTls);
        }
        let server = Self { encryption, host, port, login: login(&url)? };
        if server.login.is_some() && encryption == Encryption::Plain && !server.is_this_machine() {
            return Err(MailError::UnencryptedPassword);
        }
        Ok(server)
    }

    fn is_this_machine(&self) -> bool {
        let name = self.host.trim_end_matches('.');
        name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
    }

    /// Everything that must not appear in a message, in the forms in which SMTP sends it.
    pub(super) fn secrets(&self) -> Vec<String> {
        let Some((user, password)) = &self.login else { return Vec::new() };
        let plain = BASE64_STANDARD.encode(format!("\0{user}\0{password}"));
        vec![plain, BASE64_STANDARD.encode(password), password.clone()]
    }
}

impl fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SmtpServer")
            .field("encryption", &self.encryption)
            .field("host", &self.host)
            .field("port", &self.port)
            .field("login", &self.login.as_ref().map(|_| "[secret]"))
            .finish()
    }
}

fn login(url: &Url) -> Result<Option<(String, String)>, MailError> {
    const UNREADABLE: MailError = MailError::Url { problem: SmtpUrlProblem::Login };
    let wrong = |problem| Err(MailError::Url { problem });
    let user = percent_decoded(url.username()).ok_or(UNREADABLE)?;
    let password = percent_decoded(url.password().unwrap_or_default()).ok_or(UNREADABLE)?;
    match (user.is_empty(), password.is_empty()) {
        (true, true) => Ok(None),
        (false, false) => Ok(Some((user, password))),
        (true, false) => wrong(SmtpUrlProblem::NoUser),
        (false, true) => wrong(SmtpUrlProblem::NoPassword),
    }
}

/// `None` for a broken escape, bytes that are not UTF-8, and control characters.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
            bytes.push((digit(0)? * 16 + digit(1)?) as u8);
            rest = &after[2..];
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains(char::is_control))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_schemes_have_their_ports_and_the_login_is_decoded() {
        let parsed = |text: &str| {
            let s = SmtpServer::parse(text).unwrap();
            (s.encryption, s.host, s.port, s.login)
        };
        let login = Some(("ann@example.com".to_owned(), "p@ss:/#%é+".to_owned()));
        let coded = "ann%40example.com:p%40ss%3A%2F%23%25%C3%A9+";
        for (text, expected) in [
            ("smtp://127.0.0.1", (Encryption::Plain, "127.0.0.1".to_owned(), 25, None)),
            ("smtp://[::1]:1025/", (Encryption::Plain, "::1".to_owned(), 1025, None)),
            (
                "SMTPS://u:p@SMTP.Example.com",
                (Encryption::Tls, "smtp.example.com".to_owned(), 465, Some(("u".to_owned(), "p".to_owned()))),
            ),
            (
                &format!("smtp+starttls://{coded}@smtp.example.com"),
                (Encryption::StartTls, "smtp.example.com".to_owned(), 587, login.clone()),
            ),
            (&format!("smtp://{coded}@localhost:25"), (Encryption::Plain, "localhost".to_owned(), 25, login)),
        ] {
            assert_eq!(parsed(text), expected, "{text}");
        }
    }

    #[test]
    fn port_465_is_told_to_be_encrypted_from_the_start() {
        for text in ["smtp+starttls://smtp.example.com:465", "SMTP+STARTTLS://u:p@smtp.example.com:465/"] {
            let error = SmtpServer::parse(text).unwrap_err().to_string();
            assert!(error.contains("port 465 is encrypted from the start: write smtps://"), "{error}");
        }
        for text in
            ["smtps://smtp.example.com:465", "smtp+starttls://smtp.example.com:587", "smtp+starttls://a.example:2525"]
        {
            SmtpServer::parse(text).unwrap();
        }
    }

    #[test]
    fn a_wrong_address_is_refused_without_being_repeated() {
        for text in [
            "",
            "hunter2",
            "smtp.example.com:hunter2",
            "http://u:hunter2@smtp.example.com",
            "smtps://",
            "smtps:///hunter2",
            "smtps://u:hun/ter2@smtp.example.com",
            "smtps://u:12/hunter2@smtp.example.com",
            "smtps://u:1#hunter2@smtp.example.com",
            "smtps://u:1?hunter2@smtp.example.com",
            "smtps://u:hunter2%@smtp.example.com",
            "smtps://u:hunter2%0d@smtp.example.com",
            "smtps://u:hunter2%00@smtp.example.com",
            "smtps://u:hunter2%ff@smtp.example.com",
            "smtps://:hunter2@smtp.example.com",
            "smtps://hunter2@smtp.example.com",
            "smtps://u:hunter2@smtp.example.com:0",
            "smtps://u:hunter2@smtp.example.com:99999",
            "smtps://u:hunter2@smtp.example.com?tls=none",
            "smtps://u:hunter2@smtp example.com",
        ] {
            let error = SmtpServer::parse(text).unwrap_err();
            assert!(!error.to_string().contains("hunter2"), "{error}");
            assert!(matches!(error, MailError::Url { .. }), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_goes_unencrypted_to_this_machine_only() {
        for text in ["smtp://u:p@smtp.example.com", "smtp://u:p@10.0.0.1", "smtp://u:p@localhost.example.com"] {
            assert_eq!(SmtpServer::parse(text), Err(MailError::UnencryptedPassword), "{text}");
        }
        for text in ["smtp://u:p@127.0.0.1", "smtp://u:p@[::1]", "smtp://u:p@localhost", "smtp://mailpit:1025"] {
            assert!(SmtpServer::parse(text).is_ok(), "{text}");
        }
    }
}
