//! One span for each request.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, StatusCode};
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{FutureExt as _, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};

use crate::telemetry::collector::Collector;
use crate::web::method_name::method_name;
use shingle_app::config::Settings;
use shingle_app::operator_error::OperatorError;

pub struct Telemetry {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Telemetry {
    /// On the runtime that serves requests: the exporter's thread has none of its own.
    pub fn start(settings: &Settings) -> Result<Option<Self>, OperatorError> {
        let Some(base) = settings.otlp_url.as_deref().filter(|url| !url.is_empty()) else { return Ok(None) };
        let refused = |error: &dyn std::fmt::Display| {
            OperatorError::new(format!("Traces cannot be sent: {error}"))
                .at(format!("otlp_url = {base:?}"))
                .fix("Write the collector's address like http://127.0.0.1:4318.")
        };
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector::new().map_err(|e| refused(&e))?)
            .with_endpoint(format!("{}/v1/traces", base.trim_end_matches('/')))
            .with_protocol(Protocol::HttpBinary)
            .build()
            .map_err(|e| refused(&e))?;
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let resource = Resource::builder().with_service_name("shingle").with_attribute(version).build();
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build();
        let tracer = provider.tracer("shingle");
        Ok(Some(Self { provider, tracer }))
    }

    /// Sends what waits.
    pub async fn stop(&self) {
        let provider = self.provider.clone();
        // It waits for the collector, which this runtime asks.
        match tokio::task::spawn_blocking(move || provider.shutdown()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!(%error, "the last traces could not be sent"),
            Err(error) => tracing::warn!(%error, "the last traces could not be sent"),
        }
    }
}

/// The span of a request, from its head to its answer.
pub struct RequestTrace(Option<Context>);

/// `traceparent` alone: `tracestate` is text that anybody may have written.
struct Parent<'h>(&'h HeaderMap);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let mut values = self.0.get_all("traceparent").iter();
        match (key, values.next(), values.next()) {
            ("traceparent", Some(one), None) => one.to_str().ok(),
            _ => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}

impl RequestTrace {
    /// A caller that is trusted may say which trace the request belongs to. Anybody else could fill another's trace.
    pub fn begin(
        telemetry: Option<&Telemetry>,
        request: &Request,
        route: Option<&MatchedPath>,
        is_trusted: bool,
    ) -> Self {
        let Some(Telemetry { tracer, .. }) = telemetry else { return Self(None) };
        let parent = match is_trusted {
            true => TraceContextPropagator::new().extract_with_context(&Context::new(), &Parent(request.headers())),
            false => Context::new(),
        };
        let method = method_name(request.method());
        let mut attributes = vec![KeyValue::new("http.request.method", method)];
        let name = match route {
            Some(route) => {
                attributes.push(KeyValue::new("http.route", route.as_str().to_owned()));
                format!("{method} {}", route.as_str())
            }
            None => method.to_owned(),
        };
        let span = tracer.span_builder(name).with_kind(SpanKind::Server).with_attributes(attributes);
        let span = span.start_with_context(tracer, &parent);
        Self(Some(parent.with_span(span)))
    }

    /// Of the trace, for the log.
    pub fn id(&self) -> Option<String> {
        self.0.as_ref().map(|context| context.span().span_context().trace_id().to_string())
    }

    pub fn around<F: Future>(&self, request: F) -> impl Future<Output = F::Output> + use<F> {
        let context = self.0.clone();
        async move {
            match context {
                Some(context) => request.with_context(context).await,
                None => request.await,
            }
        }
    }

    pub fn end(self, status: StatusCode, request_id: &str) {
        let Some(context) = self.0 else { return };
        let span = context.span();
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
        span.set_attribute(KeyValue::new("shingle.request_id", request_id.to_owned()));
        if status.is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}

/// What was looked up, and how the address was matched, beside the request of this task.
pub fn note_look_up(product: &'static str, level: &'static str) {
    let context = Context::current();
    let span = context.span();
    span.set_attribute(KeyValue::new("shingle.product", product));
    span.set_attribute(KeyValue::new("shingle.match_level", level));
}
