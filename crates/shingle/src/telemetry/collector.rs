//! Requests to the collector, by the same client of HTTP as all others. The exporter works on a thread of its own without a
//! runtime, so they are made on the server's.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use tokio::runtime::Handle;

/// The exporter gives a batch up after as long.
const MAX_TIME: Duration = Duration::from_secs(10);
/// Of its answer, which says what it refused.
const MAX_ANSWER: usize = 64 * 1024;

#[derive(Debug, Clone)]
pub(super) struct Collector {
    client: reqwest::Client,
    runtime: Handle,
    /// The last batch did not arrive, and the log says so.
    is_failing: Arc<AtomicBool>,
}

impl Collector {
    pub fn new() -> Result<Self, HttpError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        let tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .timeout(MAX_TIME)
            .build()?;
        Ok(Self { client, runtime: Handle::try_current()?, is_failing: Arc::default() })
    }

    async fn send(client: reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let mut answer = client.execute(request.try_into()?).await?;
        let mut whole = Response::builder().status(answer.status());
        if let Some(headers) = whole.headers_mut() {
            *headers = std::mem::take(answer.headers_mut());
        }
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            body.extend_from_slice(&part[..part.len().min(MAX_ANSWER - body.len())]);
            if body.len() == MAX_ANSWER {
                break;
            }
        }
        Ok(whole.body(body.into())?)
    }

    /// Once for each time that it goes wrong: a collector that is away must not fill the log.
    fn tell(&self, failure: Option<String>) {
        let was_failing = self.is_failing.swap(failure.is_some(), Ordering::Relaxed);
        match failure {
            Some(failure) if !was_failing => tracing::warn!(failure, "traces do not reach the collector and are lost"),
            None if was_failing => tracing::info!("traces reach the collector again"),
            _ => {}
        }
    }
}

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let answer = self.runtime.spawn(Self::send(self.client.clone(), request)).await?;
        self.tell(match &answer {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("status {}", answer.status())),
            Err(error) => Some(error.to_string()),
        });
        answer
    }
}
