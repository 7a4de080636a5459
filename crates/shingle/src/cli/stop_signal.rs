//! The signals that shut down a serving program.

use shingle_app::operator_error::OperatorError;

/// Resolves at Ctrl-C, SIGTERM, or when the terminal closes (SIGHUP).
pub fn stop_signal() -> Result<impl Future<Output = ()>, OperatorError> {
    let cannot = |e: std::io::Error| OperatorError::new(format!("Signal handlers cannot be installed: {e}"));
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate()).map_err(cannot)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(cannot)?;
        let mut hangup = signal(SignalKind::hangup()).map_err(cannot)?;
        Ok(async move {
            tokio::select! {
                _ = hangup.recv() => {}
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    {
        let _ = cannot;
        Ok(async {
            let _ = tokio::signal::ctrl_c().await;
        })
    }
}
