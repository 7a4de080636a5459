//! New leads on a phone: what a push service gets, and what its browser alone reads.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde_json::Value;
use shingle_app::config::Settings;
use shingle_deliver::push::decrypt;
use shingle_domain::notice::{Hours as QuietHours, NoticeSettings, TimeOfDay};
use shingle_domain::{Environment, Role, Tenant};
use shingle_store::{DestinationKind, InviteDraft, SESSION_IDLE, User};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::receiver::{Received, Receiver, Reply};
use crate::support::{TestApp, fetch};

/// Of the browser in appendix A of RFC 8291.
pub(super) const POINT: &str =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
pub(super) const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
const PRIVATE: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";

fn bytes(text: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// Push services of tests are here, and speak without TLS.
pub(super) fn to_this_machine(settings: &mut Settings) {
    settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
    settings.egress_http = true;
}

/// Where the answer leads, and its status.
pub(super) async fn post(browser: &Browser<'_>, app: &TestApp, path: &str, fields: &[(&str, &str)]) -> (u16, String) {
    let mut body = url::form_urlencoded::Serializer::new(String::new());
    body.extend_pairs(fields);
    let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin");
    let request = request.header("cookie", browser.cookies());
    let answer = fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body.finish())).await;
    let to = answer.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (answer.status().as_u16(), to.unwrap_or_default())
}

pub(super) async fn subscribe(browser: &Browser<'_>, app: &TestApp, endpoint: &str) -> String {
    let keys = [("endpoint", endpoint), ("p256dh", POINT), ("auth", AUTH)];
    post(browser, app, "/portal/phone/push", &keys).await.1
}

async fn lead(app: &TestApp, name: &str) {
    let mut sent = app.submission().await;
    sent["lastName"] = name.into();
    sent["email"] = format!("{}@example.com", name.to_lowercase()).into();
    assert_eq!(app.send_lead(&sent).await.0, 201);
    app.engine.work_off().await;
}

/// As the browser reads it.
pub(super) fn read(pushed: &Received) -> Value {
    serde_json::from_slice(&decrypt(&pushed.body, &bytes(PRIVATE), &bytes(AUTH)).unwrap()).unwrap()
}

fn tenant(app: &TestApp) -> Tenant {
    Tenant { account: app.account, environment: Environment::Sandbox }
}

async fn destinations(app: &TestApp) -> usize {
    let production = Tenant { environment: Environment::Production, ..tenant(app) };
    let kind = DestinationKind::Push;
    app.store.destinations().list(&tenant(app), kind).await.unwrap().len()
        + app.store.destinations().list(&production, kind).await.unwrap().len()
}

async fn sign_in_with_code(app: &TestApp, browser: &mut Browser<'_>, user: &User) {
    let codes = app.store.people().make_recovery_codes(user.id).await.unwrap();
    browser.open("/portal/sign-in/recovery").await;
    browser.submit(&[("email", user.email.as_str()), ("code", &codes[0])]).await;
    assert_eq!(browser.status, 200, "{}", browser.html);
}

