//! What ends a backup that is under way.

use std::sync::Arc;

use tokio::sync::watch;

/// For threads, which ask, and for tasks, which wait. Clones are one.
#[derive(Debug, Clone)]
pub struct Stop(Arc<watch::Sender<bool>>);

impl Default for Stop {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }
}

impl Stop {
    pub fn now(&self) {
        self.0.send_replace(true);
    }

    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }

    pub async fn wait(&self) {
        // The sender is ours, so it is not gone.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
