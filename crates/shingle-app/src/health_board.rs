//! What an operator is told about this server: the doctor's checks, what they found last, and how much was counted in
//! the last hour.
//!
//! # Decision
//!
//! The health page runs the doctor's checks, at most once in five minutes and for a minute, on its own thread; a page
//! waits five seconds and then shows the previous result. Turned down: separate checks, which would disagree.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_store::Clock;
use tokio::sync::Notify;

use crate::checks::{self, CheckResult};
use crate::config::Settings;
use crate::installation::Installation;
use crate::metrics::Totals;

/// One that hangs, on a name server or a mail server, must not keep the page waiting for good.
const MAX_TIME: Duration = Duration::from_secs(60);
/// Files that are counted for the size of a folder.
const MAX_FILES: usize = 500_000;
const HOUR: Duration = Duration::from_secs(3_600);

/// What the checks found.
#[derive(Debug, Clone)]
pub struct Findings {
    pub at: Timestamp,
    /// `None`: they took longer than a minute.
    pub checks: Option<Vec<CheckResult>>,
    /// `None`: they lie in a bucket.
    pub photos: Option<u64>,
    pub index: u64,
    /// Of the disk of the data folder: free, and in all.
    pub disk: Option<(u64, u64)>,
}

#[derive(Default)]
struct Board {
    findings: Option<Arc<Findings>>,
    is_running: bool,
    /// Once a minute, the oldest first; of about an hour.
    totals: VecDeque<(Timestamp, Totals)>,
}

pub struct HealthBoard {
    board: Arc<Mutex<Board>>,
    done: Arc<Notify>,
    began: Timestamp,
}

/// Of this folder and those in it.
fn folder_size(folder: &Path) -> u64 {
    let (mut size, mut files, mut open) = (0_u64, 0, vec![PathBuf::from(folder)]);
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(found) = entry.metadata() else { continue };
            if found.is_dir() {
                open.push(entry.path());
            } else {
                size = size.saturating_add(found.len());
            }
            files += 1;
            if files >= MAX_FILES {
                return size;
            }
        }
    }
    size
}

impl HealthBoard {
    pub fn new(began: Timestamp) -> Self {
        Self { board: Arc::default(), done: Arc::default(), began }
    }

    pub fn began(&self) -> Timestamp {
        self.began
    }

    fn with<T>(&self, work: impl FnOnce(&mut Board) -> T) -> T {
        work(&mut self.board.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Once a minute.
    pub fn note_totals(&self, now: Timestamp, totals: Totals) {
        self.with(|board| {
            board.totals.push_back((now, totals));
            while board.totals.len() > 1 && board.totals.front().is_some_and(|(at, _)| *at < now - HOUR) {
                board.totals.pop_front();
            }
        });
    }

    /// What was counted in the last hour, or since the start where that is later.
    pub fn last_hour(&self, now: Totals) -> Totals {
        let then =
            self.with(|board| board.totals.front().filter(|_| board.totals.len() > 59).map(|(_, totals)| *totals));
        let then = then.unwrap_or_default();
        Totals {
            requests: now.requests.saturating_sub(then.requests),
            faults: now.faults.saturating_sub(then.faults),
            look_ups: now.look_ups.saturating_sub(then.look_ups),
            leads: now.leads.saturating_sub(then.leads),
            failed_chores: now.failed_chores.saturating_sub(then.failed_chores),
        }
    }

    /// What was found last, and whether the checks are running now.
    pub fn findings(&self) -> (Option<Arc<Findings>>, bool) {
        self.with(|board| (board.findings.clone(), board.is_running))
    }

    /// Begins the checks, unless they are running, and waits so long for them at most: they go on without us.
    pub async fn check(
        &self,
        settings: &Settings,
        storage: Option<PathBuf>,
        clock: Arc<dyn Clock>,
        patience: Duration,
    ) {
        let notified = self.done.notified();
        let begins = self.with(|board| !std::mem::replace(&mut board.is_running, true));
        if begins {
            let (board, done) = (self.board.clone(), self.done.clone());
            let context =
                Installation { settings: settings.clone(), settings_file: None, unknown_variables: Vec::new(), clock };
            tokio::spawn(async move {
                let found = find(context, storage).await;
                let mut board = board.lock().unwrap_or_else(PoisonError::into_inner);
                board.is_running = false;
                // Where the checks themselves broke, what was found before stays.
                board.findings = found.map(Arc::new).or(board.findings.take());
                drop(board);
                done.notify_waiters();
            });
        }
        // Without waiting, the previous result is shown.
        let _: Result<(), _> = tokio::time::timeout(patience, notified).await;
    }
}

/// On a thread of its own: some checks wait for disks.
async fn find(context: Installation, storage: Option<PathBuf>) -> Option<Findings> {
    let runtime = tokio::runtime::Handle::current();
    let work = tokio::task::spawn_blocking(move || {
        let checks = runtime.block_on(async { tokio::time::timeout(MAX_TIME, checks::checks(&context)).await.ok() });
        let settings = &context.settings;
        let disk = rustix::fs::statvfs(&settings.data).ok();
        Findings {
            at: context.clock.now(),
            checks,
            photos: storage.as_deref().map(folder_size),
            index: folder_size(&settings.property()),
            disk: disk
                .map(|disk| (disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_blocks.saturating_mul(disk.f_frsize))),
        }
    });
    work.await.inspect_err(|error| tracing::error!(%error, "the checks of the health page broke")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_is_what_came_since_the_oldest_minute() {
        let board = HealthBoard::new(Timestamp::from_micros(0));
        let at = |minute: u64| Timestamp::from_micros(0) + Duration::from_secs(60 * minute);
        let totals = |requests| Totals { requests, ..Totals::default() };
        board.note_totals(at(1), totals(50));
        assert_eq!(board.last_hour(totals(70)).requests, 70, "since the start");
        for minute in 2..200 {
            board.note_totals(at(minute), totals(minute * 10));
        }
        assert_eq!(board.last_hour(totals(2_000)).requests, 2_000 - 139 * 10);
    }

    #[test]
    fn a_folder_is_as_large_as_its_files() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        std::fs::write(folder.path().join("a"), [0; 10]).unwrap();
        std::fs::write(folder.path().join("in/b"), [0; 5]).unwrap();
        assert_eq!(folder_size(folder.path()), 15);
        assert_eq!(folder_size(&folder.path().join("none")), 0);
    }
}
