//! Links by which calendars read inspections: whose they are, what is in them, and that an old one reads nothing.

use ical::IcalParser;
use reqwest::Method;
use serde_json::json;
use shingle_domain::{Role, UserName};
use shingle_store::User;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::captured_log::captured_log;
use crate::support::{TestApp, fetch, form, header, send};
use crate::visits::{Sent, send_lead};

/// A real lead, of a widget that is live.
async fn real_lead(app: &TestApp) -> Sent {
    let made = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
    let (status, body) = send(made.multipart(form::widget().build())).await;
    assert_eq!(status, 201, "{body}");
    send_lead(app, Some("(207) 555-0143")).await
}

async fn book(browser: &mut Browser<'_>, lead: &Sent, start: &str, who: &User) {
    browser.open(&format!("/portal/leads/{}", lead.id)).await;
    let who = who.id.to_string();
    let fields = [
        ("wish", "other"),
        ("date", "2026-03-12"),
        ("start", start),
        ("minutes", "45"),
        ("person", &*who),
        ("place", "14 Alder Court"),
    ];
    browser.submit_to(&format!("/portal/leads/{}/book", lead.id), &fields).await;
    browser.shows(200, "The inspection is booked.");
}

/// The path of the link that the page shows in this field.
fn link(app: &TestApp, browser: &Browser<'_>, field: &str) -> String {
    let at = browser.html.split(&format!("id=\"{field}\"")).nth(1).unwrap_or_else(|| panic!("{}", browser.html));
    let address = at.split("value=\"").nth(1).unwrap().split('"').next().unwrap();
    address.strip_prefix(&app.base).unwrap().to_owned()
}

/// What another program reads: the titles.
async fn titles(app: &TestApp, path: &str) -> Vec<String> {
    let answer = fetch(app.get(path)).await;
    assert_eq!(answer.status(), 200, "{path}");
    assert_eq!(header(&answer, "content-type"), "text/calendar; charset=utf-8");
    let text = answer.text().await.unwrap();
    assert!(text.contains("METHOD:PUBLISH") && !text.contains("ATTENDEE"), "{text}");
    let calendar = IcalParser::new(text.as_bytes()).next().unwrap().unwrap();
    let title = |event: &ical::parser::ical::component::IcalEvent| {
        let found = event.properties.iter().find(|property| property.name == "SUMMARY");
        found.and_then(|property| property.value.clone()).unwrap()
    };
    calendar.events.iter().map(title).collect()
}

async fn named(app: &TestApp, email: &str, name: &str, role: Role) -> User {
    let made = user(app, Some(app.account), role, email).await;
    app.store.people().rename_user(made.id, &UserName::parse(name).unwrap()).await.unwrap();
    made
}

