//! One span for each request.

use std::pin::Pin;
use std::sync::Arc;

use axum::http::StatusCode;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::{SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider};
use shingle_app::config::Settings;
use shingle_app::operator_error::OperatorError;
use shingle_web::telemetry::{Span, Traces};

use super::collector::Collector;

/// On the runtime that serves requests: the exporter's thread has none of its own.
pub(crate) fn start(settings: &Settings) -> Result<Option<Arc<dyn Traces>>, OperatorError> {
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
    Ok(Some(Arc::new(ToCollector { provider, tracer })))
}

struct ToCollector {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces for ToCollector {
    fn begin(&self, method: &'static str, route: Option<&str>, parent: Option<&str>) -> Arc<dyn Span> {
        let parent = match parent {
            Some(parent) => TraceContextPropagator::new().extract_with_context(&Context::new(), &Parent(parent)),
            None => Context::new(),
        };
        let mut attributes = vec![KeyValue::new("http.request.method", method)];
        let name = match route {
            Some(route) => {
                attributes.push(KeyValue::new("http.route", route.to_owned()));
                format!("{method} {route}")
            }
            None => method.to_owned(),
        };
        let span = self.tracer.span_builder(name).with_kind(SpanKind::Server).with_attributes(attributes);
        let span = span.start_with_context(&self.tracer, &parent);
        Arc::new(OfRequest(parent.with_span(span)))
    }

    fn stop(&self) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let provider = self.provider.clone();
        Box::pin(async {
            // It waits for the collector, which this runtime asks.
            match tokio::task::spawn_blocking(move || provider.shutdown()).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::warn!(%error, "the last traces could not be sent"),
                Err(error) => tracing::warn!(%error, "the last traces could not be sent"),
            }
        })
    }
}

/// `traceparent` alone: `tracestate` is text that anybody may have written.
struct Parent<'h>(&'h str);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        (key == "traceparent").then_some(self.0)
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}

struct OfRequest(Context);

impl Span for OfRequest {
    fn id(&self) -> String {
        self.0.span().span_context().trace_id().to_string()
    }

    fn note_look_up(&self, product: &'static str, level: &'static str) {
        let span = self.0.span();
        span.set_attribute(KeyValue::new("shingle.product", product));
        span.set_attribute(KeyValue::new("shingle.match_level", level));
    }

    fn end(&self, status: StatusCode, request_id: &str) {
        let span = self.0.span();
        span.set_attribute(KeyValue::new("http.response.status_code", i64::from(status.as_u16())));
        span.set_attribute(KeyValue::new("shingle.request_id", request_id.to_owned()));
        if status.is_server_error() {
            span.set_status(Status::error(""));
        }
        span.end();
    }
}
