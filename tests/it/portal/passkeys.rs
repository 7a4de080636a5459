//! Passkeys: joining with one, signing in with one, the user's own list; and who tries to get in with what is not
//! theirs.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use shingle_domain::{Email, Role};
use shingle_store::{CEREMONY_LIFETIME, InviteDraft, NewPasskey, StoreError, User};
use shingle_store_fixture::{Fixture, on_both_engines};
use shingle_testing::smtp::SmtpServer;

use super::browser::{Browser, encoded};
use super::device::Device;
use super::{mail, signed_in, user};
use crate::support::{TestApp, fetch};

const HERE: &str = "https://roofs.example.com";
const OPTIONS: &str = "/portal/sign-in/passkey/options";

async fn start(f: Fixture) -> TestApp {
    TestApp::start_with(f, |settings| settings.base_url = Some(HERE.to_owned())).await
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Adds a passkey in a browser that is signed in.
async fn add(browser: &mut Browser<'_>, device: &mut Device, name: &str) {
    browser.open("/portal/settings").await;
    let (status, asked) = browser.ask("/portal/settings/passkeys/options", &[]).await;
    assert_eq!(status, 200);
    let answer = device.make(&asked["publicKey"]);
    browser
        .send_to(
            "/portal/settings/passkeys",
            &[("ceremony", &text(&asked["ceremony"])), ("passkey", &answer), ("name", name)],
        )
        .await;
}

/// Somebody with a passkey, and their device.
async fn with_passkey(app: &TestApp, address: &str) -> (User, Device) {
    let user = user(app, Some(app.account), Role::Owner, address).await;
    let mut device = Device::new(HERE);
    let mut browser = signed_in(app, &user).await;
    add(&mut browser, &mut device, "Phone").await;
    browser.shows(200, "Your passkey is added");
    (user, device)
}

/// One that was made at another address of the server.
fn for_host(host: &str) -> NewPasskey {
    let (key, name) = ("{}".to_owned(), "Old phone".to_owned());
    NewPasskey { credential: format!("of {host}"), key, counter: 0, name, host: host.to_owned() }
}

async fn sign_in(browser: &mut Browser<'_>, device: &mut Device) {
    let (status, asked) = browser.ask(OPTIONS, &[]).await;
    assert_eq!(status, 200);
    let answer = device.sign(&asked["publicKey"]);
    browser.send_to("/portal/sign-in/passkey", &[("ceremony", &text(&asked["ceremony"])), ("passkey", &answer)]).await;
}

on_both_engines! {
    async fn somebody_joins_with_a_passkey_and_signs_in_with_it(f: Fixture) {
        let app = start(f).await;
        let token = app.store.people().claim_link().await.unwrap();
        let mut browser = Browser::new(&app);
        browser.open("/setup").await;
        browser.shows(200, "Create my passkey");
        let fill = [("token", token.as_str()), ("name", "Maya Lindqvist"), ("email", "maya@harborpine.example"), ("company", "Harbor & Pine Roofing")];
        assert_eq!(browser.ask("/setup/passkey", &fill[1..]).await.0, 422, "the form would be refused");
        let (status, asked) = browser.ask("/setup/passkey", &fill).await;
        assert_eq!(status, 200);
        let options = &asked["publicKey"];
        assert_eq!((text(&options["rp"]["id"]), text(&options["user"]["name"])), ("roofs.example.com".to_owned(), "maya@harborpine.example".to_owned()));
        assert_eq!(text(&options["authenticatorSelection"]["userVerification"]), "required");
        assert_eq!(text(&options["authenticatorSelection"]["residentKey"]), "required");
        let mut device = Device::new(HERE);
        let (answer, ceremony) = (device.make(options), text(&asked["ceremony"]));
        let carried = [("ceremony", ceremony.as_str()), ("passkey", answer.as_str())];
        // From another browser it is nobody's.
        let mut thief = Browser::new(&app);
        thief.send_to("/setup", &[&fill[..], &carried].concat()).await;
        thief.shows(422, "We couldn’t check that passkey");
        assert!(!app.store.people().has_users().await.unwrap());
        browser.submit(&[&fill[..], &carried].concat()).await;
        browser.shows(200, "Welcome, Maya Lindqvist");
        browser.open("/portal/settings").await;
        browser.shows(200, "Firefox on Linux");
        browser.press("Sign out").await;

        let mut other = Browser::new(&app);
        other.open("/portal/sign-in").await;
        other.shows(200, "Continue with a passkey");
        sign_in(&mut other, &mut device).await;
        other.shows(200, "No lead yet");
        other.open("/portal/settings").await;
        other.shows(200, "by passkey");
        assert!(!other.html.contains("not used yet"));

        // A colleague by invite, with the address that it is for.
        let day = Duration::from_secs(24 * 3_600);
        let draft = InviteDraft { account: Some(app.account), role: Role::Member, sees: shingle_domain::WidgetScope::All, email: Email::parse("tomas@harborpine.example"), by: None, lifetime: day };
        let (_, token) = app.store.people().invite(&draft).await.unwrap();
        let mut colleague = Browser::new(&app);
        colleague.open(&format!("/portal/invite?token={token}")).await;
        colleague.shows(200, "Join with a passkey");
        let form = [("token", token.as_str()), ("name", "Tomas Okafor")];
        let (_, asked) = colleague.ask("/portal/invite/passkey", &form).await;
        assert_eq!(text(&asked["publicKey"]["user"]["name"]), "tomas@harborpine.example");
        let mut his = Device::new(HERE);
        let answer = his.make(&asked["publicKey"]);
        colleague.submit(&[&form[..], &[("ceremony", &text(&asked["ceremony"])), ("passkey", &answer)]].concat()).await;
        colleague.shows(200, "Welcome, Tomas Okafor");
        let mut again = Browser::new(&app);
        sign_in(&mut again, &mut his).await;
        again.shows(200, "Tomas Okafor");
    }

    async fn what_a_device_signed_counts_once_here_and_soon(f: Fixture) {
        let app = start(f).await;
        let (_, mut device) = with_passkey(&app, "maya@oak.example.com").await;
        let refused = "We don’t know that passkey";
        let mut browser = Browser::new(&app);
        let (_, asked) = browser.ask(OPTIONS, &[]).await;
        let (ceremony, answer) = (text(&asked["ceremony"]), device.sign(&asked["publicKey"]));
        let carried = [("ceremony", ceremony.as_str()), ("passkey", answer.as_str())];
        let mut thief = Browser::new(&app);
        thief.ask(OPTIONS, &[]).await;
        thief.send_to("/portal/sign-in/passkey", &carried).await;
        thief.shows(422, refused);
        browser.send_to("/portal/sign-in/passkey", &carried).await;
        browser.shows(200, "No lead yet");
        // A second time; and under another question of the same browser.
        browser.send_to("/portal/sign-in/passkey", &carried).await;
        browser.shows(422, refused);
        let (_, other) = browser.ask(OPTIONS, &[]).await;
        browser.send_to("/portal/sign-in/passkey", &[("ceremony", &text(&other["ceremony"])), ("passkey", &answer)]).await;
        browser.shows(422, refused);
        // Too late.
        let mut late = Browser::new(&app);
        let (_, asked) = late.ask(OPTIONS, &[]).await;
        let answer = device.sign(&asked["publicKey"]);
        app.clock.advance(CEREMONY_LIFETIME);
        late.send_to("/portal/sign-in/passkey", &[("ceremony", &text(&asked["ceremony"])), ("passkey", &answer)]).await;
        late.shows(422, refused);
        // On a page that looks like ours; without a finger; on a copy of the device that is behind.
        device.origin = "https://roofs.example.net".to_owned();
        sign_in(&mut late, &mut device).await;
        late.shows(422, refused);
        device.origin = HERE.to_owned();
        device.verifies = false;
        sign_in(&mut late, &mut device).await;
        late.shows(422, refused);
        device.verifies = true;
        device.counter = 1;
        sign_in(&mut late, &mut device).await;
        late.shows(422, refused);
        device.counter = 40;
        sign_in(&mut late, &mut device).await;
        late.shows(200, "No lead yet");
        for garbage in ["", "{}", "null", "[]", "\u{0}", &"x".repeat(20_000)] {
            let mut browser = Browser::new(&app);
            let (_, asked) = browser.ask(OPTIONS, &[]).await;
            browser.send_to("/portal/sign-in/passkey", &[("ceremony", &text(&asked["ceremony"])), ("passkey", garbage)]).await;
            browser.shows(422, refused);
        }
    }

    async fn a_passkey_is_its_users_alone(f: Fixture) {
        let app = start(f).await;
        let (maya, mut hers) = with_passkey(&app, "maya@oak.example.com").await;
        let (luis, mut his) = with_passkey(&app, "luis@oak.example.com").await;
        // A device that says it is somebody else's.
        his.pretend(maya.id);
        let mut browser = Browser::new(&app);
        sign_in(&mut browser, &mut his).await;
        browser.shows(422, "We don’t know that passkey");
        his.pretend(luis.id);
        // What one user asked for, sent by another who took over the browser; and what was asked for signing in.
        let mut shared = signed_in(&app, &maya).await;
        let (_, asked) = shared.ask("/portal/settings/passkeys/options", &[]).await;
        let excluded = asked["publicKey"]["excludeCredentials"].as_array().map(Vec::len);
        assert_eq!(excluded, Some(1), "a device that has one makes no second");
        let answer = Device::new(HERE).make(&asked["publicKey"]);
        let hers_asked = text(&asked["ceremony"]);
        let luis_session = signed_in(&app, &luis).await.cookies();
        let cookies = format!("{luis_session}; {}", shared.cookies().split("; ").find(|c| c.starts_with("shingle-local-passkey")).unwrap());
        let request = app.request(reqwest::Method::POST, "/portal/settings/passkeys").header("cookie", cookies).header("sec-fetch-site", "same-origin");
        let response = fetch(request.body(encoded(&[("ceremony", hers_asked.as_str()), ("passkey", &answer)]))).await;
        assert_eq!(response.headers()["location"], "/portal/settings?said=passkeyRefused");
        assert_eq!(app.store.people().list_passkeys(luis.id).await.unwrap().len(), 1);
        let (_, asked) = shared.ask(OPTIONS, &[]).await;
        shared.send_to("/portal/settings/passkeys", &[("ceremony", &text(&asked["ceremony"])), ("passkey", &answer)]).await;
        shared.shows(200, "Nothing was added");

        // Another's passkey is not there.
        let foreign = app.store.people().list_passkeys(maya.id).await.unwrap()[0].id;
        let mut browser = signed_in(&app, &luis).await;
        for path in [format!("/portal/settings/passkeys/{foreign}"), format!("/portal/settings/passkeys/{foreign}/remove")] {
            browser.send_to(&path, &[("name", "Mine")]).await;
            browser.shows(404, "Nothing here");
        }
        assert_eq!(app.store.people().list_passkeys(maya.id).await.unwrap()[0].name, "Phone");
        // Its own: an invalid name, a hostile one, and removal.
        browser.open("/portal/settings").await;
        browser.press("Rename").await;
        let own = format!("/portal/settings/passkeys/{}", app.store.people().list_passkeys(luis.id).await.unwrap()[0].id);
        browser.submit_to(&own, &[("name", &"x".repeat(61))]).await;
        browser.shows(200, "60 characters at most");
        browser.submit_to(&own, &[("name", "<script>\u{202e}")]).await;
        browser.shows(200, "Saved.");
        assert!(browser.html.contains("&lt;script&gt;") && !browser.html.contains("<script>"));
        // No mail, no codes: it is the last way in.
        browser.submit_to(&format!("{own}/remove"), &[]).await;
        browser.shows(200, "It’s your only way to sign in");
        app.store.people().make_recovery_codes(luis.id).await.unwrap();
        browser.submit_to(&format!("{own}/remove"), &[]).await;
        browser.shows(200, "no longer works");
        let mut out = Browser::new(&app);
        sign_in(&mut out, &mut his).await;
        out.shows(422, "We don’t know that passkey");
        // Who cannot get in, or fears that somebody else can, begins again.
        app.store.people().reset_user(&maya.email).await.unwrap();
        sign_in(&mut out, &mut hers).await;
        out.shows(422, "We don’t know that passkey");
    }

    async fn a_user_who_did_not_add_a_passkey_hears_of_it(f: Fixture) {
        let server = Arc::new(SmtpServer::start());
        let port = server.port();
        let app = TestApp::start_with(f, |settings| {
            settings.base_url = Some(HERE.to_owned());
            settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
            settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
        })
        .await;
        let (user, _) = with_passkey(&app, "maya@oak.example.com").await;
        let mailed = mail(&server).await;
        assert!(mailed.contains("A passkey was added to your sign-in: Phone"), "{mailed}");
        // Mail can let her in, so it may go.
        let mut browser = signed_in(&app, &user).await;
        browser.open("/portal/settings").await;
        browser.press("Remove").await;
        browser.shows(200, "no longer works");
    }

    async fn a_server_without_a_name_offers_no_passkeys(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = Browser::new(&app);
        for path in ["/portal/sign-in", "/setup"] {
            browser.open(path).await;
            assert!(!browser.html.contains("a passkey"), "{path}: {}", browser.html);
        }
        assert_eq!(browser.ask(OPTIONS, &[]).await.0, 404);
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings").await;
        browser.shows(200, "a name and an encrypted connection");
    }

    async fn passkeys_for_another_address_are_marked_and_the_sign_in_says_where_they_work(f: Fixture) {
        let app = start(f).await;
        let (maya, mut device) = with_passkey(&app, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/settings").await;
        assert!(!browser.html.contains("Works at"), "a passkey for this address has no mark");
        let mut out = Browser::new(&app);
        out.open("/portal/sign-in").await;
        out.shows(200, "That did not work. Try again");
        // From before the server got another name.
        app.store.people().add_passkey(maya.id, &for_host("old.example.com")).await.unwrap();
        browser.open("/portal/settings").await;
        browser.shows(200, "Works at old.example.com only");
        assert_eq!(browser.html.matches("Works at").count(), 1);
        out.open("/portal/sign-in").await;
        out.shows(200, "you have some for old.example.com");
        out.speaks = "es";
        out.open("/portal/sign-in").await;
        out.shows(200, "algunas se crearon para old.example.com");

        // The page at another address of the server.
        for (origin, status, said) in [
            (Some(HERE), 200, None),
            (None, 200, None),
            (Some("null"), 200, None),
            (Some("https://192.0.2.7"), 421, Some("Passkeys work at https://roofs.example.com only")),
            (Some("https://www.roofs.example.com"), 421, Some("Passkeys work at https://roofs.example.com only")),
            (Some("http://127.0.0.1:4711"), 421, Some("Passkeys work at https://roofs.example.com only")),
        ] {
            let mut asked = app.request(reqwest::Method::POST, OPTIONS).header("sec-fetch-site", "same-origin");
            if let Some(origin) = origin {
                asked = asked.header("origin", origin);
            }
            let answer = fetch(asked).await;
            assert_eq!(answer.status(), status, "{origin:?}");
            let text = answer.text().await.unwrap();
            assert_eq!(said.is_some(), said.is_some_and(|said| text.contains(said)), "{origin:?}: {text}");
        }

        // No mail, no codes: one for another address is no way in, so it may go, and the one for this address may not.
        let listed = app.store.people().list_passkeys(maya.id).await.unwrap();
        let path = |host: &str| {
            let passkey = listed.iter().find(|passkey| passkey.host == host).unwrap();
            format!("/portal/settings/passkeys/{}/remove", passkey.id)
        };
        browser.submit_to(&path("roofs.example.com"), &[]).await;
        browser.shows(200, "It’s your only way to sign in");
        browser.submit_to(&path("old.example.com"), &[]).await;
        browser.shows(200, "no longer works");
        sign_in(&mut out, &mut device).await;
        assert_eq!(app.store.people().list_passkeys(maya.id).await.unwrap()[0].host, "roofs.example.com");
        assert!(app.store.people().list_passkeys(maya.id).await.unwrap()[0].last_used_at.is_some());
    }

    async fn where_no_passkeys_work_those_for_another_address_are_named(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        app.store.people().add_passkey(owner.id, &for_host("leads.example.com")).await.unwrap();
        let mut out = Browser::new(&app);
        out.open("/portal/sign-in").await;
        out.shows(200, "Your passkeys for leads.example.com work there");
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings").await;
        browser.shows(200, "Works at leads.example.com only");
        browser.shows(200, "a name and an encrypted connection");
    }

    async fn passkeys_have_their_number_and_a_removed_user_has_none(f: Fixture) {
        let app = start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let new = |n: usize| NewPasskey { credential: format!("c{n}"), key: "{}".to_owned(), counter: 0, name: "Key".to_owned(), host: "roofs.example.com".to_owned() };
        for n in 0..20 {
            app.store.people().add_passkey(member.id, &new(n)).await.unwrap();
        }
        assert!(matches!(app.store.people().add_passkey(member.id, &new(20)).await, Err(StoreError::TooMany { max: 20 })));
        assert!(matches!(app.store.people().add_passkey(owner.id, &new(0)).await, Err(StoreError::AlreadyExists)));
        let one = app.store.people().list_passkeys(member.id).await.unwrap()[0].clone();
        // A device that does not count; one that does moves on.
        app.store.people().passkey_used(one.id, "{}", 0).await.unwrap();
        app.store.people().passkey_used(one.id, "{}", 7).await.unwrap();
        for behind in [0, 6, 7] {
            assert!(matches!(app.store.people().passkey_used(one.id, "{}", behind).await, Err(StoreError::NotFound)), "{behind}");
        }
        app.store.people().remove_user(app.account, member.id).await.unwrap();
        assert!(app.store.people().list_passkeys(member.id).await.unwrap().is_empty());
        assert!(matches!(app.store.people().add_passkey(member.id, &new(30)).await, Err(StoreError::NotFound)));
    }
}
