//! A company's own domain: what is shown there, which links use it, and what else they do not.

use reqwest::Method;
use shingle_app::domain_checks;
use shingle_domain::{HexColor, Role};
use shingle_store::{Brand, SessionOrigin, SignInWay};
use shingle_store_fixture::on_both_engines;
use shingle_testing::smtp::SmtpServer;

use super::{mail, signed_in, user, word};
use crate::support::{SITE, TestApp, WIDGET, fetch, form, header, send};

const HOST: &str = "leads.loopback.example";

async fn start(fixture: shingle_store_fixture::Fixture) -> (TestApp, std::sync::Arc<SmtpServer>) {
    let server = std::sync::Arc::new(SmtpServer::start());
    let port = server.port();
    let app = TestApp::start_with(fixture, |settings| {
        settings.smtp_url = Some(format!("smtp://127.0.0.1:{port}").as_str().into());
        settings.mail_from = Some("Shingle <leads@shingle.example>".to_owned());
        settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap()];
        settings.egress_http = true;
    })
    .await;
    (app, server)
}

/// The address of the own domain on this machine.
fn own(app: &TestApp) -> String {
    app.base.replace("127.0.0.1", HOST)
}

fn host(app: &TestApp) -> String {
    own(app).trim_start_matches("http://").to_owned()
}

async fn page(app: &TestApp, path: &str, asked: &str) -> String {
    let response = fetch(app.get(path).header("host", asked)).await;
    assert_eq!(response.status(), 200, "{path}");
    response.text().await.unwrap()
}

