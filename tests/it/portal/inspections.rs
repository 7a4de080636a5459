//! An inspection from both sides: booked in the portal, mailed with calendar files, moved and canceled by either, reminded
//! of once.

use mail_parser::{Message, MessageParser, MimeHeaders};
use reqwest::Method;
use serde_json::json;
use shingle_domain::{Environment, Role, Tenant, UserName};
use shingle_store::User;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::{ReceivedMail, SmtpServer};

use super::browser::Browser;
use super::{signed_in, user};
use crate::notices::{mails, set, start, text, to};
use crate::support::{TestApp, fetch, header, send};
use crate::visits::{Sent, change, record, send_lead, wishes};

/// A lead with two wishes (Friday evening, Wednesday morning), seen by an owner in Maine. It is Tuesday, 8 in the morning there.
async fn asked(app: &TestApp, server: &SmtpServer) -> (Sent, User) {
    app.widget().await;
    set(app, json!({ "timeZone": "America/New_York" })).await;
    let lead = send_lead(app, Some("(207) 555-0143")).await;
    assert_eq!(change(app, &lead, wishes()).await.0, 200);
    mails(app, server).await;
    let maya = user(app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
    (lead, maya)
}

fn page(lead: &Sent) -> String {
    format!("/portal/leads/{}?data=sandbox", lead.id)
}

fn action(lead: &Sent, name: &str) -> String {
    format!("/portal/leads/{}/{name}", lead.id)
}

/// Wednesday, 9:30.
async fn book(browser: &mut Browser<'_>, lead: &Sent, who: &User) {
    browser.open(&page(lead)).await;
    let who = who.id.to_string();
    let fields = [
        ("wish", "1"),
        ("start-1", "09:30"),
        ("minutes", "45"),
        ("person", &*who),
        ("place", "14 Alder Court"),
        ("line", "Side door."),
    ];
    browser.submit_to(&action(lead, "book"), &fields).await;
    browser.shows(200, "The inspection is booked.");
}

/// The lead is this colleague's.
async fn taken(app: &TestApp, lead: &Sent, by: &User) {
    let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
    app.store.leads().take_lead_by(&tenant, lead.id.parse().unwrap(), by).await.unwrap();
}

fn another<'f>(date: &'f str, start: &'f str, who: &'f str) -> [(&'f str, &'f str); 6] {
    [
        ("wish", "other"),
        ("date", date),
        ("start", start),
        ("minutes", "45"),
        ("person", who),
        ("place", "14 Alder Court"),
    ]
}

fn mailed<'m>(mails: &'m [ReceivedMail], address: &str) -> &'m ReceivedMail {
    mails.iter().find(|mail| to(mail) == address).unwrap_or_else(|| panic!("nothing to {address}"))
}

/// The calendar file of a mail, with its method, unfolded.
fn calendar(mail: &ReceivedMail) -> (String, String) {
    let message: Message<'_> = MessageParser::default().parse(&mail.bytes).unwrap();
    let part = message.parts.iter().find(|part| {
        part.content_type().is_some_and(|kind| kind.ctype() == "text" && kind.subtype() == Some("calendar"))
    });
    let part = part.expect("a calendar");
    let method = part.content_type().unwrap().attribute("method").unwrap().to_owned();
    let attached = message.attachments().any(|part| part.attachment_name() == Some("inspection.ics"));
    assert!(attached, "for programs that know attachments alone");
    (method, part.text_contents().unwrap().replace("\r\n ", ""))
}

fn subject(mail: &ReceivedMail) -> String {
    let message = MessageParser::default().parse(&mail.bytes).unwrap();
    let subject = message.subject().unwrap().replace('\u{a0}', " ");
    // All of it is of the sandbox.
    subject.strip_prefix("Test: ").unwrap_or_else(|| panic!("{subject}")).to_owned()
}

/// The path of the homeowner's page.
fn link(app: &TestApp, mail: &ReceivedMail) -> String {
    let text = text(mail);
    let found = text.split_whitespace().find(|word| word.starts_with(&app.base) && word.contains("/v/"));
    found.unwrap_or_else(|| panic!("no link in {text}"))[app.base.len()..].to_owned()
}

async fn deliveries(app: &TestApp, server: &SmtpServer) -> Vec<String> {
    let mut all: Vec<String> =
        mails(app, server).await.iter().map(|mail| format!("{}: {}", to(mail), subject(mail))).collect();
    all.sort();
    all
}

