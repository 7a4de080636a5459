//! The visit that a homeowner asks for.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;

use crate::support::{TestApp, bad_request, error, fetch, not_found, send};

/// A lead, as its browser knows it.
pub struct Sent {
    pub id: String,
    pub token: String,
}

pub async fn send_lead(app: &TestApp, phone: Option<&str>) -> Sent {
    let mut sent = app.submission().await;
    sent["phone"] = json!(phone);
    let (status, receipt) = app.send_lead(&sent).await;
    assert_eq!(status, 201, "{receipt}");
    let text = |name: &str| receipt[name].as_str().unwrap().to_owned();
    Sent { id: text("id"), token: text("leadToken") }
}

pub async fn change(app: &TestApp, lead: &Sent, mut change: Value) -> (u16, Value) {
    change["leadToken"] = lead.token.clone().into();
    send(app.page(Method::PATCH, &format!("/leads/{}", lead.id)).body(change.to_string())).await
}

pub async fn record(app: &TestApp, lead: &Sent) -> Value {
    send(app.api(Method::GET, &format!("/api/v1/leads/{}", lead.id))).await.1
}

/// Two wishes, by mail. It is Tuesday, March 10.
pub fn wishes() -> Value {
    json!({ "inspection": {
        "wishes": [{ "date": "2026-03-13", "part": "evening" }, { "date": "2026-03-11", "part": "morning" }],
        "contactBy": "email",
        "note": " Side gate is open. ",
    } })
}

async fn answer(app: &TestApp, lead: &Sent, body: Value) -> (u16, Value) {
    send(app.api(Method::PATCH, &format!("/api/v1/leads/{}", lead.id)).body(body.to_string())).await
}

