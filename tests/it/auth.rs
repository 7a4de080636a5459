//! When the key is checked, and how often it may be used. Which key may do what: `access.rs`.

use reqwest::Method;
use serde_json::Value;
use shingle_store::KeyTerms;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, error, form, send};

const LEAD: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";

fn unauthorized() -> (u16, Value) {
    error(401, "Unauthorized", "API key is invalid")
}

on_both_engines! {
    async fn the_key_is_checked_before_the_body_is_read(f: Fixture) {
        let app = TestApp::start(f).await;
        let sent = app.request(Method::PATCH, &format!("/api/v1/leads/{LEAD}")).body("{");
        assert_eq!(send(sent).await, unauthorized());
        let sent = app.request(Method::POST, "/api/v1/roof-estimate-widget").multipart(form::widget().build());
        assert_eq!(send(sent).await, unauthorized());
        let large = form::widget().without("headerLogo").file("headerLogo", vec![0; 4 * 1024 * 1024]);
        let sent = app.request(Method::POST, "/api/v1/roof-estimate-widget").multipart(large.build());
        assert_eq!(send(sent).await, unauthorized(), "told, not cut off");
        assert!(app.stored_files().is_empty());
    }

    async fn the_networks_of_a_key_are_those_of_the_client_behind_the_trusted_proxy(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        let networks = ["203.0.113.0/24", "2001:db8::/32"].map(|text| text.parse().unwrap()).to_vec();
        let key = app.key_on(&KeyTerms { networks, ..KeyTerms::default() }).await;
        let from = async |forwarded: &str| {
            let request = app.get("/api/v1/leads").header("token", &key.token).header("x-forwarded-proto", "https");
            send(if forwarded.is_empty() { request } else { request.header("x-forwarded-for", forwarded) }).await
        };
        for inside in ["203.0.113.9", "2001:db8::9", "::ffff:203.0.113.9", "198.51.100.1, 203.0.113.9"] {
            assert_eq!(from(inside).await.0, 200, "{inside}");
        }
        for outside in ["", "198.51.100.1", "203.0.113.9, 198.51.100.1", "2001:db9::9", "here"] {
            assert_eq!(from(outside).await, unauthorized(), "{outside}");
        }
    }

    async fn an_untrusted_proxy_cannot_say_where_a_key_is_used_from(f: Fixture) {
        let app = TestApp::start(f).await;
        let on = async |network: &str| {
            let networks = vec![network.parse().unwrap()];
            let key = app.key_on(&KeyTerms { networks, ..KeyTerms::default() }).await;
            send(app.get("/api/v1/leads").header("token", &key.token).header("x-forwarded-for", "203.0.113.9")).await
        };
        assert_eq!(on("203.0.113.0/24").await, unauthorized());
        assert_eq!(on("127.0.0.1").await.0, 200);
    }

    async fn a_rate_limited_key_is_told_when_to_retry(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.requests_per_key = 3).await;
        for _ in 0..3 {
            assert_eq!(send(app.api(Method::GET, "/api/v1/leads")).await.0, 200);
        }
        let response = app.api(Method::GET, "/api/v1/leads").send().await.unwrap();
        assert_eq!((response.status().as_u16(), response.headers()["retry-after"].to_str().unwrap()), (429, "20"));
        let body: Value = response.json().await.unwrap();
        assert_eq!((&body["error"], &body["statusCode"]), (&"Too Many Requests".into(), &429.into()));
        let other = app.get("/api/v1/leads").header("token", &app.production.token);
        assert_eq!(send(other).await.0, 200, "another key has its own measure");
        app.clock.advance(std::time::Duration::from_secs(20));
        assert_eq!(send(app.api(Method::GET, "/api/v1/leads")).await.0, 200);
    }
}
