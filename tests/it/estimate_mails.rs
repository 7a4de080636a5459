//! What a homeowner is mailed, what is said of it, and what the company's notice leads to.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::ReceivedMail;

use crate::notices::{mails, set, start, text, to};
use crate::support::{TestApp, WIDGET, error, fetch, header, images, send};
use crate::visits::{Sent, change, wishes};

const DAY: Duration = Duration::from_secs(24 * 3_600);
const COPY: &str = "You’ll get a copy by email";

async fn lead(app: &TestApp, email: &str, consent: bool) -> (Sent, Value) {
    let mut sent = app.submission().await;
    sent["email"] = email.into();
    sent["consent"]["given"] = consent.into();
    let (status, receipt) = app.send_lead(&sent).await;
    assert_eq!(status, 201, "{receipt}");
    let named = |name: &str| receipt[name].as_str().unwrap().to_owned();
    (Sent { id: named("id"), token: named("leadToken") }, receipt)
}

async fn send_link(app: &TestApp, lead: &Sent, token: &str) -> (u16, Value) {
    let body = json!({ "leadToken": token }).to_string();
    send(app.page(Method::POST, &format!("/leads/{}/link/send", lead.id)).body(body)).await
}

/// The path of the first link in a mail with `part` in it.
fn link(app: &TestApp, mail: &ReceivedMail, part: &str) -> String {
    let text = text(mail);
    let found = text.split_whitespace().find(|word| word.starts_with(&app.base) && word.contains(part));
    found.unwrap_or_else(|| panic!("no {part} in {text}"))[app.base.len()..].to_owned()
}

fn mailed<'m>(mails: &'m [ReceivedMail], address: &str) -> &'m ReceivedMail {
    mails.iter().find(|mail| to(mail) == address).unwrap()
}

