//! The first ten minutes: with a site and without, a price for each material, known homes, a test lead like a real one.

use shingle_domain::{Environment, Role, Tenant, Usd};
use shingle_store::LeadFilter;
use shingle_store_fixture::on_both_engines;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::browser::Browser;
use super::widgets::{PAGE, open, site};
use super::{mail, signed_in, user, with_mail};
use crate::support::town::{Row, import};
use crate::support::{TestApp, fetch, images};

const ROWS: [&str; 5] = ["companyName", "companyPhone", "companyEmail", "companyAddress", "footerPirvacyPolicyLink"];
const PRICES: [(&str, &str); 4] =
    [("installedPrice", "700"), ("prices.metal", "1,250.50"), ("prices.tile", "1500"), ("prices.slate", "")];

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

async fn send(browser: &mut Browser<'_>, fields: &[(&str, String)]) {
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (*name, text.as_str())).collect();
    browser.submit_to("/portal/start/widget", &fields).await;
}

fn tenant(app: &TestApp, environment: Environment) -> Tenant {
    Tenant { account: app.account, environment }
}

/// The widget that the run has made.
async fn made(app: &TestApp) -> shingle_store::StoredWidget {
    let all = app.store.widgets().list(&tenant(app, Environment::Production)).await.unwrap();
    all.into_iter().max_by_key(|stored| stored.created_at).unwrap()
}

/// The way of a company that has nothing on the web.
async fn without_site(browser: &mut Browser<'_>) {
    browser.open("/portal/start?step=2&site=none").await;
    browser.shows(200, "Homeowners see this on your page.");
    browser
        .submit_to(
            "/portal/start/widget",
            &[
                ("companyName", "Oak Roofing"),
                ("companyPhone", "207 555 0143"),
                ("companyEmail", "office@oak.example.com"),
            ],
        )
        .await;
    browser.shows(200, "Step 3 of 6");
}

/// A site of one answer.
async fn answers(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let _ = socket.read(&mut head).await;
            let _ = socket.write_all(answer.as_bytes()).await;
            let _ = socket.shutdown().await;
        }
    });
    format!("http://oak.loopback.example:{port}/")
}

