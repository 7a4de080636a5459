//! How far a load is, and the way to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use shingle_import::Progress;
use shingle_source::{LoadProgress, Traffic};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    Loading,
    Importing,
}

/// How far the work on an area is, and the way to stop it.
#[derive(Debug, Default)]
pub struct LoadWatch {
    pub traffic: std::sync::OnceLock<Arc<Traffic>>,
    pub progress: Arc<LoadProgress>,
    is_importing: AtomicBool,
    stops: AtomicBool,
}

impl LoadWatch {
    pub fn phase(&self) -> Phase {
        if self.is_importing.load(Ordering::Relaxed) { Phase::Importing } else { Phase::Loading }
    }

    pub fn bytes(&self) -> u64 {
        self.traffic.get().map_or(0, |traffic| traffic.bytes())
    }

    pub(super) fn begin_importing(&self) {
        self.is_importing.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    /// The work ends soon, and the area stays as it was.
    pub fn stop(&self) {
        self.stops.store(true, Ordering::Relaxed);
        if let Some(traffic) = self.traffic.get() {
            traffic.stop();
        }
    }
}

/// For the import.
pub(super) struct Stoppable(pub Arc<LoadWatch>);

impl Progress for Stoppable {
    fn total(&mut self, _: Option<u64>) {}

    fn advance(&mut self, _: u64) {}

    fn stops(&self) -> bool {
        self.0.is_stopping()
    }
}
