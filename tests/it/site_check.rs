//! `/w/{id}/check`, against sites on this machine.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use shingle_app::config::Settings;
use shingle_store_fixture::on_both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::support::form::{self, Form};
use crate::support::{TestApp, WIDGET, fetch, header, send};

/// A site that sends one response for every path, and counts its requests.
struct Site {
    at: SocketAddr,
    visits: Arc<AtomicUsize>,
}

impl Site {
    async fn start(head: &str, body: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        let visits = Arc::new(AtomicUsize::new(0));
        let bytes = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        let seen = visits.clone();
        tokio::spawn(async move {
            while let Ok((mut socket, _)) = listener.accept().await {
                seen.fetch_add(1, Ordering::SeqCst);
                let mut head = Vec::new();
                while !head.ends_with(b"\r\n\r\n") {
                    match socket.read_u8().await {
                        Ok(byte) => head.push(byte),
                        Err(_) => break,
                    }
                }
                let _ = socket.write_all(bytes.as_bytes()).await;
                let _ = socket.shutdown().await;
            }
        });
        Self { at, visits }
    }

    async fn page(body: &str) -> Self {
        Self::start("200 OK\r\nContent-Type: text/html", body).await
    }

    fn url(&self) -> String {
        format!("http://{}/", self.at)
    }

    fn visits(&self) -> usize {
        self.visits.load(Ordering::SeqCst)
    }
}

const WORDS: &str = "<h1>Oak Roofing</h1><p>Roofs that last, built by people who live here.</p>";

fn open(settings: &mut Settings) {
    settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
    settings.egress_http = true;
    settings.limits.checks_per_visitor = 100;
    settings.limits.checks_per_widget = 100;
}

async fn with_widget(app: &TestApp) {
    app.widget_with(form::widget().set("domains", "127.0.0.1")).await;
}

fn tag(app: &TestApp) -> String {
    format!("<script async src=\"{}/w/{WIDGET}.js\"></script>", app.base)
}

fn path(url: &str) -> String {
    let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("url", url).finish();
    format!("/w/{WIDGET}/check?{query}")
}

async fn json(app: &TestApp, url: &str) -> serde_json::Value {
    let (status, body) = send(app.get(&path(url)).header("accept", "application/json")).await;
    assert_eq!(status, 200, "{body}");
    body
}

