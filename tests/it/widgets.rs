//! The widget routes of the API: create, read, change, deactivate.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::event::EventKind;
use shingle_domain::{Environment, Tenant, WidgetId};
use shingle_store_fixture::on_both_engines;

use crate::support::form::{self, Form};
use crate::support::{SITE, TestApp, WIDGET, bad_request, consent, fetch, header, images, not_found, send};

const ROOT: &str = "/api/v1/roof-estimate-widget";

fn own() -> String {
    format!("{ROOT}/{WIDGET}")
}

async fn update(app: &TestApp, form: Form) -> (u16, Value) {
    send(app.api(Method::PUT, &own()).multipart(form.build())).await
}

on_both_engines! {
    async fn a_new_widget_is_returned_with_its_defaults_script_and_links(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let base = &app.base;
        for (name, value) in [
            ("referenceId", json!(WIDGET)),
            ("elementType", json!("button")),
            ("elementSize", json!("medium")),
            ("elementLocation", json!("bottom_right")),
            ("buttonText", json!("Get my roof estimate")),
            ("buttonBackgroundColor", json!("#0b3d91")),
            ("buttonTextColor", json!("#ffffff")),
            ("companyUrl", json!("https://oak.example.com/")),
            ("installedPrice", json!(650)),
            ("footerLogoUrl", Value::Null),
            ("widgetScript", json!(format!("<script async src=\"{base}/w/{WIDGET}.js\"></script>"))),
            ("widgetLink", json!(format!("{base}/go/{WIDGET}"))),
            ("hostedPageLink", json!(format!("{base}/w/{WIDGET}"))),
        ] {
            assert_eq!(record[name], value, "{name}");
        }
        for name in ["headerLogoUrl", "widgetQrCode", "hostedQrCode"] {
            assert!(record[name].as_str().unwrap().starts_with(&format!("{base}/storage/")), "{name}");
        }
        assert_eq!(send(app.api(Method::GET, &own())).await, (200, record));
    }

    async fn an_update_changes_only_the_fields_that_it_names(f: Fixture) {
        let app = TestApp::start(f).await;
        let before = app.widget().await;
        let form = Form::empty().set("companyName", "Oak & Sons").set("installedPrice", "712.5");
        let (status, after) = update(&app, form).await;
        assert_eq!((status, &after["companyName"], &after["installedPrice"]), (200, &"Oak & Sons".into(), &json!(712.5)));
        let mut expected = before;
        expected["companyName"] = "Oak & Sons".into();
        expected["installedPrice"] = json!(712.5);
        assert_eq!(after, expected);
        assert_eq!(send(app.api(Method::GET, &own())).await, (200, after));
        let empty = app.api(Method::PUT, &own());
        assert_eq!(send(empty).await, (200, expected), "an update of nothing is one");
    }

    async fn every_change_is_an_event_with_the_record(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        update(&app, Form::empty().set("status", "inactive")).await;
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let id: WidgetId = WIDGET.parse().unwrap();
        let events = app.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        assert_eq!(events.iter().map(|e| e.kind).collect::<Vec<_>>(), [EventKind::WidgetCreated, EventKind::WidgetUpdated]);
        let last: Value = serde_json::from_str(events[1].payload.as_deref().unwrap()).unwrap();
        assert_eq!((&last["data"]["status"], &last["data"]["referenceId"]), (&"inactive".into(), &WIDGET.into()));
    }

    async fn a_field_that_the_document_does_not_name_is_dropped_and_named_in_a_header(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let ignored = |response: &reqwest::Response| header(response, "shingle-ignored-fields").to_owned();
        let put = async |form: Form| fetch(app.api(Method::PUT, &own()).multipart(form.build())).await;
        for (form, names) in [
            (Form::empty().set("status", "active").set("favouriteAnimal", "cat"), "favouriteAnimal"),
            (Form::empty().set("footerPrivacyPolicyLink", "https://oak.example.com/p"), "footerPrivacyPolicyLink"),
            (Form::empty().file("headerLogos", vec![1, 2, 3]), "headerLogos"),
            (Form::empty().set("a", "1").set("status", "active").set("b", "2"), "a, b"),
            (Form::empty().set("status", "active"), ""),
        ] {
            let response = put(form).await;
            assert_eq!((response.status().as_u16(), ignored(&response)), (200, names.to_owned()));
        }
        let refused = put(Form::empty().set("status", "on").set("colour", "red")).await;
        assert_eq!((refused.status().as_u16(), ignored(&refused)), (400, "colour".to_owned()));
        let made = form::widget().set("referenceId", "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12").set("shape", "round").build();
        let made = fetch(app.api(Method::POST, ROOT).multipart(made)).await;
        assert_eq!((made.status().as_u16(), ignored(&made)), (201, "shape".to_owned()));
        let json = r#"{"companyName":"Elm Roofing","nickname":"Elm","__proto__":{"a":1}}"#;
        let json = fetch(app.api(Method::PUT, &own()).header("content-type", "application/json").body(json)).await;
        assert_eq!((json.status().as_u16(), ignored(&json)), (200, "nickname, __proto__".to_owned()));
        let hook = r#"{"name":"CRM","url":"https://hooks.example.com/","events":["lead.created"],"retries":3}"#;
        let hook = fetch(app.api(Method::POST, "/api/v1/webhooks").body(hook)).await;
        assert_eq!(ignored(&hook), "retries");
        let hook = fetch(app.api(Method::POST, "/api/v1/webhooks").body(r#"{"nome":"CRM"}"#)).await;
        assert_eq!((hook.status().as_u16(), ignored(&hook)), (400, "nome".to_owned()));
    }

    async fn an_account_that_uses_another_accounts_id_gets_its_own_links(f: Fixture) {
        let app = TestApp::start(f).await;
        let first = app.widget().await;
        let others = [app.production.clone(), app.second_account().await];
        let mut links = vec![first["hostedPageLink"].as_str().unwrap().to_owned()];
        let mut estimates = 0;
        for (number, key) in others.iter().enumerate() {
            let with_key = |request: reqwest::RequestBuilder| request.header("token", &key.token);
            let post = || {
                let form = form::widget().set("companyName", "Elm Roofing").build();
                send(with_key(app.request(Method::POST, ROOT)).multipart(form))
            };
            let (status, made) = post().await;
            assert_eq!((status, &made["referenceId"]), (201, &json!(WIDGET)), "{made}");
            assert_eq!(post().await, bad_request("referenceId already exists"));
            assert_eq!(send(with_key(app.get(&own()))).await, (200, made.clone()));
            let link = made["hostedPageLink"].as_str().unwrap().to_owned();
            assert!(!links.contains(&link), "{link}");
            let at = link.strip_prefix(&app.base).unwrap().to_owned();
            for name in ["widgetScript", "widgetLink", "widgetQrCode", "hostedQrCode"] {
                assert!(made[name].as_str().unwrap().contains(at.trim_start_matches("/w/")), "{name}: {made}");
            }
            let code = made["hostedQrCode"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
            assert_eq!(fetch(app.get(&code)).await.status(), 200);
            let page = fetch(app.get(&at)).await.text().await.unwrap();
            assert!(page.contains("Elm Roofing") && !page.contains(WIDGET), "{page}");

            // A lead at its link, which its owner finds by the id that he knows.
            let from_page = |path: &str| app.request(Method::POST, &format!("{at}{path}")).header("origin", SITE);
            let session = send(from_page("/session")).await.1["token"].clone();
            let mut lead = app.submission().await;
            lead["email"] = json!(format!("person{number}@example.com"));
            lead["consent"]["text"] = consent("Elm Roofing").into();
            assert_eq!(send(from_page("/leads").body(lead.to_string())).await.0, 401, "a session of the other widget");
            lead["token"] = session;
            let (status, receipt) = send(from_page("/leads").body(lead.to_string())).await;
            assert_eq!(status, 201, "{receipt}");
            let shown = |of: &str, body: Value| send(app.request(Method::POST, &format!("{of}/leads/{}/estimate", receipt["id"].as_str().unwrap())).header("origin", SITE).body(body.to_string()));
            let token = json!({ "leadToken": receipt["leadToken"] });
            assert_eq!(shown(&at, token.clone()).await.0, 200);
            assert_eq!(shown(&format!("/w/{WIDGET}"), token).await.0, 401, "of the other widget");
            // In production nothing is imported here, so there is no estimate to lead to.
            let estimate = receipt["link"].as_str().unwrap().strip_prefix(&app.base);
            assert_eq!(estimate.is_none(), receipt["estimate"].is_null(), "{receipt}");
            if let Some(estimate) = estimate {
                assert!(estimate.starts_with(&at), "{estimate}");
                assert_eq!(fetch(app.get(estimate)).await.status(), 200);
                estimates += 1;
            }
            let query = [("widgetId", WIDGET)];
            let (_, listed) = send(with_key(app.get("/api/v1/leads")).query(&query)).await;
            assert_eq!(listed["data"].as_array().map(Vec::len), Some(1), "{listed}");
            assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["widgetId"]), (&receipt["id"], &json!(WIDGET)));
            links.push(link);
        }
        assert_eq!(estimates, 1);
        assert_eq!(send(app.api(Method::GET, &own())).await, (200, first), "the first is as it was");
        let (_, listed) = send(app.api(Method::GET, "/api/v1/leads")).await;
        assert_eq!(listed["data"], json!([]));
    }

    async fn of_concurrent_requests_only_one_creates_the_widget(f: Fixture) {
        let app = std::sync::Arc::new(TestApp::start(f).await);
        let mut all = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let app = app.clone();
            all.spawn(async move { send(app.api(Method::POST, ROOT).multipart(form::widget().build())).await.0 });
        }
        let mut statuses = all.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 400, 400, 400, 400, 400, 400, 400]);
    }

    async fn a_location_must_fit_the_element(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let (status, body) = update(&app, Form::empty().set("elementType", "banner").set("elementLocation", "side_left")).await;
        assert_eq!(status, 400);
        let rule = "elementLocation must be one of the following values when elementType is banner: top, bottom";
        assert_eq!(body["message"], json!([rule]));
        let (_, banner) = update(&app, Form::empty().set("elementType", "banner")).await;
        assert_eq!(banner["elementLocation"], "bottom");
        let (_, custom) = update(&app, Form::empty().set("elementType", "custom")).await;
        assert_eq!(custom["elementLocation"], Value::Null);
    }

    async fn logos_are_changed_and_the_footer_logo_is_removed(f: Fixture) {
        let app = TestApp::start(f).await;
        let first = app.widget().await;
        let upload = Form::empty().file("footerLogo", images::png(24, 24)).file("headerLogo", images::png(200, 90));
        let sent = app.api(Method::PATCH, &format!("{}/upload-logos", own())).multipart(upload.build());
        let (status, both) = send(sent).await;
        assert_eq!(status, 200);
        assert!(both["footerLogoUrl"].is_string() && both["headerLogoUrl"] != first["headerLogoUrl"]);
        let logo = both["footerLogoUrl"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
        assert_eq!(app.get(&logo).send().await.unwrap().headers()["content-type"], "image/png");
        let (_, without) = update(&app, Form::empty().set("removeFooterLogo", "true")).await;
        assert_eq!((&without["footerLogoUrl"], &without["headerLogoUrl"]), (&Value::Null, &both["headerLogoUrl"]));
        let nothing = app.api(Method::PATCH, &format!("{}/upload-logos", own())).multipart(Form::empty().set("x", "y").build());
        assert_eq!(send(nothing).await, bad_request("headerLogo or footerLogo should not be empty"));
    }

    async fn an_unknown_id_is_a_404_with_the_original_path(f: Fixture) {
        let app = TestApp::start(f).await;
        for id in [WIDGET, "7", "' OR 1=1", "..%2f..%2fsecret"] {
            let path = format!("{ROOT}/{id}").replace(' ', "%20");
            assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
            let sent = app.api(Method::PUT, &path).multipart(Form::empty().set("status", "active").build());
            assert_eq!(send(sent).await, not_found("PUT", &path));
        }
    }

    async fn a_widget_sent_twice_under_one_key_is_made_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let post = |form: Form, key: &'static str| {
            send(app.api(Method::POST, "/api/v1/roof-estimate-widget").header("idempotency-key", key).multipart(form.build()))
        };
        let first = post(form::widget(), "one").await;
        assert_eq!(first.0, 201, "{}", first.1);
        assert_eq!(post(form::widget(), "one").await, first, "another boundary, the same widget");
        assert_eq!(post(form::widget().set("buttonText", "Other"), "one").await, bad_request("The Idempotency-Key was used for a different request"));
        assert_eq!(post(form::widget(), "two").await, bad_request("referenceId already exists"));
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let events = app.store.deliveries().list_events(&tenant, WIDGET.parse().unwrap()).await.unwrap();
        assert_eq!(events.len(), 1);
    }
}
