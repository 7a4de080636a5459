//! Members who see chosen widgets alone: every route with leads of their own widget and of another one.

use reqwest::Method;
use serde_json::json;
use shingle_domain::{Environment, LeadId, Role, Tenant, WidgetScope};
use shingle_store::{
    Actor, Assignee, KeyTerms, LeadQuery, MergeChoice, MergeOutcome, OwnerChange, StoreError, User, acting, see_only,
};
use shingle_store_fixture::on_both_engines;
use shingle_web::portal::{Access, access_table};

use super::browser::Browser;
use super::{signed_in, user};
use crate::support::{HOME, SITE, TestApp, consent, fetch, form, header, send};

const OAK: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
const ELM: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c22";
/// Words that only leads and the widget of Elm have.
const OF_ELM: [&str; 4] = ["Zebulon", "zebulon@example.com", "Elm Street Roofs", ELM];

/// An agency with a widget for each of two roofers, and a lead of each.
struct Agency {
    app: TestApp,
    oak: LeadId,
    elm: LeadId,
    client: User,
}

impl Agency {
    async fn found(f: shingle_store_fixture::Fixture) -> Self {
        let app = TestApp::start_with(f, |settings| settings.limits.requests_per_key = 10_000).await;
        for (widget, title) in [(OAK, "Oak Street Roofs"), (ELM, "Elm Street Roofs")] {
            let form = form::widget().without("referenceId").set("referenceId", widget);
            app.widget_with(form.without("firstPageTitle").set("firstPageTitle", title)).await;
        }
        let oak = lead(&app, OAK, "Ann", "ann@example.com").await;
        let elm = lead(&app, ELM, "Zebulon", "zebulon@example.com").await;
        let client = user(&app, Some(app.account), Role::Member, "client@oak.example.com").await;
        let scope = WidgetScope::only([OAK.parse().unwrap()]);
        app.store.people().set_sees(app.account, client.id, &scope).await.unwrap();
        let client = app.store.people().find_user(client.id).await.unwrap().unwrap();
        Self { app, oak, elm, client }
    }

    fn tenant(&self) -> Tenant {
        Tenant { account: self.app.account, environment: Environment::Sandbox }
    }

    /// What the owner finds of Elm's lead.
    async fn elm_now(&self) -> String {
        let (lead, leads) = (self.elm, self.app.store.leads());
        let tenant = self.tenant();
        let found = leads.find(&tenant, lead).await.unwrap();
        let work = leads.work(&tenant, lead).await.unwrap();
        let entries = leads.entries(&tenant, lead).await.unwrap();
        format!("{found:?} {work:?} {entries:?}")
    }
}

async fn lead(app: &TestApp, widget: &str, name: &str, email: &str) -> LeadId {
    let page = |path: &str| app.request(Method::POST, &format!("/w/{widget}{path}")).header("origin", SITE);
    let session = send(page("/session")).await.1["token"].clone();
    let lead = json!({
        "token": session,
        "address": { "line": HOME },
        "firstName": name,
        "lastName": "Sample",
        "email": email,
        "consent": { "given": true, "text": consent("Oak Roofing") },
        "elapsedMs": 20_000,
    });
    let (status, body) = send(page("/leads").body(lead.to_string())).await;
    assert_eq!(status, 201, "{body}");
    body["id"].as_str().unwrap().parse().unwrap()
}

/// Every action of a lead's page.
const ACTIONS: [&str; 20] = [
    "take",
    "status",
    "note",
    "edit-note",
    "delete-note",
    "assign",
    "step",
    "done",
    "contact",
    "worth",
    "lost",
    "tag",
    "untag",
    "book",
    "cancel",
    "reply",
    "merge",
    "unmerge",
    "delete-file",
    "erase",
];

