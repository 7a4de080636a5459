use shingle_domain::Email;

use super::*;

fn parse(text: &str) -> Inbound {
    Inbound::parse(text.replace('\n', "\r\n").as_bytes()).unwrap()
}

fn plain(headers: &str, body: &str) -> Inbound {
    parse(&format!("From: Ann <ann@example.com>\nTo: r@in.example\nMessage-ID: <1@example.com>\n{headers}\n\n{body}"))
}

#[test]
fn an_answer_has_its_sender_subject_and_new_text() {
    let of = plain("Subject: Re: Your roof", "Thursday works.\n\nOn Dec 1, 2026 Oak <r@in.example> wrote:\n> Hi Ann");
    assert_eq!((of.name.as_str(), of.message_id.as_str()), ("1@example.com", "1@example.com"));
    assert_eq!(of.from, Email::parse("ann@example.com"));
    assert_eq!((of.subject.as_str(), of.text.as_str()), ("Re: Your roof", "Thursday works."));
    assert_eq!((of.nature, of.wish, of.attachments), (Nature::Person, None, vec![]));
}

// Chatwoot #1081: letters of other scripts came as question marks.
#[test]
fn letters_of_every_charset_and_encoding_arrive() {
    let coded = "MIME-Version: 1.0\nContent-Type: text/plain; charset";
    for (headers, body, text) in [
        (format!("{coded}=utf-8\nContent-Transfer-Encoding: base64"), "2YXYsdit2KjYpyDwn5iA", "مرحبا 😀"),
        (
            format!("{coded}=\"iso-8859-1\"\nContent-Transfer-Encoding: quoted-printable"),
            "S=ED, ma=F1ana",
            "Sí, mañana",
        ),
        (
            format!("{coded}=windows-1252\nContent-Transfer-Encoding: quoted-printable"),
            "It=92s fine =80",
            "It’s fine €",
        ),
        (format!("{coded}=utf-8; format=flowed"), "Thursday \nworks", "Thursday\nworks"),
        (format!("{coded}=x-unknown"), "Hello", "Hello"),
        (format!("{coded}=gb18030\nContent-Transfer-Encoding: base64"), "xOO6ww==", "你好"),
    ] {
        assert_eq!(plain(&headers, body).text, text, "{headers}");
    }
    let subject = plain("Subject: =?utf-8?q?S=C3=AD=2C?= =?iso-8859-1?q?_ma=F1ana?=", "x").subject;
    assert_eq!(subject, "Sí, mañana");
    let latin = b"From: ann@example.com\r\nSubject: caf\xe9\r\n\r\nma\xf1ana\r\n";
    assert!(
        Inbound::parse(latin).unwrap().text.starts_with("ma"),
        "bytes of no charset are no reason to lose an email"
    );
}

// FreeScout #320, #1972, #4202: emails were blank.
#[test]
fn html_alone_and_html_beside_an_empty_text_are_read() {
    let html = "<html><head><style>p{color:red}</style></head><body><div>Thursday works.</div><div>Ann</div>\
                <div class=\"gmail_quote\"><div>On Dec 1 Oak wrote:</div><blockquote>Hi Ann</blockquote></div></body></html>";
    let alone = plain("MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8", html);
    assert_eq!(alone.text, "Thursday works.\nAnn");
    let both = format!("--b\nContent-Type: text/plain\n\n \n--b\nContent-Type: text/html\n\n{html}\n--b--\n");
    let of = plain("MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b", &both);
    assert_eq!(of.text, "Thursday works.\nAnn");
    let script = plain("Content-Type: text/html", "<script>alert(1)</script><p>Hi &lt;b&gt;</p>");
    assert_eq!(script.text, "Hi <b>");
}

// Chatwoot #4030: a subject alone.
#[test]
fn an_email_without_text_is_one() {
    let of = plain("Subject: Yes please", "");
    assert_eq!((of.subject.as_str(), of.text.as_str(), of.nature), ("Yes please", "", Nature::Person));
}

// FreeScout #311, #4740: without an id, emails were lost or all the same.
#[test]
fn emails_without_an_id_are_told_apart_and_the_same_one_is_the_same() {
    let one = parse("From: ann@example.com\nSubject: a\n\nOne");
    let other = parse("From: ann@example.com\nSubject: a\n\nTwo");
    assert_eq!(one.message_id, "");
    assert!(one.name != other.name && one.name == parse("From: ann@example.com\nSubject: a\n\nOne").name);
}

// Zammad #811, #3303: no sender, or one that is no address.
#[test]
fn a_missing_or_odd_sender_is_no_reason_to_lose_an_email() {
    for from in ["", "From: \n", "From: \"Ann\"\n", "From: herzlicheglückwünsche@local\n", "From: Ann <ann@@example>\n"]
    {
        let of = parse(&format!("{from}Subject: Hi\n\nThursday"));
        assert_eq!((of.text.as_str(), of.nature), ("Thursday", Nature::Person), "{from}");
    }
    assert_eq!(Inbound::parse(b""), None);
}

