//! The one map from what went wrong to what the caller is told.

use std::error::Error;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::error::{ErrorBody, Message, Violations};
use shingle_store::{Refusal, StoreError};

/// Why a request was not answered as asked.
#[derive(Debug)]
pub enum Failure {
    /// Broken field rules, all of them: 400 with a list.
    Invalid(Violations),
    /// Cannot be done as asked: 400 with one sentence.
    Refused(String),
    /// No key, or one that opens nothing: 401.
    BadKey,
    /// A visitor's session has run out or was never given: 401. The browser asks for a new one.
    NoSession,
    /// The page may not use this widget: 403.
    Forbidden(&'static str),
    /// No such route or thing, or somebody else's: 404.
    NotFound,
    /// Too often: 429. Seconds to wait.
    TooMany { retry_after: u64 },
    /// Our fault: 500. The cause goes to the log, never to the caller.
    Internal(Box<dyn Error + Send + Sync>),
}

pub type Answer<T> = Result<T, Failure>;

/// Left on a 404 for the outermost layer, which knows the method and the path as they were sent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Missing;

/// Left on a 500 for the access log.
#[derive(Debug, Clone)]
pub(super) struct Cause(pub String);

impl Failure {
    pub fn internal(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Internal(Box::new(cause))
    }

    pub fn refused(message: impl Into<String>) -> Self {
        Self::Refused(message.into())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(Violations(list)) => body(StatusCode::BAD_REQUEST, Message::Many(list)),
            Self::Refused(message) => body(StatusCode::BAD_REQUEST, Message::One(message)),
            Self::BadKey => body(StatusCode::UNAUTHORIZED, Message::One("API key is invalid".into())),
            Self::NoSession => {
                body(StatusCode::UNAUTHORIZED, Message::One("The session has ended. Please start a new one.".into()))
            }
            Self::Forbidden(message) => body(StatusCode::FORBIDDEN, Message::One(message.into())),
            Self::NotFound => {
                let mut response = StatusCode::NOT_FOUND.into_response();
                response.extensions_mut().insert(Missing);
                response
            }
            Self::TooMany { retry_after } => {
                let text = format!("Too many requests. Please try again in {retry_after} seconds.");
                let mut response = body(StatusCode::TOO_MANY_REQUESTS, Message::One(text));
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
                response
            }
            Self::Internal(cause) => {
                let mut chain = cause.to_string();
                let mut next = cause.source();
                while let Some(inner) = next {
                    chain = format!("{chain}: {inner}");
                    next = inner.source();
                }
                let mut response = unexpected();
                response.extensions_mut().insert(Cause(chain));
                response
            }
        }
    }
}

/// The contract's error body.
pub(super) fn body(status: StatusCode, message: Message) -> Response {
    let error = status.canonical_reason().unwrap_or("Error").to_owned();
    let body = ErrorBody { message, error, status_code: status.as_u16() };
    (status, axum::Json(body)).into_response()
}

/// What a panic and every other mistake of ours looks like from outside.
pub(super) fn unexpected() -> Response {
    let text = "An unexpected error occurred. Please try again later.";
    body(StatusCode::INTERNAL_SERVER_ERROR, Message::One(text.into()))
}

impl From<Violations> for Failure {
    fn from(broken: Violations) -> Self {
        Self::Invalid(broken)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let refusal = |opening: &str| Self::Refused(format!("{opening} Please contact your administrator."));
        match error {
            StoreError::NotFound => Self::NotFound,
            StoreError::AlreadyExists => Self::refused("referenceId already exists"),
            StoreError::KeyReused => Self::refused("The Idempotency-Key was used for a different request"),
            StoreError::Nul => Self::refused("Texts must not contain control characters"),
            StoreError::Cursor => Self::refused("cursor is not one of this list"),
            StoreError::Refused(Refusal::Paused) => refusal("Account is paused due to failed payment."),
            StoreError::Refused(Refusal::ProductOff) => refusal("Product is not activated."),
            StoreError::Refused(Refusal::LimitReached) => refusal("API Monthly Limit is reached."),
            StoreError::Refused(Refusal::NoBalance) => refusal("Insufficient Account Balance to process request."),
            other => Self::internal(other),
        }
    }
}

impl From<getrandom::Error> for Failure {
    fn from(error: getrandom::Error) -> Self {
        Self::internal(error)
    }
}
