//! API keys, usage and what it comes to, in the portal.

use reqwest::Method;
use serde_json::Value;
use shingle_domain::{Role, Usd};
use shingle_store_fixture::{Fixture, on_both_engines};

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::{HOME, TestApp, fetch, header, sample_town, send};

async fn started(fixture: Fixture) -> TestApp {
    TestApp::start_with(fixture, |settings| {
        settings.property = Some(sample_town().to_owned());
        settings.lookup_cents = 25;
    })
    .await
}

async fn owner(app: &TestApp) -> Browser<'_> {
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    signed_in(app, &owner).await
}

async fn look_up(app: &TestApp, token: &str) -> (u16, Value) {
    let request = app.request(Method::GET, "/api/v1/roof-estimate").header("token", token);
    send(request.query(&[("address", HOME)])).await
}

fn made(browser: &Browser<'_>) -> String {
    browser.html.split("id=\"key\">").nth(1).expect("a key").split('<').next().unwrap().to_owned()
}

on_both_engines! {
    async fn a_key_is_made_shown_once_replaced_and_revoked(f: Fixture) {
        let app = started(f).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/keys").await;
        for (fields, said) in [
            (&[("name", "")][..], "Please type a name"),
            (&[("name", "a\u{202e}b")], "Please type a name"),
            (&[("name", "Website"), ("expires", "2026-03-09")], "still to come"),
            (&[("name", "Website"), ("expires", "soon")], "Please choose a day."),
            (&[("name", "Website"), ("networks", "203.0.113.0/24 everywhere")], "Please write networks like"),
        ] {
            browser.submit_to("/portal/keys", fields).await;
            browser.shows(422, said);
        }
        let fill = [("name", "<b>Website</b>"), ("data", "production"), ("product", "roof-estimate"), ("networks", "127.0.0.0/8"), ("expires", "2026-12-31")];
        browser.submit_to("/portal/keys", &fill).await;
        browser.shows(200, "You won’t see it again.");
        browser.shows(200, "&lt;b&gt;Website&lt;/b&gt;");
        browser.shows(200, "from 127.0.0.0/8 only");
        let key = made(&browser);
        assert!(key.starts_with("production_"), "{key}");
        assert_eq!(look_up(&app, &key).await.0, 200);
        let leads = fetch(app.request(Method::GET, "/api/v1/leads").header("token", &key)).await;
        assert_eq!(leads.status(), 400, "it is for one look-up alone");
        browser.open("/portal/keys").await;
        assert!(!browser.html.contains(&key), "it is shown once");
        let id = &key["production_".len()..][..8];
        browser.submit_to(&format!("/portal/keys/{id}/rotate"), &[]).await;
        browser.shows(200, "The old one works for 7 more days");
        let next = made(&browser);
        assert_ne!(next, key);
        assert_eq!((look_up(&app, &key).await.0, look_up(&app, &next).await.0), (200, 200), "both are good");
        assert!(!browser.html.contains(&format!("/portal/keys/{id}/rotate")), "it is replaced already");
        let again = app.request(Method::POST, &format!("/portal/keys/{id}/rotate")).header("sec-fetch-site", "same-origin");
        assert_eq!(fetch(again.header("cookie", browser.cookies())).await.status(), 409);
        browser.submit_to(&format!("/portal/keys/{id}/revoke"), &[]).await;
        browser.shows(200, "Key revoked.");
        assert_eq!((look_up(&app, &key).await.0, look_up(&app, &next).await.0), (401, 200));
    }

    async fn usage_is_shown_by_month_product_and_key_and_as_a_file(f: Fixture) {
        let app = started(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/usage").await;
        browser.shows(200, "No look-ups in March 2026.");
        app.store.accounts().credit(app.account, Usd::from_cents(10_000)).await.unwrap();
        app.store.accounts().set_limit(app.account, Some(50)).await.unwrap();
        for _ in 0..12 {
            assert_eq!(look_up(&app, &app.production.token).await.0, 200);
        }
        assert_eq!(look_up(&app, &app.sandbox.token).await.0, 200);
        browser.open("/portal/usage").await;
        for shown in ["12 of 50 this month", "$3.00", "Roof estimate", "$97.00", "<progress max=\"50\" value=\"12\"", "class=\"chart by-day\"", "Mar 10</th>"] {
            browser.shows(200, shown);
        }
        browser.shows(200, app.production.id.0.as_str());
        // Nine days are over, and were empty: today is no whole day, and what it brought counts.
        browser.shows(200, "About $3.00");
        app.clock.advance(std::time::Duration::from_secs(24 * 3_600));
        browser.open("/portal/usage").await;
        // Three dollars in ten days, and thirty-one days.
        browser.shows(200, "About $9.30");
        browser.shows(200, "Based on use so far: $0.30 a day");
        browser.shows(200, "class=\"open\"");
        browser.open("/portal/usage?data=sandbox").await;
        browser.shows(200, "Tests (free)");
        assert!(!browser.html.contains("$97.00"), "tests cost nothing");
        browser.open("/portal/usage?month=2026-02").await;
        browser.shows(200, "No look-ups in February 2026.");
        for odd in ["2027-01", "2026-13", "-1", "%3Cscript%3E", "999999-01", "1999-01"] {
            browser.open(&format!("/portal/usage?month={odd}")).await;
            browser.shows(200, "value=\"2026-03\" selected");
        }
        browser.open("/portal/usage/statement?month=2026-03").await;
        for shown in ["Oak Roofing", "March 2026, not over yet", "Charged to the balance", "$3.00", "data-print"] {
            browser.shows(200, shown);
        }
        let file = fetch(app.request(Method::GET, "/portal/usage.csv?month=2026-03").header("cookie", browser.cookies())).await;
        assert!(header(&file, "content-disposition").contains("usage-2026-03.csv"));
        let file = file.text().await.unwrap();
        assert_eq!(file.lines().count(), 3, "{file}");
        let empty = fetch(app.request(Method::GET, "/portal/usage.csv?month=2026-01").header("cookie", browser.cookies())).await;
        assert_eq!(empty.text().await.unwrap().lines().count(), 1);
        app.clock.set("2026-04-02T00:00:00Z");
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/usage").await;
        browser.shows(200, "Too early");
        browser.open("/portal/usage?month=2026-03").await;
        browser.shows(200, "$3.00");
        assert!(!browser.html.contains("Projected this month"), "it is over");
    }
}
