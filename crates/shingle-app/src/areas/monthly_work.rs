//! What a process is refreshing by itself, one work at a time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::load_watch::LoadWatch;

#[derive(Debug, Default)]
pub(super) struct MonthlyWork {
    is_running: AtomicBool,
    stops: AtomicBool,
    watch: Mutex<Option<Arc<LoadWatch>>>,
}

impl MonthlyWork {
    /// `false`: it goes on already.
    pub fn begin(&self) -> bool {
        !self.is_running.swap(true, Ordering::Relaxed)
    }

    /// Ends the work when it is dropped, so that the next can begin however this one ended.
    pub fn running(&self) -> Running<'_> {
        Running(self)
    }

    /// Of the next area.
    pub fn watch(&self) -> Arc<LoadWatch> {
        let watch = Arc::new(LoadWatch::default());
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(watch.clone());
        // Told in the meantime.
        if self.is_stopping() {
            watch.stop();
        }
        watch
    }

    pub fn stop(&self) {
        self.stops.store(true, Ordering::Relaxed);
        if let Some(watch) = &*self.watch.lock().unwrap_or_else(PoisonError::into_inner) {
            watch.stop();
        }
    }

    pub fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }
}

pub(super) struct Running<'a>(&'a MonthlyWork);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.is_running.store(false, Ordering::Relaxed);
    }
}
