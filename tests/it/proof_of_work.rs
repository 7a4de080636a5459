//! Beyond a limit, those pass who did the work that the server asks for: ALTCHA's protocol, version 1.

use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use shingle_store_fixture::{Fixture, on_both_engines};

use crate::support::{HOME, SITE, TestApp, WIDGET, consent, fetch, form, header, send};

/// A widget whose limits are passed at once, behind a proxy that says where visitors are.
async fn busy(fixture: Fixture) -> TestApp {
    let app = TestApp::start_with(fixture, |settings| {
        settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
        settings.limits.roofs_per_widget = 1;
        settings.limits.suggestions_per_widget = 1;
        settings.limits.leads_per_widget = 1;
    })
    .await;
    app.widget().await;
    app
}

/// A visitor of a network, with a session.
struct Visitor<'a> {
    app: &'a TestApp,
    widget: &'a str,
    ip: &'a str,
    token: Value,
}

impl<'a> Visitor<'a> {
    async fn at(app: &'a TestApp, ip: &'a str) -> Self {
        Self::of(app, WIDGET, ip).await
    }

    async fn of(app: &'a TestApp, widget: &'a str, ip: &'a str) -> Self {
        let mut visitor = Self { app, widget, ip, token: Value::Null };
        visitor.token = visitor.post("/session", &json!({})).await.1["token"].clone();
        visitor
    }

    fn request(&self, path: &str) -> reqwest::RequestBuilder {
        let request = self.app.request(Method::POST, &format!("/w/{}{path}", self.widget)).header("origin", SITE);
        request.header("x-forwarded-proto", "https").header("x-forwarded-for", self.ip)
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        send(self.request(path).body(body.to_string())).await
    }

    /// Asks for something with this solution, if there is one.
    async fn ask(&self, path: &str, solution: Option<&str>) -> (u16, Value) {
        let mut body = match path {
            "/leads" => json!({
                "address": { "line": HOME }, "firstName": "Ann", "lastName": "Sample", "email": "ann@example.com",
                "consent": { "given": false, "text": consent("Oak Roofing") }, "elapsedMs": 20_000,
            }),
            "/suggest" => json!({ "text": "14 Ald" }),
            _ => json!({ "address": { "line": HOME } }),
        };
        body["token"] = self.token.clone();
        if let Some(solution) = solution {
            body["altcha"] = solution.into();
        }
        self.post(path, &body).await
    }

    /// What is asked for beyond the limit.
    async fn challenge(&self, path: &str) -> Value {
        let (status, refused) = self.ask(path, None).await;
        assert_eq!(status, 429, "{refused}");
        refused["challenge"].clone()
    }
}

