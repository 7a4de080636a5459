//! Receivers of webhooks whose certificate an authority of the operator's own has issued.

use std::path::PathBuf;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use reqwest::Method;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use shingle_store_fixture::on_both_engines;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::support::receiver::{Receiver, Reply};
use crate::support::{TestApp, send};

/// What a server shows, and what its operator trusts.
struct Issued {
    chain: Vec<CertificateDer<'static>>,
    key: KeyPair,
    authority: String,
}

fn authority(name: &str) -> (CertificateParams, KeyPair) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, name);
    (params, KeyPair::generate().unwrap())
}

fn of_an_authority() -> Issued {
    let (params, root_key) = authority("Harrow Falls Office");
    let root = params.self_signed(&root_key).unwrap();
    let key = KeyPair::generate().unwrap();
    let issuer = Issuer::new(params, root_key);
    let leaf = CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    Issued { chain: vec![leaf.der().clone()], key, authority: root.pem() }
}

fn of_an_authority_below_another() -> Issued {
    let (root_params, root_key) = authority("Harrow Falls Root");
    let root = root_params.self_signed(&root_key).unwrap();
    let (params, between_key) = authority("Harrow Falls Servers");
    let between = params.signed_by(&between_key, &Issuer::new(root_params, root_key)).unwrap();
    let key = KeyPair::generate().unwrap();
    let issuer = Issuer::new(params, between_key);
    let leaf = CertificateParams::new(["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    Issued { chain: vec![leaf.der().clone(), between.der().clone()], key, authority: root.pem() }
}

/// TLS before a receiver; its address.
async fn front(receiver: &Receiver, issued: &Issued) -> String {
    let key = PrivateKeyDer::try_from(issued.key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(issued.chain.clone(), key)
        .unwrap();
    let (acceptor, listener, to) =
        (TlsAcceptor::from(Arc::new(config)), TcpListener::bind("127.0.0.1:0").await.unwrap(), receiver.at);
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not accept the certificate ends it here.
                let Ok(mut client) = acceptor.accept(socket).await else { return };
                let mut server = TcpStream::connect(to).await.unwrap();
                let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
            });
        }
    });
    format!("https://localhost:{port}/hook")
}

async fn start(fixture: shingle_store_fixture::Fixture, trusted: Option<PathBuf>) -> TestApp {
    TestApp::start_with(fixture, |settings| {
        settings.egress_allow = vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()];
        settings.egress_ca_file = trusted;
    })
    .await
}

/// The only delivery of a new webhook, once it was tried.
async fn tried(app: &TestApp, url: &str) -> Value {
    let body = json!({ "name": "crm", "url": url, "events": ["lead.created"], "timeoutSeconds": 30 });
    let (status, hook) = send(app.api(Method::POST, "/api/v1/webhooks").body(body.to_string())).await;
    assert_eq!(status, 201, "{hook}");
    let path = format!("/api/v1/webhooks/{}", hook["id"].as_str().unwrap());
    assert_eq!(send(app.api(Method::POST, &format!("{path}/test"))).await.0, 202);
    app.engine.work_off().await;
    let log = send(app.api(Method::GET, &format!("{path}/deliveries"))).await.1;
    let id = log["data"][0]["id"].as_str().unwrap().to_owned();
    send(app.api(Method::GET, &format!("/api/v1/deliveries/{id}"))).await.1
}

on_both_engines! {
    async fn a_certificate_of_an_unknown_authority_is_refused_with_the_setting_that_names_it(f: Fixture) {
        let app = start(f, None).await;
        for issued in [of_an_authority(), of_an_authority_below_another()] {
            let mut receiver = Receiver::start(Reply::Status(200)).await;
            let delivery = tried(&app, &front(&receiver, &issued).await).await;
            let attempt = &delivery["attempts"][0];
            assert_eq!((&delivery["state"], &attempt["delivered"]), (&json!("pending"), &json!(false)), "{delivery}");
            assert!(attempt["cause"].as_str().unwrap().contains("egress_ca_file"), "{delivery}");
            assert!(receiver.take().is_empty(), "nothing is sent to who may be another");
        }
    }

    async fn a_certificate_of_an_authority_that_is_named_is_accepted_and_no_other(f: Fixture) {
        let issued = [of_an_authority(), of_an_authority_below_another()];
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("authorities.pem");
        std::fs::write(&file, issued.each_ref().map(|one| one.authority.as_str()).concat()).unwrap();
        let app = start(f, Some(file)).await;
        for issued in &issued {
            let mut receiver = Receiver::start(Reply::Status(200)).await;
            let delivery = tried(&app, &front(&receiver, issued).await).await;
            assert_eq!(delivery["state"], "delivered", "{delivery}");
            assert_eq!(receiver.take().len(), 1);
        }
        let receiver = Receiver::start(Reply::Status(200)).await;
        let other = tried(&app, &front(&receiver, &of_an_authority()).await).await;
        assert_eq!(other["attempts"][0]["delivered"], false, "{other}");
    }
}
