//! A homeowner picks one of the company's free times: on the page, from the estimate and from the flow.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::SmtpServer;

use super::browser::Browser;
use super::{signed_in, user};
use crate::notices::{mails, set, start, text, to};
use crate::support::{TestApp, WIDGET, fetch, header, send};

async fn settings(app: &TestApp, self_booking: Value) {
    let part = json!({ "from": "08:00", "to": "12:00" });
    let days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let hours = json!({ "timeZone": "America/New_York", "visits": [{ "days": days, "morning": part }] });
    let body = json!({ "workingHours": hours, "selfBooking": self_booking }).to_string();
    let path = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
    assert_eq!(send(app.api(Method::PUT, &path).body(body)).await.0, 200);
}

fn on() -> Value {
    json!({ "on": true, "minutes": 60, "travelMinutes": 30, "noticeHours": 24, "daysAhead": 12, "daysOff": ["2026-03-13"] })
}

/// The receipt of a lead.
async fn sent(app: &TestApp, first: &str) -> Value {
    let mut sent = app.submission().await;
    sent["firstName"] = first.into();
    sent["email"] = format!("{}@example.com", first.to_lowercase()).into();
    let (status, receipt) = app.send_lead(&sent).await;
    assert_eq!(status, 201, "{receipt}");
    receipt
}

fn page(app: &TestApp, receipt: &Value) -> String {
    receipt["link"].as_str().unwrap()[app.base.len()..].replace("/e/", "/t/")
}

/// Seconds of a morning hour in Maine.
fn at(day: u32, hour: u32, minute: u32) -> String {
    let at = format!("2026-03-{day:02}T{:02}:{minute:02}:00Z", hour + 4);
    shingle_domain::Timestamp::parse_iso(&at).unwrap().seconds().to_string()
}

async fn told(app: &TestApp, server: &SmtpServer) -> Vec<String> {
    let mails = mails(app, server).await;
    let mut all: Vec<String> = mails.iter().map(|mail| to(mail).to_owned()).collect();
    all.sort();
    all
}

/// The times that the page offers on the first day.
fn times(browser: &Browser<'_>) -> Vec<String> {
    let day = browser.html.split("</fieldset>").next().unwrap();
    let labels = day.split("<span>").skip(1).map(|rest| rest.split("</span>").next().unwrap().to_owned());
    labels.collect()
}

