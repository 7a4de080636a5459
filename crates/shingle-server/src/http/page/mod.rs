//! `/w/{id}/…` for browsers without scripts: a page a step, plain forms, no cookie. A step's answer depends on
//! its address alone; only the contact form is posted, and what it leads to is another address.

mod contact;
mod estimate;
mod guest;
mod measure;
mod origin;

pub(super) use contact::{send, show as contact};
pub(super) use estimate::{choose as choose_material, show as estimate, thanks};
pub(super) use measure::show as measure;

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_widget::ssr::page::{PageError, error_page};

use super::error::{Answer, Failure, Missing};
use super::hosted::{self, PAGE};
use guest::Guest;

/// What a step comes to.
enum Turn {
    Page(StatusCode, String),
    /// On to another step.
    To(String),
}

impl Turn {
    fn page(html: String) -> Self {
        Self::Page(StatusCode::OK, html)
    }

    /// The form again, with what is wrong in it.
    fn wrong(html: String) -> Self {
        Self::Page(StatusCode::UNPROCESSABLE_ENTITY, html)
    }
}

impl Guest {
    /// `again`: where what failed may be tried once more.
    fn answer(&self, turn: Answer<Turn>, again: Option<&str>) -> Response {
        let mut response = match turn {
            Ok(Turn::Page(status, html)) => (status, html).into_response(),
            Ok(Turn::To(href)) => (StatusCode::SEE_OTHER, [(header::LOCATION, href)]).into_response(),
            Err(failure) => self.trouble(failure, again),
        };
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(PAGE));
        // Not compressed either: a page may hold a token beside what somebody typed.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        hosted::guarded(response, &self.policy)
    }

    /// The failure's status and its line in the log, in words for a person.
    fn trouble(&self, failure: Failure, again: Option<&str>) -> Response {
        let html = error_page(&self.step(), &in_words(&failure), again);
        let mut response = failure.into_response();
        response.extensions_mut().remove::<Missing>();
        response.headers_mut().remove(header::CONTENT_LENGTH);
        *response.body_mut() = Body::from(html);
        response
    }
}

fn in_words(failure: &Failure) -> PageError {
    match failure {
        Failure::TooMany { retry_after } => PageError::TooMany(*retry_after),
        Failure::Invalid(_) | Failure::Refused(_) => PageError::Refused,
        Failure::Forbidden(_) => PageError::Foreign,
        Failure::NotFound | Failure::NoSession | Failure::BadKey => PageError::Over,
        Failure::Internal(_) => PageError::Broken,
    }
}
