//! Leads from a file of the company.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Method;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use shingle_app::chores;
use shingle_app::leads::by_hand::{self, HandLead, VoiceConsent};
use shingle_domain::public::AddressChoice;
use shingle_domain::{Environment, Language, LeadImportId, Phone, Role, Tenant};
use shingle_store::{ImportProgress, ImportStage};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::{TestApp, fetch, header, send};

const FILE: &str = "Full Name,Mobile,E-mail,Job Address,Stage,Est. Total,Created,Salesperson,Tags,Notes\n\
    Ana Kowalski,207-555-0134,ana.k@example.com,\"14 Alder Court, Harrow Falls, ME 04995\",Sold,\"$21,450.00\",10/14/2025,Maya Lindqvist,\"hail, insurance\",Gate code 12\n\
    \"=HYPERLINK(\"\"x\"\")\",207-555-0177,,\"6 Quarry Lane, Saco, ME\",Dead,,,,,\n\
    Mina Park,+82 2 555 0199,mina@example.com,\"11 Dock Street, Portland, ME\",Follow Up,,,,,\n\
    Nobody,,,Unknown,New,,,,,\n\
    Ana K.,(207) 555-0134,,\"14 Alder Court, Harrow Falls, ME 04995\",New,,,,,Second row\n";

/// Sends a file as a browser does; gives the status, and the page or where it leads.
async fn upload(app: &TestApp, browser: &Browser<'_>, name: &str, bytes: &[u8]) -> (u16, String) {
    let form = Form::new().part("file", Part::bytes(bytes.to_vec()).file_name(name.to_owned()));
    let request =
        app.request(Method::POST, "/portal/leads/import?data=sandbox").header("sec-fetch-site", "same-origin");
    let response = fetch(request.header("cookie", browser.cookies()).multipart(form)).await;
    let (status, location) = (response.status().as_u16(), header(&response, "location").to_owned());
    if location.is_empty() { (status, response.text().await.unwrap()) } else { (status, location) }
}

async fn leads_of(app: &TestApp) -> Vec<Value> {
    let mut all = send(app.api(Method::GET, "/api/v1/leads")).await.1["data"].as_array().unwrap().clone();
    all.sort_by_key(|lead| lead["firstName"].as_str().unwrap_or_default().to_owned());
    all
}

