//! Where the spans of requests go: to a collector of OpenTelemetry, in programs that are built with the feature `otel`.
//!
//! # Decision
//!
//! Traces are built by hand, not from log spans, with seven attributes from fixed lists. Only a trusted proxy names a
//! request's trace, and `tracestate` is ignored: it is free text. Turned down: tracing-opentelemetry, which forwards
//! every line's content; the exporter's own client, a second reqwest. The routes know only a trait, so that the feature
//! changes this crate alone.

#[cfg(not(feature = "otel"))]
mod absent;
#[cfg(feature = "otel")]
mod collector;
#[cfg(feature = "otel")]
mod otlp;

#[cfg(not(feature = "otel"))]
pub(crate) use absent::start;
#[cfg(feature = "otel")]
pub(crate) use otlp::start;
