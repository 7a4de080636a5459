//! A program without the feature `otel`: nothing is traced, and a setting that asks for it is refused.

use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;

use shingle_app::config::Settings;
use shingle_app::operator_error::OperatorError;

pub enum Telemetry {}

impl Telemetry {
    pub fn start(settings: &Settings) -> Result<Option<Self>, OperatorError> {
        match settings.otlp_url.as_deref() {
            None | Some("") => Ok(None),
            Some(url) => Err(OperatorError::new("This program was built without OpenTelemetry")
                .at(format!("otlp_url = {url:?}"))
                .fix("Build it with `cargo build --release -p shingle --features otel`, or leave otlp_url out.")),
        }
    }

    pub async fn stop(&self) {
        match *self {}
    }
}

pub struct RequestTrace;

impl RequestTrace {
    pub fn begin(_: Option<&Telemetry>, _: &Request, _: Option<&MatchedPath>, _: bool) -> Self {
        Self
    }

    pub fn id(&self) -> Option<String> {
        None
    }

    pub fn around<F: Future>(&self, request: F) -> impl Future<Output = F::Output> + use<F> {
        request
    }

    pub fn end(self, _: StatusCode, _: &str) {}
}

pub fn note_look_up(_: &'static str, _: &'static str) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_cannot_trace_says_so_instead_of_dropping_the_setting() {
        let asked = |url: Option<&str>| {
            Telemetry::start(&Settings { otlp_url: url.map(str::to_owned), ..Settings::default() }).map(|t| t.is_some())
        };
        assert!(!asked(None).unwrap() && !asked(Some("")).unwrap());
        let refused = asked(Some("http://127.0.0.1:4318")).unwrap_err().to_string();
        assert!(refused.contains("without OpenTelemetry") && refused.contains("--features otel"), "{refused}");
    }
}
