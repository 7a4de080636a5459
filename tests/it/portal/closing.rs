//! Closing an account: what its people, visitors and operators see, until it is erased.

use reqwest::Method;
use shingle_app::chores;
use shingle_domain::Role;
use shingle_store::REOPENABLE;
use shingle_store_fixture::on_both_engines;

use super::{mail, signed_in, user, with_mail};
use crate::support::{TestApp, fetch, send};

const CLOSE: &str = "/portal/settings/close";

/// What visitors, machines and homeowners ask for.
async fn statuses(app: &TestApp, paths: &[String]) -> Vec<u16> {
    let mut all = vec![send(app.api(Method::GET, "/api/v1/leads")).await.0];
    for path in paths {
        all.push(fetch(app.get(path)).await.status().as_u16());
    }
    all
}

on_both_engines! {
    async fn an_owner_closes_the_account_and_takes_it_back(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let root = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let widget = app.widget().await;
        let submission = app.submission().await;
        assert_eq!(app.send_lead(&submission).await.0, 201);
        let path = |link: &str| widget[link].as_str().unwrap()[app.base.len()..].to_owned();
        let hosted = path("hostedPageLink");
        let paths = [format!("{hosted}.js"), path("hostedQrCode"), hosted];
        assert_eq!(statuses(&app, &paths).await, [200; 4]);

        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/closed").await;
        browser.shows(200, "Close the account");
        for typed in ["", "Oak", "oak roofing"] {
            browser.submit_to(CLOSE, &[("closing", typed)]).await;
            browser.shows(422, "The account is not closed");
        }
        assert_eq!(statuses(&app, &paths).await, [200; 4]);
        browser.submit_to(CLOSE, &[("closing", " Oak Roofing ")]).await;
        browser.shows(200, "This account is closed");
        let mailed = mail(&server).await;
        assert!(mailed.contains("Maya Lindqvist closed Oak Roofing’s account"), "{mailed}");
        assert_eq!(statuses(&app, &paths).await, [401, 404, 404, 404]);
        assert_eq!(app.send_lead(&submission).await.0, 404);

        // Nothing else of the portal is open to them; the file with everything still is.
        for other in ["/portal/leads", "/portal/settings", "/portal/keys"] {
            browser.open(other).await;
            browser.shows(200, "This account is closed");
        }
        let keys = app.store.accounts().list_keys(app.account).await.unwrap().len();
        browser.send_to("/portal/keys", &[("name", "late")]).await;
        browser.shows(200, "This account is closed");
        assert_eq!(app.store.accounts().list_keys(app.account).await.unwrap().len(), keys, "none was made");
        let all = fetch(app.get("/portal/export").header("cookie", browser.cookies())).await;
        assert!(all.text().await.unwrap().contains("\"kind\":\"lead\""));
        let mut colleague = signed_in(&app, &member).await;
        for page in ["/portal/leads", "/portal/closed", "/portal/export"] {
            colleague.open(page).await;
            assert_eq!(colleague.status, 403, "{page}");
        }
        let mut operator = signed_in(&app, &root).await;
        let account = format!("/portal/operator/accounts/{}", app.account);
        operator.open("/portal/operator").await;
        operator.shows(200, ">Closed<");
        operator.send_to(&format!("{account}/open"), &[]).await;
        operator.shows(403, "account is closed");
        operator.send_to("/portal/closed/reopen", &[]).await;
        operator.shows(403, "account is closed");
        operator.send_to("/portal/operator/leave", &[]).await;

        browser.press("Reopen it").await;
        browser.shows(200, "The account is open again");
        assert_eq!(statuses(&app, &paths).await, [200; 4]);
        browser.open("/portal/audit").await;
        browser.shows(200, "closed the account");
        browser.shows(200, "reopened the account");

        // The operator does the same, for owners who ask.
        operator.open(&account).await;
        operator.submit_to(&format!("{account}/close"), &[("closing", "Oak")]).await;
        operator.shows(422, "The account is not closed");
        operator.submit_to(&format!("{account}/close"), &[("closing", "Oak Roofing")]).await;
        operator.shows(200, "The account is closed.");
        operator.press("Reopen it").await;
        operator.shows(200, "The account is open again");
        assert_eq!(statuses(&app, &paths).await, [200; 4]);
    }

    async fn after_seven_days_a_closed_account_is_erased(f: Fixture) {
        let (app, _server) = with_mail(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let root = user(&app, None, Role::Operator, "root@oak.example.com").await;
        app.widget().await;
        let submission = app.submission().await;
        assert_eq!(app.send_lead(&submission).await.0, 201);
        assert!(!app.stored_files().is_empty(), "a logo");
        app.store.accounts().close(app.account).await.unwrap();
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/closed").await;
        browser.shows(200, "Until ");
        app.clock.advance(REOPENABLE);
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/closed").await;
        browser.shows(200, "You can no longer reopen it");
        browser.send_to("/portal/closed/reopen", &[]).await;
        browser.shows(200, "You can no longer reopen it");
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        assert_eq!(app.number("SELECT COUNT(*) FROM lead").await, 0);
        assert_eq!(app.number("SELECT COUNT(*) FROM widget").await, 0);
        assert_eq!(app.stored_files(), Vec::<std::path::PathBuf>::new(), "the logo too");
        browser.open("/portal/closed").await;
        browser.shows(200, "Sign in");
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        let mut operator = signed_in(&app, &root).await;
        operator.open("/portal/operator").await;
        operator.shows(200, ">Erased<");
        operator.open(&format!("/portal/operator/accounts/{}", app.account)).await;
        operator.shows(200, "It was closed, and we erased it");
        operator.send_to(&format!("/portal/operator/accounts/{}/reopen", app.account), &[]).await;
        operator.shows(200, "It’s too late");
        // The address is free for another company.
        user(&app, None, Role::Operator, "owner@oak.example.com").await;
    }
}