on_both_engines! {
    async fn a_homeowner_picks_moves_and_cancels_a_time_and_others_see_what_is_free(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "timeZone": "America/New_York" })).await;
        settings(&app, on()).await;
        let (ann, bo) = (sent(&app, "Ann").await, sent(&app, "Bo").await);
        assert!(ann["booking"].to_string().contains("/t/"), "the flow leads to the page: {}", ann["booking"]);
        told(&app, &server).await;
        let [of_ann, of_bo] = [&ann, &bo].map(|receipt| page(&app, receipt));

        // It is Tuesday, 8 in the morning: a day ahead is Wednesday at 8, and Friday is off.
        let (mut a, mut b) = (Browser::new(&app), Browser::new(&app));
        b.open(&of_bo).await;
        a.open(&of_ann.replace("/t/", "/e/")).await;
        a.shows(200, "Pick a time for a visit");
        a.open(&of_ann).await;
        for shown in ["Wed, Mar 11", "All times are New York time.", "Later days", "Book this time"] {
            a.shows(200, shown);
        }
        assert_eq!(times(&a), ["8:00 AM", "8:30 AM", "9:00 AM", "9:30 AM", "10:00 AM", "10:30 AM", "11:00 AM"]);
        assert!(!a.html.contains("Mar 13"), "a day off: {}", a.html);
        let response = fetch(app.get(&of_ann)).await;
        assert_eq!((header(&response, "cache-control"), header(&response, "referrer-policy")), ("private, no-store", "no-referrer"));
        let nine = at(11, 9, 0);
        a.open(&format!("{of_ann}?time={}", at(14, 9, 0))).await;
        assert!(a.html.contains("checked") && !a.html.contains("Mar 11"), "the day that was tapped in the flow");
        a.open(&of_ann).await;
        a.answer("pick", &[]).await;
        a.shows(422, "Please pick a time first.");
        a.answer("pick", &[("time", &nine)]).await;
        for shown in ["Your inspection", "Wed, Mar 11", "9:00 AM to 10:00 AM", "Pick another time"] {
            a.shows(200, shown);
        }
        assert!(a.path.contains("/v/"), "{}", a.path);
        assert_eq!(told(&app, &server).await.len(), 2, "both sides");
        // A second click, and Back with the old form.
        a.send_again().await;
        a.shows(200, "Your inspection");
        a.send_to(&of_ann, &[("confirm", "yes"), ("seen", ""), ("time", &at(11, 11, 0))]).await;
        assert!(told(&app, &server).await.is_empty());
        let record = send(app.api(Method::GET, &format!("/api/v1/leads/{}", ann["id"].as_str().unwrap()))).await.1;
        assert_eq!(record["inspection"]["state"], "confirmed");
        assert_eq!(record["inspection"]["wishes"], json!([{ "date": "2026-03-11", "part": "morning" }]));

        // The page of somebody else is older than that.
        b.answer("pick", &[("time", &nine)]).await;
        b.shows(409, "That time is no longer free.");
        assert_eq!(times(&b), ["10:30 AM", "11:00 AM"], "with the way before and after");
        b.answer("pick", &[("time", &at(11, 10, 10))]).await;
        b.shows(409, "That time is no longer free.");
        b.answer("pick", &[("time", &at(12, 8, 30))]).await;
        b.shows(200, "Thu, Mar 12");
        told(&app, &server).await;

        // The homeowner moves it, and the old time is free.
        a.open(&of_ann).await;
        a.shows(200, "Now: Wed, Mar 11, 9:00 AM.");
        a.answer("pick", &[("time", &at(14, 8, 0))]).await;
        a.shows(200, "Sat, Mar 14");
        assert!(!a.html.contains("That works"), "the homeowner's own time");
        let sent = mails(&app, &server).await;
        assert!(sent.iter().any(|mail| text(mail).contains("Sat, Mar 14")), "both hear of it");
        b.open(&of_bo).await;
        assert_eq!(times(&b)[0], "8:00 AM");
        // So is a canceled one, and its homeowner can pick again.
        a.open(&format!("{}?do=cancel", of_ann.replace("/t/", "/v/"))).await;
        a.answer("cancel", &[]).await;
        a.shows(200, "Pick a new time");
        told(&app, &server).await;
        a.open(&of_ann).await;
        a.answer("pick", &[("time", &at(11, 8, 0))]).await;
        a.shows(200, "Wed, Mar 11");
        told(&app, &server).await;

        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut portal = signed_in(&app, &maya).await;
        portal.open(&format!("/portal/leads/{}?data=sandbox", ann["id"].as_str().unwrap())).await;
        portal.shows(200, "Homeowner booked the inspection: Wed, Mar 11, 8:00 AM");
        portal.shows(200, "Homeowner moved the inspection: Sat, Mar 14, 8:00 AM");

        // Two hours before it is too late to move it, and the page says whom to call.
        app.clock.set("2026-03-11T10:30:00Z");
        a.open(&of_ann).await;
        a.shows(200, "It’s soon, so call");
        a.open(&format!("{of_bo}?lang=es")).await;
        a.shows(200, "Elija una hora");
        settings(&app, json!({ "on": false })).await;
        b.open(&of_bo).await;
        b.shows(200, "No time can be picked online right now.");
        b.send_to(&of_bo, &[("confirm", "yes"), ("seen", ""), ("time", &at(14, 10, 0))]).await;
        b.shows(200, "No time can be picked online right now.");
        assert_eq!(fetch(app.get(&of_bo.replace(&of_bo[of_bo.len() - 8..], "00000000"))).await.status(), 404);
        assert!(told(&app, &server).await.is_empty());
    }

    async fn what_is_held_as_spam_books_nothing_and_is_not_told(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        settings(&app, on()).await;
        let mut robot = app.submission().await;
        robot["elapsedMs"] = 10.into();
        let (status, receipt) = app.send_lead(&robot).await;
        assert_eq!(status, 201, "{receipt}");
        assert!(!receipt["booking"].to_string().contains("/t/"), "{}", receipt["booking"]);
        let own = page(&app, &receipt);
        let mut browser = Browser::new(&app);
        browser.open(&own).await;
        browser.shows(200, "No time can be picked online right now.");
        browser.send_to(&own, &[("confirm", "yes"), ("seen", ""), ("time", &at(11, 9, 0))]).await;
        browser.shows(200, "No time can be picked online right now.");
        assert!(told(&app, &server).await.is_empty());
    }
}
