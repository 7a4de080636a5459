//! Strangers who try to get in with an owner's address do not keep the owner out.

use std::time::Duration;

use reqwest::Method;
use shingle_domain::{Email, Role};
use shingle_store::InviteDraft;
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch, header};

const OWNER: &str = "owner@oak.example.com";

/// From a network of its own, as a trusted proxy reports it.
async fn post(app: &TestApp, path: &str, body: &str, from: &str, cookie: &str) -> u16 {
    let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin").header("cookie", cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.header("x-forwarded-for", from).header("x-forwarded-proto", "https");
    fetch(request.body(body.to_owned())).await.status().as_u16()
}

on_both_engines! {
    async fn strangers_tries_hold_nobody_who_has_signed_in_before(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        let owner = user(&app, Some(app.account), Role::Owner, OWNER).await;
        let (codes, _) = (app.store.people().make_recovery_codes(owner.id).await.unwrap(), signed_in(&app, &owner).await);
        let ask = format!("email={OWNER}");
        let code = |code: &str| format!("email={OWNER}&code={code}");
        for (path, body) in [("/portal/sign-in", ask.clone()), ("/portal/sign-in/recovery", code("wrong"))] {
            // One network gets five tries, however it writes the address.
            for _ in 0..5 {
                assert_ne!(post(&app, path, &body, "198.51.100.7", "").await, 429, "{path}");
            }
            assert_eq!(post(&app, path, &body.to_uppercase().replace("EMAIL=", "email=").replace("CODE=", "code="), "198.51.100.9", "").await, 429, "{path}");
            // Many networks together get more, and then nobody who is not known does.
            let mut passed = 0;
            for network in 0..40 {
                let status = post(&app, path, &body, &format!("203.0.{network}.1"), "").await;
                passed += u32::from(status != 429);
            }
            assert_eq!(passed, 25, "{path}: with the five before");
            assert_eq!(post(&app, path, &body, "192.0.2.77", "").await, 429, "{path}");
        }
        // The owner's network, where a session of theirs is.
        assert_eq!(post(&app, "/portal/sign-in", &ask, "127.0.0.1", "").await, 303);
        // The owner's browser anywhere, once somebody has signed in there.
        app.clock.advance(Duration::from_secs(24 * 3_600));
        let request = app.request(Method::POST, "/portal/sign-in/recovery").header("sec-fetch-site", "same-origin");
        let request = request.header("x-forwarded-for", "192.0.2.5").header("x-forwarded-proto", "https");
        let entered = fetch(request.body(code(&codes[0]))).await;
        assert_eq!(header(&entered, "location"), "/portal/settings");
        let known = entered.headers().get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
        let known = known.filter_map(|cookie| cookie.split(';').next()).find(|cookie| cookie.contains("known")).unwrap().to_owned();
        for network in 0..45 {
            post(&app, "/portal/sign-in", &ask, &format!("203.0.{network}.1"), "").await;
        }
        assert_eq!(post(&app, "/portal/sign-in", &ask, "192.0.3.1", "").await, 429);
        assert_eq!(post(&app, "/portal/sign-in", &ask, "192.0.3.1", &known).await, 303);
        // Nobody makes such a mark, and it is good for its own address alone.
        let (name, mark) = known.split_once('=').unwrap();
        for forged in [format!("{name}="), format!("{name}=1"), format!("{name}={}", mark.replace(&mark[..1], if mark.starts_with('0') { "1" } else { "0" }))] {
            assert_eq!(post(&app, "/portal/sign-in", &ask, "192.0.4.1", &forged).await, 429, "{forged}");
        }
    }

    async fn a_browser_that_joined_by_an_invite_counts_as_one_that_signed_in(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        let email = Email::parse("tomas@oak.example.com").unwrap();
        let draft = InviteDraft { account: Some(app.account), role: Role::Member, sees: shingle_domain::WidgetScope::All, email: Some(email), by: None, lifetime: Duration::from_secs(3_600) };
        let (_, token) = app.store.people().invite(&draft).await.unwrap();
        let request = app.request(Method::POST, "/portal/invite").header("sec-fetch-site", "same-origin");
        let request = request.header("x-forwarded-for", "192.0.2.5").header("x-forwarded-proto", "https");
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let joined = fetch(request.body(format!("token={token}&name=Tomas&email=tomas@oak.example.com"))).await;
        assert_eq!(joined.status(), 200);
        let cookies = joined.headers().get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()?.split(';').next());
        let known = cookies.map(str::to_owned).find(|cookie| cookie.contains("known")).unwrap();
        let ask = "email=tomas@oak.example.com";
        for network in 0..45 {
            post(&app, "/portal/sign-in", ask, &format!("203.0.{network}.1"), "").await;
        }
        assert_eq!(post(&app, "/portal/sign-in", ask, "192.0.3.1", "").await, 429);
        assert_eq!(post(&app, "/portal/sign-in", ask, "192.0.3.1", &known).await, 303);
    }
}
