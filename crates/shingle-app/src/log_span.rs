//! The span of a request, on other threads.

use tracing::Span;

/// Work for another thread that belongs to the request of this one: its lines bear the same id.
pub fn of_this_request<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let span = Span::current();
    move || span.in_scope(work)
}
