//! A form that is sent twice, by a second click or a reload, is carried out once.

use shingle_domain::{Environment, Role, Tenant, Usd};
use shingle_store::DestinationKind;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::deliveries::open;
use crate::support::TestApp;
use crate::support::receiver::{Receiver, Reply};

async fn owner(app: &TestApp) -> Browser<'_> {
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    signed_in(app, &owner).await
}

on_both_engines! {
    async fn a_key_is_made_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        let before = app.store.accounts().list_keys(app.account).await.unwrap().len();
        browser.open("/portal/keys").await;
        browser.submit_to("/portal/keys", &[("name", "Website"), ("data", "sandbox")]).await;
        browser.shows(200, "You won’t see it again.");
        browser.send_again().await;
        browser.shows(409, "You already sent this form");
        assert!(!browser.html.contains("You won’t see it again."));
        assert_eq!(app.store.accounts().list_keys(app.account).await.unwrap().len(), before + 1);
        // The page that says so has a form of its own.
        browser.submit_to("/portal/keys", &[("name", "Website"), ("data", "sandbox")]).await;
        browser.shows(200, "You won’t see it again.");
        assert_eq!(app.store.accounts().list_keys(app.account).await.unwrap().len(), before + 2);
    }

    async fn a_page_that_was_gone_back_to_makes_another_with_other_words(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        let before = app.store.accounts().list_keys(app.account).await.unwrap().len();
        browser.open("/portal/keys").await;
        let page = browser.html.clone();
        browser.submit_to("/portal/keys", &[("name", "Website"), ("data", "sandbox")]).await;
        browser.html = page;
        browser.submit_to("/portal/keys", &[("name", "Van"), ("data", "sandbox")]).await;
        browser.shows(200, "You won’t see it again.");
        assert_eq!(app.store.accounts().list_keys(app.account).await.unwrap().len(), before + 2);
    }

    async fn a_colleague_is_invited_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/people").await;
        browser.submit_to("/portal/people/invites", &[("email", "tomas@oak.example.com"), ("role", "member")]).await;
        browser.shows(200, "/portal/invite?token=");
        browser.send_again().await;
        browser.shows(409, "they’re invited");
        assert_eq!(app.store.people().list_invites(app.account).await.unwrap().len(), 1);
    }

    async fn a_webhook_is_made_once_with_one_secret(f: Fixture) {
        let receiver = Receiver::start(Reply::Status(200)).await;
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=webhook").await;
        browser.submit(&[("name", "CRM"), ("url", &receiver.url()), ("event", "lead.created"), ("data", "sandbox")]).await;
        browser.shows(200, "You won’t see it again");
        let first = browser.html.split("whsec_").nth(1).unwrap()[..20].to_owned();
        browser.send_again().await;
        browser.shows(200, &format!("whsec_{first}"));
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        assert_eq!(app.store.destinations().list(&tenant, DestinationKind::Webhook).await.unwrap().len(), 1);
    }

    async fn a_connector_is_made_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=jobnimbus").await;
        browser.submit(&[("name", "JobNimbus"), ("set.api_key", "jn-secret-key"), ("data", "sandbox")]).await;
        browser.shows(200, "Saved, and off.");
        let made = browser.path.clone();
        browser.send_again().await;
        assert_eq!(browser.path, made);
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        assert_eq!(app.store.destinations().list(&tenant, DestinationKind::Connector).await.unwrap().len(), 1);
    }

    async fn a_balance_is_raised_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let operator = user(&app, None, Role::Operator, "root@oak.example.com").await;
        let mut browser = signed_in(&app, &operator).await;
        let page = format!("/portal/operator/accounts/{}", app.account);
        let balance = async || app.store.accounts().find(app.account).await.unwrap().unwrap().balance;
        let before = balance().await.unwrap_or(Usd::from_cents(0)).cents();
        browser.open(&page).await;
        browser.submit_to(&format!("{page}/credit"), &[("credit", "25")]).await;
        browser.shows(200, "Balance updated.");
        browser.send_again().await;
        browser.shows(200, "Balance updated.");
        assert_eq!(balance().await.unwrap().cents(), before + 2_500);
        // Another page, another credit of the same amount.
        browser.submit_to(&format!("{page}/credit"), &[("credit", "25")]).await;
        assert_eq!(balance().await.unwrap().cents(), before + 5_000);
    }
}
