//! One mail out, to a server that behaves and to servers that do not.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::io;
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use shingle_deliver::mail::{MailFailure, MailFailureKind, MailSettings, Mailer, MessageId, OutgoingMail};
use shingle_domain::Timestamp;
use shingle_domain::contact::Email;
use shingle_domain::mail::MailContent;
use shingle_testing::smtp::{Behavior, Encrypt, SmtpOptions, SmtpServer, Step, Stream};

fn mail() -> OutgoingMail {
    OutgoingMail {
        to: Email::parse("sales@oak.example.org").unwrap(),
        from_name: None,
        from: None,
        bounces_to: None,
        reply_to: None,
        message_id: MessageId::parse("lead-1@example.com").unwrap(),
        references: Vec::new(),
        list_unsubscribe: None,
        auto_submitted: true,
        date: Timestamp::from_micros(1_700_000_000_000_000),
        language: "en",
        content: MailContent { subject: "New lead".into(), text: "Call Ann.\n".into(), ..MailContent::default() },
    }
}

fn settings(url: &str) -> MailSettings {
    MailSettings::new(url, "Shingle <leads@example.com>").unwrap()
}

fn plain(server: &SmtpServer) -> Mailer {
    Mailer::new(settings(&format!("smtp://127.0.0.1:{}", server.port()))).unwrap()
}

fn impatient(server: &SmtpServer) -> Mailer {
    let settings = settings(&format!("smtp://127.0.0.1:{}", server.port()));
    Mailer::new(settings.with_timeout(Duration::from_millis(200))).unwrap()
}

