//! What people of a company do about a lead: notes, whose it is, what comes next, lists that they keep.

use reqwest::Method;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::{TestApp, fetch, header};

async fn get(app: &TestApp, cookies: &str, path: &str) -> reqwest::Response {
    fetch(app.request(Method::GET, path).header("cookie", cookies)).await
}

on_both_engines! {
    async fn colleagues_share_a_lead_and_see_what_was_done(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        app.store.people().rename_user(luis.id, &shingle_domain::UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        browser.shows(200, "Source: Your site");
        browser.submit_to(&format!("{path}/note"), &[("note", "Dog in the yard <script>alert(1)</script>\r\nRing twice")]).await;
        browser.shows(200, "Dog in the yard &lt;script&gt;");
        browser.submit_to(&format!("{path}/note"), &[("note", "  ")]).await;
        browser.shows(422, "Please write something.");
        browser.submit_to(&format!("{path}/note"), &[("note", &"ö".repeat(4_001))]).await;
        browser.shows(422, "this one has 4001");
        assert!(browser.html.contains(&"ö".repeat(4_001)), "what was typed stays");
        browser.submit_to(&format!("{path}/note"), &[("note", "a\u{202e}b")]).await;
        browser.shows(422, "an invisible character");
        browser.submit_to(&format!("{path}/assign"), &[("assignee", &luis.id.to_string())]).await;
        browser.shows(200, "Maya Lindqvist assigned it to Luis Ferreira");
        browser.submit_to(&format!("{path}/plan"), &[("step", "Bring samples"), ("due", "2026-12-01")]).await;
        browser.shows(200, "Maya Lindqvist planned: Bring samples, Dec 1, 2026");
        browser.shows(200, "value=\"2026-12-01\"");
        // Its time is where the company is, and a day without one ends the time, too.
        browser.submit_to(&format!("{path}/plan"), &[("step", "Bring samples"), ("due", "2026-12-01"), ("due-time", "14:30")]).await;
        browser.shows(200, "Maya Lindqvist planned: Bring samples, Dec 1, 2026, 2:30 PM");
        browser.shows(200, "value=\"14:30\"");
        for (due, time, said) in [("", "14:30", "Please choose a day."), ("2026-12-01", "25:00", "Please choose a time, or leave it empty.")] {
            browser.submit_to(&format!("{path}/plan"), &[("step", "Bring samples"), ("due", due), ("due-time", time)]).await;
            browser.shows(422, said);
        }
        browser.open(&format!("{path}?data=sandbox")).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", "Bring samples"), ("due", "2026-12-01"), ("due-time", "")]).await;
        browser.shows(200, "value=\"2026-12-01\"");
        assert!(!browser.html.contains("value=\"14:30\""), "{}", browser.html);
        for (step, due) in [("x", "tomorrow"), (&*"x".repeat(201), ""), ("x", "2026-02-30")] {
            browser.submit_to(&format!("{path}/plan"), &[("step", step), ("due", due)]).await;
            browser.shows(422, "Nothing was saved.");
        }
        browser.submit_to(&format!("{path}/status"), &[("status", "qualified")]).await;
        browser.shows(200, "Maya Lindqvist set the status to Qualified");
        browser.press("I’m on it").await;
        browser.shows(200, "Maya Lindqvist is on it");
        browser.shows(200, "selected=\"\">Luis Ferreira");

        // A step is overdue once its day is over.
        for (now, is_overdue) in [("2026-12-01T23:00:00Z", false), ("2026-12-02T01:00:00Z", true)] {
            app.clock.set(now);
            let mut later = signed_in(&app, &maya).await;
            for list in ["/portal/leads", "/portal/leads/board"] {
                later.open(&format!("{list}?data=sandbox")).await;
                later.shows(200, "Dec 1");
                assert_eq!(later.html.contains("Overdue"), is_overdue, "{list} {now}");
            }
        }
        // The session is over by then.
        browser = signed_in(&app, &maya).await;

        // The list says whose it is, and shows mine.
        let mut other = signed_in(&app, &luis).await;
        other.open("/portal/leads?data=sandbox&assignee=me").await;
        other.shows(200, "Ann Ferreira");
        assert!(!other.html.contains("Ann Whitfield"), "{}", other.html);
        other.open("/portal/leads?data=sandbox&assignee=nobody").await;
        other.shows(200, "Ann Whitfield");
        assert!(!other.html.contains("Ann Ferreira"), "{}", other.html);
        other.open("/portal/leads?data=sandbox&assignee=me&search=ferr").await;
        other.shows(200, "Ann Ferreira");
        other.open("/portal/leads?data=sandbox&assignee=nobody&search=ferr").await;
        other.shows(200, "No lead matches");
        other.open("/portal/leads?data=sandbox&assignee=x&widget=y").await;
        other.shows(200, "role=\"alert\"");
        other.open(&format!("/portal/leads?data=sandbox&widget={}", crate::support::WIDGET)).await;
        other.shows(200, "Ann Whitfield");

        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let foreign = signed_in(&app, &stranger).await;
        for (action, body) in [("note", "note=x".to_owned()), ("assign", format!("assignee={}", stranger.id)), ("plan", "step=x".into())] {
            let send = |cookies: String| {
                let request = app.request(Method::POST, &format!("{path}/{action}")).header("sec-fetch-site", "same-origin");
                let request = request.header("cookie", cookies).header("content-type", "application/x-www-form-urlencoded");
                fetch(request.body(format!("data=sandbox&{body}")))
            };
            assert_eq!(send(foreign.cookies()).await.status(), 404, "{action}");
            // Nobody gives a lead to somebody of another company.
            if action == "assign" {
                assert_eq!(send(browser.cookies()).await.status(), 404);
            }
        }
        assert_eq!(get(&app, &foreign.cookies(), &format!("{path}/drawing.png?data=sandbox")).await.status(), 404);
        let drawing = get(&app, &browser.cookies(), &format!("{path}/drawing.png?data=sandbox")).await;
        assert_eq!((drawing.status().as_u16(), header(&drawing, "content-type")), (200, "image/png"));
        let dark = get(&app, &browser.cookies(), &format!("{path}/drawing.png?data=sandbox&on=dark")).await;
        assert_eq!((dark.status().as_u16(), header(&dark, "content-type")), (200, "image/png"));
        assert_ne!(drawing.bytes().await.unwrap(), dark.bytes().await.unwrap(), "it is drawn for a dark screen");

        // A user who leaves has no leads.
        app.store.people().remove_user(app.account, luis.id).await.unwrap();
        browser.open("/portal/leads?data=sandbox&assignee=nobody").await;
        browser.shows(200, "Ann Ferreira");
        let sandbox = shingle_domain::Tenant { account: app.account, environment: shingle_domain::Environment::Sandbox };
        // Nothing of it is readable at rest, and an erasure leaves nothing.
        let texts = "SELECT text FROM lead_entry UNION ALL SELECT next_step FROM lead_work WHERE next_step IS NOT NULL";
        let sealed = app.texts(texts).await;
        assert_eq!(sealed.len(), 8, "{sealed:?}");
        assert!(sealed.iter().all(|text| text.starts_with('~')), "{sealed:?}");
        app.store.leads().erase(&sandbox, lead.parse().unwrap()).await.unwrap();
        assert_eq!(app.texts(texts).await, [""; 0]);
    }

    async fn of_two_who_change_one_thing_the_second_is_told_and_loses_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        app.store.people().rename_user(luis.id, &shingle_domain::UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let (mut one, mut two) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        for (action, first, second, shown) in [
            ("status", &[("status", "qualified")][..], &[("status", "contacted")][..], ["Contacted", "Qualified"]),
            ("plan", &[("step", "Inspect <b>"), ("due", "2026-12-01")], &[("step", "Call \"Monday\""), ("due", "")], ["Call &quot;Monday&quot;", "Inspect &lt;b&gt;"]),
            ("assign", &[("assignee", &*luis.id.to_string())], &[("assignee", &*maya.id.to_string())], ["Maya Lindqvist", "Luis Ferreira"]),
        ] {
            one.open(&format!("{path}?data=sandbox")).await;
            two.open(&format!("{path}?data=sandbox")).await;
            app.clock.advance(std::time::Duration::from_secs(1));
            one.submit_to(&format!("{path}/{action}"), first).await;
            one.shows(200, "Saved.");
            two.submit_to(&format!("{path}/{action}"), second).await;
            two.shows(409, "Maya Lindqvist changed this lead");
            let card = two.html.split("id=\"conflict\"").nth(1).unwrap().split("</section>").next().unwrap().to_owned();
            for text in shown {
                assert!(card.contains(text), "{action}: {text} in {card}");
            }
            two.press("Use mine").await;
            two.shows(200, "Saved.");
            // What both want alike is no conflict.
            one.submit_to(&format!("{path}/{action}"), second).await;
            assert_eq!(one.status, 200, "{action}: {}", one.html);
        }
        two.open(&format!("{path}?data=sandbox")).await;
        one.open(&format!("{path}?data=sandbox")).await;
        one.press("I’m on it").await;
        two.press("I’m on it").await;
        two.shows(200, "Maya Lindqvist got to it first.");
        // Both were sent by the same phone.
        two.shows(200, "Linked leads");
        two.shows(200, "Same email or phone.");
    }

    async fn a_step_is_done_or_removed_and_a_day_without_a_step_is_not_lost(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        browser.submit_to(&format!("{path}/plan"), &[("step", ""), ("due", "2026-12-24")]).await;
        browser.shows(422, "<a href=\"#step\">Next step: Please type the next step.</a>");
        browser.shows(422, "value=\"2026-12-24\"");
        browser.submit_to(&format!("{path}/plan"), &[("step", "Bring samples"), ("due", "2026-12-24")]).await;
        browser.press("Mark done").await;
        browser.shows(200, "Maya Lindqvist did: Bring samples");
        assert!(!browser.html.contains("Mark done"), "{}", browser.html);
        browser.submit_to(&format!("{path}/plan"), &[("step", "Call"), ("due", "2026-12-24")]).await;
        // The day is in the form, as it was.
        browser.submit_to(&format!("{path}/plan"), &[("step", ""), ("due", "2026-12-24")]).await;
        browser.shows(200, "Maya Lindqvist removed the next step");
    }

    async fn a_won_lead_is_asked_what_it_was_worth(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        assert!(!browser.html.contains("Contract amount"), "{}", browser.html);
        browser.submit_to(&format!("{path}/status"), &[("status", "won")]).await;
        browser.shows(200, "Contract amount");
        browser.submit_to(&format!("{path}/worth"), &[("worth", "$18,123.50")]).await;
        browser.shows(200, "value=\"18123.50\"");
        browser.shows(200, "Maya Lindqvist entered the contract amount: $18,12");
        browser.submit_to(&format!("{path}/worth"), &[("worth", "a lot")]).await;
        browser.shows(422, "Please type an amount of dollars");
        browser.shows(422, "value=\"a lot\"");
        browser.shows(422, "href=\"#worth\"");
        assert_eq!(app.number("SELECT won_value_cents FROM lead").await, 1_812_350);
        browser.submit_to(&format!("{path}/worth"), &[("worth", "")]).await;
        browser.shows(200, "removed the contract amount");
    }

    async fn a_saved_list_belongs_to_the_user_who_saved_it(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads?data=sandbox&status=new&search=whit+%26+co").await;
        browser.submit_to("/portal/leads/views", &[("name", "Fresh & mine")]).await;
        browser.shows(200, "View saved.");
        assert!(browser.path.contains("status=new") && browser.path.contains("search=whit"), "{}", browser.path);
        browser.shows(200, "Fresh &amp; mine");
        browser.shows(200, "Delete the view");
        let sealed = app.texts("SELECT query FROM portal_view UNION ALL SELECT name FROM portal_view").await;
        assert!(sealed.len() == 2 && sealed.iter().all(|text| text.starts_with('~')), "{sealed:?}");
        let mut other = signed_in(&app, &luis).await;
        other.open("/portal/leads").await;
        assert!(!other.html.contains("Fresh"), "{}", other.html);
        let id = browser.html.split("/portal/leads/views/").nth(1).unwrap().split('/').next().unwrap().to_owned();
        let forget = |cookies: String| {
            let request = app.request(Method::POST, &format!("/portal/leads/views/{id}/delete"));
            fetch(request.header("sec-fetch-site", "same-origin").header("cookie", cookies))
        };
        forget(other.cookies()).await;
        browser.open("/portal/leads").await;
        browser.shows(200, "Fresh &amp; mine");
        forget(browser.cookies()).await;
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("Fresh"), "{}", browser.html);
        // An address that is not on the list is not kept.
        for query in ["\r\nx: y", "//evil.example", "status=<b>", &"a".repeat(1_001)] {
            let body = url::form_urlencoded::Serializer::new(String::new()).append_pair("name", "x").append_pair("query", query).finish();
            let request = app.request(Method::POST, "/portal/leads/views").header("sec-fetch-site", "same-origin");
            let request = request.header("cookie", browser.cookies()).header("content-type", "application/x-www-form-urlencoded");
            let answer = fetch(request.body(body)).await;
            assert_eq!(header(&answer, "location"), "/portal/leads?said=unknown", "{query}");
        }
        assert_eq!(app.texts("SELECT query FROM portal_view").await, [""; 0]);
    }

    async fn an_open_list_is_notified_of_new_leads(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads?data=sandbox").await;
        let since = browser.html.split("data-since=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let news = async |of: &str| {
            let answer = get(&app, &browser.cookies(), &format!("/portal/leads/news?since={since}&{of}")).await;
            answer.text().await.unwrap()
        };
        assert_eq!(news("data=sandbox").await, "0 0");
        let mut sent = app.submission().await;
        sent["email"] = "new@example.com".into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        // Of the list that is shown; the badge counts real leads.
        for (of, said) in [
            ("data=sandbox", "1 0"),
            ("data=production", "0 0"),
            ("data=sandbox&status=new", "1 0"),
            ("data=sandbox&status=won", "0 0"),
            ("data=sandbox&search=nobody", "0 0"),
        ] {
            assert_eq!(news(of).await, said, "{of}");
        }
        assert_eq!(get(&app, &browser.cookies(), "/portal/leads/news?since=x").await.text().await.unwrap(), "0 0");
    }
}
