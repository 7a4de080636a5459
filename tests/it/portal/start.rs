//! The first ten minutes: with a site and without, a price for each material, known homes, a test lead like a real one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use shingle_domain::usage::UsagePeriod;
use shingle_domain::{Environment, Role, Tenant, Usd};
use shingle_store::LeadFilter;
use shingle_store_fixture::on_both_engines;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::browser::Browser;
use super::widgets::{Owner, PAGE, open, site};
use super::{mail, signed_in, user, with_mail};
use crate::support::form::Form;
use crate::support::town::{Row, import};
use crate::support::{TestApp, fetch, images};

const ROWS: [&str; 5] = ["companyName", "companyPhone", "companyEmail", "companyAddress", "footerPirvacyPolicyLink"];
pub const PRICES: [(&str, &str); 4] =
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
pub async fn made(app: &TestApp) -> shingle_store::StoredWidget {
    let all = app.store.widgets().list(&tenant(app, Environment::Production)).await.unwrap();
    all.into_iter().max_by_key(|stored| stored.created_at).unwrap()
}

/// The way of a company that has nothing on the web.
pub async fn without_site(browser: &mut Browser<'_>) {
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

type SiteFiles = Vec<(&'static str, &'static str, Vec<u8>)>;

/// A site of these files: path, kind, bytes.
async fn serves(files: SiteFiles) -> String {
    recorded(files).await.0
}

/// With the first line of each request.
async fn recorded(files: SiteFiles) -> (String, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let lines = asked.clone();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut head = [0; 4096];
            let read = socket.read(&mut head).await.unwrap_or_default();
            let asked = String::from_utf8_lossy(&head[..read]).into_owned();
            lines.lock().unwrap().push(asked.lines().next().unwrap_or_default().to_owned());
            let path = asked.split(' ').nth(1).unwrap_or_default();
            let found = files.iter().find(|(known, ..)| *known == path);
            let (status, kind, body) = match found {
                Some((_, kind, body)) => ("200 OK", *kind, body.as_slice()),
                None => ("404 Not Found", "text/plain", b"none".as_slice()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = socket.write_all(head.as_bytes()).await;
            let _ = socket.write_all(body).await;
            let _ = socket.shutdown().await;
        }
    });
    (format!("http://oak.loopback.example:{port}/"), asked)
}

const LOGO: &str =
    r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><path fill="#0b7a3c" d="M0 0h40v20z"/></svg>"##;