on_both_engines! {
    async fn each_person_has_a_calendar_and_owners_have_the_one_of_all(f: Fixture) {
        let app = TestApp::start(f).await;
        let lead = real_lead(&app).await;
        let maya = named(&app, "maya@oak.example.com", "Maya Lindqvist", Role::Owner).await;
        let luis = named(&app, "luis@oak.example.com", "Luis Ferreira", Role::Member).await;
        let (mut owner, mut member) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        owner.open("/portal/settings").await;
        owner.shows(200, "/portal/calendar");
        for browser in [&mut owner, &mut member] {
            browser.open("/portal/calendar").await;
            browser.send_to("/portal/calendar/own/make", &[]).await;
            browser.shows(200, "The link is ready.");
            browser.shows(200, "webcal://");
        }
        let [of_maya, of_luis] = [&owner, &member].map(|browser| link(&app, browser, "own-address"));
        owner.send_to("/portal/calendar/company/make", &[]).await;
        let of_all = link(&app, &owner, "company-address");
        assert!(!member.html.contains("All inspections of the company"));
        member.send_to("/portal/calendar/company/make", &[]).await;
        assert_eq!(member.status, 404, "a member has no say in the company's");

        book(&mut owner, &lead, "10:00", &luis).await;
        assert_eq!(titles(&app, &of_luis).await, ["Ann Sample\\, inspection"]);
        assert_eq!(titles(&app, &of_all).await, ["Ann Sample\\, inspection: Luis Ferreira goes"]);
        assert_eq!(titles(&app, &of_maya).await, [""; 0]);
        // A calendar that asks again gets nothing twice.
        let first = fetch(app.get(&of_luis)).await;
        assert_eq!(header(&first, "cache-control"), "private, no-cache");
        let tag = header(&first, "etag").to_owned();
        let again = || app.get(&of_luis).header("if-none-match", tag.clone());
        assert_eq!(fetch(again()).await.status(), 304);
        owner.open(&format!("/portal/leads/{}", lead.id)).await;
        owner.submit_to(&format!("/portal/leads/{}/cancel-inspection", lead.id), &[]).await;
        assert_eq!(fetch(again()).await.status(), 200, "what is canceled leaves it");
        assert_eq!(titles(&app, &of_luis).await, [""; 0]);

        // What took place stays for a month.
        book(&mut owner, &lead, "11:00", &luis).await;
        app.clock.set("2026-03-12T16:00:00Z");
        let mut owner = signed_in(&app, &maya).await;
        owner.open(&format!("/portal/leads/{}", lead.id)).await;
        owner.press("It took place").await;
        assert_eq!(titles(&app, &of_luis).await, ["Ann Sample\\, inspection"]);
        app.clock.set("2026-04-12T16:00:00Z");
        assert_eq!(titles(&app, &of_luis).await, [""; 0]);
    }

    async fn an_old_link_reads_nothing(f: Fixture) {
        let log = captured_log();
        let app = TestApp::start(f).await;
        let lead = real_lead(&app).await;
        let maya = named(&app, "maya@oak.example.com", "Maya Lindqvist", Role::Owner).await;
        let luis = named(&app, "luis@oak.example.com", "Luis Ferreira", Role::Member).await;
        let (mut owner, mut member) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        member.open("/portal/calendar").await;
        member.send_to("/portal/calendar/own/make", &[]).await;
        let first = link(&app, &member, "own-address");
        book(&mut owner, &lead, "10:00", &luis).await;
        assert_eq!(titles(&app, &first).await.len(), 1);

        let status = async |path: &str| fetch(app.get(path)).await.status().as_u16();
        member.send_to("/portal/calendar/own/make", &[]).await;
        member.shows(200, "The link is new.");
        let second = link(&app, &member, "own-address");
        assert_eq!((status(&first).await, status(&second).await), (404, 200));
        member.send_to("/portal/calendar/own/end", &[]).await;
        member.shows(200, "The link is turned off.");
        assert_eq!(status(&second).await, 404);
        member.send_to("/portal/calendar/own/make", &[]).await;
        let third = link(&app, &member, "own-address");
        assert_eq!([status(&first).await, status(&second).await, status(&third).await], [404, 404, 200]);
        for strange in ["/calendar/.ics", "/calendar/x.ics", &third.replace(".ics", ""), &third.replace('a', "b").replace('0', "1")] {
            assert_eq!(status(strange).await, 404, "{strange}");
        }
        let post = fetch(app.request(Method::POST, &third)).await;
        assert_eq!(post.status(), 404, "it is read, and nothing else");

        // Of who left, and of a company that is closed.
        app.store.people().remove_user(app.account, luis.id).await.unwrap();
        assert_eq!(status(&third).await, 404);
        owner.open("/portal/calendar").await;
        owner.send_to("/portal/calendar/company/make", &[]).await;
        let of_all = link(&app, &owner, "company-address");
        assert_eq!(status(&of_all).await, 200);
        app.store.accounts().close(app.account).await.unwrap();
        assert_eq!(status(&of_all).await, 404);
        assert!(app.store.accounts().reopen(app.account).await.unwrap());

        // An owner who goes may know the company's.
        let jo = named(&app, "jo@oak.example.com", "Jo Reyes", Role::Owner).await;
        assert_eq!(status(&of_all).await, 200);
        app.store.people().change_role(app.account, jo.id, Role::Member).await.unwrap();
        assert_eq!(status(&of_all).await, 404);

        // The log opens no calendar.
        let text = String::from_utf8_lossy(&log.lock().unwrap()).into_owned();
        assert!(text.contains("/calendar/{link}"), "it is this log");
        for path in [&first, &second, &third, &of_all] {
            let link = path.rsplit('/').next().unwrap().strip_suffix(".ics").unwrap();
            assert!(!text.contains(link), "a calendar's address in the log");
        }
    }

    async fn test_leads_are_in_no_calendar_and_each_link_is_in_the_log(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, None).await;
        let maya = named(&app, "maya@oak.example.com", "Maya Lindqvist", Role::Owner).await;
        let mut owner = signed_in(&app, &maya).await;
        owner.open(&format!("/portal/leads/{}?data=sandbox", lead.id)).await;
        let who = maya.id.to_string();
        let fields = [("wish", "other"), ("date", "2026-03-12"), ("start", "10:00"), ("minutes", "45"), ("person", &*who), ("place", "Here")];
        owner.submit_to(&format!("/portal/leads/{}/book", lead.id), &fields).await;
        owner.open("/portal/calendar").await;
        owner.send_to("/portal/calendar/own/make", &[]).await;
        assert_eq!(titles(&app, &link(&app, &owner, "own-address")).await, [""; 0]);
        owner.open("/portal/audit").await;
        owner.shows(200, "made a calendar link");
        assert_eq!(json!(app.texts("SELECT user_id FROM calendar_link").await), json!([who]), "no key is stored");
    }
}
