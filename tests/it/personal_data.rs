//! Evidence of consent, search, and the rights of a homeowner, over the API.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_app::chores;
use shingle_consent::ConsentCertificate;
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, error, not_found, send};

async fn lead(app: &TestApp, first: &str, email: &str, phone: Option<&str>) -> String {
    let mut sent = app.submission().await;
    sent["firstName"] = first.into();
    sent["email"] = email.into();
    sent["phone"] = phone.into();
    let (status, receipt) = send(app.page(Method::POST, "/leads").body(sent.to_string())).await;
    assert_eq!(status, 201, "{receipt}");
    receipt["id"].as_str().unwrap().to_owned()
}

async fn ids(app: &TestApp, path: &str) -> Vec<String> {
    let (status, list) = send(app.api(Method::GET, path)).await;
    assert_eq!(status, 200, "{list}");
    list["data"].as_array().unwrap().iter().map(|lead| lead["id"].as_str().unwrap().to_owned()).collect()
}

async fn post(app: &TestApp, path: &str, body: Value) -> (u16, Value) {
    send(app.api(Method::POST, path).body(body.to_string())).await
}

on_both_engines! {
    async fn a_certificate_is_genuine_and_prints(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let id = lead(&app, "Zoë <b>", "zoe@example.com", Some("(207) 555-0143")).await;
        let path = format!("/api/v1/leads/{id}/consent");
        let response = app.api(Method::GET, &path).send().await.unwrap();
        let json = response.bytes().await.unwrap();
        let certificate = ConsentCertificate::parse(&json).unwrap();
        assert_eq!(certificate.faults(Some(app.store.consents().certificate_key())), []);
        let evidence = &certificate.consents[0].evidence;
        assert_eq!((evidence.first_name.as_deref(), evidence.phone.as_deref()), (Some("Zoë <b>"), Some("(207) 555-0143")));
        let changed = String::from_utf8(json.to_vec()).unwrap().replace("555-0143", "555-0144");
        let faults = ConsentCertificate::parse(changed.as_bytes()).unwrap().faults(None);
        assert_eq!(faults[0].to_string(), "consent 1: `phone` is not what was recorded");

        let page = app.api(Method::GET, &format!("{path}.html")).send().await.unwrap();
        assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
        let page = page.text().await.unwrap();
        for text in [evidence.text.as_str(), "Zoë &lt;b&gt;", "ticked", "(207) 555-0143", certificate.signature.as_str()] {
            assert!(page.contains(text), "{text} in {page}");
        }
        let (_, style) = page.split_once("<style>").unwrap();
        assert!(!style.split_once("</style>").unwrap().0.contains('&'), "a style is not unescaped");
        assert!(!page.contains("<b>") && !page.contains("http"), "no markup of a stranger, no request");
        assert_eq!(send(app.api(Method::DELETE, &format!("/api/v1/leads/{id}"))).await.0, 200);
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
    }

    async fn leads_are_searched_over_the_api_and_in_the_table(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let zoe = lead(&app, "Zoë", "zoe@example.com", Some("(207) 555-0143")).await;
        app.clock.advance(Duration::from_secs(60));
        let bo = lead(&app, "Bo", "bo@example.com", None).await;
        assert_eq!(ids(&app, "/api/v1/leads?search=alder").await, [bo.clone(), zoe.clone()]);
        assert_eq!(ids(&app, "/api/v1/leads?search=zoe%20alder").await, std::slice::from_ref(&zoe));
        assert_eq!(ids(&app, "/api/v1/leads?search=2075550143").await, std::slice::from_ref(&zoe));
        assert_eq!(ids(&app, "/api/v1/leads?search=nobody").await, [""; 0]);
        assert_eq!(ids(&app, "/api/v1/leads?search=%20").await.len(), 2, "no words are no search");
        let table = app.api(Method::GET, "/api/v1/leads.csv?search=bo").send().await.unwrap().text().await.unwrap();
        assert!(table.contains("bo@example.com") && !table.contains("zoe@example.com"));
        let long = "x".repeat(201);
        assert_eq!(
            send(app.api(Method::GET, &format!("/api/v1/leads?search={long}"))).await,
            error(400, "Bad Request", json!(["search must be shorter than or equal to 200 characters"]))
        );
    }

    async fn a_person_gets_everything_and_is_erased(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let one = lead(&app, "Zoë", "Zoe@example.com", Some("(207) 555-0143")).await;
        let kept = lead(&app, "Bo", "bo@example.com", None).await;
        let (status, all) = post(&app, "/api/v1/people/export", json!({ "email": "zoe@EXAMPLE.com" })).await;
        assert_eq!((status, all["data"].as_array().unwrap().len()), (200, 1));
        let record = &all["data"][0];
        assert_eq!((&record["lead"]["id"], &record["consents"][0]["phone"]), (&json!(one), &json!("(207) 555-0143")));
        assert!(record["shown"].is_object() && record["photos"].is_array() && record["recipients"].is_array());
        let (status, erased) = post(&app, "/api/v1/people/erase", json!({ "phone": "2075550143", "email": null })).await;
        assert_eq!((status, erased), (200, json!({ "leads": [one] })));
        assert_eq!(ids(&app, "/api/v1/leads").await, [kept]);
        assert_eq!(post(&app, "/api/v1/people/erase", json!({ "phone": "2075550143" })).await.1, json!({ "leads": [] }));
        for path in ["/api/v1/people/export", "/api/v1/people/erase"] {
            let refused = |rule: &str| error(400, "Bad Request", json!([rule]));
            assert_eq!(post(&app, path, json!({})).await, refused("email or phone should not be empty"));
            assert_eq!(post(&app, path, json!({ "emial": "a@example.com" })).await, refused("email or phone should not be empty"));
            assert_eq!(post(&app, path, json!({ "email": "zoe" })).await, refused("email must be an email"));
        }
    }

    async fn old_leads_are_erased_by_themselves_after_it_was_shown(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        lead(&app, "Zoë", "zoe@example.com", None).await;
        app.clock.advance(Duration::from_secs(40 * 24 * 3_600));
        let young = lead(&app, "Bo", "bo@example.com", None).await;
        let show = async |query: &str| send(app.api(Method::GET, &format!("/api/v1/retention{query}"))).await.1;
        assert_eq!(show("").await, json!({ "days": null, "actsFrom": null, "due": null }));
        assert_eq!(show("?days=30").await["due"]["leads"], 1);
        assert_eq!(show("?days=50").await["due"], json!({ "leads": 0, "oldest": null, "newest": null }));
        let (status, set) = send(app.api(Method::PUT, "/api/v1/retention").body(r#"{"days":30}"#)).await;
        assert_eq!((status, &set["days"], &set["due"]["leads"]), (200, &json!(30), &json!(1)));
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        assert_eq!(ids(&app, "/api/v1/leads").await.len(), 2, "not before its day");
        app.clock.advance(Duration::from_secs(24 * 3_600));
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        assert_eq!(ids(&app, "/api/v1/leads").await, [young]);
        for (body, rule) in [
            (r#"{"days":0}"#, "days must be a whole number from 1 to 36500"),
            (r#"{"days":"30"}"#, "days must be a whole number from 1 to 36500"),
        ] {
            assert_eq!(send(app.api(Method::PUT, "/api/v1/retention").body(body)).await, error(400, "Bad Request", json!([rule])));
        }
        assert_eq!(send(app.api(Method::PUT, "/api/v1/retention")).await.0, 400, "no body would keep all leads without a word");
    }
}