on_both_engines! {
    async fn both_mails_lead_to_the_page_of_the_estimate_until_its_link_is_switched_off(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "homeownerCopy": true })).await;
        let (lead, _) = lead(&app, "ann@example.com", true).await;
        let mails = mails(&app, &server).await;
        let own = link(&app, mailed(&mails, "ann@example.com"), "/e/");
        let theirs = link(&app, mailed(&mails, "hello@oak.example.com"), "/e/");
        assert_eq!(own, theirs);
        let company_copy = link(&app, mailed(&mails, "hello@oak.example.com"), "/estimate.pdf?");
        assert!(!text(mailed(&mails, "ann@example.com")).contains("/estimate.pdf"), "it is the company's alone");
        for path in [&own, &company_copy] {
            assert_eq!(fetch(app.get(path)).await.status(), 200, "{path}");
            assert!(!path.contains("ann") && !path.contains('@'), "{path}");
        }
        assert_eq!(send(app.api(Method::DELETE, &format!("/api/v1/leads/{}/link", lead.id))).await.0, 200);
        assert_eq!(fetch(app.get(&own)).await.status(), 404);
        assert_eq!(fetch(app.get(&company_copy)).await.status(), 200, "the company's own copy");
    }

    async fn the_notice_of_a_visit_leads_to_its_photographs_and_to_nothing_else(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let (sent, _) = lead(&app, "ann@example.com", true).await;
        let form = Form::new()
            .text("leadToken", sent.token.clone())
            .part("photo", Part::bytes(images::png(40, 30)).file_name("roof.jpg"));
        let path = format!("/leads/{}/photos", sent.id);
        assert_eq!(send(app.page(Method::POST, &path).multipart(form)).await.0, 201);
        mails(&app, &server).await;
        change(&app, &sent, wishes()).await;
        let notices = mails(&app, &server).await;
        let photo = link(&app, &notices[0], "/photo?");
        let shown = fetch(app.get(&photo)).await;
        assert_eq!((shown.status().as_u16(), header(&shown, "content-type")), (200, "image/jpeg"));
        assert_eq!((header(&shown, "cache-control"), header(&shown, "referrer-policy")), ("private, no-store", "no-referrer"));
        assert!(shown.bytes().await.unwrap().starts_with(&[0xff, 0xd8]));
        for part in ["ann", "Sample", "Alder", "@"] {
            assert!(!photo.contains(part), "{part} in {photo}");
        }
        let changed = photo.replacen("&t=0", "&t=1", 1);
        let (other, _) = lead(&app, "bob@example.net", true).await;
        let strangers = photo.replace(&sent.id.replace('-', ""), &other.id.replace('-', ""));
        let elsewhere = photo.replace(WIDGET, "11111111-1111-4111-8111-111111111111");
        for wrong in [changed, strangers, elsewhere] {
            assert_ne!(wrong, photo);
            assert_eq!(fetch(app.get(&wrong)).await.status(), 404, "{wrong}");
        }
        app.clock.advance(DAY * 91);
        assert_eq!(fetch(app.get(&photo)).await.status(), 404, "it ends");
    }

    async fn a_copy_is_promised_only_where_it_goes(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let thanks = |receipt: Value| receipt["thanks"].as_str().unwrap().to_owned();
        assert!(!thanks(lead(&app, "off@example.com", true).await.1).contains(COPY), "the account has not decided on it");
        set(&app, json!({ "homeownerCopy": true })).await;
        assert!(thanks(lead(&app, "ann@example.com", true).await.1).contains(COPY));
        assert!(mails(&app, &server).await.iter().any(|mail| to(mail) == "ann@example.com"), "and it goes");
        assert!(!thanks(lead(&app, "silent@example.com", false).await.1).contains(COPY), "without consent");
        assert!(!thanks(lead(&app, "ann@example.com", true).await.1).contains(COPY), "it has had one today");
        let settings = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
        let off = json!({ "mail": { "homeownerCopy": false } }).to_string();
        assert_eq!(send(app.api(Method::PUT, &settings).body(off)).await.0, 200);
        assert!(!thanks(lead(&app, "zoe@example.com", true).await.1).contains(COPY), "this widget sends none");
        let told: Vec<_> = mails(&app, &server).await.iter().map(|mail| to(mail).to_owned()).collect();
        assert!(!told.iter().any(|to| to.ends_with("@example.com")), "{told:?}");
    }

    async fn a_homeowner_has_the_link_mailed_once_a_day(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "homeownerCopy": true })).await;
        let (sent, receipt) = lead(&app, "ann@example.com", false).await;
        assert!(receipt["panel"].as_str().unwrap().contains("/link/send"), "{}", receipt["panel"]);
        mails(&app, &server).await;
        let stranger = error(401, "Unauthorized", "The session has ended. Please start a new one.");
        assert_eq!(send_link(&app, &sent, "x").await, stranger);
        assert!(server.mails().is_empty());
        assert_eq!(send_link(&app, &sent, &sent.token).await, (200, json!({ "id": sent.id, "mailed": true })));
        let arrived = server.mails();
        assert_eq!(arrived.iter().map(to).collect::<Vec<_>>(), ["ann@example.com"]);
        assert_eq!(fetch(app.get(&link(&app, &arrived[0], "/e/"))).await.status(), 200);
        assert_eq!(send_link(&app, &sent, &sent.token).await.0, 400, "one a day");
        let (other, _) = lead(&app, "ann@example.com", false).await;
        assert_eq!(send_link(&app, &other, &other.token).await.0, 400, "whichever lead it is");
        assert!(server.mails().is_empty());
        app.clock.advance(DAY);
        assert_eq!(send_link(&app, &sent, &sent.token).await.0, 200);
    }

    async fn where_no_mail_is_sent_no_button_offers_one(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        set(&app, json!({ "homeownerCopy": true })).await;
        let (sent, receipt) = lead(&app, "ann@example.com", true).await;
        assert!(!receipt["panel"].as_str().unwrap().contains("/link/send"));
        assert!(!receipt["thanks"].as_str().unwrap().contains(COPY));
        assert_eq!(send_link(&app, &sent, &sent.token).await.0, 404);
    }
}
