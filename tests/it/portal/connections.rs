//! Webhooks and connectors in the portal: made, tried, switched, read and deleted without a terminal.

use std::time::Duration;

use reqwest::Method;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{signed_in, user};
use crate::deliveries::open;
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, fetch, header};

/// The text of the element with this id.
fn text_of<'h>(html: &'h str, id: &str) -> &'h str {
    let from = html.split(&format!("id=\"{id}\">")).nth(1).unwrap_or_else(|| panic!("no {id} in {html}"));
    from.split('<').next().unwrap()
}

async fn owner(app: &TestApp) -> Browser<'_> {
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    signed_in(app, &owner).await
}

/// The destination whose page is open.
pub fn id_of(browser: &Browser<'_>) -> String {
    let form = browser.html.split("action=\"/portal/connections/").find(|part| part.as_bytes()[8] == b'-');
    form.unwrap_or_else(|| panic!("no destination in {}", browser.html))[..36].to_owned()
}

async fn post(app: &TestApp, browser: &Browser<'_>, path: &str, body: &str) -> u16 {
    let request = app.request(Method::POST, path).header("sec-fetch-site", "same-origin");
    let request =
        request.header("cookie", browser.cookies()).header("content-type", "application/x-www-form-urlencoded");
    fetch(request.body(body.to_owned())).await.status().as_u16()
}

async fn send_lead(app: &TestApp, line: &str) {
    let mut lead = app.submission().await;
    lead["address"] = serde_json::json!({ "line": line });
    let (status, receipt) = app.send_lead(&lead).await;
    assert_eq!(status, 201, "{receipt}");
}

