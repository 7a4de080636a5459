//! Notices in the portal: who is told, when, and what would happen.

use shingle_domain::notice::Weekday;
use shingle_domain::{Environment, Role, Tenant};
use shingle_store_fixture::on_both_engines;

use super::{Browser, mail, signed_in, user, with_mail};
use crate::support::TestApp;

const WEEK: [&str; 5] = ["monday", "tuesday", "wednesday", "thursday", "friday"];

fn filled<'f>(more: &[(&'f str, &'f str)]) -> Vec<(&'f str, &'f str)> {
    let mut fields = vec![
        ("email.0", "maya@oak.example.com"),
        ("name.0", "Maya"),
        ("language.0", "en"),
        ("leads.0", "yes"),
        ("digest.0", "yes"),
        ("email.1", "tomas@oak.example.com"),
        ("name.1", "Tomas"),
        ("language.1", "es"),
        ("leads.1", "yes"),
        ("escalate", "10"),
        ("zone", "America/New_York"),
        ("quiet.from", "21:00"),
        ("quiet.to", "06:00"),
        ("digest-at", "07:00"),
        ("copy", "yes"),
    ];
    for (name, value) in more {
        fields.retain(|(known, _)| known != name);
        fields.push((name, value));
    }
    fields
}

on_both_engines! {
    async fn notices_are_decided_foreseen_and_tested(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let tenant = Tenant { account: app.account, environment: Environment::Production };
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/notices").await;
        browser.shows(200, "Nobody would get an email.");
        let (from, to): (Vec<_>, Vec<_>) = WEEK.map(|day| (format!("from.{day}"), format!("to.{day}"))).into_iter().unzip();
        let hours: Vec<_> = from.iter().map(|name| (name.as_str(), "08:00")).chain(to.iter().map(|name| (name.as_str(), "17:00"))).collect();
        for (name, value, said) in [
            ("email.0", "maya", "Please type an email address"),
            ("email.1", "MAYA@oak.example.com", "One address is listed twice."),
            ("escalate", "0", "Please type a whole number from 1 to 10080"),
            ("zone", "Mars/Olympus", "Please choose a time zone."),
            ("quiet.to", "", "Please type when it ends."),
            ("quiet.to", "21:00", "a different time from the first"),
            ("to.monday", "07:00", "The end of a day must be later"),
            ("digest-at", "noon", "Please type a time"),
            ("name.0", "a\u{202e}b", "Please type a name"),
        ] {
            let mut fields = filled(&hours);
            fields.retain(|(known, _)| *known != name);
            fields.push((name, value));
            browser.submit_to("/portal/notices", &fields).await;
            browser.shows(422, said);
            browser.shows(422, "value=\"Tomas\"");
        }
        assert_eq!(app.store.destinations().notice_settings(&tenant).await.unwrap(), None, "nothing was saved");
        browser.submit_to("/portal/notices", &filled(&hours)).await;
        browser.shows(200, "Saved. It applies from the next lead on.");
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!((settings.recipients.len(), settings.escalate_after_minutes, settings.homeowner_copy), (2, Some(10), true));
        assert!(!settings.recipients[1].digest && settings.recipients[1].leads);
        assert_eq!(settings.working_hours.len(), 1, "days with the same hours stand together");
        assert_eq!(settings.working_hours[0].days.first(), Some(&Weekday::Monday));

        // A form that lost its hidden field, in a browser or on the way.
        let mut fields = filled(&hours);
        fields.push(("seen", "?"));
        browser.submit_to("/portal/notices", &fields).await;
        browser.shows(200, "We couldn’t read what you sent.");

        browser.press("Test").await;
        browser.shows(200, "It is on its way.");
        app.engine.work_off().await;
        let tested = mail(&server).await;
        assert!(tested.to_lowercase().contains("test"), "{tested}");

        // A removed recipient gets nothing more.
        browser.open("/portal/notices").await;
        browser.submit_to("/portal/notices", &filled(&[("email.1", "")])).await;
        browser.shows(200, "Saved.");
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!(settings.recipients.len(), 1);
        assert!(settings.working_hours.is_empty(), "All blank = any time");
    }

    async fn of_two_who_change_the_notices_at_once_neither_loses_a_word(f: Fixture) {
        let app = TestApp::start(f).await;
        let tenant = Tenant { account: app.account, environment: Environment::Production };
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let other = user(&app, Some(app.account), Role::Owner, "other@oak.example.com").await;
        let (mut first, mut second) = (signed_in(&app, &owner).await, signed_in(&app, &other).await);
        first.open("/portal/notices").await;
        first.submit_to("/portal/notices", &filled(&[])).await;
        first.open("/portal/notices").await;
        second.open("/portal/notices").await;

        // Different parts: one more person, and another time of the summary.
        first.submit_to("/portal/notices", &filled(&[("email.2", "rae@oak.example.com"), ("leads.2", "yes")])).await;
        first.shows(200, "Saved. It applies from the next lead on.");
        second.submit_to("/portal/notices", &filled(&[("digest-at", "06:15"), ("name.0", "Maya L.")])).await;
        second.shows(200, "Someone else changed other notices meanwhile; we kept both.");
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!(settings.recipients.len(), 3);
        assert_eq!(settings.recipients[0].name.as_deref(), Some("Maya L."));
        assert_eq!(settings.digest_at.unwrap().minutes(), 6 * 60 + 15);

        // The same part: what was typed stays on the page, with what the other one saved elsewhere.
        first.open("/portal/notices").await;
        second.open("/portal/notices").await;
        let third = [("name.0", "Maya L."), ("email.2", "rae@oak.example.com"), ("leads.2", "yes")];
        let with = |more: &[(&'static str, &'static str)]| filled(&[third.as_slice(), more].concat());
        first.submit_to("/portal/notices", &with(&[("digest-at", "05:00"), ("escalate", "30")])).await;
        second.submit_to("/portal/notices", &with(&[("digest-at", "09:00")])).await;
        second.shows(409, "Someone else changed this too, after you opened the page. Save again to keep yours.");
        second.shows(409, "value=\"09:00\"");
        second.shows(409, "value=\"30\"");
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!(settings.digest_at.unwrap().minutes(), 5 * 60, "nothing is replaced unseen");
        second.submit_to("/portal/notices", &with(&[("digest-at", "09:00"), ("escalate", "30")])).await;
        second.shows(200, "Saved. It applies from the next lead on.");
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!((settings.digest_at.unwrap().minutes(), settings.escalate_after_minutes), (9 * 60, Some(30)));
    }

    async fn what_would_happen_goes_by_the_rules_of_the_mails(f: Fixture) {
        let app = TestApp::start(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/notices").await;
        browser.shows(200, "Email is not set up, so nobody gets notices yet");
        let created = crate::support::form::widget().build();
        let request = app.request(reqwest::Method::POST, "/api/v1/roof-estimate-widget").header("token", &app.production.token).multipart(created);
        assert_eq!(crate::support::fetch(request).await.status(), 201);
        let hours: Vec<_> = WEEK.iter().flat_map(|day| [(format!("from.{day}"), "08:00"), (format!("to.{day}"), "17:00")]).collect();
        let hours: Vec<_> = hours.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        browser.submit_to("/portal/notices", &filled(&hours)).await;
        // A Tuesday, at work: one after the other, then both.
        browser.open("/portal/notices?at=2026-03-10T09:46").await;
        for shown in ["Mar 10, 2026, 9:46 AM EDT", "Mar 10, 2026, 9:56 AM EDT", "Mar 10, 2026, 10:06 AM EDT", "<b>Email to Maya, Tomas</b>", "if nobody is on it"] {
            browser.shows(200, shown);
        }
        // In quiet hours the first waits for their end, and reminders for work.
        browser.open("/portal/notices?at=2026-03-10T22:30").await;
        browser.shows(200, "Mar 11, 2026, 6:00 AM EDT");
        browser.shows(200, "Mar 11, 2026, 8:00 AM EDT");
        // On Friday evening reminders wait for Monday.
        browser.open("/portal/notices?at=2026-03-13T18:00").await;
        browser.shows(200, "Mar 13, 2026, 6:00 PM EDT");
        browser.shows(200, "Mar 16, 2026, 8:00 AM EDT");
        browser.open("/portal/notices?at=tomorrow&widget=x").await;
        browser.shows(200, "What would happen");
    }

    async fn a_mailbox_that_refused_mail_is_told_and_tried_again(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/notices").await;
        browser.submit_to("/portal/notices", &filled(&[])).await;
        server.once(shingle_testing::smtp::Step::Recipient, shingle_testing::smtp::Behavior::reply("550 5.1.1 No such user"));
        browser.press("Test").await;
        app.engine.work_off().await;
        browser.open("/portal/notices").await;
        browser.shows(200, "We no longer email ");
        browser.press("Try it again").await;
        browser.shows(200, "We’ll try again with the next lead.");
        assert!(!browser.html.contains("We no longer email"));
    }

    async fn a_recipient_is_removed_by_a_button_and_the_others_stay(f: Fixture) {
        let (app, _) = with_mail(f).await;
        let tenant = Tenant { account: app.account, environment: Environment::Production };
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let mut browser = signed_in(&app, &owner).await;
        browser.open("/portal/notices").await;
        let three = [("email.2", "zoe@oak.example.com"), ("name.2", "Zoe"), ("language.2", "es"), ("leads.2", "yes")];
        browser.submit_to("/portal/notices", &filled(&three)).await;
        browser.shows(200, "Saved.");
        for shown in ["Recipient 1", "Recipient 3", "Add someone", "aria-label=\"Remove tomas@oak.example.com\""] {
            browser.shows(200, shown);
        }
        let emails = async |browser: &mut Browser<'_>, fields: &[(&str, &str)]| {
            browser.submit_to("/portal/notices", &filled(fields)).await;
            let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
            settings.recipients.iter().map(|to| (to.email.to_string(), to.language)).collect::<Vec<_>>()
        };
        // What else was typed is saved with it, and a mistake of the row that goes does not stand in the way.
        let removed = [("remove", "1"), ("email.1", "not an address"), ("escalate", "15")];
        let left = emails(&mut browser, &[&three[..], &removed].concat()).await;
        browser.shows(200, "Saved.");
        let names: Vec<&str> = left.iter().map(|(email, _)| email.as_str()).collect();
        assert_eq!(names, ["maya@oak.example.com", "zoe@oak.example.com"]);
        assert_eq!(left[1].1, shingle_domain::Language::Spanish);
        let settings = app.store.destinations().notice_settings(&tenant).await.unwrap().unwrap();
        assert_eq!(settings.escalate_after_minutes, Some(15));
        // A number that is no row removes nobody.
        assert_eq!(emails(&mut browser, &[("remove", "99")]).await.len(), 2);
        assert_eq!(emails(&mut browser, &[("remove", "-1")]).await.len(), 2);
    }
}
