//! Leads in the portal.

use reqwest::Method;
use serde_json::json;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch, header, send};

/// Leads of the sandbox, the newest last.
pub async fn with_leads(app: &TestApp, names: &[&str]) {
    app.widget().await;
    for name in names {
        let mut sent = app.submission().await;
        sent["lastName"] = (*name).into();
        sent["email"] =
            format!("{}@example.com", name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "")).into();
        sent["phone"] = "(207) 555-0143".into();
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt}");
        app.clock.advance(std::time::Duration::from_secs(60));
    }
}

pub async fn ids(app: &TestApp) -> Vec<String> {
    let (_, list) = send(app.api(Method::GET, "/api/v1/leads")).await;
    list["data"].as_array().unwrap().iter().map(|lead| lead["id"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    async fn a_member_reads_takes_and_finishes_a_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/leads").await;
        browser.shows(200, "No lead yet");
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Ann Ferreira");
        assert!(browser.html.find("Ferreira") < browser.html.find("Whitfield"), "newest first");
        assert_eq!(browser.html.matches("Unread. ").count(), 2);
        browser.open("/portal/leads?data=sandbox&search=whit").await;
        assert!(browser.html.contains("Ann Whitfield") && !browser.html.contains("Ferreira"));
        browser.open("/portal/leads?data=sandbox&search=nobody").await;
        browser.shows(200, "No lead matches");
        browser.open("/portal/leads?data=sandbox&status=won").await;
        browser.shows(200, "No lead matches");
        browser.open("/portal/leads?data=sandbox&status=lukewarm&from=yesterday&cursor=x").await;
        browser.shows(200, "Ann Ferreira");
        assert!(browser.html.contains("role=\"alert\""), "what was not understood is told");

        let lead = ids(&app).await[0].clone();
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(200, "I’m on it");
        for shown in ["Call (207) 555-0143", "tel:+12075550143", "14 Alder Court", "Consent", "Drawing and print sheet", "sq ft", "sms:"] {
            assert!(browser.html.contains(shown), "{shown}: {}", browser.html);
        }
        browser.press("I’m on it").await;
        browser.shows(200, "Maya Lindqvist is on it.");
        browser.submit_to(&format!("/portal/leads/{lead}/status"), &[("status", "qualified")]).await;
        browser.shows(200, "Saved.");
        // Somebody else changes it while this page is open.
        let patch = app.api(Method::PATCH, &format!("/api/v1/leads/{lead}")).body(json!({ "status": "lost" }).to_string());
        app.clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(send(patch).await.0, 200);
        browser.submit_to(&format!("/portal/leads/{lead}/status"), &[("status", "won")]).await;
        browser.shows(200, "Somebody has changed this lead");
        assert!(browser.html.contains("<option value=\"lost\" selected=\"\">"), "as it stands now");

        browser.open(&format!("/portal/leads/{lead}/consent?data=sandbox")).await;
        browser.shows(200, "Certificate of consent");
        browser.open("/portal/leads?data=sandbox").await;
        assert_eq!(browser.html.matches("Unread. ").count(), 1, "one was opened");

        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        let reference = browser.html.split("To erase it, type ").nth(1).unwrap().split('<').next().unwrap().to_owned();
        browser.submit_to(&format!("/portal/leads/{lead}/erase"), &[("reference", "")]).await;
        browser.shows(200, "Nothing was erased");
        browser.submit_to(&format!("/portal/leads/{lead}/erase"), &[("reference", &reference.to_lowercase())]).await;
        browser.shows(200, "The lead is erased");
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(404, "Nothing here");
    }

    async fn the_status_of_several_is_set_at_once(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman"]).await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        let ids = ids(&app).await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.submit_to("/portal/leads/status", &[("status", "contacted")]).await;
        browser.shows(200, "Nothing was selected");
        browser.submit_to("/portal/leads/status", &[("status", "contacted"), ("lead", &ids[0]), ("lead", &ids[2])]).await;
        browser.shows(200, "The status is set");
        browser.open("/portal/leads?data=sandbox&status=contacted").await;
        assert!(browser.html.contains("Raman") && browser.html.contains("Whitfield") && !browser.html.contains("Ferreira"));
        let csv = fetch(app.get("/portal/leads.csv?data=sandbox&status=contacted").header("cookie", browser.cookies())).await;
        assert_eq!(header(&csv, "content-type"), "text/csv; charset=utf-8");
        let text = csv.text().await.unwrap();
        assert!(text.lines().count() == 3 && text.contains("Raman") && !text.contains("Ferreira"), "{text}");
    }

    async fn another_company_sees_and_changes_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let lead = ids(&app).await.remove(0);
        let other = app.store.create_account("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "eve@elm.example.com").await;
        let own = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &stranger).await;
        for path in [format!("/portal/leads/{lead}?data=sandbox"), format!("/portal/leads/{lead}/consent?data=sandbox"), "/portal/leads/x".to_owned()] {
            browser.open(&path).await;
            browser.shows(404, "Nothing here");
        }
        browser.open("/portal/leads?data=sandbox&search=whitfield").await;
        assert!(!browser.html.contains("Ann Whitfield"));
        let session = app.store.list_sessions(own.id).await.unwrap();
        assert!(session.is_empty());
        signed_in(&app, &own).await;
        let session = app.store.list_sessions(own.id).await.unwrap()[0].id;
        let post = |path: String, body: String| {
            let request = app.request(Method::POST, &path).header("origin", &app.base).header("cookie", browser.cookies());
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body))
        };
        for (path, body) in [
            (format!("/portal/leads/{lead}/status"), "data=sandbox&status=lost".to_owned()),
            (format!("/portal/leads/{lead}/take"), "data=sandbox".to_owned()),
            (format!("/portal/leads/{lead}/erase"), "data=sandbox&reference=x".to_owned()),
            (format!("/portal/leads/{lead}/explode"), "data=sandbox".to_owned()),
            (format!("/portal/people/{}/remove", own.id), String::new()),
            (format!("/portal/settings/sessions/{session}/end"), String::new()),
        ] {
            assert_eq!(post(path.clone(), body).await.status(), 404, "{path}");
        }
        let set = post("/portal/leads/status".to_owned(), format!("data=sandbox&status=lost&lead={lead}")).await;
        assert!(header(&set, "location").contains("said=some"));
        let (_, unchanged) = send(app.api(Method::GET, &format!("/api/v1/leads/{lead}"))).await;
        assert_eq!((&unchanged["status"], &unchanged["takenBy"]), (&json!("new"), &json!(null)));
        assert!(app.store.find_user(own.id).await.unwrap().is_some());
        let back = post("/portal/leads/status".to_owned(), "back=https%3A%2F%2Fevil.example".to_owned()).await;
        assert_eq!(header(&back, "location"), "/portal/leads?said=none");
    }

    async fn what_a_homeowner_wrote_stays_text_in_every_page(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        let hostile = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\"'& 🏠";
        sent["firstName"] = "O'Brien & Sons".into();
        sent["message"] = hostile.into();
        sent["source"] = json!({ "utmCampaign": hostile, "pageUrl": "javascript:alert(1)" });
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt}");
        let owner = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        let lead = ids(&app).await.remove(0);
        for path in ["/portal/leads?data=sandbox".to_owned(), format!("/portal/leads/{lead}?data=sandbox"), format!("/portal/leads/{lead}/consent?data=sandbox")] {
            browser.open(&path).await;
            assert_eq!(browser.status, 200);
            assert!(!browser.html.contains("<script>") && !browser.html.contains("<img src=x") && !browser.html.contains("href=\"javascript:"), "{}", browser.html);
        }
        browser.open(&format!("/portal/leads?data=sandbox&search={}", "%3Cscript%3E%22")).await;
        assert!(!browser.html.contains("<script>\""), "{}", browser.html);
    }
}
