//! Traces of requests for a collector of OpenTelemetry, in programs that are built with the feature `otel`. What is in them
//! comes from short lists of ours: the route as the router has it, method, status, request id, product and match level. No
//! line of the log gets into a trace, because lines may say more.
//!
//! # Decision
//!
//! Traces (feature `otel`) are built by hand, not from log spans, with seven attributes from fixed lists. Only a
//! trusted proxy names a request's trace, and `tracestate` is ignored: it is free text. Turned down:
//! tracing-opentelemetry, which forwards every line's content; the exporter's own client, a second reqwest.

#[cfg(not(feature = "otel"))]
mod absent;
#[cfg(feature = "otel")]
mod collector;
#[cfg(feature = "otel")]
mod otlp;

#[cfg(not(feature = "otel"))]
pub use absent::{RequestTrace, Telemetry, note_look_up};
#[cfg(feature = "otel")]
pub use otlp::{RequestTrace, Telemetry, note_look_up};
