//! CPU-heavy work: off the threads that serve connections, and a limited amount at once.
//!
//! # Decision
//!
//! Work of milliseconds (geometry, searches, drawing, PDF) runs on blocking threads, as many at once as there are
//! processors. A look-up stays on its connection's thread: match and models take 25 of its 75 µs. Concurrent equal
//! requests share one result. Turned down: a permit that ends with its request; a canceled upload is still decoded to
//! its end.

use std::sync::Arc;

use tokio::sync::{AcquireError, Semaphore};
use tokio::task::JoinError;

use crate::log_span::of_this_request;

/// The work broke, or the process is ending.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    #[error(transparent)]
    Ending(#[from] AcquireError),
    #[error(transparent)]
    Broke(#[from] JoinError),
}

/// Places for one kind of work.
pub struct HeavyWork(Arc<Semaphore>);

impl HeavyWork {
    pub fn new(places: usize) -> Self {
        Self(Arc::new(Semaphore::new(places)))
    }

    /// As many places as there are processors.
    pub fn for_processors() -> Self {
        Self::new(std::thread::available_parallelism().map_or(2, usize::from))
    }

    /// The place is taken until the work has ended, also if nobody waits for it any more.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Stopped> {
        let place = self.0.clone().acquire_owned().await?;
        let done = tokio::task::spawn_blocking(of_this_request(move || {
            let done = work();
            drop(place);
            done
        }));
        Ok(done.await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_of_the_work_belong_to_the_request() {
        use tracing::Instrument as _;
        // Of this process: the work is on another thread.
        let _ = tracing::subscriber::set_global_default(tracing_subscriber::registry());
        let span = tracing::error_span!("request");
        let (known, heavy) = (span.id(), HeavyWork::new(1));
        let seen = heavy.run(|| tracing::Span::current().id()).instrument(span).await.unwrap();
        assert!(known.is_some() && seen == known, "{known:?} {seen:?}");
        assert_eq!(heavy.run(|| tracing::Span::current().id()).await.unwrap(), None, "of no request");
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_keeps_its_place_to_its_end() {
        let heavy = HeavyWork::new(1);
        let (begun, begins) = tokio::sync::oneshot::channel();
        let (finish, finishes) = std::sync::mpsc::channel::<()>();
        let work = heavy.run(move || {
            begun.send(()).unwrap();
            finishes.recv().unwrap();
        });
        tokio::select! {
            _ = work => unreachable!("it waits to be told"),
            begun = begins => begun.unwrap(),
        }
        // The request is gone, its work is not.
        assert_eq!(heavy.0.available_permits(), 0);
        finish.send(()).unwrap();
        assert_eq!(heavy.run(|| 7).await.unwrap(), 7);
        assert_eq!(heavy.0.available_permits(), 1);
    }
}