on_both_engines! {
    async fn a_visit_is_written_to_the_lead_and_answered_by_its_owner(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        assert_eq!(record(&app, &lead).await["inspection"], Value::Null);
        assert_eq!(change(&app, &lead, wishes()).await.0, 200);
        let visit = record(&app, &lead).await["inspection"].clone();
        assert_eq!(visit, json!({
            "requestedAt": visit["requestedAt"],
            "wishes": wishes()["inspection"]["wishes"],
            "contactBy": "email", "note": "Side gate is open.", "photos": [], "state": "asked",
        }));
        let csv = fetch(app.api(Method::GET, "/api/v1/leads.csv")).await.text().await.unwrap();
        let visit = "Not answered,2026-03-10 12:00,\"Fri, Mar 13, evening; Wed, Mar 11, morning\",Email,Side gate";
        assert!(csv.contains(visit), "{csv}");

        let (status, confirmed) = answer(&app, &lead, json!({ "inspection": { "state": "confirmed" } })).await;
        assert_eq!((status, &confirmed["inspection"]["state"]), (200, &"confirmed".into()));
        let mut others = wishes();
        others["inspection"]["wishes"] = json!([{ "date": "2026-03-12", "part": "morning" }]);
        let told = bad_request("The visit is confirmed and cannot be changed here. Please call the company.");
        assert_eq!(change(&app, &lead, others).await, told);
        assert_eq!(change(&app, &lead, wishes()).await.0, 200, "the same once more is no other wish");
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "confirmed");
    }

    async fn an_owner_answers_only_what_was_asked_and_only_with_a_state(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let early = answer(&app, &lead, json!({ "inspection": { "state": "declined" } })).await;
        assert_eq!(early, bad_request("inspection was not asked for"));
        change(&app, &lead, wishes()).await;
        for (sent, rule) in [
            (json!("confirmed"), "inspection must be an object"),
            (json!({}), "inspection.state must be one of the following values: asked, confirmed, declined"),
            (json!({ "state": "booked" }), "inspection.state must be one of the following values: asked, confirmed, declined"),
            (json!({ "state": "declined", "note": "x" }), "inspection.note cannot be changed"),
        ] {
            assert_eq!(answer(&app, &lead, json!({ "inspection": sent })).await, bad_request([rule].as_slice()), "{sent}");
        }
        let other = app.second_account().await;
        let path = format!("/api/v1/leads/{}", lead.id);
        let stranger = app.request(Method::PATCH, &path).header("token", other.token);
        assert_eq!(send(stranger.body(json!({ "inspection": { "state": "declined" } }).to_string())).await, not_found("PATCH", &path));
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "asked");
    }

    async fn every_broken_rule_of_a_request_is_told_and_nothing_is_written(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let sent = json!({ "inspection": {
            "wishes": [{ "date": "2026-03-10", "part": "morning" }, { "date": "soon", "part": "noon" }],
            "contactBy": "text", "note": "x".repeat(501),
        } });
        let rules = [
            "inspection.wishes.0.date must be a day from tomorrow on, at most 60 days ahead",
            "inspection.wishes.1.date must be a day such as 2026-12-01",
            "inspection.wishes.1.part must be one of the following values: morning, afternoon, evening",
            "inspection.contactBy must be email, because there is no phone number",
            "inspection.note must be shorter than or equal to 500 characters",
        ];
        assert_eq!(change(&app, &lead, sent).await, bad_request(rules.as_slice()));
        assert_eq!(change(&app, &lead, json!({ "inspection": {} })).await.0, 400);
        let answers = json!({ "answers": { "leak": "flood" } });
        assert_eq!(change(&app, &lead, answers).await.0, 400);
        let stored = record(&app, &lead).await;
        assert_eq!((&stored["inspection"], &stored["updatedAt"]), (&Value::Null, &stored["createdAt"]));
        change(&app, &lead, json!({ "answers": { "leak": "damage", "note": "Since May" } })).await;
        assert_eq!(record(&app, &lead).await["answers"], json!({ "leak": "damage", "note": "Since May" }));
    }

    async fn days_are_those_of_the_companys_zone_and_hours(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, Some("(207) 555-0163")).await;
        let settings = json!({ "workingHours": { "timeZone": "America/New_York", "visits": [
            { "days": ["tuesday", "wednesday"], "morning": { "from": "08:00", "to": "12:00" } },
        ] } });
        let path = format!("/api/v1/roof-estimate-widget/{}/settings", crate::support::WIDGET);
        assert_eq!(send(app.api(Method::PUT, &path).body(settings.to_string())).await.0, 200);
        let ask = |date: &'static str, part: &'static str| {
            let wish = json!({ "inspection": { "wishes": [{ "date": date, "part": part }], "contactBy": "call" } });
            let (app, lead) = (&app, &lead);
            async move { change(app, lead, wish).await.0 }
        };
        // Eleven at night of March 10 in New York.
        app.clock.set("2026-03-11T03:00:00Z");
        assert_eq!(ask("2026-03-11", "morning").await, 200, "tomorrow there, today in UTC");
        assert_eq!(ask("2026-03-11", "evening").await, 400);
        assert_eq!(ask("2026-03-12", "morning").await, 400, "a Thursday");
    }

    async fn only_the_browser_that_sent_the_lead_may_ask(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let (one, two) = (send_lead(&app, None).await, {
            let mut sent = app.submission().await;
            sent["email"] = "bob@example.com".into();
            app.send_lead(&sent).await.1
        });
        let ended = error(401, "Unauthorized", "The session has ended. Please start a new one.");
        let with = |token: &str| Sent { id: one.id.clone(), token: token.to_owned() };
        for token in ["", "x", two["leadToken"].as_str().unwrap()] {
            assert_eq!(change(&app, &with(token), wishes()).await, ended, "{token}");
        }
        app.clock.advance(Duration::from_secs(31 * 24 * 3_600));
        assert_eq!(change(&app, &one, wishes()).await, ended, "too late");
        assert_eq!(record(&app, &one).await["inspection"], Value::Null);
        let erased = send_lead(&app, Some("(207) 555-0163")).await;
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", erased.id))).await;
        assert_eq!(change(&app, &erased, wishes()).await.0, 404);
    }

    async fn what_is_added_to_a_lead_has_a_limit_of_its_own(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.limits.leads_per_visitor = 2;
            settings.limits.lead_changes_per_visitor = 1;
        })
        .await;
        app.widget().await;
        let (first, _) = (send_lead(&app, None).await, send_lead(&app, None).await);
        assert_eq!(change(&app, &first, wishes()).await.0, 200, "the leads are used up, and not their changes");
        let (status, refused) = change(&app, &first, wishes()).await;
        assert_eq!(status, 429, "{refused}");
        app.clock.advance(Duration::from_secs(60));
        assert_eq!(change(&app, &first, wishes()).await.0, 200);
    }
}
