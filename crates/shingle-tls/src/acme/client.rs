//! Requests to the directory. Not the client for addresses that customers name: an operator names the directory, and it may
//! be in a private network.

use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::BodyExt as _;
use instant_acme::{BodyWrapper, BytesResponse, Error, HttpClient};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use crate::error::TlsError;

/// For one request.
const MAX_TIME: Duration = Duration::from_secs(30);

struct DirectoryClient(reqwest::Client);

/// With the roots that browsers trust, or with those of the file.
pub(super) fn client(root: Option<&Path>) -> Result<Box<dyn HttpClient>, TlsError> {
    let mut roots = RootCertStore::empty();
    match root {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            for certificate in CertificateDer::pem_file_iter(path).map_err(|e| TlsError::file(path, e.to_string()))? {
                let certificate = certificate.map_err(|e| TlsError::file(path, e.to_string()))?;
                roots.add(certificate).map_err(|e| TlsError::file(path, e.to_string()))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let failed = |e: &dyn std::fmt::Display| TlsError::certificate(e);
    let tls = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| failed(&e))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(concat!("Shingle/", env!("CARGO_PKG_VERSION")))
        .https_only(true)
        .redirect(reqwest::redirect::Policy::none())
        .timeout(MAX_TIME)
        .build()
        .map_err(|e| failed(&e))?;
    Ok(Box::new(DirectoryClient(client)))
}

impl HttpClient for DirectoryClient {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, Error>> + Send>> {
        let client = self.0.clone();
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let body = body.to_bytes();
            let sent = client.request(head.method, head.uri.to_string()).headers(head.headers).body(body);
            let response = sent.send().await.map_err(|e| Error::Other(in_words(&e).into()))?;
            let (status, headers) = (response.status(), response.headers().clone());
            let body = response.bytes().await.map_err(|e| Error::Other(in_words(&e).into()))?;
            let mut read = Response::new(());
            (*read.status_mut(), *read.headers_mut()) = (status, headers);
            Ok(BytesResponse { parts: read.into_parts().0, body: Box::new(body) })
        })
    }
}

/// The last cause: "connection refused", not "error sending request".
fn in_words(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}
