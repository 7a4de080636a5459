//! The designer: what is typed is nobody's business before it is published, and nothing of it is lost.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;
use std::time::Duration;

use super::widgets::{Owner, open, owner};
use super::{signed_in, user};
use crate::support::form::{self, Form};
use crate::support::{SITE, TestApp, WIDGET, fetch, header, images, send};

/// The widget of the form, live.
async fn live(app: &TestApp) {
    let request = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
    let (status, body) = send(request.multipart(form::widget().build())).await;
    assert_eq!(status, 201, "{body}");
}

const PATH: &str = "/portal/widgets/7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";

/// What the form of a page says that it was made from.
fn seen(html: &str) -> String {
    let form =
        html.split("action=\"").find(|rest| rest.contains("?seen=")).unwrap_or_else(|| panic!("no form: {html}"));
    form.split("?seen=").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

impl Owner<'_> {
    async fn seen(&self) -> String {
        seen(&self.page(PATH).await.1)
    }

    async fn draft(&self, form: &Form) -> (u16, String, String) {
        self.send(&format!("{PATH}?seen={}", self.seen().await), form).await
    }

    async fn publish(&self) -> (u16, String, String) {
        let (_, html) = self.page(&format!("{PATH}/publish")).await;
        self.send(&format!("{PATH}/publish?seen={}", seen(&html)), &Form::empty()).await
    }

    async fn look(&self, form: &Form) -> Value {
        let (status, _, body) = self.send(&format!("{PATH}/preview"), form).await;
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

async fn public(app: &TestApp, path: &str) -> String {
    fetch(app.get(path)).await.text().await.unwrap()
}

on_both_engines! {
    async fn a_draft_is_published_explicitly_and_taken_back(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let words = Form::empty().set("firstPageTitle", "A roof <b>before</b> winter?").set("primaryColor", "#AA0000");
        let (status, to, body) = owner.draft(&words).await;
        assert_eq!((status, to.ends_with("?said=draft")), (303, true), "{to} {body}");
        let record = owner.record(WIDGET).await;
        assert_eq!(record["firstPageTitle"], "What would a new roof cost?", "a draft is nobody's business");
        assert!(!public(&app, &format!("/w/{WIDGET}")).await.contains("winter"));
        let (_, html) = owner.page(PATH).await;
        for shown in ["A draft by Maya Lindqvist", "value=\"A roof &lt;b&gt;before&lt;/b&gt; winter?\"", "value=\"#aa0000\""] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        let (status, html) = owner.page(&format!("{PATH}/publish")).await;
        assert_eq!(status, 200);
        for shown in ["Title of the first page", "What would a new roof cost?", "A roof &lt;b&gt;before&lt;/b&gt; winter?", "#0b3d91", "#aa0000"] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        assert!(!html.contains(">Phone<"), "what stays is not named: {html}");
        let events = app.store.deliveries().list_events(&app.store.widgets().find_public(WIDGET.parse().unwrap()).await.unwrap().unwrap().tenant, WIDGET.parse().unwrap()).await.unwrap().len();
        let (status, to, body) = owner.publish().await;
        assert_eq!((status, to.ends_with("?said=published")), (303, true), "{to} {body}");
        let record = owner.record(WIDGET).await;
        assert_eq!((record["firstPageTitle"].as_str(), record["primaryColor"].as_str()), (Some("A roof <b>before</b> winter?"), Some("#aa0000")));
        assert_eq!(record["buttonBackgroundColor"], "#aa0000", "a default that was shown stays a default");
        assert!(public(&app, &format!("/w/{WIDGET}")).await.contains("winter"));
        let tenant = app.store.widgets().find_public(WIDGET.parse().unwrap()).await.unwrap().unwrap().tenant;
        assert_eq!(app.store.deliveries().list_events(&tenant, WIDGET.parse().unwrap()).await.unwrap().len(), events + 1);
        let (_, html) = owner.page(PATH).await;
        assert!(!html.contains("A draft by"), "{html}");

        // A program changes it too: that is a version without a name.
        let request = app.request(Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).header("token", &app.production.token);
        let (status, body) = send(request.multipart(Form::empty().set("companyName", "Oak & Daughters").build())).await;
        assert_eq!(status, 200, "{body}");
        let (_, html) = owner.page(&format!("{PATH}/versions")).await;
        for shown in ["Version 3", "Version 2", "Version 1", "Created outside the portal", "Maya Lindqvist", "Oak &amp; Daughters", "What visitors see"] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        // Back to the first, by way of a draft.
        let (status, to, body) = owner.send(&format!("{PATH}/versions/1/restore?seen={}", seen(&html)), &Form::empty()).await;
        assert_eq!((status, to.ends_with("/publish")), (303, true), "{to} {body}");
        assert_eq!(owner.record(WIDGET).await["companyName"], "Oak & Daughters");
        owner.publish().await;
        let record = owner.record(WIDGET).await;
        assert_eq!((record["companyName"].as_str(), record["firstPageTitle"].as_str()), (Some("Oak Roofing"), Some("What would a new roof cost?")));
        for gone in ["/versions/99/restore", "/versions/x/restore", "/versions/-1/restore"] {
            assert_eq!(owner.send(&format!("{PATH}{gone}?seen=4.0"), &Form::empty()).await.0, 404, "{gone}");
        }
    }

    async fn the_second_of_two_is_told_and_keeps_what_was_typed(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let both = owner.seen().await;
        let path = format!("{PATH}?seen={both}");
        assert_eq!(owner.send(&path, &Form::empty().set("buttonText", "First").set("ask.leak", "on").set("settings", "1")).await.0, 303);
        let (status, _, html) = owner.send(&path, &Form::empty().set("buttonText", "Second <i>").file("headerLogo", images::png(9, 9))).await;
        assert_eq!(status, 409);
        for shown in ["value=\"Second &lt;i&gt;\"", "Saved now: ", "<b>First</b>", "Please choose the picture again"] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        assert!(owner.page(PATH).await.1.contains("value=\"First\""), "nothing was saved over it");
        // Who saves again after looking has the last word.
        let (status, to, _) = owner.send(&format!("{PATH}?seen={}", seen(&html)), &Form::empty().set("buttonText", "Second")).await;
        assert_eq!((status, to.ends_with("said=draft")), (303, true));
        for blind in ["", "?seen=", "?seen=1", "?seen=1.0", "?seen=99.99", "?seen=-1.-1", "?seen=1.9223372036854775807"] {
            assert_eq!(owner.send(&format!("{PATH}{blind}"), &Form::empty().set("buttonText", "Blind")).await.0, 409, "{blind}");
        }
        // What was looked at is published, or nothing.
        let (_, review) = owner.page(&format!("{PATH}/publish")).await;
        owner.draft(&Form::empty().set("buttonText", "Third")).await;
        for stale in [seen(&review), both, String::new()] {
            let (_, to, _) = owner.send(&format!("{PATH}/publish?seen={stale}"), &Form::empty()).await;
            assert!(to.ends_with("said=widgetConflict"), "{to}");
            let (_, to, _) = owner.send(&format!("{PATH}/discard?seen={stale}"), &Form::empty()).await;
            assert!(to.ends_with("said=widgetConflict"), "{to}");
        }
        assert_eq!(owner.record(WIDGET).await["buttonText"], "Get my roof estimate");
        let (_, to, _) = owner.send(&format!("{PATH}/discard?seen={}", owner.seen().await), &Form::empty()).await;
        assert!(to.ends_with("said=discarded"), "{to}");
        assert!(!owner.page(PATH).await.1.contains("Third"));
        let (_, to, _) = owner.send(&format!("{PATH}/publish?seen=1.0"), &Form::empty()).await;
        assert!(to.ends_with("said=widgetConflict"), "there is nothing to publish: {to}");
    }

    async fn every_setting_is_in_the_form_and_a_broken_rule_stands_at_its_field(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let all = Form::empty()
            .set("settings", "1")
            .set("priceIncludes", "Tear-off\r\nPermit")
            .set("priceExcludes", "Rotten wood")
            .set("license", "RC-10448")
            .set("monthlyPayment.aprPercent", "8.99")
            .set("monthlyPayment.months", "120")
            .set("monthlyPayment.leastAmount", "5,000")
            .set("rating.value", "4.8")
            .set("rating.count", "212")
            .set("rating.link", "oak.example.com/reviews")
            .set("ask.leak", "on")
            .set("ask.note", "on")
            .set("workingHours.timeZone", "America/New_York")
            .set("visit.monday.morning", "8 to 12")
            .set("visit.friday.morning.from", "08:00")
            .set("visit.friday.morning.to", "12:00")
            .set("texts.es.buttonText", "Ver mi precio")
            .set("launcher.offsetX", "12")
            .set("fetchAhead", "idle");
        let (status, to, html) = owner.draft(&all).await;
        assert_eq!(status, 303, "{to} {html}");
        owner.publish().await;
        let path = format!("/api/v1/roof-estimate-widget/{WIDGET}/settings");
        let (_, settings) = send(app.request(Method::GET, &path).header("token", &app.production.token)).await;
        assert_eq!(settings["priceIncludes"], json!(["Tear-off", "Permit"]));
        assert_eq!(settings["monthlyPayment"], json!({"aprPercent": 8.99, "months": 120, "leastAmount": 5000, "link": null}));
        assert_eq!(settings["rating"]["link"], "https://oak.example.com/reviews");
        assert_eq!(settings["questions"], json!(["leak", "note"]));
        assert_eq!(settings["mail"]["homeownerCopy"], false, "an empty box is a no");
        assert_eq!(settings["workingHours"]["visits"], json!([{"days": ["monday", "friday"], "morning": {"from": "08:00", "to": "12:00"}, "afternoon": null, "evening": null}]));
        assert_eq!((settings["texts"]["es"]["buttonText"].as_str(), settings["launcher"]["offsetX"].as_u64(), settings["fetchAhead"].as_str()), (Some("Ver mi precio"), Some(12), Some("idle")));
        // The form holds what is set, so sending it again changes nothing.
        let (_, html) = owner.page(PATH).await;
        for shown in ["Tear-off\nPermit</textarea>", "value=\"8.99\"", "name=\"visit.friday.morning.from\" class=\"in\" type=\"time\" step=\"900\" aria-label=\"Friday, morning, from\" value=\"08:00\"", "value=\"12:00\"", "value=\"Ver mi precio\"", "name=\"ask.leak\" type=\"checkbox\" value=\"on\" checked"] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        // A form without the mark says nothing of them.
        owner.draft(&Form::empty().set("buttonText", "Go")).await;
        owner.publish().await;
        let (_, again) = send(app.request(Method::GET, &path).header("token", &app.production.token)).await;
        assert_eq!(settings, again);
        for (name, wrong) in [
            ("rating.value", "9"),
            ("monthlyPayment.months", "many"),
            ("monthlyPayment.link", "javascript:alert(1)"),
            ("workingHours.timeZone", "Mars/Olympus"),
            ("visit.friday.morning.from", "13:00"),
            ("visit.friday.morning.to", ""),
            ("priceIncludes", &"x\n".repeat(13)),
            ("launcher.offsetY", "-1"),
            ("texts.es.firstPageTitle", "\u{202e}roof"),
            ("fetchAhead", "never"),
            ("companyPhone", "12"),
            ("primaryColor", "red"),
            ("elementLocation", "top"),
            ("installedPrice", "many"),
            ("companyUrl", "javascript:alert(1)"),
        ] {
            let (status, _, html) = owner.draft(&all.clone().set(name, wrong)).await;
            // The form marks both ends, and leads to the first.
            let name = name.trim_end_matches(".from").trim_end_matches(".to");
            let field = html.split(&format!("id=\"{name}\"")).nth(1).unwrap_or_default().split('>').next().unwrap_or_default();
            assert!(status == 422 && field.contains("aria-invalid"), "{name}: {status} {field}");
        }
        assert!(!owner.page(PATH).await.1.contains("A draft by"), "nothing of it was saved");
    }

    async fn the_preview_is_the_visitors_page_for_nobody_else(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let look = owner.look(&Form::empty().set("firstPageTitle", "Only for me").set("secondaryColor", "#ffffee")).await;
        let page = look["page"].as_str().unwrap();
        assert!(look["shades"]["secondaryColor"].as_str().unwrap().contains("is hard to read"), "{look}");
        assert_eq!(look["sums"].as_array().unwrap().len(), 4, "{look}");
        let response = fetch(app.get(page)).await;
        let policy = header(&response, "content-security-policy").to_owned();
        assert!(policy.ends_with("frame-ancestors 'self'"), "{policy}");
        assert_eq!((header(&response, "cache-control"), header(&response, "x-robots-tag")), ("no-store", "noindex"));
        let html = response.text().await.unwrap();
        assert!(html.contains("Only for me"), "{html}");
        assert!(!public(&app, &format!("/w/{WIDGET}")).await.contains("Only for me"));
        assert!(!owner.page(PATH).await.1.contains("A draft by"), "looking saves nothing");
        // The same module: the pages differ in the id and the title alone.
        let runtime = |html: &str| html.split("/runtime/").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(runtime(&html), runtime(&public(&app, &format!("/w/{WIDGET}")).await));
        let loader = fetch(app.get(&format!("{page}.js"))).await;
        assert!(loader.headers().get("access-control-allow-origin").is_none());
        let stage = look["stage"].as_str().unwrap();
        let response = fetch(app.get(stage).header("cookie", &owner.cookies)).await;
        assert!(header(&response, "content-security-policy").ends_with("frame-ancestors 'self'"));
        assert!(response.text().await.unwrap().contains(&format!("src=\"{page}.js\"")));
        // A wrong field is reported, and the frame stays as it was.
        let wrong = owner.look(&Form::empty().set("companyPhone", "12")).await;
        assert_eq!(wrong["wrong"].as_array().unwrap().len(), 1, "{wrong}");

        // Visitors' pages may not use it, its own may; and what they send is test data.
        let session = |origin: String| send(app.request(Method::POST, &format!("{page}/session")).header("origin", origin));
        assert_eq!(session(SITE.to_owned()).await.0, 403);
        let (status, body) = session(app.base.clone()).await;
        assert_eq!(status, 200, "{body}");
        let lead = json!({
            "token": body["token"], "address": { "line": "14 Alder Court" }, "firstName": "Ann", "lastName": "Sample", "email": "ann@example.com",
            "consent": { "given": true, "text": crate::support::consent("Oak Roofing") }, "elapsedMs": 20_000,
        });
        let post = app.request(Method::POST, &format!("{page}/leads")).header("origin", &app.base).body(lead.to_string());
        let (status, receipt) = send(post).await;
        assert_eq!(status, 201, "{receipt}");
        let id = receipt["id"].as_str().unwrap();
        let change = json!({ "leadToken": receipt["leadToken"], "message": "Test" });
        let (status, body) = send(app.request(Method::PATCH, &format!("{page}/leads/{id}")).header("origin", &app.base).body(change.to_string())).await;
        assert_eq!(status, 200, "{body}");
        assert!(owner.page("/portal/leads").await.1.contains("No lead yet"));
        assert!(owner.page("/portal/leads?data=sandbox").await.1.contains(id));
        assert_eq!(owner.page(&format!("/portal/leads/{id}?data=sandbox")).await.0, 200);

        // Another owner has another address; a stranger has none; and each ends.
        let colleague = user(&app, Some(app.account), Role::Owner, "tomas@oak.example.com").await;
        let colleague = Owner { app: &app, cookies: signed_in(&app, &colleague).await.cookies() };
        assert_ne!(colleague.look(&Form::empty().set("then", "draft")).await["page"], look["page"]);
        assert_eq!(fetch(app.get("/w/00000000-0000-8000-8000-000000000000")).await.status(), 404);
        app.clock.advance(Duration::from_secs(2 * 3_600 + 1));
        assert_eq!(fetch(app.get(page)).await.status(), 404);
        assert!(app.store.widgets().delete_ended_previews().await.unwrap() >= 1);
    }

    async fn a_test_on_the_live_site_is_test_data_and_a_forged_one_is_a_lead(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let (_, html) = owner.page(PATH).await;
        let link = html.split("href=\"").find(|rest| rest.starts_with(SITE) && rest.contains("shingle-test=")).unwrap();
        let link = link.split('"').next().unwrap().replace("&amp;", "&");
        assert!(link.contains(&format!("roof-estimate={WIDGET}")), "{link}");
        let send_from = async |page: &str| {
            let mut lead = app.submission().await;
            lead["source"] = json!({ "via": "embed", "pageUrl": page });
            app.send_lead(&lead).await
        };
        let (status, test) = send_from(&link).await;
        assert_eq!(status, 201, "{test}");
        let change = |lead: &Value| {
            let body = json!({ "leadToken": lead["leadToken"], "message": "Mind the dog" });
            send(app.page(Method::PATCH, &format!("/leads/{}", lead["id"].as_str().unwrap())).body(body.to_string()))
        };
        let (status, body) = change(&test).await;
        assert_eq!(status, 200, "{body}");
        assert!(owner.page("/portal/leads").await.1.contains("No lead yet"));
        // Keys of nobody, of another widget, and one that has run out.
        let forged = link.replace("shingle-test=", "shingle-test=0");
        let (status, real) = send_from(&forged).await;
        assert_eq!(status, 201, "{real}");
        let (status, body) = change(&real).await;
        assert_eq!(status, 200, "{body}");
        let (_, inbox) = owner.page("/portal/leads").await;
        assert!(inbox.contains(real["id"].as_str().unwrap()) && !inbox.contains(test["id"].as_str().unwrap()), "{inbox}");
        let (_, lead) = owner.page(&format!("/portal/leads/{}", real["id"].as_str().unwrap())).await;
        assert!(!lead.contains(test["id"].as_str().unwrap()), "a test is no earlier lead of this person");
        // The token of a test opens no real lead, nor the other way round.
        let mixed = json!({ "leadToken": test["leadToken"], "message": "x" });
        let (status, _) = send(app.page(Method::PATCH, &format!("/leads/{}", real["id"].as_str().unwrap())).body(mixed.to_string())).await;
        assert_ne!(status, 200);
        app.clock.advance(Duration::from_secs(24 * 3_600 + 60));
        let (status, late) = send_from(&link).await;
        assert_eq!(status, 201, "{late}");
        assert!(owner.page("/portal/leads").await.1.contains(late["id"].as_str().unwrap()), "the key has run out");
    }

    async fn a_name_that_cannot_be_printed_is_reported_where_the_widget_is_shared(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        for (name, is_printed) in [
            ("Mái Nhà Nguyễn", true),
            ("Στέγη", true),
            ("Крыша", true),
            ("Kim 김 Roofing", false),
            ("屋根", false),
            ("سقف", false),
            ("Oak 🏠", false),
            ("Oak Roofing", true),
        ] {
            assert_eq!(owner.draft(&Form::empty().set("companyName", name)).await.0, 303, "{name}");
            assert_eq!(owner.publish().await.0, 303, "{name}");
            let (_, html) = owner.page(PATH).await;
            assert_ne!(html.contains("its font lacks some of the letters"), is_printed, "{name}");
        }
    }

    async fn the_site_is_seen_and_checked(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        assert!(owner.page(PATH).await.1.contains("No page has loaded it yet"));
        for page in ["https://oak.example.com/roofs?x=1", "https://evil.example/", "not a page", "https://www.oak.example.com/"] {
            fetch(app.get(&format!("/w/{WIDGET}.js")).header("referer", page)).await;
        }
        app.clock.advance(Duration::from_secs(3 * 60));
        let (_, html) = owner.page(PATH).await;
        assert!(html.contains("Last seen on oak.example.com 3 minutes ago.") && html.contains("www.oak.example.com"), "{html}");
        assert!(!html.contains("evil.example"), "{html}");
        let form = |address: &str| {
            let request = app.request(Method::POST, &format!("{PATH}/check")).header("sec-fetch-site", "same-origin").header("cookie", &owner.cookies);
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(format!("address={address}")))
        };
        assert_eq!(form("nonsense%20here").await.status(), 422);
        let response = form("elm.example.com").await;
        assert_eq!(response.status(), 200);
        assert!(response.text().await.unwrap().contains("Visitors can’t see it yet."));
        let (_, html) = owner.page(PATH).await;
        assert!(html.contains("Earlier checks") && html.contains("elm.example.com"), "{html}");
        let (status, sheet) = owner.page(&format!("{PATH}/sheet")).await;
        assert!(status == 200 && sheet.contains("(757) 555-0134") && sheet.contains(".svg"), "{sheet}");
    }

    async fn evil_uploads_are_refused_with_the_reason(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let owner = owner(&app).await;
        let files = app.stored_files().len();
        let mut svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
        for (evil, said) in [
            (svg.clone(), "must be"),
            (b"GIF89a\x01\x00\x01\x00".to_vec(), "must be"),
            (b"%PDF-1.7".to_vec(), "must be"),
            (images::bomb(60_000, 60_000), "4096"),
            (vec![0; 1024 * 1024 + 1], "1 MB"),
            (images::png(40, 20)[..60].to_vec(), "picture"),
        ] {
            let (status, _, html) = owner.draft(&Form::empty().set("buttonText", "Kept").file("headerLogo", evil.clone())).await;
            assert!(status == 422 && html.contains(said), "{said}: {status} {html}");
            let (status, _, html) = owner.send(&format!("{PATH}/preview"), &Form::empty().file("footerLogo", evil)).await;
            assert!(status == 200 && html.contains("\"wrong\":[\"") || status == 400, "{status} {html}");
        }
        assert_eq!(app.stored_files().len(), files, "nothing of them is stored");
        // A picture that is a page too is only a picture afterwards.
        let mut polyglot = images::png(40, 20);
        polyglot.append(&mut svg);
        assert_eq!(owner.draft(&Form::empty().file("footerLogo", polyglot)).await.0, 303);
        let (_, html) = owner.page(PATH).await;
        let shown = html.split("data-logo=\"footerLogo\"").nth(1).unwrap().split("src=\"").nth(1).unwrap().split('"').next().unwrap();
        let bytes = fetch(app.get(shown)).await.bytes().await.unwrap();
        assert!(bytes.starts_with(b"\x89PNG") && !bytes.windows(4).any(|four| four == b"<svg"));
        assert_eq!(owner.draft(&Form::empty().set("removeFooterLogo", "true")).await.0, 303);
        assert!(!owner.page(PATH).await.1.contains("Remove the small logo"));
    }

    async fn no_route_of_the_designer_knows_another_companys_widget(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        live(&app).await;
        let mine = owner(&app).await;
        mine.draft(&Form::empty().set("buttonText", "Mine")).await;
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "owner@elm.example.com").await;
        let stranger = Owner { app: &app, cookies: signed_in(&app, &stranger).await.cookies() };
        for page in ["", "/publish", "/versions", "/stage?of=7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11", "/sheet"] {
            assert_eq!(stranger.page(&format!("{PATH}{page}")).await.0, 404, "{page}");
        }
        for form in ["", "/preview", "/publish", "/discard", "/versions/1/restore", "/check"] {
            let path = format!("{PATH}{form}?seen={}", mine.seen().await);
            assert_eq!(stranger.send(&path, &Form::empty().set("buttonText", "Theirs")).await.0, 404, "{form}");
        }
        assert!(mine.page(PATH).await.1.contains("value=\"Mine\""));
    }
}
