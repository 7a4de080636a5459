//! Connectors: from the lead to the other system, by the clock of the test.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store_fixture::{Fixture, on_both_engines};

use crate::deliveries::open;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, WIDGET, bad_request, not_found, send};

const PATH: &str = "/api/v1/destinations";

async fn start(fixture: Fixture, target: &Receiver) -> TestApp {
    let base = target.url().parse().unwrap();
    TestApp::start_connected(fixture, open, Some(base)).await
}

async fn connect(app: &TestApp, connector: &str, settings: Value) -> Value {
    let body = json!({ "connector": connector, "settings": settings });
    let (status, made) = send(app.api(Method::POST, PATH).body(body.to_string())).await;
    assert_eq!(status, 201, "{made}");
    made
}

async fn lead(app: &TestApp) -> Value {
    let (status, receipt) = app.send_lead(&app.submission().await).await;
    assert_eq!(status, 201, "{receipt}");
    receipt
}

on_both_engines! {
    async fn a_lead_becomes_a_contact_and_a_job_whose_id_stands_on_the_lead(f: Fixture) {
        let mut target = Receiver::start(Reply::With(200, "Content-Type: application/json\r\n", r#"{"results":[],"jnid":"4711"}"#)).await;
        let app = start(f, &target).await;
        app.widget().await;
        let made = connect(&app, "jobnimbus", json!({ "api_key": "jn-secret-key" })).await;
        assert_eq!((&made["connector"], &made["settings"]["api_key"]), (&json!("jobnimbus"), &json!("[secret]")));
        let receipt = lead(&app).await;
        app.engine.work_off().await;
        let requests = target.take();
        assert!(requests.len() >= 2, "{requests:?}");
        assert!(requests.iter().all(|r| r.header("authorization").eq_ignore_ascii_case("Bearer jn-secret-key")));
        let posted: Vec<Value> = requests.iter().filter(|r| r.method == "POST").map(|r| r.json()).collect();
        assert!(posted[0].to_string().contains("ann@example.com"), "{posted:?}");
        let (_, stored) = send(app.api(Method::GET, &format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap()))).await;
        assert_eq!((&stored["records"][0]["system"], &stored["records"][0]["id"]), (&json!("jobnimbus"), &json!("4711")));
        let path = format!("{PATH}/{}/deliveries", made["id"].as_str().unwrap());
        let (_, log) = send(app.api(Method::GET, &path)).await;
        assert_eq!(log["data"][0]["state"], "delivered");
        let (_, delivery) = send(app.api(Method::GET, &format!("/api/v1/deliveries/{}", log["data"][0]["id"].as_str().unwrap()))).await;
        assert!(!delivery.to_string().contains("jn-secret-key"), "{delivery}");
    }

    async fn where_a_widget_asks_something_the_record_waits_for_the_answers(f: Fixture) {
        let mut target = Receiver::start(Reply::With(200, "", "ok")).await;
        let app = start(f, &target).await;
        app.widget().await;
        let settings = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
        let asks = app.api(Method::PUT, &settings).body(json!({ "questions": ["leak", "note"] }).to_string());
        assert_eq!(send(asks).await.0, 200);
        connect(&app, "slack", json!({ "webhook_url": "https://hooks.slack.com/services/T0/B0/XXXXXXXX" })).await;
        let receipt = lead(&app).await;
        app.engine.work_off().await;
        let answers = json!({ "leadToken": receipt["leadToken"], "answers": { "leak": "leak", "note": "Ring the side door." } });
        let path = format!("/leads/{}", receipt["id"].as_str().unwrap());
        assert_eq!(send(app.page(Method::PATCH, &path).body(answers.to_string())).await.0, 200);
        app.clock.advance(Duration::from_secs(119));
        app.engine.work_off().await;
        assert!(target.take().is_empty(), "it waits");
        app.clock.advance(Duration::from_secs(1));
        app.engine.work_off().await;
        let message = target.next().await.json().to_string();
        for part in ["leaks now", "Problem: Leaks", "Ring the side door."] {
            assert!(message.contains(part), "{part}: {message}");
        }
        assert!(target.take().is_empty(), "once");
    }

    async fn a_chat_is_told_of_a_lead_and_tried_again_when_it_is_busy(f: Fixture) {
        let mut target = Receiver::start(Reply::With(429, "Retry-After: 30\r\n", "slow down")).await;
        let app = start(f, &target).await;
        app.widget().await;
        connect(&app, "slack", json!({ "webhook_url": "https://hooks.slack.com/services/T0/B0/XXXXXXXX" })).await;
        lead(&app).await;
        app.engine.work_off().await;
        assert_eq!(target.take().len(), 1);
        target.will(Reply::With(200, "", "ok"));
        app.clock.advance(Duration::from_secs(31));
        app.engine.work_off().await;
        let message = target.next().await.json().to_string();
        assert!(message.contains("Ann Sample") && message.contains("/on-it?lead="), "{message}");
        let mut spam = app.submission().await;
        spam["elapsedMs"] = 5.into();
        spam["address"] = json!({ "line": "16 Alder Court" });
        app.send_lead(&spam).await;
        app.engine.work_off().await;
        assert!(target.take().is_empty(), "suspected spam is told to nobody");
    }

    async fn settings_that_do_not_fit_are_refused_with_every_reason(f: Fixture) {
        let target = Receiver::start(Reply::Status(200)).await;
        let app = start(f, &target).await;
        let post = |body: Value| send(app.api(Method::POST, PATH).body(body.to_string()));
        let (status, answer) = post(json!({ "connector": "jobnimbus", "settings": { "nope": "1" } })).await;
        let reasons = answer["message"].as_array().unwrap();
        assert!(status == 400 && reasons.len() == 2, "{answer}");
        let (status, answer) = post(json!({ "connector": "slack", "settings": { "webhook_url": "https://evil.example.com/" } })).await;
        assert!(status == 400 && answer["message"][0].as_str().unwrap().contains("hooks.slack.com"), "{answer}");
        for (connector, part) in [("nothing", "no connector"), ("zapier", "subscribes by itself")] {
            let (status, answer) = post(json!({ "connector": connector })).await;
            assert!(status == 400 && answer["message"].as_str().unwrap().contains(part), "{answer}");
        }
        assert_eq!(post(json!({ "settings": {} })).await, bad_request("The request has missing or malformed fields"));
        assert_eq!(send(app.api(Method::GET, PATH)).await, (200, json!([])));
    }

    async fn a_destination_is_changed_tested_and_deleted_by_its_account_alone(f: Fixture) {
        let mut target = Receiver::start(Reply::Status(200)).await;
        let app = start(f, &target).await;
        let made = connect(&app, "ntfy", json!({ "topic": "oak-roofing-leads" })).await;
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        let stranger = app.second_account().await;
        for (method, path) in [(Method::GET, path.clone()), (Method::PATCH, path.clone()), (Method::DELETE, path.clone()), (Method::POST, format!("{path}/test"))] {
            let answer = send(app.request(method.clone(), &path).header("token", &stranger.token).body("{}")).await;
            assert_eq!(answer, not_found(method.as_str(), &path));
        }
        assert_eq!(send(app.api(Method::POST, &format!("{path}/test"))).await.0, 202);
        app.engine.work_off().await;
        assert!(String::from_utf8_lossy(&target.next().await.body).contains("Test"), "a test lead, which says so");
        let (status, changed) = send(app.api(Method::PATCH, &path).body(json!({ "name": "Phone", "active": false }).to_string())).await;
        assert_eq!((status, &changed["name"], &changed["active"]), (200, &json!("Phone"), &json!(false)));
        app.widget().await;
        lead(&app).await;
        app.engine.work_off().await;
        assert!(target.take().is_empty(), "it is off");
        assert_eq!(send(app.api(Method::DELETE, &path)).await.0, 200);
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
    }

    async fn every_connector_says_what_it_needs_and_what_it_was_tried_against(f: Fixture) {
        let target = Receiver::start(Reply::Status(200)).await;
        let app = start(f, &target).await;
        let (_, list) = send(app.api(Method::GET, "/api/v1/connectors")).await;
        let list = list.as_array().unwrap();
        assert!(list.len() >= 20, "{}", list.len());
        for one in list {
            assert_eq!(one["tried"], "documentation", "{}", one["name"]);
            assert!(one["documentation"].as_str().unwrap().starts_with("https://"), "{}", one["name"]);
            let (status, same) = send(app.api(Method::GET, &format!("/api/v1/connectors/{}", one["name"].as_str().unwrap()))).await;
            assert_eq!((status, &same), (200, one));
        }
        assert_eq!(send(app.api(Method::GET, "/api/v1/connectors/nope")).await.0, 404);
    }

    async fn rest_hooks_subscribe_sample_and_unsubscribe(f: Fixture) {
        // What Zapier, Make and n8n do: subscribe, ask for a sample, get events, unsubscribe.
        let mut target = Receiver::start(Reply::Status(200)).await;
        let app = start(f, &target).await;
        app.widget().await;
        let subscription = json!({ "name": "Zap", "url": target.url(), "events": ["lead.created"] });
        let (status, made) = send(app.api(Method::POST, "/api/v1/webhooks").body(subscription.to_string())).await;
        assert_eq!(status, 201);
        let path = format!("/api/v1/webhooks/{}", made["id"].as_str().unwrap());
        assert_eq!(send(app.api(Method::GET, &path)).await.0, 200, "it exists");
        lead(&app).await;
        let (_, sample) = send(app.api(Method::GET, "/api/v1/leads?limit=3")).await;
        assert_eq!(sample["data"][0]["firstName"], "Ann");
        app.engine.work_off().await;
        assert_eq!(target.next().await.json()["data"], sample["data"][0], "the event carries what the sample shows");
        assert_eq!(send(app.api(Method::DELETE, &path)).await.0, 200);
        assert_eq!(send(app.api(Method::DELETE, &path)).await.0, 404);
    }

    async fn a_test_is_never_counted_as_a_conversion(f: Fixture) {
        let mut target = Receiver::start(Reply::Status(200)).await;
        let app = start(f, &target).await;
        let made = connect(&app, "ga4", json!({ "measurement_id": "G-ABCDE12345", "api_secret": "ga4-secret-value", "unknown_visit": "count as a new visitor" })).await;
        let path = format!("{PATH}/{}", made["id"].as_str().unwrap());
        assert_eq!(send(app.api(Method::POST, &format!("{path}/test"))).await.0, 202);
        app.engine.work_off().await;
        assert!(target.take().is_empty());
        let (_, log) = send(app.api(Method::GET, &format!("{path}/deliveries"))).await;
        assert_eq!(log["data"][0]["state"], "skipped");
        assert!(log["data"][0]["reason"].as_str().unwrap().contains("conversion"), "{log}");
    }
}
