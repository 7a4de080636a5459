//! Every error of a request, and its HTTP response.

use std::error::Error;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use shingle_domain::Violations;
use shingle_domain::error::{ErrorBody, Message as ErrorMessage};
use shingle_domain::message::{Message, ToMessage};
use shingle_store::{Refusal as LookUpRefusal, StoreError};

use crate::web::proof_of_work::Challenge;
use shingle_app::failure::Failure;
use shingle_app::heavy_work::Stopped;
use shingle_app::image_failure::ImageFailure;
use shingle_app::refusal::Refusal;
use shingle_app::runtime::Runtime;
use shingle_app::webhook_record::UnreadableConfig;

/// Why a request failed.
#[derive(Debug)]
pub enum ApiError {
    /// All broken field rules: 400 with a list.
    InvalidFields(Violations),
    /// Any other bad request: 400 with one sentence.
    BadRequest(Message),
    /// No key, or an unknown or revoked one: 401.
    InvalidKey,
    /// A visitor's session has expired or never existed: 401. The browser asks for a new one.
    SessionEnded,
    /// The page may not use this widget: 403.
    Forbidden(&'static str),
    /// No such route or record, or one of another tenant: 404.
    NotFound,
    /// The lead was merged into another one, which is the one to change: 409.
    LeadMerged,
    /// Too many requests: 429, with the seconds to wait. A browser that solves the challenge may pass at once.
    RateLimited { retry_after: u64, challenge: Option<Box<Challenge>> },
    /// The database does not answer for now: 503. The cause goes to the log.
    Unavailable(Box<dyn Error + Send + Sync>),
    /// Our fault: 500. The cause goes to the log, never to the caller.
    Internal(Box<dyn Error + Send + Sync>),
}

pub type ApiResult<T> = Result<T, ApiError>;

/// Marks a 404 for the outermost layer, which writes its body: only that layer knows the original method and path.
#[derive(Debug, Clone, Copy)]
pub struct NotFoundMarker;

/// The cause of a 500, for the access log.
#[derive(Debug, Clone)]
pub(crate) struct InternalCause(pub String);

impl ApiError {
    pub fn internal(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Internal(Box::new(cause))
    }

    pub fn bad_request(message: impl ToMessage) -> Self {
        Self::BadRequest(message.to_message())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        match self {
            Self::InvalidFields(broken) => error_body(StatusCode::BAD_REQUEST, ErrorMessage::Many(broken.messages())),
            Self::BadRequest(message) => error_body(StatusCode::BAD_REQUEST, ErrorMessage::One(message.to_string())),
            Self::InvalidKey => error_body(StatusCode::UNAUTHORIZED, ErrorMessage::One("API key is invalid".into())),
            Self::SessionEnded => error_body(
                StatusCode::UNAUTHORIZED,
                ErrorMessage::One("The session has ended. Please start a new one.".into()),
            ),
            Self::Forbidden(message) => error_body(StatusCode::FORBIDDEN, ErrorMessage::One(message.into())),
            Self::NotFound => {
                let mut response = StatusCode::NOT_FOUND.into_response();
                response.extensions_mut().insert(NotFoundMarker);
                response
            }
            Self::LeadMerged => error_body(StatusCode::CONFLICT, ErrorMessage::One(StoreError::Merged.to_string())),
            Self::RateLimited { retry_after, challenge } => too_many_requests(retry_after, challenge.map(|c| *c)),
            Self::Unavailable(cause) => {
                let mut response = unavailable();
                response.extensions_mut().insert(InternalCause(chain(&*cause)));
                response
            }
            Self::Internal(cause) => {
                let mut response = internal_error();
                response.extensions_mut().insert(InternalCause(chain(&*cause)));
                response
            }
        }
    }
}

/// The error and its causes in one line.
fn chain(cause: &(dyn Error + 'static)) -> String {
    let mut chain = cause.to_string();
    let mut next = cause.source();
    while let Some(inner) = next {
        chain = format!("{chain}: {inner}");
        next = inner.source();
    }
    chain
}

/// The contract's error body.
pub(crate) fn error_body(status: StatusCode, message: ErrorMessage) -> Response {
    (status, axum::Json(contract_body(status, message))).into_response()
}

fn contract_body(status: StatusCode, message: ErrorMessage) -> ErrorBody {
    let error = status.canonical_reason().unwrap_or("Error").to_owned();
    ErrorBody { message, error, status_code: status.as_u16() }
}

/// The contract's error body, and what a browser needs to pass at once.
#[derive(Serialize)]
struct WorkWanted {
    #[serde(flatten)]
    error: ErrorBody,
    challenge: Challenge,
    /// The script that solves it, seen from the runtime's script.
    #[serde(skip_serializing_if = "Option::is_none")]
    solver: Option<String>,
}

fn too_many_requests(retry_after: u64, challenge: Option<Challenge>) -> Response {
    let status = StatusCode::TOO_MANY_REQUESTS;
    let text = format!("Too many requests. Please try again in {retry_after} seconds.");
    let error = contract_body(status, ErrorMessage::One(text));
    let solver = || Runtime::embedded().map(|runtime| format!("./{}", runtime.solver.file));
    let mut response = match challenge {
        Some(challenge) => (status, axum::Json(WorkWanted { error, challenge, solver: solver() })).into_response(),
        None => (status, axum::Json(error)).into_response(),
    };
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(retry_after));
    response
}

/// What callers see of a panic or any other fault of ours.
fn internal_error() -> Response {
    let text = "An unexpected error occurred. Please try again later.";
    error_body(StatusCode::INTERNAL_SERVER_ERROR, ErrorMessage::One(text.into()))
}

/// Seconds after which a client may ask again while the database does not answer.
const RETRY_AFTER_OUTAGE: u64 = 5;

fn unavailable() -> Response {
    let text =
        format!("The service is not available for the moment. Please try again in {RETRY_AFTER_OUTAGE} seconds.");
    let mut response = error_body(StatusCode::SERVICE_UNAVAILABLE, ErrorMessage::One(text));
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(RETRY_AFTER_OUTAGE));
    response
}

