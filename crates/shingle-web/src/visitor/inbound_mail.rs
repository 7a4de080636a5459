//! `POST /inbound/mail/{key}`: a mail provider, or the operator's own mail server, hands over an email that homeowners sent to
//! the address for answers. The key in the path is the right to do so.
//!
//! # Decision
//!
//! What is refused for good is answered like a wrong key, so nobody learns which addresses are known. Emails that cannot be
//! stored now are a 503: providers try again.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest as _, Multipart, Path, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_app::answers::{MAX_MESSAGE_BYTES, Received, Receiver};

use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Bytes of a request. In forms and JSON an email is longer than it is.
pub const MAX_BODY_BYTES: usize = 36_000_000;
/// Where providers put the email as it came: SendGrid, Mailgun, Postmark, and what others call it.
const RAW: [&str; 5] = ["email", "body-mime", "RawEmail", "message", "raw"];
/// Where they put whom it is for.
const TO: [&str; 4] = ["recipient", "to", "envelope", "OriginalRecipient"];
const MAX_TO_BYTES: usize = 4_000;

#[derive(Default)]
struct Posted {
    raw: Vec<u8>,
    to: String,
}

pub async fn receive(
    State(web): State<Arc<Web>>,
    Path(key): Path<String>,
    request: Request<Body>,
) -> ApiResult<Response> {
    if !web.tokens.is_inbound(&key) {
        return Err(ApiError::NotFound);
    }
    let address = web.settings.answers().ok().flatten().ok_or(ApiError::NotFound)?;
    let posted = Posted::read(request).await?;
    let own = web.settings.own_sender();
    let receiver = Receiver {
        store: &web.store,
        tokens: &web.tokens,
        address: &address,
        own: own.as_ref(),
        mails: web.mail.is_some(),
    };
    let received = receiver.receive(&posted.raw, &posted.to).await?;
    // Without addresses: the log names nobody.
    tracing::info!(?received, bytes = posted.raw.len(), "an email came in");
    match received {
        Received::Stored | Received::Known | Received::Nothing | Received::TooMany => {
            Ok(StatusCode::NO_CONTENT.into_response())
        }
        Received::Unknown | Received::Unreadable => Err(ApiError::NotFound),
    }
}

impl Posted {
    async fn read(request: Request<Body>) -> ApiResult<Self> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let mut posted = Self::default();
        if kind == "multipart/form-data" {
            let unread = |_| ApiError::bad_request("The form cannot be read");
            let mut form = Multipart::from_request(request, &()).await.map_err(|_| ApiError::NotFound)?;
            while let Some(field) = form.next_field().await.map_err(unread)? {
                let name = field.name().unwrap_or_default().to_owned();
                let bytes = field.bytes().await.map_err(unread)?;
                posted.put(&name, &bytes);
            }
            return Ok(posted);
        }
        let body = to_bytes(request.into_body(), MAX_BODY_BYTES).await;
        let body = body.map_err(|_| ApiError::bad_request("The email is too large"))?;
        match kind.as_str() {
            "application/x-www-form-urlencoded" => {
                for (name, value) in url::form_urlencoded::parse(&body) {
                    posted.put(&name, value.as_bytes());
                }
            }
            "application/json" => {
                let read = serde_json::from_slice::<serde_json::Value>(&body);
                let read = read.map_err(|_| ApiError::bad_request("The JSON cannot be read"))?;
                for name in RAW.iter().chain(&TO) {
                    posted.put(name, read.get(name).and_then(serde_json::Value::as_str).unwrap_or_default().as_bytes());
                }
            }
            // `message/rfc822`, and servers that do not say.
            _ => posted.raw = body.to_vec(),
        }
        posted.raw.truncate(MAX_MESSAGE_BYTES);
        Ok(posted)
    }

    fn put(&mut self, name: &str, bytes: &[u8]) {
        if RAW.contains(&name) && self.raw.is_empty() {
            self.raw = bytes.to_vec();
        } else if TO.contains(&name) && self.to.len() + bytes.len() < MAX_TO_BYTES {
            self.to.push_str(&String::from_utf8_lossy(bytes));
            self.to.push(' ');
        }
    }
}
