//! Quiet hours, for news of a problem.

use std::sync::Arc;

use reqwest::Method;
use serde_json::json;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::SmtpServer;

use crate::notices::{mails, set, text, to};
use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, send};

on_both_engines! {
    async fn quiet_hours_hold_news_of_a_problem_too(f: Fixture) {
        let server = Arc::new(SmtpServer::start());
        let port = server.port();
        let app = TestApp::start_with(f, |settings| {
            crate::deliveries::open(settings);
            settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
            settings.mail_from = Some("leads@shingle.example".to_owned());
        })
        .await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com" }], "quietHours": { "from": "11:00", "to": "13:00" },
        })).await;
        let receiver = Receiver::start(Reply::Status(410)).await;
        let hook = json!({ "name": "crm", "url": receiver.url(), "events": ["lead.created"] });
        let (_, hook) = send(app.api(Method::POST, "/api/v1/webhooks").body(hook.to_string())).await;
        send(app.api(Method::POST, &format!("/api/v1/webhooks/{}/test", hook["id"].as_str().unwrap()))).await;
        app.engine.work_off().await;
        assert!(mails(&app, &server).await.is_empty(), "it is noon");
        app.clock.set("2026-03-10T13:00:00Z");
        let told = mails(&app, &server).await;
        assert_eq!(told.iter().map(to).collect::<Vec<_>>(), ["ann@oak.example.com"]);
        assert!(text(&told[0]).contains("410"), "{}", text(&told[0]));
    }
}