impl From<Violations> for ApiError {
    fn from(violations: Violations) -> Self {
        Self::InvalidFields(violations)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        let refusal = |reason: &str| Self::bad_request(format!("{reason} Please contact your administrator."));
        match error {
            StoreError::NotFound => Self::NotFound,
            StoreError::Merged => Self::LeadMerged,
            StoreError::AlreadyExists => Self::bad_request(Refusal::IdTaken),
            StoreError::Changed => Self::bad_request(Refusal::Changed),
            StoreError::KeyReused => Self::bad_request(Refusal::KeyReused),
            StoreError::Nul => Self::bad_request(Refusal::ControlCharacters),
            StoreError::TooMany { max } => Self::bad_request(Refusal::TooMany { max }),
            StoreError::InspectionConfirmed => Self::bad_request(Refusal::VisitConfirmed),
            StoreError::Outdated => Self::bad_request(Refusal::ReadAgain),
            StoreError::InspectionBooked => Self::bad_request(Refusal::InspectionBooked),
            StoreError::NoInspection => Self::bad_request(Refusal::NoVisit),
            StoreError::Cursor => Self::bad_request(Refusal::Cursor),
            StoreError::Refused(LookUpRefusal::Paused) => refusal("Account is paused due to failed payment."),
            StoreError::Refused(LookUpRefusal::ProductOff) => refusal("Product is not activated."),
            StoreError::Refused(LookUpRefusal::LimitReached) => refusal("API Monthly Limit is reached."),
            StoreError::Refused(LookUpRefusal::NoBalance) => {
                refusal("Insufficient Account Balance to process request.")
            }
            outage if outage.is_outage() => Self::Unavailable(Box::new(outage)),
            other => Self::internal(other),
        }
    }
}

impl From<Failure> for ApiError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Invalid(broken) => broken.into(),
            Failure::NotFound => Self::NotFound,
            Failure::SessionEnded => Self::SessionEnded,
            Failure::Store(error) => error.into(),
            Failure::Fault(cause) => Self::Internal(cause),
        }
    }
}

impl From<Stopped> for ApiError {
    fn from(stopped: Stopped) -> Self {
        Self::internal(stopped)
    }
}

impl From<ImageFailure> for ApiError {
    fn from(failure: ImageFailure) -> Self {
        match failure {
            ImageFailure::Photo(why) => Self::bad_request(Refusal::Photo { why }),
            ImageFailure::Logo { kind, why } => Self::bad_request(Refusal::Logo { field: kind.field(), why }),
            ImageFailure::Stopped(stopped) => stopped.into(),
            ImageFailure::Store(error) => error.into(),
        }
    }
}

impl From<UnreadableConfig> for ApiError {
    fn from(error: UnreadableConfig) -> Self {
        Self::internal(error)
    }
}

impl From<getrandom::Error> for ApiError {
    fn from(error: getrandom::Error) -> Self {
        Self::internal(error)
    }
}
