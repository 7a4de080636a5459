//! HTTPS of the program itself, with a certificate that an ACME directory gave after it had looked at us.

use std::sync::Arc;
use std::time::Duration;

use reqwest::{Client, Method};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use shingle::listen::{self, ConnectionLimits};
use shingle_app::config::Settings;
use shingle_app::https::Https;
use shingle_app::own_domains::OwnDomains;
use shingle_domain::AccountId;
use shingle_store::{Clock, DomainFault, OwnDomain};
use shingle_store_fixture::on_both_engines;
use shingle_testing::pebble::Pebble;
use shingle_web::{Site, plain_router};
use tokio::net::TcpListener;

use crate::support::client::{client_builder_that_trusts, client_that_trusts, plain_client};
use crate::support::{TestApp, fetch, header};

async fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

/// What Pebble signs with.
async fn issuer(pebble: &Pebble) -> CertificateDer<'static> {
    let own = CertificateDer::from_pem_file(pebble.root_file()).unwrap();
    let page = fetch(client_that_trusts(own).get(format!("https://localhost:{}/roots/0", pebble.management))).await;
    CertificateDer::from_pem_slice(&page.bytes().await.unwrap()).unwrap()
}

/// The first answer: the certificate comes a moment after the server has begun.
async fn answered(client: &Client, url: &str) -> reqwest::Response {
    loop {
        if let Ok(response) = client.get(url).send().await {
            return response;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// A name that leads here.
fn lacks_certificate(account: AccountId, host: &str) -> OwnDomain {
    let fault = Some(DomainFault::Certificate);
    OwnDomain { account, host: host.to_owned(), works_since: None, checked_at: None, fault }
}

on_both_engines! {
    async fn a_new_server_gets_its_certificate_and_leads_plain_http_to_it(f: Fixture) {
        let app = TestApp::start(f).await;
        for is_plain_open in [true, false] {
            let ((tls, tls_port), (plain, plain_port)) = (listener().await, listener().await);
            let closed = if is_plain_open { plain_port } else { shingle_testing::pebble::free_port() };
            let Some(pebble) = Pebble::start(closed, tls_port) else { return };
            let data = tempfile::tempdir().unwrap();
            let settings = Settings {
                acme_domains: vec!["localhost".to_owned()],
                acme_directory: Some(pebble.directory.clone()),
                acme_root: Some(pebble.root_file()),
                data: data.path().to_owned(),
                http_listen: is_plain_open.then(|| plain.local_addr().unwrap()),
                ..Settings::default()
            };
            let base = settings.base_url(tls.local_addr().unwrap());
            assert_eq!(base, format!("https://localhost:{tls_port}"));
            let https = Https::of(&settings).unwrap().unwrap();
            assert!(https.check(app.clock.now()).unwrap_err().to_string().contains("no certificate yet"));
            let (acceptor, certificates) = (https.acceptor().unwrap(), https.certificates.clone());
            let limits = ConnectionLimits::of(&settings, 4_096);
            let domains = Arc::new(OwnDomains::new(&base));
            domains.replace(&[lacks_certificate(app.account, "leads.agency.example")]);
            let clock: Arc<dyn Clock> = app.clock.clone();
            let tasks = [
                tokio::spawn(listen::serve(tls, Some(acceptor), Site::new(app.app.clone()), limits.clone(), std::future::pending())),
                tokio::spawn(listen::serve(plain, None, plain_router(certificates, domains.clone()).into(), limits, std::future::pending())),
                tokio::spawn(https.keep(clock, domains.clone())),
            ];
            let client = client_that_trusts(issuer(&pebble).await);
            let response = answered(&client, &format!("{base}/healthz")).await;
            assert_eq!((response.status().as_u16(), header(&response, "strict-transport-security")), (200, "max-age=31536000"));
            let kept = Https::of(&settings).unwrap().unwrap();
            assert!(kept.check(app.clock.now()).unwrap().to_string().contains("valid until"), "it is kept");

            let plainly = |method: Method, path: &str| {
                let client = plain_client().build().unwrap();
                client.request(method, format!("http://127.0.0.1:{plain_port}{path}")).header("host", "evil.example.com")
            };
            let led = fetch(plainly(Method::GET, "/w/x?via=qr")).await;
            assert_eq!((led.status().as_u16(), header(&led, "location")), (308, format!("{base}/w/x?via=qr").as_str()));
            assert_eq!(fetch(plainly(Method::GET, "/.well-known/acme-challenge/x")).await.status(), 404, "nothing is asked");
            assert_eq!(fetch(plainly(Method::POST, "/api/v1/leads")).await.status(), 403, "a redirect would hide the mistake");
            // A company's own domain has a certificate of its own, chosen by the name that the browser says.
            let own = format!("https://leads.agency.example:{tls_port}");
            let here = (std::net::Ipv4Addr::LOCALHOST, tls_port).into();
            let client = client_builder_that_trusts(issuer(&pebble).await).resolve("leads.agency.example", here).build().unwrap();
            assert_eq!(answered(&client, &format!("{own}/healthz")).await.status(), 200);
            assert_eq!(answered(&client, &format!("{base}/healthz")).await.status(), 200, "both are served");
            assert!(data.path().join("acme/hosts/leads.agency.example.pem").is_file());
            let led = fetch(plain_client().build().unwrap().get(format!("http://127.0.0.1:{plain_port}/portal"))
                .header("host", "Leads.Agency.example")).await;
            assert_eq!(header(&led, "location"), format!("{own}/portal"));
            for task in tasks {
                task.abort();
            }
        }
    }
}
