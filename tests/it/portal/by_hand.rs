//! Leads that a company's people add from a call.

use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, Role, Tenant};
use shingle_store::LeadQuery;
use shingle_store_fixture::on_both_engines;

use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::{TestApp, WIDGET, send};

const HOME: (&str, &str) = ("home-address", "14 alder ct harrow falls me 04995");

async fn leads_of(app: &TestApp) -> Value {
    send(app.api(Method::GET, "/api/v1/leads")).await.1["data"].clone()
}

on_both_engines! {
    async fn a_lead_from_a_call_works_like_any_other(f: Fixture) {
        let app = TestApp::start(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads/new?data=sandbox").await;
        browser.shows(200, "You need a widget first");
        app.widget().await;
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "/portal/leads/new?data=sandbox");
        browser.open("/portal/leads/new?data=sandbox").await;

        // What is wrong is at its field, and what was typed stays.
        let phone = ("contact-phone", "207 555 0163");
        for (fields, said) in [
            (&[HOME, phone, ("consent", "agreed")][..], "Please type the name."),
            (&[HOME, ("first-name", "Luis"), ("consent", "agreed")], "Please type a phone or an email."),
            (&[HOME, ("first-name", "Luis"), phone, ("contact-email", "luis"), ("consent", "agreed")], "Please type an email address"),
            (&[("first-name", "Luis"), phone, ("consent", "agreed")], "Please type the address."),
            (&[HOME, ("first-name", "Luis"), phone, ("consent", "yes")], "Please choose what they said."),
            (&[HOME, ("first-name", "Luis"), ("contact-phone", "+44 20 7946 0958"), ("consent", "agreed")], "has 10 digits"),
        ] {
            browser.open("/portal/leads/new?data=sandbox").await;
            let fields: Vec<_> = fields.iter().copied().chain([("widget", WIDGET), ("do", "add")]).collect();
            browser.submit_to("/portal/leads/new", &fields).await;
            browser.shows(422, said);
        }
        assert_eq!(leads_of(&app).await, json!([]));

        // The price while they talk; nothing is saved.
        browser.submit_to("/portal/leads/new", &[HOME, ("widget", WIDGET), ("do", "look")]).await;
        browser.shows(200, "Found: 14 Alder Court, Harrow Falls, ME 04995");
        assert_eq!(leads_of(&app).await, json!([]));

        let typed = [HOME, ("first-name", "Luis"), phone, ("said-text", "Two leaks.\r\nAfter 5"), ("consent", "agreed"), ("assignee", "me"), ("widget", WIDGET), ("do", "add")];
        browser.submit_to("/portal/leads/new", &typed).await;
        browser.shows(200, "Lead added.");
        browser.shows(200, "Maya Lindqvist added this lead by hand");
        browser.shows(200, "Source: Added by hand");
        browser.shows(200, "Given by voice, noted by Maya Lindqvist.");
        browser.shows(200, "Maya Lindqvist is on it.");
        assert!(!browser.html.contains("mailto:"), "there is no email: {}", browser.html);
        // Sent twice, it is one lead, and nobody is asked.
        browser.send_again().await;
        browser.shows(200, "Lead added.");
        let all = leads_of(&app).await;
        assert_eq!(all.as_array().unwrap().len(), 1, "{all}");
        let lead = &all[0];
        assert_eq!((&lead["email"], &lead["phone"], &lead["lastName"]), (&Value::Null, &json!("(207) 555-0163"), &json!("")));
        assert_eq!((&lead["source"]["via"], &lead["consent"]["given"]), (&json!("hand"), &json!(true)));
        assert_eq!((&lead["message"], &lead["address"]), (&json!("Two leaks.\nAfter 5"), &json!("14 Alder Court, Harrow Falls, ME 04995")));
        assert!(lead["estimate"]["prices"].as_array().is_some_and(|prices| !prices.is_empty()), "{lead}");
        let id = lead["id"].as_str().unwrap().to_owned();
        browser.open(&format!("/portal/leads/{id}/consent?data=sandbox")).await;
        browser.shows(200, "Given by voice, noted by Maya Lindqvist.");
        // Found and filtered like any other.
        for list in ["search=555-0163", "source=hand", "search=Luis"] {
            browser.open(&format!("/portal/leads?data=sandbox&{list}")).await;
            browser.shows(200, &format!("/portal/leads/{id}"));
        }
        browser.open("/portal/leads?data=sandbox&source=site").await;
        browser.shows(200, "No lead matches");
        // A visitor's page cannot say that it is one.
        app.clock.advance(std::time::Duration::from_secs(60));
        let mut sent = app.submission().await;
        sent["source"] = json!({ "via": "hand" });
        assert_eq!(app.send_lead(&sent).await.0, 201);
        assert_eq!(leads_of(&app).await[0]["source"]["via"], "embed");
        app.clock.advance(std::time::Duration::from_secs(60));
        // Nobody knows this address: without a price.
        browser.open("/portal/leads/new?data=sandbox").await;
        let unknown = [("home-address", "1 Nowhere Lane, Nowhere, ME 04999"), ("first-name", "Ann"), ("contact-email", "far@example.com"), ("consent", "notAsked"), ("widget", WIDGET), ("do", "add")];
        browser.submit_to("/portal/leads/new", &unknown).await;
        browser.shows(200, "No roof data");
        browser.shows(200, "Not asked, noted by Maya Lindqvist.");
        assert_eq!(leads_of(&app).await[0]["consent"]["given"], false);
        // A teammate who was removed meanwhile: nothing is added.
        browser.open("/portal/leads/new?data=sandbox").await;
        let gone = app.store.accounts().create("Elm Roofing").await.unwrap().id.to_string();
        let before = leads_of(&app).await.as_array().unwrap().len();
        let late = [HOME, ("first-name", "Jo"), ("contact-email", "jo@example.com"), ("consent", "notAsked"), ("assignee", &*gone), ("widget", WIDGET), ("do", "add")];
        browser.submit_to("/portal/leads/new", &late).await;
        browser.shows(422, "This person is no longer on the team.");
        assert_eq!(leads_of(&app).await.as_array().unwrap().len(), before);
        // An email and a last name come later.
        let id = ids(&app).await[2].clone();
        browser.open(&format!("/portal/leads/{id}?data=sandbox")).await;
        let now = [HOME, ("first-name", "Luis"), ("last-name", ""), ("contact-phone", "(207) 555-0163"), ("contact-email", "")];
        let none = now.map(|(name, value)| if name == "contact-phone" { (name, "") } else { (name, value) });
        browser.submit_to(&format!("/portal/leads/{id}/edit"), &none).await;
        browser.shows(422, "Please type a phone or an email.");
        let both = now.map(|(name, value)| if name == "contact-email" { (name, "luis@example.com") } else { (name, value) });
        browser.submit_to(&format!("/portal/leads/{id}/edit"), &both).await;
        browser.shows(200, "changed the email: Nothing → luis@example.com");
    }

    async fn leads_that_are_like_it_are_shown_before_and_do_not_stop_it(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/leads/new?data=sandbox").await;
        let typed = [("home-address", "2 Elsewhere Road, Harrow Falls, ME 04995"), ("first-name", "Ann"), ("contact-phone", "2075550143"), ("consent", "callBack"), ("assignee", ""), ("widget", WIDGET), ("do", "add")];
        browser.submit_to("/portal/leads/new", &typed).await;
        browser.shows(409, "Already here");
        browser.shows(409, "Ann Whitfield");
        browser.shows(409, "value=\"2075550143\"");
        assert_eq!(leads_of(&app).await.as_array().unwrap().len(), 1);
        browser.submit_to("/portal/leads/new", &typed).await;
        browser.shows(200, "Lead added.");
        browser.shows(200, "Linked leads");
        browser.shows(200, "Asked by voice to be called back about this only");
        assert_eq!(leads_of(&app).await.as_array().unwrap().len(), 2);
    }

    async fn others_are_notified_and_who_added_it_is_not(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        // The widget's mailbox is hers.
        let owner = user(&app, Some(app.account), Role::Owner, "hello@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "tomas@oak.example.com").await;
        let typed = |name: &'static str| [HOME, ("first-name", name), ("contact-phone", "2075550163"), ("consent", "agreed"), ("assignee", ""), ("widget", WIDGET), ("do", "add"), ("anyway", "yes")];
        let mails = "SELECT COUNT(*) FROM delivery JOIN destination ON destination.id = destination_id WHERE destination.kind = 'mail' AND delivery.kind = 'lead.created'";
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/leads/new?data=sandbox").await;
        browser.submit_to("/portal/leads/new", &typed("Luis")).await;
        browser.shows(200, "Lead added.");
        let told = app.number(mails).await;
        assert!(told > 0, "the company's mailbox");
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/leads/new?data=sandbox").await;
        browser.submit_to("/portal/leads/new", &typed("Dana")).await;
        browser.shows(200, "Lead added.");
        assert_eq!(app.number(mails).await, told);
        assert_eq!(app.number("SELECT COUNT(*) FROM event WHERE kind = 'lead.created'").await, 2, "webhooks get both");
        // Another company's widget, and another's person.
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        let sent: Vec<_> = typed("Eve").into_iter().chain([("data", "sandbox")]).collect();
        foreign.send_to("/portal/leads/new", &sent).await;
        assert_eq!(foreign.status, 404);
        assert_eq!(leads_of(&app).await.as_array().unwrap().len(), 2);
    }

    async fn tags_are_free_words_that_everybody_shares(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield", "Ferreira"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let all = ids(&app).await;
        let path = |n: usize| format!("/portal/leads/{}", all[n]);
        let sandbox = Tenant { account: app.account, environment: Environment::Sandbox };
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{}?data=sandbox", path(0))).await;
        for (typed, said) in [("", "Please type a tag."), ("a,b", "no comma"), (&*"x".repeat(31), "30 characters at most")] {
            browser.submit_to(&format!("{}/tag", path(0)), &[("tag", typed)]).await;
            browser.shows(422, said);
        }
        browser.submit_to(&format!("{}/tag", path(0)), &[("tag", " Two  layers <b> ")]).await;
        browser.shows(200, "Maya Lindqvist added the tag Two layers &lt;b&gt;");
        browser.shows(200, "Remove the tag Two layers &lt;b&gt;");
        // The same word, in other capitals and twice, is one.
        browser.submit_to(&format!("{}/tag", path(0)), &[("tag", "two layers <B>")]).await;
        browser.submit_to(&format!("{}/tag", path(0)), &[("tag", "storm")]).await;
        assert_eq!(app.number("SELECT COUNT(*) FROM lead_tag").await, 2);
        // Suggested on another lead.
        browser.open(&format!("{}?data=sandbox", path(1))).await;
        browser.shows(200, "<option value=\"storm\">");
        browser.submit_to(&format!("{}/tag", path(1)), &[("tag", "Storm")]).await;
        browser.shows(200, "Remove the tag storm");
        let storm = app.store.leads().tags(&sandbox).await.unwrap().into_iter().find(|tag| tag.name == "storm").unwrap();
        // A filter with its count, that combines with the others; a search; a view that is saved.
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, &format!("name=\"tag\" value=\"{}\"", storm.hash));
        browser.open(&format!("/portal/leads?data=sandbox&tag={}&search=ferr", storm.hash)).await;
        browser.shows(200, "Tag: storm");
        browser.shows(200, "Ann Ferreira");
        assert!(!browser.html.contains("Ann Whitfield"), "{}", browser.html);
        browser.open("/portal/leads?data=sandbox&search=layers").await;
        browser.shows(200, "1 lead");
        browser.open("/portal/leads?data=sandbox&tag=x").await;
        browser.shows(200, "Unknown tag. Showing all leads.");
        let tagged = LeadQuery { tags: vec![storm.hash.clone()], ..LeadQuery::default() };
        let (found, _) = app.store.leads().list_ids(&sandbox, &tagged, 10).await.unwrap();
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), all);
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let foreign = Tenant { account: stranger, ..sandbox };
        assert_eq!(app.store.leads().list_ids(&foreign, &tagged, 10).await.unwrap(), (vec![], Some(0)));
        assert!(app.store.leads().tag_names(&foreign, &[storm.hash]).await.unwrap().is_empty());
        assert!(app.store.leads().tags(&foreign).await.unwrap().is_empty());
        let sealed = app.texts("SELECT name FROM tag").await;
        assert!(sealed.iter().all(|name| name.starts_with('~')), "{sealed:?}");
        // Ten at most.
        for n in 3..=10 {
            browser.open(&format!("{}?data=sandbox", path(0))).await;
            browser.submit_to(&format!("{}/tag", path(0)), &[("tag", &format!("t{n}"))]).await;
            assert_eq!(browser.status, 200);
        }
        browser.shows(200, "A lead has 10 tags at most.");
        browser.send_to(&format!("{}/tag", path(0)), &[("data", "sandbox"), ("tag", "t11")]).await;
        browser.shows(422, "A lead has 10 tags at most.");
        // A word goes with the last lead that has it.
        browser.open(&format!("{}?data=sandbox", path(1))).await;
        browser.submit_to(&format!("{}/untag", path(1)), &[]).await;
        browser.shows(200, "Maya Lindqvist removed the tag storm");
        browser.shows(200, "<option value=\"storm\">");
        app.store.leads().erase(&sandbox, all[0].parse().unwrap()).await.unwrap();
        assert_eq!(app.texts("SELECT name FROM tag").await, [""; 0]);
        assert_eq!(app.number("SELECT COUNT(*) FROM lead_tag").await, 0);
    }
}
