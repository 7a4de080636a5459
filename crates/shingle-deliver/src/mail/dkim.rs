//! DKIM (RFC 6376, RFC 8463): relaxed/relaxed over the finished bytes. lettre's signer reads the machine's clock,
//! cannot sign a header twice against additions, and takes RSA keys in PKCS #1 alone.
//!
//! # Decision
//!
//! DKIM is signed by ring over the finished bytes. Turned down: lettre's signer, which reads the system clock, cannot
//! oversign headers and depends on `rsa` with its open timing advisory.

use core::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{Ed25519KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};

use super::error::{DkimKeyProblem, MailError};

/// Signed if present. Those marked are named once more than they occur, so that nobody can add one.
const SIGNED: &[(&str, bool)] = &[
    ("From", true),
    ("To", true),
    ("Subject", true),
    ("Date", true),
    ("Message-ID", true),
    ("Reply-To", true),
    ("In-Reply-To", false),
    ("References", false),
    ("MIME-Version", false),
    ("Content-Type", true),
    ("Content-Language", false),
    ("Auto-Submitted", false),
    ("List-Unsubscribe", false),
    ("List-Unsubscribe-Post", false),
];

pub(super) struct DkimKey {
    selector: String,
    key: PrivateKey,
}

enum PrivateKey {
    Rsa(RsaKeyPair),
    Ed25519(Ed25519KeyPair),
}

impl fmt::Debug for DkimKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DkimKey")
            .field("selector", &self.selector)
            .field("algorithm", &self.algorithm())
            .finish_non_exhaustive()
    }
}

impl DkimKey {
    pub(super) fn parse(selector: &str, pem: &str) -> Result<Self, MailError> {
        let label = |l: &str| {
            let inner = l.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
            inner && (1..=63).contains(&l.len()) && !l.starts_with('-') && !l.ends_with('-')
        };
        if selector.len() > 200 || !selector.split('.').all(label) {
            return Err(MailError::DkimSelector);
        }
        Ok(Self { selector: selector.to_owned(), key: PrivateKey::parse(pem)? })
    }

    fn algorithm(&self) -> &'static str {
        match self.key {
            PrivateKey::Rsa(_) => "rsa-sha256",
            PrivateKey::Ed25519(_) => "ed25519-sha256",
        }
    }

    /// The header to put before `mail`, with its line end. `domain` is that of its sender.
    pub(super) fn signature(&self, mail: &str, domain: &str, seconds: i64) -> Result<String, MailError> {
        let (headers, body) = split(mail);
        let mut names = Vec::new();
        let mut signed = String::new();
        for (name, closed) in SIGNED {
            // Of several, the last comes first.
            for header in headers.iter().rev().filter(|header| header.name().eq_ignore_ascii_case(name)) {
                names.push(*name);
                signed.push_str(&header.relaxed());
                signed.push_str("\r\n");
            }
            if *closed {
                names.push(name);
            }
        }
        let body_hash = BASE64_STANDARD.encode(Sha256::digest(relaxed_body(body)));
        let selector = &self.selector;
        let unsigned = format!(
            "DKIM-Signature: v=1; a={}; c=relaxed/relaxed; d={domain}; s={selector};\r\n t={seconds}; \
             h={};\r\n bh={body_hash};\r\n b=",
            self.algorithm(),
            names.chunks(5).map(|line| line.join(":")).collect::<Vec<_>>().join(":\r\n "),
        );
        signed.push_str(&Header(&unsigned).relaxed());
        let signature = self.key.sign(signed.as_bytes())?;
        let lines: Vec<_> = signature.as_bytes().chunks(72).map(|line| String::from_utf8_lossy(line)).collect();
        Ok(format!("{unsigned}{}\r\n", lines.join("\r\n ")))
    }
}