on_both_engines! {
    async fn a_webhook_is_made_tested_read_renewed_and_deleted(f: Fixture) {
        let mut receiver = Receiver::start(Reply::With(200, "", "taken <script>alert(1)</script>")).await;
        let app = TestApp::start_with(f, open).await;
        app.widget().await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections").await;
        browser.shows(200, "Nothing yet.");
        browser.shows(200, "JobNimbus");
        browser.open("/portal/connections/new?of=webhook").await;
        browser.shows(200, "New webhook");
        let url = receiver.url();
        let fill = [("name", "CRM"), ("url", url.as_str()), ("event", "lead.created"), ("event", "lead.updated"), ("timeoutSeconds", "10"), ("data", "sandbox")];
        browser.submit(&fill).await;
        browser.shows(200, "You won’t see it again");
        let secret = text_of(&browser.html, "secret").to_owned();
        assert!(secret.starts_with("whsec_"), "{secret}");
        let path = format!("/portal/connections/{}", id_of(&browser));
        browser.open(&path).await;
        browser.shows(200, "Test data");
        assert!(!browser.html.contains(&secret), "it is shown once");

        browser.press("Send a test event").await;
        browser.shows(200, "It is on its way.");
        let delivery = browser.path.clone();
        assert!(delivery.starts_with("/portal/deliveries/"), "{delivery}");
        let again = fetch(app.request(Method::GET, &delivery).header("cookie", browser.cookies())).await;
        assert_eq!(header(&again, "refresh"), "1");
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 1);
        browser.open(&delivery).await;
        for shown in ["HTTP 200", "taken &lt;script&gt;alert(1)&lt;/script&gt;", "POST http://127.0.0.1", "webhook-signature", "&quot;type&quot;: &quot;ping&quot;", "HMAC-SHA256"] {
            browser.shows(200, shown);
        }
        assert!(!browser.html.contains(&secret));
        let settled = fetch(app.request(Method::GET, &delivery).header("cookie", browser.cookies())).await;
        assert_eq!(header(&settled, "refresh"), "", "nothing more is awaited");

        receiver.will(Reply::With(503, "", "the inner network"));
        send_lead(&app, "16 Alder Court").await;
        app.engine.work_off().await;
        browser.open(&path).await;
        browser.shows(200, "Failing");
        browser.shows(200, "Failed attempts in a row: 1");
        browser.open(&format!("{path}?event=lead.created&state=pending")).await;
        browser.shows(200, "1 attempt");
        let failed = browser.html.split("/portal/deliveries/").nth(1).unwrap()[..36].to_owned();
        browser.open(&format!("{path}?state=delivered&event=lead.created")).await;
        browser.shows(200, "None here.");
        browser.open(&format!("{path}?state=lost&event=x&lead=y&cursor=z")).await;
        browser.shows(200, "A new lead");
        browser.open(&format!("/portal/deliveries/{failed}")).await;
        browser.shows(200, "HTTP 503");
        browser.shows(200, "We don’t show anyone the error messages");
        assert!(!browser.html.contains("the inner network"));
        browser.shows(200, "Open the lead");
        let lead = browser.html.split("/portal/leads/").find(|part| part.as_bytes().get(8) == Some(&b'-')).unwrap()[..36].to_owned();
        browser.open(&format!("{path}?lead={lead}")).await;
        browser.shows(200, &failed);
        assert!(!browser.html.contains(&delivery), "of this lead alone");
        receiver.will(Reply::Status(200));
        receiver.take();
        browser.open(&format!("/portal/deliveries/{failed}")).await;
        browser.press("Send it again").await;
        assert_ne!(browser.path, format!("/portal/deliveries/{failed}"));
        app.engine.work_off().await;
        assert_eq!(receiver.take().len(), 1);

        browser.open(&path).await;
        browser.press("Create a new secret").await;
        browser.shows(200, "You won’t see it again");
        assert_ne!(text_of(&browser.html, "secret"), secret);
        browser.submit_to(&path, &[("name", "CRM two"), ("url", &url), ("timeoutSeconds", "31")]).await;
        browser.shows(422, "Please type a whole number from 1 to 30.");
        browser.shows(422, "Please choose what to send.");
        browser.shows(422, "value=\"CRM two\"");
        browser.submit_to(&path, &[("name", "CRM two"), ("url", &url), ("event", "lead.created"), ("timeoutSeconds", "5")]).await;
        browser.shows(200, "Saved.");
        browser.press("Switch off").await;
        browser.shows(200, "It’s off.");
        send_lead(&app, "18 Alder Court").await;
        app.engine.work_off().await;
        assert!(receiver.take().is_empty());
        browser.press("Switch on").await;
        browser.submit_to(&format!("{path}/again"), &[("since", "yesterday")]).await;
        browser.shows(422, "Please choose a day.");
        browser.submit_to(&format!("{path}/again"), &[("since", "2026-03-01")]).await;
        browser.shows(200, "Sent again:");
        browser.press("Delete it").await;
        browser.shows(200, "Deleted, with");
        browser.open(&path).await;
        browser.shows(404, "Nothing here");
    }

    async fn a_webhook_gets_the_widgets_the_payload_and_the_headers_that_were_chosen_here(f: Fixture) {
        let mut receiver = Receiver::start(Reply::Status(200)).await;
        let app = TestApp::start_with(f, open).await;
        let widget = app.widget().await["referenceId"].as_str().unwrap().to_owned();
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=webhook").await;
        let url = receiver.url();
        let made = [("name", "CRM"), ("url", url.as_str()), ("event", "lead.created"), ("timeoutSeconds", "10")];
        browser.submit(&[made.as_slice(), &[("data", "sandbox")]].concat()).await;
        let path = format!("/portal/connections/{}", id_of(&browser));
        browser.open(&path).await;
        browser.shows(200, "All widgets, including future ones");
        let form = |options: &[(&'static str, &'static str)]| [made.as_slice(), options].concat();

        browser.submit_to(&path, &form(&[("reach", "some")])).await;
        browser.shows(422, "Please tick at least one widget.");
        for (headers, said) in [
            ("no colon here", "each with a colon between name and value"),
            ("Host: elsewhere.example.com", "We set host ourselves."),
            ("webhook-signature: mine", "We set webhook-signature ourselves."),
        ] {
            browser.submit_to(&path, &form(&[("reach", "every"), ("payload", "full"), ("headers", headers)])).await;
            browser.shows(422, said);
            browser.shows(422, headers);
        }

        let options = [("reach", "some"), ("payload", "thin"), ("ordered", "yes"), ("headers", "X-Token: s3cret-words\r\n\r\nX-Team:roofs")];
        browser.submit_to(&path, &[form(&options), vec![("widget", widget.as_str())]].concat()).await;
        browser.shows(200, "Saved.");
        browser.shows(200, "It has x-token, x-team.");
        assert!(!browser.html.contains("s3cret-words"), "the values are shown to nobody");
        send_lead(&app, "16 Alder Court").await;
        app.engine.work_off().await;
        let sent = receiver.take();
        assert_eq!(sent.len(), 1);
        assert_eq!((sent[0].header("x-token"), sent[0].header("x-team")), ("s3cret-words", "roofs"));
        assert!(!sent[0].json().to_string().contains("ann@example.com"), "its id alone: {}", sent[0].json());

        // What is left empty stays; what another form does not ask for stays too.
        browser.submit_to(&path, &[form(&[("reach", "some"), ("payload", "full"), ("headers", "")]), vec![("widget", widget.as_str())]].concat()).await;
        browser.shows(200, "It has x-token, x-team.");
        assert_eq!(post(&app, &browser, &path, "name=CRM&event=lead.created&timeoutSeconds=10").await, 422, "without an address");
        send_lead(&app, "18 Alder Court").await;
        app.engine.work_off().await;
        let sent = receiver.take();
        assert!(sent[0].json().to_string().contains("ann@example.com") && sent[0].header("x-token") == "s3cret-words");

        // Another widget alone: the lead of this one goes nowhere.
        let other = "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a";
        browser.submit_to(&path, &[form(&[("reach", "some"), ("payload", "full"), ("noHeaders", "yes")]), vec![("widget", other)]].concat()).await;
        browser.shows(200, "Saved.");
        assert!(!browser.html.contains("x-token"), "they were sent away");
        send_lead(&app, "20 Alder Court").await;
        app.engine.work_off().await;
        assert!(receiver.take().is_empty());
    }

    async fn a_page_that_is_none_says_so_to_people_and_stays_json_for_programs(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        for path in ["/portal/leds", "/portal/a/b/c", "/portal/keys/1"] {
            let asked = |accept| app.request(Method::GET, path).header("cookie", browser.cookies()).header("accept", accept);
            let page = fetch(asked("text/html,*/*")).await;
            assert_eq!((page.status().as_u16(), header(&page, "content-type")), (404, "text/html; charset=utf-8"), "{path}");
            assert!(page.text().await.unwrap().contains("Nothing here"));
            let json = fetch(asked("application/json")).await;
            assert!(header(&json, "content-type").starts_with("application/json"), "{path}");
        }
        // Where a form was sent to: its page, for people.
        for (path, page) in [
            ("/portal/keys/1/rotate", "/portal/keys"),
            ("/portal/settings/email", "/portal/settings"),
            ("/portal/leads/7/note?data=sandbox", "/portal/leads/7?data=sandbox"),
        ] {
            let asked = |accept| app.request(Method::GET, path).header("cookie", browser.cookies()).header("accept", accept);
            let led = fetch(asked("text/html,*/*")).await;
            assert_eq!((led.status().as_u16(), header(&led, "location")), (303, page), "{path}");
            assert_eq!(fetch(asked("application/json")).await.status(), 404, "{path}");
        }
        browser.open("/portal/leads").await;
        assert_eq!(browser.status, 200);
    }

    async fn a_webhook_that_stopped_by_itself_says_why_and_is_switched_on_again(f: Fixture) {
        let receiver = Receiver::start(Reply::Status(410)).await;
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=webhook").await;
        browser.submit(&[("name", "CRM"), ("url", &receiver.url()), ("event", "lead.created"), ("data", "production")]).await;
        let path = format!("/portal/connections/{}", id_of(&browser));
        browser.press("Send a test event").await;
        app.engine.work_off().await;
        browser.open(&path).await;
        browser.shows(200, "It stopped automatically:");
        browser.shows(200, "410");
        browser.open("/portal/connections").await;
        browser.shows(200, "Stopped automatically");
        browser.open(&path).await;
        browser.press("Switch on").await;
        browser.shows(200, "It’s on.");
        assert!(!browser.html.contains("It stopped automatically"));
    }

    async fn addresses_that_are_not_public_are_refused_at_their_field(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        for (url, said) in [
            ("https://169.254.169.254/latest/meta-data/", "Events cannot be sent there:"),
            ("https://127.0.0.1:8080/x", "Events cannot be sent there:"),
            ("https://[::1]/", "Events cannot be sent there:"),
            ("http://hooks.example.com/x", "Please type an address that begins with https://."),
            ("javascript:alert(1)", "Please type an address that begins with https://."),
            ("", "Please type an address that begins with https://."),
        ] {
            browser.open("/portal/connections/new?of=webhook").await;
            browser.submit(&[("name", "x"), ("url", url), ("event", "lead.created")]).await;
            browser.shows(422, said);
        }
        browser.open("/portal/connections/new?of=ntfy").await;
        browser.submit(&[("name", "x"), ("set.server", "https://10.0.0.1/"), ("set.topic", "oak-leads-topic")]).await;
        browser.shows(422, "Leads cannot be sent there:");
        assert!(!browser.html.contains("oak-leads-topic"), "a secret is not written back");
        for path in ["/portal/connections/new?of=nothing", "/portal/connections/new"] {
            browser.open(path).await;
            browser.shows(404, "Nothing here");
        }
        browser.open("/portal/connections/new?of=zapier").await;
        browser.shows(200, "Add a webhook");
        assert_eq!(post(&app, &browser, "/portal/connections/new", "of=zapier&name=x").await, 422);
        let stored = app.texts("SELECT id FROM destination").await;
        assert!(stored.is_empty(), "{stored:?}");
    }

    async fn a_connector_shows_what_it_would_send_then_sends_it_once_and_is_off_until_then(f: Fixture) {
        let mut target = Receiver::start(Reply::With(200, "Content-Type: application/json\r\n", r#"{"results":[],"jnid":"4711"}"#)).await;
        let app = TestApp::start_connected(f, open, Some(target.url().parse().unwrap())).await;
        app.widget().await;
        send_lead(&app, "16 Alder Court").await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=jobnimbus").await;
        browser.shows(200, "Send a test before you switch it on.");
        browser.submit(&[("name", "JobNimbus"), ("set.api_key", "no good!"), ("data", "sandbox")]).await;
        browser.shows(422, "This may have letters, digits");
        browser.submit(&[("name", ""), ("set.api_key", "jn-secret-key"), ("data", "sandbox")]).await;
        browser.shows(422, "Please type a name");
        browser.submit(&[("name", "JobNimbus"), ("set.api_key", "jn-secret-key"), ("data", "sandbox")]).await;
        browser.shows(200, "Saved, and off.");
        let path = format!("/portal/connections/{}", id_of(&browser));
        browser.submit_to(&format!("{path}/try"), &[("lead", ""), ("send", "no")]).await;
        browser.shows(200, "What would be sent");
        browser.shows(200, "1 Test Street");
        let lead = browser.html.split("<option value=\"").map(|rest| &rest[..36.min(rest.len())]).find(|id| id.as_bytes().get(8) == Some(&b'-')).unwrap().to_owned();
        browser.submit_to(&format!("{path}/try"), &[("lead", &lead), ("send", "no")]).await;
        browser.shows(200, "ann@example.com");
        assert!(target.take().is_empty(), "showing sends nothing");
        browser.submit_to(&format!("{path}/try"), &[("lead", &lead), ("send", "yes")]).await;
        browser.shows(200, "It worked. The record there is 4711.");
        browser.shows(200, "HTTP 200");
        assert!(target.take().len() >= 2);
        assert!(!browser.html.contains("jn-secret-key"), "{}", browser.html);
        target.will(Reply::With(401, "", r#"{"error":"invalid token"}"#));
        browser.submit_to(&format!("{path}/try"), &[("lead", ""), ("send", "yes")]).await;
        browser.shows(200, "Refused: HTTP 401.");
        assert!(!browser.html.contains("invalid token"), "what a private network says of an error is for the operator alone");
        target.take();
        target.will(Reply::With(200, "Content-Type: application/json\r\n", r#"{"results":[],"jnid":"4712"}"#));
        // What is saved without the key keeps it.
        browser.submit_to(&path, &[("name", "Our CRM"), ("set.api_key", ""), ("set.source", "Website")]).await;
        browser.shows(200, "Saved.");
        send_lead(&app, "18 Alder Court").await;
        app.engine.work_off().await;
        assert!(target.take().is_empty(), "it is off");
        browser.press("Switch on").await;
        app.clock.advance(Duration::from_secs(60));
        send_lead(&app, "20 Alder Court").await;
        app.engine.work_off().await;
        let sent = target.take();
        assert!(sent.iter().all(|r| r.header("authorization").eq_ignore_ascii_case("Bearer jn-secret-key")) && !sent.is_empty());
        browser.open(&path).await;
        browser.shows(200, "Delivered");
        browser.shows(200, "value=\"Website\"");
        let delivery = browser.html.split("/portal/deliveries/").nth(1).unwrap()[..36].to_owned();
        browser.open(&format!("/portal/deliveries/{delivery}")).await;
        browser.shows(200, "Request, without secrets");
        assert!(!browser.html.contains("jn-secret-key"));
        // Another company's lead is nobody's here.
        assert_eq!(post(&app, &browser, &format!("{path}/try"), "lead=0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a&send=yes").await, 404);
    }

    async fn another_company_finds_no_connection_no_delivery_and_no_key(f: Fixture) {
        let receiver = Receiver::start(Reply::Status(200)).await;
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/connections/new?of=webhook").await;
        browser.submit(&[("name", "CRM"), ("url", &receiver.url()), ("event", "lead.created")]).await;
        let id = id_of(&browser);
        browser.press("Send a test event").await;
        let delivery = browser.path.clone();
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(elm), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        for path in [format!("/portal/connections/{id}"), delivery.clone()] {
            foreign.open(&path).await;
            foreign.shows(404, "Nothing here");
        }
        foreign.open("/portal/connections").await;
        foreign.shows(200, "Nothing yet.");
        for action in ["", "/on", "/off", "/test", "/rotate", "/delete", "/again", "/try", "/steal"] {
            assert_eq!(post(&app, &foreign, &format!("/portal/connections/{id}{action}"), "name=x&url=https://evil.example&event=lead.created&since=2026-03-01").await, 404, "{action}");
        }
        assert_eq!(post(&app, &foreign, &format!("{delivery}/again"), "").await, 404);
        for (key, action) in [(&app.production.id, "revoke"), (&app.sandbox.id, "rotate")] {
            assert_eq!(post(&app, &foreign, &format!("/portal/keys/{key}/{action}"), "").await, 404);
        }
        browser.open(&format!("/portal/connections/{id}")).await;
        browser.shows(200, "It is on");
        // What a webhook lacks, a connector's, and an unknown action.
        for action in ["/try", "/steal"] {
            assert_eq!(post(&app, &browser, &format!("/portal/connections/{id}{action}"), "").await, 404, "{action}");
        }
    }
}