on_both_engines! {
    async fn an_inspection_is_booked_told_and_in_both_calendars(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&page(&lead)).await;
        for shown in ["Book the inspection", "Book and tell Ann", "Fri, Mar 13", "9:30 AM", "Another time", "14 Alder Court"] {
            browser.shows(200, shown);
        }
        assert!(!browser.html.contains("Mark as confirmed"), "nothing is confirmed without a time");
        book(&mut browser, &lead, &maya).await;
        for shown in ["Wed, Mar 11, 9:30 AM to 10:15 AM", "Email to Ann is on its way", "Maya Lindqvist booked the inspection: Wed, Mar 11, 9:30 AM, Maya Lindqvist", "Open in Messages", "Maya Lindqvist is on it"] {
            browser.shows(200, shown);
        }
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "confirmed", "for programs that read the lead");

        let sent = mails(&app, &server).await;
        assert_eq!(sent.len(), 2, "one to each side");
        let own = mailed(&sent, "ann@example.com");
        assert_eq!(subject(own), "Your inspection: Wed, Mar 11, 9:30 am");
        let (method, file) = calendar(own);
        assert_eq!(method, "REQUEST");
        for line in ["METHOD:REQUEST", "SEQUENCE:0", "DTSTART:20260311T133000Z", "DTEND:20260311T141500Z", "STATUS:CONFIRMED", "LOCATION:14 Alder Court"] {
            assert!(file.contains(&format!("\r\n{line}\r\n")), "{line}: {file}");
        }
        assert!(!file.contains("555-0143") && !file.contains('$'), "{file}");
        let (_, theirs) = calendar(mailed(&sent, "maya@oak.example.com"));
        assert!(theirs.contains("(207) 555-0143") && theirs.contains(&format!("/portal/leads/{}", lead.id)), "{theirs}");
        let uid = |file: &str| file.lines().find(|line| line.starts_with("UID:")).unwrap().to_owned();
        assert_eq!(uid(&file), uid(&theirs));

        browser.open(&page(&lead)).await;
        browser.shows(200, "Email to Ann delivered");
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Wed, Mar 11, 9:30 AM");
        let csv = fetch(app.api(Method::GET, "/api/v1/leads.csv")).await.text().await.unwrap();
        assert!(csv.contains("2026-03-11 09:30,45,Maya Lindqvist,14 Alder Court"), "{csv}");
        let mine = fetch(app.request(Method::GET, &format!("/portal/leads/{}/inspection.ics?data=sandbox", lead.id)).header("cookie", browser.cookies())).await;
        assert_eq!(header(&mine, "content-type"), "text/calendar; charset=utf-8");
        assert!(mine.text().await.unwrap().contains("METHOD:PUBLISH"));

        // On the day before, at 5 in the afternoon: once, also after a restart.
        app.clock.set("2026-03-10T20:59:00Z");
        assert!(deliveries(&app, &server).await.is_empty());
        app.clock.set("2026-03-10T21:00:30Z");
        let reminders = ["ann@example.com: Tomorrow: your inspection, Wed, Mar 11, 9:30 am", "maya@oak.example.com: Tomorrow, inspection: Ann Sample, Wed, Mar 11, 9:30 am"];
        assert_eq!(deliveries(&app, &server).await, reminders);
        app.clock.set("2026-03-11T12:00:00Z");
        assert!(deliveries(&app, &server).await.is_empty());

        // After the hour.
        app.clock.set("2026-03-11T13:31:00Z");
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&page(&lead)).await;
        browser.shows(200, "How did it go?");
        browser.press("Nobody was home").await;
        browser.shows(200, "Nobody was home: Wed, Mar 11, 9:30 AM.");
        browser.shows(200, "Maya Lindqvist noted: nobody was home");
    }

    async fn a_form_that_breaks_a_rule_says_which_and_books_nothing(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        let who = maya.id.to_string();
        let stranger = user(&app, None, Role::Operator, "host@example.net").await.id.to_string();
        for (date, start, who, said) in [
            ("2026-03-10", "07:30", &*who, "That time has passed."),
            ("2026-02-30", "09:00", &*who, "Please choose a day."),
            ("2026-03-12", "", &*who, "Please choose a start time."),
            ("2027-03-14", "02:30", &*who, "That time doesn’t exist: clocks go forward that night. Pick 3:30 AM."),
            ("2026-11-01", "01:30", &*who, "Clocks go back that night, so this hour comes twice."),
            ("2026-03-12", "09:00", &*stranger, "This person is no longer on the team."),
            ("2026-03-12", "09:00", "", "Please choose who goes."),
        ] {
            browser.open(&page(&lead)).await;
            browser.submit_to(&action(&lead, "book"), &another(date, start, who)).await;
            browser.shows(422, said);
            assert!(browser.html.contains("value=\"14 Alder Court\""), "what was typed stays");
        }
        assert!(deliveries(&app, &server).await.is_empty());
        // Of two hours of the same name the second.
        let mut fields = another("2026-11-01", "01:30", &who).to_vec();
        browser.submit_to(&action(&lead, "book"), &fields).await;
        browser.shows(422, "The second, after clocks go back");
        fields.push(("which", "second"));
        browser.submit_to(&action(&lead, "book"), &fields).await;
        browser.shows(200, "Sun, Nov 1, 1:30 AM to 2:15 AM");
        let sent = mails(&app, &server).await;
        assert!(calendar(mailed(&sent, "ann@example.com")).1.contains("DTSTART:20261101T063000Z"));
    }

    async fn two_who_book_one_lead_are_told_and_a_double_click_books_once(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        app.store.people().rename_user(luis.id, &UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
        let (mut first, mut second) = (signed_in(&app, &maya).await, signed_in(&app, &luis).await);
        second.open(&page(&lead)).await;
        book(&mut first, &lead, &maya).await;
        second.submit_to(&action(&lead, "book"), &another("2026-03-12", "10:00", &luis.id.to_string())).await;
        second.shows(409, "Someone changed the inspection after you opened this page.");
        second.shows(409, "Wed, Mar 11, 9:30 AM");
        assert_eq!(deliveries(&app, &server).await.len(), 2);
        // The same form once more.
        let who = maya.id.to_string();
        let again = [("data", "sandbox"), ("seen", ""), ("wish", "1"), ("day-1", "2026-03-11"), ("start-1", "09:30"), ("minutes", "45"), ("person", &*who), ("place", "14 Alder Court"), ("line", "Side door.")];
        first.send_to(&format!("{}?data=sandbox", action(&lead, "book")), &again).await;
        first.shows(200, "The inspection is booked.");
        assert!(deliveries(&app, &server).await.is_empty(), "nobody is told twice");

        // Another lead at the same hour of the same person: asked first, then as wanted.
        let other = send_lead(&app, None).await;
        first.open(&page(&other)).await;
        first.submit_to(&action(&other, "book"), &another("2026-03-11", "10:00", &who)).await;
        first.shows(422, "Maya Lindqvist already has Ann Sample then: Wed, Mar 11, 9:30 AM.");
        first.press_with("Book both", &another("2026-03-11", "10:00", &who)).await;
        first.shows(200, "Maya Lindqvist also has Ann Sample then");
        // What was allowed are these two; a third one is asked about again.
        let more = send_lead(&app, None).await;
        first.open(&page(&more)).await;
        first.submit_to(&action(&more, "book"), &another("2026-03-11", "13:00", &who)).await;
        let later = send_lead(&app, None).await;
        first.open(&page(&later)).await;
        first.submit_to(&action(&later, "book"), &another("2026-03-11", "13:15", &who)).await;
        first.shows(422, "Maya Lindqvist already has Ann Sample then: Wed, Mar 11, 1:00 PM.");
        first.press_with("Book both", &another("2026-03-11", "10:00", &who)).await;
        first.shows(422, "Maya Lindqvist already has Ann Sample then: Wed, Mar 11, 9:30 AM.");

        first.open(&page(&other)).await;
        first.submit_to(&action(&other, "book"), &another("2026-03-11", "10:30", &who)).await;
        first.shows(200, "Tight: 15 minutes between inspections.");

        // The day that the page showed is booked, whatever the homeowner wishes by now.
        let third = send_lead(&app, None).await;
        let shown = [("data", "sandbox"), ("seen", ""), ("wish", "0"), ("day-0", "2026-03-20"), ("start-0", "09:00"), ("minutes", "45"), ("person", &*who), ("place", "14 Alder Court")];
        first.send_to(&format!("{}?data=sandbox", action(&third, "book")), &shown).await;
        first.shows(200, "Fri, Mar 20, 9:00 AM");
        let missing = [("data", "sandbox"), ("seen", ""), ("wish", "7"), ("start-7", "09:00"), ("minutes", "45"), ("person", &*who), ("place", "14 Alder Court")];
        let fourth = send_lead(&app, None).await;
        first.send_to(&format!("{}?data=sandbox", action(&fourth, "book")), &missing).await;
        assert_eq!(first.status, 422, "a form without its day books none");
    }

    async fn either_side_moves_it_and_the_other_agrees(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &maya).await;
        let sent = mails(&app, &server).await;
        let own = link(&app, mailed(&sent, "ann@example.com"));

        // Behind the link of the estimate it is found too.
        let estimate = fetch(app.get(&own.replace("/v/", "/e/"))).await.text().await.unwrap();
        assert!(estimate.contains("Your inspection: Wed, Mar 11, 9:30 AM") && estimate.contains("/v/"), "{estimate}");

        // The company moves it.
        browser.open(&page(&lead)).await;
        browser.submit_to(&action(&lead, "book"), &another("2026-03-12", "10:00", &maya.id.to_string())).await;
        browser.shows(200, "The inspection is moved.");
        browser.shows(200, "Not answered");
        let sent = mails(&app, &server).await;
        let (method, file) = calendar(mailed(&sent, "ann@example.com"));
        assert!(method == "REQUEST" && file.contains("SEQUENCE:1") && file.contains("DTSTART:20260312T140000Z"), "{file}");
        assert!(subject(mailed(&sent, "ann@example.com")).starts_with("New time for your inspection: Thu, Mar 12"));
        let mut ann = Browser::new(&app);
        ann.open(&own).await;
        for shown in ["New time for your inspection", "Thu, Mar 12", "<s>Wed, Mar 11, 9:30 AM</s>", "That works", "Waiting for your answer"] {
            ann.shows(200, shown);
        }
        ann.answer("agree", &[]).await;
        ann.shows(200, "Booked");
        assert_eq!(deliveries(&app, &server).await, ["maya@oak.example.com: Ann Sample agreed to the new time: Thu, Mar 12, 10:00 am"]);

        // The homeowner asks for another time, and the company picks one in it.
        ann.open(&format!("{own}&do=move")).await;
        ann.shows(200, "When suits you better?");
        ann.answer("other", &[("wish", "2026-03-13 morning")]).await;
        ann.shows(200, "You asked for Fri, Mar 13, morning.");
        assert_eq!(deliveries(&app, &server).await, ["maya@oak.example.com: Ann Sample asks for another time"]);
        browser.open(&page(&lead)).await;
        browser.shows(200, "Asked for by Ann: Fri, Mar 13, morning. This time holds until you pick another.");
        browser.shows(200, "Thu, Mar 12, 10:00 AM to 10:45 AM");
        let who = maya.id.to_string();
        browser.submit_to(&action(&lead, "book"), &[("wish", "0"), ("start-0", "09:00"), ("minutes", "45"), ("person", &who), ("place", "14 Alder Court")]).await;
        browser.shows(200, "Booked");
        ann.open(&own).await;
        ann.shows(200, "Fri, Mar 13");
        assert!(!ann.html.contains("That works"), "it is the homeowner's own time");
        // The reminders of the times before are not sent.
        mails(&app, &server).await;
        app.clock.set("2026-03-11T21:01:00Z");
        assert!(deliveries(&app, &server).await.is_empty());
        app.clock.set("2026-03-12T21:01:00Z");
        assert_eq!(deliveries(&app, &server).await.len(), 2);
    }

    async fn a_homeowner_cancels_once_and_a_scanner_never(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &maya).await;
        let sent = mails(&app, &server).await;
        let own = link(&app, mailed(&sent, "ann@example.com"));
        // What opens every link of a mail, and posts to it.
        for path in [own.clone(), format!("{own}&do=cancel"), format!("{own}&do=move"), own.replace('?', "/inspection.ics?")] {
            assert_eq!(fetch(app.get(&path)).await.status(), 200, "{path}");
        }
        assert_eq!(fetch(app.request(Method::POST, &own)).await.status(), 200);
        assert!(deliveries(&app, &server).await.is_empty());

        let mut ann = Browser::new(&app);
        ann.open(&format!("{own}&do=cancel")).await;
        ann.shows(200, "Cancel the inspection?");
        let mut twice = Browser::new(&app);
        twice.open(&format!("{own}&do=cancel")).await;
        ann.answer("cancel", &[("why", "someone-else")]).await;
        ann.shows(200, "Nobody comes on Wed, Mar 11, 9:30 AM.");
        twice.answer("cancel", &[("why", "bad-time")]).await;
        twice.shows(200, "Nobody comes on Wed, Mar 11, 9:30 AM.");
        let sent = mails(&app, &server).await;
        assert_eq!(sent.len(), 2, "told once");
        let (method, file) = calendar(mailed(&sent, "ann@example.com"));
        assert!(method == "CANCEL" && file.contains("STATUS:CANCELLED") && file.contains("SEQUENCE:1"), "{file}");
        assert!(text(mailed(&sent, "maya@oak.example.com")).contains("“I found someone else”"));
        browser.open(&page(&lead)).await;
        browser.shows(200, "Ann canceled Wed, Mar 11, 9:30 AM.");
        browser.shows(200, "Homeowner canceled the inspection: Wed, Mar 11, 9:30 AM, Maya Lindqvist. “I found someone else”");
        app.clock.set("2026-03-10T21:01:00Z");
        assert!(deliveries(&app, &server).await.is_empty(), "no reminder of it");
    }

    async fn too_late_after_it_or_moved_meanwhile_a_page_says_what_is_so(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &maya).await;
        let own = link(&app, mailed(&mails(&app, &server).await, "ann@example.com"));
        let mut ann = Browser::new(&app);
        ann.open(&format!("{own}&do=cancel")).await;
        browser.open(&page(&lead)).await;
        browser.submit_to(&action(&lead, "book"), &another("2026-03-12", "10:00", &maya.id.to_string())).await;
        let mut late = Browser::new(&app);
        late.open(&format!("{own}&do=cancel")).await;
        ann.answer("cancel", &[("why", "")]).await;
        ann.shows(409, "It changed meanwhile, so nothing was done.");
        ann.shows(409, "Thu, Mar 12");

        // Two hours before only a call helps.
        app.clock.set("2026-03-12T12:00:00Z");
        late.answer("cancel", &[("why", "")]).await;
        late.shows(200, "It’s soon, so call");
        assert!(late.html.contains("tel:"));
        app.clock.set("2026-03-12T16:30:00Z");
        ann.open(&format!("{own}&do=cancel")).await;
        ann.shows(200, "This inspection is over");
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "confirmed");

        // Another key, another lead's key, no key; an erased lead.
        let changed = own.replace("/v/", "/v/0");
        assert_eq!(fetch(app.get(&changed)).await.status(), 404);
        assert_eq!(send(app.api(Method::DELETE, &format!("/api/v1/leads/{}", lead.id))).await.0, 200);
        let gone = fetch(app.get(&own)).await;
        assert_eq!((gone.status().as_u16(), header(&gone, "referrer-policy")), (404, "no-referrer"));
        assert!(!gone.text().await.unwrap().contains("Ann"));
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        let shared = app.store.leads().appointment(&tenant, lead.id.parse().unwrap()).await.unwrap();
        assert!(shared.is_none(), "erased with its lead");
    }

    async fn without_mail_the_page_says_so_and_offers_a_text(f: Fixture) {
        let app = TestApp::start(f).await;
        app.widget().await;
        let lead = send_lead(&app, Some("(207) 555-0143")).await;
        let maya = user(&app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&page(&lead)).await;
        browser.shows(200, "No email: this installation sends none. Call or text.");
        assert!(!browser.html.contains("Book and tell"));
        browser.submit_to(&action(&lead, "book"), &another("2026-03-12", "10:00", &maya.id.to_string())).await;
        browser.shows(200, "Ann got no email. Call or text.");
        browser.shows(200, "sms:+12075550143?&amp;body=Hi%20Ann%2C%20Maya%20Lindqvist%20from");
        browser.press("I sent it").await;
        browser.shows(200, "Text sent by Maya Lindqvist");
        // Twice, and after the inspection is canceled.
        let sent = format!("{}?data=sandbox", action(&lead, "texted"));
        browser.send_to(&sent, &[("data", "sandbox")]).await;
        assert_eq!(browser.html.matches("texted the time to the homeowner").count(), 1);
        browser.open(&page(&lead)).await;
        browser.submit_to(&action(&lead, "cancel-inspection"), &[]).await;
        browser.send_to(&sent, &[("data", "sandbox")]).await;
        browser.shows(409, "Someone changed the inspection after you opened this page.");
        assert!(!browser.html.contains("Open in Messages"));
    }

    async fn canceled_by_the_company_it_leaves_both_calendars_and_who_left_is_named(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        app.store.people().rename_user(luis.id, &UserName::parse("Luis Ferreira").unwrap()).await.unwrap();
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &luis).await;
        let sent = mails(&app, &server).await;
        assert_eq!(to(mailed(&sent, "luis@oak.example.com")), "luis@oak.example.com");
        app.store.people().remove_user(app.account, luis.id).await.unwrap();
        browser.open(&page(&lead)).await;
        browser.shows(200, "Luis Ferreira is no longer on the team. Move it to choose who goes.");
        browser.submit_to(&action(&lead, "cancel-inspection"), &[("word", "A storm came in.")]).await;
        browser.shows(200, "The inspection is canceled.");
        browser.shows(200, "You canceled Wed, Mar 11, 9:30 AM.");
        let sent = mails(&app, &server).await;
        assert_eq!(sent.len(), 1, "who left is told nothing");
        let own = mailed(&sent, "ann@example.com");
        assert!(text(own).contains("“A storm came in.”"));
        assert_eq!(calendar(own).0, "CANCEL");
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "declined");
    }

    async fn who_no_longer_goes_is_told_and_the_time_is_not_called_new(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        taken(&app, &lead, &maya).await;
        book(&mut browser, &lead, &luis).await;
        mails(&app, &server).await;
        browser.open(&page(&lead)).await;
        let who = maya.id.to_string();
        browser.submit_to(&action(&lead, "book"), &another("2026-03-11", "09:30", &who)).await;
        browser.shows(200, "The inspection is moved.");
        let sent = mails(&app, &server).await;
        let mut subjects: Vec<_> = sent.iter().map(|mail| format!("{}: {}", to(mail), subject(mail))).collect();
        subjects.sort();
        assert_eq!(subjects, [
            "ann@example.com: Your inspection has changed: Wed, Mar 11, 9:30 am",
            "luis@oak.example.com: Maya Lindqvist now goes to the inspection: Ann Sample, Wed, Mar 11, 9:30 am",
            "maya@oak.example.com: Inspection changed: Ann Sample, Wed, Mar 11, 9:30 am",
        ]);
        let (method, file) = calendar(mailed(&sent, "luis@oak.example.com"));
        assert!(method == "CANCEL" && file.contains("SEQUENCE:1") && file.contains("STATUS:CANCELLED"), "{file}");
        let told = text(mailed(&sent, "luis@oak.example.com"));
        assert!(told.contains("You no longer go."), "{told}");
        assert_eq!(calendar(mailed(&sent, "maya@oak.example.com")).0, "REQUEST");
        // The one who goes is reminded, and the homeowner.
        app.clock.set("2026-03-10T21:01:00Z");
        let reminded = deliveries(&app, &server).await;
        assert!(reminded.len() == 2 && !reminded.iter().any(|mail| mail.starts_with("luis")), "{reminded:?}");
    }

    async fn of_a_change_that_waits_the_former_person_hears_when_others_have_newer_news(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        taken(&app, &lead, &maya).await;
        book(&mut browser, &lead, &luis).await;
        mails(&app, &server).await;
        let who = maya.id.to_string();
        for start in ["09:30", "11:00"] {
            browser.open(&page(&lead)).await;
            browser.submit_to(&action(&lead, "book"), &another("2026-03-11", start, &who)).await;
        }
        assert_eq!(deliveries(&app, &server).await, [
            "ann@example.com: New time for your inspection: Wed, Mar 11, 11:00 am",
            "luis@oak.example.com: Maya Lindqvist now goes to the inspection: Ann Sample, Wed, Mar 11, 11:00 am",
            "maya@oak.example.com: Inspection moved: Ann Sample, Wed, Mar 11, 11:00 am",
        ]);
        // Who goes again is not told the opposite.
        for person in [&luis.id.to_string(), &who, &luis.id.to_string()] {
            browser.open(&page(&lead)).await;
            browser.submit_to(&action(&lead, "book"), &another("2026-03-11", "11:00", person)).await;
        }
        let last = deliveries(&app, &server).await;
        assert_eq!(last.iter().filter(|mail| mail.starts_with("luis")).count(), 1, "{last:?}");
        assert!(!last.iter().any(|mail| mail.starts_with("luis") && mail.contains("now goes")), "{last:?}");
    }

    async fn whose_lead_it_stays_keeps_it_in_the_calendar_as_somebody_elses(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &luis).await;
        let (_, own) = calendar(mailed(&mails(&app, &server).await, "luis@oak.example.com"));
        assert!(own.contains("SUMMARY:Ann Sample\\, inspection\r\n") && own.contains("TRANSP:OPAQUE"), "{own}");
        browser.open(&page(&lead)).await;
        browser.submit_to(&action(&lead, "book"), &another("2026-03-11", "09:30", &maya.id.to_string())).await;
        let sent = mails(&app, &server).await;
        assert_eq!(sent.len(), 3);
        let (method, file) = calendar(mailed(&sent, "luis@oak.example.com"));
        assert_eq!(method, "REQUEST");
        assert!(file.contains("SUMMARY:Ann Sample\\, inspection: Maya Lindqvist goes\r\n") && file.contains("TRANSP:TRANSPARENT"), "{file}");
    }

    async fn a_reason_is_told_in_each_readers_language(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        book(&mut browser, &lead, &maya).await;
        let own = link(&app, mailed(&mails(&app, &server).await, "ann@example.com")).replace("lang=en", "lang=es");
        let mut ann = Browser::new(&app);
        ann.open(&format!("{own}&do=cancel")).await;
        ann.shows(200, "Todavía no estoy listo");
        ann.answer("cancel", &[("why", "not-ready")]).await;
        let sent = mails(&app, &server).await;
        assert!(text(mailed(&sent, "maya@oak.example.com")).contains("“I’m not ready yet”"));
        browser.open(&page(&lead)).await;
        assert_eq!(browser.html.matches("I’m not ready yet").count(), 2, "on the card and on the timeline");
    }

    async fn what_stands_in_calendars_is_not_declined_and_a_closed_company_reminds_nobody(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let (mut browser, mut late) = (signed_in(&app, &maya).await, signed_in(&app, &maya).await);
        late.open(&page(&lead)).await;
        book(&mut browser, &lead, &maya).await;
        late.submit_to(&action(&lead, "inspection"), &[("state", "declined")]).await;
        late.shows(409, "Someone changed the inspection after you opened this page.");
        assert_eq!(record(&app, &lead).await["inspection"]["state"], "confirmed");
        browser.open(&page(&lead)).await;
        browser.shows(200, "An inspection is booked: Wed, Mar 11, 9:30 AM. Cancel it first");
        mails(&app, &server).await;
        app.store.accounts().close(app.account).await.unwrap();
        app.clock.set("2026-03-10T21:01:00Z");
        assert!(deliveries(&app, &server).await.is_empty());
    }

    async fn a_corrected_email_ends_the_old_link_and_a_new_assignee_ends_the_old_reminder(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let luis = user(&app, Some(app.account), Role::Member, "luis@oak.example.com").await;
        let mut browser = signed_in(&app, &maya).await;
        taken(&app, &lead, &maya).await;
        book(&mut browser, &lead, &luis).await;
        let own = link(&app, mailed(&mails(&app, &server).await, "ann@example.com"));
        browser.open(&page(&lead)).await;
        let fields = [
            ("first-name", "Ann"),
            ("last-name", "Sample"),
            ("contact-phone", "(207) 555-0143"),
            ("contact-email", "right@example.com"),
            ("home-address", "14 Alder Court, Harrow Falls, ME 04995"),
        ];
        browser.submit_to(&action(&lead, "edit"), &fields).await;
        browser.shows(200, "ann@example.com → right@example.com");
        assert_eq!(fetch(app.get(&own)).await.status(), 404);

        browser.open(&page(&lead)).await;
        browser.submit_to(&action(&lead, "assign"), &[("assignee", "")]).await;
        app.clock.set("2026-03-10T21:01:00Z");
        assert_eq!(deliveries(&app, &server).await, [
            "luis@oak.example.com: Tomorrow, inspection: Ann Sample, Wed, Mar 11, 9:30 am",
            "right@example.com: Tomorrow: your inspection, Wed, Mar 11, 9:30 am",
        ]);
    }
}