impl PrivateKey {
    fn parse(pem: &str) -> Result<Self, MailError> {
        const KINDS: MailError = MailError::DkimKey { problem: DkimKeyProblem::Kind };
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes())
            .map_err(|_| MailError::DkimKey { problem: DkimKeyProblem::NoKey })?;
        match &der {
            PrivateKeyDer::Pkcs1(der) => RsaKeyPair::from_der(der.secret_pkcs1_der()).map(Self::Rsa).map_err(|_| KINDS),
            PrivateKeyDer::Pkcs8(der) => {
                let der = der.secret_pkcs8_der();
                let rsa = RsaKeyPair::from_pkcs8(der).map(Self::Rsa);
                rsa.or_else(|_| Ed25519KeyPair::from_pkcs8_maybe_unchecked(der).map(Self::Ed25519)).map_err(|_| KINDS)
            }
            _ => Err(KINDS),
        }
    }

    fn sign(&self, text: &[u8]) -> Result<String, MailError> {
        match self {
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), text, &mut signature)
                    .map_err(|_| MailError::DkimKey { problem: DkimKeyProblem::Signing })?;
                Ok(BASE64_STANDARD.encode(signature))
            }
            Self::Ed25519(key) => Ok(BASE64_STANDARD.encode(key.sign(&Sha256::digest(text)))),
        }
    }
}

/// One header, with its folds and without its last line end.
struct Header<'a>(&'a str);

impl<'a> Header<'a> {
    fn name(&self) -> &'a str {
        self.0.split(':').next().unwrap_or_default().trim_end()
    }

    fn relaxed(&self) -> String {
        let (name, value) = self.0.split_once(':').unwrap_or((self.0, ""));
        let value = value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}:{value}", name.trim_end().to_ascii_lowercase())
    }
}

/// The headers and the body.
fn split(mail: &str) -> (Vec<Header<'_>>, &str) {
    let (head, body) = mail.split_once("\r\n\r\n").unwrap_or((mail, ""));
    let mut headers = Vec::new();
    let mut start = 0;
    for (at, _) in head.match_indices("\r\n") {
        if !head[at + 2..].starts_with([' ', '\t']) {
            headers.push(Header(&head[start..at]));
            start = at + 2;
        }
    }
    headers.push(Header(&head[start..]));
    (headers, body)
}

/// Runs of blanks become one space, blanks at line ends and empty lines at the end are dropped.
fn relaxed_body(body: &str) -> String {
    let mut out = String::with_capacity(body.len() + 2);
    let mut end_of_text = 0;
    for line in body.split("\r\n") {
        let mut blank = false;
        for c in line.trim_end_matches([' ', '\t']).chars() {
            let was_blank = std::mem::replace(&mut blank, matches!(c, ' ' | '\t'));
            match (blank, was_blank) {
                (true, true) => {}
                (true, false) => out.push(' '),
                (false, _) => out.push(c),
            }
        }
        let is_empty = out.is_empty() || out.ends_with("\r\n");
        out.push_str("\r\n");
        if !is_empty {
            end_of_text = out.len();
        }
    }
    out.truncate(end_of_text);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_are_relaxed_as_the_standard_shows() {
        for (body, relaxed) in [
            (" C \r\nD \t E\r\n\r\n\r\n", " C\r\nD E\r\n"),
            ("", ""),
            ("\r\n\r\n", ""),
            (" \t\r\n", ""),
            ("a", "a\r\n"),
            ("a\r\n \r\nb\r\n", "a\r\n\r\nb\r\n"),
        ] {
            assert_eq!(relaxed_body(body), relaxed, "{body:?}");
        }
    }

    #[test]
    fn headers_are_relaxed_as_the_standard_shows() {
        let (headers, body) = split("A: X\r\nB : Y\t\r\n\tZ  \r\n\r\nbody");
        let relaxed: Vec<_> = headers.iter().map(Header::relaxed).collect();
        assert_eq!(relaxed, ["a:X", "b:Y Z"]);
        assert_eq!(body, "body");
    }

    #[test]
    fn a_selector_is_a_name_in_dns() {
        for selector in ["", "a b", "a;d=example.org", "a\r\nb", "-a", "a..b", "é"] {
            assert!(matches!(DkimKey::parse(selector, ""), Err(MailError::DkimSelector)), "{selector}");
        }
        assert!(matches!(DkimKey::parse("s1.mail", "no key"), Err(MailError::DkimKey { .. })));
    }
}
