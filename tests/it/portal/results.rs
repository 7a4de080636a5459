//! What visitors do is counted, in sums, and the company reads it.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use shingle_app::chores;
use shingle_domain::notice::NoticeSettings;
use shingle_domain::visit::{VisitFrom, VisitStep};
use shingle_domain::{Environment, Role, Tenant, WidgetId};
use shingle_store::{VisitFilter, VisitsBy};
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{HOME, TestApp, WIDGET, fetch, form, header, send};

const DAY: Duration = Duration::from_secs(24 * 3_600);

fn at(page: &str, utm: &str, referrer: &str) -> Value {
    json!(["embed", page, utm, referrer])
}

async fn post(app: &TestApp, path: &str, body: Value) -> u16 {
    fetch(app.page(Method::POST, path).body(body.to_string())).await.status().as_u16()
}

/// A session, as a flow that opens asks for it.
async fn open(app: &TestApp, at: Value) -> String {
    let (status, body) = send(app.page(Method::POST, "/session").body(json!({ "at": at }).to_string())).await;
    assert_eq!(status, 200, "{body}");
    body["token"].as_str().unwrap().to_owned()
}

fn tenant(app: &TestApp) -> Tenant {
    Tenant { account: app.account, environment: Environment::Sandbox }
}

fn filter(first: &str, last: &str) -> VisitFilter {
    VisitFilter { first: first.parse().unwrap(), last: last.parse().unwrap(), widget: None, page: None, source: None }
}

async fn by(app: &TestApp, by: VisitsBy) -> Vec<(String, [i64; 6])> {
    app.store.widgets().visit_counts(&tenant(app), &filter("2026-01-01", "2026-12-31"), by).await.unwrap()
}

fn row(name: &str, counts: [i64; 6]) -> (String, [i64; 6]) {
    (name.to_owned(), counts)
}

async fn in_new_york(app: &TestApp) {
    let tenant = Tenant { account: app.account, environment: Environment::Production };
    let settings = NoticeSettings { time_zone: "America/New_York".to_owned(), ..NoticeSettings::default() };
    app.store.destinations().set_notice_settings(&tenant, &settings).await.unwrap();
}

