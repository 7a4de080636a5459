//! A program without the feature `otel`: nothing is traced, and a setting that asks for it is refused.

use std::sync::Arc;

use shingle_app::config::Settings;
use shingle_app::operator_error::OperatorError;
use shingle_web::telemetry::Traces;

pub(crate) fn start(settings: &Settings) -> Result<Option<Arc<dyn Traces>>, OperatorError> {
    match settings.otlp_url.as_deref() {
        None | Some("") => Ok(None),
        Some(url) => Err(OperatorError::new("This program was built without OpenTelemetry")
            .at(format!("otlp_url = {url:?}"))
            .fix("Build it with `cargo build --release -p shingle --features otel`, or leave otlp_url out.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_cannot_trace_says_so_instead_of_dropping_the_setting() {
        let asked = |url: Option<&str>| {
            start(&Settings { otlp_url: url.map(str::to_owned), ..Settings::default() }).map(|traces| traces.is_some())
        };
        assert!(!asked(None).unwrap() && !asked(Some("")).unwrap());
        let refused = asked(Some("http://127.0.0.1:4318")).unwrap_err().to_string();
        assert!(refused.contains("without OpenTelemetry") && refused.contains("--features otel"), "{refused}");
    }
}
