//! What is held as spam is mailed to the company, by the clock of the test.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use shingle_store_fixture::on_both_engines;

use crate::notices::{header, mails, parse, set, start, text, to};
use crate::support::send;

on_both_engines! {
    async fn what_is_held_as_spam_is_mailed_once_a_day_without_being_asked_for(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let hold = async |name: &str| {
            let mut sent = app.submission().await;
            (sent["elapsedMs"], sent["firstName"]) = (10.into(), name.into());
            sent["email"] = format!("{name}@example.com").into();
            assert_eq!(app.send_lead(&sent).await.0, 201);
        };
        let told = async || {
            app.make_due_digests().await;
            app.make_due_digests().await;
            mails(&app, &server).await
        };
        hold("Lee").await;
        assert!(told().await.is_empty(), "what comes at once comes in one mail");
        app.clock.advance(Duration::from_secs(1_800));
        hold("Mo").await;
        app.clock.advance(Duration::from_secs(1_800));
        let first = told().await;
        assert_eq!(first.iter().map(to).collect::<Vec<_>>(), ["hello@oak.example.com"]);
        let (subject, body) = (parse(&first[0]).subject().unwrap().to_owned(), text(&first[0]));
        assert!(subject.contains("2 leads held as spam"), "{subject}");
        for part in ["Lee Sample", "Mo Sample", "/portal/leads?status=spam"] {
            assert!(body.contains(part), "{part}: {body}");
        }
        assert_eq!(header(&parse(&first[0]), "List-Unsubscribe"), None, "there is nothing else to end");
        hold("Nan").await;
        app.clock.advance(Duration::from_secs(23 * 3_600));
        assert!(told().await.is_empty(), "once a day");
        app.clock.advance(Duration::from_secs(3_600));
        let second = told().await;
        assert!(second.len() == 1 && text(&second[0]).contains("Nan Sample") && !text(&second[0]).contains("Lee Sample"));
        app.clock.advance(Duration::from_secs(48 * 3_600));
        assert!(told().await.is_empty(), "nothing is held, so nothing is told");
        // Where recipients are named they are told, unless they want no summary.
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }, { "email": "bob@oak.example.com", "digest": false }] })).await;
        hold("Oz").await;
        app.clock.advance(Duration::from_secs(3_600));
        let third = told().await;
        assert_eq!(third.iter().map(to).collect::<Vec<_>>(), ["ann@oak.example.com"]);
        assert!(header(&parse(&third[0]), "List-Unsubscribe").is_some());
        // A person whose lead was held and found is not reported again.
        hold("Pat").await;
        let (_, list) = send(app.api(Method::GET, "/api/v1/leads?status=spam")).await;
        let pat = list["data"].as_array().unwrap().iter().find(|lead| lead["firstName"] == "Pat").unwrap()["id"].clone();
        let path = format!("/api/v1/leads/{}", pat.as_str().unwrap());
        assert_eq!(send(app.api(Method::PATCH, &path).body(json!({ "status": "new" }).to_string())).await.0, 200);
        app.clock.advance(Duration::from_secs(48 * 3_600));
        assert!(told().await.iter().all(|mail| !text(mail).contains("held as spam")));
    }
}
