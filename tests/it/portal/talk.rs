//! Emails with homeowners: written on the lead's page, sent by the server, answered to its own address.

use std::sync::Arc;

use mail_parser::{Message, MessageParser};
use reqwest::Method;
use shingle_domain::{Environment, LeadId, Role, Tenant, WidgetScope};
use shingle_store::{EntryKind, User};
use shingle_store_fixture::{Fixture, on_both_engines};
use shingle_testing::smtp::{Behavior, ReceivedMail, SmtpServer, Step};

use super::browser::Browser;
use super::leads::ids;
use super::{mail, signed_in, user};
use crate::notices::{mails, text, to};
use crate::support::{TestApp, fetch};

const SENDER: &str = "/portal/settings/sender";

async fn started(f: Fixture, answers: bool) -> (TestApp, Arc<SmtpServer>) {
    let server = Arc::new(SmtpServer::start());
    let port = server.port();
    let app = TestApp::start_with(f, |settings| {
        settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
        settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
        settings.reply_address = answers.then(|| "reply@in.shingle.example".to_owned());
        settings.sender_domains = vec!["oak.example".to_owned()];
    })
    .await;
    (app, server)
}

/// One lead, of Ann, seen by a member; the notices of it are gone.
async fn asked(app: &TestApp, server: &SmtpServer) -> (LeadId, User) {
    app.widget().await;
    assert_eq!(app.send_lead(&app.submission().await).await.0, 201);
    mails(app, server).await;
    let maya = user(app, Some(app.account), Role::Member, "maya@oak.example.com").await;
    (ids(app).await[0].parse().unwrap(), maya)
}

fn page(lead: LeadId) -> String {
    format!("/portal/leads/{lead}?data=sandbox")
}

async fn write(browser: &mut Browser<'_>, lead: LeadId, subject: &str, body: &str) {
    browser.open(&page(lead)).await;
    let fields = [("write-subject", subject), ("write-body", body), ("way", "send")];
    browser.submit_to(&format!("/portal/leads/{lead}/reply"), &fields).await;
}

fn read(mail: &ReceivedMail) -> Message<'_> {
    MessageParser::default().parse(&mail.bytes).unwrap()
}

/// The address for answers.
fn answers_to(mail: &ReceivedMail) -> String {
    read(mail).reply_to().unwrap().first().unwrap().address().unwrap().to_owned()
}

async fn post(app: &TestApp, key: &str, kind: &str, body: impl Into<Vec<u8>>) -> u16 {
    let request = app.request(Method::POST, &format!("/inbound/mail/{key}")).header("content-type", kind);
    fetch(request.body(body.into())).await.status().as_u16()
}

fn answer(to: &str, id: &str, headers: &str, body: &str) -> String {
    let text = format!(
        "From: Ann Sample <ann@example.com>\nTo: Oak <{to}>\nMessage-ID: <{id}@example.com>\nSubject: Re: Your roof\n{headers}\n{body}"
    );
    text.replace('\n', "\r\n")
}

