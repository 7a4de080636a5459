//! What the portal and its mails promise: each sentence is seen to come true.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::leads::{ids, with_leads};
use super::push::post;
use super::{mail, signed_in, user, with_mail};
use crate::notices::{link, set, to};
use crate::support::{TestApp, fetch, send};

on_both_engines! {
    async fn a_new_assignee_is_mailed_and_nobody_for_their_own_doing(f: Fixture) {
        let (app, server) = with_mail(f).await;
        with_leads(&app, &["Whitfield"]).await;
        app.engine.work_off().await;
        server.mails();
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let tomas = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let lead = ids(&app).await[0].clone();
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(200, "Nobody is on it yet.");
        let assign = format!("/portal/leads/{lead}/assign");
        browser.submit_to(&assign, &[("assignee", &maya.id.to_string())]).await;
        browser.shows(200, "who hasn’t started yet.");
        browser.submit_to(&assign, &[("assignee", &tomas.id.to_string())]).await;
        let mailed = mail(&server).await;
        for part in ["Ann Whitfield, 14 Alder Court", "(207) 555-0143", &*format!("{}/portal/leads/{lead}", app.base)] {
            assert!(mailed.contains(part), "{part}: {mailed}");
        }
        assert!(server.mails().is_empty(), "one mail, and none to the person who did it");
    }

    async fn im_on_it_leads_on_to_call_text_directions_and_lead(f: Fixture) {
        let (app, server) = with_mail(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["phone"] = "(207) 555-0143".into();
        let (_, receipt) = app.send_lead(&sent).await;
        app.engine.work_off().await;
        let path = link(&app, &server.mails()[0], "/on-it");
        let before = fetch(app.get(&path)).await.text().await.unwrap();
        assert!(before.contains("Tap to take this lead") && !before.contains("tel:"), "{before}");
        let after = fetch(app.request(Method::POST, &path).body("confirm=yes")).await.text().await.unwrap();
        let lead = format!("/portal/leads/{}?data=sandbox", receipt["id"].as_str().unwrap());
        for part in ["You are on it", "tel:+12075550143", "sms:+12075550143", "/maps/dir/", &*lead] {
            assert!(after.contains(part), "{part}: {after}");
        }
    }

    async fn one_mailbox_gets_one_reminder_at_a_time(f: Fixture) {
        let (app, server) = with_mail(f).await;
        app.widget().await;
        let day = |from: &str, to: &str| {
            json!({ "days": ["monday", "tuesday", "wednesday", "thursday", "friday"], "from": from, "to": to })
        };
        set(&app, json!({
            "recipients": [{ "email": "dale@oak.example.com" }, { "email": "renee@oak.example.com" }],
            "workingHours": [day("13:00", "18:00")], "escalateAfterMinutes": 10,
        })).await;
        // It is noon: both of her reminders wait for one o'clock.
        app.send_lead(&app.submission().await).await;
        app.engine.work_off().await;
        assert_eq!(server.mails().iter().map(to).collect::<Vec<_>>(), ["dale@oak.example.com"]);
        app.clock.advance(Duration::from_secs(3_600));
        app.engine.work_off().await;
        let mut told: Vec<String> = server.mails().iter().map(|mail| to(mail).to_owned()).collect();
        told.sort();
        assert_eq!(told, ["dale@oak.example.com", "renee@oak.example.com"]);
        app.clock.advance(Duration::from_secs(24 * 3_600));
        app.engine.work_off().await;
        assert!(server.mails().is_empty());
    }

    async fn in_quiet_hours_the_team_gets_nothing_and_the_homeowner_the_copy(f: Fixture) {
        let (app, server) = with_mail(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "dale@oak.example.com" }], "quietHours": { "from": "11:00", "to": "13:00" },
            "homeownerCopy": true,
        })).await;
        app.send_lead(&app.submission().await).await;
        app.engine.work_off().await;
        assert_eq!(server.mails().iter().map(to).collect::<Vec<_>>(), ["ann@example.com"]);
        app.clock.advance(Duration::from_secs(3_600));
        app.engine.work_off().await;
        assert_eq!(server.mails().iter().map(to).collect::<Vec<_>>(), ["dale@oak.example.com"]);
    }

    async fn times_are_the_companys_once_an_owner_has_said_where_it_is(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let tomas = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let lead = format!("/portal/leads/{}?data=sandbox", ids(&app).await[0]);
        browser.open(&lead).await;
        assert!(browser.html.contains("id=\"zone-ask\"") && browser.html.contains(" UTC"), "{}", browser.html);
        let mut member = signed_in(&app, &tomas).await;
        member.open(&lead).await;
        assert!(!member.html.contains("id=\"zone-ask\""), "an owner says it");
        let nowhere = post(&browser, &app, "/portal/settings/zone", &[("zone", "America/Nowhere")]).await;
        assert_eq!(nowhere.1, "/portal/settings?said=unknown");
        let here = post(&browser, &app, "/portal/settings/zone", &[("zone", "America/New_York")]).await;
        assert_eq!(here.1, "/portal/leads?said=saved");
        browser.open(&lead).await;
        assert!(!browser.html.contains("id=\"zone-ask\"") && !browser.html.contains(" UTC"), "{}", browser.html);
        let (_, notices) = send(app.api(Method::GET, "/api/v1/notices")).await;
        assert_eq!(notices["timeZone"], Value::from("America/New_York"));
    }
}
