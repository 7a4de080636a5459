//! Every route of the API against every kind of credential.

use reqwest::Method;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::form::Form;
use crate::support::{TestApp, WIDGET, error, form, not_found, send};

const LEAD: &str = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";

/// Every route that takes a key. `{}` is an id.
const ROUTES: [(Method, &str); 17] = [
    (Method::GET, "/api/v1/address-info"),
    (Method::GET, "/api/v1/address-info-v2"),
    (Method::GET, "/api/v1/buyer-insights"),
    (Method::GET, "/api/v1/solar-index"),
    (Method::GET, "/api/v1/utility-bill"),
    (Method::GET, "/api/v1/roof-estimate"),
    (Method::POST, "/api/v1/roof-estimate-widget"),
    (Method::PUT, "/api/v1/roof-estimate-widget/{widget}"),
    (Method::GET, "/api/v1/roof-estimate-widget/{widget}"),
    (Method::PATCH, "/api/v1/roof-estimate-widget/{widget}/upload-logos"),
    (Method::GET, "/api/v1/roof-estimate-widget/{widget}/settings"),
    (Method::PUT, "/api/v1/roof-estimate-widget/{widget}/settings"),
    (Method::GET, "/api/v1/leads"),
    (Method::GET, "/api/v1/leads.csv"),
    (Method::GET, "/api/v1/leads/{lead}"),
    (Method::PATCH, "/api/v1/leads/{lead}"),
    (Method::DELETE, "/api/v1/leads/{lead}"),
];

fn path(route: &str, lead: &str) -> String {
    route.replace("{widget}", WIDGET).replace("{lead}", lead)
}

fn unauthorized() -> (u16, Value) {
    error(401, "Unauthorized", "API key is invalid")
}

on_both_engines! {
    async fn every_route_needs_a_valid_key(f: Fixture) {
        let app = TestApp::start(f).await;
        let revoked = app.second_account().await;
        app.store.revoke_key(&revoked.id).await.unwrap();
        let live = app.sandbox.token.clone();
        let mut last_changed = live.clone();
        last_changed.pop();
        last_changed.push(if live.ends_with('x') { 'y' } else { 'x' });
        for (method, route) in ROUTES {
            let path = path(route, LEAD);
            let request = || app.request(method.clone(), &path);
            assert_eq!(send(request()).await, unauthorized(), "{method} {route}, no key");
            for bad in ["", "sandbox_", "x", "undefined", last_changed.as_str(), revoked.token.as_str()] {
                let asked = send(request().header("token", bad)).await;
                assert_eq!(asked, unauthorized(), "{method} {route}, {bad}");
            }
            let twice = request().header("token", &live).header("token", &live);
            assert_eq!(send(twice).await, unauthorized(), "{method} {route}, two keys");
        }
    }

    async fn records_of_other_tenants_are_a_404(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let (_, lead) = app.send_lead(&app.submission().await).await;
        let lead = lead["id"].as_str().unwrap();
        let second = app.second_account().await;
        // Another account, and the other environment of the same account.
        for key in [&second, &app.production] {
            for (method, route) in ROUTES.into_iter().filter(|(_, route)| route.contains('{')) {
                let path = path(route, lead);
                let mut request = app.request(method.clone(), &path).header("token", &key.token);
                if route.contains("upload-logos") {
                    request = request.multipart(Form::empty().file("headerLogo", form::widget().files[0].1.clone()).build());
                }
                if route.ends_with("/settings") {
                    request = request.body("{}");
                }
                assert_eq!(send(request).await, not_found(method.as_str(), &path), "{method} {route}");
            }
            let list = app.get("/api/v1/leads").header("token", &key.token);
            assert_eq!(send(list).await.1["data"], serde_json::json!([]));
            let table = app.get("/api/v1/leads.csv").header("token", &key.token).send().await.unwrap();
            assert_eq!(table.text().await.unwrap().lines().count(), 1, "headings alone");
        }
        let own = send(app.api(Method::GET, &format!("/api/v1/leads/{lead}"))).await;
        assert_eq!((own.0, &own.1["firstName"]), (200, &"Ann".into()), "nothing was changed or erased");
    }

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
