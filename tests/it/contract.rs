//! Requests with their exact responses, from the contract of the API.

use reqwest::Method;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::form::Form;
use crate::support::{TestApp, form, send};

/// One request and its response a line.
const CASES: &str = include_str!("contract-cases.jsonl");

fn pairs(case: &Value, name: &str) -> Vec<(String, String)> {
    let list = case[name].as_array().cloned().unwrap_or_default();
    list.iter().map(|p| (p[0].as_str().unwrap().to_owned(), p[1].as_str().unwrap().to_owned())).collect()
}

on_both_engines! {
    async fn every_contract_case_gets_its_exact_response(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut replayed = 0;
        for line in CASES.lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            let method: Method = case["method"].as_str().unwrap().parse().unwrap();
            let path = case["path"].as_str().unwrap();
            let mut request = app.api(method.clone(), path);
            if method == Method::GET {
                request = request.query(&pairs(&case, "query"));
            } else if let Some(json) = case.get("json") {
                request = request.body(json.to_string());
            } else {
                request = request.multipart(Form { texts: pairs(&case, "form"), files: Vec::new() }.build());
            }
            let (status, body) = send(request).await;
            assert_eq!(status, case["status"].as_u64().unwrap() as u16, "{}: {body}", case["name"]);
            assert_eq!(body["message"], case["message"], "{}", case["name"]);
            assert_eq!((&body["error"], &body["statusCode"]), (&"Bad Request".into(), &400.into()), "{}", case["name"]);
            replayed += 1;
        }
        assert!(replayed > 510, "only {replayed} requests were replayed");
    }

    async fn no_body_and_any_other_content_type_count_as_an_empty_form(f: Fixture) {
        let app = TestApp::start(f).await;
        let create = || app.api(Method::POST, "/api/v1/roof-estimate-widget");
        let (_, empty) = send(create().multipart(Form::empty().set("unknown", "x").build())).await;
        for request in [
            create(),
            create().header("content-type", "application/json"),
            create().header("content-type", "text/plain").body("{"),
        ] {
            assert_eq!(send(request).await, (400, empty.clone()));
        }
    }

    async fn a_widget_may_also_be_sent_as_json_or_url_encoded(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let path = format!("/api/v1/roof-estimate-widget/{}", record["referenceId"].as_str().unwrap());
        let put = |kind: &'static str, body: String| send(app.api(Method::PUT, &path).header("content-type", kind).body(body));
        let (status, changed) =
            put("application/json; charset=utf-8", r#"{"companyName":"Oak & Sons","installedPrice":712.5,"domains":null}"#.into()).await;
        assert_eq!((status, &changed["companyName"], &changed["installedPrice"]), (200, &"Oak & Sons".into(), &712.5.into()));
        let (status, again) = put("application/x-www-form-urlencoded", "companyName=Oak+%26+Elm&removeFooterLogo=1".into()).await;
        assert_eq!((status, &again["companyName"], &again["installedPrice"]), (200, &"Oak & Elm".into(), &712.5.into()));
        let whole = put("application/json", again.to_string()).await;
        assert_eq!(whole, (200, again), "what is read may be sent back");

        let json = "application/json";
        for (kind, body, message) in [
            (json, "{", serde_json::json!("Request body is not valid JSON")),
            (json, "[]", "Request body is not valid JSON".into()),
            (json, r#"{"companyName":7}"#, serde_json::json!(["companyName must be a string"])),
            (json, r#"{"installedPrice":-1}"#, serde_json::json!(["installedPrice value must be a decimal greater than 0 with at most 2 decimal places"])),
            ("text/plain", r#"{"companyName":"Elm"}"#, "Request body must be multipart/form-data or JSON".into()),
            ("application/xml", "<a/>", "Request body must be multipart/form-data or JSON".into()),
        ] {
            let (status, said) = put(kind, body.into()).await;
            assert_eq!((status, &said["message"]), (400, &message), "{kind} {body}");
        }
        let large = put(json, format!("{{\"companyName\":\"{}\"}}", "x".repeat(70_000))).await;
        assert_eq!((large.0, &large.1["message"]), (400, &"Request body is too large".into()));
    }

    async fn a_missing_header_logo_is_reported_once_the_fields_are_valid(f: Fixture) {
        let app = TestApp::start(f).await;
        let form = form::widget().without("headerLogo");
        let (status, body) = send(app.api(Method::POST, "/api/v1/roof-estimate-widget").multipart(form.build())).await;
        assert_eq!((status, &body["message"]), (400, &serde_json::json!(["headerLogo should not be empty"])));
    }
}
