//! The settings beside a widget's record.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::ReceivedMail;

use crate::notices::{mails, set, start, to};
use crate::support::form::Form;
use crate::support::{TestApp, WIDGET, bad_request, fetch, header, send};

fn path() -> String {
    format!("/api/v1/roof-estimate-widget/{WIDGET}/settings")
}

async fn put(app: &TestApp, settings: Value) -> (u16, Value) {
    send(app.api(Method::PUT, &path()).body(settings.to_string())).await
}

on_both_engines! {
    async fn settings_are_defaults_until_they_are_set_and_replaced_as_a_whole(f: Fixture) {
        let app = TestApp::start(f).await;
        let record = app.widget().await;
        let (status, defaults) = send(app.api(Method::GET, &path())).await;
        assert_eq!((status, &defaults["questions"], &defaults["monthlyPayment"]), (200, &json!([]), &Value::Null));
        assert_eq!((&defaults["fetchAhead"], &defaults["launcher"]), (&"dwell".into(), &json!({ "offsetX": 0, "offsetY": 0 })));

        let (status, set) = put(&app, json!({ "license": "RC-10448", "questions": ["leak"] })).await;
        assert_eq!((status, &set["license"], &set["questions"]), (200, &"RC-10448".into(), &json!(["leak"])));
        assert_eq!(send(app.api(Method::GET, &path())).await, (200, set.clone()));
        assert_eq!(put(&app, set.clone()).await, (200, set), "what was shown can be sent back");

        let own = format!("/api/v1/roof-estimate-widget/{WIDGET}");
        assert_eq!(send(app.api(Method::GET, &own)).await, (200, record), "the record is not changed");
        assert_eq!(put(&app, json!({})).await, (200, defaults));
    }

    async fn every_broken_rule_is_told_and_nothing_is_stored(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        put(&app, json!({ "license": "RC-10448" })).await;
        let broken = put(&app, json!({
            "priceInclude": ["Permit"],
            "monthlyPayment": { "aprPercent": 40, "months": 0, "leastAmount": 2000 },
            "workingHours": { "timeZone": "Roof/Top", "visits": [{ "days": ["monday"], "morning": { "from": "08:00", "to": "12:00" } }] },
        })).await;
        assert_eq!(broken, bad_request(json!([
            "monthlyPayment.aprPercent must not be greater than 36",
            "monthlyPayment.months must not be less than 1",
            "workingHours.timeZone must be the name of a time zone, such as America/New_York",
            "priceInclude is not a setting of a widget; did you mean priceIncludes?",
        ])));
        for body in ["", "[]", "null", "{", "\"x\""] {
            let refused = send(app.api(Method::PUT, &path()).body(body)).await;
            assert_eq!(refused, bad_request("Request body is not valid JSON"), "{body}");
        }
        let large = json!({ "license": "x".repeat(70_000) });
        assert_eq!(put(&app, large).await, bad_request("Request body is too large"));
        assert_eq!(send(app.api(Method::GET, &path())).await.1["license"], "RC-10448");
    }

    async fn texts_in_spanish_are_on_the_spanish_page_from_the_next_visit_on(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let page = |lang: &str| {
            let request = app.get(&format!("/w/{WIDGET}?lang={lang}"));
            async move { fetch(request).await.text().await.unwrap() }
        };
        let title = app.api(Method::GET, &format!("/api/v1/roof-estimate-widget/{WIDGET}"));
        let title = send(title).await.1["firstPageTitle"].as_str().unwrap().to_owned();
        assert!(page("es").await.contains(&title), "the contractor's own words, until there are others");
        put(&app, json!({ "texts": { "es": { "firstPageTitle": "¿Cuánto cuesta un techo?" } } })).await;
        assert!(page("es").await.contains("¿Cuánto cuesta un techo?"));
        assert!(page("en").await.contains(&title));

        let form = Form::empty().set("firstPageTitle", "See what a new roof would cost");
        send(app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(form.build())).await;
        put(&app, json!({})).await;
        assert!(page("es").await.contains("Vea cuánto costaría un techo nuevo"), "our own words follow the page");
    }

    async fn settings_are_described_where_the_schemas_are(f: Fixture) {
        let app = TestApp::start(f).await;
        let response = fetch(app.get("/schemas/widget-settings.json")).await;
        assert_eq!(header(&response, "content-type"), "application/schema+json");
        let schema: Value = response.json().await.unwrap();
        app.widget().await;
        let (status, set) = put(&app, schema["examples"][0].clone()).await;
        assert_eq!((status, &set["rating"]["value"]), (200, &json!(4.8)));
    }

    async fn a_widget_takes_itself_out_of_the_copies_that_its_account_sends(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }], "homeownerCopy": true })).await;
        let homeowner = |sent: &[ReceivedMail]| sent.iter().any(|mail| to(mail) == "ann@example.com");
        put(&app, json!({ "mail": { "homeownerCopy": false } })).await;
        app.send_lead(&app.submission().await).await;
        assert!(!homeowner(&mails(&app, &server).await));
        put(&app, json!({})).await;
        let mut second = app.submission().await;
        second["address"] = json!({ "line": "16 Alder Court" });
        second["consent"]["given"] = true.into();
        app.send_lead(&second).await;
        assert!(homeowner(&mails(&app, &server).await));
    }

    async fn what_is_set_is_said_with_the_estimate_and_what_is_asked_is_answered_in_the_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let (_, plain) = app.send_lead(&app.submission().await).await;
        let said = |receipt: &Value| {
            let step = &receipt["estimate"];
            [&step["middle"], &step["below"], &step["prices"][0]["monthly"]].map(ToString::to_string).concat()
        };
        let before = said(&plain);
        assert!(before.contains("what this price includes") && !before.contains("APR") && !before.contains("roofAge"), "{before}");

        put(&app, json!({
            "priceIncludes": ["Permit and cleanup"],
            "monthlyPayment": { "aprPercent": 8.99, "months": 120, "leastAmount": 1000 },
            "license": "RC-10448",
            "questions": ["roofAge", "note"],
        })).await;
        let mut sent = app.submission().await;
        sent["address"] = json!({ "line": "16 Alder Court" });
        let (_, receipt) = app.send_lead(&sent).await;
        let after = said(&receipt);
        for part in ["Permit and cleanup", "8.99% APR", "License RC-10448", "roofAge", "textarea"] {
            assert!(after.contains(part), "{part}: {after}");
        }

        let id = receipt["id"].as_str().unwrap();
        let answer = |answers: Value| {
            let body = json!({ "leadToken": receipt["leadToken"], "answers": answers });
            send(app.page(Method::PATCH, &format!("/leads/{id}")).body(body.to_string()))
        };
        assert_eq!(answer(json!({ "roofAge": "over-20", "note": "The dog bites." })).await.0, 200);
        assert_eq!(answer(json!({ "note": null })).await.0, 200);
        let lead = send(app.api(Method::GET, &format!("/api/v1/leads/{id}"))).await.1;
        assert_eq!(lead["answers"], json!({ "roofAge": "over-20" }));
        let refused = answer(json!({ "roofAge": "ancient" })).await;
        let rule = "answers.roofAge must be one of the following values: under-10, 10-20, over-20, unknown";
        assert_eq!(refused, bad_request(json!([rule])));
    }
}
