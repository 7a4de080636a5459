//! Which pages may use a widget, and what they get.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, LeadId, Tenant};
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, SITE, TestApp, WIDGET, bad_request, error, fetch, form, header, send};

fn ended() -> (u16, Value) {
    error(401, "Unauthorized", "The session has ended. Please start a new one.")
}

async fn roof(app: &TestApp, body: &Value) -> (u16, Value) {
    send(app.page(Method::POST, "/roof").body(body.to_string())).await
}

on_both_engines! {
    async fn a_sandbox_widget_works_on_ones_own_machine_and_in_files_and_a_production_widget_does_not(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let session = |id: &str, origin: &str| {
            app.request(Method::POST, &format!("/w/{id}/session")).header("origin", origin.to_owned())
        };
        let local = ["http://localhost:3000", "http://127.0.0.1:5500", "null"];
        for origin in local {
            let response = fetch(session(WIDGET, origin)).await;
            assert_eq!((response.status().as_u16(), header(&response, "access-control-allow-origin")), (200, origin));
        }
        let token = send(session(WIDGET, "null")).await.1["token"].as_str().unwrap().to_owned();
        let searched = json!({ "token": token, "text": "14 Alder" }).to_string();
        let suggest = app.request(Method::POST, &format!("/w/{WIDGET}/suggest")).header("origin", "null");
        assert_eq!(send(suggest.body(searched)).await.0, 200);
        assert_eq!(fetch(session(WIDGET, "https://evil.example")).await.status(), 403);

        let id = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12";
        let form = form::widget().set("referenceId", id).build();
        let create = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
        assert_eq!(send(create.multipart(form)).await.0, 201);
        for origin in local {
            assert_eq!(fetch(session(id, origin)).await.status(), 403, "{origin}");
        }
        let loader = |id: &str| fetch(app.get(&format!("/w/{id}.js")));
        let (sandbox, production) = (loader(WIDGET).await.text().await.unwrap(), loader(id).await.text().await.unwrap());
        if sandbox.contains("without its browser runtime") {
            return shingle_testing::skip("the browser runtime is not built");
        }
        assert!(sandbox.contains(r#""localhost","127.0.0.1",""]"#), "{sandbox}");
        assert!(!production.contains("localhost"));
    }

    async fn a_listed_page_is_allowed_by_name(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget_with(form::widget().set("domains", "oak.example.com, *.oak.example.com, localhost")).await;
        for origin in [SITE, "http://oak.example.com:8080", "https://shop.oak.example.com", "http://localhost:3000"] {
            let request = app.request(Method::POST, &format!("/w/{WIDGET}/session")).header("origin", origin);
            let response = fetch(request).await;
            assert_eq!(response.status(), 200, "{origin}");
            assert_eq!(header(&response, "access-control-allow-origin"), origin);
            assert_eq!(header(&response, "vary"), "origin");
            assert_eq!(header(&response, "access-control-allow-credentials"), "");
            let body: Value = response.json().await.unwrap();
            assert!(body["token"].as_str().unwrap().len() > 40 && body["expiresIn"] == 900);
        }
    }

    async fn a_page_of_another_site_is_refused_and_cannot_read_the_response(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let path = format!("/w/{WIDGET}/session");
        for origin in ["https://evil.example.com", "https://oak.example.com.evil.net", "https://notoak.example.com", "file://"] {
            for method in [Method::POST, Method::OPTIONS] {
                let response = fetch(app.request(method, &path).header("origin", origin)).await;
                assert_eq!(response.status(), 403, "{origin}");
                assert_eq!(header(&response, "access-control-allow-origin"), "");
            }
        }
        let message = |response: Value| response["message"].as_str().unwrap_or_default().to_owned();
        let (status, refused) = send(app.request(Method::POST, &path)).await;
        assert_eq!((status, message(refused).contains("names no site")), (403, true), "from nowhere");
        let (_, refused) = send(app.request(Method::POST, &path).header("origin", "https://evil.example.com")).await;
        assert!(message(refused).contains("domain is not on the list"));
        let own = app.request(Method::POST, &path).header("origin", &app.base);
        assert_eq!(fetch(own).await.status(), 200, "the hosted page");
    }

    async fn a_preflight_is_answered_and_remembered(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let request = app.page(Method::OPTIONS, "/leads").header("access-control-request-method", "POST");
        let response = fetch(request.header("access-control-request-headers", "content-type,idempotency-key")).await;
        assert_eq!(response.status(), 204);
        assert_eq!(header(&response, "access-control-allow-origin"), SITE);
        assert!(header(&response, "access-control-allow-headers").contains("idempotency-key"));
        assert_eq!(header(&response, "access-control-max-age"), "7200");
        let api = fetch(app.request(Method::OPTIONS, "/api/v1/leads").header("origin", SITE)).await;
        assert_eq!((api.status().as_u16(), header(&api, "access-control-allow-origin")), (404, ""), "the API is for servers");
    }

    async fn nothing_is_sent_without_a_valid_session(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let token = app.session().await;
        for bad in ["", "x", &token[1..], &"0".repeat(token.len())] {
            assert_eq!(roof(&app, &json!({ "token": bad, "address": { "line": HOME } })).await, ended(), "{bad}");
            let suggest = app.page(Method::POST, "/suggest").body(json!({ "token": bad, "text": "14" }).to_string());
            assert_eq!(send(suggest).await, ended());
        }
        let asked = json!({ "token": token, "address": { "line": HOME } });
        app.clock.advance(Duration::from_secs(900));
        assert_eq!(roof(&app, &asked).await.0, 200, "to the last second");
        app.clock.advance(Duration::from_secs(1));
        assert_eq!(roof(&app, &asked).await, ended());
    }

    async fn a_session_is_valid_for_one_page_and_one_network(f: Fixture) {
        let app = TestApp::start_with(f, |s| s.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()]).await;
        app.widget().await;
        let from = |ip: &'static str| {
            let app = &app;
            move |path: &str, origin: &str| {
                app.request(Method::POST, &format!("/w/{WIDGET}{path}"))
                    .header("x-forwarded-for", ip)
                    .header("x-forwarded-proto", "https")
                    .header("origin", origin)
            }
        };
        let (_, session) = send(from("203.0.113.9")("/session", SITE)).await;
        let body = json!({ "token": session["token"], "text": "14 Ald" }).to_string();
        let near = from("203.0.113.77")("/suggest", SITE).body(body.clone());
        assert_eq!(send(near).await.0, 200);
        let far = from("198.51.100.1")("/suggest", SITE).body(body.clone());
        assert_eq!(send(far).await, ended());
        let elsewhere = from("203.0.113.9")("/suggest", "https://www.oak.example.com").body(body);
        assert_eq!(send(elsewhere).await, ended());
    }

    async fn addresses_are_suggested_while_they_are_typed(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let token = app.session().await;
        let suggest = |text: &str| send(app.page(Method::POST, "/suggest").body(json!({ "token": token, "text": text }).to_string()));
        let (status, body) = suggest("14 alder").await;
        assert_eq!((status, &body["suggestions"][0]["street"]), (200, &HOME.into()));
        assert!(suggest("1").await.1["suggestions"].as_array().unwrap().len() <= 5);
        assert_eq!(suggest("zzzzqqqq").await.1, json!({ "suggestions": [] }));
        for bad in ["a\u{0}b", "\u{202e}x", &"x".repeat(201)] {
            assert_eq!(suggest(bad).await.0, 400, "{bad:?}");
        }
    }

    async fn a_roof_is_found_by_key_line_or_parts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let token = app.session().await;
        let ask = |address: Value| {
            let body = json!({ "token": token, "address": address });
            let app = &app;
            async move { roof(app, &body).await.1 }
        };
        let by_line = ask(json!({ "line": HOME })).await;
        assert_eq!((&by_line["kind"], &by_line["heading"]), (&"roof".into(), &"Is this your roof?".into()));
        assert!(by_line["pane"].as_str().unwrap().contains("Invented sample data"), "{by_line}");
        assert!(by_line["buildings"][0]["area"].as_u64().unwrap() > 100);
        assert_eq!(ask(json!({ "key": by_line["key"] })).await, by_line);
        let parts = json!({ "streetNumber": "14", "streetAddress": "Alder Court", "city": "Harrow Falls", "state": "ME", "zip": "04995" });
        assert_eq!(ask(json!({ "parts": parts })).await["key"], by_line["key"]);
        let unknown = ask(json!({ "line": "1 Nowhere Lane" })).await;
        assert_eq!((&unknown["kind"], &unknown["typed"]), (&"notFound".into(), &"1 Nowhere Lane".into()));
        assert_eq!(ask(json!({ "key": "../../etc" })).await["kind"], "notFound");
        assert!(!by_line.to_string().contains("wner"), "no word of who lives there");
    }

    async fn another_home_is_measured_by_its_key_and_no_lead_keeps_one(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let token = app.session().await;
        let (status, found) = roof(&app, &json!({ "token": token, "address": { "line": HOME } })).await;
        assert_eq!(status, 200);
        let homes = found["homes"].as_array().unwrap().clone();
        assert_eq!(homes.len(), 6);
        assert_eq!((&homes[0]["key"], &homes[0]["street"]), (&found["key"], &found["street"]));
        for home in &homes {
            let (status, other) = roof(&app, &json!({ "token": token, "address": { "key": home["key"] } })).await;
            assert_eq!((status, &other["street"], &other["city"]), (200, &home["street"], &home["city"]));
        }
        let mut lead = app.submission().await;
        lead["address"] = json!({ "key": found["key"] });
        let (status, receipt) = app.send_lead(&lead).await;
        assert_eq!(status, 201);
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let id: LeadId = receipt["id"].as_str().unwrap().parse().unwrap();
        let stored = app.store.leads().shown(&tenant, id).await.unwrap().unwrap();
        let around = stored.roof.as_ref().and_then(|roof| roof.around.as_ref()).unwrap();
        assert!(!around.neighbors.is_empty() && around.neighbors.iter().all(|neighbor| neighbor.home.is_none()));
        let stored = serde_json::to_string(&stored).unwrap();
        for home in &homes[1..] {
            assert!(!stored.contains(home["key"].as_str().unwrap()));
        }
    }

    async fn a_roof_that_is_not_theirs_is_no_part_of_the_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut lead = app.submission().await;
        lead["buildings"] = "none".into();
        let (status, receipt) = app.send_lead(&lead).await;
        assert_eq!((status, receipt["estimate"].is_null()), (201, true), "{receipt}");
        let (_, listed) = send(app.api(Method::GET, "/api/v1/leads")).await;
        let stored = &listed["data"][0];
        assert_eq!(stored["address"], "14 Alder Court, Harrow Falls, ME 04995");
        assert!(stored["estimate"].is_null() && stored["roofMaterial"].is_null(), "{stored}");
        lead["buildings"] = "no".into();
        lead["email"] = "bea@example.com".into();
        assert_eq!(app.send_lead(&lead).await.0, 400, "any other word is a mistake");
    }

    async fn too_large_and_non_json_bodies_are_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for path in ["/suggest", "/roof", "/leads"] {
            let large = app.page(Method::POST, path).body("x".repeat(17 * 1024));
            assert_eq!(send(large).await, bad_request("Request body is too large"), "{path}");
            let broken = app.page(Method::POST, path).body("{\"token\":");
            assert_eq!(send(broken).await, bad_request("Request body is not valid JSON"));
            let other = app.page(Method::POST, path).body("{\"token\": 7}");
            assert_eq!(send(other).await, bad_request("token is missing a value or malformed"));
            let none = app.page(Method::POST, path).body("{}");
            assert_eq!(send(none).await, bad_request("The request has missing or malformed fields"));
            if path != "/suggest" {
                let empty = app.page(Method::POST, path).body("{\"token\":\"x\",\"address\":{}}");
                assert_eq!(send(empty).await, bad_request("address is missing a value or malformed"), "{path}");
            }
            let deep = app.page(Method::POST, path).body("[".repeat(10_000));
            assert_eq!(send(deep).await.0, 400);
        }
    }

    async fn only_the_configured_address_makes_a_page_our_own(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.base_url = Some("https://roofs.example.com".into())).await;
        app.widget().await;
        let from = |host: &str, origin: &str| {
            fetch(app.request(Method::POST, &format!("/w/{WIDGET}/session")).header("host", host).header("origin", origin))
        };
        assert_eq!(from("roofs.example.com", "https://roofs.example.com").await.status(), 200);
        assert_eq!(from("evil.example", "https://evil.example").await.status(), 403);
        assert_eq!(from("evil.example", "http://evil.example").await.status(), 403);
    }

    async fn a_visitor_is_rate_limited_and_others_are_not(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
            settings.limits.sessions_per_visitor = 2;
        })
        .await;
        app.widget().await;
        let from = |ip: &str| fetch(app.page(Method::POST, "/session").header("x-forwarded-for", ip).header("x-forwarded-proto", "https"));
        for _ in 0..2 {
            assert_eq!(from("203.0.113.9").await.status(), 200);
        }
        let refused = from("203.0.113.10").await;
        assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (429, "30"));
        assert_eq!(header(&refused, "access-control-allow-origin"), SITE, "the page can read why");
        assert_eq!(from("198.51.100.1").await.status(), 200);
        app.clock.advance(Duration::from_secs(30));
        assert_eq!(from("203.0.113.9").await.status(), 200);
    }

    async fn a_clock_that_is_set_back_an_hour_refuses_nobody_for_that_hour(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.sessions_per_visitor = 2).await;
        app.widget().await;
        let asks = || async { fetch(app.page(Method::POST, "/session")).await.status().as_u16() };
        assert_eq!((asks().await, asks().await, asks().await), (200, 200, 429));
        app.clock.set("2026-03-10T11:00:00Z");
        app.clock.advance(Duration::from_secs(30));
        assert_eq!((asks().await, asks().await), (200, 429));
    }

    async fn a_script_gets_little_of_the_index_out_in_an_hour_and_less_in_the_next(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.roofs_per_visitor_a_day = 240).await;
        app.widget().await;
        let mut got = [0; 2];
        for hour in &mut got {
            for _ in 0..60 {
                // As fast as the limit of a minute lets it.
                let body = json!({ "token": app.session().await, "address": { "line": HOME } });
                while roof(&app, &body).await.0 == 200 {
                    *hour += 1;
                }
                app.clock.advance(Duration::from_secs(60));
            }
        }
        assert_eq!(got, [69, 10], "3,600 in each without a limit of the day");
    }

    async fn a_whole_widget_is_rate_limited_too(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.roofs_per_widget = 1).await;
        app.widget().await;
        let body = json!({ "token": app.session().await, "address": { "line": HOME } });
        assert_eq!((roof(&app, &body).await.0, roof(&app, &body).await.0), (200, 429));
    }
}
