//! Every operation of the API with every kind of key. The operations are those of the description, which is made of the
//! routes: none can be missing here.

use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use shingle_domain::WidgetScope;
use shingle_domain::lookup::Product;
use shingle_store::KeyTerms;
use shingle_store_fixture::on_both_engines;

use crate::description::committed;
use crate::support::form::{self, Form};
use crate::support::{HOME, Key, SITE, TestApp, bad_request, consent, error, fetch, images, not_found, send};

/// One operation: its method, its path, and a request body that is right.
struct Operation {
    method: Method,
    path: String,
    body: Value,
    is_form: bool,
}

fn operations() -> Vec<Operation> {
    let description = committed();
    let mut all = Vec::new();
    for (path, of) in description["paths"].as_object().unwrap() {
        for (method, operation) in of.as_object().unwrap() {
            let content = &operation["requestBody"]["content"];
            all.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                body: content["application/json"]["example"].clone(),
                is_form: content["multipart/form-data"].is_object(),
            });
        }
    }
    all
}

impl Operation {
    /// Whether its path names a record of an account. The connectors there are belong to nobody.
    fn names_a_record(&self) -> bool {
        self.path.contains('{') && !self.path.starts_with("/api/v1/connectors/")
    }

    fn request(&self, app: &TestApp, path: &str) -> RequestBuilder {
        let request = app.request(self.method.clone(), path);
        if self.is_form {
            // Every form is right with this: a widget that is there is changed, and one that is not has its logo.
            return request.multipart(Form::empty().file("headerLogo", images::png(300, 150)).build());
        }
        if self.body.is_null() { request } else { request.body(self.body.to_string()) }
    }
}

/// What one key has made: a record of every kind that a path can name.
struct Records {
    widget: String,
    lead: String,
    webhook: String,
    delivery: String,
    destination: String,
}

impl Records {
    async fn make(app: &TestApp, key: &Key, widget: &str) -> Self {
        let post = |path: &str| app.request(Method::POST, path).header("token", &key.token);
        let id = |(status, body): (u16, Value)| {
            assert!(status < 300, "{body}");
            body["id"].as_str().or(body["deliveryId"].as_str()).unwrap_or_default().to_owned()
        };
        let form = form::widget().set("referenceId", widget).build();
        id(send(post("/api/v1/roof-estimate-widget").multipart(form)).await);
        let page = |path: &str| app.request(Method::POST, &format!("/w/{widget}{path}")).header("origin", SITE);
        let session = send(page("/session")).await.1["token"].clone();
        let lead = json!({
            "token": session,
            "address": { "line": "14 Alder Court" },
            "firstName": "Ann",
            "lastName": "Sample",
            "email": "ann@example.com",
            "consent": { "given": true, "text": consent("Oak Roofing") },
            "elapsedMs": 20_000,
        });
        let lead = id(send(page("/leads").body(lead.to_string())).await);
        let webhook = json!({ "name": "CRM", "url": "https://93.184.216.34/", "events": ["lead.created"] });
        let webhook = id(send(post("/api/v1/webhooks").body(webhook.to_string())).await);
        let delivery = id(send(post(&format!("/api/v1/webhooks/{webhook}/test"))).await);
        let destination =
            json!({ "connector": "slack", "settings": { "webhook_url": "https://hooks.slack.com/services/T/B/X" } });
        let destination = id(send(post("/api/v1/destinations").body(destination.to_string())).await);
        Self { widget: widget.to_owned(), lead, webhook, delivery, destination }
    }

    fn all(&self) -> [&String; 5] {
        [&self.widget, &self.lead, &self.webhook, &self.delivery, &self.destination]
    }

    /// A path with our ids in it.
    fn path(&self, of: &Operation) -> String {
        let id = match of.path.split('/').nth(3).unwrap() {
            "roof-estimate-widget" => &self.widget,
            "leads" => &self.lead,
            "webhooks" => &self.webhook,
            "deliveries" => &self.delivery,
            "destinations" => &self.destination,
            other => panic!("{other} is a new kind of record: make one here"),
        };
        let (before, rest) = of.path.split_once('{').unwrap();
        let (_, after) = rest.split_once('}').unwrap();
        // Photographs are looked for among those of the lead, so any id will do.
        format!("{before}{id}{after}").replace("{photo}", "5b2c9a52-6f0a-4c58-9a52-2a2f6e7f0c12")
    }

