//! All that a mailer is made from.
//!
//! # Decision
//!
//! `smtp://` reaches private networks only, and with a password only this machine; `smtp+starttls://` never falls
//! back. Turned down: opportunistic encryption, which anyone on the path can strip.

use std::time::Duration;

use lettre::Address;
use rustls::pki_types::CertificateDer;
use shingle_domain::contact::Email;

use super::address::{ascii_address, shown_name};
use super::dkim::DkimKey;
use super::error::MailError;
use super::server::SmtpServer;

/// The server, the sender and how to sign. `Debug` shows no secret.
#[derive(Debug)]
pub struct MailSettings {
    pub(super) server: SmtpServer,
    pub(super) from: Address,
    /// Shown unless a mail has its own.
    pub(super) from_name: Option<String>,
    pub(super) dkim: Option<DkimKey>,
    pub(super) timeout: Duration,
    pub(super) connections: usize,
    pub(super) idle: Duration,
    pub(super) roots: Vec<CertificateDer<'static>>,
}

impl MailSettings {
    /// `url` is `smtps://user:password@host`, `smtp+starttls://…` or `smtp://…`; `from` is `Name <address>` or the
    /// address alone.
    pub fn new(url: &str, from: &str) -> Result<Self, MailError> {
        let (from_name, from) = sender(from)?;
        Ok(Self {
            server: SmtpServer::parse(url)?,
            from,
            from_name,
            dkim: None,
            timeout: Duration::from_secs(60),
            connections: 4,
            idle: Duration::from_secs(30),
            roots: Vec::new(),
        })
    }

    /// Signs every mail. `key` is a private key as PEM, RSA of 2,048 bits or more or Ed25519; its public half stands in
    /// DNS at `selector._domainkey.` before the domain of each sender.
    pub fn with_dkim(self, selector: &str, key: &str) -> Result<Self, MailError> {
        let dkim = DkimKey::parse(selector, key)?;
        Ok(Self { dkim: Some(dkim), ..self })
    }

    /// For one mail from the connection to the server's last answer.
    pub fn with_timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// How many mails are under way at the same time.
    pub fn with_connections(self, connections: usize) -> Self {
        Self { connections: connections.max(1), ..self }
    }

    /// For how long a connection is kept for the next mail. Servers wait a minute and more.
    pub fn with_idle(self, idle: Duration) -> Self {
        Self { idle, ..self }
    }

    /// Certificates that are trusted besides the public authorities.
    pub fn with_roots(self, roots: Vec<CertificateDer<'static>>) -> Self {
        Self { roots, ..self }
    }
}

/// `Name <address>`, `"Name, with comma" <address>` or `address`.
fn sender(text: &str) -> Result<(Option<String>, Address), MailError> {
    let text = text.trim();
    let (name, address) = match text.strip_suffix('>').map(|text| text.rsplit_once('<')) {
        Some(Some((name, address))) => (name.trim(), address),
        Some(None) => return Err(MailError::From),
        None => ("", text),
    };
    let quoted = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    let name = quoted.map_or_else(|| name.to_owned(), |name| name.replace("\\\"", "\"").replace("\\\\", "\\"));
    let email = Email::parse(address.trim()).ok_or(MailError::From)?;
    Ok((shown_name(&name), ascii_address(&email).ok_or(MailError::FromNotAscii)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sender_is_an_address_with_or_without_a_name() {
        let read = |text: &str| sender(text).map(|(name, address)| (name.unwrap_or_default(), address.to_string()));
        for (text, name, address) in [
            ("leads@example.com", "", "leads@example.com"),
            (" Shingle <leads@example.com> ", "Shingle", "leads@example.com"),
            ("<leads@example.com>", "", "leads@example.com"),
            ("Oak, Roofing & Sons, LLC <leads@example.com>", "Oak, Roofing & Sons, LLC", "leads@example.com"),
            (r#""Oak \"The Roof\" LLC" <leads@example.com>"#, r#"Oak "The Roof" LLC"#, "leads@example.com"),
            ("Tejados Ñandú <leads@ñandú.example>", "Tejados Ñandú", "leads@xn--and-6ma2c.example"),
        ] {
            assert_eq!(read(text), Ok((name.to_owned(), address.to_owned())), "{text}");
        }
        for text in
            ["", "Shingle", "leads@example.com>", "a@b.co, c@d.eu", "Shingle <leads>", "x <a@b.co\r\nBcc: c@d.eu>"]
        {
            assert_eq!(sender(text), Err(MailError::From), "{text}");
        }
        assert_eq!(sender("añá@example.com"), Err(MailError::FromNotAscii));
    }

    #[test]
    fn the_settings_show_no_password() {
        let shown =
            format!("{:?}", MailSettings::new("smtps://ann:hunter2@smtp.example.com", "a@example.com").unwrap());
        assert!(shown.contains("smtp.example.com") && !shown.contains("hunter2"), "{shown}");
    }
}