on_both_engines! {
    async fn a_lead_is_pushed_to_the_browser_that_asked_and_read_by_it_alone(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/phone").await;
        browser.shows(200, "Notifications need JavaScript");
        let key = browser.html.split("data-key=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert_eq!(bytes(&key).len(), 65);
        let long = format!("{}/{}", service.url(), "x".repeat(1_000));
        for wrong in [
            [("endpoint", "ftp://x.example/"), ("p256dh", POINT), ("auth", AUTH)],
            [("endpoint", ""), ("p256dh", POINT), ("auth", AUTH)],
            [("endpoint", &*long), ("p256dh", POINT), ("auth", AUTH)],
            [("endpoint", &*service.url()), ("p256dh", "x"), ("auth", AUTH)],
            [("endpoint", &*service.url()), ("p256dh", POINT), ("auth", "")],
        ] {
            assert_eq!(post(&browser, &app, "/portal/phone/push", &wrong).await.1, "/portal/phone?said=refused");
        }
        assert_eq!(destinations(&app).await, 0);
        for _ in 0..2 {
            assert_eq!(subscribe(&browser, &app, &service.url()).await, "/portal/phone?said=on");
        }
        assert_eq!(destinations(&app).await, 2, "one device, in both environments");
        lead(&app, "Whitfield").await;
        let pushed = service.next().await;
        assert!(service.take().is_empty(), "one device is told once");
        assert_eq!((pushed.header("content-encoding"), pushed.header("ttl")), ("aes128gcm", "86400"));
        let vapid = pushed.header("authorization");
        let token = vapid.strip_prefix("vapid t=").unwrap().split(',').next().unwrap();
        assert!(vapid.ends_with(&format!(", k={key}")), "{vapid}");
        let (signed, signature) = token.rsplit_once('.').unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(&key)).verify(signed.as_bytes(), &bytes(signature)).unwrap();
        let claims: Value = serde_json::from_slice(&bytes(signed.split('.').nth(1).unwrap())).unwrap();
        assert_eq!(claims["aud"], format!("http://{}", service.at));
        let shown = read(&pushed);
        assert!(shown["title"].as_str().unwrap().ends_with(" Whitfield"), "{shown}");
        assert!(shown["body"].as_str().unwrap().contains(" \u{b7} $"), "{shown}");
        for told in ["Whitfield", "Court", "/portal/leads"] {
            assert!(!String::from_utf8_lossy(&pushed.body).contains(told), "{told}");
        }
        browser.open(shown["path"].as_str().unwrap()).await;
        browser.shows(200, "Whitfield");
        browser.shows(200, "Push to Maya Lindqvist: Firefox on Linux (A new lead) was delivered");
        browser.open("/portal/phone").await;
        browser.shows(200, "Firefox on Linux");
        browser.shows(200, "This device");
        browser.press("Test").await;
        app.engine.work_off().await;
        assert_eq!(read(&service.next().await)["title"], "Test notification");
        // Keys and address are sealed at rest.
        for column in ["SELECT secrets FROM destination WHERE kind = 'push'", "SELECT address FROM destination WHERE kind = 'push'", "SELECT endpoint FROM push_device"] {
            let kept = app.texts(column).await;
            assert!(!kept.is_empty() && kept.iter().all(|text| !text.contains(AUTH) && !text.contains("/hook")), "{kept:?}");
        }
    }

    async fn an_assignment_is_pushed_to_the_devices_of_the_assignee_and_to_no_other(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let (mut mine, mut theirs) = (Receiver::start(Reply::Status(201)).await, Receiver::start(Reply::Status(201)).await);
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let (mut browser, other) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        for name in ["Whitfield", "Ferreira"] {
            lead(&app, name).await;
        }
        subscribe(&browser, &app, &mine.url()).await;
        subscribe(&other, &app, &theirs.url()).await;
        browser.open("/portal/leads?data=sandbox&search=whitfield").await;
        let id = browser.html.split("/portal/leads/").find_map(|rest| rest.get(..36).filter(|id| id.as_bytes()[8] == b'-')).unwrap().to_owned();
        let assign = format!("/portal/leads/{id}/assign");
        browser.open(&format!("/portal/leads/{id}?data=sandbox")).await;
        browser.submit_to(&assign, &[("assignee", &luis.id.to_string())]).await;
        let shown = read(&theirs.next().await);
        let title = shown["title"].as_str().unwrap();
        assert!(title.contains("assigned") && title.contains("Whitfield") && title.starts_with(maya.name.as_str()), "{shown}");
        assert_eq!(shown["path"], format!("/portal/leads/{id}?data=sandbox"));
        browser.open("/portal/leads?data=sandbox").await;
        browser.submit_to("/portal/leads/bulk", &[("do", "assign"), ("person", &luis.id.to_string()), ("all", "yes")]).await;
        let shown = read(&theirs.next().await);
        assert!(shown["title"].as_str().unwrap().ends_with("assigned 2 leads to you"), "{shown}");
        assert!(shown["body"].as_str().unwrap().contains("Ferreira"), "{shown}");
        // A next step reminds the devices of the assignee, once.
        browser.open(&format!("/portal/leads/{id}?data=sandbox")).await;
        let step = [("step", "Call"), ("due", "2026-03-10"), ("due-time", "15:30")];
        browser.submit_to(&format!("/portal/leads/{id}/plan"), &step).await;
        app.clock.set("2026-03-10T15:30:00Z");
        for _ in 0..2 {
            assert_eq!(shingle_app::chores::run(app.app.app()).await, [""; 0]);
            app.engine.work_off().await;
        }
        let shown = read(&theirs.next().await);
        assert_eq!(shown["title"], "Next step: Call");
        let body = shown["body"].as_str().unwrap();
        assert!(body.starts_with("3:30 PM") && body.contains("Whitfield"), "{shown}");
        assert!(theirs.take().is_empty() && mine.take().is_empty(), "once, and to no other");
        // In quiet hours the email alone says it.
        let all_day = QuietHours { from: TimeOfDay::parse("00:00").unwrap(), to: TimeOfDay::parse("23:59").unwrap() };
        let quiet = NoticeSettings { quiet_hours: Some(all_day), ..NoticeSettings::default() };
        app.store.destinations().set_notice_settings(&tenant(&app), &quiet).await.unwrap();
        let tenant = tenant(&app);
        let leads = app.store.leads().by_id(&tenant, &[id.parse().unwrap()]).await.unwrap();
        app.app.pusher.as_ref().unwrap().assigned(&tenant, luis.id, "Maya", &leads, "/portal/leads").await.unwrap();
        assert!(theirs.take().is_empty() && mine.take().is_empty(), "neither at night nor to the person who did it");
    }

    async fn a_service_that_is_away_is_asked_again_and_one_that_knows_the_browser_no_more_is_not(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(503)).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        subscribe(&browser, &app, &service.url()).await;
        lead(&app, "Ferreira").await;
        service.next().await;
        service.will(Reply::Status(201));
        app.clock.advance(Duration::from_secs(3_600));
        app.engine.work_off().await;
        assert!(read(&service.next().await)["title"].as_str().unwrap().ends_with("Ferreira"));
        for status in [410, 404] {
            assert_eq!(subscribe(&browser, &app, &service.url()).await, "/portal/phone?said=on");
            service.will(Reply::Status(status));
            lead(&app, "Raman").await;
            service.next().await;
            lead(&app, "Beck").await;
            assert!(service.take().is_empty(), "it is switched off: {status}");
            browser.open("/portal/phone").await;
            browser.shows(200, "No longer works");
        }
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Beck");
    }

    async fn nothing_outlives_a_user_a_session_or_a_choice(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let stranger_account = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger_account), Role::Owner, "ana@elm.example.com").await;
        let (own, other, strange) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await, signed_in(&app, &stranger).await);
        subscribe(&own, &app, &service.url()).await;
        let device = app.store.destinations().list_push_devices(app.account, maya.id).await.unwrap()[0].production.id;
        for action in ["end", "test"] {
            let path = format!("/portal/phone/push/{device}/{action}");
            assert_eq!(post(&other, &app, &path, &[]).await.0, 404, "a colleague's device");
            assert_eq!(post(&strange, &app, &path, &[]).await.0, 404, "another company's device");
        }
        let end = format!("/portal/phone/push/{device}/end");
        assert_eq!(post(&own, &app, &end, &[]).await.1, "/portal/phone?said=off");
        assert_eq!(post(&own, &app, &end, &[]).await.0, 404);
        assert_eq!(destinations(&app).await, 0);
        // What was turned off is not turned on again by the browser itself.
        let url = service.url();
        let renew = [("renew", "1"), ("endpoint", &*url), ("p256dh", POINT), ("auth", AUTH)];
        assert_eq!(post(&own, &app, "/portal/phone/push", &renew).await.1, "/portal/phone?said=off");
        assert_eq!(destinations(&app).await, 0);
        // One browser is one device, of the user who subscribed last, also in another company.
        subscribe(&own, &app, &url).await;
        subscribe(&strange, &app, &url).await;
        assert_eq!(destinations(&app).await, 0);
        // Signed out.
        subscribe(&own, &app, &url).await;
        assert_eq!(destinations(&app).await, 2);
        post(&own, &app, "/portal/sign-out", &[]).await;
        assert_eq!(destinations(&app).await, 0);
        // Reset.
        let own = signed_in(&app, &maya).await;
        subscribe(&own, &app, &url).await;
        app.store.people().reset_user(&maya.email).await.unwrap();
        assert_eq!(destinations(&app).await, 0);
        // Not used for two weeks: nothing is sent even before the chore runs.
        let own = signed_in(&app, &maya).await;
        subscribe(&own, &app, &url).await;
        app.clock.advance(SESSION_IDLE + Duration::from_secs(1));
        lead(&app, "Whitfield").await;
        assert!(service.take().is_empty(), "the session has ended");
        app.store.people().delete_ended_portal_rows().await.unwrap();
        assert_eq!(destinations(&app).await, 0);
        // Removed.
        let own = signed_in(&app, &maya).await;
        subscribe(&own, &app, &url).await;
        app.store.people().remove_user(app.account, maya.id).await.unwrap();
        assert_eq!(destinations(&app).await, 0);
        lead(&app, "Beck").await;
        assert!(service.take().is_empty(), "they have left");
    }

    async fn the_next_user_of_a_browser_keeps_their_own_device_only(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let tomas = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        assert_eq!(subscribe(&browser, &app, &format!("{}/one", service.url())).await, "/portal/phone?said=on");
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("id=\"untold\""));

        // Herself once more, without having signed out.
        let cookies = browser.cookies();
        sign_in_with_code(&app, &mut browser, &maya).await;
        assert_ne!(browser.cookies(), cookies);
        assert_eq!(app.store.people().list_sessions(maya.id).await.unwrap().len(), 1, "the one before has ended");
        lead(&app, "Ann").await;
        assert_eq!(service.take().len(), 1, "she is told as before");
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("id=\"untold\""));

        // Somebody else in the same browser: what it is told is not for them, nor any longer for her.
        sign_in_with_code(&app, &mut browser, &tomas).await;
        assert_eq!(destinations(&app).await, 0);
        lead(&app, "Bea").await;
        assert!(service.take().is_empty());
        browser.open("/portal/leads").await;
        browser.shows(200, "This device no longer gets notifications of new leads.");
    }

    async fn one_browser_is_told_by_each_company_of_its_person(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let elms = Tenant { account: elm, environment: Environment::Sandbox };
        let luis = user(&app, Some(app.account), Role::Owner, "luis@oak.example.com").await;
        let lifetime = Duration::from_secs(3_600);
        let draft = InviteDraft { account: Some(elm), role: Role::Member, sees: shingle_domain::WidgetScope::All, email: None, by: None, lifetime };
        let (_, token) = app.store.people().invite(&draft).await.unwrap();
        let mut browser = signed_in(&app, &luis).await;
        assert_eq!(subscribe(&browser, &app, &format!("{}/one", service.url())).await, "/portal/phone?said=on");
        browser.send_to("/portal/companies", &[("token", &token)]).await;
        browser.shows(200, "You joined this company.");
        assert_eq!(subscribe(&browser, &app, &format!("{}/one", service.url())).await, "/portal/phone?said=on");
        browser.open("/portal/phone").await;
        assert!(!browser.html.contains("data-own"), "turning it off here leaves the other company's on");
        let of_elm = async || app.store.destinations().list(&elms, DestinationKind::Push).await.unwrap().len();
        assert_eq!((destinations(&app).await, of_elm().await), (2, 1));
        // Oak's lead comes while the browser shows Elm; so it does after the push service has moved.
        lead(&app, "Ann").await;
        assert!(read(&service.next().await)["title"].as_str().unwrap().ends_with(" Ann"));
        let moved = format!("{}/two", service.url());
        let keys = [("renew", "1"), ("endpoint", &*moved), ("p256dh", POINT), ("auth", AUTH)];
        assert_eq!(post(&browser, &app, "/portal/phone/push", &keys).await.1, "/portal/phone?said=on");
        lead(&app, "Bea").await;
        assert!(read(&service.next().await)["title"].as_str().unwrap().ends_with(" Bea"));
        assert!(service.take().is_empty(), "at one address alone");
        assert_eq!((destinations(&app).await, of_elm().await), (2, 1));
        // Elm removes him: Oak goes on.
        let there = app.store.people().find_user_in(elm, &luis.email).await.unwrap().unwrap();
        user(&app, Some(elm), Role::Owner, "maya@elm.example.com").await;
        app.store.people().choose_company(&app.store.people().list_sessions(luis.id).await.unwrap()[0], Some(app.account)).await.unwrap();
        app.store.people().remove_user(elm, there.id).await.unwrap();
        assert_eq!((destinations(&app).await, of_elm().await), (2, 0));
        lead(&app, "Cora").await;
        assert!(read(&service.next().await)["title"].as_str().unwrap().ends_with(" Cora"));
    }

    async fn a_user_has_ten_devices_and_a_private_address_is_none(f: Fixture) {
        let app = TestApp::start(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let browser = signed_in(&app, &maya).await;
        for wrong in [
            "http://203.0.113.7/x", "https://127.0.0.1/x", "https://[::1]/x", "https://10.0.0.1/x", "https://169.254.169.254/latest",
            "https://0x7f.1/x", "https://a.loopback.example/x", "https://user:pass@push.example/x", "https://203.0.113.7:22/x",
        ] {
            assert_eq!(subscribe(&browser, &app, wrong).await, "/portal/phone?said=refused", "{wrong}");
        }
        for number in 0..11 {
            let browser = signed_in(&app, &maya).await;
            let said = subscribe(&browser, &app, &format!("https://93.184.215.14/{number}")).await;
            assert_eq!(said, if number < 10 { "/portal/phone?said=on" } else { "/portal/phone?said=many" });
        }
        assert_eq!(destinations(&app).await, 20);
    }

    async fn quiet_hours_and_muted_widgets_hold_for_devices_too(f: Fixture) {
        let app = TestApp::start_with(f, to_this_machine).await;
        let widget = app.widget().await;
        let mut service = Receiver::start(Reply::Status(201)).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let browser = signed_in(&app, &maya).await;
        subscribe(&browser, &app, &service.url()).await;
        let minute = |text: &str| TimeOfDay::parse(text).unwrap();
        let hour = (app.store.now().seconds() / 3_600).rem_euclid(24);
        let (from, to) = (format!("{hour:02}:00"), format!("{:02}:00", (hour + 2) % 24));
        let quiet = NoticeSettings {
            time_zone: "UTC".to_owned(),
            quiet_hours: Some(QuietHours { from: minute(&from), to: minute(&to) }),
            ..NoticeSettings::default()
        };
        app.store.destinations().set_notice_settings(&tenant(&app), &quiet).await.unwrap();
        lead(&app, "Whitfield").await;
        assert!(service.take().is_empty(), "it is quiet");
        app.clock.advance(Duration::from_secs(2 * 3_600));
        app.engine.work_off().await;
        assert!(read(&service.next().await)["title"].as_str().unwrap().ends_with("Whitfield"));
        let id = widget["referenceId"].as_str().unwrap().parse().unwrap();
        let muted = NoticeSettings { muted_widgets: vec![id], ..NoticeSettings::default() };
        app.store.destinations().set_notice_settings(&tenant(&app), &muted).await.unwrap();
        lead(&app, "Beck").await;
        assert!(service.take().is_empty(), "nobody is notified of this widget");
    }
}