on_both_engines! {
    async fn an_email_goes_out_its_answer_comes_back_and_stays_in_one_conversation(f: Fixture) {
        let (app, server) = started(f, true).await;
        let (lead, maya) = asked(&app, &server).await;
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let key = app.app.tokens.inbound();
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&page(lead)).await;
        browser.shows(200, "The answer comes to this page.");
        browser.shows(200, "&lt;leads@shingle.example&gt;");
        write(&mut browser, lead, "Your roof", "Hi Ann,\r\nis Thursday <fine>?").await;
        browser.shows(200, "On its way. The timeline says what becomes of it.");
        browser.shows(200, "Maya Lindqvist emailed the homeowner: on its way");
        browser.send_again().await;
        let sent = mails(&app, &server).await;
        assert_eq!(sent.iter().map(to).collect::<Vec<_>>(), ["ann@example.com"], "once");
        let (first, message) = (&sent[0], read(&sent[0]));
        let from = message.from().unwrap().first().unwrap();
        assert_eq!((from.name(), from.address()), (Some("Oak Roofing"), Some("leads@shingle.example")));
        let address = answers_to(first);
        assert!(address.starts_with("reply+") && address.ends_with("@in.shingle.example"), "{address}");
        assert_eq!(first.from, address, "a mail server that cannot deliver it writes there");
        assert_eq!((message.subject(), text(first).as_str()), (Some("Your roof"), "Hi Ann,\nis Thursday <fine>?\n"));
        let head = String::from_utf8(first.bytes.clone()).unwrap();
        assert!(head.contains(&format!("List-Unsubscribe: <mailto:{address}?subject=unsubscribe>")), "{head}");
        assert!(!head.contains("List-Unsubscribe-Post") && !head.contains("Auto-Submitted"), "{head}");
        browser.open(&page(lead)).await;
        browser.shows(200, "Maya Lindqvist emailed the homeowner: sent");
        browser.shows(200, "is Thursday &lt;fine&gt;?");

        // A wrong key, a wrong token and an erased lead look the same.
        let came = answer(&address, "a1", "", "Thursday works.\n\nOn Dec 1, 2026 Oak <x@y.example> wrote:\n> Hi Ann");
        let forged = came.replace(&address[6..12], "aaaaaa");
        for (key, body) in [("", &came), ("0123", &came), (&*key, &forged), (&*key, &"hello".to_owned())] {
            assert_eq!(post(&app, key, "message/rfc822", body.clone()).await, 404, "{key}");
        }
        // The case of an address is nobody's promise.
        let upper = came.replace(&address, &address.to_uppercase());
        assert_eq!(post(&app, &key, "message/rfc822", upper).await, 204);
        assert_eq!(post(&app, &key, "message/rfc822", came.clone()).await, 204, "twice");
        browser.open(&page(lead)).await;
        browser.shows(200, "Homeowner answered by email");
        browser.shows(200, "Thursday works.");
        assert!(!browser.html.contains("x@y.example"), "what was quoted: {}", browser.html);
        let entries = app.store.leads().entries(&tenant, lead).await.unwrap();
        assert_eq!(entries.iter().filter(|entry| entry.kind == EntryKind::Answered).count(), 1);
        let told = mails(&app, &server).await;
        let mut names: Vec<_> = told.iter().map(to).collect();
        names.sort_unstable();
        assert_eq!(names, ["hello@oak.example.com", "maya@oak.example.com"], "the company and the one who wrote");
        assert!(told.iter().all(|mail| text(mail).contains("Thursday works.")), "{}", text(&told[0]));

        // The next email stands below the answer.
        write(&mut browser, lead, "Re: Your roof", "See you then").await;
        let next = mails(&app, &server).await;
        let message = read(&next[0]);
        assert_eq!(message.in_reply_to().as_text(), Some("a1@example.com"));
        let head = String::from_utf8(next[0].bytes.clone()).unwrap();
        assert!(head.contains("References: <reply."), "{head}");

        // As providers post it, with attachments that are named, from another address.
        let (second, boundary) = (answers_to(&next[0]), "x");
        let other = answer(&second, "a2", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n", "--m\n\nSee the photo\n--m\nContent-Type: image/jpeg; name=north.jpg\n\nx\n--m--\n");
        let other = other.replace("ann@example.com", "bob@example.com");
        let form = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n{other}\r\n--{boundary}--\r\n");
        assert_eq!(post(&app, &key, "multipart/form-data; boundary=x", form).await, 204);
        browser.open(&page(lead)).await;
        browser.shows(200, "Answer by email from bob@example.com");
        browser.shows(200, "Attachments, which we don’t keep: north.jpg");
        let json = serde_json::json!({ "RawEmail": answer("someone@else.example", "a3", "", "From Postmark"), "OriginalRecipient": second });
        assert_eq!(post(&app, &key, "application/json", json.to_string()).await, 204);
        let form: String = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("recipient", &second)
            .append_pair("body-mime", &answer("someone@else.example", "a4", "Auto-Submitted: auto-replied\n", "I am away"))
            .finish();
        mails(&app, &server).await;
        assert_eq!(post(&app, &key, "application/x-www-form-urlencoded", form).await, 204);
        browser.open(&page(lead)).await;
        browser.shows(200, "From Postmark");
        browser.shows(200, "An automatic answer came back");
        assert!(mails(&app, &server).await.is_empty(), "a machine disturbs nobody");
        // What comes back from ourselves ends here.
        let own = answer(&second, "a5", "", "Hi").replace("ann@example.com", "leads@shingle.example");
        assert_eq!(post(&app, &key, "message/rfc822", own).await, 204);
        let entries = app.store.leads().entries(&tenant, lead).await.unwrap();
        assert_eq!(entries.iter().filter(|entry| entry.kind == EntryKind::Answered).count(), 3);

        // No more emails.
        assert_eq!(post(&app, &key, "message/rfc822", answer(&second, "a6", "", "STOP")).await, 204);
        browser.open(&page(lead)).await;
        browser.shows(200, "Homeowner asked for no more emails");
        browser.shows(200, "The homeowner asked for no more emails.");
        assert!(!browser.html.contains("Send email"), "{}", browser.html);
        browser.submit_to(&format!("/portal/leads/{lead}/reply"), &[("write-body", "But"), ("way", "send")]).await;
        browser.shows(422, "The homeowner asked for no more emails.");
        app.store.leads().erase(&tenant, lead).await.unwrap();
        assert_eq!(post(&app, &key, "message/rfc822", answer(&second, "a7", "", "Hello?")).await, 404);
    }

    async fn what_becomes_of_an_email_is_said_where_it_was_written(f: Fixture) {
        let (app, server) = started(f, true).await;
        let (lead, maya) = asked(&app, &server).await;
        let key = app.app.tokens.inbound();
        let mut browser = signed_in(&app, &maya).await;
        // The mail server is busy, then takes it.
        server.once(Step::Recipient, Behavior::reply("451 4.3.0 Try later"));
        write(&mut browser, lead, "", "One").await;
        assert!(mails(&app, &server).await.is_empty());
        browser.open(&page(lead)).await;
        browser.shows(200, "waiting, because the mail server did not take it");
        app.clock.advance(std::time::Duration::from_secs(6));
        let sent = mails(&app, &server).await;
        assert_eq!(read(&sent[0]).subject(), Some("Oak Roofing"), "an empty subject is no subject");
        let address = answers_to(&sent[0]);
        // A mailbox that is full is no wrong address.
        let status = |status: &str| format!("Return-Path: <>\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\nSorry\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; Ann@example.com\nAction: failed\n{status}\n--b--\n");
        let bounce = |id: &str, said: &str| answer(&address, id, "", "").replace("\r\n\r\n", &format!("\r\n{}", status(said).replace('\n', "\r\n")));
        assert_eq!(post(&app, &key, "message/rfc822", bounce("b1", "Status: 5.2.2\nDiagnostic-Code: smtp; 552 Mailbox full")).await, 204);
        browser.open(&page(lead)).await;
        browser.shows(200, "emailed the homeowner: it could not be delivered");
        browser.shows(200, "An email could not be delivered: 5.2.2");
        browser.shows(200, "Send email");
        assert_eq!(post(&app, &key, "message/rfc822", bounce("b2", "Status: 5.1.1\nDiagnostic-Code: smtp; 550 No such user")).await, 204);
        browser.open(&page(lead)).await;
        browser.shows(200, "The last email to this address bounced.");
        let told = mails(&app, &server).await;
        assert_eq!(told.iter().map(to).collect::<Vec<_>>(), ["hello@oak.example.com"], "as other bounces");
    }

    async fn a_client_writes_to_leads_of_their_own_alone(f: Fixture) {
        let (app, server) = started(f, false).await;
        let (lead, _) = asked(&app, &server).await;
        let client = user(&app, Some(app.account), Role::Member, "client@oak.example.com").await;
        let mut browser = signed_in(&app, &client).await;
        write(&mut browser, lead, "Roof", "Hi").await;
        browser.shows(200, "The answer goes to client@oak.example.com.");
        let sent = mails(&app, &server).await;
        assert_eq!((answers_to(&sent[0]).as_str(), sent[0].from.as_str()), ("client@oak.example.com", "leads@shingle.example"));
        let none = WidgetScope::only(["7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c22".parse().unwrap()]);
        app.store.people().set_sees(app.account, client.id, &none).await.unwrap();
        let mut browser = signed_in(&app, &client).await;
        let fields = [("data", "sandbox"), ("write-body", "Hi"), ("way", "send")];
        browser.send_to(&format!("/portal/leads/{lead}/reply"), &fields).await;
        assert_eq!(browser.status, 404);
        assert!(mails(&app, &server).await.is_empty());
        // Without an address for answers, nobody can post any.
        assert_eq!(post(&app, &app.app.tokens.inbound(), "message/rfc822", "From: a@b.example\r\n\r\nHi").await, 404);
    }

    async fn a_company_sends_from_an_address_that_it_proved_where_its_domain_is_set_up(f: Fixture) {
        let (app, server) = started(f, false).await;
        let (lead, maya) = asked(&app, &server).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open(SENDER).await;
        browser.shows(200, "are from leads@shingle.example");
        browser.submit_to(SENDER, &[("senderName", "Oak"), ("senderEmail", "hello")]).await;
        browser.shows(422, "Please type an email address");
        let mut writer = signed_in(&app, &maya).await;
        for (email, is_from, said) in [
            ("hello@elm.example", "leads@shingle.example", "ask your administrator to set up elm.example"),
            ("hello@oak.example", "hello@oak.example", "They are from hello@oak.example"),
        ] {
            browser.submit_to(SENDER, &[("senderName", "Oak & Sons"), ("senderEmail", email)]).await;
            browser.shows(200, "We’ve emailed a code");
            let code = mail(&server).await.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
            browser.submit_to("/portal/settings/sender/code", &[("code", "12")]).await;
            browser.shows(200, "That isn’t the code.");
            browser.submit_to("/portal/settings/sender/code", &[("code", &code)]).await;
            browser.shows(200, "Confirmed.");
            browser.shows(200, said);
            write(&mut writer, lead, "Roof", &format!("Hi from {email}")).await;
            writer.shows(200, &format!("We send emails from Oak &amp; Sons &lt;{is_from}&gt;. The answer goes to {email}."));
            let sent = mails(&app, &server).await;
            let message = read(&sent[0]);
            let from = message.from().unwrap().first().unwrap();
            assert_eq!((from.name(), from.address()), (Some("Oak & Sons"), Some(is_from)), "{email}");
            assert_eq!((answers_to(&sent[0]).as_str(), sent[0].from.as_str()), (email, "leads@shingle.example"));
        }
        // Of the same address the name alone changes, without a code.
        browser.open(SENDER).await;
        browser.submit_to(SENDER, &[("senderName", "Oak"), ("senderEmail", "Hello@oak.example")]).await;
        browser.shows(200, "Saved.");
        browser.press("Use no address of our own").await;
        browser.shows(200, "are from leads@shingle.example");
        writer.open(SENDER).await;
        assert_eq!(writer.status, 403, "owners alone");
    }
}
