//! Quotes from both sides: made and sent in the portal, mailed with a PDF, answered once on the homeowner's page.

use std::time::Duration;

use mail_parser::MimeHeaders;
use shingle_domain::{Environment, Role, Tenant};
use shingle_store::User;
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::{ReceivedMail, SmtpServer};

use super::browser::Browser;
use super::{signed_in, user};
use crate::notices::{mails, parse, start, text, to};
use crate::support::{TestApp, fetch, header};
use crate::visits::{Sent, record, send_lead};

const DAY: Duration = Duration::from_secs(24 * 3_600);

async fn asked(app: &TestApp, server: &SmtpServer) -> (Sent, User) {
    app.widget().await;
    let lead = send_lead(app, Some("(207) 555-0143")).await;
    mails(app, server).await;
    let maya = user(app, Some(app.account), Role::Owner, "maya@oak.example.com").await;
    (lead, maya)
}

fn lead_page(lead: &Sent) -> String {
    format!("/portal/leads/{}?data=sandbox", lead.id)
}

fn fields(way: &str) -> Vec<(&str, &str)> {
    vec![
        ("offer1", "yes"),
        ("title1", "Better"),
        ("material1", "Shingle <plus>"),
        ("includes1", "Tear-off\nFlashing"),
        ("price1", "$14,200"),
        ("offer3", "yes"),
        ("title3", "Best"),
        ("items3", "Standing seam 28,500\nFall discount -500"),
        ("tax", "5.5"),
        ("deposit", "30%"),
        ("until", "2026-04-09"),
        ("message", "Dear Ann, as we said <b>on the roof</b>."),
        ("terms", "Work begins within six weeks."),
        ("do", way),
    ]
}

/// A new quote, sent; the path of the homeowner's page.
async fn sent(browser: &mut Browser<'_>, app: &TestApp, server: &SmtpServer, new: &str) -> String {
    browser.open(new).await;
    browser.shows(200, "Choice 1");
    browser.submit(&fields("send")).await;
    browser.shows(200, "The quote is on its way by email.");
    let mails = mails(app, server).await;
    link(app, &mails[0])
}

/// The path of the homeowner's page.
fn link(app: &TestApp, mail: &ReceivedMail) -> String {
    let text = text(mail);
    let found = text.split_whitespace().find(|word| word.starts_with(&app.base) && word.contains("/q/"));
    found.unwrap_or_else(|| panic!("no link in {text}"))[app.base.len()..].to_owned()
}

fn subjects(mails: &[ReceivedMail]) -> Vec<String> {
    let mut all: Vec<_> =
        mails.iter().map(|mail| format!("{}: {}", to(mail), parse(mail).subject().unwrap_or_default())).collect();
    all.sort();
    all
}

const SIGNED: [(&str, &str); 3] = [("choice", "1"), ("name", "Ann M. Sample"), ("agree", "yes")];