    /// Everything that can be read of them.
    async fn read(&self, app: &TestApp, key: &Key) -> Vec<(String, Value)> {
        let mut all = Vec::new();
        for of in operations().into_iter().filter(|of| of.method == Method::GET && of.names_a_record()) {
            let path = self.path(&of);
            let request = app.get(&path).header("token", &key.token);
            if path.ends_with(".html") {
                let page = request.send().await.unwrap().error_for_status().unwrap();
                all.push((path, page.text().await.unwrap().into()));
                continue;
            }
            let (status, body) = send(request).await;
            assert_eq!(status, if path.contains("/photos/") { 404 } else { 200 }, "{path}: {body}");
            all.push((path, body));
        }
        all
    }
}

fn unauthorized() -> (u16, Value) {
    error(401, "Unauthorized", "API key is invalid")
}

/// Makes the limits of a key too wide for this test.
async fn start(f: shingle_store_fixture::Fixture) -> TestApp {
    TestApp::start_with(f, |settings| settings.limits.requests_per_key = 10_000).await
}

on_both_engines! {
    async fn every_operation_needs_a_valid_key_at_its_place(f: Fixture) {
        let app = start(f).await;
        let revoked = app.second_account().await;
        app.store.accounts().revoke_key(&revoked.id).await.unwrap();
        let expires_at = Some(app.store.now());
        let expired = app.key_on(&KeyTerms { expires_at, ..KeyTerms::default() }).await;
        let networks = vec!["203.0.113.0/24".parse().unwrap()];
        let elsewhere = app.key_on(&KeyTerms { networks, ..KeyTerms::default() }).await;
        let live = app.sandbox.token.clone();
        let mut last_changed = live.clone();
        last_changed.pop();
        last_changed.push(if live.ends_with('x') { 'y' } else { 'x' });
        let mut rows = 0;
        for of in operations() {
            let path = of.path.replace(['{', '}'], "");
            let at = |path: &str| of.request(&app, path);
            let mut refused = vec![
                ("no key", at(&path)),
                ("two keys", at(&path).header("token", &live).header("token", &live)),
                ("in the query", at(&format!("{path}?token={live}"))),
                ("in Authorization", at(&path).header("authorization", &live)),
                ("as a bearer", at(&path).header("authorization", format!("Bearer {live}"))),
                ("in a cookie", at(&path).header("cookie", format!("token={live}"))),
                ("under another name", at(&path).header("x-api-key", &live)),
            ];
            for bad in ["", "sandbox_", "x", "undefined", &last_changed, &revoked.token, &format!("Bearer {live}")] {
                refused.push(("a bad key", at(&path).header("token", bad)));
            }
            refused.push(("an expired key", at(&path).header("token", &expired.token)));
            refused.push(("a key of other networks", at(&path).header("token", &elsewhere.token)));
            for (what, request) in refused {
                assert_eq!(send(request).await, unauthorized(), "{} {path}, {what}", of.method);
                rows += 1;
            }
        }
        assert_eq!(rows, operations().len() * 16);
        println!("{rows} refusals of {} operations", operations().len());
    }

    async fn a_key_for_one_look_up_does_nothing_else(f: Fixture) {
        let app = start(f).await;
        let own = Records::make(&app, &app.sandbox, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11").await;
        let before = own.read(&app, &app.sandbox).await;
        let key = app.key_on(&KeyTerms { products: vec![Product::SolarIndex], ..KeyTerms::default() }).await;
        let off = bad_request("Product is not activated. Please contact your administrator.");
        let mut allowed = Vec::new();
        for of in operations() {
            let path = if of.names_a_record() { own.path(&of) } else { of.path.replace(['{', '}'], "") };
            // A look-up is judged once its parameters are right.
            let asked = send(of.request(&app, &format!("{path}?address={HOME}")).header("token", &key.token)).await;
            if asked != off {
                allowed.push((of.path, asked.0));
            }
        }
        assert_eq!(allowed, [("/api/v1/solar-index".to_owned(), 200)]);
        assert_eq!(own.read(&app, &app.sandbox).await, before, "nothing was changed or erased");
    }

    async fn a_key_for_the_leads_of_a_widget_reaches_nothing_else(f: Fixture) {
        let app = start(f).await;
        let own = Records::make(&app, &app.sandbox, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11").await;
        let other = Records::make(&app, &app.sandbox, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c22").await;
        let before = other.read(&app, &app.sandbox).await;
        let sees = WidgetScope::only([own.widget.parse().unwrap()]);
        let terms = KeyTerms { products: vec![Product::SolarIndex], sees, ..KeyTerms::default() };
        let key = app.key_on(&terms).await;
        let off = bad_request("Product is not activated. Please contact your administrator.");
        let mut allowed = Vec::new();
        // What erases comes last.
        let mut all = operations();
        all.sort_by_key(|of| of.method == Method::DELETE);
        for of in all {
            let named = |records: &Records| if of.names_a_record() { records.path(&of) } else { of.path.replace(['{', '}'], "") };
            let ask = |path: String| fetch(of.request(&app, &format!("{path}?address={HOME}")).header("token", &key.token));
            let theirs = ask(named(&other)).await;
            let status = theirs.status().as_u16();
            let text = theirs.text().await.unwrap();
            let is_off = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|body| body == off.1);
            assert!(is_off(&text) || !of.names_a_record() || status == 404, "{} {}: {text}", of.method, of.path);
            let seen = other.all().into_iter().find(|id| !of.names_a_record() && text.contains(id.as_str()));
            assert_eq!(seen, None, "{} {}: {text}", of.method, of.path);
            let mine = ask(named(&own)).await.text().await.unwrap();
            if !is_off(&mine) {
                allowed.push(format!("{} {}", of.method, of.path));
            }
        }
        allowed.sort();
        assert_eq!(
            allowed,
            [
                "DELETE /api/v1/leads/{id}",
                "DELETE /api/v1/leads/{id}/link",
                "GET /api/v1/leads",
                "GET /api/v1/leads.csv",
                "GET /api/v1/leads/{id}",
                "GET /api/v1/leads/{id}/consent",
                "GET /api/v1/leads/{id}/consent.html",
                "GET /api/v1/leads/{id}/notes",
                "GET /api/v1/leads/{id}/photos/{photo}",
                "GET /api/v1/roof-estimate-widget",
                "GET /api/v1/roof-estimate-widget/{referenceId}",
                "GET /api/v1/solar-index",
                "PATCH /api/v1/leads/{id}",
                "POST /api/v1/leads/{id}/notes",
            ]
        );
        assert_eq!(other.read(&app, &app.sandbox).await, before, "nothing was changed or erased");
        // Two keys side by side: what one sees does not stay with the server.
        let (_, list) = send(app.get("/api/v1/leads").header("token", &app.sandbox.token)).await;
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "its own lead is erased: {list}");
    }

    async fn no_operation_reaches_what_another_key_has_made(f: Fixture) {
        let app = start(f).await;
        let other = app.second_account().await;
        let sandbox = Records::make(&app, &app.sandbox, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11").await;
        let production = Records::make(&app, &app.production, "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c22").await;
        let before = (sandbox.read(&app, &app.sandbox).await, production.read(&app, &app.production).await);
        let strangers = [
            ("another account's key on sandbox data", &sandbox, &other),
            ("another account's key on production data", &production, &other),
            ("the account's production key on sandbox data", &sandbox, &app.production),
            ("the account's sandbox key on production data", &production, &app.sandbox),
        ];
        let mut rows = 0;
        for (whose, records, key) in strangers {
            for of in operations() {
                if of.names_a_record() {
                    let path = records.path(&of);
                    let asked = send(of.request(&app, &path).header("token", &key.token)).await;
                    assert_eq!(asked, not_found(of.method.as_str(), &path), "{whose}: {} {path}", of.method);
                    rows += 1;
                } else if of.method == Method::GET {
                    let answer = app.get(&of.path).header("token", &key.token).send().await.unwrap();
                    let text = answer.text().await.unwrap();
                    let seen = records.all().into_iter().find(|id| text.contains(id.as_str()));
                    assert_eq!(seen, None, "{whose}: {}", of.path);
                    rows += 1;
                }
            }
        }
        let after = (sandbox.read(&app, &app.sandbox).await, production.read(&app, &app.production).await);
        assert_eq!(before, after, "nothing was changed or erased");
        println!("{rows} rows");
    }
}
