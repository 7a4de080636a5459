//! Settings: address, language, company, how long leads are kept, and everything as one file.

use reqwest::Method;
use serde_json::Value;
use shingle_domain::{Email, Role};
use shingle_store::EMAIL_CHANGE_LIFETIME;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::{mail, signed_in, user, with_mail};
use crate::support::{TestApp, consent, fetch, form, header, send};

fn code(mailed: &str) -> String {
    mailed.split("Your code is ").nth(1).unwrap().split('\n').next().unwrap().trim().to_owned()
}

on_both_engines! {
    async fn an_address_changes_once_the_new_one_has_answered(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let maya = user(&app, Some(app.account), Role::Member, "maya@oak.example.com").await;
        user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open("/portal/settings").await;
        browser.submit_to("/portal/settings/email", &[("email", "maya")]).await;
        browser.shows(422, "Please type an email address, like maya@example.com.");
        browser.shows(422, "value=\"maya\"");
        browser.submit_to("/portal/settings/email", &[("email", "Maya@New.example.com")]).await;
        browser.shows(200, "We’ve emailed a code to maya@new.example.com");
        let first = code(&mail(&server).await);
        // A link to the old address, asked for before.
        let asked = app.store.people().ask_to_sign_in(&Email::parse("maya@oak.example.com").unwrap()).await.unwrap();
        browser.submit_to("/portal/settings/email/code", &[("code", "000 000")]).await;
        browser.shows(200, "That isn’t the code");
        browser.submit_to("/portal/settings/email", &[("email", "maya@new.example.com")]).await;
        let second = code(&mail(&server).await);
        if first != second {
            browser.submit_to("/portal/settings/email/code", &[("code", &first)]).await;
            browser.shows(200, "That isn’t the code");
        }
        browser.submit_to("/portal/settings/email/code", &[("code", &second)]).await;
        browser.shows(200, "Your email is changed");
        assert!(mail(&server).await.contains("You now sign in with another email"), "the old one is told");
        assert_eq!(app.store.people().find_user(maya.id).await.unwrap().unwrap().email.as_str(), "maya@new.example.com");
        let link = asked.mail.unwrap().link;
        assert_eq!(app.store.people().use_link(&link, Some(&asked.browser)).await.unwrap(), shingle_store::LinkState::Ended);
        browser.send_to("/portal/settings/email/code", &[("code", &second)]).await;
        browser.shows(200, "The code has expired");

        // Somebody else's, too late, and guessed.
        browser.submit_to("/portal/settings/email", &[("email", "luis@oak.example.com")]).await;
        browser.shows(200, "We’ve emailed a code");
        let right = code(&mail(&server).await);
        browser.submit_to("/portal/settings/email/code", &[("code", &right)]).await;
        browser.shows(200, "Someone already signs in with that email");
        let late = app.store.people().ask_for_email(maya.id, &Email::parse("late@oak.example.com").unwrap()).await.unwrap();
        app.clock.advance(EMAIL_CHANGE_LIFETIME);
        browser.send_to("/portal/settings/email/code", &[("code", &late)]).await;
        browser.shows(200, "The code has expired");
        let right = app.store.people().ask_for_email(maya.id, &Email::parse("more@oak.example.com").unwrap()).await.unwrap();
        let wrong = if right == "111111" { "222222" } else { "111111" };
        for _ in 0..5 {
            browser.send_to("/portal/settings/email/code", &[("code", wrong)]).await;
        }
        browser.send_to("/portal/settings/email/code", &[("code", &right)]).await;
        browser.shows(200, "The code has expired");
    }

    async fn a_language_is_kept_and_a_company_is_changed_by_owners_alone(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let member = user(&app, Some(app.account), Role::Member, "member@oak.example.com").await;
        let mut browser = signed_in(&app, &member).await;
        browser.open("/portal/settings").await;
        assert!(!browser.html.contains("/portal/settings/company") && !browser.html.contains("/portal/export"));
        browser.submit_to("/portal/settings/language", &[("language", "es")]).await;
        browser.shows(200, "lang=\"es\"");
        browser.shows(200, "Llaves de acceso");
        browser.send_to("/portal/settings/language", &[("language", "tlh")]).await;
        browser.shows(200, "lang=\"en\"");

        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/settings").await;
        for (field, text, said) in [
            ("company", "", "Please type the company’s name"),
            ("phone", "12", "Please type a US phone number"),
            ("website", "javascript:alert(1)", "Please type the address of your website"),
            ("zone", "Mars/Olympus", "That isn’t one of the choices"),
        ] {
            let mut fields = vec![("company", "Oak"), ("phone", ""), ("website", ""), ("zone", "America/Denver")];
            fields.retain(|(name, _)| *name != field);
            fields.push((field, text));
            browser.submit_to("/portal/settings/company", &fields).await;
            // A field that is refused says so, and all keep what was typed.
            let status = if field == "zone" { 200 } else { 422 };
            browser.shows(status, said);
            if field == "phone" {
                browser.shows(status, "value=\"12\"");
                browser.shows(status, "<option value=\"America/Denver\" selected");
            }
        }
        let fields = [("company", "Oak <b>&"), ("phone", "207.555.0143"), ("website", "oak.example.com"), ("zone", "America/Denver")];
        browser.submit_to("/portal/settings/company", &fields).await;
        browser.shows(200, "Oak &lt;b&gt;&amp;");
        browser.shows(200, "https://oak.example.com");
        browser.shows(200, "<option value=\"America/Denver\" selected");
        // Looked at before it is set.
        browser.open("/portal/settings?keep=365").await;
        browser.shows(200, "Of the leads you have, that is 0.");
        assert_eq!(app.store.accounts().retention(app.account).await.unwrap().days, None);
        browser.submit_to("/portal/settings/retention", &[]).await;
        browser.shows(200, "We erase leads after 365 days.");
        browser.open("/portal/settings?keep=1").await;
        assert!(!browser.html.contains("Of the leads you have"));
        browser.send_to("/portal/settings/retention", &[("days", "1")]).await;
        browser.shows(200, "That isn’t one of the choices");
        browser.open("/portal/settings").await;
        browser.press("Keep leads forever").await;
        browser.shows(200, "We keep leads until someone erases them.");
    }

    async fn what_homeowners_are_asked_stands_in_both_languages_with_who_agreed(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/consents").await;
        browser.shows(200, "No widget is on, so we ask nobody.");
        browser.shows(200, "Nobody has sent the form yet.");
        let request = app.request(Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token);
        let (status, body) = send(request.multipart(form::widget().build())).await;
        assert_eq!(status, 201, "{body}");
        for (name, given) in [("Ann", true), ("Bea", false)] {
            let mut submission = app.submission().await;
            submission["email"] = format!("{name}@example.com").into();
            submission["firstName"] = name.into();
            submission["consent"]["given"] = given.into();
            assert_eq!(app.send_lead(&submission).await.0, 201);
        }
        browser.open("/portal/settings").await;
        browser.shows(200, "href=\"/portal/consents\"");
        browser.open("/portal/consents").await;
        browser.shows(200, &consent("Oak Roofing"));
        browser.shows(200, "Acepto que Oak Roofing me llame");
        browser.shows(200, "1 agreed of 2 who sent the form");
        // Another company's are its own.
        let other = app.store.accounts().create("Pine Roofing").await.unwrap().id;
        let stranger = user(&app, Some(other), Role::Owner, "stranger@pine.example.com").await;
        let mut browser = signed_in(&app, &stranger).await;
        browser.open("/portal/consents").await;
        browser.shows(200, "Nobody has sent the form yet.");
        assert!(!browser.html.contains("Oak Roofing"));
    }

    async fn everything_of_a_company_is_one_file_and_nothing_of_another(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let other = app.store.accounts().create("Pine Roofing").await.unwrap().id;
        user(&app, Some(other), Role::Owner, "stranger@pine.example.com").await;
        let cookies = signed_in(&app, &owner).await.cookies();
        let response = fetch(app.get("/portal/export").header("cookie", &cookies)).await;
        assert_eq!(response.status(), 200);
        assert!(header(&response, "content-disposition").contains("shingle-export.jsonl"));
        let text = response.text().await.unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(lines[0]["kind"], "company");
        assert_eq!(lines[0]["record"]["name"], "Oak Roofing");
        assert!(lines.iter().any(|line| line["kind"] == "user" && line["record"]["email"] == "owner@oak.example.com"));
        assert_eq!(lines.last().unwrap()["kind"], "end");
        assert!(!text.contains("stranger"));
        let mut browser = Browser::new(&app);
        browser.open("/portal/export").await;
        browser.shows(200, "Sign in");
    }
}
