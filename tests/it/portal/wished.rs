//! A link in a mail leads to its page, also through the sign-in.

use reqwest::Method;
use shingle_domain::Role;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{mail, signed_in, user, with_mail, word};
use crate::support::{fetch, header};

on_both_engines! {
    async fn the_mail_of_a_lead_opens_it_after_the_sign_in(f: Fixture) {
        let (app, server) = with_mail(f).await;
        user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["firstName"] = "Zoë".into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        app.engine.work_off().await;
        let mailed = mail(&server).await;
        let lead = word(&mailed, &format!("{}/portal/leads/", app.base))[app.base.len()..].to_owned();
        word(&mailed, &format!("{}/portal/notices", app.base));

        let mut browser = Browser::new(&app);
        browser.open(&lead).await;
        browser.shows(200, "Email me a link and a code");
        browser.submit(&[("email", "maya@oak.example.com")]).await;
        let code = mail(&server).await.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
        browser.submit(&[("code", &code)]).await;
        browser.shows(200, "Zoë");
        browser.shows(200, "I’m on it");
        assert!(!browser.cookies().contains("wished"), "{}", browser.cookies());

        // What a script asks for in the background is no page, and neither is anything of somebody else's.
        for (path, mode) in [("/portal/leads/count", "cors"), ("/portal/leads/count", "same-origin"), ("/portal/leads/a;b", "navigate")] {
            let asked = fetch(app.request(Method::GET, path).header("sec-fetch-mode", mode)).await;
            assert_eq!((header(&asked, "location"), asked.headers().get("set-cookie")), ("/portal/sign-in", None), "{path}");
        }
        // Word follows a link on its own, without this browser's cookies, and opens where it ended.
        let followed = fetch(app.get(&lead).header("user-agent", "Microsoft Office Word 2016")).await;
        let ended = header(&followed, "location").to_owned();
        let mut owner = signed_in(&app, &user(&app, Some(app.account), Role::Member, "ben@oak.example.com").await).await;
        owner.open(&ended).await;
        owner.shows(200, "Zoë");
        let mut stranger = Browser::new(&app);
        stranger.open(&ended).await;
        stranger.shows(200, "Email me a link and a code");
        assert!(stranger.cookies().contains("wished=/portal/leads/"), "{}", stranger.cookies());
        for elsewhere in ["//evil.example/portal/", "https://evil.example/portal/leads", "/w/x", "/portal/../w", "/portal/sign-in?to=/portal/leads"] {
            let address: String = url::form_urlencoded::byte_serialize(elsewhere.as_bytes()).collect();
            owner.open(&format!("/portal/sign-in?to={address}")).await;
            owner.shows(200, "Email me a link and a code");
        }

        let mut browser = Browser::with_cookie(&app, "shingle-local-wished=//evil.example/portal/");
        browser.open("/portal/sign-in").await;
        browser.submit(&[("email", "maya@oak.example.com")]).await;
        let code = mail(&server).await.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().to_owned();
        browser.submit(&[("code", &code)]).await;
        browser.shows(200, "No lead yet");
        assert_eq!(browser.path, "/portal/leads");
    }
}
