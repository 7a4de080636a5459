//! Async work of a command.

use shingle_app::OperatorError;
use shingle_store::{Actor, acting};

/// Runs async work, which waits for a database or a socket.
pub fn block_on<T>(work: impl Future<Output = Result<T, OperatorError>>) -> Result<T, OperatorError> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| OperatorError::new(format!("The program cannot start its threads: {e}")))?
        .block_on(acting(Actor::CommandLine, work))
}
