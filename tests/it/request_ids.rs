//! Every line of the log about a request has the id of its response, no matter which code wrote it.

use reqwest::{Method, RequestBuilder};
use serde_json::json;
use shingle_domain::Usd;
use shingle_store_fixture::on_both_engines;

use crate::deliveries::open;
use crate::support::captured_log::{WithStatements, captured_log};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{HOME, TestApp, fetch, header, sample_town, send};

/// The status, and the lines that bear the id of the response.
async fn lines(request: RequestBuilder) -> (u16, String) {
    let log = captured_log();
    let response = fetch(request).await;
    let status = response.status().as_u16();
    let span = format!("request{{id={}}}", header(&response, "x-request-id"));
    response.bytes().await.unwrap();
    let text = String::from_utf8_lossy(&log.lock().unwrap()).into_owned();
    (status, text.lines().filter(|line| line.contains(&span)).collect::<Vec<_>>().join("\n"))
}

on_both_engines! {
    async fn lines_of_a_request_bear_its_id_wherever_they_are_written(f: Fixture) {
        let _statements = WithStatements::new();
        let app = TestApp::start_with(f, |settings| settings.property = Some(sample_town().to_owned())).await;
        app.widget().await;
        // A lead is written by a task that writes those of others too.
        let sent = app.submission().await;
        let (status, text) = lines(app.page(Method::POST, "/leads").body(sent.to_string())).await;
        assert_eq!(status, 201);
        for part in ["INSERT INTO lead", "INSERT INTO event", "INSERT INTO consent", "path=\"/w/"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert_eq!(text.matches("micros=").count(), 1, "{text}");
        // So is what a metered call costs.
        app.store.accounts().credit(app.account, Usd::from_cents(1_000)).await.unwrap();
        let call = app.request(Method::GET, "/api/v1/solar-index").header("token", &app.production.token);
        let (status, text) = lines(call.query(&[("address", HOME)])).await;
        assert!(text.contains("UPDATE account") && text.contains("path=\"/api/v1/solar-index\""), "{status} {text}");
        // Errors too, and unknown routes.
        for path in ["/api/v1/leads?cursor=no", "/nowhere"] {
            let (status, text) = lines(app.api(Method::GET, path)).await;
            assert!(text.contains(&format!("status={status}")), "{path}: {text}");
        }
    }

    async fn a_delivery_is_found_from_the_request_that_caused_it(f: Fixture) {
        let log = captured_log();
        let app = TestApp::start_with(f, open).await;
        app.widget().await;
        let receiver = Receiver::start(Reply::Status(500)).await;
        let hook = json!({ "name": "crm", "url": receiver.url(), "events": ["lead.created"] });
        assert_eq!(send(app.api(Method::POST, "/api/v1/webhooks").body(hook.to_string())).await.0, 201);
        let sent = app.submission().await;
        let (status, text) = lines(app.page(Method::POST, "/leads").body(sent.to_string())).await;
        assert_eq!(status, 201);
        let (_, after) = text.split_once("lead=").unwrap();
        let lead = after.split_whitespace().next().unwrap();
        app.engine.work_off().await;
        let all = String::from_utf8_lossy(&log.lock().unwrap()).into_owned();
        let of_lead = format!("lead={lead}}}: ");
        let told: Vec<_> = all.lines().filter(|line| line.contains("delivery{id=") && line.contains(&of_lead)).collect();
        assert!(told.iter().any(|line| line.contains("not delivered") && line.contains("status=500")), "{told:?}");
    }
}