#[test]
fn attachments_and_calendar_files_are_named_and_dropped() {
    let body = "--b\nContent-Type: text/plain\n\nSee the photo\n\
                --b\nContent-Type: image/jpeg; name=\"roof, north.jpg\"\nContent-Disposition: attachment\n\
                Content-Transfer-Encoding: base64\n\n/9j/4AAQ\n\
                --b\nContent-Type: text/calendar; method=REQUEST; charset=utf-8\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n\
                --b\nContent-Type: text/plain; name=notes.txt\nContent-Disposition: attachment; filename=notes.txt\n\nsecret\n\
                --b--\n";
    let of = plain("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b", body);
    assert_eq!(of.text, "See the photo");
    assert_eq!(of.attachments, ["roof north.jpg", "text/calendar", "notes.txt"]);
    let alone = plain(
        "Content-Type: image/jpeg; name=roof.jpg
Content-Transfer-Encoding: base64",
        "/9j/4AAQ",
    );
    assert_eq!((alone.text.as_str(), alone.attachments), ("", vec!["roof.jpg".to_owned()]));
    let forwarded = "--b\nContent-Type: text/plain\n\nFrom my insurer\n\
                     --b\nContent-Type: message/rfc822\n\nFrom: x@y.example\nSubject: Claim\n\nApproved\n--b--\n";
    let of = plain("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b", forwarded);
    assert_eq!((of.text.as_str(), of.attachments), ("From my insurer", vec!["email".to_owned()]));
}

#[test]
fn what_is_huge_is_cut_and_what_is_deep_is_read() {
    let of = plain("Subject: x", &"word ".repeat(400_000));
    assert_eq!(of.text.chars().count(), MAX_TEXT + 1);
    let many: String = (0..200).map(|n| format!("--b\nContent-Type: image/png; name=p{n}.png\n\nx\n")).collect();
    let of = plain("Content-Type: multipart/mixed; boundary=b", &format!("{many}--b--\n"));
    assert_eq!(of.attachments.len(), MAX_ATTACHMENTS);
    let mut deep = "Content-Type: text/plain\n\nHello".to_owned();
    for n in 0..500 {
        deep = format!("Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n{deep}\n--b{n}--\n");
    }
    parse(&format!("From: ann@example.com\n{deep}"));
    let cut = "From: ann@example.com\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nThursday\r\n--b\r\nContent-Type: ima";
    assert_eq!(Inbound::parse(cut.as_bytes()).unwrap().text, "Thursday", "an attachment that was cut off");
    assert!(plain("Subject: a\u{202e}b\u{7}", "x\u{202e}y\u{0}z").text.eq("xyz"));
}

#[test]
fn machines_are_told_from_people() {
    for (headers, is_person) in [
        ("Auto-Submitted: no", true),
        ("Auto-Submitted: auto-replied", false),
        ("Auto-Submitted: auto-generated (rejected)", false),
        ("Precedence: bulk", false),
        ("Precedence: first-class", true),
        ("X-Autoreply: yes", false),
        ("List-Id: <news.example.com>", false),
        ("Return-Path: <>", false),
        ("Return-Path: <ann@example.com>", true),
        ("Subject: Automatic reply: Your roof", false),
        ("Subject: Respuesta automática: techo", false),
    ] {
        let of = plain(headers, "I am away.");
        assert_eq!(of.nature == Nature::Person, is_person, "{headers}");
    }
}

// Zammad #1131, #5429: bounces were answered, and some codes were not known.
#[test]
fn reports_of_mail_servers_say_whether_the_address_is_wrong() {
    let report = |status: &str| {
        format!(
            "--b\nContent-Type: text/plain\n\nSorry\n--b\nContent-Type: message/delivery-status\n\n\
             Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; ann@example.com\n{status}\n--b--\n"
        )
    };
    let headers = "Content-Type: multipart/report; report-type=delivery-status; boundary=b\nReturn-Path: <>";
    for (status, for_good, reason) in [
        ("Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No\n such user", true, "5.1.1"),
        ("Action: failed\nStatus: 5.7.129", false, "5.7.129"),
        ("Action: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 552 Mailbox full", false, "5.2.2"),
    ] {
        let of = plain(headers, &report(status));
        assert_eq!(
            of.nature,
            Nature::Bounce { for_good, reason: reason.to_owned(), of: Email::parse("ann@example.com") },
            "{status}"
        );
    }
    assert_eq!(plain(headers, &report("Action: delayed\nStatus: 4.4.1")).nature, Nature::Silent);
    let receipt = "Content-Type: multipart/report; report-type=disposition-notification; boundary=b";
    assert_eq!(plain(receipt, "--b\n\nread\n--b--\n").nature, Nature::Silent);
    let old = parse("From: MAILER-DAEMON@mx.example.com\nReturn-Path: <>\nSubject: failure notice\n\nHi");
    assert_eq!(old.nature, Nature::Bounce { for_good: false, reason: "failure notice".to_owned(), of: None });
}

#[test]
fn a_wish_for_no_more_emails_is_the_whole_text() {
    for (subject, text, wish) in [
        ("Re: Roof", "STOP", Some(Wish::Stop)),
        ("Re: Roof", "Stop.\n\nOn Dec 1, 2026 Oak <r@in.example> wrote:\n> Hi", Some(Wish::Stop)),
        ("Re: Roof", "ALTO", Some(Wish::Stop)),
        ("Re: Roof", "Alto", None),
        ("unsubscribe", "", Some(Wish::Stop)),
        ("Re: Roof", "Start", Some(Wish::Resume)),
        ("Re: Roof", "Please stop by on Thursday", None),
        ("Re: Roof", "Cancel", None),
        ("Re: Roof", "", None),
    ] {
        assert_eq!(plain(&format!("Subject: {subject}"), text).wish, wish, "{subject} {text}");
    }
}
