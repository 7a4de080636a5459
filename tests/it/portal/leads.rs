//! Leads in the portal.

use reqwest::Method;
use serde_json::json;
use shingle_domain::{Environment, Role, Tenant};
use shingle_store_fixture::on_both_engines;

use super::{signed_in, user};
use crate::support::{TestApp, fetch, header, send};

/// Leads of the sandbox, the newest last.
pub async fn with_leads(app: &TestApp, names: &[&str]) {
    app.widget().await;
    for name in names {
        let mut sent = app.submission().await;
        sent["lastName"] = (*name).into();
        sent["email"] =
            format!("{}@example.com", name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "")).into();
        sent["phone"] = "(207) 555-0143".into();
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt}");
        app.clock.advance(std::time::Duration::from_secs(60));
    }
}

pub async fn ids(app: &TestApp) -> Vec<String> {
    let (_, list) = send(app.api(Method::GET, "/api/v1/leads")).await;
    list["data"].as_array().unwrap().iter().map(|lead| lead["id"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    async fn a_member_reads_takes_and_finishes_a_lead(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/leads").await;
        browser.shows(200, "No lead yet");
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Ann Ferreira");
        assert!(browser.html.find("Ferreira") < browser.html.find("Whitfield"), "newest first");
        assert_eq!(browser.html.matches("Unread. ").count(), 2);
        browser.open("/portal/leads?data=sandbox&search=whit").await;
        assert!(browser.html.contains("Ann Whitfield") && !browser.html.contains("Ferreira"));
        browser.open("/portal/leads?data=sandbox&search=nobody").await;
        browser.shows(200, "No lead matches");
        assert!(!browser.html.contains("Did you mean"), "nothing is near: {}", browser.html);
        for typed in [
            "whitfeld",
            "whitfeeld",
            "whtfeld",
            "Anne+Withfield",
            "ann+whitfielx",
            "fereira",
            "fereyra",
            "14+Aldre+Court",
        ] {
            browser.open(&format!("/portal/leads?data=sandbox&search={typed}")).await;
            let meant = if typed.starts_with("fer") { "Ann Ferreira" } else { "Ann Whitfield" };
            browser.shows(200, "Did you mean");
            browser.shows(200, meant);
        }
        for typed in ["Anna+Smitfeeld", "whtfelx", "eitfeld"] {
            browser.open(&format!("/portal/leads?data=sandbox&search={typed}")).await;
            browser.shows(200, "No lead matches");
            assert!(!browser.html.contains("Did you mean"), "three slips, or the first letter: {}", browser.html);
        }
        browser.open("/portal/leads?data=sandbox&status=won&search=whitfeld").await;
        browser.shows(200, "Did you mean “whitfield”?");
        browser.open("/portal/leads?search=whitfeld").await;
        assert!(!browser.html.contains("Did you mean"), "only the other environment has it: {}", browser.html);
        browser.open("/portal/leads?data=sandbox&status=won").await;
        browser.shows(200, "No lead matches");
        browser.open("/portal/leads?data=sandbox&status=lukewarm&from=yesterday&after=x").await;
        browser.shows(200, "Ann Ferreira");
        assert!(browser.html.contains("role=\"alert\""), "what was not understood is told");

        let lead = ids(&app).await[0].clone();
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(200, "I’m on it");
        for shown in ["Call (207) 555-0143", "tel:+12075550143", "14 Alder Court", "Consent", "Drawing and print sheet", "sq ft", "sms:"] {
            assert!(browser.html.contains(shown), "{shown}: {}", browser.html);
        }
        browser.press("I’m on it").await;
        browser.shows(200, "Maya Lindqvist is on it.");
        browser.shows(200, "selected=\"\">Maya Lindqvist");
        browser.submit_to(&format!("/portal/leads/{lead}/status"), &[("status", "qualified")]).await;
        browser.shows(200, "Saved.");
        // Somebody else changes it while this page is open.
        let patch = app.api(Method::PATCH, &format!("/api/v1/leads/{lead}")).body(json!({ "status": "lost" }).to_string());
        app.clock.advance(std::time::Duration::from_secs(1));
        assert_eq!(send(patch).await.0, 200);
        browser.submit_to(&format!("/portal/leads/{lead}/status"), &[("status", "won")]).await;
        browser.shows(409, "Someone changed this lead");
        assert!(browser.html.contains("Yours, not saved") && browser.html.contains("Use mine"), "{}", browser.html);
        assert!(browser.html.contains("<option value=\"lost\" selected=\"\">"), "as it stands now");

        browser.open(&format!("/portal/leads/{lead}/consent?data=sandbox")).await;
        browser.shows(200, "Certificate of consent");
        browser.open("/portal/leads?data=sandbox").await;
        assert_eq!(browser.html.matches("Unread. ").count(), 1, "one was opened");

        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        let reference = browser.html.split("To erase it, type ").nth(1).unwrap().split('<').next().unwrap().to_owned();
        browser.submit_to(&format!("/portal/leads/{lead}/erase"), &[("reference", "4K7Q")]).await;
        browser.shows(422, "Nothing was erased.");
        browser.shows(422, "value=\"4K7Q\"");
        browser.shows(422, "<a href=\"#reference\">");
        browser.submit_to(&format!("/portal/leads/{lead}/erase"), &[("reference", &reference.to_lowercase())]).await;
        browser.shows(200, "Lead erased");
        browser.open(&format!("/portal/leads/{lead}?data=sandbox")).await;
        browser.shows(404, "Nothing here");
    }

    async fn a_lead_leads_to_its_neighbours_in_the_list(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman"]).await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        // The newest first.
        let ids: Vec<String> = ids(&app).await;
        let at = |id: &str| format!("/portal/leads/{id}?data=sandbox&amp;list=data%3Dsandbox%26status%3Dnew");
        browser.open("/portal/leads?data=sandbox&status=new").await;
        let list: Vec<_> = ids.iter().filter(|id| browser.html.contains(&at(id))).collect();
        assert_eq!(list.len(), 3, "each link names the list");
        let newest_first: Vec<String> = {
            let mut found: Vec<_> = ids.iter().map(|id| (browser.html.find(&at(id)).unwrap(), id.clone())).collect();
            found.sort();
            found.into_iter().map(|(_, id)| id).collect()
        };
        let link = |id: &str, rel: &str| format!("href=\"{}\" class=\"btn\" rel=\"{rel}\"", at(id));
        browser.open(&at(&newest_first[1]).replace("&amp;", "&")).await;
        browser.shows(200, "2 of 3");
        assert!(browser.html.contains(&link(&newest_first[0], "prev")), "{}", browser.html);
        assert!(browser.html.contains(&link(&newest_first[2], "next")));
        assert!(browser.html.contains("href=\"/portal/leads?data=sandbox&amp;status=new\">Back to the list"));
        // It leaves the list, and the form leads back to the same place of the same list.
        browser.submit_to(&format!("/portal/leads/{}/status", newest_first[1]), &[("status", "contacted")]).await;
        browser.shows(200, "Saved.");
        assert!(!browser.html.contains(" of 2</span>"));
        assert!(browser.html.contains(&link(&newest_first[0], "prev")) && browser.html.contains(&link(&newest_first[2], "next")));
        browser.open(&format!("/portal/leads/{}?data=sandbox", newest_first[0])).await;
        browser.shows(200, "1 of 3");
        assert!(browser.html.contains(">All leads</a>") && !browser.html.contains("rel=\"prev\""));
        // A list of another kind is the one without filters.
        browser.open(&format!("/portal/leads/{}?data=sandbox&list=//evil.example%3Fstatus%3Dx", newest_first[0])).await;
        browser.shows(200, "1 of 3");
        assert!(!browser.html.contains("evil"));
    }

    async fn the_status_of_several_is_set_at_once(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman"]).await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        let ids = ids(&app).await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.submit_to("/portal/leads/bulk", &[("set", "contacted"), ("do", "status")]).await;
        browser.shows(200, "You selected nothing");
        browser.submit_to("/portal/leads/bulk", &[("set", "contacted"), ("do", "status"), ("lead", &ids[0]), ("lead", &ids[2])]).await;
        browser.shows(200, "2 leads updated.");
        browser.open("/portal/leads?data=sandbox&status=contacted").await;
        assert!(browser.html.contains("Raman") && browser.html.contains("Whitfield") && !browser.html.contains("Ferreira"));
        let csv = fetch(app.get("/portal/leads.csv?data=sandbox&status=contacted").header("cookie", browser.cookies())).await;
        assert_eq!(header(&csv, "content-type"), "text/csv; charset=utf-8");
        let text = csv.text().await.unwrap();
        assert!(text.lines().count() == 3 && text.contains("Raman") && !text.contains("Ferreira"), "{text}");
    }

    async fn what_teammates_changed_meanwhile_is_left_alone_and_counted(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman", "Beck", "Marsh"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let (mut browser, mut other) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        let shown = |html: &str| -> Vec<String> {
            html.split("name=\"lead\" value=\"").skip(1).map(|part| part.split('"').next().unwrap().to_owned()).collect()
        };
        browser.open("/portal/leads?data=sandbox").await;
        let rows = shown(&browser.html);
        assert_eq!(rows.len(), 5, "{}", browser.html);
        // Of three that Luis changes, one is what Maya wants too.
        other.open("/portal/leads?data=sandbox").await;
        let theirs = shown(&other.html);
        other.submit_to("/portal/leads/bulk", &[("do", "status"), ("set", "lost"), ("lead", &theirs[0]), ("lead", &theirs[1])]).await;
        other.shows(200, "2 leads updated.");
        other.submit_to("/portal/leads/bulk", &[("do", "status"), ("set", "contacted"), ("lead", &theirs[2])]).await;
        other.submit_to("/portal/leads/bulk", &[("do", "assign"), ("person", "me"), ("lead", &theirs[3])]).await;
        let all: Vec<(&str, &str)> = rows.iter().map(|row| ("lead", row.as_str())).collect();
        let with = |more: &[(&'static str, &'static str)]| [more, &all[..]].concat();
        browser.submit_to("/portal/leads/bulk", &with(&[("do", "status"), ("set", "contacted")])).await;
        browser.shows(200, "3 leads updated. Teammates changed 2 of 5 meanwhile, so we left those as they are.");
        browser.open("/portal/leads?data=sandbox&status=lost").await;
        assert_eq!(shown(&browser.html).len(), 2);
        // The same page again, with one that is erased: whose they are was seen before Luis took one.
        let id = rows[4].split('.').next().unwrap();
        app.store.leads().erase(&Tenant { account: app.account, environment: Environment::Sandbox }, id.parse().unwrap()).await.unwrap();
        browser.submit_to("/portal/leads/bulk", &with(&[("do", "assign"), ("person", "nobody")])).await;
        browser.shows(200, "3 leads assigned. A teammate changed 1 of 5 meanwhile, so we left it as it is. 1 of 5 no longer exists.");
        // What is no row of a list is nothing.
        for odd in ["x", "x.new.", "..", &format!("{id}.lukewarm.")] {
            browser.submit_to("/portal/leads/bulk", &[("do", "status"), ("set", "won"), ("lead", odd)]).await;
            browser.shows(200, "You selected nothing");
        }
    }

    async fn a_list_is_sorted_by_its_headings_and_pages_keep_the_order(f: Fixture) {
        let app = TestApp::start(f).await;
        let names: Vec<String> = (0..27).map(|n| format!("N{}", char::from(b'a' + n))).collect();
        with_leads(&app, &names.iter().map(String::as_str).collect::<Vec<_>>()).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let order = |html: &str| -> Vec<String> {
            html.split("list=").skip(1).filter_map(|part| Some(part.split_once(">Ann ")?.1.split('<').next()?.to_owned())).collect()
        };
        browser.open("/portal/leads?data=sandbox").await;
        assert!(browser.html.contains("aria-sort=\"descending\"><a href=\"/portal/leads?data=sandbox&amp;sort=oldest\""), "{}", browser.html);
        assert_eq!(browser.html.matches("aria-sort").count(), 1);
        browser.open("/portal/leads?data=sandbox&status=new&sort=oldest").await;
        browser.shows(200, "25 of 27. Oldest first.");
        assert!(browser.html.contains("aria-sort=\"ascending\""));
        let first = order(&browser.html);
        let next = browser.html.split("href=\"").map(|part| part.split('"').next().unwrap()).find(|path| path.contains("after=")).unwrap().replace("&amp;", "&");
        assert!(next.contains("status=new") && next.contains("sort=oldest"), "{next}");
        browser.open(&next).await;
        assert_eq!([first, order(&browser.html)].concat(), names);
        // Who waits longest, and a heading of each column that sorts.
        browser.open("/portal/leads?data=sandbox&waiting=yes&sort=oldest").await;
        assert!(browser.html.contains("<a href=\"/portal/leads?data=sandbox&amp;waiting=yes&amp;sort=oldest\" aria-current=\"page\">"), "{}", browser.html);
        for sort in ["urgent", "status", "assignee", "due", "price", "newest", "urgent-last", "status-last", "assignee-last", "due-last", "price-low"] {
            browser.open(&format!("/portal/leads?data=sandbox&waiting=yes&sort={sort}")).await;
            assert_eq!((browser.status, browser.html.matches("aria-sort").count()), (200, 1), "{sort}");
        }
        browser.open("/portal/leads?data=sandbox&sort=name").await;
        browser.shows(200, "Unknown sort order.");
    }

    async fn a_filter_says_its_value_and_count_and_is_removed_alone(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let ids = ids(&app).await;
        browser.open("/portal/leads?data=sandbox").await;
        assert!(!browser.html.contains("class=\"remove\"") && !browser.html.contains("Clear all"));
        browser.submit_to("/portal/leads/bulk", &[("do", "status"), ("set", "won"), ("lead", &ids[0])]).await;
        browser.open("/portal/leads?data=sandbox&status=won&status=new&priceFrom=1&waiting=yes&search=ann").await;
        for said in [
            "aria-label=\"Remove Status: New, Won 3\"",
            "aria-label=\"Remove Price: from $1 3\"",
            "aria-label=\"Remove Nobody responded 2\"",
            "href=\"/portal/leads?data=sandbox&amp;status=new&amp;status=won&amp;search=ann&amp;waiting=yes\" class=\"remove\"",
            "<span>2 leads</span><a href=\"/portal/leads?data=sandbox\">Clear all</a>",
        ] {
            assert!(browser.html.contains(said), "{said}: {}", browser.html);
        }
        // Each field is in the form once, wherever its filter stands.
        for name in ["search", "widget", "assignee", "priceFrom", "priceTo", "from", "to", "unread", "asked", "waiting", "sort"] {
            let of_bar = browser.html.split("role=\"search\"").nth(1).unwrap().split("</form>").next().unwrap();
            assert!(of_bar.matches(&format!("name=\"{name}\"")).count() <= 1, "{name}");
            assert!(name == "widget" || of_bar.contains(&format!("name=\"{name}\"")), "{name}");
        }
        browser.open("/portal/leads?data=sandbox&search=nobody-has-this").await;
        browser.shows(200, "Clear all");
    }

    async fn filters_combine_on_every_page_of_the_list(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira", "Raman"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        let ids = ids(&app).await;
        browser.open("/portal/leads?data=sandbox").await;
        // The town's hash is nobody's to guess: the page has it.
        let town = browser.html.split("name=\"town\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(town.len() == 16 && browser.html.contains(">Harrow Falls<"), "{}", browser.html);
        for (query, count) in [
            (format!("town={town}"), 3), ("town=0000000000000000".into(), 0), ("priceFrom=1".into(), 3), ("priceTo=1".into(), 0),
            ("source=site".into(), 3), ("source=ads&source=qr".into(), 0), ("unread=yes".into(), 3), ("asked=yes".into(), 0),
            ("sort=price".into(), 3), ("status=new&status=won".into(), 3), (format!("town={town}&search=raman&priceFrom=1"), 1),
        ] {
            let answer = fetch(app.get(&format!("/portal/leads/count?data=sandbox&{query}")).header("cookie", browser.cookies())).await;
            assert_eq!(answer.text().await.unwrap(), count.to_string(), "{query}");
            let csv = fetch(app.get(&format!("/portal/leads.csv?data=sandbox&{query}")).header("cookie", browser.cookies())).await;
            assert_eq!(csv.text().await.unwrap().lines().count(), count + 1, "{query}");
            browser.open(&format!("/portal/leads?data=sandbox&{query}")).await;
            assert_eq!(browser.html.matches("name=\"lead\"").count(), count, "{query}");
        }
        browser.open("/portal/leads?data=sandbox&search=raman&status=won").await;
        browser.shows(200, "Searched “raman” in Status: Won.");
        browser.shows(200, "Ann Raman");
        browser.open("/portal/leads/filters?data=sandbox&status=won&town=ffffffffffffffff").await;
        browser.shows(200, "Show leads");
        assert!(browser.html.contains("value=\"won\" checked"), "{}", browser.html);
        browser.open("/portal/leads/board?data=sandbox").await;
        assert_eq!(browser.html.matches("data-card").count(), 3);
        browser.submit_to(&format!("/portal/leads/{}/status", ids[1]), &[("status", "qualified")]).await;
        assert!(browser.path.starts_with("/portal/leads/board?data=sandbox") && browser.html.contains("Saved."), "{}", browser.path);

        // All of a list, those that are ticked, and neither.
        browser.open("/portal/leads?data=sandbox&status=new").await;
        browser.submit_to("/portal/leads/bulk", &[("do", "assign"), ("person", "me"), ("all", "yes")]).await;
        browser.shows(200, "2 leads assigned.");
        browser.open("/portal/leads?data=sandbox&assignee=me").await;
        assert_eq!(browser.html.matches("name=\"lead\"").count(), 2, "the list, not everything");
        let post = |body: String| {
            let request = app.request(Method::POST, "/portal/leads/bulk").header("origin", &app.base).header("cookie", browser.cookies());
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body))
        };
        let csv = post(format!("data=sandbox&do=download&lead={}&lead={}", ids[0], ids[2])).await;
        assert_eq!(csv.text().await.unwrap().lines().count(), 3);
        let csv = post("data=sandbox&do=download&all=yes&query=data%3Dsandbox%26status%3Dqualified".into()).await;
        assert_eq!(csv.text().await.unwrap().lines().count(), 2);
        let nobody = post(format!("data=sandbox&do=assign&person=0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a&lead={}", ids[0])).await;
        assert_eq!(nobody.status(), 404, "nobody of another company");
        post(format!("data=sandbox&do=spam&lead={}", ids[0])).await;
        browser.open("/portal/leads?data=sandbox").await;
        assert_eq!(browser.html.matches("name=\"lead\"").count(), 2);
    }

    async fn suspected_spam_has_its_reason_and_two_ways_out(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        for (name, field, value) in [("Hidden", "website", json!("http://x.example")), ("Fast", "elapsedMs", json!(3))] {
            let mut sent = app.submission().await;
            sent["lastName"] = name.into();
            sent["email"] = format!("{name}@example.com").into();
            sent[field] = value;
            assert_eq!(app.send_lead(&sent).await.0, 201);
            app.clock.advance(std::time::Duration::from_secs(60));
        }
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads?data=sandbox").await;
        assert!(browser.html.contains("Ann Whitfield") && !browser.html.contains("Ann Hidden"), "{}", browser.html);
        browser.open("/portal/leads?data=sandbox&status=spam").await;
        browser.shows(200, "Filled in a hidden field");
        browser.shows(200, "Filled in faster than a person could");
        let of = |html: &str, action: &str, n: usize| {
            let form = html.split("action=\"").filter(|part| part.split(['"', '?']).next().unwrap().ends_with(action)).nth(n).unwrap();
            form.split(['"', '?']).next().unwrap().to_owned()
        };
        let (ham, erase) = (of(&browser.html, "/ham", 0), of(&browser.html, "/erase-spam", 1));
        browser.submit_to(&ham, &[]).await;
        browser.shows(200, "Moved to your new leads.");
        let gone = of(&browser.html, "/erase-spam", 0);
        assert_eq!(gone, erase);
        browser.submit_to(&gone, &[]).await;
        browser.shows(200, "Lead erased.");
        browser.shows(200, "Nothing is suspected.");
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Ann Fast");
        // A lead that is not spam is not erased without its reference.
        let fair = ham.replace("/ham", "/erase-spam");
        let request = app.request(Method::POST, &fair).header("origin", &app.base).header("cookie", browser.cookies());
        let refused = fetch(request.header("content-type", "application/x-www-form-urlencoded").body("data=sandbox")).await;
        assert_eq!(refused.status(), 404);
    }

    async fn another_company_sees_and_changes_nothing(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let lead = ids(&app).await.remove(0);
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "eve@elm.example.com").await;
        let own = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &stranger).await;
        for path in [format!("/portal/leads/{lead}?data=sandbox"), format!("/portal/leads/{lead}/consent?data=sandbox"), "/portal/leads/x".to_owned()] {
            browser.open(&path).await;
            browser.shows(404, "Nothing here");
        }
        browser.open("/portal/leads?data=sandbox&search=whitfield").await;
        assert!(!browser.html.contains("Ann Whitfield"));
        let session = app.store.people().list_sessions(own.id).await.unwrap();
        assert!(session.is_empty());
        signed_in(&app, &own).await;
        let session = app.store.people().list_sessions(own.id).await.unwrap()[0].id;
        let post = |path: String, body: String| {
            let request = app.request(Method::POST, &path).header("origin", &app.base).header("cookie", browser.cookies());
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body(body))
        };
        for (path, body) in [
            (format!("/portal/leads/{lead}/status"), "data=sandbox&status=lost".to_owned()),
            (format!("/portal/leads/{lead}/take"), "data=sandbox".to_owned()),
            (format!("/portal/leads/{lead}/erase"), "data=sandbox&reference=x".to_owned()),
            (format!("/portal/leads/{lead}/explode"), "data=sandbox".to_owned()),
            (format!("/portal/people/{}/remove", own.id), String::new()),
            (format!("/portal/settings/sessions/{session}/end"), String::new()),
        ] {
            assert_eq!(post(path.clone(), body).await.status(), 404, "{path}");
        }
        let set = post("/portal/leads/bulk".to_owned(), format!("data=sandbox&do=status&set=lost&lead={lead}")).await;
        assert!(header(&set, "location").ends_with("said=set&count=0&changed=0&gone=1"));
        let (_, unchanged) = send(app.api(Method::GET, &format!("/api/v1/leads/{lead}"))).await;
        assert_eq!((&unchanged["status"], &unchanged["takenBy"]), (&json!("new"), &json!(null)));
        assert!(app.store.people().find_user(own.id).await.unwrap().is_some());
        let back = post("/portal/leads/bulk".to_owned(), "query=%0D%0Ax%3A+y".to_owned()).await;
        assert_eq!(header(&back, "location"), "/portal/leads?said=none");
    }

    async fn what_a_homeowner_wrote_stays_text_in_every_page(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        let hostile = "</td><script>alert(1)</script><img src=x onerror=alert(1)>\"'& 🏠";
        sent["firstName"] = "O'Brien & Sons".into();
        sent["message"] = hostile.into();
        sent["source"] = json!({ "utmCampaign": hostile, "pageUrl": "javascript:alert(1)" });
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt}");
        let owner = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        let lead = ids(&app).await.remove(0);
        for path in ["/portal/leads?data=sandbox".to_owned(), format!("/portal/leads/{lead}?data=sandbox"), format!("/portal/leads/{lead}/consent?data=sandbox")] {
            browser.open(&path).await;
            assert_eq!(browser.status, 200);
            assert!(!browser.html.contains("<script>") && !browser.html.contains("<img src=x") && !browser.html.contains("href=\"javascript:"), "{}", browser.html);
        }
        browser.open(&format!("/portal/leads?data=sandbox&search={}", "%3Cscript%3E%22")).await;
        assert!(!browser.html.contains("<script>\""), "{}", browser.html);
    }

    async fn a_lead_that_comes_in_later_is_not_among_all_that_were_selected(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads?data=sandbox").await;
        app.clock.advance(std::time::Duration::from_secs(60));
        assert_eq!(app.send_lead(&app.submission().await).await.0, 201);
        browser.submit_to("/portal/leads/bulk", &[("do", "spam"), ("all", "yes")]).await;
        let (_, left) = send(app.api(Method::GET, "/api/v1/leads?status=new")).await;
        assert_eq!(left["data"].as_array().unwrap().len(), 1, "{left}");
        assert_eq!(left["data"][0]["lastName"], "Sample");
    }
}
