//! The way to a bucket.
//!
//! # Decision
//!
//! The library `object_store` signs and repeats requests; they go over a client of our own, which trusts the certificates of
//! `egress_ca_file`. Turned down: the client for public addresses, because the operator names the server, which may stand
//! in the same network.

use std::sync::Arc;
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, Checksum};
use object_store::client::{HttpClient, HttpConnector};
use object_store::{BackoffConfig, ClientOptions, RetryConfig};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;

use crate::config::{Settings, no_bucket_key};
use crate::operator_error::OperatorError;

/// How long a server is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    pub connect: Duration,
    /// For the next byte of an answer, all that is sent before included.
    pub silence: Duration,
    /// From the first try to the last.
    pub tries: Duration,
    pub max_retries: usize,
}

impl Patience {
    /// Nobody waits for it.
    pub const BACKUP: Self = Self {
        connect: Duration::from_secs(10),
        silence: Duration::from_secs(180),
        tries: Duration::from_secs(180),
        max_retries: 3,
    };
    /// A visitor waits for a photograph, and no request may take fifteen seconds.
    pub const VISITOR: Self = Self {
        connect: Duration::from_secs(2),
        silence: Duration::from_secs(4),
        tries: Duration::from_secs(6),
        max_retries: 2,
    };
}

#[derive(Debug)]
struct Connector(reqwest::Client);

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        Ok(HttpClient::new(self.0.clone()))
    }
}

fn client(authorities: &[CertificateDer<'static>], patience: Patience) -> Result<reqwest::Client, OperatorError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for authority in authorities {
        roots.add(authority.clone()).map_err(OperatorError::text)?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(OperatorError::text)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"http/1.1".to_vec()];
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(concat!("Shingle/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(patience.connect)
        .read_timeout(patience.silence)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build()
        .map_err(OperatorError::text)
}

/// The bucket of this name, with the key of the settings. Nothing is asked yet.
pub(crate) fn open(settings: &Settings, name: &str, patience: Patience) -> Result<AmazonS3, OperatorError> {
    let access = settings.s3_access()?.ok_or_else(no_bucket_key)?;
    let retry = RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(200),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
        max_retries: patience.max_retries,
        retry_timeout: patience.tries,
    };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_region(&access.region)
        .with_access_key_id(access.key.reveal())
        .with_secret_access_key(access.secret.reveal())
        .with_virtual_hosted_style_request(!access.is_path_style(name))
        .with_disable_bulk_delete(true)
        .with_retry(retry)
        .with_http_connector(Connector(client(&settings.authorities()?, patience)?));
    match access.endpoint_of(name) {
        Some(endpoint) => {
            builder = builder.with_allow_http(endpoint.starts_with("http:")).with_endpoint(endpoint);
        }
        // A bucket that locks its objects takes none without a checksum. Other servers know no such header, and some
        // refuse it.
        None => builder = builder.with_checksum_algorithm(Checksum::SHA256),
    }
    builder.build().map_err(OperatorError::text)
}
