//! What a stolen disk reveals about homeowners: nothing.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store::Store;
use shingle_store_fixture::{Fixture, backup_bytes, on_both_engines, stored_bytes};

use crate::deliveries::open;
use crate::kept::{again, upload};
use crate::support::captured_log::captured_log;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, fetch, images, send};
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
    let mut photo = images::png(64, 48);
    photo.extend_from_slice(b"Quizzelthorn");
    let (status, kept) = upload(app, &lead, photo).await;
    assert_eq!(status, 201, "{kept}");
    for _ in 0..3 {
        app.engine.work_off().await;
        app.clock.advance(Duration::from_secs(60));
    }
    assert!(receiver.take().len() > 3, "the events went out");
    lead
}

/// What is encrypted of the lead, and hashes of its person: none of it may outlive an erasure, although it tells nobody
/// anything without the secret file.
const SEALED: &str = "SELECT record FROM lead WHERE record IS NOT NULL
     UNION ALL SELECT drawing FROM lead WHERE drawing IS NOT NULL
     UNION ALL SELECT shown FROM lead WHERE shown IS NOT NULL
     UNION ALL SELECT email_hash FROM lead WHERE email_hash IS NOT NULL
     UNION ALL SELECT phone_hash FROM lead WHERE phone_hash IS NOT NULL
     UNION ALL SELECT address_hash FROM lead WHERE address_hash IS NOT NULL
     UNION ALL SELECT evidence FROM consent WHERE evidence IS NOT NULL
     UNION ALL SELECT payload FROM event WHERE payload IS NOT NULL AND resource_id IN (SELECT id FROM lead)
     UNION ALL SELECT progress FROM delivery WHERE progress IS NOT NULL
     UNION ALL SELECT exchange FROM attempt WHERE exchange IS NOT NULL";
/// The keyed hashes of its words, for which the same holds.
const TOKENS: &str = "SELECT CAST(token AS TEXT) FROM lead_token";

/// A number as text, and as the two engines store it.
fn pattern_of_number(text: &str) -> String {
    let number: i64 = text.parse().unwrap();
    let bytes = |bytes: [u8; 8]| bytes.map(|byte| format!("\\x{byte:02x}")).concat();
    format!("{}|{}|{}", regex::escape(text), bytes(number.to_be_bytes()), bytes(number.to_le_bytes()))
}

fn any_of(patterns: &[String]) -> regex::bytes::Regex {
    let any = regex::bytes::RegexBuilder::new(&patterns.join("|")).unicode(false).size_limit(1 << 26).build();
    any.unwrap()
}

/// Where anything that matches one of these stands, in the database's files and rows, in a backup, and beside the database.
async fn sealed_on_disk(app: &TestApp, sealed: &[String]) -> Vec<String> {
    let mut places = stored_bytes(app.database()).await;
    places.extend(backup_bytes(app.database()).await.map(|bytes| ("a backup".into(), bytes)));
    // PostgreSQL's log of writes is that of all tests, and is written over on its own.
    places.retain(|(place, _)| !place.contains("pg_wal"));
    let any = any_of(sealed);
    places.into_iter().filter(|(_, bytes)| any.is_match(bytes)).map(|(place, _)| place).collect()
}

/// The lead of [`everything`], searched for once and with its photograph, and patterns of what is written of it: encrypted
/// texts first.
async fn sealed_lead(app: &TestApp) -> (Sent, Vec<String>) {
    let answer = "we will call zq.roof@example.com";
    let mut receiver = Receiver::start(Reply::With(200, "content-type: text/plain\r\n", answer)).await;
    let lead = everything(app, &mut receiver).await;
    let (_, found) = send(app.api(Method::GET, "/api/v1/leads?search=Quizzelthorn")).await;
    assert_eq!(found["data"][0]["id"], lead.id.as_str());
    let texts = app.texts(SEALED).await;
    assert!(texts.len() > 10 && texts.iter().all(|text| text.len() >= 16), "{texts:?}");
    let tokens = app.texts(TOKENS).await;
    assert!(tokens.len() > 30, "{tokens:?}");
    // Long texts are torn where a page ends.
    let pieces = texts.iter().flat_map(|text| text.as_bytes().chunks(48).filter(|piece| piece.len() >= 16));
    let pieces = pieces.map(|piece| regex::escape(&String::from_utf8_lossy(piece)));
    let sealed: Vec<_> = pieces.chain(tokens.iter().map(|token| pattern_of_number(token))).collect();
    assert!(app.stored_files().iter().any(|path| path.display().to_string().contains("photos")));
    (lead, sealed)
}

async fn nothing_is_left(app: &TestApp, sealed: &[String]) {
    assert_eq!(shingle_app::chores::run(app.app.app()).await, [""; 0]);
    app.rewrite_pages_of_postgres().await;
    assert_eq!(sealed_on_disk(app, sealed).await, [""; 0]);
    assert_eq!(app.texts(SEALED).await, [""; 0]);
    assert_eq!(app.texts(TOKENS).await, [""; 0]);
    let files = app.stored_files();
    assert!(files.iter().all(|path| !path.display().to_string().contains("photos")), "{files:?}");
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

    async fn a_backup_tells_nothing_of_a_homeowner(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let (_, sealed) = sealed_lead(&app).await;
        let Some(backup) = backup_bytes(app.database()).await else { return };
        let has = |word: &str| backup.windows(word.len()).any(|part| part == word.as_bytes());
        assert!(has("Oak Roofing") && any_of(&sealed[..1]).is_match(&backup), "what is not secret and what is sealed is in it");
        for word in WORDS.iter().chain([&STREET]) {
            assert!(!has(word), "{word}");
        }
    }

    async fn of_an_erased_person_nothing_is_left_on_disk(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let (lead, sealed) = sealed_lead(&app).await;
        for known in [&sealed[0], sealed.last().unwrap()] {
            let found = sealed_on_disk(&app, std::slice::from_ref(known)).await;
            assert!(!found.is_empty(), "the scan finds what is there: {known}");
        }
        let erase = app.api(Method::POST, "/api/v1/people/erase").body(r#"{"phone":"(207) 555-0143"}"#);
        assert_eq!(send(erase).await.1["leads"], json!([lead.id]));
        nothing_is_left(&app, &sealed).await;
    }

    async fn of_a_lead_that_was_kept_long_enough_nothing_is_left_on_disk(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let (_, sealed) = sealed_lead(&app).await;
        app.store.accounts().set_retention(app.account, Some(30)).await.unwrap();
        app.clock.advance(Duration::from_secs(31 * 24 * 3_600));
        nothing_is_left(&app, &sealed).await;
    }

    async fn the_log_tells_nothing_of_a_homeowner(f: Fixture) {
        let log = captured_log();
        let app = TestApp::start_with(f, open).await;
        let mut receiver = Receiver::start(Reply::With(500, "content-type: text/plain\r\n", "no zq.roof@example.com here")).await;
        let lead = everything(&app, &mut receiver).await;
        // The link to the estimate opens it for anyone who has it.
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
        assert_eq!(shingle_app::chores::run(app.app.app()).await, [""; 0]);
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
        let read = again.leads().find(&tenant, id).await.unwrap().unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), record(&app, &lead).await);
        assert_eq!(again.consents().list(&tenant, id).await.unwrap()[0].user_agent.as_deref(), Some("Wallaby/77"));
        let events = again.deliveries().list_events(&tenant, id.0).await.unwrap();
        let payload: Value = serde_json::from_str(events[0].payload.as_deref().unwrap()).unwrap();
        assert_eq!(payload["data"]["email"], "zq.roof@example.com");
        again.close().await.unwrap();
    }
}
