//! A client of HTTP alone.

use std::sync::Arc;

/// It goes where it is sent: through no proxy, and after no redirect.
pub fn plain_client() -> reqwest::ClientBuilder {
    reqwest::Client::builder()
        .tls_backend_preconfigured(no_tls())
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
}

/// The client requires a TLS configuration, although the tests' servers speak plain HTTP.
fn no_tls() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}
