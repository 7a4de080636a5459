//! The shared table of requests and their exact answers, over the wire.

use std::path::PathBuf;

use reqwest::Method;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::form::Form;
use crate::support::{TestApp, answer, form};

#[allow(clippy::disallowed_methods, reason = "the table's place is a setting of the test run")]
fn table() -> Option<String> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared"));
    let shared = std::env::var("SHINGLE_SHARED").map_or_else(|_| beside(), PathBuf::from);
    std::fs::read_to_string(shared.join("spec/contract-cases.jsonl")).ok()
}

fn pairs(case: &Value, name: &str) -> Vec<(String, String)> {
    let list = case[name].as_array().cloned().unwrap_or_default();
    list.iter().map(|p| (p[0].as_str().unwrap().to_owned(), p[1].as_str().unwrap().to_owned())).collect()
}

on_both_engines! {
    async fn every_request_of_the_shared_table_is_answered_to_the_letter(f: Fixture) {
        let Some(table) = table() else {
            println!("skipped: no shared folder beside the repository");
            return;
        };
        let app = TestApp::start(f).await;
        let (mut replayed, mut later) = (0, 0);
        for line in table.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let method: Method = case["method"].as_str().unwrap().parse().unwrap();
            let path = case["path"].as_str().unwrap();
            if path.starts_with("/api/v1/webhooks") {
                later += 1;
                continue;
            }
            let mut request = app.api(method.clone(), path);
            if method == Method::GET {
                request = request.query(&pairs(&case, "query"));
            } else {
                request = request.multipart(Form { texts: pairs(&case, "form"), files: Vec::new() }.build());
            }
            let (status, body) = answer(request).await;
            assert_eq!(status, case["status"].as_u64().unwrap() as u16, "{}: {body}", case["name"]);
            assert_eq!(body["message"], case["message"], "{}", case["name"]);
            assert_eq!((&body["error"], &body["statusCode"]), (&"Bad Request".into(), &400.into()), "{}", case["name"]);
            replayed += 1;
        }
        assert!(replayed > 490, "only {replayed} requests were replayed");
        println!("skipped: {later} requests of routes that come later");
    }

    async fn a_form_may_come_as_anything_and_is_judged_as_empty(f: Fixture) {
        let app = TestApp::start(f).await;
        let create = || app.api(Method::POST, "/api/v1/roof-estimate-widget");
        let (_, empty) = answer(create().multipart(Form::empty().set("unknown", "x").build())).await;
        for request in [
            create(),
            create().header("content-type", "application/json").body("{\"referenceId\":\"x\"}"),
            create().header("content-type", "text/plain").body("{"),
        ] {
            assert_eq!(answer(request).await, (400, empty.clone()));
        }
    }

    async fn the_header_logo_is_asked_for_once_the_fields_are_right(f: Fixture) {
        let app = TestApp::start(f).await;
        let form = form::widget().without("headerLogo");
        let (status, body) = answer(app.api(Method::POST, "/api/v1/roof-estimate-widget").multipart(form.build())).await;
        assert_eq!((status, &body["message"]), (400, &serde_json::json!(["headerLogo should not be empty"])));
    }
}
