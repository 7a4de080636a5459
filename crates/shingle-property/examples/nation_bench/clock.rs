//! What a phase costs.

use std::path::Path;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// Adds up what is measured: processor time of all threads of this process, and time on the wall.
pub struct Meter {
    pub cpu: Duration,
    pub wall: Duration,
}

impl Meter {
    pub fn start() -> Self {
        Self { cpu: Duration::ZERO, wall: Duration::ZERO }
    }

    pub fn timed<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (cpu, wall) = (process(), now());
        let done = work();
        self.cpu += process() - cpu;
        self.wall += wall.elapsed();
        done
    }
}

/// Processor time of this thread.
pub fn thread() -> Duration {
    of(ClockId::ThreadCPUTime)
}

fn process() -> Duration {
    of(ClockId::ProcessCPUTime)
}

fn of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn now() -> Instant {
    Instant::now()
}

/// Time on the wall.
pub struct Stopwatch(Instant);

impl Stopwatch {
    pub fn start() -> Self {
        Self(now())
    }

    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Files below a folder that this process has open.
pub fn open_files(below: &Path) -> usize {
    let below = below.canonicalize().unwrap_or_default();
    let links = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    links.filter_map(|link| std::fs::read_link(link.path()).ok()).filter(|to| to.starts_with(&below)).count()
}

/// The most memory this process has had, where the system tells.
pub fn peak_kib() -> u64 {
    status("VmHWM:")
}

/// The memory this process has now.
pub fn resident_kib() -> u64 {
    status("VmRSS:")
}

fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix(name)).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse().unwrap_or_default()
}