fn digest(salt: &str, number: u64) -> String {
    Sha256::digest(format!("{salt}{number}")).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn solve(challenge: &Value) -> Value {
    let (salt, wanted) = (challenge["salt"].as_str().unwrap(), challenge["challenge"].as_str().unwrap());
    let number = (0..=challenge["maxnumber"].as_u64().unwrap()).find(|number| digest(salt, *number) == wanted);
    let mut solution = challenge.clone();
    solution.as_object_mut().unwrap().remove("maxnumber");
    solution["number"] = number.unwrap().into();
    solution
}

fn encode(solution: &Value) -> String {
    BASE64_STANDARD.encode(solution.to_string())
}

fn solved(challenge: &Value) -> String {
    encode(&solve(challenge))
}

on_both_engines! {
    async fn beyond_a_limit_the_work_that_is_asked_for_lets_pass_once(f: Fixture) {
        let app = busy(f).await;
        let visitor = Visitor::at(&app, "203.0.113.9").await;
        for path in ["/roof", "/suggest"] {
            assert_eq!(visitor.ask(path, None).await.0, 200);
            let mut body = json!({ "address": { "line": HOME }, "text": "14 Ald" });
            body["token"] = visitor.token.clone();
            let refused = fetch(visitor.request(path).body(body.to_string())).await;
            assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (429, "60"));
            assert_eq!(header(&refused, "access-control-allow-origin"), SITE, "the page can read it");
            let refused: Value = refused.json().await.unwrap();
            assert_eq!((&refused["statusCode"], &refused["error"]), (&json!(429), &json!("Too Many Requests")));
            let challenge = &refused["challenge"];
            assert_eq!((&challenge["algorithm"], &challenge["maxnumber"]), (&json!("SHA-256"), &json!(40_000)));
            let solution = solved(challenge);
            assert_eq!(visitor.ask(path, Some(&solution)).await.0, 200);
            assert_eq!(visitor.ask(path, Some(&solution)).await.0, 429, "a solution counts once");
        }
    }

    async fn a_network_that_asks_for_too_many_sessions_may_work_for_them(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.sessions_per_visitor = 1).await;
        app.widget().await;
        let session = |body: Value| send(app.page(Method::POST, "/session").body(body.to_string()));
        assert_eq!(session(json!({})).await.0, 200);
        let (status, refused) = session(json!({})).await;
        assert_eq!(status, 429);
        assert_eq!(session(json!({ "altcha": solved(&refused["challenge"]) })).await.0, 200);
    }

    async fn forged_strange_and_late_solutions_are_refused(f: Fixture) {
        let app = busy(f).await;
        let created = app.api(Method::POST, "/api/v1/roof-estimate-widget");
        let other = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12";
        assert_eq!(send(created.multipart(form::widget().set("referenceId", other).build())).await.0, 201);
        let visitor = Visitor::at(&app, "203.0.113.9").await;
        let far = Visitor::at(&app, "198.51.100.1").await;
        let elsewhere = Visitor::of(&app, other, "203.0.113.9").await;
        for (path, of) in [("/roof", &visitor), ("/suggest", &visitor), ("/roof", &elsewhere)] {
            assert_eq!(of.ask(path, None).await.0, 200);
        }
        let right = solve(&visitor.challenge("/roof").await);
        let with = |name: &str, value: Value| {
            let mut changed = right.clone();
            changed[name] = value;
            encode(&changed)
        };
        // Its own salt with its own number: all is right but the signature.
        let mut forged = right.clone();
        forged["salt"] = "made-up?expires=9999999999&max=9999999&for=0&".into();
        forged["challenge"] = digest("made-up?expires=9999999999&max=9999999&for=0&", 7).into();
        forged["number"] = 7.into();
        let number = right["number"].as_u64().unwrap();
        let harder = right["salt"].as_str().unwrap().replace("max=40000", "max=90000");
        for wrong in [
            String::new(),
            "nonsense".into(),
            encode(&json!([])),
            encode(&forged),
            with("number", (number ^ 1).into()),
            with("salt", harder.into()),
            with("signature", "00".repeat(32).into()),
        ] {
            assert_eq!(visitor.ask("/roof", Some(&wrong)).await.0, 429, "{wrong}");
        }
        let right = encode(&right);
        assert_eq!(far.ask("/roof", Some(&right)).await.0, 429, "of another network");
        assert_eq!(visitor.ask("/suggest", Some(&right)).await.0, 429, "for something else");
        assert_eq!(elsewhere.ask("/roof", Some(&right)).await.0, 429, "of another widget");
        assert_eq!(visitor.ask("/roof", Some(&right)).await.0, 200);

        let late = solved(&visitor.challenge("/roof").await);
        app.clock.advance(Duration::from_secs(301));
        assert_eq!(visitor.ask("/roof", None).await.0, 200, "the limit has room again, for one");
        assert_eq!(visitor.ask("/roof", Some(&late)).await.0, 429, "late");
    }

    async fn work_gets_harder_with_the_rate_and_what_was_too_easy_does_not_count(f: Fixture) {
        let app = busy(f).await;
        let visitor = Visitor::at(&app, "203.0.113.9").await;
        assert_eq!(visitor.ask("/roof", None).await.0, 200);
        let mut saved = Vec::new();
        for _ in 0..3 {
            saved.push(solved(&visitor.challenge("/roof").await));
        }
        let hardness = async || visitor.challenge("/roof").await["maxnumber"].as_u64().unwrap();
        assert_eq!(visitor.ask("/roof", Some(&saved[0])).await.0, 200);
        assert_eq!(hardness().await, 80_000);
        assert_eq!(visitor.ask("/roof", Some(&saved[1])).await.0, 200, "it got harder while this was solved");
        assert_eq!(hardness().await, 160_000);
        assert_eq!(visitor.ask("/roof", Some(&saved[2])).await.0, 429, "saved up");
        let other = Visitor::at(&app, "198.51.100.1").await;
        assert_eq!(other.challenge("/roof").await["maxnumber"], 160_000, "the widget is what is busy");
        app.clock.advance(Duration::from_secs(60));
        assert_eq!(visitor.ask("/roof", None).await.0, 200);
        assert_eq!(hardness().await, 80_000, "and easier as the crowd goes");
    }

    async fn a_lead_that_did_the_work_is_believed_and_passes_a_flood(f: Fixture) {
        let app = busy(f).await;
        let networks: Vec<String> = (0..14).map(|network| format!("203.0.{network}.9")).collect();
        let mut stored = Vec::new();
        for (at, ip) in networks.iter().enumerate() {
            let visitor = Visitor::at(&app, ip).await;
            let (status, answer) = visitor.ask("/leads", None).await;
            assert_eq!(status, if at == 0 { 201 } else { 429 }, "{answer}");
            let solution = match at {
                0 => continue,
                // Browsers that could not solve it, until these alone are a flood.
                1..=9 => String::new(),
                _ => solved(&answer["challenge"]),
            };
            let (status, answer) = visitor.ask("/leads", Some(&solution)).await;
            assert_eq!(status, 201, "{at} {answer}");
            let lead = send(app.api(Method::GET, &format!("/api/v1/leads/{}", answer["id"].as_str().unwrap()))).await.1;
            stored.push(lead["status"].as_str().unwrap().to_owned());
        }
        assert_eq!(stored, [["spam"; 9].as_slice(), &["new"; 4]].concat());
        let late = Visitor::at(&app, "198.51.100.1").await;
        assert_eq!(late.ask("/leads", Some("")).await.0, 429, "a flood");
    }
}
