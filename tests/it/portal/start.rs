//! The first ten minutes: a site is read, rows are ticked, a widget is made, a test lead comes in.

use shingle_domain::{Environment, Role};
use shingle_store::LeadFilter;
use shingle_store_fixture::on_both_engines;

use super::browser::Browser;
use super::widgets::{PAGE, open, site};
use super::{signed_in, user, with_mail};
use crate::support::{TestApp, images};

const ROWS: [&str; 5] = ["companyName", "companyPhone", "companyEmail", "companyAddress", "footerPirvacyPolicyLink"];

async fn owner(app: &TestApp) -> Browser<'_> {
    let owner = user(app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
    signed_in(app, &owner).await
}

/// The fields of the rows, as the page has them.
fn rows(html: &str) -> Vec<(&'static str, String)> {
    let value = |name: &str| {
        let tag = html.split(&format!("id=\"{name}\"")).nth(1).unwrap().split('>').next().unwrap();
        tag.split("value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    ROWS.into_iter().chain(["primaryColor"]).map(|name| (name, value(name))).collect()
}

on_both_engines! {
    async fn a_widget_is_made_of_the_rows_that_are_ticked(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let at = site(PAGE, images::png(40, 20)).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/start?step=5").await;
        browser.shows(200, "Step 2 of 5");
        browser.submit_to("/portal/start/site", &[("company", ""), ("website", &at)]).await;
        browser.shows(422, "name, 100 characters at most");
        browser.submit_to("/portal/start/site", &[("company", "Oak <i>Roofing"), ("phone", "12"), ("website", &at)]).await;
        browser.shows(422, "Please type a telephone number");
        assert!(browser.html.contains("Oak &lt;i&gt;Roofing"), "what was typed stays");
        let url = format!("http://{at}/");
        browser.submit_to("/portal/start/site", &[("company", "Oak <i>Roofing"), ("website", &url)]).await;
        browser.shows(200, "What was read");
        browser.shows(200, "Read on oak.loopback.example");
        let read = rows(&browser.html);
        assert_eq!(read[1].1, "(207) 555-0143", "{read:?}");
        assert_eq!(read[3].1, "5 Mill St, Portland, ME 04101", "{read:?}");
        // The address is refused: the field is empty then, and says so.
        let sent = |ticked: &[&'static str]| {
            let mut fields: Vec<(&str, String)> = ticked.iter().map(|name| ("use", (*name).to_owned())).collect();
            fields.extend(read.clone());
            fields
        };
        let mut some = sent(&["companyPhone", "primaryColor", "logo", "footerPirvacyPolicyLink"]);
        let refs: Vec<(&str, &str)> = some.iter().map(|(name, text)| (*name, text.as_str())).collect();
        browser.submit_to("/portal/start/widget", &refs).await;
        browser.shows(422, "Please type your company’s address.");
        some.push(("use", "companyAddress".to_owned()));
        let refs: Vec<(&str, &str)> = some.iter().map(|(name, text)| (*name, text.as_str())).collect();
        browser.submit_to("/portal/start/widget", &refs).await;
        browser.shows(200, "Step 3 of 5");
        let tenant = shingle_domain::Tenant { account: app.account, environment: Environment::Production };
        let made = app.store.widgets().list(&tenant).await.unwrap().remove(0).widget;
        assert_eq!(made.company_name.as_str(), "Oak <i>Roofing", "the row was not ticked, the account's name was");
        assert_eq!(made.company_email.as_str(), "owner@oak.example.com");
        browser.open("/portal/start?step=4").await;
        browser.shows(200, "Check my site");
        // Taken up again where it was left.
        browser.open("/portal/start").await;
        browser.shows(200, "Step 3 of 5");
    }

    async fn a_test_lead_arrives_where_real_ones_do(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/start").await;
        let site = [("company", "Oak Roofing"), ("phone", "207 555 0143"), ("website", "oak.invalid")];
        browser.submit_to("/portal/start/site", &site).await;
        browser.shows(200, "Your website could not be read");
        let mut fields = rows(&browser.html);
        fields[3].1 = "5 Mill St, Portland, ME 04101".to_owned();
        fields[4].1 = "oak.invalid/privacy".to_owned();
        fields.extend(ROWS.map(|name| ("use", name.to_owned())));
        let refs: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (*name, text.as_str())).collect();
        browser.submit_to("/portal/start/widget", &refs).await;
        browser.shows(200, "Step 3 of 5");
        browser.open("/portal/start?step=5").await;
        browser.shows(200, "A mail about it goes to owner@oak.example.com");
        for _ in 0..2 {
            browser.submit_to("/portal/start/test-lead", &[]).await;
            browser.shows(200, "It has arrived");
        }
        let tenant = |environment| shingle_domain::Tenant { account: app.account, environment };
        let leads = async |environment| {
            app.store.leads().list(&tenant(environment), &LeadFilter::default(), None, 10).await.unwrap().leads.len()
        };
        assert_eq!((leads(Environment::Sandbox).await, leads(Environment::Production).await), (2, 0));
        let mails = crate::notices::mails(&app, &server).await;
        assert!(!mails.is_empty());
        browser.open("/portal/leads?data=sandbox").await;
        browser.shows(200, "Test Lead");
        // Each is mailed, so there is a limit.
        for _ in 0..4 {
            browser.send_to("/portal/start/test-lead", &[]).await;
        }
        browser.shows(429, "Too many tries");
    }
}