/// A certificate for `name`, and what makes TLS streams with it.
fn certificate(name: &str) -> (CertificateDer<'static>, Encrypt) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
    // Each its own authority.
    params.distinguished_name.push(rcgen::DnType::CommonName, format!("{name} {:?}", key.public_key_raw()));
    let der = params.self_signed(&key).unwrap().der().clone();
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![der.clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let encrypt = move |tcp: TcpStream| {
        let connection = rustls::ServerConnection::new(config.clone()).map_err(io::Error::other)?;
        Ok(Box::new(rustls::StreamOwned::new(connection, tcp)) as Box<dyn Stream>)
    };
    (der, Box::new(encrypt))
}

async fn failure(mailer: &Mailer) -> MailFailure {
    mailer.send(&mail()).await.unwrap_err()
}

#[tokio::test]
async fn a_mail_is_taken_and_the_servers_words_are_kept() {
    let server = SmtpServer::start();
    let receipt = plain(&server).send(&mail()).await.unwrap();
    assert_eq!(receipt.response, "250 2.0.0 Ok: queued as 1");
    let mails = server.mails();
    assert_eq!(mails.len(), 1);
    assert_eq!(
        (mails[0].from.as_str(), &mails[0].to[..]),
        ("leads@example.com", &["sales@oak.example.org".into()][..])
    );
    assert_eq!(server.commands()[0], "EHLO example.com");
}

#[tokio::test]
async fn lines_that_begin_with_a_dot_arrive_as_they_were() {
    let server = SmtpServer::start();
    let mut dotted = mail();
    dotted.content.text = "a\n.\n..b\n.\n".into();
    plain(&server).send(&dotted).await.unwrap();
    let text = String::from_utf8(server.next_mail().bytes).unwrap();
    assert!(text.contains("\r\n\r\na\r\n.\r\n..b\r\n.\r\n"), "{text}");
}

#[tokio::test]
async fn several_mails_go_over_one_connection() {
    let server = SmtpServer::start();
    let mailer = plain(&server);
    for _ in 0..5 {
        mailer.send(&mail()).await.unwrap();
    }
    assert_eq!((server.mails().len(), server.connections()), (5, 1));
    mailer.close().await;
    assert_eq!(server.commands().last().map(String::as_str), Some("QUIT"));
    mailer.send(&mail()).await.unwrap();
    assert_eq!((server.mails().len(), server.connections()), (1, 2));
}

#[tokio::test]
async fn a_connection_that_nobody_uses_is_closed_with_a_goodbye() {
    let server = SmtpServer::start();
    let settings = settings(&format!("smtp://127.0.0.1:{}", server.port()));
    let mailer = Mailer::new(settings.with_idle(Duration::from_millis(10))).unwrap();
    for count in 1..=2 {
        mailer.send(&mail()).await.unwrap();
        let goodbyes = || server.commands().iter().filter(|line| *line == "QUIT").count();
        while goodbyes() < count {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!((server.mails().len(), server.connections()), (2, 2));
}

#[tokio::test]
async fn many_mails_at_once_use_no_more_connections_than_allowed() {
    let server = SmtpServer::start();
    let settings = settings(&format!("smtp://127.0.0.1:{}", server.port()));
    let mailer = Mailer::new(settings.with_connections(3)).unwrap();
    let sending: Vec<_> = (0..30)
        .map(|_| {
            let mailer = mailer.clone();
            tokio::spawn(async move { mailer.send(&mail()).await })
        })
        .collect();
    for sent in sending {
        sent.await.unwrap().unwrap();
    }
    assert_eq!(server.mails().len(), 30);
    assert!(server.connections() <= 3, "{} connections", server.connections());
}

#[tokio::test]
async fn a_kept_connection_that_died_is_replaced_and_the_mail_goes_out_once() {
    let server = SmtpServer::start();
    let mailer = plain(&server);
    mailer.send(&mail()).await.unwrap();
    server.close_connections();
    mailer.send(&mail()).await.unwrap();
    // It says so before it closes, as servers do after a while.
    server.once(Step::Sender, Behavior::RawAndClose(b"421 4.4.2 Idle too long\r\n".to_vec()));
    mailer.send(&mail()).await.unwrap();
    server.once(Step::Data, Behavior::Close);
    mailer.send(&mail()).await.unwrap();
    server.once(Step::Sender, Behavior::reply("452 4.5.3 Too many mails in this session"));
    mailer.send(&mail()).await.unwrap();
    assert_eq!((server.mails().len(), server.connections()), (5, 5));
}

#[tokio::test]
async fn a_kept_connection_that_died_without_a_word_leaves_time_for_a_new_one() {
    let server = SmtpServer::start();
    let settings = settings(&format!("smtp://127.0.0.1:{}", server.port()));
    let mailer = Mailer::new(settings.with_timeout(Duration::from_secs(8))).unwrap();
    mailer.send(&mail()).await.unwrap();
    server.once(Step::Sender, Behavior::Hang);
    mailer.send(&mail()).await.unwrap();
    assert_eq!((server.mails().len(), server.connections()), (2, 2));
}

#[tokio::test]
async fn a_new_connection_that_dies_is_not_tried_again_at_once() {
    let server = SmtpServer::start();
    server.once(Step::Sender, Behavior::Close);
    let failed = failure(&plain(&server)).await;
    assert_eq!((failed.kind, failed.may_have_arrived), (MailFailureKind::Unavailable, false));
    assert_eq!((server.mails().len(), server.connections()), (0, 1));
}

#[tokio::test]
async fn a_mail_that_may_have_arrived_is_never_sent_again_by_itself() {
    let server = SmtpServer::start();
    let mailer = plain(&server);
    mailer.send(&mail()).await.unwrap();
    server.once(Step::Content, Behavior::Close);
    let failed = failure(&mailer).await;
    assert_eq!((failed.kind, failed.may_have_arrived), (MailFailureKind::Unavailable, true));
    assert!(failed.to_string().contains("may have arrived"), "{failed}");
    assert_eq!((server.mails().len(), server.connections()), (2, 1));
}

#[tokio::test]
async fn a_no_says_whose_fault_it_is() {
    use MailFailureKind::{Later, Misconfigured, Refused};
    for (step, line, kind) in [
        (Step::Greeting, "554 5.7.1 You are on a block list", Misconfigured),
        (Step::Greeting, "421 4.3.2 Too many connections", Later),
        (Step::Hello, "550 go away", Misconfigured),
        (Step::Sender, "553 5.1.8 Not your domain", Misconfigured),
        (Step::Sender, "451 4.3.0 Try later", Later),
        (Step::Recipient, "550 5.1.1 No such user", Refused),
        (Step::Recipient, "554 5.7.1 Relay access denied", Misconfigured),
        (Step::Recipient, "452 4.2.2 Mailbox full", Later),
        (Step::Recipient, "451 4.7.1 Greylisted", Later),
        (Step::Data, "421 4.3.2 Shutting down", Later),
        (Step::Content, "554 5.6.0 Looks like spam", Refused),
        (Step::Content, "452 4.3.1 Disk full", Later),
    ] {
        let server = SmtpServer::start();
        server.once(step, Behavior::reply(line));
        let mailer = plain(&server);
        let failed = failure(&mailer).await;
        assert_eq!((failed.kind, failed.may_have_arrived), (kind, false), "{step:?} {line}: {failed}");
        assert_eq!(failed.code.map(|code| code.to_string()).as_deref(), line.get(..3), "{failed}");
        assert!(failed.to_string().contains(line), "{failed}");
        mailer.send(&mail()).await.unwrap();
        assert_eq!(server.mails().iter().filter(|mail| mail.accepted).count(), 1, "{step:?} {line}");
    }
}

#[tokio::test]
async fn a_refused_recipient_does_not_cost_the_connection() {
    let server = SmtpServer::start();
    server.once(Step::Recipient, Behavior::reply("550 5.1.1 No such user"));
    let mailer = plain(&server);
    failure(&mailer).await;
    mailer.send(&mail()).await.unwrap();
    assert_eq!((server.mails().len(), server.connections()), (1, 1));
    assert!(server.commands().contains(&"RSET".to_owned()));
}

const STEPS: [Step; 6] = [Step::Greeting, Step::Hello, Step::Sender, Step::Recipient, Step::Data, Step::Content];

#[tokio::test]
async fn a_server_that_hangs_or_drips_is_unavailable_when_the_time_is_over() {
    for step in STEPS {
        for behavior in [Behavior::Hang, Behavior::Drip(Duration::from_millis(20))] {
            let server = SmtpServer::start();
            server.once(step, behavior.clone());
            let failed = failure(&impatient(&server)).await;
            assert_eq!(failed.kind, MailFailureKind::Unavailable, "{step:?} {behavior:?}: {failed}");
            // On a slow machine the time may be over before the step.
            assert!(failed.may_have_arrived || server.mails().is_empty(), "{step:?} {behavior:?}: {failed}");
        }
    }
}

#[tokio::test]
async fn a_server_that_closes_or_babbles_is_unavailable() {
    let behaviors = [
        Behavior::Close,
        Behavior::RawAndClose(b"250-and then\r\n".to_vec()),
        Behavior::RawAndClose(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()),
        Behavior::RawAndClose(b"\0\xff\xfe\r\n".to_vec()),
        Behavior::RawAndClose(vec![b'2'; 300_000]),
        Behavior::RawAndClose([b"250-".as_slice(), &[b'x'; 90], b"\r\n"].concat().repeat(5_000)),
    ];
    for step in STEPS {
        for behavior in &behaviors {
            let server = SmtpServer::start();
            server.once(step, behavior.clone());
            let failed = failure(&plain(&server)).await;
            assert_eq!(failed.kind, MailFailureKind::Unavailable, "{step:?} {behavior:?}: {failed}");
            assert_eq!(failed.may_have_arrived, step == Step::Content, "{step:?} {behavior:?}: {failed}");
            assert_eq!(server.mails().len(), usize::from(step == Step::Content), "{step:?} {behavior:?}");
            assert!(failed.to_string().len() < 300, "{failed}");
        }
    }
}

#[tokio::test]
async fn a_late_greeting_is_waited_for() {
    let server = SmtpServer::start();
    server.once(Step::Greeting, Behavior::Hold);
    let mailer = plain(&server);
    let sending = tokio::spawn(async move { mailer.send(&mail()).await });
    while server.connections() == 0 {
        tokio::task::yield_now().await;
    }
    server.release();
    sending.await.unwrap().unwrap();
    assert_eq!(server.mails().len(), 1);
}

#[tokio::test]
async fn nobody_there_is_unavailable() {
    let port = SmtpServer::start().port();
    let mailer = Mailer::new(settings(&format!("smtp://127.0.0.1:{port}"))).unwrap();
    let failed = failure(&mailer).await;
    assert_eq!(failed.kind, MailFailureKind::Unavailable);
    let mailer = Mailer::new(settings("smtp+starttls://mail.invalid")).unwrap();
    let failed = failure(&mailer).await;
    assert_eq!(failed.kind, MailFailureKind::Unavailable);
    assert!(failed.to_string().contains("mail.invalid"), "{failed}");
}

#[tokio::test]
async fn an_unencrypted_mail_does_not_leave_the_private_network() {
    let failed = failure(&Mailer::new(settings("smtp://192.0.2.1")).unwrap()).await;
    assert_eq!(failed.kind, MailFailureKind::Misconfigured);
    assert!(failed.to_string().contains("smtps://"), "{failed}");
}

mod encrypted {
    use super::*;

    fn server(name: &str, options: SmtpOptions) -> (SmtpServer, CertificateDer<'static>) {
        let (der, encrypt) = certificate(name);
        (SmtpServer::with(SmtpOptions { encrypt: Some(encrypt), ..options }), der)
    }

    fn mailer(scheme: &str, server: &SmtpServer, root: &CertificateDer<'static>) -> Mailer {
        let url = format!("{scheme}://ann:p%40ss@localhost:{}", server.port());
        Mailer::new(settings(&url).with_roots(vec![root.clone()])).unwrap()
    }

    const LOGIN: SmtpOptions = SmtpOptions {
        auth: "PLAIN LOGIN",
        login: ("ann", "p@ss"),
        starttls: false,
        implicit_tls: false,
        encrypt: None,
    };

    #[tokio::test]
    async fn mail_goes_out_over_tls_and_over_starttls_with_each_login() {
        for (scheme, starttls) in [("smtps", false), ("smtp+starttls", true)] {
            for auth in ["PLAIN", "LOGIN", "XOAUTH2 LOGIN PLAIN"] {
                let options = SmtpOptions { auth, starttls, implicit_tls: !starttls, ..LOGIN };
                let (server, root) = server("localhost", options);
                let mailer = mailer(scheme, &server, &root);
                mailer.send(&mail()).await.unwrap();
                mailer.send(&mail()).await.unwrap();
                let mails = server.mails();
                assert_eq!((mails.len(), server.connections()), (2, 1), "{scheme} {auth}");
                assert!(mails.iter().all(|m| m.encrypted && m.user.as_deref() == Some("ann")), "{scheme} {auth}");
            }
        }
    }

    #[tokio::test]
    async fn the_check_goes_through_everything_but_a_mail() {
        let (server, root) = server("localhost", SmtpOptions { starttls: true, ..LOGIN });
        let said = mailer("smtp+starttls", &server, &root).check().await.unwrap();
        assert_eq!(
            said.to_string(),
            format!("localhost:{} answers, encrypted, user and password accepted", server.port())
        );
        let verbs: Vec<_> = server.commands().iter().map(|c| c.split(' ').next().unwrap().to_owned()).collect();
        assert_eq!(verbs, ["EHLO", "STARTTLS", "EHLO", "AUTH", "NOOP", "QUIT"]);
        assert!(server.mails().is_empty());
    }

    #[tokio::test]
    async fn a_server_that_hangs_while_it_encrypts_or_checks_the_password_is_unavailable_in_time() {
        for (scheme, starttls, step) in [
            ("smtp+starttls", true, Step::Hello),
            ("smtp+starttls", true, Step::StartTls),
            ("smtp+starttls", true, Step::Auth),
            ("smtps", false, Step::Greeting),
            ("smtps", false, Step::Auth),
        ] {
            for behavior in [Behavior::Hang, Behavior::Drip(Duration::from_millis(20)), Behavior::Close] {
                let options = SmtpOptions { starttls, implicit_tls: !starttls, ..LOGIN };
                let (server, root) = server("localhost", options);
                server.once(step, behavior);
                let url = format!("{scheme}://ann:p%40ss@localhost:{}", server.port());
                let settings = settings(&url).with_roots(vec![root]).with_timeout(Duration::from_millis(300));
                let mailer = Mailer::new(settings).unwrap();
                let failed = failure(&mailer).await;
                assert_eq!((failed.kind, failed.may_have_arrived), (MailFailureKind::Unavailable, false), "{failed}");
                assert!(server.mails().is_empty());
            }
        }
    }

    #[tokio::test]
    async fn a_certificate_of_another_name_or_an_unknown_authority_is_not_accepted() {
        for (scheme, starttls) in [("smtps", false), ("smtp+starttls", true)] {
            let options = || SmtpOptions { starttls, implicit_tls: !starttls, ..LOGIN };
            let (wrong_name, root) = server("mail.example.org", options());
            let failed = failure(&mailer(scheme, &wrong_name, &root)).await;
            assert_eq!(failed.kind, MailFailureKind::Unavailable, "{scheme}: {failed}");
            assert!(failed.to_string().contains("for another name"), "{failed}");
            let (unknown, _) = server("localhost", options());
            let failed = failure(&mailer(scheme, &unknown, &root)).await;
            assert_eq!(failed.kind, MailFailureKind::Unavailable, "{scheme}: {failed}");
            assert!(failed.to_string().contains("no known authority"), "{failed}");
            for server in [wrong_name, unknown] {
                let said = server.commands().concat();
                assert!(!said.contains("AUTH") && !said.contains("MAIL"), "{said}");
            }
        }
    }

    #[tokio::test]
    async fn without_starttls_or_login_nothing_is_said() {
        let (server, root) = server("localhost", LOGIN);
        let failed = failure(&mailer("smtp+starttls", &server, &root)).await;
        assert_eq!(failed.kind, MailFailureKind::Misconfigured, "{failed}");
        assert!(failed.to_string().contains("STARTTLS") && server.commands().len() == 1, "{failed}");

        let (server, root) = self::server("localhost", SmtpOptions { implicit_tls: true, auth: "", ..LOGIN });
        let failed = failure(&mailer("smtps", &server, &root)).await;
        assert_eq!(failed.kind, MailFailureKind::Misconfigured, "{failed}");
        assert!(failed.to_string().contains("user and password") && server.commands().len() == 1, "{failed}");
    }

    #[tokio::test]
    async fn a_wrong_password_is_our_mistake_and_is_not_repeated() {
        let options = SmtpOptions { implicit_tls: true, login: ("ann", "another"), ..LOGIN };
        let (server, root) = server("localhost", options);
        // Some servers repeat what they did not like.
        server.once(Step::Auth, Behavior::reply("535 5.7.8 no: AGFubgBwQHNz p@ss"));
        let mailer = mailer("smtps", &server, &root);
        let failed = failure(&mailer).await;
        assert_eq!((failed.kind, failed.code), (MailFailureKind::Misconfigured, Some(535)));
        let shown = format!("{failed} {failed:?} {mailer:?}");
        assert!(shown.contains("[secret]") && !shown.contains("p@ss") && !shown.contains("AGFub"), "{shown}");
        assert_eq!(mailer.check().await.unwrap_err().code, Some(535));
    }

    #[tokio::test]
    async fn words_that_were_slipped_in_before_encryption_are_not_heard_after_it() {
        let (server, root) = server("localhost", SmtpOptions { starttls: true, ..LOGIN });
        // Somebody on the line answers the encrypted EHLO before there is encryption.
        let slipped = b"220 go ahead\r\n250-mail.example.org\r\n250 AUTH PLAIN\r\n".to_vec();
        server.once(Step::StartTls, Behavior::Raw(slipped));
        let failed = failure(&mailer("smtp+starttls", &server, &root)).await;
        assert_eq!(failed.kind, MailFailureKind::Unavailable, "{failed}");
        assert!(!server.commands().concat().contains("AUTH"));
    }

    #[tokio::test]
    async fn tls_where_there_is_none_and_none_where_there_is_tls_end_in_time() {
        let unencrypted = SmtpServer::start();
        let (_, root) = server("localhost", LOGIN);
        let failed = failure(&mailer("smtps", &unencrypted, &root)).await;
        assert_eq!(failed.kind, MailFailureKind::Unavailable, "{failed}");
        let (encrypted, _) = server("localhost", SmtpOptions { implicit_tls: true, ..LOGIN });
        let failed = failure(&impatient(&encrypted)).await;
        assert_eq!(failed.kind, MailFailureKind::Unavailable, "{failed}");
    }
}
