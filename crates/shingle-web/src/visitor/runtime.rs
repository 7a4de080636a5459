//! `/runtime/…`: the browser runtime, under hashed names that never change their content.

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::web::cache_headers::{allow_all_origins, set_encoding, set_etag};
use crate::web::encoding::{Encoding, is_cached};
use crate::web::error::{ApiError, ApiResult};
use shingle_app::runtime::Runtime;

pub async fn show(Path(file): Path<String>, headers: HeaderMap) -> ApiResult<Response> {
    let file = Runtime::embedded().and_then(|runtime| runtime.find(&file)).ok_or(ApiError::NotFound)?;
    // The name holds a hash of the content.
    let etag = format!("\"{}\"", file.stem());
    let cached = is_cached(&headers, &etag);
    let encoding = if cached { Encoding::Plain } else { Encoding::accepted(&headers) };
    let mut response = match encoding {
        _ if cached => StatusCode::NOT_MODIFIED.into_response(),
        Encoding::Plain => file.plain().map_err(ApiError::internal)?.into_response(),
        Encoding::Gzip => file.gzip.into_response(),
        Encoding::Brotli => file.brotli.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(file.content_type()));
    set_etag(headers, &etag);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    allow_all_origins(headers);
    set_encoding(headers, encoding);
    Ok(response)
}
