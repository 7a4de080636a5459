//! Ready-made replies: made for the company, filled in by a lead, prepared, and said to be sent.

use shingle_domain::{Environment, Role, Tenant};
use shingle_store_fixture::on_both_engines;

use super::leads::{ids, with_leads};
use super::{signed_in, user};
use crate::support::TestApp;

const PAGE: &str = "/portal/settings/replies";

on_both_engines! {
    async fn a_reply_is_made_edited_and_deleted_by_anybody_of_the_company(f: Fixture) {
        let app = TestApp::start(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/settings").await;
        browser.shows(200, PAGE);
        for (name, body, said) in [
            ("", "Hi", "Please write something."),
            ("Late", "Hi {last name}", "We can’t fill in {last name}."),
            ("Late", &*"ö".repeat(1_501), "Please shorten it."),
            ("a\u{202e}b", "Hi", "an invisible character"),
        ] {
            browser.open(PAGE).await;
            browser.submit_to(PAGE, &[("reply-name", name), ("reply-body", body)]).await;
            browser.shows(422, said);
            assert!(browser.html.contains(body), "what was typed stays: {}", browser.html);
        }
        browser.open(PAGE).await;
        browser.submit_to(PAGE, &[("reply-name", "Late <b>"), ("reply-body", "Hi {first name}")]).await;
        browser.shows(200, "Late &lt;b&gt;");
        let sealed = app.texts("SELECT record FROM reply_template").await;
        assert!(sealed.len() == 1 && sealed[0].starts_with('~'), "{sealed:?}");
        let id = app.store.accounts().reply_templates(app.account).await.unwrap()[0].id;
        let path = format!("{PAGE}/{id}");
        let edit = format!("{PAGE}?open={id}");
        // Two at once: the second is told, and what was typed stays.
        let mut other = signed_in(&app, &maya).await;
        browser.open(&edit).await;
        other.open(&edit).await;
        browser.submit_to(&path, &[("reply-name", "Late"), ("reply-body", "Hello {first name}")]).await;
        browser.shows(200, "Hello {first name}");
        other.submit_to(&path, &[("reply-name", "Late"), ("reply-body", "Hey {first name}")]).await;
        other.shows(409, "It now says: “Hello {first name}”");
        other.shows(409, ">Hey {first name}</textarea>");
        other.submit_to(&path, &[("reply-name", "Late"), ("reply-body", "Hey {first name}")]).await;
        other.shows(200, "Hey {first name}");
        // Another company sees and changes none of it.
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        foreign.open(&edit).await;
        assert!(foreign.status == 200 && !foreign.html.contains("Hey"), "{}", foreign.html);
        for action in [path.clone(), format!("{path}/delete")] {
            foreign.send_to(&action, &[("reply-name", "x"), ("reply-body", "x")]).await;
            assert_eq!(foreign.status, 404, "{action}");
        }
        browser.open(PAGE).await;
        browser.submit_to(&format!("{path}/delete"), &[]).await;
        browser.shows(200, "Reply deleted.");
        assert!(!browser.html.contains("Hey"), "{}", browser.html);
        // Gone meanwhile.
        other.send_to(&path, &[("reply-name", "Late"), ("reply-body", "Hi")]).await;
        assert_eq!(other.status, 404);
    }

    async fn a_reply_is_filled_in_and_the_timeline_says_what_was_prepared_and_what_was_sent(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let lead = ids(&app).await[0].clone();
        let path = format!("/portal/leads/{lead}");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(PAGE).await;
        let text = "Hi {first name}, {company} about {address}: {price range}. {inspection}?";
        browser.submit_to(PAGE, &[("reply-name", "First"), ("reply-subject", "{address}"), ("reply-body", text)]).await;
        let id = app.store.accounts().reply_templates(app.account).await.unwrap()[0].id;
        browser.open(&format!("{path}?data=sandbox&reply={id}")).await;
        browser.shows(200, "Hi Ann, Oak Roofing about 14 Alder Court: $");
        browser.shows(200, "We don’t know {inspection} of this lead.");
        browser.shows(200, "value=\"14 Alder Court\"");
        // One that is gone or another's fills nothing in.
        browser.open(&format!("{path}?data=sandbox&reply={lead}")).await;
        assert!(browser.status == 200 && !browser.html.contains("Hi Ann"), "{}", browser.html);

        for (subject, body, way, said) in [
            ("", " ", "text", "Please write something."),
            ("", "Hi", "", "Please choose email or text."),
            ("", &*"ö".repeat(1_501), "text", "Please shorten it."),
            ("a\u{202e}b", "Hi", "email", "an invisible character"),
        ] {
            browser.submit_to(&format!("{path}/reply"), &[("write-subject", subject), ("write-body", body), ("way", way)]).await;
            browser.shows(422, said);
        }
        browser.submit_to(&format!("{path}/reply"), &[("write-subject", "Roof & more"), ("write-body", "Hi Ann,\r\nsee you <b>"), ("way", "email")]).await;
        browser.shows(200, "Maya Lindqvist prepared an email: “Roof &amp; more. Hi Ann,\nsee you &lt;b&gt;”");
        browser.shows(200, "mailto:whitfield@example.com?subject=Roof%20%26%20more&amp;body=Hi%20Ann%2C%0D%0Asee%20you%20%3Cb%3E");
        browser.open("/portal/leads?data=sandbox&waiting=yes").await;
        browser.shows(200, "Whitfield");
        browser.open(&format!("{path}?data=sandbox")).await;
        // A teammate cannot say that she sent it.
        let entry = browser.html.split("name=\"entry\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let mut other = signed_in(&app, &luis).await;
        other.open(&format!("{path}?data=sandbox")).await;
        assert!(!other.html.contains("I sent it"), "{}", other.html);
        other.send_to(&format!("{path}/replied"), &[("data", "sandbox"), ("entry", &entry)]).await;
        assert_eq!(other.status, 404);
        browser.press("I sent it").await;
        browser.shows(200, "Maya Lindqvist sent an email: “Roof &amp; more.");
        assert!(!browser.html.contains("prepared an email") && !browser.html.contains("I sent it"), "{}", browser.html);
        browser.open("/portal/leads?data=sandbox&waiting=yes").await;
        browser.shows(200, "No lead matches");
        browser.send_again().await;
        assert_eq!(browser.status, 200);
        app.clock.advance(std::time::Duration::from_secs(1));
        browser.submit_to(&format!("{path}/reply"), &[("write-body", "On my way & soon"), ("way", "text")]).await;
        browser.shows(200, "sms:+12075550143?&amp;body=On%20my%20way%20%26%20soon");
        let texts = app.texts("SELECT text FROM lead_entry").await;
        assert!(texts.iter().all(|text| text.starts_with('~')), "{texts:?}");
        // Longer than another program is opened with: the text is copied.
        let long = "ö".repeat(600);
        app.clock.advance(std::time::Duration::from_secs(1));
        browser.submit_to(&format!("{path}/reply"), &[("write-subject", "Roof"), ("write-body", &long), ("way", "email")]).await;
        browser.shows(200, "Too long to open with its text");
        browser.shows(200, "href=\"mailto:whitfield@example.com?subject=Roof\"");
        app.clock.advance(std::time::Duration::from_secs(1));
        browser.submit_to(&format!("{path}/reply"), &[("write-body", "On my way"), ("way", "text")]).await;
        // The day after, it is history.
        app.clock.advance(std::time::Duration::from_secs(25 * 3_600));
        let mut later = signed_in(&app, &maya).await;
        later.open(&format!("{path}?data=sandbox")).await;
        later.shows(200, "prepared a text");
        assert!(!later.html.contains("I sent it"), "{}", later.html);
        let sandbox = Tenant { account: app.account, environment: Environment::Sandbox };
        app.store.leads().erase(&sandbox, lead.parse().unwrap()).await.unwrap();
        assert_eq!(app.texts("SELECT text FROM lead_entry").await, [""; 0]);
    }

    async fn no_text_is_prepared_for_a_homeowner_who_did_not_agree_to_texts(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["phone"] = "(207) 555-0143".into();
        sent["consent"]["given"] = false.into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let path = format!("/portal/leads/{}", ids(&app).await[0]);
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&format!("{path}?data=sandbox")).await;
        browser.shows(200, "Prepare an email");
        assert!(!browser.html.contains("Prepare a text"), "{}", browser.html);
        browser.submit_to(&format!("{path}/reply"), &[("write-body", "Hi"), ("way", "text")]).await;
        browser.shows(422, "Please choose email or text.");
    }
}
