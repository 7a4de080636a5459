//! Two leads of one homeowner, merged and parted on the pages of the portal.

use reqwest::Method;
use serde_json::json;
use shingle_domain::{Environment, Role, Tenant, UserName};
use shingle_store::{AuditFilter, User};
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::{TestApp, fetch, send};

async fn two(app: &TestApp) -> (User, User) {
    let maya = user(app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
    let luis = user(app, Some(app.account), Role::Member, "luis@oak.example.com").await;
    app.store.people().rename_user(luis.id, &UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
    (maya, app.store.people().find_user(luis.id).await.unwrap().unwrap())
}

fn page(id: &str) -> String {
    format!("/portal/leads/{id}?data=sandbox")
}

/// From the page of a lead to that of the merge with another.
async fn compare(browser: &mut Browser<'_>, opened: &str, with: &str) {
    browser.open(&format!("/portal/leads/{opened}/compare?with={with}&data=sandbox")).await;
    browser.shows(200, "Which one stays?");
}

on_both_engines! {
    async fn two_leads_become_one_and_two_again(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ellis"]).await;
        let (maya, luis) = two(&app).await;
        let [newer, older] = <[String; 2]>::try_from(ids(&app).await).unwrap();
        let mut browser = signed_in(&app, &luis).await;
        browser.open(&page(&newer)).await;
        browser.shows(200, "Linked leads");
        browser.shows(200, "aria-label=\"Merge with Ann Whitfield\"");
        browser.submit_to(&format!("/portal/leads/{newer}/note"), &[("note", "Dog in the yard")]).await;
        browser.submit_to(&format!("/portal/leads/{newer}/tag"), &[("tag", "Storm")]).await;
        compare(&mut browser, &newer, &older).await;
        // The older one stays unless another is chosen, and the page says which.
        browser.shows(200, &format!("value=\"{older}\" checked"));
        browser.shows(200, "You can undo this in the timeline at any time.");
        // Which value stays where they differ: that of the one that stays, unless another is chosen.
        browser.shows(200, "Which value stays?");
        browser.shows(200, &format!("name=\"keep-name\" value=\"{older}\" checked"));
        assert!(!browser.html.contains("keep-phone"), "both have the same number");
        browser.submit(&[("stays", &older), ("keep-email", &newer)]).await;
        browser.shows(200, "Merged. You can undo this in the timeline.");
        assert!(browser.path.contains(&older), "{}", browser.path);
        browser.shows(200, "Ann Whitfield");
        browser.shows(200, "Dog in the yard");
        browser.shows(200, "Storm");
        browser.shows(200, "Merged leads");
        browser.shows(200, "ellis@example.com");
        browser.shows(200, &format!("/portal/leads/{newer}/consent?data=sandbox"));
        assert_eq!(browser.html.matches("Undo merge").count(), 1);
        // Its link leads to the one that stays; lists, search and files have one.
        browser.open(&page(&newer)).await;
        assert!(browser.path.contains(&older), "{}", browser.path);
        for list in ["/portal/leads?data=sandbox", "/portal/leads?data=sandbox&search=ellis", "/portal/leads/board?data=sandbox"] {
            browser.open(list).await;
            browser.shows(200, "Ann Whitfield");
            assert!(!browser.html.contains("Ann Ellis"), "{list}: {}", browser.html);
        }
        browser.open("/portal/leads.csv?data=sandbox").await;
        assert!(browser.html.contains("Whitfield") && browser.html.contains("Dog in the yard") && !browser.html.contains("Ellis"), "{}", browser.html);
        assert_eq!(ids(&app).await.len(), 2, "the API answers as before");
        let (status, lead) = send(app.api(Method::GET, &format!("/api/v1/leads/{newer}"))).await;
        assert_eq!((status, &lead["lastName"]), (200, &json!("Ellis")));
        browser.open(&format!("/portal/leads/{newer}/consent?data=sandbox")).await;
        browser.shows(200, "Ann Ellis");

        browser.open(&page(&older)).await;
        browser.press("Undo merge").await;
        browser.shows(200, "The merge is undone. Both leads are back.");
        browser.shows(200, "Luis Ferreira undid the merge with");
        assert!(!browser.html.contains("Dog in the yard") && !browser.html.contains("Merged leads"), "{}", browser.html);
        browser.open(&page(&newer)).await;
        browser.shows(200, "Ann Ellis");
        browser.shows(200, "Dog in the yard");
        let entries = app.store.audit().log(app.account, &AuditFilter::default(), 100).await.unwrap();
        let what: Vec<_> = entries.into_iter().filter_map(|entry| entry.what.map(|what| what.as_str())).collect();
        assert!(what.contains(&"lead.merged") && what.contains(&"lead.unmerged"), "{what:?}");
        let mut owner = signed_in(&app, &maya).await;
        owner.open("/portal/audit").await;
        owner.shows(200, "merged a lead into another");
    }

    async fn who_is_too_late_is_told_and_keeps_what_was_typed(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ellis"]).await;
        let (maya, luis) = two(&app).await;
        let [newer, older] = <[String; 2]>::try_from(ids(&app).await).unwrap();
        let (mut one, mut other, mut editor) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await, signed_in(&app, &luis).await);
        compare(&mut one, &newer, &older).await;
        compare(&mut other, &older, &newer).await;
        editor.open(&page(&newer)).await;
        // A change after both were shown.
        editor.submit_to(&format!("/portal/leads/{newer}/status"), &[("status", "contacted")]).await;
        one.submit(&[("stays", &newer)]).await;
        one.shows(409, "Nothing was merged. Look again.");
        one.shows(409, &format!("value=\"{newer}\" checked"));
        one.submit(&[("stays", &newer)]).await;
        one.shows(200, "Merged. You can undo this in the timeline.");
        other.submit(&[("stays", &older)]).await;
        other.shows(409, "A teammate merged that lead into this one.");
        // The page of the merged lead is still open elsewhere.
        editor.open(&page(&newer)).await;
        one.open(&page(&newer)).await;
        one.press("Undo merge").await;
        let mut late = signed_in(&app, &luis).await;
        late.open(&page(&older)).await;
        compare(&mut one, &newer, &older).await;
        one.submit(&[("stays", &newer)]).await;
        late.submit_to(&format!("/portal/leads/{older}/note"), &[("note", "Two layers")]).await;
        late.shows(409, "A teammate merged that lead into this one. Nothing was saved.");
        late.shows(409, ">Two layers</textarea>");
        late.submit_to(&format!("/portal/leads/{newer}/note"), &[("note", "Two layers")]).await;
        late.shows(200, "Two layers");
        let body = "data=sandbox&status=won&seen=new";
        let request = app.request(Method::POST, &format!("/portal/leads/{older}/status?data=sandbox")).header("sec-fetch-site", "same-origin");
        let request = request.header("cookie", late.cookies()).header("accept", "application/json");
        let answer = fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await;
        assert_eq!(answer.status(), 409);
        let answer: serde_json::Value = serde_json::from_str(&answer.text().await.unwrap()).unwrap();
        assert_eq!((&answer["saved"], &answer["value"]), (&json!(false), &json!("new")));
        // The same form twice.
        one.open(&page(&newer)).await;
        one.press("Undo merge").await;
        compare(&mut one, &older, &newer).await;
        one.submit(&[("stays", &newer)]).await;
        one.send_again().await;
        one.shows(200, "Merged. You can undo this in the timeline.");
        // One who selected both in the list.
        late.send_to("/portal/leads/bulk", &[("data", "sandbox"), ("query", "data=sandbox"), ("do", "spam"), ("lead", &older)]).await;
        late.shows(200, "A teammate changed 1 of");
    }

    async fn the_inspection_of_a_merged_lead_is_moved_and_canceled_on_the_page_of_the_one_that_stays(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ellis"]).await;
        let (maya, _) = two(&app).await;
        let [newer, older] = <[String; 2]>::try_from(ids(&app).await).unwrap();
        let mut browser = signed_in(&app, &maya).await;
        let (own, tomorrow) = (maya.id.to_string(), app.store.now().date().tomorrow().unwrap().to_string());
        let fields = |start: &'static str| [("wish", "other"), ("date", tomorrow.as_str()), ("start", start), ("minutes", "45"), ("person", own.as_str()), ("place", "14 Alder Court")];
        let (of_newer, of_older) = (format!("/portal/leads/{newer}/book"), format!("/portal/leads/{older}/book"));
        browser.open(&page(&newer)).await;
        browser.submit_to(&of_newer, &fields("13:00")).await;
        browser.shows(200, "The inspection is booked.");
        let mut late = signed_in(&app, &maya).await;
        late.open(&page(&older)).await;
        compare(&mut browser, &older, &newer).await;
        browser.submit(&[("stays", &older)]).await;
        browser.shows(200, "1:00");
        browser.shows(200, &format!("/portal/leads/{newer}/inspection.ics?data=sandbox"));
        browser.submit_to(&of_newer, &fields("14:00")).await;
        browser.shows(200, "The inspection is moved.");
        assert!(browser.path.contains(&older), "{}", browser.path);
        browser.shows(200, "moved the inspection");
        // The page that was open before would book a second one.
        late.submit_to(&of_older, &fields("16:00")).await;
        late.shows(409, "Someone changed the inspection");
        late.shows(409, "2:00");
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "2:00");
        browser.open(&page(&older)).await;
        browser.submit_to(&format!("/portal/leads/{newer}/cancel-inspection"), &[]).await;
        browser.shows(200, "The inspection is canceled.");
        // Two that are booked are not merged.
        browser.press("Undo merge").await;
        for (lead, path, start) in [(&older, &of_older, "09:00"), (&newer, &of_newer, "11:00")] {
            browser.open(&page(lead)).await;
            browser.submit_to(path, &fields(start)).await;
            browser.shows(200, "The inspection is booked.");
        }
        compare(&mut browser, &older, &newer).await;
        browser.submit(&[("stays", &older)]).await;
        browser.shows(409, "Both leads have an inspection booked.");
    }

    async fn only_leads_of_the_company_are_merged(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ellis"]).await;
        let (maya, _) = two(&app).await;
        let [newer, older] = <[String; 2]>::try_from(ids(&app).await).unwrap();
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        foreign.open(&format!("/portal/leads/{newer}/compare?with={older}&data=sandbox")).await;
        assert_eq!(foreign.status, 404);
        for action in ["merge", "unmerge"] {
            foreign.send_to(&format!("/portal/leads/{newer}/{action}"), &[("data", "sandbox"), ("with", &older), ("stays", &older), ("merged", &older)]).await;
            assert_eq!(foreign.status, 404, "{action}");
        }
        let mut browser = signed_in(&app, &maya).await;
        for with in ["", "x", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a"] {
            browser.open(&format!("/portal/leads/{newer}/compare?with={with}&data=sandbox")).await;
            assert_eq!(browser.status, 404, "{with}");
        }
        for (with, stays) in [(older.as_str(), "x"), ("x", older.as_str()), (newer.as_str(), newer.as_str())] {
            browser.send_to(&format!("/portal/leads/{newer}/merge"), &[("data", "sandbox"), ("with", with), ("stays", stays)]).await;
            assert_eq!(browser.status, 404, "{with} {stays}");
        }
        browser.open(&format!("/portal/leads/{newer}/compare?with={newer}&data=sandbox")).await;
        assert!(browser.path.starts_with(&format!("/portal/leads/{newer}")) && browser.status == 200, "{}", browser.path);
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        assert_eq!(app.store.leads().merged_into(&tenant, older.parse().unwrap()).await.unwrap(), None);
    }
}
