//! The response to a step: a page, or a redirect to another step.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_widget::ssr::page::{PageError, error_page as render_error_page};

use crate::visitor::no_script::no_script_request::NoScriptRequest;
use crate::web::error::{ApiError, ApiResult, NotFoundMarker};
use crate::web::page_headers::{HTML, with_security_headers};

pub(crate) enum PageResponse {
    Page(StatusCode, String),
    /// To the URL of another step.
    Redirect(String),
}

impl PageResponse {
    pub fn page(html: String) -> Self {
        Self::Page(StatusCode::OK, html)
    }

    /// The form again, with its errors.
    pub fn invalid(html: String) -> Self {
        Self::Page(StatusCode::UNPROCESSABLE_ENTITY, html)
    }
}

/// `retry`: the URL that may be tried once more after an error.
pub(crate) fn respond(request: &NoScriptRequest, result: ApiResult<PageResponse>, retry: Option<&str>) -> Response {
    let mut response = match result {
        Ok(PageResponse::Page(status, html)) => (status, html).into_response(),
        Ok(PageResponse::Redirect(href)) => (StatusCode::SEE_OTHER, [(header::LOCATION, href)]).into_response(),
        Err(error) => error_page(request, error, retry),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(HTML));
    // Not compressed either: a page may hold a token beside what somebody typed.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    with_security_headers(response, &request.policy)
}

/// Keeps the status and the log line of the error, and explains it to a person.
fn error_page(request: &NoScriptRequest, error: ApiError, retry: Option<&str>) -> Response {
    let html = render_error_page(&request.step(), &page_error(&error), retry);
    let mut response = error.into_response();
    response.extensions_mut().remove::<NotFoundMarker>();
    response.headers_mut().remove(header::CONTENT_LENGTH);
    *response.body_mut() = Body::from(html);
    response
}

pub(crate) fn page_error(error: &ApiError) -> PageError {
    match error {
        ApiError::RateLimited { retry_after, .. } => PageError::TooMany(*retry_after),
        ApiError::InvalidFields(_) | ApiError::BadRequest(_) | ApiError::LeadMerged => PageError::Refused,
        ApiError::Forbidden(_) => PageError::Foreign,
        ApiError::NotFound | ApiError::SessionEnded | ApiError::InvalidKey => PageError::Over,
        ApiError::Internal(_) | ApiError::Unavailable(_) => PageError::Broken,
    }
}
