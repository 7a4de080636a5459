//! Orders at Pebble, which looks at this machine as a real directory does.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use shingle_testing::pebble::Pebble;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::*;

const NAME: &str = "localhost";
const START: Timestamp = Timestamp::from_micros(0);

fn settings(pebble: &Pebble, folder: &Path, plain_http: bool) -> AcmeSettings {
    AcmeSettings {
        directory: pebble.directory.clone(),
        root: Some(pebble.root_file()),
        email: Some("admin@oak.example.com".to_owned()),
        domains: vec![NAME.to_owned()],
        folder: folder.to_owned(),
        plain_http,
    }
}

/// What its certificates end in.
async fn issuer(pebble: &Pebble) -> RootCertStore {
    let own = std::fs::read(pebble.root_file()).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&own).unwrap()).unwrap();
    let page = read(NAME, pebble.management, roots, "/roots/0").await.unwrap();
    let mut root = RootCertStore::empty();
    root.add(CertificateDer::from_pem_slice(page.as_bytes()).unwrap()).unwrap();
    root
}

/// One page over HTTPS, from this machine, trusting nobody but `roots`.
async fn read(name: &str, port: u16, roots: RootCertStore, path: &str) -> std::io::Result<String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let mut stream = TlsConnector::from(Arc::new(tls)).connect(name, stream).await?;
    stream.write_all(format!("GET {path} HTTP/1.0\r\nhost: {NAME}\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    // The other side may close without a word of TLS.
    let _ = stream.read_to_string(&mut answer).await;
    Ok(answer.split("\r\n\r\n").nth(1).unwrap_or_default().to_owned())
}

/// What a server does with its certificates: says "served" over TLS, and the answers over plain HTTP.
struct Server {
    certificates: Arc<Certificates>,
    http: SocketAddr,
    tls: SocketAddr,
}

impl Server {
    async fn start() -> Self {
        let certificates = Certificates::new();
        let (http, tls) = (listener().await, listener().await);
        let at = (http.local_addr().unwrap(), tls.local_addr().unwrap());
        let acceptor = TlsAcceptor::from(certificates.server_config().unwrap());
        tokio::spawn(async move {
            while let Ok((stream, _)) = tls.accept().await {
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\nserved").await;
                let _ = stream.shutdown().await;
            }
        });
        let answers = certificates.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = http.accept().await {
                let mut head = [0; 2_000];
                let read = stream.read(&mut head).await.unwrap_or_default();
                let head = String::from_utf8_lossy(&head[..read]).into_owned();
                let path = head.split(' ').nth(1).unwrap_or_default();
                let token = path.trim_start_matches("/.well-known/acme-challenge/");
                let answer = answers.answer(token).unwrap_or_default();
                let text = format!("HTTP/1.0 200 OK\r\ncontent-length: {}\r\n\r\n{answer}", answer.len());
                let _ = stream.write_all(text.as_bytes()).await;
            }
        });
        Self { certificates, http: at.0, tls: at.1 }
    }

    fn pebble(&self) -> Option<Pebble> {
        Pebble::start(self.http.port(), self.tls.port())
    }
}

async fn listener() -> TcpListener {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap()
}

fn mode(path: PathBuf) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_certificate_is_ordered_kept_renewed_and_served_by_either_proof() {
    for plain_http in [false, true] {
        let server = Server::start().await;
        let Some(pebble) = server.pebble() else { return };
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("acme");
        let acme = Acme::new(settings(&pebble, &kept, plain_http), server.certificates.clone()).unwrap();
        let root = issuer(&pebble).await;
        let served = async |roots: RootCertStore| read(NAME, server.tls.port(), roots, "/").await;
        assert!(served(root.clone()).await.is_err(), "there is no certificate yet");

        assert!(matches!(acme.renew_if_due(START).await.unwrap(), Renewal::Done { .. }));
        assert_eq!(served(root.clone()).await.unwrap(), "served");
        assert!(read("other.example.com", server.tls.port(), root.clone(), "/").await.is_err(), "it is for one name");
        assert_eq!((mode(kept.join("certificate.pem")), mode(kept.join("account.json"))), (0o600, 0o600));
        let first = server.certificates.current().unwrap();
        let account = std::fs::read_to_string(kept.join("account.json")).unwrap();

        // The next start serves it at once, and orders none.
        let restarted = Certificates::new();
        let acme = Acme::new(settings(&pebble, &kept, plain_http), restarted.clone()).unwrap();
        assert!(restarted.current().is_some());
        assert_eq!(acme.renew_if_due(START).await.unwrap(), Renewal::NotDue);
        let before = Timestamp::from_micros(first.renewal().micros() - 1);
        assert_eq!(acme.renew_if_due(before).await.unwrap(), Renewal::NotDue);

        let acme = Acme::new(settings(&pebble, &kept, plain_http), server.certificates.clone()).unwrap();
        assert!(matches!(acme.renew_if_due(first.renewal()).await.unwrap(), Renewal::Done { .. }));
        let second = server.certificates.current().unwrap();
        assert_ne!(first.key.cert[0], second.key.cert[0]);
        assert_eq!(served(root).await.unwrap(), "served");
        let now = std::fs::read_to_string(kept.join("account.json")).unwrap();
        assert_eq!(now, account, "the same account");

        // Other names need another certificate.
        let mut wider = settings(&pebble, &kept, plain_http);
        wider.domains.push("www.oak.example.com".to_owned());
        let certificates = Certificates::new();
        Acme::new(wider, certificates.clone()).unwrap();
        assert!(certificates.current().is_none());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_is_not_ours_gets_no_certificate_and_what_is_served_stays() {
    for plain_http in [false, true] {
        let (server, elsewhere) = (Server::start().await, Server::start().await);
        // It looks at a server that knows nothing of the order.
        let Some(pebble) = elsewhere.pebble() else { return };
        let folder = tempfile::tempdir().unwrap();
        let acme = Acme::new(settings(&pebble, folder.path(), plain_http), server.certificates.clone()).unwrap();
        let error = acme.renew_if_due(START).await.unwrap_err();
        let said = error.to_string();
        assert!(
            matches!(error, TlsError::NotVerified { .. }) && said.contains(NAME) && said.contains("unauthorized"),
            "{said}"
        );
        assert!(server.certificates.current().is_none() && !folder.path().join("certificate.pem").exists());
        assert_eq!(server.certificates.answer("any"), None);
    }
}

#[tokio::test]
async fn a_directory_that_is_down_changes_nothing() {
    let server = Server::start().await;
    let Some(pebble) = server.pebble() else { return };
    let folder = tempfile::tempdir().unwrap();
    let acme = Acme::new(settings(&pebble, folder.path(), false), server.certificates.clone()).unwrap();
    acme.renew_if_due(START).await.unwrap();
    let first = server.certificates.current().unwrap();
    let root = issuer(&pebble).await;
    let last = settings(&pebble, folder.path(), false);
    drop(pebble);
    let error = acme.renew_if_due(first.end()).await.unwrap_err();
    assert!(matches!(error, TlsError::Unreachable { .. } | TlsError::File { .. }), "{error}");
    assert_eq!(read(NAME, server.tls.port(), root, "/").await.unwrap(), "served");

    // A file that was cut off is as none.
    std::fs::write(folder.path().join("certificate.pem"), "-----BEGIN CERTIFICATE-----\nMIIB").unwrap();
    let certificates = Certificates::new();
    Acme::new(last, certificates.clone()).unwrap();
    assert!(certificates.current().is_none());
}
