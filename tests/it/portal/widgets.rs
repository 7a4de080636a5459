//! Widgets in the portal: made from a site, changed, and kept from everybody else.

use reqwest::Method;
use serde_json::Value;
use shingle_app::config::Settings;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::{signed_in, user};
use crate::support::form::Form;
use crate::support::{TestApp, fetch, header, images, send};

pub const PAGE: &str = r##"<!doctype html><title>Oak Ridge Roofing - Portland</title>
<script type="application/ld+json">{"@type":"RoofingContractor","name":"Oak Ridge <b>Roofing</b>","telephone":"207-555-0143",
"address":{"streetAddress":"5 Mill St","addressLocality":"Portland","addressRegion":"ME","postalCode":"04101"}}</script>
<img class="site-logo" src="/logo.png"><a href="/privacy">Privacy</a>"##;

/// A contractor's site on this machine: its page, and its logo.
pub async fn site(page: &'static str, logo: Vec<u8>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                match socket.read_u8().await {
                    Ok(byte) => head.push(byte),
                    Err(_) => break,
                }
            }
            let (status, kind, body) = match &head {
                head if head.starts_with(b"GET / ") => ("200 OK", "text/html", page.as_bytes()),
                head if head.starts_with(b"GET /logo.png ") => ("200 OK", "image/png", logo.as_slice()),
                _ => ("404 Not Found", "text/plain", b"none".as_slice()),
            };
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
            );
            let _ = socket.write_all(answer.as_bytes()).await;
            let _ = socket.write_all(body).await;
            let _ = socket.shutdown().await;
        }
    });
    format!("oak.loopback.example:{port}")
}

pub fn open(settings: &mut Settings) {
    settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
    settings.egress_http = true;
}

pub(super) struct Owner<'a> {
    pub app: &'a TestApp,
    pub cookies: String,
}

impl Owner<'_> {
    pub async fn send(&self, path: &str, form: &Form) -> (u16, String, String) {
        let request = self
            .app
            .request(Method::POST, path)
            .header("sec-fetch-site", "same-origin")
            .header("cookie", &self.cookies);
        let response = fetch(request.multipart(form.build())).await;
        let (status, to) = (response.status().as_u16(), header(&response, "location").to_owned());
        (status, to, response.text().await.unwrap())
    }

    pub async fn page(&self, path: &str) -> (u16, String) {
        let response = fetch(self.app.request(Method::GET, path).header("cookie", &self.cookies)).await;
        (response.status().as_u16(), response.text().await.unwrap())
    }

    pub async fn record(&self, id: &str) -> Value {
        let request = self.app.request(Method::GET, &format!("/api/v1/roof-estimate-widget/{id}"));
        let (status, body) = send(request.header("token", &self.app.production.token)).await;
        assert_eq!(status, 200, "{body}");
        body
    }
}

pub(super) async fn owner(app: &TestApp) -> Owner<'_> {
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    Owner { app, cookies: signed_in(app, &owner).await.cookies() }
}

fn id_of(to: &str) -> &str {
    to.strip_prefix("/portal/widgets/").unwrap().split('?').next().unwrap()
}

on_both_engines! {
    async fn a_widget_is_made_from_a_website_and_runs_at_once(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let at = site(PAGE, images::png(40, 20)).await;
        let owner = owner(&app).await;
        let (status, to, body) =
            owner.send("/portal/widgets", &Form::empty().set("companyUrl", &format!("http://{at}/")).set("companyEmail", "a@oak.example.com")).await;
        assert_eq!((status, to.ends_with("?said=made")), (303, true), "{to} {body}");
        let record = owner.record(id_of(&to)).await;
        assert_eq!(record["companyName"], "Oak Ridge <b>Roofing</b>");
        assert_eq!(record["companyPhone"], "(207) 555-0143");
        assert_eq!(record["companyAddress"], "5 Mill St, Portland, ME 04101");
        assert_eq!(record["footerPirvacyPolicyLink"], format!("http://{at}/privacy"));
        assert_eq!(record["status"], "active");
        let (status, html) = owner.page(&to).await;
        assert_eq!(status, 200);
        for shown in ["Your widget is ready", "&lt;script async src=", "Check my site", "WordPress", "class=\"preview\"", "Save as draft", "Oak Ridge &lt;b&gt;Roofing"] {
            assert!(html.contains(shown), "{shown}: {html}");
        }
        assert!(!html.contains("Oak Ridge <b>"), "{html}");
        // Everything that the page shows or links to on this server is there.
        for attribute in ["src=\"/", "href=\"/storage", "href=\"/w/"] {
            for rest in html.split(attribute).skip(1) {
                let path = format!("{}{}", attribute.split_once('"').unwrap().1, rest.split('"').next().unwrap());
                let answer = fetch(app.request(Method::GET, &path).header("cookie", &owner.cookies)).await;
                assert_eq!(answer.status(), 200, "{path}");
            }
        }
        let (_, list) = owner.page("/portal/widgets").await;
        assert!(list.contains(id_of(&to)), "{list}");
    }

    async fn a_site_that_says_nothing_leaves_the_fields_to_the_owner(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let at = site("<title>Home</title>", Vec::new()).await;
        let owner = owner(&app).await;
        let url = format!("http://{at}/gone");
        let (status, _, html) = owner.send("/portal/widgets", &Form::empty().set("companyUrl", &url).set("companyName", "Oak & Sons")).await;
        assert_eq!(status, 422);
        assert!(html.contains("Please type your phone number."), "{html}");
        assert!(html.contains("value=\"Oak &amp; Sons\""), "what was typed stays: {html}");
        let (_, list) = owner.page("/portal/widgets").await;
        assert!(list.contains("No widget yet"), "nothing was made: {list}");
        let whole = Form::empty()
            .set("companyUrl", &url)
            .set("companyName", "Oak & Sons")
            .set("companyPhone", "207.555.0143")
            .set("companyEmail", "a@oak.example.com")
            .set("companyAddress", "5 Mill St, Portland, ME 04101")
            .set("footerPirvacyPolicyLink", "oak.example.com/privacy");
        let (status, to, body) = owner.send("/portal/widgets", &whole).await;
        assert_eq!((status, to.ends_with("?said=unread")), (303, true), "{to} {body}");
        let (_, html) = owner.page(&to).await;
        assert!(html.contains("couldn’t read your website"), "{html}");
        // A file that is not a picture, and one too many.
        let (status, _, html) = owner.send("/portal/widgets", &whole.clone().file("headerLogo", b"<svg onload=alert(1)>".to_vec())).await;
        assert_eq!(status, 422, "{html}");
        let (status, _, html) = owner.send("/portal/widgets", &whole.file("headerLogo", vec![0; 1024 * 1024 + 1])).await;
        assert_eq!((status, html.contains("1 MB")), (422, true), "{html}");
    }

    async fn a_site_on_a_network_of_ours_is_not_asked(f: Fixture) {
        let app = TestApp::start(f).await;
        let at = site(PAGE, images::png(40, 20)).await;
        let owner = owner(&app).await;
        for url in [format!("http://{at}/"), "http://169.254.169.254/latest".into(), "file:///etc/passwd".into(), "javascript:alert(1)".into()] {
            let (status, _, html) = owner.send("/portal/widgets", &Form::empty().set("companyUrl", &url)).await;
            assert_eq!(status, 422, "{url}");
            assert!(!html.contains("Oak Ridge"), "{url}: {html}");
        }
    }
}
