//! A website gets widgets: an owner chooses them, and the site's server spends its code once.

use std::time::Duration;

use reqwest::{Method, Url};
use serde_json::{Value, json};
use shingle_domain::{Environment, Role, Tenant};
use shingle_store_fixture::on_both_engines;

use super::browser::{Browser, encoded};
use super::{signed_in, user};
use crate::support::{TestApp, fetch, form, header, send as send_request};

/// A pair of RFC 7636.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const STATE: &str = "f5Zp1xv8S0Sb1o3y";
const RETURN: &str = "https://www.quillback.example/wp-admin/admin-post.php?action=back";

fn request() -> Vec<(&'static str, &'static str)> {
    vec![("return", RETURN), ("state", STATE), ("challenge", CHALLENGE), ("site", "https://www.quillback.example")]
}

fn asked() -> String {
    format!("/portal/connect?{}", encoded(&request()))
}

/// A widget that visitors see.
async fn live_widget(app: &TestApp) -> Value {
    let id = app.store.new_id().unwrap().to_string();
    let request = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
    let (status, widget) = send_request(request.multipart(form::widget().set("referenceId", &id).build())).await;
    assert_eq!(status, 201, "{widget}");
    widget
}

fn tenant(app: &TestApp) -> Tenant {
    Tenant { account: app.account, environment: Environment::Production }
}

async fn owner<'a>(app: &'a TestApp, address: &str) -> Browser<'a> {
    let owner = user(app, Some(app.account), Role::Owner, address).await;
    signed_in(app, &owner).await
}

/// Where the form leads, outside of the portal.
async fn send(app: &TestApp, browser: &Browser<'_>, more: &[(&str, &str)]) -> (u16, String) {
    let fields: Vec<(&str, &str)> = request().into_iter().chain(more.iter().copied()).collect();
    let post = app.request(Method::POST, "/portal/connect").header("sec-fetch-site", "same-origin");
    let post = post.header("cookie", browser.cookies()).header("content-type", "application/x-www-form-urlencoded");
    let response = fetch(post.body(encoded(&fields))).await;
    (response.status().as_u16(), header(&response, "location").to_owned())
}

/// The code in an address, which has everything else that was asked for.
fn code(location: &str) -> String {
    assert!(location.starts_with(&format!("{RETURN}&code=")), "{location}");
    let url = Url::parse(location).unwrap();
    let value = |name: &str| url.query_pairs().find(|(found, _)| found == name).map(|(_, value)| value.into_owned());
    assert_eq!(value("state").as_deref(), Some(STATE));
    value("code").unwrap()
}

async fn exchange(app: &TestApp, code: &str, verifier: &str, return_to: &str) -> (u16, Value) {
    let body = json!({ "code": code, "verifier": verifier, "return": return_to }).to_string();
    let response = fetch(app.request(Method::POST, "/connect/widgets").body(body)).await;
    let status = response.status().as_u16();
    assert!(status != 200 || header(&response, "cache-control") == "no-store");
    (status, serde_json::from_str(&response.text().await.unwrap()).unwrap_or_default())
}

