//! Notices by mail: from the lead to the mailbox, by the clock of the test.

use std::sync::Arc;
use std::time::Duration;

use mail_parser::{Message, MessageParser, MimeHeaders};
use reqwest::Method;
use serde_json::{Value, json};
use shingle_domain::{Environment, Tenant};
use shingle_store::DestinationKind;
use shingle_store_fixture::{Fixture, on_both_engines};
use shingle_testing::smtp::{Behavior, ReceivedMail, SmtpServer, Step};

use crate::support::form::{Form, widget};
use crate::support::{SITE, TestApp, WIDGET, fetch, send};

pub async fn start(fixture: Fixture) -> (TestApp, Arc<SmtpServer>) {
    let server = Arc::new(SmtpServer::start());
    let port = server.port();
    let app = TestApp::start_with(fixture, |settings| {
        settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
        settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
    })
    .await;
    (app, server)
}

/// Works off what is due, and returns the mails that arrived.
pub async fn mails(app: &TestApp, server: &SmtpServer) -> Vec<ReceivedMail> {
    app.engine.work_off().await;
    server.mails()
}

pub async fn set(app: &TestApp, settings: Value) -> Value {
    let (status, answer) = send(app.api(Method::PUT, "/api/v1/notices").body(settings.to_string())).await;
    assert_eq!(status, 200, "{answer}");
    answer
}

pub fn parse(mail: &ReceivedMail) -> Message<'_> {
    MessageParser::default().parse(&mail.bytes).unwrap()
}

pub fn text(mail: &ReceivedMail) -> String {
    parse(mail).body_text(0).unwrap().replace("\r\n", "\n")
}

pub fn header<'m>(message: &'m Message<'_>, name: &'m str) -> Option<&'m str> {
    message.header_raw(name).map(str::trim)
}

pub fn to(mail: &ReceivedMail) -> &str {
    mail.to[0].as_str()
}

/// The path of the first link to this server that has `part` in it.
pub fn link(app: &TestApp, mail: &ReceivedMail, part: &str) -> String {
    let text = text(mail).replace("=\n", "");
    let start =
        text.match_indices(&app.base).find(|(at, _)| text[*at..].split_whitespace().next().unwrap().contains(part));
    let at = start.unwrap_or_else(|| panic!("no {part} in {text}")).0;
    text[at..].split_whitespace().next().unwrap().trim_start_matches(&app.base).to_owned()
}

