//! The menu: the number beside the leads, what a phone's bar has no room for, and the bar on top when look-ups are refused.

use shingle_domain::{Role, Usd};
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::TestApp;

on_both_engines! {
    async fn the_menu_has_what_a_role_may_open_and_on_phones_a_page_with_the_rest(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/more").await;
        browser.shows(200, "<a href=\"/portal/more\" class=\"only-narrow\" aria-current=\"page\">");
        for path in ["/portal/usage", "/portal/people", "/portal/settings"] {
            assert_eq!(browser.html.matches(&format!("href=\"{path}\"")).count(), 2, "{path}: in the rail and in the rest");
        }
        assert_eq!(browser.html.matches("href=\"/portal/leads\"").count(), 1);
        browser.open("/portal/usage").await;
        browser.shows(200, "<a href=\"/portal/more\" class=\"only-narrow\" aria-current=\"true\">");
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/leads").await;
        browser.shows(200, "href=\"/portal/settings\"");
        assert!(!browser.html.contains("/portal/more") && !browser.html.contains("/portal/usage"), "{}", browser.html);
    }

    async fn the_owner_is_told_on_every_page_why_look_ups_are_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let (mut browser, mut other) = (signed_in(&app, &owner).await, signed_in(&app, &member).await);
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("class=\"trouble\""));
        app.store.accounts().credit(app.account, Usd::from_cents(1)).await.unwrap();
        browser.open("/portal/leads").await;
        browser.shows(200, "Your balance is used up.");
        app.store.accounts().set_limit(app.account, Some(0)).await.unwrap();
        browser.open("/portal/widgets").await;
        browser.shows(200, "This month’s limit is reached.");
        app.store.accounts().pause(app.account).await.unwrap();
        browser.open("/portal/settings").await;
        browser.shows(200, "Your account is paused.");
        other.open("/portal/leads").await;
        assert!(!other.html.contains("class=\"trouble\""), "a member can do nothing about it");
    }
}
