//! The lead routes of the API.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, Tenant};
use shingle_store::LeadDraft;
use shingle_store_fixture::{Fixture, on_both_engines, sample_lead};
use tokio::task::JoinSet;

use crate::support::{TestApp, WIDGET, bad_request, fetch, header, not_found, send};

/// This many leads, a minute apart.
async fn filled(app: &TestApp, count: usize) {
    app.widget().await;
    for n in 0..count {
        let mut sent = app.submission().await;
        sent["email"] = format!("person{n}@example.com").into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        app.clock.advance(std::time::Duration::from_secs(60));
    }
}

async fn list(app: &TestApp, query: &[(&str, &str)]) -> Value {
    let (status, body) = send(app.api(Method::GET, "/api/v1/leads").query(query)).await;
    assert_eq!(status, 200, "{body}");
    body
}

fn emails(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|lead| lead["email"].as_str().unwrap()).collect()
}

on_both_engines! {
    async fn leads_are_listed_page_by_page_newest_first(f: Fixture) {
        let app = TestApp::start(f).await;
        filled(&app, 3).await;
        let first = list(&app, &[("limit", "2")]).await;
        assert_eq!(emails(&first), ["person2@example.com", "person1@example.com"]);
        let cursor = first["nextCursor"].as_str().unwrap();
        let second = list(&app, &[("limit", "2"), ("cursor", cursor)]).await;
        assert_eq!((emails(&second), &second["nextCursor"]), (vec!["person0@example.com"], &Value::Null));
        for (name, value) in [("cursor", "x"), ("limit", "0"), ("status", "lukewarm"), ("widgetId", "7")] {
            let (status, body) = send(app.api(Method::GET, "/api/v1/leads").query(&[(name, value)])).await;
            assert_eq!(status, 400, "{name}: {body}");
        }
    }

    async fn the_list_can_be_filtered(f: Fixture) {
        let app = TestApp::start(f).await;
        filled(&app, 2).await;
        let all = list(&app, &[("widgetId", WIDGET)]).await;
        let id = all["data"][1]["id"].as_str().unwrap();
        let won = app.api(Method::PATCH, &format!("/api/v1/leads/{id}")).body(json!({ "status": "won" }).to_string());
        assert_eq!(send(won).await.1["status"], "won");
        assert_eq!(emails(&list(&app, &[("status", "won")]).await), ["person0@example.com"]);
        assert_eq!(emails(&list(&app, &[("status", "new")]).await), ["person1@example.com"]);
        let other = "11111111-1111-4111-8111-111111111111";
        assert!(emails(&list(&app, &[("widgetId", other)]).await).is_empty());
    }

    async fn a_lead_is_changed_within_its_rules(f: Fixture) {
        let app = TestApp::start(f).await;
        filled(&app, 1).await;
        let id = list(&app, &[]).await["data"][0]["id"].as_str().unwrap().to_owned();
        let patch = |body: Value| send(app.api(Method::PATCH, &format!("/api/v1/leads/{id}")).body(body.to_string()));
        let (_, lead) = patch(json!({ "status": "contacted", "message": "Called back", "email": "x@example.com" })).await;
        assert_eq!((&lead["status"], &lead["message"]), (&"contacted".into(), &"Called back".into()));
        assert_eq!(lead["email"], "person0@example.com", "who it is stays");
        assert_eq!(patch(json!({ "message": "", "status": null })).await.1["message"], Value::Null);
        let (status, body) = patch(json!({ "status": "maybe", "message": 7 })).await;
        assert_eq!((status, body["message"].as_array().map(Vec::len)), (400, Some(2)));
    }

    async fn notes_are_added_and_listed_and_change_nothing_else(f: Fixture) {
        let app = TestApp::start(f).await;
        filled(&app, 1).await;
        let before = list(&app, &[]).await["data"][0].clone();
        let id = before["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/leads/{id}/notes");
        let add = |body: Value| send(app.api(Method::POST, &path).body(body.to_string()));
        let (status, note) = add(json!({ "text": " Called,\nno answer. " })).await;
        assert_eq!((status, &note["text"]), (201, &"Called,\nno answer.".into()), "{note}");
        assert!(note["author"].as_str().is_some_and(|author| author.starts_with("API ")), "a key without a name: {note}");
        app.clock.advance(std::time::Duration::from_secs(60));
        assert_eq!(add(json!({ "text": "é".repeat(4_000) })).await.0, 201);
        let should = |what: &str| bad_request(json!([what]));
        assert_eq!(add(json!({ "text": "é".repeat(4_001) })).await, should("text must be shorter than or equal to 4000 characters"));
        assert_eq!(add(json!({ "text": " \n " })).await, should("text should not be empty"));
        assert_eq!(add(json!({})).await, bad_request(json!(["text must be a string", "text should not be empty"])));
        assert_eq!(add(json!({ "text": 7 })).await, should("text must be a string"));
        assert_eq!(add(json!({ "text": "a\u{0}b" })).await.0, 400);
        let (_, notes) = send(app.api(Method::GET, &path)).await;
        assert_eq!(notes.as_array().unwrap().len(), 2);
        assert_eq!(notes[0], note, "the oldest first");
        assert_eq!(list(&app, &[]).await["data"][0], before, "the lead itself is as it was");
        let unknown = "/api/v1/leads/0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a/notes";
        assert_eq!(send(app.api(Method::GET, unknown)).await, not_found("GET", unknown));
        let text = json!({ "text": "x" }).to_string();
        assert_eq!(send(app.api(Method::POST, unknown).body(text)).await, not_found("POST", unknown));
        // With the lead, its notes go.
        assert_eq!(send(app.api(Method::DELETE, &format!("/api/v1/leads/{id}"))).await.0, 200);
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
    }

    async fn widgets_are_listed(f: Fixture) {
        let app = TestApp::start(f).await;
        assert_eq!(send(app.api(Method::GET, "/api/v1/roof-estimate-widget")).await, (200, json!([])));
        let made = app.widget().await;
        assert_eq!(send(app.api(Method::GET, "/api/v1/roof-estimate-widget")).await, (200, json!([made])));
    }

    async fn an_address_that_leads_name_again_and_again_is_told(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.leads_per_widget = 3).await;
        app.widget().await;
        let name = async |address: &str, count: usize| {
            for n in 0..count {
                let mut sent = app.submission().await;
                sent["address"] = json!({ "line": address });
                sent["email"] = format!("person{n}@example.com").into();
                sent["altcha"] = "".into();
                assert_eq!(app.send_lead(&sent).await.0, 201);
            }
        };
        let repeated = async |key: &str| {
            let (status, body) = send(app.get("/api/v1/leads/repeated").header("token", key)).await;
            assert_eq!(status, 200, "{body}");
            body
        };
        name("14 Alder Court", 4).await;
        app.clock.advance(std::time::Duration::from_secs(24 * 3_600));
        name("14 Alder Court", 4).await;
        assert_eq!(repeated(&app.sandbox.token).await, json!([]), "four on each of two days are nothing");
        name("14 alder ct", 2).await;
        name("77 Nowhere Road, Portland, ME 04101", 3).await;
        let found = repeated(&app.sandbox.token).await;
        let [one] = found.as_array().unwrap().as_slice() else { panic!("{found}") };
        assert_eq!((&one["widgetId"], &one["leads"], &one["day"]), (&json!(WIDGET), &json!(6), &json!("2026-03-11")));
        assert_eq!(one["suspect"], 3);
        assert!(one["address"].as_str().unwrap().starts_with("14 Alder Court"), "{one}");
        let newest = send(app.api(Method::GET, &format!("/api/v1/leads/{}", one["newestLead"].as_str().unwrap()))).await;
        assert_eq!((newest.0, &newest.1["address"]), (200, &one["address"]));

        assert_eq!(repeated(&app.second_account().await.token).await, json!([]), "another account's");
        assert_eq!(repeated(&app.production.token).await, json!([]), "the other environment's");
        for lead in list(&app, &[]).await["data"].as_array().unwrap().iter().take(5) {
            let path = format!("/api/v1/leads/{}", lead["id"].as_str().unwrap());
            assert!(send(app.api(Method::DELETE, &path)).await.0 < 300);
        }
        assert_eq!(repeated(&app.sandbox.token).await, json!([]), "erased leads are not counted");
    }

    async fn an_erased_lead_is_gone(f: Fixture) {
        let app = TestApp::start(f).await;
        filled(&app, 1).await;
        let id = list(&app, &[]).await["data"][0]["id"].as_str().unwrap().to_owned();
        let path = format!("/api/v1/leads/{id}");
        assert_eq!(send(app.api(Method::DELETE, &path)).await, (200, json!({ "id": id, "erased": true })));
        assert_eq!(send(app.api(Method::GET, &path)).await, not_found("GET", &path));
        assert_eq!(send(app.api(Method::DELETE, &path)).await, not_found("DELETE", &path));
        assert!(emails(&list(&app, &[]).await).is_empty());
    }

    async fn the_csv_holds_no_formula(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["firstName"] = "=HYPERLINK(\"https://evil.example.com\",\"x\")".into();
        sent["lastName"] = "@SUM(A1), \"Jr\"".into();
        sent["message"] = "-1+1\nsecond line".into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        let response = fetch(app.api(Method::GET, "/api/v1/leads.csv")).await;
        assert_eq!(header(&response, "content-type"), "text/csv; charset=utf-8");
        assert_eq!(header(&response, "content-disposition"), "attachment; filename=\"leads.csv\"");
        let text = response.text().await.unwrap();
        assert!(text.ends_with("\r\n"));
        let mut table = csv::Reader::from_reader(text.as_bytes());
        let headings = table.headers().unwrap().clone();
        let rows: Vec<_> = table.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 1);
        let cell = |name: &str| rows[0].get(headings.iter().position(|h| h == name).unwrap()).unwrap();
        assert_eq!(cell("First name"), "'=HYPERLINK(\"https://evil.example.com\",\"x\")");
        assert_eq!(cell("Last name"), "'@SUM(A1), \"Jr\"");
        assert_eq!(cell("Homeowner’s note"), "'-1+1\nsecond line");
        assert_eq!(cell("Email"), "ann@example.com");
    }

    async fn an_invalid_cursor_gets_an_error_message(f: Fixture) {
        let app = TestApp::start(f).await;
        let asked = send(app.api(Method::GET, "/api/v1/leads").query(&[("cursor", "zz.zz")])).await;
        assert_eq!(asked, bad_request("cursor is not one of this list"));
    }
}

