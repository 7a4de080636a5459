//! The estimate of an earlier day, its link, and the photographs that go with a visit.

use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, bad_request, error, fetch, header, images, not_found, send};
use crate::visits::{Sent, change, record, send_lead, wishes};

const DAY: Duration = Duration::from_secs(24 * 3_600);

fn ended() -> (u16, Value) {
    error(401, "Unauthorized", "The session has ended. Please start a new one.")
}

pub async fn again(app: &TestApp, lead: &Sent, lang: &str) -> (u16, Value) {
    let body = json!({ "leadToken": lead.token, "lang": lang }).to_string();
    send(app.page(Method::POST, &format!("/leads/{}/estimate", lead.id)).body(body)).await
}

pub async fn upload(app: &TestApp, lead: &Sent, bytes: Vec<u8>) -> (u16, Value) {
    let form =
        Form::new().text("leadToken", lead.token.clone()).part("photo", Part::bytes(bytes).file_name("roof.jpg"));
    send(app.page(Method::POST, &format!("/leads/{}/photos", lead.id)).multipart(form)).await
}

fn link(app: &TestApp, receipt: &Value) -> String {
    receipt["link"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned()
}

on_both_engines! {
    async fn an_estimate_is_there_again_for_thirty_days_as_it_was_told(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        app.clock.advance(DAY * 29);
        let (status, receipt) = again(&app, &lead, "en").await;
        assert_eq!(status, 200, "{receipt}");
        assert_eq!((&receipt["leadToken"], receipt["id"].as_str()), (&lead.token.clone().into(), Some(lead.id.as_str())));
        let kept = receipt["kept"].as_str().unwrap();
        assert!(kept.contains("March 10, 2026") && kept.contains("14 Alder Court") && !kept.contains("Prices have changed"), "{kept}");
        assert!(receipt["estimate"]["prices"][0]["value"].as_f64().unwrap() > 0.0);
        assert!(again(&app, &lead, "es").await.1["kept"].as_str().unwrap().contains("10 de marzo de 2026"));
        app.clock.advance(DAY * 2);
        assert_eq!(again(&app, &lead, "en").await, ended());
    }

    async fn a_changed_price_is_told_beside_the_old_one(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let told = again(&app, &lead, "en").await.1["estimate"]["prices"][0]["value"].clone();
        let path = format!("/api/v1/roof-estimate-widget/{}", crate::support::WIDGET);
        let dearer = crate::support::form::widget().set("installedPrice", "1234.00").build();
        assert_eq!(send(app.api(Method::PUT, &path).multipart(dearer)).await.0, 200);
        let (_, receipt) = again(&app, &lead, "en").await;
        assert_eq!(receipt["estimate"]["prices"][0]["value"], told);
        let kept = receipt["kept"].as_str().unwrap();
        assert!(kept.contains("Prices have changed since.") && kept.contains("$1,234"), "{kept}");
    }

    async fn an_erased_lead_and_a_strangers_token_bring_nothing_back(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        for token in ["", "x"] {
            assert_eq!(again(&app, &Sent { id: lead.id.clone(), token: token.to_owned() }, "en").await, ended());
        }
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", lead.id))).await;
        assert_eq!(again(&app, &lead, "en").await.0, 404);
    }

    async fn a_link_shows_the_estimate_and_nothing_of_the_person(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, Some("(207) 555-0163")).await;
        let (_, receipt) = change(&app, &lead, wishes()).await;
        let link = link(&app, &receipt);
        for path in [link.clone(), format!("{link}/print")] {
            let page = fetch(app.get(&path)).await;
            assert_eq!(page.status(), 200);
            assert_eq!((header(&page, "referrer-policy"), header(&page, "cache-control")), ("no-referrer", "private, no-store"));
            let html = page.text().await.unwrap();
            for part in ["14 Alder Court", "noindex", "March 10, 2026", "until June 8, 2026", receipt["reference"].as_str().unwrap(), "$"] {
                assert!(html.contains(part), "{part}");
            }
            for part in ["Ann", "Sample", "ann@example.com", "555-0163", "Side gate"] {
                assert!(!html.contains(part), "{part}");
            }
        }
        let panel = receipt["panel"].as_str().unwrap();
        assert!(panel.contains("/link/revoke") && !panel.contains("/link/send"), "no mail server, no word of mail: {panel}");
        app.clock.advance(DAY * 90);
        let page = fetch(app.get(&link)).await;
        assert_eq!(page.status(), 404);
        assert!(page.text().await.unwrap().contains("This link has ended"));
    }

    async fn a_link_ends_when_it_is_switched_off_or_its_lead_erased(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let status = |path: String| { let app = &app; async move { fetch(app.get(&path)).await.status().as_u16() } };
        let first = link(&app, &again(&app, &lead, "en").await.1);
        assert_eq!(status(first.clone()).await, 200);
        let revoke = |token: &str| {
            let body = json!({ "leadToken": token }).to_string();
            send(app.page(Method::POST, &format!("/leads/{}/link/revoke", lead.id)).body(body))
        };
        assert_eq!(revoke("x").await, ended());
        assert_eq!(revoke(&lead.token).await, (200, json!({ "id": lead.id, "revoked": true })));
        assert_eq!(status(first.clone()).await, 404);
        let second = link(&app, &again(&app, &lead, "en").await.1);
        assert_ne!(second, first);
        assert_eq!(status(second.clone()).await, 200);

        let path = format!("/api/v1/leads/{}/link", lead.id);
        let other = app.second_account().await;
        assert_eq!(send(app.request(Method::DELETE, &path).header("token", other.token)).await, not_found("DELETE", &path));
        assert_eq!(status(second.clone()).await, 200);
        assert_eq!(send(app.api(Method::DELETE, &path)).await.0, 200);
        assert_eq!(status(second).await, 404);
        let third = link(&app, &again(&app, &lead, "en").await.1);
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", lead.id))).await;
        assert_eq!(status(third.clone()).await, 404);
        let widget = "11111111-1111-4111-8111-111111111111";
        assert_eq!(status(third.replace(crate::support::WIDGET, widget)).await, 404, "another widget");
        assert_eq!(status(format!("/w/{}/e/nonsense", crate::support::WIDGET)).await, 404);
    }

    async fn photographs_are_encoded_again_and_are_their_owners_alone(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let (status, added) = upload(&app, &lead, images::png(40, 30)).await;
        assert_eq!((status, &added["width"], &added["height"]), (201, &40.into(), &30.into()), "{added}");
        let path = format!("/api/v1/leads/{}/photos/{}", lead.id, added["id"].as_str().unwrap());
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path), "not sent yet");
        change(&app, &lead, wishes()).await;
        assert_eq!(record(&app, &lead).await["inspection"]["photos"][0]["id"], added["id"]);
        let photo = fetch(app.api(Method::GET, &path)).await;
        assert_eq!((photo.status().as_u16(), header(&photo, "content-type")), (200, "image/jpeg"));
        assert!(photo.bytes().await.unwrap().starts_with(&[0xff, 0xd8]));
        let other = app.second_account().await;
        assert_eq!(send(app.request(Method::GET, &path).header("token", other.token)).await, not_found("GET", &path));
        let stored: Vec<_> = app.stored_files().into_iter().filter(|file| file.to_string_lossy().contains("photos")).collect();
        assert_eq!(stored.len(), 1);
        let name = stored[0].file_name().unwrap().to_str().unwrap();
        assert_eq!(fetch(app.get(&format!("/storage/photos/{name}"))).await.status(), 404, "even with the name");

        let remove = format!("/leads/{}/photos/{}/remove", lead.id, added["id"].as_str().unwrap());
        assert_eq!(send(app.page(Method::POST, &remove).body(json!({ "leadToken": "x" }).to_string())).await, ended());
        let own = app.page(Method::POST, &remove).body(json!({ "leadToken": lead.token }).to_string());
        assert_eq!(send(own).await.0, 200);
        assert_eq!(record(&app, &lead).await["inspection"]["photos"], json!([]));
        assert!(app.stored_files().iter().all(|file| !file.to_string_lossy().contains("photos")), "the file is gone");
        upload(&app, &lead, images::png(40, 30)).await;
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", lead.id))).await;
        assert!(app.stored_files().iter().all(|file| !file.to_string_lossy().contains("photos")), "erased with its lead");
    }

    async fn what_is_no_photograph_too_much_or_a_strangers_is_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let told = |text: &str| bad_request(format!("photo {text}"));
        assert_eq!(upload(&app, &lead, b"GIF89a".to_vec()).await, told("must be a PNG, JPEG or WebP image"));
        let heic = upload(&app, &lead, b"\0\0\0\x18ftypheic\0\0\0\0".to_vec()).await;
        assert_eq!(heic, told("is a HEIC image, which cannot be read here: send it as a JPEG"));
        assert_eq!(upload(&app, &lead, images::bomb(60_000, 60_000)).await, told("has more pixels than the 50 million that can be read here"));
        let png = images::png(40, 30);
        assert_eq!(upload(&app, &lead, png[..png.len() / 2].to_vec()).await, told("could not be read: the image is damaged"));
        assert_eq!(upload(&app, &lead, vec![0; 10 * 1024 * 1024 + 1]).await, bad_request("photo must have at most 10 MB"));
        let stranger = Sent { id: lead.id.clone(), token: "x".to_owned() };
        assert_eq!(upload(&app, &stranger, png.clone()).await, ended());
        let backwards = Form::new().part("photo", Part::bytes(png.clone())).text("leadToken", lead.token.clone());
        let sent = app.page(Method::POST, &format!("/leads/{}/photos", lead.id)).multipart(backwards);
        assert_eq!(send(sent).await, bad_request("leadToken is missing: the form has leadToken, then photo"));
        for n in 0..5 {
            assert_eq!(upload(&app, &lead, png.clone()).await.0, 201, "{n}");
        }
        assert_eq!(upload(&app, &lead, png).await, bad_request("There are 5 already, which is the limit"));
    }
}
