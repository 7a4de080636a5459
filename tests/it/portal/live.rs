//! Leads that appear by themselves: streams of events.

use std::time::Duration;

use reqwest::{Method, Response};
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::leads::with_leads;
use super::{signed_in, user};
use crate::support::{TestApp, fetch, header};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

async fn stream(app: &TestApp, cookies: &str, data: &str) -> Response {
    fetch(app.request(Method::GET, &format!("/portal/leads/live?data={data}")).header("cookie", cookies)).await
}

/// Reads until the text has come; `false`: the stream ended before.
async fn comes(stream: &mut Response, text: &str) -> bool {
    let mut read = String::new();
    while !read.contains(text) {
        let chunk = tokio::time::timeout(PATIENCE, stream.chunk()).await.expect("an event in time");
        let Ok(Some(chunk)) = chunk else { return false };
        read.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    true
}

on_both_engines! {
    async fn a_lead_is_told_to_its_company_and_the_stream_ends_with_the_session(f: Fixture) {
        let app = TestApp::start(f).await;
        with_leads(&app, &["Whitfield"]).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let eve = user(&app, Some(other), Role::Owner, "eve@elm.example.com").await;
        let (own, foreign) = (signed_in(&app, &maya).await, signed_in(&app, &eve).await);
        let mut told = stream(&app, &own.cookies(), "sandbox").await;
        let mut untold = stream(&app, &foreign.cookies(), "sandbox").await;
        assert_eq!((told.status().as_u16(), header(&told, "x-accel-buffering")), (200, "no"));
        assert_eq!(header(&told, "content-type"), "text/event-stream");
        for stream in [&mut told, &mut untold] {
            assert!(comes(stream, "event: open").await);
            // What it begins with.
            assert!(comes(stream, "event: leads").await);
        }
        let mut sent = app.submission().await;
        sent["email"] = "new@example.com".into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        assert!(comes(&mut told, "event: leads").await);
        // Nothing of it goes to another company: its next word is that it is alive, or its end.
        let session = app.store.people().list_sessions(eve.id).await.unwrap()[0].id;
        app.store.people().end_session(eve.id, session).await.unwrap();
        assert!(!comes(&mut untold, "event: leads").await, "told to another company");
        let session = app.store.people().list_sessions(maya.id).await.unwrap()[0].id;
        app.store.people().end_session(maya.id, session).await.unwrap();
        assert!(!comes(&mut told, "never").await, "the stream outlives its session");
    }

    async fn one_user_has_a_few_streams_and_a_server_that_stops_has_none(f: Fixture) {
        let app = TestApp::start(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let cookies = signed_in(&app, &maya).await.cookies();
        let mut open = Vec::new();
        for _ in 0..6 {
            let mut one = stream(&app, &cookies, "production").await;
            assert!(comes(&mut one, "event: open").await);
            open.push(one);
        }
        let refused = stream(&app, &cookies, "production").await;
        assert_eq!((refused.status().as_u16(), header(&refused, "retry-after")), (429, "60"));
        let mut colleague = stream(&app, &signed_in(&app, &luis).await.cookies(), "production").await;
        assert!(comes(&mut colleague, "event: open").await, "others are not shut out");
        app.app.portal.live_leads.close();
        for mut one in open {
            assert!(!comes(&mut one, "never").await);
        }
        assert_eq!(stream(&app, &cookies, "production").await.status(), 429);
    }
}
