//! What arrives, read by a mail parser and checked against its signature.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use mail_parser::{Address, HeaderName, Message, MessageParser, MimeHeaders};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, RSA_PKCS1_2048_8192_SHA256, RsaKeyPair, UnparsedPublicKey};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};
use shingle_deliver::mail::{MailError, MailFailureKind, MailSettings, Mailer, MessageId, OutgoingMail};
use shingle_domain::Timestamp;
use shingle_domain::contact::Email;
use shingle_domain::mail::{MailAttachment, MailContent, MailPicture};
use shingle_testing::smtp::SmtpServer;

const RSA: &str = include_str!("keys/dkim_rsa.pem");
const ED25519_KEY: &str = include_str!("keys/dkim_ed25519.pem");

fn email(text: &str) -> Email {
    Email::parse(text).unwrap()
}

fn full() -> OutgoingMail {
    OutgoingMail {
        to: email("sales@oak.example.org"),
        from_name: Some("Quillback Roofing".into()),
        from: None,
        bounces_to: None,
        reply_to: Some(("María José Ñandú".into(), email("maria@example.org"))),
        message_id: MessageId::parse("<lead.42@example.com>").unwrap(),
        references: Vec::new(),
        list_unsubscribe: Some("https://roofs.example.com/u/abc?t=1&x=%20".parse().unwrap()),
        auto_submitted: true,
        date: Timestamp::parse_iso("2026-11-22T13:14:15Z").unwrap(),
        language: "es",
        content: MailContent {
            subject: "María Ñandú, 12 Oak St, $14,200 – a new lead for your team, from the page about metal roofs"
                .into(),
            text: "Llame a María.\n.\nFrom here on\n".into(),
            html: "<p>Llame a <b>María</b>. <img src=\"cid:roof@shingle\"></p>".into(),
            pictures: vec![MailPicture {
                content_id: "roof@shingle".into(),
                media_type: "image/png",
                bytes: (0..=255).cycle().take(5_000).collect(),
            }],
            attachments: vec![MailAttachment {
                file_name: "presupuesto número 1.pdf".into(),
                media_type: "application/pdf",
                bytes: b"%PDF-1.7\r\n.\r\n".to_vec(),
            }],
            calendar: None,
        },
    }
}

/// The bytes that arrive at the server.
async fn arrived(mail: &OutgoingMail, sign: Option<&str>) -> Vec<u8> {
    let server = SmtpServer::start();
    let url = format!("smtp://127.0.0.1:{}", server.port());
    let mut settings = MailSettings::new(&url, "Shingle <leads@example.com>").unwrap();
    if let Some(key) = sign {
        settings = settings.with_dkim("s2026", key).unwrap();
    }
    Mailer::new(settings).unwrap().send(mail).await.unwrap();
    let mail = server.next_mail();
    assert_eq!(mail.from, "leads@example.com");
    assert!(mail.bytes.is_ascii());
    let text = String::from_utf8(mail.bytes.clone()).unwrap();
    assert!(text.split("\r\n").all(|line| line.len() <= 998 && !line.contains(['\r', '\n'])), "{text}");
    mail.bytes
}

fn parsed(bytes: &[u8]) -> Message<'_> {
    MessageParser::default().parse(bytes).unwrap()
}

fn one<'a>(address: Option<&'a Address<'a>>) -> (&'a str, &'a str) {
    let list: Vec<_> = address.unwrap().iter().collect();
    assert_eq!(list.len(), 1, "{list:?}");
    (list[0].name().unwrap_or_default(), list[0].address().unwrap_or_default())
}

/// The names of all headers of the mail itself, as they were sent.
fn header_names(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).unwrap();
    let head = text.split_once("\r\n\r\n").unwrap().0;
    let starts = head.split("\r\n").filter(|line| !line.starts_with([' ', '\t']));
    starts.map(|line| line.split_once(':').unwrap().0.to_owned()).collect()
}