on_both_engines! {
    async fn each_route_shows_a_client_their_widgets_alone(f: Fixture) {
        let agency = Agency::found(f).await;
        let Agency { app, oak, elm, client } = &agency;
        let before = agency.elm_now().await;
        let cookies = signed_in(app, client).await.cookies();
        let table = access_table();
        let (mut asked, mut refused, mut missing) = (0, 0, 0);
        for page in table.pages() {
            let (method, route) = (&page.method, page.path);
            if page.access == Access::Open {
                continue;
            }
            let actions: &[&str] = if route.starts_with("/portal/leads/{id}/{action}") { &ACTIONS } else { &["take"] };
            for action in actions {
                for lead in [elm, oak] {
                    // The client's own lead is erased nowhere in this table.
                    if lead == oak && *action == "erase" {
                        continue;
                    }
                    let path = route.replace("{id}", &lead.to_string()).replace("{action}", action);
                    let path = path.replace("{photo}", OAK).replace("{file}", OAK).replace("{whose}", "mine");
                    let query = format!("data=sandbox&with={elm}&widget={ELM}&search=zebulon&table=widgets&status=new&status=spam");
                    let request = app.request(method.clone(), &format!("{path}?{query}")).header("cookie", &cookies);
                    let request = request.header("sec-fetch-site", "same-origin").header("accept", "text/html");
                    let body = format!(
                        "data=sandbox&with={elm}&stays={elm}&lead={elm}&do=download&person=me&widget={ELM}&assignee=me&text=hello\
                         &status=won&seen=new&reference=x&merged={elm}&list=data%3Dsandbox&query=data%3Dsandbox"
                    );
                    let is_form = *method == Method::POST;
                    let request = if is_form { request.header("content-type", "application/x-www-form-urlencoded").body(body) } else { request };
                    let response = fetch(request).await;
                    let status = response.status().as_u16();
                    let location = header(&response, "location").to_owned();
                    let text = response.text().await.unwrap();
                    asked += 1;
                    assert!(status < 500, "{method} {path}: {status}");
                    // What was asked for may be repeated: ids and words of the address.
                    let heard = text.replace(ELM, "").replace(&elm.to_string(), "").replace("value=\"zebulon\"", "");
                    for word in &OF_ELM[..3] {
                        assert!(!heard.contains(word), "{method} {path} shows {word}: {heard}");
                    }
                    if !page.for_clients {
                        assert_eq!(status, 403, "{method} {path} → {location}");
                        refused += 1;
                    } else if route.starts_with("/portal/leads/{id}") && lead == elm {
                        assert_eq!(status, 404, "{method} {path} → {location}");
                        missing += 1;
                    }
                }
            }
        }
        println!("{asked} requests of a client: {refused} refused, {missing} not found");
        assert!(refused > 100 && missing > 20, "{refused} {missing}");
        assert_eq!(agency.elm_now().await, before, "nothing of the other widget has changed");
    }

    async fn a_client_works_with_their_leads(f: Fixture) {
        let agency = Agency::found(f).await;
        let Agency { app, oak, elm, client } = &agency;
        let mut browser = signed_in(app, client).await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Ann Sample");
        browser.hides("Zebulon");
        // The menu has what they may open, and pages have no dead ends.
        for shown in ["href=\"/portal/leads\"", "href=\"/portal/results\"", "href=\"/portal/settings\""] {
            browser.shows(200, shown);
        }
        for hidden in ["/portal/operator", "/portal/widgets", "/portal/people", "/portal/usage", "/portal/leads/import", "/portal/connections"] {
            browser.hides(&format!("href=\"{hidden}\""));
        }
        browser.open("/portal/widgets").await;
        browser.shows(403, "This page isn’t part of your access.");
        browser.open(&format!("/portal/leads/{oak}?data=sandbox")).await;
        browser.shows(200, "Ann Sample");
        browser.hides("Zebulon");
        browser.open("/portal/leads?data=sandbox&search=zebulon").await;
        browser.hides("zebulon@example.com");
        browser.open("/portal/leads.csv?data=sandbox").await;
        browser.shows(200, "ann@example.com");
        browser.hides("zebulon@example.com");
        browser.open("/portal/leads/count?data=sandbox").await;
        assert_eq!(browser.html, "1");
        browser.open("/portal/results?data=sandbox").await;
        browser.shows(200, "Results");
        browser.hides("Elm Street Roofs");
        browser.open("/portal/leads/new?data=sandbox").await;
        browser.shows(200, OAK);
        browser.hides(ELM);
        // The same for both: an owner sees all.
        let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut owners = signed_in(app, &owner).await;
        owners.open("/portal/leads?data=sandbox").await;
        owners.shows(200, "Ann Sample");
        owners.shows(200, "Zebulon Sample");
        owners.open(&format!("/portal/leads/{elm}?data=sandbox")).await;
        owners.shows(200, "Zebulon Sample");
    }

    async fn leads_are_given_to_nobody_who_does_not_see_them(f: Fixture) {
        let agency = Agency::found(f).await;
        let Agency { app, oak, elm, client } = &agency;
        let (tenant, leads) = (agency.tenant(), app.store.leads());
        let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        leads.assign(&tenant, *oak, &owner, Some(client.id), None).await.unwrap();
        let refused = leads.assign(&tenant, *elm, &owner, Some(client.id), None).await;
        assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
        // What they do not see any more is nobody's.
        let other = WidgetScope::only([ELM.parse().unwrap()]);
        app.store.people().set_sees(app.account, client.id, &other).await.unwrap();
        assert_eq!(leads.work(&tenant, *oak).await.unwrap().assignee, None);
        let theirs = LeadQuery { assignee: Some(Assignee::User(client.id)), ..LeadQuery::default() };
        assert_eq!(leads.list_ids(&tenant, &theirs, 10).await.unwrap().0, []);
        // A client who becomes an owner sees everything.
        app.store.people().change_role(app.account, client.id, Role::Owner).await.unwrap();
        assert!(app.store.people().find_user(client.id).await.unwrap().unwrap().sees.is_all());
        let refused = app.store.people().set_sees(app.account, client.id, &other).await;
        assert!(matches!(refused, Err(StoreError::NotFound)), "{refused:?}");
        let won = OwnerChange { status: Some(shingle_domain::lead::LeadStatus::Won), ..OwnerChange::default() };
        leads.change(&tenant, *elm, &won).await.unwrap();
    }

    async fn merged_leads_and_inspections_stay_with_their_widgets(f: Fixture) {
        let agency = Agency::found(f).await;
        let Agency { app, oak, elm, client } = &agency;
        let (tenant, leads) = (agency.tenant(), app.store.leads());
        let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        leads.add_note(&tenant, *elm, &owner, "Zebulon only").await.unwrap();
        let mark = async |id: LeadId| {
            let lead = app.store.leads().find(&tenant, id).await.unwrap().unwrap();
            app.store.leads().merge_mark(&tenant, &lead).await.unwrap()
        };
        let merge = async |stays: LeadId, goes: LeadId| {
            let (one, other) = (mark(stays).await, mark(goes).await);
            app.store.leads().merge(&tenant, (stays, goes), &owner, (&one, &other), MergeChoice::default()).await.unwrap()
        };
        // With a client, leads of two widgets are not merged.
        assert_eq!(merge(*oak, *elm).await, MergeOutcome::OtherWidget);
        // They may have been merged before there was one.
        let scope = client.sees.clone();
        app.store.people().set_sees(app.account, client.id, &WidgetScope::All).await.unwrap();
        assert_eq!(merge(*oak, *elm).await, MergeOutcome::Done);
        app.store.people().set_sees(app.account, client.id, &scope).await.unwrap();
        let mut browser = signed_in(app, client).await;
        for path in [format!("/portal/leads/{oak}?data=sandbox"), "/portal/leads.csv?data=sandbox".to_owned()] {
            browser.open(&path).await;
            browser.shows(200, "ann@example.com");
            browser.hides("Zebulon");
        }
        let terms = KeyTerms { sees: scope.clone(), ..KeyTerms::default() };
        let key = app.key_on(&terms).await;
        let asked = |method: Method, path: String| send(app.request(method, &path).header("token", &key.token));
        assert_eq!(asked(Method::GET, format!("/api/v1/leads/{oak}/notes")).await, (200, json!([])));
        // What they do to theirs would reach the other: it is refused.
        let (status, body) = asked(Method::DELETE, format!("/api/v1/leads/{oak}")).await;
        assert!((400..500).contains(&status), "{status} {body}");
        assert!(leads.find(&tenant, *elm).await.unwrap().is_some() && leads.find(&tenant, *oak).await.unwrap().is_some());
        let undone = acting(Actor::Visitor, async {
            see_only(scope.clone());
            app.store.leads().undo_merge(&tenant, (*oak, *elm), client).await
        });
        assert!(matches!(undone.await, Err(StoreError::Merged | StoreError::NotFound)));
        assert!(leads.undo_merge(&tenant, (*oak, *elm), &owner).await.unwrap());
        // Nobody is sent to a lead that they do not see.
        let mut owners = signed_in(app, &owner).await;
        owners.open(&format!("/portal/leads/{elm}?data=sandbox")).await;
        owners.shows(200, "Zebulon Sample");
        assert!(!owners.html.contains(&format!("value=\"{}\"", client.id)), "the client is offered nowhere on this page");
        owners.open(&format!("/portal/leads/{oak}?data=sandbox")).await;
        owners.shows(200, &format!("value=\"{}\"", client.id));
    }

    async fn an_owner_invites_a_client_and_changes_what_they_see(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let production = |title: &str, id: &str| form::widget().without("referenceId").set("referenceId", id).without("firstPageTitle").set("firstPageTitle", title);
        for (id, title) in [(OAK, "Oak Street Roofs"), (ELM, "Elm Street Roofs")] {
            let sent = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
            let (status, body) = send(sent.multipart(production(title, id).build())).await;
            assert_eq!(status, 201, "{body}");
        }
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/people").await;
        browser.shows(200, "Only these widgets");
        let invite = "/portal/people/invites";
        browser.submit_to(invite, &[("email", "kim@oak.example.com"), ("role", "owner"), ("sees", "only"), ("widget", OAK)]).await;
        browser.shows(422, "An owner sees every widget.");
        browser.submit_to(invite, &[("email", "kim@oak.example.com"), ("role", "member"), ("sees", "only"), ("widget", OAK)]).await;
        browser.shows(200, "Client: Oak Street Roofs");
        let link = browser.html.split("id=\"invite-link\">").nth(1).unwrap().split('<').next().unwrap().to_owned();
        let token = link.split("token=").nth(1).unwrap();
        let (email, name) = (shingle_domain::Email::parse("kim@oak.example.com").unwrap(), shingle_domain::UserName::parse("Kim").unwrap());
        let kim = app.store.people().accept_invite(token, &email, &name).await.unwrap();
        assert_eq!(kim.sees, WidgetScope::only([OAK.parse().unwrap()]));
        browser.open("/portal/people").await;
        browser.submit_to(&format!("/portal/people/{}/widgets", kim.id), &[("sees", "only"), ("widget", ELM), ("widget", OAK)]).await;
        browser.shows(200, "Saved. It counts from the next page they open.");
        browser.shows(200, "Client: Oak Street Roofs, Elm Street Roofs");
        // What contradicts itself shows nobody everything.
        let before = app.store.people().find_user(kim.id).await.unwrap().unwrap().sees;
        for unclear in [
            &[("sees", "only"), ("widget", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a")][..],
            &[("sees", "only")],
            &[("sees", "all"), ("widget", ELM)],
            &[("widget", ELM)],
        ] {
            browser.submit_to(&format!("/portal/people/{}/widgets", kim.id), unclear).await;
            browser.shows(200, "Choose every widget and tick none");
            assert_eq!(app.store.people().find_user(kim.id).await.unwrap().unwrap().sees, before);
        }
        browser.submit_to(&format!("/portal/people/{}/widgets", kim.id), &[("sees", "all")]).await;
        assert!(app.store.people().find_user(kim.id).await.unwrap().unwrap().sees.is_all());
        browser.open("/portal/audit").await;
        browser.shows(200, "changed which widgets someone sees");
    }
}

impl Browser<'_> {
    fn hides(&self, text: &str) {
        assert!(!self.html.contains(text), "{} shows {text}: {}", self.path, self.html);
    }
}
