//! `/schemas/{event}.json`: what is in an event, as JSON Schema.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::cache_headers::{allow_all_origins, set_etag};
use super::encoding::is_cached;
use super::error::{ApiError, ApiResult};

macro_rules! schemas {
    ($($kind:literal),*) => {
        [$(($kind, include_str!(concat!("../../../../assets/schemas/", $kind, ".json")))),*]
    };
}

const SCHEMAS: [(&str, &str); 5] = schemas!["lead.created", "lead.updated", "widget.created", "widget.updated", "ping"];
const ONE_DAY: &str = "public, max-age=86400";

pub async fn show(Path(file): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let kind = file.strip_suffix(".json").ok_or(ApiError::NotFound)?;
    let (_, text) = SCHEMAS.iter().find(|(name, _)| *name == kind).ok_or(ApiError::NotFound)?;
    let etag = format!("\"{}\"", &blake3::hash(text.as_bytes()).to_hex()[..16]);
    let cached = is_cached(&headers, &etag);
    let mut response = if cached { StatusCode::NOT_MODIFIED.into_response() } else { text.into_response() };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/schema+json"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(ONE_DAY));
    set_etag(headers, &etag);
    allow_all_origins(headers);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use shingle_domain::event::EventKind;

    use super::*;

    #[test]
    fn every_event_that_a_webhook_gets_has_a_schema_of_its_name() {
        for kind in EventKind::PUBLIC.into_iter().chain([EventKind::Ping]) {
            let (_, text) = SCHEMAS.iter().find(|(name, _)| *name == kind.as_str()).unwrap();
            let schema: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["properties"]["type"]["const"], kind.as_str());
        }
    }
}
