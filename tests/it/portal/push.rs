//! New leads on a telephone: what a push service gets, and what its browser reads.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::Value;
use shingle_deliver::push::decrypt;
use shingle_domain::{Environment, Role, Tenant};
use shingle_store::DestinationKind;
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{Receiver, Reply, TestApp, fetch};

/// Of the browser in appendix A of RFC 8291.
const POINT: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
const PRIVATE: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// Push services of tests are here, and speak without TLS.
fn to_this_machine(settings: &mut shingle_server::Settings) {
    settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
    settings.egress_http = true;
}

async fn post(app: &TestApp, cookies: &str, path: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin").header("cookie", cookies);
    let answer = fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body.finish())).await;
    (answer.status().as_u16(), crate::support::header(&answer, "location").to_owned())
}

async fn lead(app: &TestApp, name: &str) {
    let mut sent = app.submission().await;
    sent["lastName"] = name.into();
    sent["email"] = format!("{}@example.com", name.to_lowercase()).into();
    assert_eq!(app.send_lead(&sent).await.0, 201);
}

on_both_engines! {
    async fn a_lead_is_pushed_to_the_browser_that_asked_and_read_by_it_alone(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/phone").await;
        let key = browser.html.split("data-key=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert_eq!(bytes(&key).len(), 65);
        for wrong in [
            [("endpoint", "ftp://x.example/"), ("p256dh", POINT), ("auth", AUTH)],
            [("endpoint", &*service.url()), ("p256dh", "x"), ("auth", AUTH)],
            [("endpoint", &*service.url()), ("p256dh", POINT), ("auth", "")],
        ] {
            assert_eq!(post(&app, &browser.cookies(), "/portal/phone/push", &wrong).await.1, "/portal/phone?said=refused");
        }
        let keys = [("endpoint", &*service.url()), ("p256dh", POINT), ("auth", AUTH)];
        for _ in 0..2 {
            assert_eq!(post(&app, &browser.cookies(), "/portal/phone/push", &keys).await.1, "/portal/phone?said=on");
        }
        lead(&app, "Whitfield").await;
        app.engine.work_off().await;
        let pushed = service.next().await;
        assert!(service.take().is_empty(), "one device is told once");
        assert_eq!((pushed.header("content-encoding"), pushed.header("ttl")), ("aes128gcm", "86400"));
        let vapid = pushed.header("authorization");
        assert!(vapid.starts_with("vapid t=") && vapid.ends_with(&format!("k={key}")), "{vapid}");
        let claims = vapid.split('.').nth(1).unwrap();
        let claims: Value = serde_json::from_slice(&bytes(claims)).unwrap();
        assert_eq!(claims["aud"], format!("http://{}", service.at));
        let shown: Value = serde_json::from_slice(&decrypt(&pushed.body, &bytes(PRIVATE), &bytes(AUTH)).unwrap()).unwrap();
        assert_eq!(shown["title"], "Ann Whitfield");
        assert!(shown["body"].as_str().unwrap().starts_with("14 Alder Court, $"), "{shown}");
        browser.open(shown["path"].as_str().unwrap()).await;
        browser.shows(200, "Ann Whitfield");
        assert!(!String::from_utf8_lossy(&pushed.body).contains("Alder"));
        browser.open("/portal/phone").await;
        browser.shows(200, "Firefox on Linux");

        // A service that is away is asked again; one that knows the browser no more is not.
        service.will(Reply::Status(503));
        lead(&app, "Ferreira").await;
        app.engine.work_off().await;
        service.next().await;
        service.will(Reply::Status(201));
        app.clock.advance(std::time::Duration::from_secs(3_600));
        app.engine.work_off().await;
        service.next().await;
        service.will(Reply::Status(410));
        lead(&app, "Raman").await;
        app.engine.work_off().await;
        service.next().await;
        lead(&app, "Beck").await;
        app.engine.work_off().await;
        assert!(service.take().is_empty(), "it is switched off");
    }

    async fn whoever_leaves_or_is_another_is_told_nothing(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let (own, other) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        let keys = [("endpoint", &*service.url()), ("p256dh", POINT), ("auth", AUTH)];
        post(&app, &own.cookies(), "/portal/phone/push", &keys).await;
        let tenant = Tenant { account: app.account, environment: Environment::Production };
        let device = app.store.list_destinations(&tenant, DestinationKind::Push).await.unwrap()[0].id;
        let path = format!("/portal/phone/push/{device}/end");
        assert_eq!(post(&app, &other.cookies(), &path, &[]).await.0, 404, "a colleague's device");
        assert_eq!(post(&app, &own.cookies(), &path, &[]).await.1, "/portal/phone?said=off");
        assert!(app.store.list_destinations(&tenant, DestinationKind::Push).await.unwrap().is_empty());
        post(&app, &own.cookies(), "/portal/phone/push", &keys).await;
        app.store.remove_user(app.account, maya.id).await.unwrap();
        lead(&app, "Whitfield").await;
        app.engine.work_off().await;
        assert!(service.take().is_empty(), "they have left");
        // Keys are sealed at rest.
        let secrets = app.texts("SELECT secrets FROM destination WHERE kind = 'push'").await;
        assert!(secrets.len() == 2 && secrets.iter().all(|text| !text.contains(AUTH)), "{secrets:?}");
    }
}
