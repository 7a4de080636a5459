//! Homes of a town whose records have no ZIP: what an unknown one is written as inside is shown nowhere.

use std::sync::Arc;

use regex::Regex;
use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::lookup::Product;
use shingle_store_fixture::{Fixture, on_both_engines};
use shingle_testing::smtp::SmtpServer;

use crate::notices::text;
use crate::support::town::{self, Row};
use crate::support::{TestApp, WIDGET, fetch, form, send};

async fn started(fixture: Fixture) -> (TestApp, Arc<SmtpServer>) {
    let server = Arc::new(SmtpServer::start());
    let port = server.port();
    let app = TestApp::start_with(fixture, |settings| {
        town::import(&[Row { kind: "House", ..Row::default() }; 6], &settings.property());
        settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
        settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
    })
    .await;
    app.store.accounts().set_product(app.account, Product::BuyerInsights, true).await.unwrap();
    (app, server)
}

/// What was shown, where.
struct Shown {
    unknown: Regex,
    count: usize,
}

impl Shown {
    fn check(&mut self, place: &str, shown: &str) {
        assert!(!self.unknown.is_match(shown), "{place} shows 00000: {shown}");
        self.count += 1;
    }
}

on_both_engines! {
    async fn an_unknown_zip_is_shown_nowhere(f: Fixture) {
        let (app, server) = started(f).await;
        // Not a part of a longer number, as in a price or a time.
        let mut shown = Shown { unknown: Regex::new(r"(^|[^0-9.,#&a-fA-F-])00000([^0-9]|$)").unwrap(), count: 0 };
        assert!(shown.unknown.is_match("Harrow, OH 00000") && shown.unknown.is_match("\"00000\"") && !shown.unknown.is_match("$100000"));
        let key = |request: reqwest::RequestBuilder| request.header("token", app.production.token.clone());
        let asked = ["2 Tanner Street, Harrow, OH", "2 Tanner Street, Harrow, OH 43099", "2 Tanner Street, Harrow, OH 00000", "2 Tanner"];
        let include = "match,provenance,reasons,range,segments";
        for product in Product::ALL {
            for address in asked {
                for include in ["", include] {
                    let query = [("address", address), ("include", include)];
                    let query = &query[..if include.is_empty() { 1 } else { 2 }];
                    let answer = fetch(key(app.get(&format!("/api/v1/{}", product.as_str()))).query(query)).await;
                    let body = answer.text().await.unwrap();
                    // The question is repeated where one has asked for it.
                    let body = if address.contains("00000") { body.replace(address, "") } else { body };
                    shown.check(product.as_str(), &body);
                }
            }
        }
        let create = key(app.request(Method::POST, "/api/v1/roof-estimate-widget"));
        let (status, widget) = send(create.multipart(form::widget().build())).await;
        assert_eq!(status, 201, "{widget}");
        let notices = key(app.request(Method::PUT, "/api/v1/notices")).body(json!({ "homeownerCopy": true }).to_string());
        assert_eq!(send(notices).await.0, 200);
        let page = fetch(app.get(&format!("/w/{WIDGET}/measure?address=2+Tanner+Street%2C+Harrow%2C+OH"))).await;
        let html = page.text().await.unwrap();
        assert!(html.contains("2 Tanner Street"), "{html}");
        shown.check("the page of the roof without scripts", &html);

        let session = app.session().await;
        for searched in ["2 Tan", "2 Tanner Street, Harrow"] {
            let body = json!({ "token": session, "text": searched }).to_string();
            let (status, found) = send(app.page(Method::POST, "/suggest").body(body)).await;
            assert!(status == 200 && found.to_string().contains("Tanner"), "{found}");
            shown.check("suggestions", &found.to_string());
        }
        let body = json!({ "token": session, "address": { "line": asked[0] } }).to_string();
        let (status, roof) = send(app.page(Method::POST, "/roof").body(body)).await;
        assert_eq!(status, 200, "{roof}");
        shown.check("the roof", &roof.to_string());

        let mut sent = app.submission().await;
        sent["address"] = json!({ "line": asked[0] });
        let (status, receipt) = app.send_lead(&sent).await;
        assert_eq!(status, 201, "{receipt}");
        shown.check("the receipt", &receipt.to_string());
        let (_, list) = send(key(app.get("/api/v1/leads"))).await;
        assert_eq!(list["data"][0]["address"], Value::from("2 Tanner Street, Harrow, OH"));
        shown.check("the list of leads", &list.to_string());
        let csv = fetch(key(app.get("/api/v1/leads")).header("accept", "text/csv")).await.text().await.unwrap();
        assert!(csv.contains("Tanner"), "{csv}");
        shown.check("the CSV", &csv);

        app.engine.work_off().await;
        let mails = server.mails();
        assert_eq!(mails.len(), 2, "the company's and the homeowner's");
        for mail in &mails {
            shown.check("a mail", &String::from_utf8_lossy(&mail.bytes));
            let text = text(mail);
            shown.check("a mail's text", &text);
            let pages = text.split_whitespace().filter(|word| word.starts_with(&app.base) && word.contains("/e/"));
            for page in pages {
                let html = fetch(app.get(page.trim_start_matches(&app.base))).await.text().await.unwrap();
                assert!(html.contains("Tanner"), "{html}");
                shown.check("the page of the estimate", &html);
                let print = format!("{}/print", page.trim_start_matches(&app.base));
                shown.check("its print sheet", &fetch(app.get(&print)).await.text().await.unwrap());
            }
        }
        assert!(shown.count > 50 + 10, "{}", shown.count);
    }
}
