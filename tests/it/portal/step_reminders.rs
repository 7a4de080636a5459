//! Next steps with a time of day: planned on the page of a lead, and reminded of by mail.

use serde_json::json;
use shingle_app::chores;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::{ReceivedMail, SmtpServer};

use super::leads::{ids, with_leads};
use super::push::post;
use super::{signed_in, user, with_mail};
use crate::notices::{mails, parse, set, text, to};
use crate::support::TestApp;

fn subject(mail: &ReceivedMail) -> String {
    parse(mail).subject().unwrap().to_owned()
}

/// As a node does once a minute: `ADDRESS: subject` of each reminder.
async fn reminded(app: &TestApp, server: &SmtpServer) -> Vec<String> {
    assert_eq!(chores::run(app.app.app()).await, [""; 0]);
    let mails = mails(app, server).await;
    let mut said: Vec<_> = mails.iter().map(|mail| format!("{}: {}", to(mail), subject(mail))).collect();
    said.retain(|said| said.contains("Next step"));
    said.sort();
    said
}

on_both_engines! {
    async fn a_step_reminds_its_assignee_once_at_its_time(f: Fixture) {
        let (app, server) = with_mail(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        set(&app, json!({
            "recipients": [{ "email": "office@oak.example.com" }], "timeZone": "America/New_York",
            "quietHours": { "from": "20:00", "to": "07:00" },
        })).await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let at = format!("{path}?data=sandbox");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&at).await;
        post(&browser, &app, "/portal/settings/zone", &[("zone", "America/New_York")]).await;
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/assign"), &[("assignee", &luis.id.to_string())]).await;
        reminded(&app, &server).await;

        // 9:30 in New York, where clocks went forward two days ago.
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Call about <gutters>"), ("due", "2026-03-10"), ("due-time", "09:30")]).await;
        browser.shows(200, "Maya Lindqvist planned: Call about &lt;gutters&gt;, Mar 10, 2026, 9:30 AM");
        assert!(!browser.html.contains("Overdue"));
        app.clock.set("2026-03-10T13:29:59Z");
        assert_eq!(reminded(&app, &server).await, [""; 0]);
        app.clock.set("2026-03-10T13:30:00Z");
        chores::run(app.app.app()).await;
        let all = mails(&app, &server).await;
        let [mail] = &all[..] else { panic!("{}", all.len()) };
        assert_eq!((to(mail), subject(mail).starts_with("Next step: Call about <gutters>")), ("luis@oak.example.com", true));
        assert!(text(mail).contains("Tue, Mar 10, 9:30 am") && text(mail).contains(&path), "{}", text(mail));
        for later in ["2026-03-10T13:31:00Z", "2026-03-10T15:00:00Z"] {
            app.clock.set(later);
            assert_eq!(reminded(&app, &server).await, [""; 0], "once");
        }
        for list in [&*at, "/portal/leads?data=sandbox", "/portal/leads/board?data=sandbox"] {
            browser.open(list).await;
            browser.shows(200, "Overdue");
        }
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Mar 10, 9:30 AM");

        // At night it waits for the morning, and tells what holds then.
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Send the offer"), ("due", "2026-03-10"), ("due-time", "21:00")]).await;
        app.clock.set("2026-03-11T03:00:00Z");
        assert_eq!(reminded(&app, &server).await, [""; 0]);
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/assign"), &[("assignee", &maya.id.to_string())]).await;
        app.clock.set("2026-03-11T11:00:00Z");
        assert_eq!(reminded(&app, &server).await, ["maya@oak.example.com: Next step: Send the offer (Ann Whitfield)"]);

        // Without a time at 8:00; of nobody's lead to those who get notices.
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Order shingles"), ("due", "2026-03-12"), ("due-time", "")]).await;
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/assign"), &[("assignee", "")]).await;
        app.clock.set("2026-03-12T11:59:59Z");
        assert_eq!(reminded(&app, &server).await, [""; 0]);
        app.clock.set("2026-03-12T12:00:00Z");
        assert_eq!(reminded(&app, &server).await, ["office@oak.example.com: Next step: Order shingles (Ann Whitfield)"]);

        // What is done before the mail leaves is not told.
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&at).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Measure"), ("due", "2026-03-12"), ("due-time", "10:00")]).await;
        app.clock.set("2026-03-12T14:00:00Z");
        chores::run(app.app.app()).await;
        browser.open(&at).await;
        browser.press("Mark done").await;
        assert_eq!(reminded(&app, &server).await, [""; 0]);
    }

    async fn an_hour_that_clocks_skip_or_repeat_is_asked_about(f: Fixture) {
        let (app, _server) = with_mail(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let path = format!("/portal/leads/{}", ids(&app).await[0]);
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        post(&browser, &app, "/portal/settings/zone", &[("zone", "America/New_York")]).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Call"), ("due", "2027-03-14"), ("due-time", "02:30")]).await;
        browser.shows(422, "clocks go forward that night. Pick 3:30 AM.");
        browser.submit_to(&format!("{path}/plan"), &[("step", "Call"), ("due", "2026-11-01"), ("due-time", "01:30")]).await;
        browser.shows(422, "this hour comes twice");
        browser.shows(422, "The second, after clocks go back");
        browser.submit_to(&format!("{path}/plan"), &[("step", "Call"), ("due", "2026-11-01"), ("due-time", "01:30"), ("due-which", "second")]).await;
        browser.shows(200, "planned: Call, Nov 1, 2026, 1:30 AM");
        // Its moment is the second one.
        for (now, is_overdue) in [("2026-11-01T06:29:00Z", false), ("2026-11-01T06:31:00Z", true)] {
            app.clock.set(now);
            let mut browser = signed_in(&app, &maya).await;
            browser.open("/portal/leads?data=sandbox").await;
            browser.shows(200, "Nov 1, 1:30 AM");
            assert_eq!(browser.html.contains("Overdue"), is_overdue, "{now}");
        }
    }
}