/// The attribute in which a page gives a drawing to the script, and the logo that it has without one.
fn logo_of(html: &str) -> (Option<String>, Option<String>) {
    let attribute = |start: &str| html.split(start).nth(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    (attribute("data-svg=\""), attribute("name=\"logo\" value=\"").filter(|path| !path.is_empty()))
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

    async fn an_svg_logo_is_left_to_the_browser_beside_the_next_picture(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        let page = |logo: &str| format!("<title>Oak</title>{logo}<link rel=apple-touch-icon href=/touch.png>").into_bytes();
        let svg = |bytes: Vec<u8>| ("/logo.svg", "image/svg+xml", bytes);
        let packed = {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            std::io::Write::write_all(&mut encoder, LOGO.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        let large = format!("<svg>{}</svg>", " ".repeat(5 * 1024 * 1024));
        const LINKED: &str = "<img class=logo src=/logo.svg>";
        let inline = format!("<header><a href=/>{LOGO}</a></header>");
        let in_address = "<img class=logo src='data:image/svg+xml,%3Csvg%20viewBox=%220%200%204%202%22%3E%3Cpath%20d=%22M0%200h4%22/%3E%3C/svg%3E'>";
        for (name, html, file, drawn) in [
            ("linked", LINKED, svg(LOGO.into()), true),
            ("compressed", LINKED, svg(packed), true),
            ("in the header", &inline, svg(Vec::new()), true),
            ("in its address", in_address, svg(Vec::new()), true),
            ("5 MB", LINKED, svg(large.into_bytes()), false),
            ("a page in its place", LINKED, svg(b"<!doctype html><svg/>".to_vec()), false),
            ("gone", "<img class=logo src=/other.svg>", svg(Vec::new()), false),
        ] {
            let url = serves(vec![("/", "text/html", page(html)), file, ("/touch.png", "image/png", images::png(40, 40))]).await;
            browser.open("/portal/start?step=2").await;
            browser.submit_to("/portal/start/site", &[("website", &url)]).await;
            browser.shows(200, "Is this right?");
            let (drawing, stored) = logo_of(&browser.html);
            assert_eq!(drawing.as_deref().is_some_and(|text| text.starts_with("&lt;svg")), drawn, "{name}: {drawing:?}");
            assert!(stored.is_some_and(|path| path.starts_with("logos/")), "{name}: the touch icon stays");
        }
        // Nothing but the drawing: the row says where it is from once a script has drawn it.
        let url = serves(vec![("/", "text/html", LINKED.into()), svg(LOGO.into())]).await;
        browser.open("/portal/start?step=2").await;
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        browser.shows(200, "value=\"#0b7a3c\"");
        assert_eq!(logo_of(&browser.html).1, None);
        browser.shows(200, "data-drawn=\"\" hidden");
        // An SVG that is sent as it is, as by a browser without scripts, is refused in words, and nothing is lost.
        let parts = rows(&browser.html);
        let texts = parts.iter().fold(Form::empty().set("reading", "read").set("use-logo", "on"), |form, (name, text)| form.set(name, text));
        let form = || Form { texts: texts.texts.clone(), files: Vec::new() }.set("companyPhone", "(207) 555-0143");
        let sender = Owner { app: &app, cookies: browser.cookies() };
        let (status, _, html) = sender.send("/portal/start/widget", &form().file("headerLogo", LOGO.into())).await;
        assert!(status == 422 && html.contains("must be a PNG, JPEG or WebP image"), "{status} {html}");
        assert!(html.contains(&format!("value=\"{}\"", parts[0].1)) && html.contains("(207) 555-0143"), "{html}");
        // What a browser has drawn is a logo as any.
        let (status, to, html) = sender.send("/portal/start/widget", &form().file("headerLogo", images::png(60, 20))).await;
        assert_eq!((status, to.as_str()), (303, "/portal/start?step=3"), "{html}");
        assert_eq!(made(&app).await.widget.header_logo.width, 60);
    }

    async fn a_company_without_a_site_or_a_privacy_page_goes_all_the_way(f: Fixture) {
        let (app, _server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        let stored = made(&app).await;
        let id = stored.widget.link_id();
        assert!(!stored.widget.has_site() && !stored.widget.has_privacy_policy());
        assert_eq!(stored.widget.company_address, "");
        let record = app.app.record(app.account, &stored.widget);
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
        browser.shows(200, "No addresses loaded yet: visitors can only ask you to call.");
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
        fields.extend([("included", "0"), ("included", "4"), ("included", "99"), ("prices.minimum", "free")]);
        browser.submit_to("/portal/start/prices", &fields).await;
        browser.shows(422, "Please type an amount in dollars, like 4500.");
        browser.shows(422, "value=\"free\"");
        fields.pop();
        fields.push(("prices.minimum", "$90,000"));
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

        assert_eq!(prices.minimum, Some(Usd::from_dollars(90_000)));
        browser.shows(200, "value=\"90000\"");

        // A lead's price of each material is that one; what was left blank follows asphalt. No job costs less than the minimum.
        browser.open("/portal/start?step=6").await;
        browser.submit_to("/portal/start/test-lead", &[]).await;
        let leads = app.store.leads().list(&tenant(&app, Environment::Sandbox), &LeadFilter::default(), None, 1).await.unwrap();
        let shown = leads.leads[0].estimate.as_ref().unwrap();
        let squares: Vec<String> = shown.prices.iter().map(|price| price.price_per_square.to_string()).collect();
        assert_eq!(squares[..3], ["700.00", "1250.50", "1500.00"]);
        assert_ne!(squares[3], "2200.00");
        for price in &shown.prices[..2] {
            let [cost, low] = [price.cost, price.low].map(Usd::cents);
            assert_eq!((cost, low, price.minimum), (9_000_000, 9_000_000, prices.minimum), "{price:?}");
            assert!(price.high >= price.cost);
        }
        browser.open(&format!("/portal/leads/{}?data=sandbox", leads.leads[0].id)).await;
        browser.shows(200, "Minimum for a job: $90,000.");
        let before = browser.html.split(">Drawing and print sheet<").next().unwrap();
        let sheet = before.rsplit("href=\"").next().unwrap().split('"').next().unwrap().replace("&amp;", "&");
        browser.open(&sheet).await;
        browser.shows(200, "Minimum for a job: $90,000.");

    }

    async fn a_test_lead_arrives_where_real_ones_do_and_looks_like_one(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        let prices = [&PRICES[..], &[("prices.minimum", "90000")]].concat();
        browser.submit_to("/portal/start/prices", &prices).await;
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
        for said in ["Jordan Ellis", "(207) 555-0117", "14 Alder Court", "Leaks", "evening", "$90,000", "Minimum for a job"] {
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

    async fn a_site_is_read_once_and_nothing_of_it_is_changed(f: Fixture) {
        let app = TestApp::start_with(f, open).await;
        let mut browser = owner(&app).await;
        let page = "<title>Oak</title><a href='tel:2075550143'>Call</a><img class=logo src=/logo.png><a href=/privacy>Privacy</a><form method=post action=/x></form>";
        let files = vec![("/", "text/html", page.into()), ("/logo.png", "image/png", images::png(40, 20))];
        let (url, asked) = recorded(files).await;
        browser.open("/portal/start?step=2").await;
        browser.shows(200, "We’ll read your home page once and draft a widget from it. We don’t change your site.");
        assert!(asked.lock().unwrap().is_empty(), "nothing is read before it is asked for");
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        let read = rows(&browser.html);
        send(&mut browser, &read).await;
        browser.shows(200, "Step 3 of 6");
        assert_eq!(*asked.lock().unwrap(), ["GET / HTTP/1.1", "GET /logo.png HTTP/1.1"]);
    }

    async fn a_test_lead_is_a_test_everywhere_and_costs_nothing(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.submit_to("/portal/start/prices", &PRICES).await;
        browser.open("/portal/start?step=6").await;
        browser.shows(200, "It works just like a real lead. It is marked as a test, not counted and not billed.");
        browser.shows(200, "The lead page shows whether it was delivered.");
        browser.submit_to("/portal/start/test-lead", &[]).await;
        let leads = app.store.leads().list(&tenant(&app, Environment::Sandbox), &LeadFilter::default(), None, 1).await.unwrap();
        crate::notices::mails(&app, &server).await;
        browser.open(&format!("/portal/leads/{}?data=sandbox", leads.leads[0].id)).await;
        browser.shows(200, "was delivered");
        browser.shows(200, "Test lead</span>");
        browser.open("/portal/leads").await;
        assert!(!browser.html.contains("Jordan Ellis"), "not among the real ones");
        browser.open("/portal/results").await;
        assert!(!browser.html.contains("Harrow Falls"), "not counted: {}", browser.html);
        for environment in [Environment::Production, Environment::Sandbox] {
            let month = UsagePeriod::new(None, None, app.app.clock.now()).unwrap();
            let used = app.store.usage().report(&tenant(&app, environment), month).await.unwrap();
            assert!(used.is_empty(), "not billed: {used:?}");
        }
    }

    async fn mail_that_fails_in_the_middle_of_the_run_stops_nothing(f: Fixture) {
        let (app, server) = with_mail(f).await;
        let mut browser = owner(&app).await;
        without_site(&mut browser).await;
        browser.submit_to("/portal/start/prices", &PRICES).await;
        server.refuse("office@oak.example.com", "550 5.1.1 no such mailbox");
        browser.open("/portal/start?step=6").await;
        browser.submit_to("/portal/start/test-lead", &[]).await;
        browser.shows(200, "You’re ready for leads");
        app.engine.work_off().await;
        let leads = app.store.leads().list(&tenant(&app, Environment::Sandbox), &LeadFilter::default(), None, 1).await.unwrap();
        browser.open(&format!("/portal/leads/{}?data=sandbox", leads.leads[0].id)).await;
        browser.shows(200, "was not delivered");
        // Taken up again, the run is where it was.
        browser.open("/portal/start").await;
        browser.shows(200, "You’re ready for leads");
    }

    async fn two_tabs_and_the_back_button_make_one_widget(f: Fixture) {
        let app = TestApp::start(f).await;
        let mut browser = owner(&app).await;
        let fields = [
            ("companyName", "Oak Roofing"),
            ("companyPhone", "207 555 0143"),
            ("companyEmail", "office@oak.example.com"),
        ];
        browser.open("/portal/start?step=2&site=none").await;
        let form = browser.html.clone();
        browser.submit_to("/portal/start/widget", &fields).await;
        browser.shows(200, "Step 3 of 6");
        // The other tab has the same form, and the back button brings it again with another name.
        browser.html = form.clone();
        browser.submit_to("/portal/start/widget", &fields).await;
        browser.shows(200, "Step 3 of 6");
        browser.html = form;
        let renamed = [("companyName", "Oak & Daughters"), fields[1], fields[2]];
        browser.submit_to("/portal/start/widget", &renamed).await;
        let all = app.store.widgets().list(&tenant(&app, Environment::Production)).await.unwrap();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].widget.company_name, "Oak & Daughters");
        // Each step is there again after a reload, and leads on from where it is.
        for (step, title) in [(3, "What do you charge?"), (4, "Which homes get a price?"), (5, "Your estimate page is live"), (6, "Send yourself a test lead")] {
            for _ in 0..2 {
                browser.open(&format!("/portal/start?step={step}")).await;
                browser.shows(200, title);
            }
        }
    }

    async fn a_printed_link_works_once_in_any_browser_for_half_an_hour(f: Fixture) {
        let app = TestApp::start(f).await;
        let fill = [("name", "Maya Lindqvist"), ("email", "maya@oak.example.com"), ("company", "Oak Roofing")];
        let with = |token: &str| [&fill[..], &[("token", token)]].concat().iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect::<Vec<_>>();
        let set_up = async |browser: &mut Browser<'_>, token: &str| {
            browser.open("/setup").await;
            let fields = with(token);
            let fields: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
            browser.submit(&fields).await;
        };
        let late = app.store.people().claim_link().await.unwrap();
        app.clock.advance(Duration::from_secs(30 * 60 + 1));
        let mut first = Browser::new(&app);
        set_up(&mut first, &late).await;
        first.shows(422, "This key is wrong, used or expired.");
        first.shows(422, "value=\"Oak Roofing\"");
        // A restart prints another; any browser may use it.
        let token = app.store.people().claim_link().await.unwrap();
        let mut second = Browser::new(&app);
        second.open("/setup").await;
        set_up(&mut first, &token).await;
        first.shows(200, "Welcome, Maya Lindqvist");
        let fields = with(&token);
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        second.submit(&fields).await;
        second.shows(410, "This installation is set up");
        second.shows(410, "Go to the portal");
    }

    async fn the_operator_is_shown_the_setting_that_opens_a_site_of_their_own_network(f: Fixture) {
        let app = TestApp::start_with(f, |settings| settings.egress_http = true).await;
        let url = answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await;
        let mut browser = owner(&app).await;
        browser.open("/portal/start?step=2").await;
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        browser.shows(200, "is on a private network");
        assert!(!browser.html.contains("egress_allow"), "an owner cannot set it, and learns no address: {}", browser.html);
        let operator = user(&app, Some(app.account), Role::Operator, "ops@oak.example.com").await;
        let mut browser = signed_in(&app, &operator).await;
        browser.open("/portal/start?step=2").await;
        browser.submit_to("/portal/start/site", &[("website", &url)]).await;
        browser.shows(200, "egress_allow = [&quot;127.0.0.1/32&quot;]");
        browser.open("/portal/start?step=2").await;
        browser.submit_to("/portal/start/site", &[("website", "http://169.254.169.254/")]).await;
        assert!(!browser.html.contains("egress_allow"), "never a metadata service: {}", browser.html);
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