on_both_engines! {
    async fn a_widget_is_made_of_the_rows_that_are_checked(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let at = site(PAGE, images::png(40, 20)).await;
        let mut browser = owner(&app).await;
        browser.open("/portal/start?step=5").await;
        browser.shows(200, "Step 2 of 6");
        assert!(!browser.html.contains("class=\"rail\""), "no menu");
        browser.submit_to("/portal/start/site", &[("website", "")]).await;
        browser.shows(422, "Please type the address of your website");
        let url = format!("http://{at}/");
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        browser.shows(200, "Is this right?");
        browser.shows(200, "From oak.loopback.example");
        let read = rows(&browser.html);
        assert_eq!(read[1].1, "(207) 555-0143", "{read:?}");
        assert_eq!(read[3].1, "5 Mill St, Portland, ME 04101", "{read:?}");
        let logo = browser.html.split("name=\"logo\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        assert!(logo.starts_with("logos/"), "{logo}");

        // What is refused comes back with everything else, the logo too.
        let mut bad = read.clone();
        bad[1].1 = "12".to_owned();
        bad.extend([("use-logo", "on".to_owned()), ("use-primaryColor", "on".to_owned())]);
        send(&mut browser, &bad).await;
        browser.shows(422, "Please type a US phone number");
        browser.shows(422, &format!("src=\"/storage/{logo}\""));
        browser.shows(422, "value=\"5 Mill St, Portland, ME 04101\"");

        // Address and privacy page are not checked: they are left out, and nothing is refused for it.
        let mut some = read.clone();
        some.extend([("use-logo", "on".to_owned()), ("use-primaryColor", "on".to_owned())]);
        send(&mut browser, &some).await;
        browser.shows(200, "Step 3 of 6");
        let widget = made(&app).await.widget;
        assert_eq!(widget.header_logo.path, logo);
        assert_eq!((widget.company_address.as_str(), widget.has_site()), ("", true));
        assert!(!widget.has_privacy_policy());

        // Back: the same widget, now with them and without the logo.
        browser.open("/portal/start?step=2").await;
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        let mut others = read.clone();
        others.extend(["use-companyAddress", "use-footerPirvacyPolicyLink"].map(|name| (name, "on".to_owned())));
        send(&mut browser, &others).await;
        browser.shows(200, "Step 3 of 6");
        let changed = made(&app).await.widget;
        assert_eq!(changed.reference_id, widget.reference_id, "no second one");
        assert_eq!(changed.company_address, "5 Mill St, Portland, ME 04101");
        assert_eq!(changed.footer_pirvacy_policy_link.as_str(), format!("{url}privacy"));
        assert_ne!(changed.header_logo.path, logo);
        assert_ne!(changed.primary_color, widget.primary_color);
    }

    async fn a_company_without_a_site_or_a_privacy_page_goes_all_the_way(f: Fixture) {
        let (app, _server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        let stored = made(&app).await;
        let id = stored.widget.link_id();
        assert!(!stored.widget.has_site() && !stored.widget.has_privacy_policy());
        assert_eq!(stored.widget.company_address, "");
        let record = app.app.record(&stored.widget);
        let page = format!("{}/w/{id}", app.app.base_url);
        assert_eq!(record.company_url.as_str(), page);
        assert_eq!(record.footer_pirvacy_policy_link.as_str(), format!("{page}/privacy"));

        // Visitors find no trace of what is not there.
        let visitor = fetch(app.request(reqwest::Method::GET, &format!("/w/{id}"))).await.text().await.unwrap();
        assert!(visitor.contains(&format!("{page}/privacy")) && !visitor.contains("hosted-page.invalid"), "{visitor}");
        let gone = fetch(app.request(reqwest::Method::GET, &format!("/go/{id}"))).await;
        assert_eq!(gone.headers()["location"].to_str().unwrap(), page);

        browser.open("/portal/start").await;
        browser.shows(200, "What do you charge?");
        browser.submit_to("/portal/start/prices", &PRICES).await;
        browser.shows(200, "No addresses loaded yet");
        browser.shows(200, "14 Alder Court, Harrow Falls, ME 04995");
        browser.open("/portal/start?step=5").await;
        browser.shows(200, "Your estimate page is live");
        browser.shows(200, &page);
        assert!(!browser.html.contains("Put it on your site") && !browser.html.contains("hosted-page.invalid"));
        browser.open("/portal/start?step=6").await;
        browser.shows(200, "Harrow Falls, our demo town");
        browser.submit_to("/portal/start/test-lead", &[]).await;
        browser.shows(200, "You’re ready for leads");
        // Taken up again where it was left.
        browser.open("/portal/start").await;
        browser.shows(200, "You’re ready for leads");
        // The designer shows the fields empty, and saves them so.
        browser.open(&format!("/portal/widgets/{}", stored.widget.reference_id)).await;
        browser.shows(200, "Leave blank if you have none.");
        assert!(!browser.html.contains("hosted-page.invalid"));
    }

    async fn each_material_has_a_price_of_its_own(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.shows(200, "Suggested");
        let mut wrong = PRICES;
        wrong[1].1 = "cheap";
        browser.submit_to("/portal/start/prices", &wrong).await;
        browser.shows(422, "aria-invalid");
        browser.shows(422, "value=\"cheap\"");
        browser.shows(422, "value=\"1500\"");
        wrong[1].1 = "1300";
        wrong[0].1 = "";
        browser.submit_to("/portal/start/prices", &wrong).await;
        browser.shows(422, "Please type a price in dollars, like 650.");
        assert_eq!(made(&app).await.widget.installed_price, None, "nothing of it is saved");

        let mut fields = PRICES.to_vec();
        fields.extend([("included", "0"), ("included", "4"), ("included", "99")]);
        browser.submit_to("/portal/start/prices", &fields).await;
        browser.shows(200, "Step 4 of 6");
        let stored = made(&app).await;
        assert_eq!(stored.widget.installed_price, Some(Usd::from_dollars(700)));
        let prices = stored.settings.prices;
        assert_eq!((prices.metal, prices.tile, prices.slate), (Some(Usd::from_cents(125_050)), Some(Usd::from_dollars(1500)), None));
        assert_eq!(stored.settings.price_includes, ["Tear-off, one layer", "Permit"]);
        assert_eq!(stored.settings.price_excludes.len(), 4);
        assert_eq!(stored.settings.texts.es.price_includes, ["Retiro de una capa", "Permiso"]);
        browser.open("/portal/start?step=3").await;
        browser.shows(200, "value=\"1250.50\"");
        browser.shows(200, "Your price");
        assert!(!browser.html.contains("Suggested"), "{}", browser.html);

        // A lead's price of each material is that one; what was left blank follows asphalt.
        browser.open("/portal/start?step=6").await;
        browser.submit_to("/portal/start/test-lead", &[]).await;
        let leads = app.store.leads().list(&tenant(&app, Environment::Sandbox), &LeadFilter::default(), None, 1).await.unwrap();
        let shown = leads.leads[0].estimate.as_ref().unwrap();
        let squares: Vec<String> = shown.prices.iter().map(|price| price.price_per_square.to_string()).collect();
        assert_eq!(squares[..3], ["700.00", "1250.50", "1500.00"]);
        assert_ne!(squares[3], "2200.00");
    }

    async fn a_test_lead_arrives_where_real_ones_do_and_looks_like_one(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.submit_to("/portal/start/prices", &PRICES).await;
        browser.open("/portal/start?step=6").await;
        browser.shows(200, "An email goes to office@oak.example.com");
        browser.submit_to("/portal/start/test-lead", &[]).await;
        browser.shows(200, "You’re ready for leads");
        let count = async |environment| {
            app.store.leads().list(&tenant(&app, environment), &LeadFilter::default(), None, 10).await.unwrap().leads
        };
        let leads = count(Environment::Sandbox).await;
        assert_eq!((leads.len(), count(Environment::Production).await.len()), (1, 0));
        let widgets = app.store.widgets().list(&tenant(&app, Environment::Sandbox)).await.unwrap();
        assert!(widgets.iter().all(|stored| stored.widget.company_name != "Oak Roofing" || stored.widget.has_site()), "no hidden copy");
        let lead = &leads[0];
        assert_eq!(lead.address, "14 Alder Court, Harrow Falls, ME 04995");
        assert_eq!(lead.phone.as_ref().unwrap().as_str(), "(207) 555-0117");
        assert!(lead.estimate.is_some() && lead.consent.given);
        assert_eq!(lead.inspection.as_ref().unwrap().wishes.len(), 2);
        assert!(app.store.leads().drawing(&tenant(&app, Environment::Sandbox), lead.id).await.unwrap().is_some());
        let mails = crate::notices::mails(&app, &server).await;
        let all = mails.iter().map(crate::notices::text).collect::<String>();
        for said in ["Jordan Ellis", "(207) 555-0117", "14 Alder Court", "Leaks", "evening"] {
            assert!(all.contains(said), "{said}: {all}");
        }
        browser.open(&format!("/portal/leads/{}?data=sandbox", lead.id)).await;
        for said in ["Jordan Ellis", "Leaks", "Please ring the side door.", "Call", "Text", "May call and text"] {
            browser.shows(200, said);
        }
        // Each is mailed, so there is a limit.
        for _ in 0..6 {
            browser.send_to("/portal/start/test-lead", &[]).await;
        }
        browser.shows(429, "Too many tries");
    }

    async fn known_homes_are_counted_offered_and_asked_for(f: Fixture) {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().to_owned();
        let app = TestApp::start_with(f, |settings| settings.data = data).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.submit_to("/portal/start/prices", &PRICES).await;
        browser.shows(200, "No addresses loaded yet");
        // Without mail nobody can be asked from here, so the page says whom to ask.
        browser.shows(200, "to load the homes of your area");
        import(&[Row { zip: "43000", code: "R", ..Row::default() }; 9], &app.app.settings.property());
        browser.open("/portal/start?step=4").await;
        browser.shows(200, "9 homes in 1 town.");
        browser.shows(200, "2 Tanner Street, Harrow, OH 43000");
        assert!(!browser.html.contains("Harrow Falls"), "{}", browser.html);
        let link = browser.html.split("/measure?").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
        let id = made(&app).await.widget.link_id();
        browser.open(&format!("/w/{id}/measure?{link}")).await;
        browser.shows(200, "2 Tanner Street");
        browser.open("/portal/start?step=6").await;
        browser.submit_to("/portal/start/test-lead", &[]).await;
        let leads = app.store.leads().list(&tenant(&app, Environment::Sandbox), &LeadFilter::default(), None, 1).await.unwrap();
        assert_eq!(leads.leads[0].address, "2 Tanner Street, Harrow, OH 43000");
        assert!(leads.leads[0].estimate.is_some());
    }

    async fn an_owner_asks_the_operator_for_homes_by_one_button(f: Fixture) {
        let (app, server) = with_mail(f).await;
        user(&app, None, Role::Operator, "ops@server.example.com").await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.submit_to("/portal/start/prices", &PRICES).await;
        browser.submit_to("/portal/start/ask", &[]).await;
        browser.shows(200, "The administrator has an email from you.");
        let mail = mail(&server).await;
        for said in ["at Oak Roofing would like you to load the homes", "Maya Lindqvist", "owner@oak.example.com", "/portal/operator/imports"] {
            assert!(mail.contains(said), "{said}: {mail}");
        }
    }

    async fn each_cause_of_a_failed_read_has_its_own_message(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        let blocked = answers("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let busy = answers("HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let private = answers("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let down = answers("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let gone = answers("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let picture = answers("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc").await;
        for (url, said) in [
            (blocked.as_str(), "answered 403. It blocks automated visits."),
            (&busy, "answered 429. It blocks automated visits."),
            (&private, "answered 401, so there was no page to read."),
            (&down, "answered 503, so there was no page to read."),
            (&gone, "answered 404, so there was no page to read."),
            (&picture, "is not a web page."),
            ("http://oak.invalid/", "There is no site at oak.invalid."),
        ] {
            browser.open("/portal/start?step=2").await;
            browser.submit_to("/portal/start/site", &[("website", url)]).await;
            browser.shows(200, "We couldn’t read your site");
            browser.shows(200, said);
        }
        // What was typed goes on without it.
        let mut fields = rows(&browser.html);
        fields[1].1 = "(207) 555-0143".to_owned();
        send(&mut browser, &fields).await;
        browser.shows(200, "Step 3 of 6");
    }

    async fn the_privacy_page_says_what_this_server_does(f: Fixture) {
        let (app, _server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        let stored = made(&app).await;
        let path = format!("/w/{}/privacy", stored.widget.link_id());
        browser.open(&path).await;
        for said in ["Oak Roofing", "(207) 555-0143", "office@oak.example.com", "until someone there erases it", "It isn’t sent to any other system."] {
            browser.shows(200, said);
        }
        app.store.accounts().set_retention(app.account, Some(365)).await.unwrap();
        browser.open(&path).await;
        browser.shows(200, "Oak Roofing keeps it for 365 days");
        browser.open(&format!("{path}?lang=es")).await;
        browser.shows(200, "Privacidad");
        let mut settings = stored.settings.clone();
        settings.texts.en.privacy = Some("We keep <b>nothing</b>.\nAsk us.\n\nReally.".to_owned());
        app.store.widgets().set_settings(&stored.tenant, stored.widget.reference_id, &settings).await.unwrap();
        browser.open(&path).await;
        browser.shows(200, "We keep &lt;b&gt;nothing&lt;/b&gt;.<br>Ask us.");
        assert!(!browser.html.contains("365 days"), "the owner's own words alone");
        browser.open(&format!("{path}?lang=es")).await;
        browser.shows(200, "durante 365 días");
    }
}