on_both_engines! {
    async fn each_step_of_a_visit_is_counted_once_with_its_page_and_source(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        for _ in 0..3 {
            fetch(app.get(&format!("/w/{WIDGET}.js"))).await;
        }
        let roofs = at("/roofs/", "", "www.search.example");
        let token = open(&app, roofs.clone()).await;
        open(&app, at("/", "Newsletter", "")).await;
        app.session().await;
        let roof = json!({ "token": token, "address": { "line": HOME } });
        assert_eq!(post(&app, "/roof", roof.clone()).await, 200, "the same flow asks once more");
        let mut first = roof.clone();
        first["at"] = roofs.clone();
        assert_eq!(post(&app, "/roof", first).await, 200);
        for step in ["roof", "details"] {
            assert_eq!(post(&app, "/step", json!({ "step": step, "at": roofs })).await, 204);
        }
        let mut lead = app.submission().await;
        lead["source"] = json!({ "via": "embed", "pageUrl": "https://oak.example.com/roofs?gclid=1", "referrer": "https://search.example/?q=a" });
        assert_eq!(app.send_lead(&lead).await.0, 201);
        lead["website"] = "filled in by a robot".into();
        lead["email"] = "robot@example.com".into();
        assert_eq!(app.send_lead(&lead).await.0, 201);

        let roofs = [0, 1, 1, 1, 1, 1];
        assert_eq!(by(&app, VisitsBy::Page).await, [row("/", [0, 1, 0, 0, 0, 0]), row("/roofs", roofs), row("", [3, 0, 0, 0, 0, 0])]);
        assert_eq!(
            by(&app, VisitsBy::Source).await,
            [row("site:search.example", roofs), row("utm:newsletter", [0, 1, 0, 0, 0, 0]), row("", [3, 0, 0, 0, 0, 0])]
        );
        assert_eq!(by(&app, VisitsBy::Day).await, [row("2026-03-10", [3, 2, 1, 1, 1, 1])]);
        assert_eq!(by(&app, VisitsBy::Widget).await, [row(WIDGET, [3, 2, 1, 1, 1, 1])]);

        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "Too few to tell. Opened: 2. Leads: 1.");
        browser.shows(200, "Seen: 3");
        browser.shows(200, "search.example");
        browser.open("/portal/results?data=sandbox&page=%2Froofs&source=utm%3Anewsletter").await;
        browser.shows(200, "Too few to tell. Opened: 0. Leads: 0.");
        browser.open("/portal/results").await;
        browser.shows(200, "Too few to tell. Opened: 0. Leads: 0.");
        // A file of each table, and no file of anything else.
        for (table, line) in [
            ("steps", "seen,3\r\n"),
            ("days", "2026-03-10,3,2,1,1,1,1\r\n"),
            ("pages", "/roofs,0,1,1,1,1,1,0,0.00,"),
            ("sources", "utm:newsletter,0,1,0,0,0,0,0,0.00,0.00\r\n"),
            ("widgets", "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11,3,2,1,1,1,1,0,0.00,"),
            ("touch", "Later or not yet,1\r\n"),
            ("weeks", "2026-03-09,1,0,0.00\r\n"),
            ("towns", "town,addresses\r\n"),
        ] {
            browser.open(&format!("/portal/results.csv?data=sandbox&table={table}")).await;
            browser.shows(200, line);
        }
        browser.open("/portal/results.csv?table=..%2Fsecrets").await;
        assert_eq!(browser.status, 404);
        // A month as a PDF; what is no month is the last one.
        for (month, name) in [("2026-03", "2026-03"), ("2026-13", "2026-02"), ("..%2F2026", "2026-02")] {
            let path = format!("/portal/results.pdf?data=sandbox&month={month}");
            let file = fetch(app.request(Method::GET, &path).header("cookie", browser.cookies())).await;
            assert_eq!(header(&file, "content-type"), "application/pdf");
            assert_eq!(header(&file, "content-disposition"), format!("attachment; filename=\"report-{name}.pdf\""));
            assert!(file.bytes().await.unwrap().starts_with(b"%PDF-"));
        }
        browser.open("/portal/results.pdf?month=2026-03").await;
        assert_eq!(browser.status, 404, "no widget of their own yet");
    }

    async fn shares_begin_at_thirty(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let id: WidgetId = WIDGET.parse().unwrap();
        let from = || VisitFrom::counted("/".to_owned(), "direct".to_owned());
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        let count = |step, times| (0..times).for_each(|_| app.store.widgets().count_step(tenant(&app), id, step, from()));
        count(VisitStep::Opened, 29);
        count(VisitStep::Address, 20);
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "20 of 29");
        assert!(!browser.html.contains("%<") && !browser.html.contains("Funnel. Opened"), "{}", browser.html);
        count(VisitStep::Opened, 9);
        count(VisitStep::Address, 0);
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "52.6%");
        browser.shows(200, "20 visitors left before confirming the roof.");
        browser.shows(200, "0 of 20");
    }

    async fn a_hosted_page_counts_its_own_steps_without_scripts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let page = format!("/w/{WIDGET}");
        let get = |path: String| app.get(&path).header("referer", "https://search.example/");
        fetch(get(format!("{page}?via=qr&utm_source=van"))).await;
        fetch(get(page.clone()).header("sec-fetch-dest", "iframe")).await;
        let measured = fetch(get(format!("{page}/measure?address=14+Alder+Court&from=via%3Dqr"))).await;
        assert!(measured.status().is_success());
        assert_eq!(
            by(&app, VisitsBy::Source).await,
            [row("qr", [0, 1, 1, 0, 0, 0]), row("utm:van", [1, 0, 0, 0, 0, 0])],
            "what the portal or another page shows in a frame is not counted"
        );
        assert_eq!(by(&app, VisitsBy::Page).await, [row("hosted", [1, 1, 1, 0, 0, 0])]);
    }

    async fn hostile_steps_leave_sums_and_nothing_else(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            settings.limits.sessions_per_visitor = 1_000;
        })
        .await;
        app.widget().await;
        for evil in ["/<script>alert(1)</script>", "/\u{202e}gnp", "/for/ann@example.com", &format!("/{}", "x".repeat(5_000))] {
            open(&app, at(evil, "=cmd|' /C calc'!A0", "ann@example.com")).await;
        }
        for n in 0..300 {
            assert_eq!(post(&app, "/step", json!({ "step": "roof", "at": at(&format!("/{n}"), "", "") })).await, 204);
        }
        let pages = by(&app, VisitsBy::Page).await;
        assert!(app.number("SELECT COUNT(*) FROM visit_count").await <= 201, "{}", pages.len());
        assert_eq!(pages.iter().map(|(_, counts)| counts[3]).sum::<i64>(), 300, "none is lost");
        // After what is on disk was told apart, a second minute or node tells no more apart.
        for n in 300..600 {
            post(&app, "/step", json!({ "step": "roof", "at": at(&format!("/{n}"), "", "") })).await;
        }
        assert!(by(&app, VisitsBy::Page).await.iter().map(|(_, counts)| counts[3]).sum::<i64>() == 600);
        assert!(app.number("SELECT COUNT(*) FROM visit_count").await <= 201);
        for text in app.texts("SELECT page || source FROM visit_count").await {
            assert!(!text.contains('@') && !text.contains("script>alert") && text.len() < 200, "{text}");
        }
        for (body, status) in [
            (json!({ "step": "lead", "at": at("/", "", "") }), 400),
            (json!({ "step": "roof", "at": ["a", "b"] }), 400),
            (json!({ "step": "roof" }), 400),
            (json!([]), 400),
        ] {
            assert_eq!(post(&app, "/step", body.clone()).await, status, "{body}");
        }
        let foreign = app.request(Method::POST, &format!("/w/{WIDGET}/step")).header("origin", "https://evil.example");
        assert_eq!(fetch(foreign.body("{}")).await.status(), 403);
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/results?data=sandbox&page=%3Cscript%3Ealert(1)&source=%00%0D%0A&days=own&from=1&widget=x").await;
        assert_eq!(browser.status, 200);
        assert!(!browser.html.contains("<script>alert"), "{}", browser.html);
    }

    async fn steps_have_a_limit_of_their_own(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.limits.sessions_per_visitor = 2).await;
        app.widget().await;
        let step = json!({ "step": "roof", "at": at("/", "", "") });
        let mut answers = Vec::new();
        for _ in 0..5 {
            answers.push(post(&app, "/step", step.clone()).await);
        }
        assert_eq!(answers, [204, 204, 204, 204, 429]);
    }

    async fn a_day_is_the_companys_own_also_when_its_clocks_change(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        in_new_york(&app).await;
        // 2026-03-10 12:00 UTC. Clocks went forward on the 8th: midnight is at 04:00 UTC now.
        open(&app, at("/", "", "")).await;
        app.clock.advance(Duration::from_secs(15 * 3_600 + 59 * 60));
        open(&app, at("/", "", "")).await;
        app.clock.advance(Duration::from_secs(60));
        open(&app, at("/", "", "")).await;
        assert_eq!(by(&app, VisitsBy::Day).await, [row("2026-03-10", [2, 2, 0, 0, 0, 0]), row("2026-03-11", [1, 1, 0, 0, 0, 0])]);
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/results?data=sandbox&days=own&from=2026-03-11&to=2026-03-11").await;
        browser.shows(200, "Too few to tell. Opened: 1. Leads: 0.");
    }

    async fn sums_of_25_months_are_kept(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        open(&app, at("/", "", "")).await;
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        app.store.widgets().count_town(tenant(&app), WIDGET.parse().unwrap(), "Biddeford, ME");
        app.clock.advance(DAY * 762);
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        assert_eq!(app.number("SELECT COUNT(*) FROM visit_count").await, 1, "2026-03-10, on 2028-04-10");
        app.clock.advance(DAY);
        assert_eq!(chores::run(app.app.app()).await, [""; 0]);
        assert_eq!(app.number("SELECT COUNT(*) FROM visit_count").await, 0);
        assert_eq!(app.number("SELECT COUNT(*) FROM town_asked").await, 0);
    }

    async fn another_company_reads_none_of_it(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        open(&app, at("/roofs", "", "")).await;
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let owner = user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        for query in ["", "&widget=7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11", "&page=%2Froofs"] {
            browser.open(&format!("/portal/results?data=sandbox{query}")).await;
            browser.shows(200, "Too few to tell. Opened: 0. Leads: 0.");
            browser.open(&format!("/portal/results.csv?data=sandbox&table=steps{query}")).await;
            browser.shows(200, "opened,0\r\n");
        }
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("/portal/results"));
    }

    async fn a_town_that_is_not_imported_is_kept_and_the_address_is_not(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let token = app.session().await;
        let parts = |street: &str, city: &str, zip: &str| {
            json!({ "parts": { "streetNumber": "12", "streetAddress": street, "city": city, "state": "ME", "zip": zip } })
        };
        for (address, uncovered) in [
            (json!({ "line": "12 Elm Street, Biddeford, ME 04005" }), Some("Biddeford, ME")),
            (json!({ "line": "12 Elm Street, Biddeford, ME" }), Some("Biddeford, ME")),
            (parts("Oak Street", "Biddeford", "04005"), Some("Biddeford, ME")),
            (parts("Oak Street", "Saco", "04072"), Some("Saco, ME")),
            // Of the sample town, which is there; and of nowhere.
            (json!({ "line": "9999 Alder Court, Harrow Falls, ME 04995" }), None),
            (json!({ "line": "12 Secret Street, Ann Sample, ME" }), None),
            (json!({ "line": "nothing" }), None),
        ] {
            let (status, answer) = send(app.page(Method::POST, "/roof").body(json!({ "token": token, "address": address }).to_string())).await;
            let kind = if uncovered.is_some() { "noRoof" } else { "notFound" };
            assert_eq!((status, &answer["kind"]), (200, &json!(kind)), "{address}");
            if let Some(town) = uncovered {
                let why = answer["why"].as_str().unwrap();
                assert!(why.contains(&format!("We have no map of {town} yet.")), "{why}");
                assert_eq!(answer["key"], Value::Null, "{address}");
            }
        }
        // Who asked can still leave a lead, with what was typed.
        let mut lead = app.submission().await;
        lead["address"] = json!({ "line": "12 Elm Street, Biddeford, ME 04005" });
        assert_eq!(app.send_lead(&lead).await.0, 201);
        let asked = app.store.widgets().towns_asked(&tenant(&app), &filter("2026-01-01", "2026-12-31")).await.unwrap();
        assert_eq!(asked, [("Biddeford, ME".to_owned(), 3), ("Saco, ME".to_owned(), 1)]);
        for text in app.texts("SELECT town FROM town_asked").await {
            assert!(!text.contains("Street"), "{text}");
        }
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "Biddeford, ME");
    }

    async fn won_leads_and_first_touches_are_added_up(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget_with(form::widget().set("installedPrice", "700")).await;
        let lead = app.submission().await;
        assert_eq!(app.send_lead(&lead).await.0, 201);
        let id = app.texts("SELECT id FROM lead").await.remove(0);
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "No lead from this period is won yet.");
        app.clock.advance(Duration::from_secs(4 * 60));
        app.store.leads().take_lead_by(&tenant(&app), id.parse().unwrap(), &owner).await.unwrap();
        let won = shingle_store::OwnerChange { status: Some(shingle_domain::lead::LeadStatus::Won), ..Default::default() };
        app.clock.advance(DAY);
        app.store.leads().change_by(&tenant(&app), id.parse().unwrap(), &won, Some(&owner)).await.unwrap();
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "<dd>4 min</dd>");
        browser.shows(200, "1 of 1 within 5 min");
        browser.shows(200, "Of 1 in progress or closed");
        browser.shows(200, "class=\"open\"");
        let response = fetch(app.get("/portal/results.csv?data=sandbox&table=weeks").header("cookie", browser.cookies())).await;
        assert_eq!(header(&response, "content-disposition"), "attachment; filename=\"results-weeks.csv\"");
        let weeks = response.text().await.unwrap();
        let value = weeks.split("2026-03-09,1,1,").nth(1).unwrap().trim();
        assert!(value.parse::<f64>().unwrap() > 1_000.0, "{weeks}");
        // Spam is no lead.
        let spam = shingle_store::OwnerChange { status: Some(shingle_domain::lead::LeadStatus::Spam), ..Default::default() };
        app.store.leads().change_by(&tenant(&app), id.parse().unwrap(), &spam, Some(&owner)).await.unwrap();
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "No lead came in during this period.");
    }
}