on_both_engines! {
    async fn a_quote_is_made_sent_and_accepted_once(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        browser.open(&lead_page(&lead)).await;
        browser.shows(200, "Make a quote");
        let new = format!("/portal/leads/{}/quotes/new?data=sandbox", lead.id);
        browser.open(&new).await;
        // From the estimate, the cheapest first, for thirty days.
        for shown in ["value=\"Good\"", "value=\"Better\"", "value=\"Best\"", "Asphalt shingle", "value=\"2026-04-09\""] {
            browser.shows(200, shown);
        }
        let wrong = [("offer1", "yes"), ("title1", "Better"), ("price1", "14.200"), ("until", "2026-03-09"), ("tax", "x"), ("do", "send")];
        browser.submit(&wrong).await;
        for said in ["like 14,200", "That day has passed.", "like 8.875", "value=\"14.200\""] {
            browser.shows(422, said);
        }
        browser.submit(&fields("save")).await;
        browser.shows(200, "Saved.");
        let page = browser.path.split('?').next().unwrap().to_owned();
        let pdf = fetch(app.get(&format!("{page}/quote.pdf?data=sandbox")).header("cookie", browser.cookies())).await;
        assert_eq!((pdf.status().as_u16(), header(&pdf, "content-type")), (200, "application/pdf"));
        assert!(pdf.bytes().await.unwrap().starts_with(b"%PDF"));
        assert!(mails(&app, &server).await.is_empty(), "a draft is nobody's but the company's");
        browser.submit(&fields("send")).await;
        browser.shows(200, "The quote is on its way by email.");
        browser.shows(200, "Quote 1001");
        // A second click finds the quote that was sent.
        browser.send_again().await;
        browser.shows(200, "This quote was answered or changed meanwhile.");
        let mailed = mails(&app, &server).await;
        assert_eq!(subjects(&mailed), ["ann@example.com: Test: Your quote from Oak Roofing"]);
        let message = parse(&mailed[0]);
        assert_eq!(message.attachments().filter_map(|part| part.attachment_name()).collect::<Vec<_>>(), ["quote-1001.pdf"]);
        let path = link(&app, &mailed[0]);

        let mut homeowner = Browser::new(&app);
        for _ in 0..2 {
            homeowner.open(&path).await;
            // Prices with tax; a discount; what the company wrote, as text.
            for shown in ["Choose one", "$14,981", "$29,540", "\u{2212}$500", "&lt;b&gt;on the roof", "Shingle &lt;plus&gt;", "six weeks", "$4,494.30"] {
                homeowner.shows(200, shown);
            }
        }
        let seen = fetch(app.get(&path)).await;
        let policies = ["cache-control", "x-robots-tag", "referrer-policy"].map(|name| header(&seen, name).to_owned());
        assert_eq!(policies, ["private, no-store", "noindex", "no-referrer"]);
        assert_eq!(record(&app, &lead).await["status"], "new", "looking changes nothing");
        let pdf = fetch(app.get(&format!("{}/quote.pdf", path.split('?').next().unwrap()))).await;
        assert_eq!((pdf.status().as_u16(), header(&pdf, "content-type")), (200, "application/pdf"));
        homeowner.answer("accept", &[("name", "x")]).await;
        for said in ["Choose one of the offers.", "Type your first and last name.", "Tick this box to accept.", "Nothing was sent."] {
            homeowner.shows(422, said);
        }
        // What was typed stays.
        homeowner.answer("accept", &[("choice", "1"), ("name", "Ann M. Sample")]).await;
        homeowner.shows(422, "value=\"Ann M. Sample\"");
        homeowner.answer("accept", &SIGNED).await;
        homeowner.shows(200, "This quote is accepted");
        homeowner.shows(200, "Ann M. Sample accepted “Best” for $29,540 on this page");
        assert!(!homeowner.html.contains("name=\"answer\""), "{}", homeowner.html);
        homeowner.send_again().await;
        homeowner.shows(409, "This quote is accepted");
        let told = subjects(&mails(&app, &server).await);
        let expected = [
            "ann@example.com: Test: You accepted the quote from Oak Roofing",
            "hello@oak.example.com: Test: Ann Sample accepted quote 1001",
        ];
        assert_eq!(told, expected);
        assert_eq!(record(&app, &lead).await["status"], "won");
        browser.open(&lead_page(&lead)).await;
        browser.shows(200, "Homeowner accepted quote 1001: Best, $28,000");
        // Before tax, as the results count it.
        browser.shows(200, "value=\"28000.00\"");
        browser.open(&format!("{page}?data=sandbox")).await;
        browser.shows(200, "Accepted online, signed “Ann M. Sample”: “Best” for $29,540.");
        assert!(!browser.html.contains("Withdraw it") && !browser.html.contains("Change it"), "{}", browser.html);
        let sealed = app.texts("SELECT record || answer FROM quote").await;
        assert!(sealed.len() == 1 && !sealed[0].contains("Ann"), "{sealed:?}");
        // The next one begins with these terms.
        browser.open(&new).await;
        for shown in ["Work begins within six weeks.", "value=\"5.5\"", "value=\"30%\""] {
            browser.shows(200, shown);
        }
        // An erasure ends the link.
        let tenant = Tenant { account: app.account, environment: Environment::Sandbox };
        app.store.leads().erase(&tenant, lead.id.parse().unwrap()).await.unwrap();
        homeowner.open(&path).await;
        assert_eq!(homeowner.status, 404);
        browser.open(&format!("{page}?data=sandbox")).await;
        assert_eq!(browser.status, 404);
    }

    async fn what_was_replaced_withdrawn_declined_or_expired_says_so(f: Fixture) {
        let (app, server) = start(f).await;
        let (lead, maya) = asked(&app, &server).await;
        let mut browser = signed_in(&app, &maya).await;
        let new = format!("/portal/leads/{}/quotes/new?data=sandbox", lead.id);
        let first = sent(&mut browser, &app, &server, &new).await;
        let mut old = Browser::new(&app);
        old.open(&first).await;
        let first_id = browser.path.split("/quotes/").nth(1).unwrap().split('?').next().unwrap().to_owned();
        let second = sent(&mut browser, &app, &server, &format!("{new}&replaces={first_id}")).await;
        browser.shows(200, "Quote 1001-2");
        // The page that was open before it was replaced.
        old.answer("accept", &SIGNED).await;
        old.shows(409, "There is a newer quote");
        let newer = second.split('?').next().unwrap();
        old.shows(409, newer);
        old.open(&first).await;
        old.shows(200, "There is a newer quote");
        assert!(!old.html.contains("name=\"answer\""));

        let mut homeowner = Browser::new(&app);
        homeowner.open(&second).await;
        browser.press("Email it again").await;
        browser.shows(200, "The quote is on its way by email.");
        assert_eq!(mails(&app, &server).await.len(), 1);
        browser.press("Withdraw it").await;
        browser.shows(200, "The quote is withdrawn.");
        homeowner.answer("decline", &[("reason", "Late")]).await;
        homeowner.shows(409, "This quote was withdrawn");

        let third = sent(&mut browser, &app, &server, &new).await;
        homeowner.open(&third).await;
        let long = "x".repeat(1_001);
        homeowner.answer("decline", &[("reason", &long)]).await;
        homeowner.shows(422, "at most 1,000 characters");
        homeowner.answer("decline", &[("reason", "Too much <now>")]).await;
        homeowner.shows(200, "You declined this quote");
        let told = subjects(&mails(&app, &server).await);
        assert_eq!(told, ["hello@oak.example.com: Test: Ann Sample declined quote 1002"]);
        browser.open(&lead_page(&lead)).await;
        browser.shows(200, "Homeowner declined quote 1002. “Too much &lt;now&gt;”");
        assert_eq!(record(&app, &lead).await["status"], "new");

        let fourth = sent(&mut browser, &app, &server, &new).await;
        let page = browser.path.split('?').next().unwrap().to_owned();
        homeowner.open(&fourth).await;
        app.clock.advance(DAY * 31);
        homeowner.answer("accept", &SIGNED).await;
        homeowner.shows(409, "This quote has expired");
        // Another key, or another quote's, opens nothing.
        let (head, key) = fourth.split('?').next().unwrap().rsplit_once('/').unwrap();
        let forged = format!("{}{}", &key[..32], &third.split('?').next().unwrap().rsplit_once('/').unwrap().1[32..]);
        for token in [forged.as_str(), "x", &key[..63]] {
            homeowner.open(&format!("{head}/{token}")).await;
            assert_eq!(homeowner.status, 404, "{token}");
        }
        // On paper, a day too late.
        let mut again = signed_in(&app, &maya).await;
        again.open(&format!("{page}?data=sandbox")).await;
        again.shows(200, "Expired");
        again.press_with("Enter the acceptance", &[("choice", "0")]).await;
        again.shows(200, "The acceptance is entered, and the lead is won.");
        again.shows(200, "entered that “Better” was accepted for $14,981.");
        assert_eq!(record(&app, &lead).await["status"], "won");
        // Another company finds none of it.
        let stranger = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        let stranger = user(&app, Some(stranger), Role::Owner, "owner@elm.example.com").await;
        let mut foreign = signed_in(&app, &stranger).await;
        for path in [format!("{page}?data=sandbox"), format!("{page}/quote.pdf?data=sandbox"), new.clone()] {
            foreign.open(&path).await;
            assert_eq!(foreign.status, 404, "{path}");
        }
        for action in ["", "/withdraw", "/accept", "/again", "/delete"] {
            foreign.send_to(&format!("{page}{action}"), &[("data", "sandbox"), ("choice", "0")]).await;
            assert_eq!(foreign.status, 404, "{action}");
        }
    }
}
