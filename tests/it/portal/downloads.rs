//! Tables that people download from the portal and open in a spreadsheet.

use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch};

on_both_engines! {
    async fn a_table_of_the_portal_says_that_it_is_utf_8_and_one_for_programs_does_not(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["firstName"] = "José".into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        let owner = user(&app, Some(app.account), Role::Operator, "owner@oak.example.com").await;
        let browser = signed_in(&app, &owner).await;
        let read = async |path: &str| {
            let response = fetch(app.get(path).header("cookie", browser.cookies())).await;
            assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/csv"), "{path}");
            response.bytes().await.unwrap()
        };
        for path in [
            "/portal/leads.csv?data=sandbox",
            "/portal/results.csv?table=steps&data=sandbox",
            "/portal/results.csv?table=days",
            "/portal/usage.csv",
            "/portal/towns.csv",
            "/portal/operator/audit.csv",
        ] {
            let table = read(path).await;
            assert!(table.starts_with("\u{feff}".as_bytes()), "{path}");
            let text = String::from_utf8(table.to_vec()).unwrap();
            assert_eq!(text.matches('\u{feff}').count(), 1, "{path}");
            assert!(!path.contains("leads") || text.contains("José"), "{text}");
            assert!(!path.contains("leads") || text.contains(",UTC,"), "the time zone: {text}");
        }
        // A program needs headings that no language changes.
        let table = read("/portal/leads.csv?data=sandbox&headings=names").await;
        let text = String::from_utf8(table.to_vec()).unwrap();
        assert!(text.starts_with("\u{feff}reference,receivedAt,timeZone,status,firstName"), "{text}");
        // Who took them, and how many.
        let mut browser = browser;
        browser.open("/portal/audit").await;
        browser.shows(200, "downloaded leads: 1 lead, test data");
        for path in ["/api/v1/leads.csv", "/api/v1/usage"] {
            let request = app.api(reqwest::Method::GET, path).header("accept", "text/csv");
            let table = fetch(request).await.bytes().await.unwrap();
            assert!(!table.is_empty() && !table.starts_with(&[0xef]), "{path}");
        }
    }
}
