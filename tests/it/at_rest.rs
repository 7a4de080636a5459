//! What a stolen disk tells of homeowners: nothing.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store::Store;
use shingle_store_fixture::{Fixture, on_both_engines, stored_bytes};

use crate::deliveries::open;
use crate::kept::again;
use crate::support::captured_log::captured_log;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, fetch, send};
use crate::visits::{Sent, change, record};

/// What the homeowner of these tests types, and what the browser tells beside it. Each is found nowhere else.
const WORDS: [&str; 8] = [
    "Zephyrine",
    "Quizzelthorn",
    "zq.roof@example.com",
    "2075550143",
    "555-0143",
    "brass bell",
    "Wallaby/77",
    "utm_wallaby",
];
/// The homeowner's street: looked for in the database alone, because the index holds it too, which is public.
const STREET: &str = "Alder Court";

async fn lead(app: &TestApp) -> Sent {
    let mut sent = app.submission().await;
    sent["firstName"] = "Zephyrine".into();
    sent["lastName"] = "Quizzelthorn".into();
    sent["email"] = "zq.roof@example.com".into();
    sent["phone"] = "(207) 555-0143".into();
    sent["message"] = "Please ring the brass bell".into();
    sent["source"] = json!({ "pageUrl": "https://oak-roofing.example/?c=utm_wallaby" });
    let request = app.page(Method::POST, "/leads").header("user-agent", "Wallaby/77").body(sent.to_string());
    let (status, receipt) = send(request).await;
    assert_eq!(status, 201, "{receipt}");
    let text = |name: &str| receipt[name].as_str().unwrap().to_owned();
    Sent { id: text("id"), token: text("leadToken") }
}

/// Every way in which a lead is written: as it comes, changed by both sides, asked for a visit, sent and answered.
async fn everything(app: &TestApp, receiver: &mut Receiver) -> Sent {
    app.widget().await;
    let hook = json!({ "name": "crm", "url": receiver.url(), "events": ["lead.created", "lead.updated"] });
    assert_eq!(send(app.api(Method::POST, "/api/v1/webhooks").body(hook.to_string())).await.0, 201);
    let lead = lead(app).await;
    let (status, changed) =
        change(app, &lead, json!({ "message": "The brass bell is broken", "preferredContactTime": "morning" })).await;
    assert_eq!(status, 200, "{changed}");
    let visit = json!({ "inspection": { "wishes": [{ "date": "2026-03-13", "part": "evening" }], "contactBy": "text",
        "note": "Mind the brass bell" } });
    let (status, changed) = change(app, &lead, visit).await;
    assert_eq!(status, 200, "{changed}");
    let path = format!("/api/v1/leads/{}", lead.id);
    assert_eq!(send(app.api(Method::PATCH, &path).body(r#"{"status":"contacted"}"#)).await.0, 200);
    for _ in 0..3 {
        app.engine.work_off().await;
        app.clock.advance(Duration::from_secs(60));
    }
    assert!(receiver.take().len() > 3, "the events went out");
    lead
}

async fn found_on_disk(app: &TestApp, words: &[&str]) -> Vec<String> {
    let mut stored = stored_bytes(app.database()).await;
    stored
        .extend(app.stored_files().into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())));
    let any = words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    let any = regex::bytes::Regex::new(&format!("(?i-u:{any})")).unwrap();
    let told = |(place, bytes): &(String, Vec<u8>)| {
        let found: std::collections::BTreeSet<_> =
            any.find_iter(bytes).map(|found| String::from_utf8_lossy(found.as_bytes()).into_owned()).collect();
        found.into_iter().map(|word| format!("{word} in {place}")).collect::<Vec<_>>()
    };
    stored.iter().flat_map(told).collect()
}

on_both_engines! {
    async fn a_stolen_disk_tells_nothing_of_a_homeowner(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let answer = "we will call zq.roof@example.com";
        let mut receiver = Receiver::start(Reply::With(200, "content-type: text/plain\r\n", answer)).await;
        let lead = everything(&app, &mut receiver).await;
        let known = record(&app, &lead).await;
        assert_eq!((&known["lastName"], &known["status"]), (&json!("Quizzelthorn"), &json!("contacted")));
        // The same search finds what is not secret.
        assert!(!found_on_disk(&app, &["Oak Roofing"]).await.is_empty());
        assert_eq!(found_on_disk(&app, &WORDS).await, [""; 0]);
        let street = found_on_disk(&app, &[STREET]).await;
        // The log of PostgreSQL's server is that of all tests.
        assert!(street.iter().all(|place| place.contains("pg_wal")), "{street:?}");
    }

    async fn the_log_tells_nothing_of_a_homeowner(f: Fixture) {
        let log = captured_log();
        let app = TestApp::start_with(f, open).await;
        let mut receiver = Receiver::start(Reply::With(500, "content-type: text/plain\r\n", "no zq.roof@example.com here")).await;
        let lead = everything(&app, &mut receiver).await;
        // The link to the estimate opens it for whoever has it.
        let (_, receipt) = again(&app, &lead, "en").await;
        let link = receipt["link"].as_str().unwrap().strip_prefix(&app.base).unwrap().to_owned();
        for path in [link.clone(), format!("{link}/print"), format!("{link}/nowhere")] {
            fetch(app.get(&path)).await;
        }
        let opener = link.rsplit('/').next().unwrap().to_owned();
        // What goes wrong is logged with more words than what goes right.
        for (path, body) in [
            ("/api/v1/people/export", r#"{"email":"zq.roof@example"}"#),
            ("/api/v1/people/erase", r#"{"phone":"(207) 555-0143"}"#),
            ("/api/v1/webhooks", r#"{"name":"Zephyrine","url":"https://zq.roof@example.com/"}"#),
            ("/api/v1/leads/zq.roof@example.com", "{}"),
        ] {
            send(app.api(Method::POST, path).body(body)).await;
        }
        send(app.api(Method::GET, "/api/v1/leads?search=Quizzelthorn")).await;
        send(app.api(Method::GET, &format!("/api/v1/leads/{}?name=Zephyrine", lead.id))).await;
        assert_eq!(shingle_server::chores::run(&app.app).await, [""; 0]);
        let text = String::from_utf8_lossy(&log.lock().unwrap()).into_owned();
        assert!(text.contains("/api/v1/people/export"), "it is this log");
        let tokens = [lead.token.as_str(), app.sandbox.token.as_str(), opener.as_str()];
        for word in WORDS.iter().copied().chain([STREET]).chain(tokens) {
            assert!(!text.contains(word), "{word} in the log: {text}");
        }
    }

    async fn after_a_restart_the_records_read_as_they_were(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let lead = everything(&app, &mut receiver).await;
        let id = lead.id.parse().unwrap();
        let tenant = shingle_domain::Tenant { account: app.account, environment: shingle_domain::Environment::Sandbox };
        let again = Store::open(app.database(), app.clock.clone(), &Fixture::SECRET).await.unwrap();
        let read = again.find_lead(&tenant, id).await.unwrap().unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), record(&app, &lead).await);
        assert_eq!(again.list_consents(&tenant, id).await.unwrap()[0].user_agent.as_deref(), Some("Wallaby/77"));
        let events = again.list_events(&tenant, id.0).await.unwrap();
        let payload: Value = serde_json::from_str(events[0].payload.as_deref().unwrap()).unwrap();
        assert_eq!(payload["data"]["email"], "zq.roof@example.com");
        again.close().await.unwrap();
    }
}