on_both_engines! {
    async fn a_new_lead_is_mailed_to_the_company_at_once(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let mails = mails(&app, &server).await;
        assert_eq!(mails.iter().map(to).collect::<Vec<_>>(), ["hello@oak.example.com"], "the widget's companyEmail");
        let message = parse(&mails[0]);
        let subject = message.subject().unwrap();
        assert!(subject.contains("Ann Sample") && subject.contains("14 Alder Court") && subject.contains('$'), "{subject}");
        assert_eq!(message.from().unwrap().first().unwrap().address(), Some("leads@shingle.example"));
        assert_eq!(message.reply_to().unwrap().first().unwrap().address(), Some("ann@example.com"));
        assert_eq!(header(&message, "Auto-Submitted"), Some("auto-generated"));
        let (text, html) = (text(&mails[0]), message.body_html(0).unwrap());
        for part in ["Ann Sample", "14 Alder Court", "ann@example.com", "/on-it?lead=", receipt["reference"].as_str().unwrap()] {
            assert!(text.contains(part) && html.contains(part), "{part}: {text}");
        }
        assert!(message.attachments().any(|part| part.content_type().unwrap().subtype() == Some("png")), "the drawing");
        assert!(app.engine.work_off().await == 0 && server.mails().is_empty(), "once");
    }

    async fn suspected_spam_makes_no_notice(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let mut sent = app.submission().await;
        sent["elapsedMs"] = 10.into();
        assert_eq!(app.send_lead(&sent).await.0, 201);
        assert!(mails(&app, &server).await.is_empty());
    }

    async fn nobody_takes_it_so_the_next_person_is_told_and_then_everybody(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com", "name": "Ann" }, { "email": "bob@oak.example.com", "name": "Bob" }],
            "escalateAfterMinutes": 10,
        })).await;
        app.send_lead(&app.submission().await).await;
        let first = mails(&app, &server).await;
        assert_eq!(first.iter().map(to).collect::<Vec<_>>(), ["ann@oak.example.com"]);
        app.clock.advance(Duration::from_secs(599));
        assert!(mails(&app, &server).await.is_empty());
        app.clock.advance(Duration::from_secs(1));
        let second = mails(&app, &server).await;
        assert_eq!(second.iter().map(to).collect::<Vec<_>>(), ["bob@oak.example.com"]);
        app.clock.advance(Duration::from_secs(600));
        let third = mails(&app, &server).await;
        let mut told: Vec<_> = third.iter().map(to).collect();
        told.sort_unstable();
        assert_eq!(told, ["ann@oak.example.com", "bob@oak.example.com"]);
        let again = third.iter().find(|m| to(m) == "ann@oak.example.com").unwrap();
        let (one, two) = (parse(&first[0]), parse(again));
        assert_eq!(two.references().as_text(), one.message_id(), "in one conversation");
        assert_ne!(two.message_id(), one.message_id());
        app.clock.advance(Duration::from_secs(24 * 3_600));
        assert!(mails(&app, &server).await.is_empty());
    }

    async fn opening_the_link_does_nothing_and_its_button_ends_the_reminders(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com", "name": "Ann" }, { "email": "bob@oak.example.com" }],
            "escalateAfterMinutes": 10,
        })).await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let mail = mails(&app, &server).await.remove(0);
        let path = link(&app, &mail, "/on-it");
        let lead_path = format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap());
        let lead = || async { send(app.api(Method::GET, &lead_path)).await.1 };
        for _ in 0..3 {
            let page = fetch(app.get(&path)).await;
            assert_eq!(page.status(), 200);
            let html = page.text().await.unwrap();
            assert!(html.contains("Are you on it?") && html.contains("method=\"post\""), "{html}");
        }
        assert_eq!((&lead().await["takenBy"], &lead().await["firstTouchAt"]), (&Value::Null, &Value::Null));

        app.clock.advance(Duration::from_secs(300));
        let blind = fetch(app.request(Method::POST, &path)).await.text().await.unwrap();
        assert!(blind.contains("Are you on it?"), "a scanner posts without the form: {blind}");
        assert_eq!(lead().await["takenBy"], Value::Null);
        let press = || app.request(Method::POST, &path).body("confirm=yes");
        let page = fetch(press()).await.text().await.unwrap();
        assert!(page.contains("You are on it"), "{page}");
        let taken = lead().await;
        assert_eq!((&taken["takenBy"], &taken["firstTouchAt"]), (&json!("Ann"), &json!("2026-03-10T12:05:00.000Z")));
        assert_eq!(taken["status"], "new");
        fetch(press()).await;
        assert_eq!(lead().await["updatedAt"], taken["updatedAt"], "once");
        app.clock.advance(Duration::from_secs(24 * 3_600));
        assert!(mails(&app, &server).await.is_empty(), "no reminders");

        for changed in [path.replace("&t=", "&t=0"), path.replace("lead=", "lead=0"), path.split("&t=").next().unwrap().to_owned()] {
            assert_eq!(fetch(app.request(Method::POST, &changed).body("confirm=yes")).await.status(), 404, "{changed}");
        }
        app.clock.advance(Duration::from_secs(91 * 24 * 3_600));
        let late = fetch(app.get(&path)).await;
        assert_eq!(late.status(), 404, "too late");
        assert!(late.text().await.unwrap().contains("This link has ended"));
    }

    async fn quiet_hours_hold_a_notice_and_working_hours_a_reminder(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com" }],
            "escalateAfterMinutes": 10, "timeZone": "America/New_York",
            "quietHours": { "from": "07:30", "to": "09:00" },
            "workingHours": [{ "days": ["tuesday"], "from": "10:00", "to": "17:00" }],
        })).await;
        // Noon in UTC is eight in New York.
        app.send_lead(&app.submission().await).await;
        assert!(mails(&app, &server).await.is_empty());
        app.clock.set("2026-03-10T12:59:59Z");
        assert!(mails(&app, &server).await.is_empty());
        app.clock.set("2026-03-10T13:00:00Z");
        assert_eq!(mails(&app, &server).await.len(), 1, "the first notice");
        app.clock.set("2026-03-10T13:59:59Z");
        assert!(mails(&app, &server).await.is_empty());
        app.clock.set("2026-03-10T14:00:00Z");
        assert_eq!(mails(&app, &server).await.len(), 1, "the reminder");
    }

    async fn a_mailbox_that_does_not_exist_is_switched_off_and_the_others_are_told(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "recipients": [{ "email": "gone@oak.example.com" }, { "email": "bob@oak.example.com" }] })).await;
        server.refuse("gone@oak.example.com", "550 5.1.1 No such user here");
        app.send_lead(&app.submission().await).await;
        let mut told = mails(&app, &server).await;
        told.extend(mails(&app, &server).await);
        let subjects: Vec<_> = told.iter().map(|m| (to(m).to_owned(), parse(m).subject().unwrap().to_owned())).collect();
        assert_eq!(told.len(), 2, "{subjects:?}");
        assert!(told.iter().all(|m| to(m) == "bob@oak.example.com"));
        assert!(told.iter().any(|m| text(m).contains("gone@oak.example.com") && text(m).contains("No such user")), "{subjects:?}");
    }

    async fn a_server_that_is_away_is_tried_again_under_the_same_id(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        server.once(Step::Content, Behavior::reply("451 4.3.0 Try again later"));
        app.send_lead(&app.submission().await).await;
        let first = mails(&app, &server).await;
        assert!(first.iter().all(|m| !m.accepted));
        app.clock.advance(Duration::from_secs(7));
        let second = mails(&app, &server).await;
        assert_eq!(second.len(), 1);
        assert!(second[0].accepted);
        assert_eq!(parse(&second[0]).message_id(), parse(&first[0]).message_id());
    }

    async fn a_homeowner_gets_one_copy_a_day_where_that_is_switched_on(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        app.send_lead(&app.submission().await).await;
        assert_eq!(mails(&app, &server).await.len(), 1, "the company alone");
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }], "homeownerCopy": true })).await;
        let other = |line: &'static str| {
            let app = &app;
            async move {
                let mut sent = app.submission().await;
                sent["address"] = json!({ "line": line });
                sent["firstName"] = "Click http://evil.example".into();
                sent["email"] = "victim@example.net".into();
                app.send_lead(&sent).await
            }
        };
        other("16 Alder Court").await;
        let sent = mails(&app, &server).await;
        let copies: Vec<_> = sent.iter().filter(|m| to(m) == "victim@example.net").collect();
        assert_eq!(copies.len(), 1);
        let message = parse(copies[0]);
        assert_eq!(message.subject(), Some("Test: your roof estimate from Oak Roofing"));
        assert_eq!(message.reply_to().unwrap().first().unwrap().address(), Some("hello@oak.example.com"));
        assert!(message.attachments().any(|part| part.content_type().unwrap().subtype() == Some("pdf")));
        let company = sent.iter().find(|m| to(m) == "ann@oak.example.com").unwrap();
        let path = link(&app, company, "/estimate.pdf");
        let page = fetch(app.get(&path)).await;
        assert_eq!((page.status().as_u16(), crate::support::header(&page, "content-type")), (200, "application/pdf"));
        assert!(page.bytes().await.unwrap().starts_with(b"%PDF-"));
        for changed in [path.replace("&t=", "&t=1"), path.replace("lead=", "lead=1"), path.split('?').next().unwrap().to_owned()] {
            assert_eq!(fetch(app.get(&changed)).await.status(), 404, "{changed}");
        }
        let mut silent = app.submission().await;
        silent["email"] = "silent@example.net".into();
        silent["consent"]["given"] = false.into();
        silent["address"] = json!({ "line": "18 Alder Court" });
        app.send_lead(&silent).await;
        assert!(mails(&app, &server).await.iter().all(|m| to(m) != "silent@example.net"), "without consent no copy");
        other("12 Alder Court").await;
        let sent = mails(&app, &server).await;
        assert!(sent.iter().all(|m| to(m) != "victim@example.net"), "one an address a day");
        app.clock.advance(Duration::from_secs(24 * 3_600));
        other("10 Alder Court").await;
        assert!(mails(&app, &server).await.iter().any(|m| to(m) == "victim@example.net"), "the next day");
    }

    async fn a_homeowner_s_bounce_marks_the_lead_and_is_told_to_the_company(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }], "homeownerCopy": true })).await;
        server.refuse("ann@example.com", "550 5.1.1 Mailbox unavailable");
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let mut told = mails(&app, &server).await;
        told.extend(mails(&app, &server).await);
        assert!(told.iter().all(|m| to(m) == "ann@oak.example.com"));
        assert!(told.iter().any(|m| text(m).contains("Mailbox unavailable")), "{}", told.len());
        let (_, lead) = send(app.api(Method::GET, &format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap()))).await;
        assert!(lead["emailProblem"].as_str().unwrap().contains("Mailbox unavailable"), "{lead}");
    }

    async fn the_digest_of_a_day_comes_once_and_ends_with_one_click(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com", "leads": false }, { "email": "bob@oak.example.com", "leads": false, "digest": false }],
            "digestAt": "07:00", "timeZone": "America/New_York",
        })).await;
        let mut spam = app.submission().await;
        spam["elapsedMs"] = 10.into();
        spam["lastName"] = "Robot".into();
        app.send_lead(&spam).await;
        app.send_lead(&app.submission().await).await;
        assert!(mails(&app, &server).await.is_empty());
        app.clock.set("2026-03-11T10:59:59Z");
        app.make_due_digests().await;
        assert!(mails(&app, &server).await.iter().all(|m| !text(m).contains("Sample")), "only the day before yesterday");
        app.clock.set("2026-03-11T11:00:00Z");
        app.make_due_digests().await;
        app.make_due_digests().await;
        let digests = mails(&app, &server).await;
        assert_eq!(digests.iter().map(to).collect::<Vec<_>>(), ["ann@oak.example.com"]);
        let (message, body) = (parse(&digests[0]), text(&digests[0]));
        assert!(body.contains("Ann Sample") && body.contains("Robot"), "{body}");
        assert_eq!(header(&message, "List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
        let link = header(&message, "List-Unsubscribe").unwrap().replace(['<', '>', '\r', '\n', ' ', '\t'], "");
        let path = link.trim_start_matches(&app.base);
        let html = |response: reqwest::Response| async { response.text().await.unwrap() };
        assert!(html(fetch(app.get(path)).await).await.contains("gets the daily summary, the monthly report, or both"));
        let changed = html(fetch(app.get(&path.replace("&t=", "&t=0"))).await).await;
        assert!(changed.contains("This link has ended") && !changed.contains("The lead is"), "it names none: {changed}");
        let post = app.request(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
        let stopped = html(fetch(post.body("List-Unsubscribe=One-Click")).await).await;
        let again = html(fetch(app.get(path)).await).await;
        for page in [stopped, again] {
            assert!(page.contains("gets no more summaries") && !page.contains("New leads"), "she gets none: {page}");
        }
        let (_, settings) = send(app.api(Method::GET, "/api/v1/notices")).await;
        assert_eq!(settings["recipients"][0]["digest"], false);
        app.clock.set("2026-03-12T11:00:00Z");
        app.make_due_digests().await;
        assert!(mails(&app, &server).await.is_empty());
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com", "digest": false }] })).await;
        let told = html(fetch(app.get(path)).await).await;
        assert!(told.contains("gets no more summaries") && told.contains("New leads are still mailed there"), "{told}");
    }

    async fn the_report_of_a_month_comes_once_with_the_widgets_that_are_the_readers(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        app.widget_with(widget().set("referenceId", SECOND)).await;
        set(&app, json!({
            "recipients": [
                { "email": "ann@oak.example.com", "leads": false, "digest": false, "report": true },
                { "email": "bob@oak.example.com", "leads": false, "digest": false },
                { "email": "cy@oak.example.com", "leads": false, "digest": false, "report": true, "widgets": [SECOND] },
            ],
            "digestAt": "07:00", "timeZone": "America/New_York",
        })).await;
        lead_through(&app, WIDGET, "14 Alder Court").await;
        lead_through(&app, SECOND, "16 Alder Court").await;
        mails(&app, &server).await;
        // April 1 is a Wednesday.
        app.clock.set("2026-04-01T10:59:59Z");
        app.make_due_digests().await;
        assert!(mails(&app, &server).await.is_empty());
        app.clock.set("2026-04-01T11:00:00Z");
        tokio::join!(app.make_due_digests(), app.make_due_digests());
        let mut sent = mails(&app, &server).await;
        sent.sort_by_key(|mail| to(mail).to_owned());
        assert_eq!(sent.iter().map(to).collect::<Vec<_>>(), ["ann@oak.example.com", "cy@oak.example.com"]);
        for (mail, leads) in sent.iter().zip(["2 (February 2026: 0)", "1 (February 2026: 0)"]) {
            let message = parse(mail);
            assert!(message.subject().unwrap().ends_with(": March 2026"), "{:?}", message.subject());
            assert!(text(mail).contains(leads), "{}", text(mail));
            let file = message.attachments().next().unwrap();
            assert_eq!(file.attachment_name(), Some("report-2026-03.pdf"));
            assert!(file.contents().starts_with(b"%PDF-"));
        }
        app.clock.set("2026-04-02T11:00:00Z");
        app.make_due_digests().await;
        assert!(mails(&app, &server).await.is_empty(), "once");
        let message = parse(&sent[0]);
        let link = header(&message, "List-Unsubscribe").unwrap().replace(['<', '>', '\r', '\n', ' ', '\t'], "");
        let post = app.request(Method::POST, link.trim_start_matches(&app.base));
        let post = post.header("content-type", "application/x-www-form-urlencoded").body("List-Unsubscribe=One-Click");
        assert_eq!(fetch(post).await.status(), 200);
        let (_, settings) = send(app.api(Method::GET, "/api/v1/notices")).await;
        assert_eq!((&settings["recipients"][0]["report"], &settings["recipients"][2]["report"]), (&json!(false), &json!(true)));
        // April had no leads: nobody is written to about it.
        app.clock.set("2026-05-01T11:00:00Z");
        app.make_due_digests().await;
        assert!(mails(&app, &server).await.is_empty());
    }

    async fn broken_settings_are_refused_with_every_reason(f: Fixture) {
        let (app, _server) = start(f).await;
        let put = |body: String| send(app.api(Method::PUT, "/api/v1/notices").body(body));
        for (sent, part) in [
            (json!({ "recipients": [{ "email": "nobody" }] }), "email"),
            (json!({ "recipients": [{ "email": "a@b.co\r\nBcc: c@d.eu" }] }), "email"),
            (json!({ "recipients": [{ "email": "a@example.com" }, { "email": "A@example.com" }] }), "unique"),
            (json!({ "timeZone": "Mars/Olympus" }), "timeZone"),
            (json!({ "quietHours": { "from": "25:00", "to": "07:00" } }), "time of day"),
            (json!({ "quietHours": { "from": "07:00", "to": "07:00" } }), "quietHours"),
            (json!({ "workingHours": [{ "days": ["monday"], "from": "17:00", "to": "08:00" }] }), "workingHours"),
            (json!({ "escalateAfterMinutes": 0 }), "escalateAfterMinutes"),
            (json!({ "escalateAfterMinutes": -1 }), "settings cannot be read"),
            (json!({ "digestsAt": "07:00" }), "digestsAt"),
            (json!({ "digestAt": "07:00" }), "recipients"),
            (json!([]), "a list is no object"),
            (json!({ "recipients": [{ "email": "jörg@example.com" }] }), "before the @"),
            (json!({ "recipients": [{ "email": "a@example.com", "name": " " }] }), "recipients.0.name"),
        ] {
            let (status, answer) = put(sent.to_string()).await;
            assert!(status == 400 && answer["message"].to_string().contains(part), "{sent}: {answer}");
        }
        assert_eq!(put("{".to_owned()).await.0, 400);
        let (_, long) = put(json!({ "x".repeat(9_000): 1 }).to_string()).await;
        assert!(long.to_string().len() < 400, "what was sent is not repeated at length");
        let (_, now) = send(app.api(Method::GET, "/api/v1/notices")).await;
        assert_eq!(now["recipients"], json!([]));
    }

    async fn a_muted_widget_and_an_erased_lead_make_no_mail(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }], "mutedWidgets": [WIDGET] })).await;
        app.send_lead(&app.submission().await).await;
        assert!(mails(&app, &server).await.is_empty());
        set(&app, json!({ "recipients": [{ "email": "ann@oak.example.com" }] })).await;
        let mut sent = app.submission().await;
        sent["address"] = json!({ "line": "16 Alder Court" });
        let (_, receipt) = app.send_lead(&sent).await;
        send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", receipt["id"].as_str().unwrap()))).await;
        assert!(mails(&app, &server).await.is_empty());
    }

    async fn a_former_recipient_gets_nothing_and_has_no_link(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com", "language": "es" }, { "email": "bob@oak.example.com" }],
            "escalateAfterMinutes": 10,
        })).await;
        let (_, receipt) = app.send_lead(&app.submission().await).await;
        let path = link(&app, &mails(&app, &server).await.remove(0), "/on-it");
        assert!(fetch(app.get(&path)).await.text().await.unwrap().contains("¿Se encarga usted?"), "in her language");
        set(&app, json!({ "recipients": [{ "email": "bob@oak.example.com" }], "escalateAfterMinutes": 10 })).await;
        assert_eq!(fetch(app.get(&path)).await.status(), 404);
        assert_eq!(fetch(app.request(Method::POST, &path).body("confirm=yes")).await.status(), 404);
        app.clock.advance(Duration::from_secs(3_600));
        assert!(mails(&app, &server).await.iter().all(|mail| to(mail) == "bob@oak.example.com"));
        let log = format!("/api/v1/leads/{}/deliveries", receipt["id"].as_str().unwrap());
        let (_, log) = send(app.api(Method::GET, &log)).await;
        assert!(log.to_string().contains("no longer among the recipients"), "{log}");
        let (_, receipt) = app.send_lead(&lead_at(&app, "16 Alder Court").await).await;
        let log = format!("/api/v1/leads/{}/deliveries", receipt["id"].as_str().unwrap());
        let (_, log) = send(app.api(Method::GET, &log)).await;
        assert_eq!(log["data"].as_array().unwrap().iter().filter(|d| d["state"] == "skipped").count(), 0, "{log}");
    }

    async fn a_digest_tells_a_reader_of_the_widgets_that_are_theirs(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        app.widget_with(widget().set("referenceId", SECOND)).await;
        set(&app, json!({
            "recipients": [{ "email": "ann@oak.example.com", "widgets": [SECOND], "leads": false }], "digestAt": "07:00",
        })).await;
        lead_through(&app, WIDGET, "14 Alder Court").await;
        lead_through(&app, SECOND, "16 Alder Court").await;
        app.clock.set("2026-03-11T07:00:00Z");
        app.make_due_digests().await;
        let digest = text(&mails(&app, &server).await.remove(0));
        assert!(digest.contains("16 Alder Court") && !digest.contains("14 Alder Court"), "{digest}");
    }

    async fn settings_that_name_nobody_still_tell_the_company(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "timeZone": "America/New_York", "escalateAfterMinutes": 10 })).await;
        app.send_lead(&app.submission().await).await;
        assert_eq!(mails(&app, &server).await.iter().map(to).collect::<Vec<_>>(), ["hello@oak.example.com"]);
        app.clock.advance(Duration::from_secs(600));
        assert_eq!(mails(&app, &server).await.len(), 1, "the reminder");
        // Named and no longer named: told once, then told again as the company.
        set(&app, json!({ "recipients": [{ "email": "Hello@oak.example.com" }] })).await;
        app.send_lead(&lead_at(&app, "16 Alder Court").await).await;
        assert_eq!(mails(&app, &server).await.iter().map(to).collect::<Vec<_>>(), ["Hello@oak.example.com"]);
        set(&app, json!({ "recipients": [] })).await;
        app.send_lead(&lead_at(&app, "12 Alder Court").await).await;
        assert_eq!(mails(&app, &server).await.iter().map(to).collect::<Vec<_>>(), ["hello@oak.example.com"]);
    }

    async fn an_address_of_two_widgets_that_is_named_gets_one_mail(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        app.widget_with(widget().set("referenceId", SECOND)).await;
        for id in [WIDGET, SECOND] {
            assert_eq!(lead_through(&app, id, "14 Alder Court").await, 201);
        }
        assert_eq!(mails(&app, &server).await.len(), 2);
        set(&app, json!({ "recipients": [{ "email": "hello@oak.example.com" }] })).await;
        for id in [WIDGET, SECOND] {
            assert_eq!(lead_through(&app, id, "16 Alder Court").await, 201);
            assert_eq!(mails(&app, &server).await.len(), 1, "{id}");
        }
    }

    async fn a_notice_that_waits_follows_the_company_s_address(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        set(&app, json!({ "quietHours": { "from": "12:00", "to": "13:00" } })).await;
        app.send_lead(&app.submission().await).await;
        assert!(mails(&app, &server).await.is_empty());
        let path = format!("/api/v1/roof-estimate-widget/{WIDGET}");
        let form = Form::empty().set("companyEmail", "new@oak.example.com");
        assert_eq!(send(app.api(Method::PUT, &path).multipart(form.build())).await.0, 200);
        app.clock.set("2026-03-10T13:00:00Z");
        assert_eq!(mails(&app, &server).await.iter().map(to).collect::<Vec<_>>(), ["new@oak.example.com"]);
    }

    async fn a_refused_mailbox_is_told_again_once_it_is_named_again(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        let settings = json!({ "recipients": [{ "email": "ann@oak.example.com" }, { "email": "bob@oak.example.com" }] });
        set(&app, settings.clone()).await;
        server.refuse("ann@oak.example.com", "550 5.1.1 No such user here");
        app.send_lead(&app.submission().await).await;
        mails(&app, &server).await;
        mails(&app, &server).await;
        server.accept_all();
        app.send_lead(&lead_at(&app, "16 Alder Court").await).await;
        assert_eq!(mails(&app, &server).await.iter().map(to).collect::<Vec<_>>(), ["bob@oak.example.com"], "off");
        set(&app, settings).await;
        app.send_lead(&lead_at(&app, "12 Alder Court").await).await;
        assert_eq!(mails(&app, &server).await.len(), 2, "on again");
    }

    async fn a_refused_company_address_is_tried_again_after_a_day(f: Fixture) {
        let (app, server) = start(f).await;
        app.widget().await;
        server.refuse("hello@oak.example.com", "550 5.1.1 No such user here");
        for line in ["14 Alder Court", "16 Alder Court", "12 Alder Court"] {
            app.send_lead(&lead_at(&app, line).await).await;
            mails(&app, &server).await;
        }
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let kept = app.store.destinations().list(&tenant, DestinationKind::Mail).await.unwrap();
        assert_eq!(kept.iter().map(|d| (d.draft.active, d.failure_count)).collect::<Vec<_>>(), [(false, 1)]);
        server.accept_all();
        app.clock.advance(Duration::from_secs(24 * 3_600));
        app.send_lead(&lead_at(&app, "10 Alder Court").await).await;
        assert_eq!(mails(&app, &server).await.len(), 1);
    }
}

const SECOND: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c12";

async fn lead_at(app: &TestApp, line: &str) -> Value {
    let mut sent = app.submission().await;
    sent["address"] = json!({ "line": line });
    sent
}

async fn lead_through(app: &TestApp, widget: &str, line: &str) -> u16 {
    let post = |path: &str| app.request(Method::POST, &format!("/w/{widget}{path}")).header("origin", SITE);
    let mut sent = lead_at(app, line).await;
    sent["token"] = send(post("/session")).await.1["token"].clone();
    send(post("/leads").body(sent.to_string())).await.0
}
