//! Traces of requests, where the program brings something that takes them. What is in them comes from short lists of ours:
//! the route as the router has it, method, status, request id, product and match level. No line of the log gets into a
//! trace, because lines may say more.

use std::pin::Pin;
use std::sync::Arc;

use axum::extract::Request;
use axum::http::StatusCode;

use crate::web::method_name::method_name;

/// Takes a span for each request.
pub trait Traces: Send + Sync {
    /// `parent` is the `traceparent` of a caller that is trusted.
    fn begin(&self, method: &'static str, route: Option<&str>, parent: Option<&str>) -> Arc<dyn Span>;

    /// Sends what waits.
    fn stop(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// From the head of a request to its answer.
pub trait Span: Send + Sync {
    /// Of its trace, for the log.
    fn id(&self) -> String;

    fn note_look_up(&self, product: &'static str, level: &'static str);

    fn end(&self, status: StatusCode, request_id: &str);
}

tokio::task_local! {
    static CURRENT: Arc<dyn Span>;
}

/// The span of a request, if requests are traced.
pub(crate) struct RequestTrace(Option<Arc<dyn Span>>);

impl RequestTrace {
    /// A caller that is trusted may say which trace the request belongs to. Anybody else could fill another's trace.
    pub fn begin(traces: Option<&dyn Traces>, request: &Request, route: Option<&str>, is_trusted: bool) -> Self {
        Self(traces.map(|traces| {
            let mut parents = request.headers().get_all("traceparent").iter();
            let parent = match (parents.next(), parents.next()) {
                (Some(one), None) if is_trusted => one.to_str().ok(),
                _ => None,
            };
            traces.begin(method_name(request.method()), route, parent)
        }))
    }

    pub fn id(&self) -> Option<String> {
        self.0.as_ref().map(|span| span.id())
    }

    pub fn around<F: Future>(&self, request: F) -> impl Future<Output = F::Output> + use<F> {
        let span = self.0.clone();
        async move {
            match span {
                Some(span) => CURRENT.scope(span, request).await,
                None => request.await,
            }
        }
    }

    pub fn end(self, status: StatusCode, request_id: &str) {
        if let Some(span) = self.0 {
            span.end(status, request_id);
        }
    }
}

/// What was looked up, and how the address was matched, beside the request of this task.
pub(crate) fn note_look_up(product: &'static str, level: &'static str) {
    // Without a span nothing is traced.
    let _ = CURRENT.try_with(|span| span.note_look_up(product, level));
}
