//! `/schemas/{name}.json`: what is in an event, and what a widget's settings are, as JSON Schema.
//!
//! # Decision
//!
//! One JSON Schema, `/schemas/widget-settings.json`, describes the settings; a test holds its bounds, defaults and
//! example against the rules. Turned down: a page of prose, which nothing verifies.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::Value;

use crate::web::cache_headers::{allow_all_origins, set_etag};
use crate::web::encoding::is_cached;
use crate::web::error::{ApiError, ApiResult};

macro_rules! schemas {
    ($($kind:literal),*) => {
        [$(($kind, include_str!(concat!("../../../../assets/schemas/", $kind, ".json")))),*]
    };
}

const SCHEMAS: [(&str, &str); 6] =
    schemas!["lead.created", "lead.updated", "widget.created", "widget.updated", "ping", "widget-settings"];
const ONE_DAY: &str = "public, max-age=86400";

/// One of them, for the description of the API.
pub fn document(name: &str) -> Value {
    let found = SCHEMAS.iter().find(|(known, _)| *known == name);
    found.and_then(|(_, text)| serde_json::from_str(text).ok()).unwrap_or_default()
}

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
    use axum::body::Bytes;
    use serde_json::json;
    use shingle_domain::WidgetSettings;
    use shingle_domain::event::EventKind;
    use shingle_notice::is_time_zone;

    use super::*;
    use crate::web::json;

    #[test]
    fn every_event_that_a_webhook_gets_has_a_schema_of_its_name() {
        for kind in EventKind::PUBLIC.into_iter().chain([EventKind::Ping]) {
            let (_, text) = SCHEMAS.iter().find(|(name, _)| *name == kind.as_str()).unwrap();
            let schema: Value = serde_json::from_str(text).unwrap();
            assert_eq!(schema["properties"]["type"]["const"], kind.as_str());
        }
    }
    fn settings(sent: &Value) -> ApiResult<WidgetSettings> {
        let fields = json::object(&Bytes::from(sent.to_string()))?;
        Ok(WidgetSettings::parse(&fields, is_time_zone)?)
    }

    #[test]
    fn the_schema_of_settings_says_what_the_rules_say() {
        let schema: Value = serde_json::from_str(SCHEMAS[5].1).unwrap();
        settings(&schema["examples"][0]).unwrap();
        let properties = schema["properties"].as_object().unwrap();
        let defaults: Value = properties
            .iter()
            .map(|(name, of)| (name.clone(), of["default"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        assert_eq!(settings(&defaults).unwrap(), WidgetSettings::default());
        let shown = serde_json::to_value(WidgetSettings::default()).unwrap();
        assert!(shown.as_object().unwrap().keys().eq(properties.keys()), "{shown}");
        for bound in [
            "/monthlyPayment/aprPercent",
            "/monthlyPayment/months",
            "/rating/value",
            "/rating/count",
            "/launcher/offsetX",
        ] {
            let (outer, inner) = bound[1..].split_once('/').unwrap();
            let of = &properties[outer]["properties"][inner];
            for (edge, by) in [("minimum", -1.0), ("maximum", 1.0)] {
                let edge = of[edge].as_f64().unwrap();
                let mut sent = schema["examples"][0].clone();
                for (value, good) in [(edge, true), (edge + by, false)] {
                    *sent.pointer_mut(bound).unwrap() = json!(value);
                    assert_eq!(settings(&sent).is_ok(), good, "{bound} {value}");
                }
            }
        }
    }
}
