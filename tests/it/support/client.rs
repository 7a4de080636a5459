//! A client of HTTP alone.

use std::sync::Arc;

/// It goes where it is sent: through no proxy, and after no redirect.
pub fn plain_client() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(no_tls())
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
}

/// Of one server with a certificate of its own making.
#[allow(dead_code, reason = "the long run speaks plain HTTP alone")]
pub fn client_that_trusts(certificate: rustls::pki_types::CertificateDer<'static>) -> reqwest::Client {
    client_builder_that_trusts(certificate).build().unwrap()
}

pub fn client_builder_that_trusts(certificate: rustls::pki_types::CertificateDer<'static>) -> reqwest::ClientBuilder {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate).unwrap();
    reqwest::Client::builder().tls_backend_preconfigured(tls(roots)).no_proxy()
}

/// The client requires a TLS configuration, although the tests' servers speak plain HTTP.
fn no_tls() -> rustls::ClientConfig {
    tls(rustls::RootCertStore::empty())
}

fn tls(roots: rustls::RootCertStore) -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth()
}