/// The page of a file, once no server works on it.
async fn settled(browser: &mut Browser<'_>, path: &str) {
    for _ in 0..600 {
        browser.open(path).await;
        if !browser.html.contains("data-progress") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{path} works for ever: {}", browser.html);
}

async fn imported(app: &TestApp, browser: &mut Browser<'_>, text: &str, known: &str) -> String {
    let (status, path) = upload(app, browser, "jobs.csv", text.as_bytes()).await;
    assert_eq!(status, 303, "{path}");
    browser.open(&format!("{path}&step=check")).await;
    let action = format!("{}/start", path.split('?').next().unwrap());
    browser.submit_to(&action, &[("known", known)]).await;
    settled(browser, &path).await;
    path
}

on_both_engines! {
    async fn a_file_becomes_leads_in_four_steps_and_nobody_is_alerted(f: Fixture) {
        let app = TestApp::start(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads/import?data=sandbox").await;
        browser.shows(200, "You need a widget first");
        app.widget().await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "/portal/leads/import?data=sandbox");

        let (status, path) = upload(&app, &browser, "jobs-2026.csv", FILE.as_bytes()).await;
        assert_eq!(status, 303, "{path}");
        browser.open(&path).await;
        for said in ["jobs-2026.csv, 5 rows", "Match your columns", "Columns: 10. Used: 10.", "Month first", "Read as UTF-8, with commas.", "Check 5 rows"] {
            browser.shows(200, said);
        }
        browser.press("Check 5 rows").await;
        for said in ["<b>3</b>", "As in row 2", "No phone or email", "Kept as text", "Phone kept as a note", "1 is already here", "We know the home of 1 of 3 new leads.", "Import 3 new leads", "Ask before you call or text."] {
            browser.shows(200, said);
        }
        assert_eq!(leads_of(&app).await, [] as [Value; 0], "nothing is a lead before the button");
        browser.press("Import 3 new leads").await;
        settled(&mut browser, &path).await;
        for said in ["3 new leads are in", "3 new, 1 filled in, 0 skipped, 1 left out. 1 have a roof and a price.", "Undo import"] {
            browser.shows(200, said);
        }

        let all = leads_of(&app).await;
        let [formula, ana, mina] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!((&formula["firstName"], &formula["status"]), (&json!("=HYPERLINK(\"x\")"), &json!("lost")));
        assert_eq!((&ana["status"], &ana["createdAt"], &ana["phone"]), (&json!("won"), &json!("2025-10-14T12:00:00.000Z"), &json!("(207) 555-0134")));
        assert_eq!((&ana["source"]["via"], &ana["consent"]["given"]), (&json!("import"), &json!(false)));
        assert!(ana["estimate"]["prices"].as_array().is_some_and(|prices| !prices.is_empty()), "{ana}");
        assert_eq!((&mina["phone"], &mina["email"], &mina["status"]), (&Value::Null, &json!("mina@example.com"), &json!("contacted")));

        browser.open(&format!("/portal/leads/{}?data=sandbox", ana["id"].as_str().unwrap())).await;
        for said in ["Maya Lindqvist imported this lead from “jobs-2026.csv”", "Gate code 12", "Second row", "hail", "insurance", "21450", "Source: From a file"] {
            browser.shows(200, said);
        }
        browser.open(&format!("/portal/leads/{}/consent?data=sandbox", ana["id"].as_str().unwrap())).await;
        browser.shows(200, "The file “jobs-2026.csv” says nothing of it. Imported by Maya Lindqvist.");
        browser.open("/portal/leads?data=sandbox&source=import&search=Mina").await;
        browser.shows(200, "Mina Park");

        // The rows that were left out come back with the reason; the rest of the file is gone.
        let action = path.split('?').next().unwrap();
        browser.open(&format!("{action}/left-out.csv?data=sandbox")).await;
        browser.shows(200, "No phone or email,Nobody,");
        assert!(!browser.html.contains("Kowalski"), "{}", browser.html);
        // Nobody was told.
        assert_eq!(app.number("SELECT COUNT(*) FROM delivery").await, 0);
    }

    async fn people_who_are_here_are_filled_in_skipped_or_added(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let first = "Name,Phone,Address\nRuth,207-555-0151,\"90 Elm Street, Westbrook, ME\"\n";
        let more = "Name,Phone,Email,Address,Notes\nRuth Adeyemi,207-555-0151,ruth@example.com,\"90 Elm St Westbrook ME\",Called twice\n";
        imported(&app, &mut browser, first, "fillIn").await;
        imported(&app, &mut browser, more, "skip").await;
        browser.shows(200, "0 new, 0 filled in, 1 skipped");
        assert_eq!(leads_of(&app).await[0]["email"], Value::Null);
        imported(&app, &mut browser, more, "fillIn").await;
        browser.shows(200, "0 new, 1 filled in, 0 skipped");
        let all = leads_of(&app).await;
        assert_eq!(all.len(), 1);
        assert_eq!((&all[0]["email"], &all[0]["lastName"], &all[0]["address"]), (&json!("ruth@example.com"), &json!("Adeyemi"), &json!("90 Elm Street, Westbrook, ME")));
        // Once more, there is nothing to fill in, and no note twice.
        imported(&app, &mut browser, more, "fillIn").await;
        browser.shows(200, "0 new, 0 filled in, 1 skipped");
        imported(&app, &mut browser, more, "addAnyway").await;
        browser.shows(200, "1 new lead is in");
        assert_eq!(leads_of(&app).await.len(), 2);
        // Another home of hers is another lead.
        let other = more.replace("90 Elm St", "12 Oak St");
        imported(&app, &mut browser, &other, "fillIn").await;
        browser.shows(200, "1 new lead is in");
        assert_eq!(leads_of(&app).await.len(), 3);
    }

    async fn an_import_is_undone_except_for_what_somebody_worked_on(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let text = "Name,Phone,Address\nAna,207-555-0134,1 A Street\nBo,207-555-0135,2 A Street\nCy,207-555-0136,3 A Street\n";
        let path = imported(&app, &mut browser, text, "fillIn").await;
        app.clock.advance(Duration::from_secs(60));
        let bo = leads_of(&app).await[1]["id"].as_str().unwrap().to_owned();
        browser.open(&format!("/portal/leads/{bo}?data=sandbox")).await;
        browser.submit_to(&format!("/portal/leads/{bo}/note"), &[("note", "Called")]).await;
        browser.open(&path).await;
        browser.press("Erase the leads of this file").await;
        settled(&mut browser, &path).await;
        browser.shows(200, "The import is undone");
        let left = leads_of(&app).await;
        assert_eq!(left.iter().map(|lead| lead["firstName"].as_str().unwrap()).collect::<Vec<_>>(), ["Bo"]);
        // Another member cannot delete a file, and sees no button for it.
        let (_, second) = upload(&app, &browser, "more.csv", text.as_bytes()).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut other = signed_in(&app, &luis).await;
        other.open(&second).await;
        other.shows(200, "Match your columns");
        assert!(!other.html.contains("Delete the file"), "{}", other.html);
        other.send_to(&format!("{}/delete", second.split('?').next().unwrap()), &[("data", "sandbox")]).await;
        assert_eq!(other.status, 404);
        // It cannot begin again.
        let action = path.split('?').next().unwrap().to_owned();
        browser.send_to(&format!("{action}/start"), &[("data", "sandbox")]).await;
        browser.shows(200, "The import is undone");
    }

    async fn an_import_whose_server_died_goes_on_and_stores_no_row_twice(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let rows: String = (0..250).map(|n| format!("P{n},207-555-{:04},{n} A Street\n", 1_000 + n)).collect();
        let (_, path) = upload(&app, &browser, "jobs.csv", format!("Name,Phone,Address\n{rows}").as_bytes()).await;
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let id: LeadImportId = path.split(['/', '?']).find_map(|part| part.parse().ok()).unwrap();
        assert!(app.store.leads().move_import(&tenant, id, &[ImportStage::Open], ImportStage::Running).await.unwrap());
        // A server stored a row and died before it noted that.
        let stored = by_hand::widgets_for(app.app.app(), &tenant).await.unwrap().remove(0);
        let stored = Arc::new(stored);
        let address = AddressChoice::Line("0 A Street".to_owned());
        let home = by_hand::home_of(app.app.app(), &tenant, Arc::clone(&stored), address).await.unwrap();
        let row = HandLead {
            first_name: "P0".to_owned(),
            last_name: String::new(),
            email: None,
            phone: Phone::parse_loosely("207-555-1000"),
            message: None,
            language: Language::English,
            consent: VoiceConsent::NotAsked,
        };
        by_hand::add(app.app.app(), &tenant, &stored, &maya, (row, home), &format!("import {id} 2")).await.unwrap();
        chores::run(app.app.app()).await;
        let progress = || async { app.store.leads().find_import(&tenant, id).await.unwrap().unwrap().progress };
        assert_eq!(progress().await, ImportProgress::default(), "its server may be alive");
        app.clock.advance(Duration::from_secs(180));
        chores::run(app.app.app()).await;
        settled(&mut browser, &path).await;
        browser.shows(200, "250 new, 0 filled in, 0 skipped, 0 left out.");
        assert_eq!(app.number("SELECT COUNT(*) FROM lead").await, 250);
        // A week later its rows and what is needed to undo it are gone, and its leads are here.
        app.clock.advance(Duration::from_secs(8 * 24 * 3_600));
        chores::run(app.app.app()).await;
        browser.open(&path).await;
        browser.shows(404, "Nothing here");
    }

    async fn files_that_cannot_be_imported_say_why_and_leave_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let long = format!("Name,Phone,Address\n{}", "Ana,207-555-0134,1 A Street\n".repeat(10_001));
        for (bytes, status, said) in [
            (&b"PK\x03\x04xl"[..], 422, "This is an Excel file, not CSV."),
            (b"%PDF-1.7", 422, "This isn’t a CSV file."),
            (b"", 422, "The file is empty."),
            (b"Name,Phone\n", 422, "no rows under them"),
            (b"Name,Address\nAna,1 A Street\n", 422, "No column could be a phone or an email."),
            (b"Name,Phone\nAna,1\n\"Bo,2\n", 422, "In row 3, a quotation mark"),
            (long.as_bytes(), 422, "Rows in the file: 10,001."),
        ] {
            let (found, page) = upload(&app, &browser, "x.csv", bytes).await;
            assert_eq!(found, status, "{page}");
            assert!(page.contains(said), "{said}: {page}");
        }
        let (status, page) = upload(&app, &browser, "x.csv", &vec![b'a'; 11 * 1024 * 1024]).await;
        assert_eq!(status, 413, "{page}");
        browser.open("/portal/leads/import?data=sandbox").await;
        assert!(!browser.html.contains("x.csv"), "{}", browser.html);

        // Without a contact nothing is checked; another company sees nothing of it.
        let (_, path) = upload(&app, &browser, "x.csv", FILE.as_bytes()).await;
        let action = path.split('?').next().unwrap().to_owned();
        browser.open(&path).await;
        browser.submit_to(&format!("{action}/match"), &[("column-1", "leaveOut"), ("column-2", "leaveOut")]).await;
        browser.shows(422, "Match one column with a phone or an email");
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "owner@elm.example.com").await;
        let mut theirs = signed_in(&app, &stranger).await;
        for page in [path.clone(), format!("{action}/progress?data=sandbox"), format!("{action}/left-out.csv?data=sandbox")] {
            theirs.open(&page).await;
            assert_eq!(theirs.status, 404, "{page}");
        }
        theirs.send_to(&format!("{action}/start"), &[("data", "sandbox")]).await;
        assert_eq!(theirs.status, 404);
        browser.open(&path).await;
        browser.press("Delete the file").await;
        browser.open(&path).await;
        browser.shows(404, "Nothing here");
    }
}
