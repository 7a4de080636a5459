//! The headers of calendar files.

use axum::http::{HeaderName, header};

pub(crate) fn calendar_headers() -> [(HeaderName, &'static str); 3] {
    [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"inspection.ics\""),
        (header::CACHE_CONTROL, "private, no-store"),
    ]
}

/// Of a file that a calendar reads again and again: it asks each time whether there is news.
pub(crate) fn feed_headers() -> [(HeaderName, &'static str); 3] {
    [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "inline; filename=\"inspections.ics\""),
        (header::CACHE_CONTROL, "private, no-cache"),
    ]
}
