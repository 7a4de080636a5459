//! Leads that a contractor's page sends.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, LeadId, Tenant};
use shingle_store_fixture::on_both_engines;

use crate::support::{HOME, SITE, TestApp, WIDGET, bad_request, consent, form, send};

async fn leads(app: &TestApp) -> Vec<Value> {
    let (status, body) = send(app.api(Method::GET, "/api/v1/leads")).await;
    assert_eq!(status, 200);
    body["data"].as_array().unwrap().clone()
}

on_both_engines! {
    async fn a_lead_is_stored_with_its_estimate_and_consent(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget_with(form::widget().set("installedPrice", "700")).await;
        let mut sent = app.submission().await;
        sent["phone"] = "207.555.0142".into();
        sent["source"] = json!({ "via": "qr", "pageUrl": "https://oak.example.com/?roof-estimate=1", "utmSource": "mail" });
        let request = app.page(Method::POST, "/leads").header("user-agent", "Test/1").body(sent.to_string());
        let (status, receipt) = send(request).await;
        assert_eq!(status, 201);
        let shown = receipt["estimate"]["prices"][0].clone();
        assert!(shown["price"].as_str().unwrap().contains("$700 per square"), "{shown}");
        assert_eq!(receipt["reference"].as_str().unwrap().len(), 7);
        let all = leads(&app).await;
        assert_eq!(all.len(), 1);
        let lead = &all[0];
        for (name, value) in [
            ("/id", receipt["id"].clone()),
            ("/status", "new".into()),
            ("/address", "14 Alder Court, Harrow Falls, ME 04995".into()),
            ("/phone", "(207) 555-0142".into()),
            ("/roofMaterial", "asphalt shingle".into()),
            ("/estimate/prices/0/material", shown["material"].clone()),
            ("/source/via", "qr".into()),
            ("/source/utmSource", "mail".into()),
            ("/consent/given", true.into()),
            ("/consent/text", sent["consent"]["text"].clone()),
            ("/consent/ip", "127.0.0.1".into()),
            ("/consent/userAgent", "Test/1".into()),
            ("/consent/pageUrl", sent["source"]["pageUrl"].clone()),
            ("/createdAt", "2026-03-10T12:00:00.000Z".into()),
        ] {
            assert_eq!(lead.pointer(name), Some(&value), "{name}");
        }
        assert_eq!(lead["estimate"]["prices"][0]["cost"].as_f64(), shown["value"].as_f64());
        assert_eq!(lead["consent"]["textHash"].as_str().unwrap().len(), 64);
    }

    async fn prices_and_sizes_that_a_browser_sends_are_ignored(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        for (name, value) in [("estimate", json!({ "roofArea": 1 })), ("status", "won".into()), ("roofArea", 1.into())] {
            sent[name] = value;
        }
        assert_eq!(app.send_lead(&sent).await.0, 201);
        let lead = leads(&app).await.remove(0);
        assert_eq!(lead["status"], "new");
        assert!(lead["estimate"]["roofArea"].as_f64().unwrap() > 500.0);
    }

    async fn a_request_that_is_repeated_is_one_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        let retry = |sent: &Value| send(app.page(Method::POST, "/leads").header("idempotency-key", "k-1").body(sent.to_string()));
        let (status, first) = retry(&sent).await;
        assert_eq!(status, 201);
        // A retry brings a newer session and has taken longer.
        app.clock.advance(Duration::from_secs(3_600));
        sent["token"] = app.session().await.into();
        sent["elapsedMs"] = 90_000.into();
        let (status, again) = retry(&sent).await;
        assert_eq!((status, &again["id"]), (200, &first["id"]));
        assert_eq!(leads(&app).await.len(), 1);
        sent["firstName"] = "Bob".into();
        assert_eq!(retry(&sent).await, bad_request("The Idempotency-Key was used for a different request"));
        sent["idempotencyKey"] = "k-2".into();
        let plain = send(app.page(Method::POST, "/leads").body(sent.to_string())).await;
        assert_eq!(plain.0, 201);
        assert_ne!(plain.1["id"], first["id"], "a new key is a new lead");
    }

    async fn a_lead_is_changed_by_the_browser_that_has_its_token_and_by_nobody_else(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let other = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12";
        let created = app.api(Method::POST, "/api/v1/roof-estimate-widget");
        assert_eq!(send(created.multipart(form::widget().set("referenceId", other).build())).await.0, 201);
        let mut sent = app.submission().await;
        sent["phone"] = "(207) 555-0199".into();
        let (_, first) = app.send_lead(&sent).await;
        let record = |id: &Value| {
            let request = app.api(Method::GET, &format!("/api/v1/leads/{}", id.as_str().unwrap()));
            async move { send(request).await.1 }
        };
        let honest = record(&first["id"]).await;
        assert_eq!(honest["earlierLead"], Value::Null);
        app.clock.advance(Duration::from_secs(60));

        // A stranger knows the phone number and the address.
        let mut stolen = app.submission().await;
        stolen["phone"] = "(207) 555-0199".into();
        stolen["lastName"] = "Thief".into();
        stolen["email"] = "thief@example.com".into();
        let (_, strangers) = app.send_lead(&stolen).await;
        let second_token = &strangers["leadToken"];
        // The same session, too, is no right to a lead; and neither is the token of another lead, or at another widget.
        stolen["token"] = sent["token"].clone();
        let mut seen = vec![first["id"].clone(), strangers["id"].clone()];
        for token in [Value::Null, "x".into(), sent["token"].clone(), second_token.clone()] {
            stolen["leadId"] = first["id"].clone();
            stolen["leadToken"] = token;
            let (status, receipt) = app.send_lead(&stolen).await;
            assert!(status == 201 && !seen.contains(&receipt["id"]), "{receipt}");
            assert_ne!(receipt["leadToken"], first["leadToken"]);
            let earlier = json!({ "id": first["id"], "same": "person" });
            assert_eq!(record(&receipt["id"]).await["earlierLead"], earlier);
            seen.push(receipt["id"].clone());
            app.clock.advance(Duration::from_secs(60));
        }
        let mut there = stolen.clone();
        there["leadToken"] = first["leadToken"].clone();
        let session = send(app.request(Method::POST, &format!("/w/{other}/session")).header("origin", SITE)).await.1;
        there["token"] = session["token"].clone();
        let request = app.request(Method::POST, &format!("/w/{other}/leads")).header("origin", SITE);
        assert_eq!(send(request.body(there.to_string())).await.0, 201);
        assert_eq!(record(&first["id"]).await, honest, "nothing of the lead has changed");

        // Its own browser corrects the name; its key again is the same request, which changes nothing more.
        sent["token"] = app.session().await.into();
        sent["firstName"] = "Anna".into();
        sent["leadId"] = first["id"].clone();
        sent["leadToken"] = first["leadToken"].clone();
        sent["idempotencyKey"] = "changed".into();
        for _ in 0..2 {
            let (status, receipt) = app.send_lead(&sent).await;
            assert_eq!((status, &receipt["id"]), (200, &first["id"]));
        }
        let changed = record(&first["id"]).await;
        assert_eq!((&changed["firstName"], &changed["consent"]["text"]), (&json!("Anna"), &honest["consent"]["text"]));
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let consents = app.store.consents().list(&tenant, first["id"].as_str().unwrap().parse().unwrap());
        assert_eq!(consents.await.unwrap().len(), 2, "consents are added, not rewritten");
    }

    async fn consent_to_what_the_widget_does_not_show_is_refused(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        let spanish = |company: &str| {
            let words: Value = serde_json::from_str(include_str!("../../www/words/es.json")).unwrap();
            words["consent"].as_str().unwrap().replace("{company}", company)
        };
        let refused = bad_request(json!(["consent.text must be a text that the widget shows"]));
        for (given, text) in [
            (true, "Oak Roofing may call me daily and share my number.".to_owned()),
            (false, "Yes.".to_owned()),
            (true, consent("Elm Roofing")),
            (true, consent("{company}")),
            (true, consent("Oak Roofing").replace("Not required", "Required")),
            (true, consent("Oak Roofing") + " I buy a roof."),
        ] {
            sent["consent"] = json!({ "given": given, "text": text });
            assert_eq!(app.send_lead(&sent).await, refused, "{text}");
        }
        assert!(leads(&app).await.is_empty());
        for (number, text) in [consent("Oak Roofing"), spanish("Oak Roofing")].into_iter().enumerate() {
            sent["email"] = json!(format!("person{number}@example.com"));
            sent["consent"]["text"] = text.into();
            assert_eq!(app.send_lead(&sent).await.0, 201);
        }
    }

    async fn a_page_that_was_open_while_the_company_changed_its_name_still_sends_its_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let sent = app.submission().await;
        let renamed = form::Form::empty().set("companyName", "Elm Roofing").build();
        let put = app.api(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(renamed);
        assert_eq!(send(put).await.0, 200);
        assert_eq!(app.send_lead(&sent).await.0, 201);
        let mut later = app.submission().await;
        later["consent"]["text"] = consent("Elm Roofing").into();
        later["email"] = "bo@example.com".into();
        assert_eq!(app.send_lead(&later).await.0, 201);
        // No page is open, and no browser tries again, for more than a week.
        app.clock.advance(Duration::from_secs(9 * 24 * 3_600));
        let mut late = app.submission().await;
        late["email"] = "cy@example.com".into();
        assert_eq!(app.send_lead(&late).await.0, 400);
    }

    async fn spam_gets_a_normal_response_and_is_stored_apart(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut trapped = app.submission().await;
        trapped["website"] = "https://spam.example.com".into();
        let mut hasty = app.submission().await;
        hasty["elapsedMs"] = 900.into();
        hasty["email"] = "hasty@example.com".into();
        for sent in [trapped, hasty] {
            let (status, receipt) = app.send_lead(&sent).await;
            assert_eq!((status, receipt["estimate"].is_object()), (201, true));
        }
        assert!(leads(&app).await.iter().all(|lead| lead["status"] == "spam"));
        let (status, person) = app.send_lead(&app.submission().await).await;
        assert_eq!(status, 201);
        let lead = send(app.api(Method::GET, &format!("/api/v1/leads/{}", person["id"].as_str().unwrap()))).await.1;
        assert_eq!(lead["status"], "new", "the same words from a person are not lost in the spam");
    }

    async fn beyond_the_widgets_rate_leads_are_kept_as_suspect_and_only_a_flood_is_refused(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.trusted_proxy = vec!["127.0.0.0/8".parse().unwrap()];
            settings.limits.leads_per_widget = 2;
        })
        .await;
        app.widget().await;
        let mut answers = Vec::new();
        for network in 0..25 {
            let from = |path: &str| {
                let request = app.page(Method::POST, path).header("x-forwarded-proto", "https");
                request.header("x-forwarded-for", format!("203.0.{network}.9"))
            };
            let token = send(from("/session")).await.1["token"].clone();
            let mut sent = json!({
                "token": token, "address": { "line": HOME }, "firstName": "Ann", "lastName": "Sample",
                "consent": { "given": false, "text": consent("Oak Roofing") }, "elapsedMs": 20_000,
            });
            sent["email"] = format!("person{network}@example.com").into();
            // This browser could not do the work that is asked for.
            sent["altcha"] = "".into();
            answers.push(send(from("/leads").body(sent.to_string())).await.0);
        }
        assert!(answers[..20].iter().all(|status| *status == 201), "{answers:?}");
        assert!(answers[20..].iter().all(|status| *status == 429), "{answers:?}");
        let kept = leads(&app).await;
        let suspect = kept.iter().filter(|lead| lead["status"] == "spam").count();
        assert_eq!((kept.len(), suspect), (20, 18));
    }

    async fn a_widget_and_an_account_take_so_many_leads_a_day(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.limits.leads_per_widget_a_day = 2;
            settings.limits.leads_per_account_a_day = 3;
        })
        .await;
        app.widget().await;
        let other = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12";
        let created = app.api(Method::POST, "/api/v1/roof-estimate-widget");
        assert_eq!(send(created.multipart(form::widget().set("referenceId", other).build())).await.0, 201);
        let at = async |widget: &str| {
            let post = |path: &str| app.request(Method::POST, &format!("/w/{widget}{path}")).header("origin", SITE);
            let mut sent = app.submission().await;
            sent["token"] = send(post("/session")).await.1["token"].clone();
            send(post("/leads").body(sent.to_string())).await.0
        };
        let today = [at(WIDGET).await, at(WIDGET).await, at(WIDGET).await, at(other).await, at(other).await];
        assert_eq!(today, [201, 201, 429, 201, 429]);
        app.clock.advance(Duration::from_secs(24 * 3_600));
        assert_eq!([at(WIDGET).await, at(other).await], [201, 201]);
    }

    async fn an_unknown_channel_costs_nobody_a_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for via in [json!("billboard"), json!(7), json!({ "x": [1] }), Value::Null] {
            let mut sent = app.submission().await;
            sent["source"] = json!({ "via": via, "utmSource": "paper" });
            assert_eq!(app.send_lead(&sent).await.0, 201, "{via}");
        }
        for lead in leads(&app).await {
            assert_eq!((&lead["source"]["via"], &lead["source"]["utmSource"]), (&json!("embed"), &json!("paper")));
        }
    }

    async fn a_lead_keeps_the_language_in_which_the_widget_spoke(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let spanish: Value = serde_json::from_str(include_str!("../../www/words/es.json")).unwrap();
        let agreed = spanish["consent"].as_str().unwrap().replace("{company}", "Oak Roofing");
        for (lang, spanish_consent, kept) in
            [(Some("es-MX"), true, "es"), (None, true, "es"), (Some("es"), false, "es"), (Some("en"), false, "en"), (None, false, "en")]
        {
            let mut sent = app.submission().await;
            if let Some(lang) = lang {
                sent["lang"] = json!(lang);
            }
            if spanish_consent {
                sent["consent"]["text"] = json!(agreed);
            }
            sent["source"]["language"] = json!("fr");
            assert_eq!(app.send_lead(&sent).await.0, 201, "{lang:?}");
            let newest = leads(&app).await.into_iter().next().unwrap();
            assert_eq!(newest["source"]["language"], kept, "{lang:?} {spanish_consent}");
            app.clock.advance(Duration::from_secs(60));
        }
    }

    async fn an_unknown_address_is_still_a_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["address"] = json!({ "line": "1 Nowhere Lane, Bath, ME" });
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!((status, &receipt["estimate"]), (201, &Value::Null));
        let lead = leads(&app).await.remove(0);
        assert_eq!((&lead["address"], &lead["estimate"]), (&"1 Nowhere Lane, Bath, ME".into(), &Value::Null));
        sent["address"] = json!({ "key": "me0000000000000" });
        assert_eq!(app.send_lead(&sent).await.1["message"], json!(["address.key names no address"]));
        let mut sent = app.submission().await;
        for none in ["7", "0,7", "99", "-1", "house"] {
            sent["buildings"] = none.into();
            assert_eq!(app.send_lead(&sent).await.1["message"], json!(["buildings names no building"]), "{none}");
        }
    }

    async fn every_broken_rule_is_reported_and_nothing_is_stored(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["firstName"] = "".into();
        sent["lastName"] = "a\u{0}b".into();
        sent["email"] = "ann".into();
        sent["phone"] = "12".into();
        sent["message"] = "\u{202e}".into();
        let (status, body) = app.send_lead(&sent).await;
        assert_eq!(status, 400);
        assert_eq!(
            body["message"],
            json!([
                "firstName should not be empty",
                "lastName must not contain control characters",
                "email must be an email",
                "phone must be a valid phone number",
                "message must not contain control characters",
            ])
        );
        assert!(leads(&app).await.is_empty());
    }

    async fn an_inactive_widget_accepts_no_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let sent = app.submission().await;
        let off = form::Form::empty().set("status", "inactive").build();
        let path = format!("/api/v1/roof-estimate-widget/{}", WIDGET);
        send(app.api(Method::PUT, &path).multipart(off)).await;
        assert_eq!(app.send_lead(&sent).await, bad_request("This widget is not active."));
        assert!(leads(&app).await.is_empty());
    }

    async fn the_homeowners_own_browser_may_change_the_lead_for_thirty_days(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let id = receipt["id"].as_str().unwrap().to_owned();
        let change = |token: &str| {
            let body = json!({ "leadToken": token, "roofMaterial": "metal", "preferredContactTime": "evening", "message": "Ring twice" });
            send(app.page(Method::PATCH, &format!("/leads/{id}")).body(body.to_string()))
        };
        let token = receipt["leadToken"].as_str().unwrap();
        assert_eq!(change("x").await.0, 401);
        assert_eq!(change(&app.session().await).await.0, 401, "a session is no right to a lead");
        assert_eq!(change(token).await.0, 200);
        let lead = leads(&app).await.remove(0);
        let changed = (&lead["roofMaterial"], &lead["preferredContactTime"], &lead["message"]);
        assert_eq!(changed, (&"metal".into(), &"evening".into(), &"Ring twice".into()));
        app.clock.advance(Duration::from_secs(30 * 24 * 3_600 + 1));
        assert_eq!(change(token).await.0, 401);
    }

    async fn an_accepted_lead_is_stored_with_its_event_and_consent(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["consent"]["given"] = false.into();
        let (_, receipt) = app.send_lead(&sent).await;
        let id: LeadId = receipt["id"].as_str().unwrap().parse().unwrap();
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let events = app.store.deliveries().list_events(&tenant, id.0).await.unwrap();
        assert_eq!(events.iter().map(|e| e.kind.as_str()).collect::<Vec<_>>(), ["lead.created"]);
        let consents = app.store.consents().list(&tenant, id).await.unwrap();
        assert_eq!(consents.iter().map(|c| c.given).collect::<Vec<_>>(), [false], "a no is written down too");
        assert_eq!(sent["address"]["line"], HOME);
    }
}