/// On SQLite alone: how it is read does not depend on the database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_csv_is_made_while_it_is_read_so_nobody_holds_all_leads() {
    const LEADS: usize = 2_500;
    let app = TestApp::start(Fixture::on_sqlite().await).await;
    app.widget().await;
    let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
    let mut sending = JoinSet::new();
    for n in 0..LEADS {
        let store = app.store.clone();
        sending.spawn(async move {
            let draft = LeadDraft { message: Some("x".repeat(8_000)), ..sample_lead(&format!("Person{n}")) };
            let key = n.to_string();
            store.leads().accept(&tenant, WIDGET.parse().unwrap(), &draft, &key, key.as_bytes()).await.unwrap();
        });
    }
    sending.join_all().await;
    let beside = rusqlite::Connection::open(app.database().strip_prefix("sqlite://").unwrap()).unwrap();
    let mut response = fetch(app.api(Method::GET, "/api/v1/leads.csv")).await;
    let mut text = response.chunk().await.unwrap().unwrap().to_vec();
    beside.execute("UPDATE lead SET record = NULL", ()).unwrap();
    while let Some(chunk) = response.chunk().await.unwrap() {
        text.extend_from_slice(&chunk);
    }
    let read = csv::Reader::from_reader(&*text).records().map(Result::unwrap).count();
    // The page that was being sent is whole, and perhaps some that were read ahead.
    assert!((500..=2_000).contains(&read), "what was deleted meanwhile was still there: {read}");
}
