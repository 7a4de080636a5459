//! The description of the API as it is served: for programs and for people.

use reqwest::header::ACCEPT_ENCODING;
use serde_json::Value;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, fetch, header};

/// Bytes of the page as a browser gets it.
const MAX_PAGE: usize = 40_000;

/// The description that is committed: a test of the server holds it to the routes.
pub fn committed() -> Value {
    serde_json::from_str(include_str!("../../assets/openapi.json")).unwrap()
}

on_both_engines! {
    async fn the_served_description_is_the_committed_one_with_this_servers_address(f: Fixture) {
        let app = TestApp::start(f).await;
        let text = fetch(app.get("/openapi.json")).await.text().await.unwrap();
        let mut served: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(served["openapi"], "3.1.0");
        assert_eq!(served["servers"][0]["url"], app.base.as_str());
        served["servers"] = committed()["servers"].clone();
        assert!(served == committed(), "it was not written anew");
        let packed = fetch(app.get("/openapi.json").header(ACCEPT_ENCODING, "br")).await;
        assert_eq!(header(&packed, "content-encoding"), "br");
        let packed = packed.bytes().await.unwrap().len();
        assert!(packed * 7 < text.len(), "{packed} of {} bytes", text.len());
    }

    async fn the_page_names_every_operation_event_and_record_and_is_small(f: Fixture) {
        let app = TestApp::start(f).await;
        let response = fetch(app.get("/docs")).await;
        let policy = header(&response, "content-security-policy").to_owned();
        assert!(policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("script"), "{policy}");
        let page = response.text().await.unwrap();
        let description = committed();
        let paths = description["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        let ids = operations.map(|operation| operation["operationId"].as_str().unwrap().to_owned());
        let events = description["webhooks"].as_object().unwrap().keys().cloned();
        let records = description["components"]["schemas"].as_object().unwrap().keys().map(|name| format!("record-{name}"));
        for id in ids.chain(events).chain(records) {
            assert_eq!(page.matches(&format!(" id=\"{id}\"")).count(), 1, "{id}");
        }
        for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(page.contains(&format!(" id=\"{link}\"")), "a link leads nowhere: {link}");
        }
        assert!(!page.contains("<script") && !page.contains("://unpkg") && !page.contains("style="));
        let packed = fetch(app.get("/docs").header(ACCEPT_ENCODING, "br")).await.bytes().await.unwrap().len();
        assert!(packed <= MAX_PAGE, "{packed} bytes");
    }
}