#[tokio::test]
async fn everything_of_a_mail_arrives_as_it_was_meant() {
    let sent = full();
    let bytes = arrived(&sent, None).await;
    let mail = parsed(&bytes);
    assert_eq!(mail.subject(), Some(sent.content.subject.as_str()));
    assert_eq!(one(mail.from()), ("Quillback Roofing", "leads@example.com"));
    assert_eq!(one(mail.to()), ("", "sales@oak.example.org"));
    assert_eq!(one(mail.reply_to()), ("María José Ñandú", "maria@example.org"));
    assert_eq!(mail.message_id(), Some("lead.42@example.com"));
    assert_eq!(mail.date().unwrap().to_rfc3339(), "2026-11-22T13:14:15Z");
    let raw = |name: &str| mail.header_raw(HeaderName::from(name.to_owned())).map(str::trim);
    assert_eq!(raw("List-Unsubscribe"), Some("<https://roofs.example.com/u/abc?t=1&x=%20>"));
    assert_eq!(raw("List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    assert_eq!(raw("Auto-Submitted"), Some("auto-generated"));
    assert_eq!(raw("Content-Language"), Some("es"));
    assert_eq!(raw("MIME-Version"), Some("1.0"));
    // Writing turns line ends into those of mails.
    assert_eq!(mail.body_text(0).unwrap().replace("\r\n", "\n").trim_end(), sent.content.text.trim_end());
    assert_eq!(mail.body_html(0).unwrap().trim_end(), sent.content.html);
    let files: Vec<_> = mail.attachments().collect();
    assert_eq!(files.len(), 2);
    assert_eq!((files[0].content_id(), files[0].attachment_name()), (Some("roof@shingle"), Some("roof.png")));
    assert_eq!(files[0].contents(), sent.content.pictures[0].bytes);
    assert_eq!(files[1].attachment_name(), Some("presupuesto número 1.pdf"));
    assert_eq!(files[1].contents(), sent.content.attachments[0].bytes);
    let kinds: Vec<_> = mail.parts.iter().map(|part| part.content_type().unwrap().subtype().unwrap()).collect();
    assert_eq!(kinds, ["mixed", "alternative", "plain", "related", "html", "png", "pdf"]);
}

#[tokio::test]
async fn a_mail_is_as_simple_as_its_content() {
    for (pictures, attachments, html, kinds) in [
        (false, false, false, &["plain"][..]),
        (false, false, true, &["alternative", "plain", "html"]),
        (false, true, false, &["mixed", "plain", "pdf"]),
        (true, false, true, &["alternative", "plain", "related", "html", "png"]),
    ] {
        let mut sent = full();
        sent.content.pictures.truncate(usize::from(pictures));
        sent.content.attachments.truncate(usize::from(attachments));
        sent.content.html.truncate(if html { usize::MAX } else { 0 });
        let bytes = arrived(&sent, None).await;
        let mail = parsed(&bytes);
        let found: Vec<_> = mail.parts.iter().map(|part| part.content_type().unwrap().subtype().unwrap()).collect();
        assert_eq!(found, kinds);
    }
    let bare = OutgoingMail {
        from_name: None,
        from: None,
        bounces_to: None,
        reply_to: None,
        list_unsubscribe: None,
        auto_submitted: false,
        content: MailContent::default(),
        ..full()
    };
    let bytes = arrived(&bare, None).await;
    assert_eq!(one(parsed(&bytes).from()), ("Shingle", "leads@example.com"));
    for absent in ["Reply-To", "List-Unsubscribe", "List-Unsubscribe-Post", "Auto-Submitted", "References"] {
        assert!(!header_names(&bytes).iter().any(|name| name == absent), "{absent}");
    }
}

#[tokio::test]
async fn no_name_and_no_subject_adds_a_header_or_changes_an_address() {
    let usual = header_names(&arrived(&full(), None).await);
    for text in [
        "Ann\r\nBcc: everybody@example.net",
        "Ann\nBcc: everybody@example.net\n\nbody",
        "Ann\r\n\r\n<script>",
        "Ann\u{2028}Bcc: x@example.net",
        "Ann\u{85}Bcc: x@example.net",
        "\" <evil@example.net>, \"Ann",
        "Ann <evil@example.net>",
        "Ann, Bob; (comment) [x] \\ \"",
        "evil@example.net",
        "=?utf-8?q?Ann=0D=0ABcc:_x@example.net?=",
        "=?utf-8?b?4oCu?= Ann",
        "\u{202e}nnA\u{2066}",
        "👩‍👩‍👧‍👦 Ann 🏠",
        "安 Ann",
        "Ñ\u{0}\u{7}\u{1b}[31m",
        "",
        " \t ",
        ":",
        "x\u{301}\u{301}\u{301}",
        &"A".repeat(10_000),
        &"Ñ ".repeat(5_000),
        &"👩‍👩‍👧‍👦".repeat(1_000),
        &"a b".repeat(3_333),
    ] {
        let mut hostile = full();
        hostile.from_name = Some(text.into());
        hostile.reply_to = Some((text.into(), email("ann@example.org")));
        hostile.content.subject = text.into();
        hostile.content.attachments[0].file_name = text.into();
        let bytes = arrived(&hostile, Some(RSA)).await;
        let mut names = header_names(&bytes);
        assert_eq!(names.remove(0), "DKIM-Signature");
        assert_eq!(names, usual, "{text:?}");
        let mail = parsed(&bytes);
        assert_eq!(one(mail.from()).1, "leads@example.com", "{text:?}");
        assert_eq!(one(mail.to()).1, "sales@oak.example.org", "{text:?}");
        assert_eq!(one(mail.reply_to()).1, "ann@example.org", "{text:?}");
        assert!(mail.bcc().is_none(), "{text:?}");
        for shown in [mail.subject().unwrap_or_default(), one(mail.from()).0, one(mail.reply_to()).0] {
            assert!(shingle_domain::text::is_clean(shown), "{text:?}: {shown:?}");
            assert!(shown.chars().count() <= 200, "{text:?}");
        }
        assert_eq!(mail.attachments().count(), 2, "{text:?}");
        let head = bytes.split(|byte| *byte == b'\n').take_while(|line| line.len() > 1);
        assert!(head.clone().all(|line| line.len() < 300), "{text:?}");
        verify(&bytes, RSA);
    }
}

#[tokio::test]
async fn names_that_people_have_arrive_unchanged() {
    for name in ["Ann O'Neil", "Oak, Roofing & Sons, LLC", "Dr. J. \"Bud\" Lee", "José Ñandú", "安藤", "Ann 🏠 Lee"]
    {
        let mut mail = full();
        mail.from_name = Some(name.into());
        mail.reply_to = Some((name.into(), email("ann@example.org")));
        mail.content.subject = format!("{name}, 12 Oak St");
        let bytes = arrived(&mail, None).await;
        let read = parsed(&bytes);
        assert_eq!(one(read.from()).0, name);
        assert_eq!(one(read.reply_to()).0, name);
        assert_eq!(read.subject(), Some(mail.content.subject.as_str()));
    }
}

#[tokio::test]
async fn a_long_or_strange_text_arrives_whole() {
    for text in
        ["x".repeat(10_000), "é".repeat(10_000), "👩‍👩‍👧 ".repeat(2_000), "\r\n.\r\n.\r\n".repeat(50), "a\rb\0c".into()]
    {
        let mut mail = full();
        mail.content.text.clone_from(&text);
        mail.content.html.clone_from(&text);
        let bytes = arrived(&mail, Some(ED25519_KEY)).await;
        let read = parsed(&bytes);
        let expected = text.replace("\r\n", "\n").replace('\r', "\n").replace('\0', "");
        for part in [read.text_bodies().next().unwrap(), read.html_bodies().next().unwrap()] {
            let found = part.text_contents().unwrap().replace("\r\n", "\n");
            assert_eq!(found.trim_end(), expected.trim_end());
        }
        verify(&bytes, ED25519_KEY);
    }
}

#[tokio::test]
async fn a_conversation_names_its_first_and_its_last_mails() {
    let id = |n: usize| MessageId::parse(&format!("lead.42.{n}@example.com")).unwrap();
    for count in [1, 2, 20, 21, 500] {
        let mut mail = full();
        mail.references = (0..count).map(id).collect();
        let bytes = arrived(&mail, None).await;
        let read = parsed(&bytes);
        let list = |value: &mail_parser::HeaderValue<'_>| match value {
            mail_parser::HeaderValue::Text(one) => vec![one.to_string()],
            mail_parser::HeaderValue::TextList(list) => list.iter().map(ToString::to_string).collect(),
            other => panic!("{other:?}"),
        };
        let references = list(read.references());
        assert_eq!(references.len(), count.min(20));
        assert_eq!(references[0], id(0).as_str());
        assert_eq!(references.last().map(String::as_str), Some(id(count - 1).as_str()));
        assert_eq!(list(read.in_reply_to()), [id(count - 1).as_str()]);
    }
}

#[tokio::test]
async fn what_cannot_be_written_is_refused_without_a_connection() {
    let mailer = Mailer::new(MailSettings::new("smtp://127.0.0.1:1", "leads@example.com").unwrap()).unwrap();
    let refused: [fn(&mut OutgoingMail); 6] = [
        |mail| mail.to = Email::parse("añá@example.org").unwrap(),
        |mail| mail.language = "es\r\nBcc: x@example.net",
        |mail| mail.list_unsubscribe = format!("https://example.com/{}", "x".repeat(1_000)).parse().ok(),
        |mail| mail.content.pictures[0].content_id = "roof>\r\nBcc: x@example.net".into(),
        |mail| mail.content.pictures[0].media_type = "image/png\r\nBcc: x@example.net",
        |mail| mail.content.attachments[0].media_type = "nothing",
    ];
    for change in refused {
        let mut mail = full();
        change(&mut mail);
        let failed = mailer.send(&mail).await.unwrap_err();
        assert_eq!((failed.kind, failed.code), (MailFailureKind::Refused, None), "{failed}");
    }
    for id in
        ["", "a", "a@", "@b", "a b@c", "a@b>\r\nBcc: x@y", "<a@b", "a@b>", "a..b@c", &format!("{}@b", "a".repeat(300))]
    {
        assert_eq!(MessageId::parse(id), None, "{id}");
    }
    assert_eq!(mailer.message_id("lead_0198.1").unwrap().as_str(), "lead_0198.1@example.com");
    assert_eq!(mailer.message_id("lead\r\n1"), None);
}

#[tokio::test]
async fn an_answer_to_an_address_that_cannot_be_written_is_left_out() {
    let mut mail = full();
    mail.reply_to = Some(("Ana".into(), email("añá@example.org")));
    assert!(parsed(&arrived(&mail, None).await).reply_to().is_none());
}

#[tokio::test]
async fn a_date_outside_of_calendars_of_mails_is_moved_into_them() {
    for (micros, year) in [(i64::MIN, 1970), (-1, 1970), (i64::MAX, 9999)] {
        let bytes = arrived(&OutgoingMail { date: Timestamp::from_micros(micros), ..full() }, None).await;
        assert_eq!(parsed(&bytes).date().unwrap().year, year);
    }
}

#[tokio::test]
async fn every_kind_of_key_signs_and_a_change_breaks_the_signature() {
    // PKCS #8 wraps PKCS #1 in 26 bytes.
    let pkcs8 = PrivatePkcs8KeyDer::from_pem_slice(RSA.as_bytes()).unwrap();
    let pkcs1 = BASE64_STANDARD.encode(&pkcs8.secret_pkcs8_der()[26..]);
    let pkcs1 = format!("-----BEGIN RSA PRIVATE KEY-----\n{pkcs1}\n-----END RSA PRIVATE KEY-----\n");
    for (key, public) in [(RSA, RSA), (&pkcs1, RSA), (ED25519_KEY, ED25519_KEY)] {
        let bytes = arrived(&full(), Some(key)).await;
        verify(&bytes, public);
        let text = String::from_utf8(bytes).unwrap();
        for (from, to) in [
            ("Subject: ", "Subject: Re: "),
            ("leads@example.com", "leads@example.net"),
            ("Reply-To: ", "X-Reply-To: "),
            ("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Click"),
            ("/u/abc", "/u/abd"),
            ("\r\nMIME-Version", "\r\nSubject: second\r\nMIME-Version"),
            ("\r\nMIME-Version", "\r\nFrom: second@example.net\r\nMIME-Version"),
            ("Llame a", "Llame  b"),
        ] {
            let changed = text.replacen(from, to, 1);
            assert_ne!(changed, text, "{from}");
            assert!(!is_signed(changed.as_bytes(), public), "{from} -> {to}");
        }
        // What servers on the way may do.
        for passed_on in [
            text.replacen("\r\nSubject: ", "\r\nsubject:\r\n \t", 1),
            format!("{} \t\r\n--{}", text.rsplit_once("\r\n--").unwrap().0, text.rsplit_once("\r\n--").unwrap().1),
            format!("Received: from x\r\n\tby y\r\n{text}\r\n\r\n"),
        ] {
            assert_ne!(passed_on, text);
            verify(passed_on.as_bytes(), public);
        }
    }
    let weak = MailSettings::new("smtp://127.0.0.1", "leads@example.com").unwrap().with_dkim("s", "none");
    assert!(matches!(weak, Err(MailError::DkimKey { .. })));
}

fn verify(bytes: &[u8], key: &str) {
    assert!(is_signed(bytes, key), "{}", String::from_utf8_lossy(bytes));
}

/// RFC 6376, section 6, written for this test.
fn is_signed(bytes: &[u8], key: &str) -> bool {
    let text = std::str::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let squeeze = |text: &str| text.split([' ', '\t']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let mut headers: Vec<(String, String)> = unfolded
        .split("\r\n")
        .map(|line| line.split_once(':').unwrap())
        .map(|(name, value)| (name.trim().to_lowercase(), squeeze(value)))
        .collect();
    let at = headers.iter().position(|(name, _)| name == "dkim-signature").unwrap();
    let signature = headers.remove(at).1;
    let tags: BTreeMap<_, _> = signature.split(';').filter_map(|tag| tag.trim().split_once('=')).collect();
    let bare = |tag: &str| tags[tag].replace(' ', "");
    assert_eq!((tags["v"], tags["d"], tags["s"], tags["c"]), ("1", "example.com", "s2026", "relaxed/relaxed"));
    assert_eq!(tags["t"], "1795353255");
    for needed in
        ["from", "to", "subject", "date", "message-id", "reply-to", "list-unsubscribe", "list-unsubscribe-post"]
    {
        assert!(bare("h").to_lowercase().split(':').any(|name| name == needed), "{needed} is not signed");
    }
    let mut lines: Vec<_> = body
        .split("\r\n")
        .map(|line| {
            let blank_start = if line.starts_with([' ', '\t']) { " " } else { "" };
            format!("{blank_start}{}", squeeze(line)).trim_end().to_owned()
        })
        .collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    let body: String = lines.iter().map(|line| format!("{line}\r\n")).collect();
    if BASE64_STANDARD.encode(Sha256::digest(body)) != bare("bh") {
        return false;
    }
    let mut signed = String::new();
    for name in bare("h").to_lowercase().split(':') {
        if let Some(last) = headers.iter().rposition(|(found, _)| found == name) {
            signed.push_str(&format!("{name}:{}\r\n", headers.remove(last).1));
        }
    }
    let unsigned = &signature[..signature.rfind("b=").unwrap() + 2];
    signed.push_str(&format!("dkim-signature:{unsigned}"));
    let value = BASE64_STANDARD.decode(bare("b")).unwrap();
    let pkcs8 = PrivatePkcs8KeyDer::from_pem_slice(key.as_bytes()).unwrap();
    if tags["a"] == "rsa-sha256" {
        let pair = RsaKeyPair::from_pkcs8(pkcs8.secret_pkcs8_der()).unwrap();
        UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, pair.public_key()).verify(signed.as_bytes(), &value).is_ok()
    } else {
        let pair = Ed25519KeyPair::from_pkcs8_maybe_unchecked(pkcs8.secret_pkcs8_der()).unwrap();
        UnparsedPublicKey::new(&ED25519, pair.public_key()).verify(&Sha256::digest(signed), &value).is_ok()
    }
}