on_both_engines! {
    async fn an_operator_gives_a_company_its_own_domain_and_links_use_it_while_it_works(f: Fixture) {
        let (app, server) = start(f).await;
        let operator = user(&app, None, Role::Operator, "root@shingle.example").await;
        let mut browser = signed_in(&app, &operator).await;
        let account = format!("/portal/operator/accounts/{}", app.account);
        browser.open(&account).await;
        browser.shows(200, "Own domain");
        for (typed, says) in [
            ("agency", "Please type a host name"),
            ("https://leads.agency.example/portal", "without a port or path"),
            ("leads.agency.example:8080", "without a port or path"),
            ("192.0.2.7", "Please type a host name"),
            ("*.agency.example", "Please type a host name"),
        ] {
            browser.submit_to(&format!("{account}/domain"), &[("domain", typed)]).await;
            browser.shows(422, says);
            browser.open(&account).await;
        }
        // Links wait until the name leads here.
        browser.submit_to(&format!("{account}/domain"), &[("domain", "nowhere.invalid")]).await;
        browser.shows(200, "The DNS has no nowhere.invalid yet.");
        assert_eq!(&*app.app.own_domains.base_of(app.account), app.base);
        let (_, widget) = send(app.request(Method::POST, "/api/v1/roof-estimate-widget")
            .header("token", &app.production.token).multipart(form::widget().build())).await;
        assert_eq!(widget["hostedPageLink"], format!("{}/w/{WIDGET}", app.base), "{widget}");

        browser.submit_to(&format!("{account}/domain"), &[("domain", &format!(" HTTPS://{}/ ", HOST.to_uppercase()))]).await;
        browser.shows(200, &format!("emails use {HOST}."));
        let read = async || {
            let path = format!("/api/v1/roof-estimate-widget/{WIDGET}");
            send(app.get(&path).header("token", &app.production.token)).await.1
        };
        let record = read().await;
        assert_eq!(record["hostedPageLink"], format!("{}/w/{WIDGET}", own(&app)));
        assert_eq!(record["widgetLink"], format!("{}/go/{WIDGET}", own(&app)));
        assert_eq!(record["widgetScript"], widget["widgetScript"], "the script on sites does not depend on somebody's DNS");

        // Another company gets neither the name nor its pages.
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        browser.open(&format!("/portal/operator/accounts/{other}")).await;
        browser.submit_to(&format!("/portal/operator/accounts/{other}/domain"), &[("domain", HOST)]).await;
        browser.shows(422, "Another company has this name.");
        assert_eq!(&*app.app.own_domains.base_of(other), app.base);

        // Mails to its people.
        let owner = user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let asked = app.request(Method::POST, "/portal/sign-in").header("host", host(&app)).header("origin", own(&app));
        let sent = fetch(asked.header("content-type", "application/x-www-form-urlencoded").body("email=owner@oak.example.com")).await;
        assert_eq!((sent.status().as_u16(), header(&sent, "location")), (303, "/portal/sign-in/code"));
        assert!(word(&mail(&server).await, "http").starts_with(&format!("{}/portal/sign-in/link", own(&app))), "where the cookie is");
        let mut owners = signed_in(&app, &owner).await;
        owners.open("/portal/settings/brand").await;
        owners.shows(200, &format!("emails use {HOST}."));

        // A closed company's name shows nothing of it.
        app.store.accounts().close(app.account).await.unwrap();
        domain_checks::refresh(&app.app).await.unwrap();
        assert_eq!(app.app.own_domains.account_of(HOST), None);
        assert!(app.store.accounts().reopen(app.account).await.unwrap());
        domain_checks::check_due(&app.app).await.unwrap();
        assert_eq!(&*app.app.own_domains.base_of(app.account), own(&app));

        // Taken away, everything is as before.
        browser.open(&account).await;
        browser.submit_to(&format!("{account}/domain"), &[("domain", "")]).await;
        browser.shows(200, "The company has no own domain any more.");
        assert_eq!(read().await, widget);
        let log = app.texts("SELECT what FROM audit_entry WHERE what LIKE 'domain.%' ORDER BY id").await;
        assert_eq!(log, ["domain.set", "domain.set", "domain.removed"]);
    }

    async fn a_name_that_stops_working_is_found_and_links_go_back(f: Fixture) {
        let (app, _) = start(f).await;
        let accounts = app.store.accounts();
        accounts.set_own_domain(app.account, Some(HOST)).await.unwrap();
        domain_checks::check_due(&app.app).await.unwrap();
        let found = accounts.own_domain(app.account).await.unwrap().unwrap();
        assert!(found.works_since.is_some() && found.fault.is_none());
        // As if its DNS record were gone.
        accounts.note_domain_check(HOST, Some(shingle_store::DomainFault::NoName)).await.unwrap();
        domain_checks::refresh(&app.app).await.unwrap();
        assert_eq!(&*app.app.own_domains.base_of(app.account), app.base);
        // It is looked at again, and works again.
        app.clock.advance(std::time::Duration::from_secs(61));
        domain_checks::check_due(&app.app).await.unwrap();
        assert_eq!(&*app.app.own_domains.base_of(app.account), own(&app));
        let again = accounts.own_domain(app.account).await.unwrap().unwrap();
        assert!(again.works_since > found.works_since);
    }

    async fn people_who_are_not_signed_in_see_the_companys_name_at_its_door_alone(f: Fixture) {
        let (app, _) = start(f).await;
        app.store.accounts().set_own_domain(app.account, Some(HOST)).await.unwrap();
        domain_checks::check(&app.app, app.account).await.unwrap();
        let brand = Brand { name: "Ridge Digital".to_owned(), color: HexColor::parse("#2b5ba6"), logo: None };
        app.store.accounts().set_brand(app.account, &brand).await.unwrap();
        for path in ["/portal/sign-in", "/portal/sign-in/recovery", "/portal/offline"] {
            let (at_door, at_ours) = (page(&app, path, &host(&app)).await, page(&app, path, app.base.trim_start_matches("http://")).await);
            assert!(at_ours.contains("Shingle") && !at_ours.contains("Ridge Digital"), "{path}");
            if path != "/portal/offline" {
                assert!(at_door.contains("Ridge Digital") && !at_door.contains("Shingle"), "{path}: {at_door}");
                assert!(at_door.contains("/portal/brand.css?v=2b5ba6"), "{path}");
            }
        }
        let style = fetch(app.get("/portal/brand.css?v=2b5ba6")).await;
        assert_eq!(style.status(), 200, "before anybody is signed in");
        // A link that has ended has the name as well.
        let ended = fetch(app.get("/portal/invite?token=x").header("host", host(&app)).header("accept", "text/html")).await;
        let text = ended.text().await.unwrap();
        assert!(text.contains("Ridge Digital") && !text.contains("Shingle"), "{text}");
        // A name that nobody has is ours.
        let stranger = page(&app, "/portal/sign-in", "evil.loopback.example").await;
        assert!(!stranger.contains("Ridge Digital") && stranger.contains("Shingle"));
    }

    async fn a_domain_is_for_its_own_people_and_a_session_is_good_at_one_name_alone(f: Fixture) {
        let (app, server) = start(f).await;
        let account = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        app.store.accounts().set_own_domain(app.account, Some(HOST)).await.unwrap();
        domain_checks::check(&app.app, app.account).await.unwrap();
        user(&app, Some(app.account), Role::Owner, "owner@oak.example.com").await;
        let other = user(&app, Some(account), Role::Owner, "owner@elm.example.com").await;
        let operator = user(&app, None, Role::Operator, "root@shingle.example").await;
        // Whoever asks there in the name of others gets them no link to a name that may lead elsewhere tomorrow.
        for (email, base) in [("owner@oak.example.com", own(&app)), ("owner@elm.example.com", app.base.clone()), ("root@shingle.example", app.base.clone())] {
            let asked = app.request(Method::POST, "/portal/sign-in").header("host", host(&app)).header("origin", own(&app));
            let sent = fetch(asked.header("content-type", "application/x-www-form-urlencoded").body(format!("email={email}"))).await;
            assert_eq!(sent.status(), 303, "the answer tells nobody who is known");
            assert!(word(&mail(&server).await, "http").starts_with(&format!("{base}/portal/sign-in/link")), "{email}");
        }
        let session = async |id, domain: &str| {
            let origin = SessionOrigin { way: SignInWay::MailedCode, user_agent: "", network: "127.0.0.1", domain };
            format!("shingle-local={}", app.store.people().begin_session(id, origin).await.unwrap())
        };
        let status = async |cookie: &str, asked: &str| {
            let request = app.get("/portal/settings").header("host", asked.to_owned()).header("cookie", cookie.to_owned());
            fetch(request.header("accept", "text/html")).await.status().as_u16()
        };
        let (here, ours) = (host(&app), app.base.trim_start_matches("http://").to_owned());
        let at_ours = session(other.id, "").await;
        assert_eq!((status(&at_ours, &ours).await, status(&at_ours, &here).await), (200, 303), "it is unknown at the domain");
        let at_door = session(other.id, HOST).await;
        assert_eq!((status(&at_door, &here).await, status(&at_door, &ours).await), (403, 303), "and no other company is let in");
        assert_eq!(status(&session(operator.id, HOST).await, &here).await, 403);
        let owner = app.store.people().find_user_by_email(&shingle_domain::Email::parse("owner@oak.example.com").unwrap()).await.unwrap().unwrap();
        let own_session = session(owner.id, HOST).await;
        assert_eq!((status(&own_session, &here).await, status(&own_session, &ours).await), (200, 303));
        app.store.accounts().set_own_domain(app.account, None).await.unwrap();
        domain_checks::refresh(&app.app).await.unwrap();
        assert_eq!(status(&own_session, &here).await, 303, "with the domain its sessions end");
    }

    async fn a_proxy_that_does_not_pass_the_name_on_is_named(f: Fixture) {
        let (app, _) = start(f).await;
        // Under this name it answers, and was asked by another.
        app.store.accounts().set_own_domain(app.account, Some(HOST)).await.unwrap();
        let asked = fetch(app.get(&format!("/healthz?prove={}", "0".repeat(32))).header("host", host(&app))).await;
        assert!(asked.text().await.unwrap().contains(&format!(r#""host":"{HOST}""#)));
        let asked = fetch(app.get(&format!("/healthz?prove={}", "0".repeat(32)))).await;
        assert!(asked.text().await.unwrap().contains(r#""host":"127.0.0.1""#), "as a proxy would ask");
        for (domain, status) in [(HOST, 200), ("Leads.Loopback.example", 200), ("evil.loopback.example", 404), ("", 404)] {
            domain_checks::refresh(&app.app).await.unwrap();
            assert_eq!(fetch(app.get(&format!("/healthz/domain?domain={domain}"))).await.status(), status, "{domain}");
        }
    }

    async fn forms_and_widgets_of_a_domain_reach_its_own_company_alone(f: Fixture) {
        let (app, _) = start(f).await;
        app.store.accounts().set_own_domain(app.account, Some(HOST)).await.unwrap();
        domain_checks::check(&app.app, app.account).await.unwrap();
        let form_from = async |asked: String, origin: String| {
            let request = app.request(Method::POST, "/portal/sign-in").header("host", asked).header("origin", origin);
            fetch(request.header("content-type", "application/x-www-form-urlencoded").body("email=x")).await.status().as_u16()
        };
        let ours = app.base.trim_start_matches("http://").to_owned();
        assert_eq!(form_from(host(&app), own(&app)).await, 422, "it is read");
        assert_eq!(form_from(ours.clone(), own(&app)).await, 403, "its DNS may lead elsewhere tomorrow");
        assert_eq!(form_from(ours, "http://evil.loopback.example".to_owned()).await, 403);
        assert_eq!(form_from("evil.loopback.example".to_owned(), "http://evil.loopback.example".to_owned()).await, 403);

        // The hosted page at the name asks the server's own address.
        app.widget().await;
        let hosted = fetch(app.get(&format!("/w/{WIDGET}")).header("host", host(&app))).await;
        assert!(header(&hosted, "content-security-policy").contains(&format!("connect-src 'self' {};", app.base)));
        let session = async |origin: &str| {
            fetch(app.request(Method::POST, &format!("/w/{WIDGET}/session")).header("origin", origin)).await
        };
        let allowed = session(&own(&app)).await;
        assert_eq!((allowed.status().as_u16(), header(&allowed, "access-control-allow-origin")), (200, own(&app).as_str()));
        assert_eq!(session(SITE).await.status(), 200);
        assert_eq!(session(&format!("http://{HOST}")).await.status(), 403, "another port is another page");
        let other = app.store.accounts().create("Elm Roofing").await.unwrap().id;
        app.store.accounts().set_own_domain(other, Some("elm.loopback.example")).await.unwrap();
        domain_checks::check(&app.app, other).await.unwrap();
        let theirs = app.base.replace("127.0.0.1", "elm.loopback.example");
        assert_eq!(&*app.app.own_domains.base_of(other), theirs);
        assert_eq!(session(&theirs).await.status(), 403, "a page of another company");
    }
}