on_both_engines! {
    async fn a_site_with_the_tag_passes(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        with_widget(&app).await;
        let site = Site::page(&format!("<html><head>{}</head><body>{WORDS}", tag(&app))).await;
        let check = json(&app, &site.url()).await;
        assert_eq!(check["verdict"], "shown", "{check}");
        assert_eq!(check["summary"], "Your site shows the estimate button.");
        assert_eq!((&check["widgetId"], &check["url"]), (&WIDGET.into(), &site.url().into()));
        let levels: Vec<_> = check["findings"].as_array().unwrap().iter().map(|f| f["level"].clone()).collect();
        assert!(levels.iter().all(|level| level == "fine"), "{check}");
        assert_eq!(site.visits(), 1);
    }

    async fn every_cause_is_reported_with_a_fix(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        with_widget(&app).await;
        let tagged = format!("<html><head>{}</head><body>{WORDS}", tag(&app));
        for (head, body, verdict, part) in [
            ("200 OK\r\nContent-Type: text/html", WORDS, "hidden", "the script tag is not on the page"),
            ("200 OK\r\nContent-Type: text/html\r\nContent-Security-Policy: script-src 'self'", &tagged, "hidden", "blocks our script"),
            ("200 OK\r\nContent-Type: text/html\r\ncontent-security-policy: img-src *\r\nContent-Security-Policy: connect-src 'self'", &tagged, "limited", "talk to our server"),
            ("200 OK\r\nContent-Type: text/html\r\nIntegrity-Policy: blocked-destinations=(script)", &tagged, "hidden", "Integrity-Policy"),
            ("200 OK\r\nContent-Type: application/pdf", &tagged, "hidden", "does not lead to a web page"),
            ("404 Not Found\r\nContent-Type: text/html", &tagged, "hidden", "no page at this address (404)"),
            ("500 Oh\r\nContent-Type: text/html", &tagged, "hidden", "error (500)"),
            ("403 No\r\nContent-Type: text/html\r\ncf-mitigated: challenge", "wait", "unclear", "refuses our program"),
            ("302 Found\r\nLocation: https://elm.example.com/", "", "hidden", "sends visitors on to https://elm.example.com/"),
            ("301 Moved\r\nLocation: /", "", "hidden", "sends visitors on more than 5 times"),
        ] {
            let site = Site::start(head, body).await;
            let check = json(&app, &site.url()).await;
            let summary = check["summary"].as_str().unwrap();
            assert!(check["verdict"] == verdict && summary.contains(part), "{head}: {summary}");
        }
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let check = json(&app, &format!("http://{gone}/")).await;
        assert!(check["verdict"] == "unclear" && check["summary"].as_str().unwrap().contains("refused"), "{check}");
    }

    async fn only_pages_on_the_list_of_domains_are_fetched(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        app.widget().await;
        let site = Site::page(WORDS).await;
        let check = json(&app, &site.url()).await;
        assert_eq!(check["verdict"], "hidden");
        assert!(check["summary"].as_str().unwrap().contains("127.0.0.1 is not on the widget’s list of domains"), "{check}");
        assert_eq!(site.visits(), 0);
    }

    async fn a_private_address_is_not_fetched_although_its_name_is_on_the_list(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.egress_http = true).await;
        app.widget_with(form::widget().set("domains", "127.0.0.1,localhost")).await;
        let site = Site::page(WORDS).await;
        for url in [site.url(), format!("http://localhost:{}/", site.at.port()), format!("http://0x7f.1:{}/", site.at.port())] {
            let check = json(&app, &url).await;
            assert_eq!(check["verdict"], "unclear", "{check}");
            assert!(check["summary"].as_str().unwrap().contains("not on the public internet"), "{check}");
        }
        assert_eq!(site.visits(), 0);
    }

    async fn the_page_needs_no_script_and_escapes_its_input(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        with_widget(&app).await;
        let form = fetch(app.get(&format!("/w/{WIDGET}/check"))).await;
        assert_eq!((form.status().as_u16(), header(&form, "content-type")), (200, "text/html; charset=utf-8"));
        assert_eq!(header(&form, "cache-control"), "no-store");
        let policy = header(&form, "content-security-policy").to_owned();
        assert!(policy.starts_with("default-src 'none'; style-src 'self';") && policy.contains("frame-ancestors 'none'"), "{policy}");
        let text = form.text().await.unwrap();
        assert!(text.contains("value=\"https://oak.example.com/\"") && text.contains("noindex"), "{text}");
        assert!(!text.contains("<script") && !text.contains("style=") && !text.contains("<style"));
        let site = Site::page(&format!("{WORDS}<!-- {} --><script src=\"/w/{WIDGET}\" title='\"><b>'></script>", tag(&app))).await;
        let found = fetch(app.get(&path(&site.url())).header("accept", "text/html,*/*")).await.text().await.unwrap();
        assert!(found.contains("Your site does not show the estimate button: "), "{found}");
        assert!(found.contains("&lt;script") && !found.contains("<b>\"") && !found.contains("<script"), "{found}");
        let wrong = fetch(app.get(&path("javascript:\"><script>alert(1)</script>"))).await;
        assert_eq!(wrong.status(), 400);
        let wrong = wrong.text().await.unwrap();
        assert!(wrong.contains("not the address of a page") && !wrong.contains("<script"), "{wrong}");
        let style = fetch(app.get(&format!("/w/{WIDGET}/check.css"))).await;
        assert_eq!((style.status().as_u16(), header(&style, "content-type")), (200, "text/css; charset=utf-8"));
    }

    async fn the_companys_own_page_is_checked_by_default(f: Fixture) {
        // Nothing is looked up in DNS: the URL is on the list and refused for its scheme.
        let app = TestApp::start_with(f, |settings| settings.base_url = Some("https://roofs.example.com".into())).await;
        app.widget_with(form::widget().set("companyUrl", "http://oak.example.com/roofs")).await;
        let (status, check) = send(app.get(&format!("/w/{WIDGET}/check")).header("accept", "application/json")).await;
        assert_eq!((status, &check["url"]), (200, &"http://oak.example.com/roofs".into()));
        assert!(check["summary"].as_str().unwrap().contains("over HTTPS only"), "{check}");
    }

    async fn an_inactive_widget_is_reported_and_an_unknown_one_is_a_404(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        with_widget(&app).await;
        let site = Site::page(&format!("{WORDS}{}", tag(&app))).await;
        let off = Form::empty().set("status", "inactive").build();
        send(app.api(reqwest::Method::PUT, &format!("/api/v1/roof-estimate-widget/{WIDGET}")).multipart(off)).await;
        let check = json(&app, &site.url()).await;
        assert_eq!(check["summary"], "Your site does not show the estimate button: the widget is switched off.");
        let nobody = app.get(&format!("/w/{}/check", WIDGET.replace('7', "8"))).header("accept", "application/json");
        assert_eq!(send(nobody).await.0, 404);
    }

    async fn only_checks_that_fetch_a_page_are_rate_limited(f: Fixture) {
        let app = TestApp::start_with(f, |settings| {
            open(settings);
            settings.limits.checks_per_visitor = 2;
        })
        .await;
        with_widget(&app).await;
        let site = Site::page(WORDS).await;
        for _ in 0..3 {
            json(&app, "https://elsewhere.example.com/").await;
        }
        json(&app, &site.url()).await;
        json(&app, &site.url()).await;
        let (status, body) = send(app.get(&path(&site.url())).header("accept", "application/json")).await;
        assert_eq!(status, 429, "{body}");
        let page = fetch(app.get(&path(&site.url()))).await;
        assert!(page.status() == 429 && !header(&page, "retry-after").is_empty());
        assert!(page.text().await.unwrap().contains("Please try again in"));
        assert_eq!(site.visits(), 2);
    }
}