on_both_engines! {
    async fn an_owner_chooses_what_a_website_shows_and_its_server_gets_it_once(f: Fixture) {
        let app = TestApp::start(f).await;
        let (one, two) = (live_widget(&app).await, live_widget(&app).await);
        let (one, two) = (one["referenceId"].as_str().unwrap(), two["referenceId"].as_str().unwrap());
        let mut browser = owner(&app, "owner@oak.example.com").await;
        browser.open(&asked()).await;
        browser.shows(200, "www.quillback.example would like to show your widgets.");
        browser.shows(200, "Allow them to run on quillback.example, www.quillback.example");
        let page = fetch(app.request(Method::GET, &asked()).header("cookie", browser.cookies())).await;
        assert!(header(&page, "content-security-policy").contains("form-action 'self' https://www.quillback.example;"));

        let (status, location) = send(&app, &browser, &[]).await;
        assert_eq!((status, location.as_str()), (422, ""), "nothing chosen");
        let (status, location) = send(&app, &browser, &[("widget", two), ("allow", "yes")]).await;
        assert_eq!(status, 303);
        let code = code(&location);
        let (status, site) = exchange(&app, &code, VERIFIER, RETURN).await;
        assert_eq!(status, 200, "{site}");
        let widgets = site["widgets"].as_array().unwrap();
        assert_eq!(widgets.len(), 1);
        assert_eq!(widgets[0]["id"], two);
        assert_eq!(widgets[0]["script"], format!("{}/w/{two}.js", app.base));
        assert_eq!(widgets[0]["kind"], "button");
        assert_eq!(exchange(&app, &code, VERIFIER, RETURN).await.0, 400, "once");

        let domains = async |id: &str| {
            let tenant = tenant(&app);
            app.store.widgets().find(&tenant, id.parse().unwrap()).await.unwrap().unwrap().widget.allowed_hosts()
        };
        assert!(domains(two).await.ends_with(&["quillback.example".to_owned(), "www.quillback.example".to_owned()]));
        assert!(domains(two).await.len() > 2, "what it allowed before stays");
        assert!(!domains(one).await.contains(&"quillback.example".to_owned()), "the other one was not chosen");
    }

    async fn a_code_is_for_one_website_with_its_secret_and_for_five_minutes(f: Fixture) {
        let app = TestApp::start(f).await;
        let widget = live_widget(&app).await;
        let id = widget["referenceId"].as_str().unwrap();
        let browser = owner(&app, "owner@oak.example.com").await;
        let fresh = async || code(&send(&app, &browser, &[("widget", id)]).await.1);
        for (verifier, return_to) in [
            ("another-secret-of-the-same-length-0123456789", RETURN),
            ("", RETURN),
            (CHALLENGE, RETURN),
            (VERIFIER, "https://evil.example/"),
            (VERIFIER, "https://www.quillback.example/wp-admin/admin-post.php?action=other"),
            (VERIFIER, ""),
        ] {
            let code = fresh().await;
            assert_eq!(exchange(&app, &code, verifier, return_to).await.0, 400, "{verifier} {return_to}");
            assert_eq!(exchange(&app, &code, VERIFIER, RETURN).await.0, 400, "a wrong try spends it");
        }
        for bad in ["", ".", "x.y", "0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a.x", &fresh().await[..36]] {
            assert_eq!(exchange(&app, bad, VERIFIER, RETURN).await.0, 400, "{bad}");
        }
        let code = fresh().await;
        app.clock.advance(Duration::from_secs(4 * 60 + 59));
        assert_eq!(exchange(&app, &code, VERIFIER, RETURN).await.0, 200);
        let code = fresh().await;
        app.clock.advance(Duration::from_secs(5 * 60 + 1));
        assert_eq!(exchange(&app, &code, VERIFIER, RETURN).await.0, 400, "late");
        let stored = app.store.widgets().find(&tenant(&app), id.parse().unwrap()).await.unwrap().unwrap();
        assert!(!stored.widget.allowed_hosts().contains(&"quillback.example".to_owned()), "nobody ticked it");
    }

    async fn another_companys_widget_and_another_address_are_not_for_the_asking(f: Fixture) {
        let app = TestApp::start(f).await;
        let widget = live_widget(&app).await;
        let id = widget["referenceId"].as_str().unwrap();
        let elm = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(elm), Role::Owner, "maya@elm.example.com").await;
        let mut stranger = signed_in(&app, &stranger).await;
        assert_eq!(send(&app, &stranger, &[("widget", id)]).await, (422, String::new()));
        stranger.open(&asked()).await;
        stranger.shows(200, "You have no widget yet.");

        let browser = owner(&app, "owner@oak.example.com").await;
        for (name, value) in [
            ("return", "http://quillback.example/"),
            ("return", "https://quillback.example/#x"),
            ("return", "https://a:b@quillback.example/"),
            ("return", "//quillback.example/"),
            ("return", "javascript:alert(1)"),
            ("state", "short"),
            ("challenge", "short"),
            ("site", "https://10.0.0.1/"),
        ] {
            let fields: Vec<(&str, &str)> = request().into_iter().map(|(n, v)| (n, if n == name { value } else { v })).collect();
            let path = format!("/portal/connect?{}", encoded(&fields));
            let shown = fetch(app.request(Method::GET, &path).header("cookie", browser.cookies())).await;
            assert_eq!(shown.status(), 400, "{name} {value}");
            let post = app.request(Method::POST, "/portal/connect").header("sec-fetch-site", "same-origin").header("cookie", browser.cookies());
            let body = encoded(&[fields, vec![("widget", id)]].concat());
            let response = fetch(post.header("content-type", "application/x-www-form-urlencoded").body(body)).await;
            assert_eq!((response.status().as_u16(), header(&response, "location")), (400, ""), "{name} {value}");
        }
    }

    async fn a_request_waits_for_the_sign_in_and_the_guide_needs_none(f: Fixture) {
        let app = TestApp::start(f).await;
        live_widget(&app).await;
        let mut nobody = Browser::new(&app);
        nobody.open(&asked()).await;
        nobody.shows(200, "Sign in");
        assert!(nobody.cookies().contains("wished=/portal/connect?return=https"), "{}", nobody.cookies());
        let mut browser = owner(&app, "owner@oak.example.com").await;
        browser.open("/portal/connect").await;
        browser.shows(200, "Address of this portal");
        browser.shows(200, &format!("value=\"{}\"", app.base));
        browser.open("/portal/connections").await;
        browser.shows(200, "href=\"/portal/connect\"");
    }
}
