//! The headers of a calendar file.

use axum::http::{HeaderName, header};

pub(crate) fn calendar_headers() -> [(HeaderName, &'static str); 3] {
    [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"inspection.ics\""),
        (header::CACHE_CONTROL, "private, no-store"),
    ]
}
