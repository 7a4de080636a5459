//! The commands about personal data, on leads that are in the database.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use shingle_domain::lead::LeadSource;
use shingle_domain::{AccountId, Email, Environment, Phone, Tenant, Timestamp};
use shingle_store::{Clock, ConsentDraft, LeadDraft, Secret, Store};

struct Today;

impl Clock for Today {
    fn now(&self) -> Timestamp {
        Timestamp::parse_iso("2026-03-10T12:00:00Z").unwrap()
    }

    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

fn shingle(data: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shingle"));
    command.current_dir(data).args(words).arg("--data").arg(data.join("kept")).output().unwrap()
}

fn text(data: &Path, words: &[&str]) -> String {
    let output = shingle(data, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(data: &Path, words: &[&str]) -> Value {
    serde_json::from_str(&text(data, &[words, &["--json"]].concat())).unwrap()
}

fn failure(data: &Path, words: &[&str]) -> String {
    let output = shingle(data, words);
    assert!(!output.status.success(), "{words:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// An account with two leads of one day: of Ann, who left a phone number, and of Bo.
fn installation(data: &Path) -> (String, [String; 2]) {
    let account = json(data, &["account", "create", "--name", "Oak Roofing"])["id"].as_str().unwrap().to_owned();
    let made = json(data, &["widget", "create", "--account", &account, "--url", "https://oak.example.com"]);
    let widget = made["referenceId"].as_str().unwrap().parse().unwrap();
    let kept = data.join("kept");
    let leads = tokio::runtime::Runtime::new().unwrap().block_on(async {
        let secret = Secret::load_or_create(&kept.join("secret")).unwrap();
        let database = format!("sqlite://{}", kept.join("shingle.db").display());
        let store = Store::open(&database, Arc::new(Today), &secret).await.unwrap();
        let tenant = Tenant { account: account.parse::<AccountId>().unwrap(), environment: Environment::Sandbox };
        let mut ids = Vec::new();
        for (name, phone) in [("Ann", Some("(207) 555-0143")), ("Bo", None)] {
            let draft = draft(name, phone);
            ids.push(
                store.leads().accept(&tenant, widget, &draft, name, name.as_bytes()).await.unwrap().lead.id.to_string(),
            );
        }
        store.close().await.unwrap();
        ids
    });
    (account, leads.try_into().unwrap())
}

fn draft(name: &str, phone: Option<&str>) -> LeadDraft {
    LeadDraft {
        address: "14 Alder Court, Portland, ME 04103".to_owned(),
        first_name: name.to_owned(),
        last_name: "Sample".to_owned(),
        email: Email::parse(&format!("{}@example.com", name.to_lowercase())),
        phone: phone.and_then(Phone::parse),
        preferred_contact_time: None,
        roof_material: None,
        message: None,
        estimate: None,
        drawing: None,
        shown: None,
        source: LeadSource::default(),
        consent: ConsentDraft {
            given: true,
            text: "Oak Roofing may call me about my roof.".to_owned(),
            page_url: None,
            ip: Some("198.51.100.7".to_owned()),
            user_agent: Some("Sample/1.0".to_owned()),
        },
        changes: None,
        added_by: None,
        spam: None,
    }
}

#[test]
fn a_certificate_is_made_printed_and_checked_offline() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (account, [ann, _]) = installation(data);
    let shown = text(data, &["lead", "consent", &ann]);
    assert!(shown.contains("(207) 555-0143") && shown.contains("consent 1  given"), "{shown}");
    let certificate = text(data, &["lead", "consent", &ann, "--json"]);
    let [file, page] = ["certificate.json", "certificate.html"].map(|name| data.join(name));
    std::fs::write(&file, &certificate).unwrap();
    let (file, page) = (file.to_str().unwrap(), page.to_str().unwrap());
    assert!(text(data, &["lead", "consent", &ann, "--page", page]).contains(page));
    assert!(std::fs::read_to_string(page).unwrap().contains("(207) 555-0143"));

    let key = text(data, &["consent", "key"]);
    assert!(text(data, &["consent", "verify", file]).contains(key.trim()));
    // Offline: another folder, which knows nothing of the installation.
    let elsewhere = tempfile::tempdir().unwrap();
    let told = text(elsewhere.path(), &["consent", "verify", file, "--key", key.trim()]);
    assert!(told.contains("It comes from the installation with the given key"), "{told}");
    assert!(!elsewhere.path().join("kept").exists(), "nothing was made");
    let other = "ab".repeat(32);
    assert!(failure(data, &["consent", "verify", file, "--key", &other]).contains("signed by another installation"));
    assert!(failure(data, &["consent", "verify", file, "--key", "xyz"]).contains("64 hexadecimal digits"));
    for (from, to, told) in [
        ("555-0143", "555-0144", "consent 1: `phone` is not what was recorded"),
        ("\"given\":true", "\"given\":false", "consent 1: `given` is not what was recorded"),
        ("Oak Roofing", "Elm Roofing", "the signature does not fit"),
        ("\"form\"", "\"from\"", "is missing, unknown or of another form"),
    ] {
        let changed = certificate.replace(from, to);
        assert_ne!(changed, certificate, "{from}");
        std::fs::write(file, changed).unwrap();
        let error = failure(data, &["consent", "verify", file]);
        assert!(error.contains(told), "{error}");
    }
    assert!(failure(data, &["consent", "verify", "nowhere.json"]).contains("cannot be read"));
    assert!(
        text(data, &["consent", "check", "--account", &account]).starts_with("2 consents are as they were recorded")
    );
    let nobody = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";
    assert!(failure(data, &["lead", "consent", nobody]).contains("There is no such lead"));
    assert!(failure(data, &["consent", "check", "--account", nobody]).contains("There is no such account"));
}

#[test]
fn a_person_is_handed_out_shown_and_erased() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (account, [ann, bo]) = installation(data);
    let of = ["--account", &account, "--phone", "207.555.0143"];
    let export: Value = serde_json::from_str(&text(data, &[&["person", "export"], &of[..]].concat())).unwrap();
    assert_eq!((export.as_array().unwrap().len(), &export[0]["lead"]["id"]), (1, &ann.as_str().into()));
    let shown = text(data, &[&["person", "erase"], &of[..]].concat());
    assert!(shown.contains(&ann) && !shown.contains(&bo) && shown.contains("Nothing is erased yet"), "{shown}");
    assert_eq!(json(data, &["lead", "list", "--account", &account]).as_array().unwrap().len(), 2);
    let done = json(data, &[&["person", "erase", "--yes"], &of[..]].concat());
    assert_eq!(done, serde_json::json!({ "erased": true, "leads": [ann] }));
    assert_eq!(json(data, &["lead", "list", "--account", &account])[0]["id"], bo.as_str());
    assert!(text(data, &[&["person", "erase", "--yes"], &of[..]].concat()).contains("No lead has this"));
    assert!(failure(data, &["person", "erase", "--account", &account]).contains("--email"));
    assert!(
        failure(data, &["person", "erase", "--account", &account, "--email", "ann"])
            .contains("such as ann@example.com")
    );
    let found = json(data, &["lead", "list", "--account", &account, "--search", "bo"]);
    assert_eq!(found[0]["id"], bo.as_str());
    assert!(
        text(data, &["lead", "list", "--account", &account, "--search", "ann"]).contains("No lead has these words.")
    );
}

#[test]
fn how_long_leads_are_kept_is_shown_before_it_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (account, _) = installation(data);
    assert_eq!(text(data, &["account", "retention", &account]).trim(), "Leads are kept for good.");
    let shown = text(data, &["account", "retention", &account, "30"]);
    assert!(shown.contains("2 leads are older than 30 days") && shown.contains("Nothing was changed"), "{shown}");
    assert!(shown.contains("disputed for four years"), "{shown}");
    let set = json(data, &["account", "retention", &account, "30", "--yes"]);
    assert_eq!((&set["days"], &set["set"], &set["due"]["leads"]), (&30.into(), &true.into(), &2.into()));
    let shown = text(data, &["account", "retention", &account]);
    assert!(shown.contains("erased 30 days after they came; this acts from 2"), "{shown}");
    assert!(text(data, &["account", "retention", &account, "none", "--yes"]).contains("kept for good"));
    for wrong in ["0", "40000", "never"] {
        assert!(failure(data, &["account", "retention", &account, wrong]).contains("days from 1 to 36500, or `none`"));
    }
}
