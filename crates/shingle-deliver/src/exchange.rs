//! One outgoing request and its response: the unit of deliveries.
//!
//! # Decision
//!
//! Once the receiver's status has arrived, the delivery has an outcome; a body that hangs or floods afterwards
//! changes nothing. Turned down: waiting for the body, which would resend accepted events.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use reqwest::Method;
use reqwest::header::HeaderMap;
use tokio::time::Instant;

use crate::egress::Egress;
use crate::error::EgressError;
use crate::policy::AddressScope;
use crate::target::Target;

/// A request to somebody else's server. Redirects are never followed.
#[derive(Debug, Clone)]
pub struct OutgoingRequest {
    pub method: Method,
    pub target: Target,
    pub headers: HeaderMap,
    pub body: Bytes,
}

/// Limits of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeLimits {
    /// For everything: name resolution, connection, TLS, request, headers, body.
    pub timeout: Duration,
    /// Bytes of the response's body that are read; the rest is not waited for.
    pub max_bytes: usize,
}

/// A response of any status.
#[derive(Debug, Clone)]
pub struct IncomingResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
    /// The body was longer than the limit, or did not arrive in time or whole.
    pub truncated: bool,
    /// The address that answered.
    pub from: Option<IpAddr>,
}

impl IncomingResponse {
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether a private network answered; what it says is not for strangers.
    pub fn is_private(&self) -> bool {
        self.from.is_none_or(|ip| AddressScope::of(ip) != AddressScope::Public)
    }

    /// The first value of the header, as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl Egress {
    /// Sends the request and reads the response. Once the status has arrived, the exchange has an outcome: a body that
    /// hangs, drips or floods after it only truncates what is kept.
    pub async fn exchange(
        &self,
        request: OutgoingRequest,
        limits: ExchangeLimits,
    ) -> Result<IncomingResponse, EgressError> {
        let OutgoingRequest { method, target, headers, body } = request;
        let deadline = Instant::now() + limits.timeout;
        let sent = async {
            self.check_literal(&target).await?;
            let sent = self.client.request(method, target.url().clone()).headers(headers).body(body).send().await;
            sent.map_err(|e| EgressError::from_reqwest(&e, target.host(), limits.timeout))
        };
        let mut response = match tokio::time::timeout_at(deadline, sent).await {
            Ok(sent) => sent?,
            Err(_) => return Err(EgressError::Timeout { host: target.host().to_owned(), after: limits.timeout }),
        };
        self.note_answer(&target);
        let mut incoming = IncomingResponse {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: Vec::new(),
            truncated: false,
            from: self.answerer(&response).await,
        };
        loop {
            match tokio::time::timeout_at(deadline, response.chunk()).await {
                Ok(Ok(Some(chunk))) => {
                    let room = limits.max_bytes - incoming.body.len();
                    incoming.body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    if chunk.len() > room {
                        incoming.truncated = true;
                        break;
                    }
                }
                Ok(Ok(None)) => break,
                Ok(Err(_)) | Err(_) => {
                    incoming.truncated = true;
                    break;
                }
            }
        }
        Ok(incoming)
    }
}
