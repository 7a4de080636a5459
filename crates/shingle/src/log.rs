//! The log: one line for each request and one more for each lead, on standard error. It never contains bodies, query strings, tokens or names.
//!
//! # Decisions
//!
//! - A line's request is its span, at level error, so no filter drops the id. A shared transaction carries the first
//!   request's. Deliveries happen later and on any node, so their lines carry delivery, event and lead, which a
//!   request's line names. Turned down: a field per line, which is forgotten; a task local, which other threads do
//!   not see; the request's id in each event row.
//! - A filter has levels and modules, not spans or fields (`EnvFilter`), which look for themselves at each step of each
//!   request.
//! - Lines wait up to 20 ms to be written together: a write per request was a twentieth of a cheap request. Warnings
//!   and errors go at once, with everything before them. A killed process loses those 20 ms.

mod json_line;

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use shingle_app::clock::MachineClock;
use shingle_app::config::Settings;
use shingle_app::operator_error::OperatorError;

use json_line::{JsonLine, SpanFields};

/// How long a line may wait for others: under load one write takes hundreds of them.
const MAX_WAIT: Duration = Duration::from_millis(20);
/// Bytes that wait at most.
const MAX_WAITING: usize = 32 * 1024;

/// Starts logging, as text for people or as JSON for programs.
pub fn start(settings: &Settings, json: bool) -> Result<LogLines, OperatorError> {
    let filter = filter(&settings.log).map_err(|part| {
        OperatorError::new(format!("The log filter is not valid: {part:?} names no level"))
            .at(format!("log = {:?}", settings.log))
            .fix("Write a level (info) or module=level pairs (info,shingle_web=debug).")
    })?;
    let lines = LogLines::new(io::stderr());
    let colours = io::stderr().is_terminal();
    let log = tracing_subscriber::fmt().with_max_level(most(&filter));
    let log = log.with_ansi(colours).with_writer(lines.clone());
    let started = if json {
        log.fmt_fields(SpanFields).event_format(JsonLine(MachineClock)).finish().with(filter).try_init()
    } else {
        log.with_target(false).finish().with(filter).try_init()
    };
    // If a subscriber is installed already (by a test), it stays.
    drop(started);
    Ok(lines)
}

/// The most that any module says. Where a layer below the filter would take more, each line of the libraries is looked at
/// before it is left out: half of what a cheap request costs.
fn most(filter: &Targets) -> LevelFilter {
    let modules = filter.iter().map(|(_, level)| level);
    modules.chain(filter.default_level()).max().unwrap_or(LevelFilter::OFF)
}

/// Levels and modules, or the part that is neither.
fn filter(text: &str) -> Result<Targets, &str> {
    let mut filter = Targets::new();
    for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        filter = match part.split_once('=') {
            Some((module, level)) => {
                filter.with_target(module.trim(), level.trim().parse::<LevelFilter>().map_err(|_| part)?)
            }
            None => filter.with_default(part.parse::<LevelFilter>().map_err(|_| part)?),
        };
    }
    Ok(filter)
}

/// Lines on their way out. A warning goes at once, with all before it; other lines wait a moment, so that a request does
/// not cost a write. A process that is killed loses that moment.
#[derive(Clone)]
pub struct LogLines(Arc<Waiting>);

struct Waiting {
    lines: Mutex<Buffered>,
    /// The first line waits.
    begun: Notify,
}

struct Buffered {
    bytes: Vec<u8>,
    out: Box<dyn Write + Send>,
}

impl Buffered {
    fn write_out(&mut self) {
        // Where the log cannot be written, nobody can be told.
        let _ = self.out.write_all(&self.bytes).and_then(|()| self.out.flush());
        self.bytes.clear();
    }
}

impl LogLines {
    fn new(out: impl Write + Send + 'static) -> Self {
        let lines = Mutex::new(Buffered { bytes: Vec::new(), out: Box::new(out) });
        Self(Arc::new(Waiting { lines, begun: Notify::new() }))
    }

    /// Writes what waits, as long as the process lives. It sleeps while there is nothing.
    pub async fn keep_writing(self) {
        loop {
            self.0.begun.notified().await;
            tokio::time::sleep(MAX_WAIT).await;
            self.write_out();
        }
    }

    /// Before the process ends.
    pub fn write_out(&self) {
        self.0.lines.lock().unwrap_or_else(PoisonError::into_inner).write_out();
    }
}

/// Of one line.
pub struct LineWriter<'l> {
    lines: &'l LogLines,
    at_once: bool,
}

impl Write for LineWriter<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let mut lines = self.lines.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = lines.bytes.is_empty();
        lines.bytes.extend_from_slice(line);
        if self.at_once || lines.bytes.len() > MAX_WAITING {
            lines.write_out();
        } else if is_first {
            self.lines.0.begun.notify_one();
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'l> MakeWriter<'l> for LogLines {
    type Writer = LineWriter<'l>;

    fn make_writer(&'l self) -> LineWriter<'l> {
        LineWriter { lines: self, at_once: true }
    }

    fn make_writer_for(&'l self, line: &Metadata<'_>) -> LineWriter<'l> {
        LineWriter { lines: self, at_once: *line.level() <= Level::WARN }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Default)]
    struct Kept {
        bytes: Arc<Mutex<Vec<u8>>>,
        written: Arc<Notify>,
    }

    impl Kept {
        fn text(&self) -> String {
            String::from_utf8(self.bytes.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes.lock().unwrap().extend_from_slice(bytes);
            self.written.notify_one();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn logging(log: impl FnOnce()) -> (Kept, LogLines) {
        let kept = Kept::default();
        let lines = LogLines::new(kept.clone());
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(lines.clone()).finish();
        tracing::subscriber::with_default(subscriber, log);
        (kept, lines)
    }

    #[test]
    fn a_filter_has_levels_and_modules() {
        let debug = |filter: &Targets, module: &str| filter.would_enable(module, &Level::DEBUG);
        for (text, [ours, others]) in [
            ("debug", [true, true]),
            ("info", [false, false]),
            ("info, shingle_web = debug", [true, false]),
            ("shingle_web=TRACE,", [true, false]),
            ("debug,shingle_web=off", [false, true]),
            ("", [false, false]),
        ] {
            let filter = filter(text).unwrap();
            assert_eq!([debug(&filter, "shingle_web::api"), debug(&filter, "hyper")], [ours, others], "{text}");
        }
        for (text, part) in
            [("inf", "inf"), ("info,shingle_web=loud", "shingle_web=loud"), ("a[b]=info=", "a[b]=info=")]
        {
            assert_eq!(filter(text).map(|_| ()), Err(part));
        }
    }

    #[test]
    fn lines_that_no_module_writes_are_left_out_before_they_are_looked_at() {
        for (text, wanted) in [
            ("info", LevelFilter::INFO),
            ("warn,shingle_web=debug", LevelFilter::DEBUG),
            ("shingle_web=info", LevelFilter::INFO),
            ("off", LevelFilter::OFF),
            ("", LevelFilter::OFF),
        ] {
            let filter = filter(text).unwrap();
            let log = tracing_subscriber::fmt().with_max_level(most(&filter)).finish().with(filter);
            assert_eq!(tracing::Subscriber::max_level_hint(&log), Some(wanted), "{text}");
        }
    }

    #[test]
    fn a_warning_goes_at_once_with_all_before_it() {
        let (kept, lines) = logging(|| tracing::info!("one"));
        assert_eq!(kept.text(), "", "it waits for others");
        lines.write_out();
        assert!(kept.text().ends_with("one\n"));
        let (kept, _) = logging(|| {
            tracing::info!("one");
            tracing::warn!("two");
            tracing::info!("three");
        });
        let text = kept.text();
        assert!(text.contains("one\n") && text.ends_with("two\n"), "{text}");
    }

    #[test]
    fn what_waits_is_bounded() {
        let (kept, _) = logging(|| {
            for _ in 0..10 {
                tracing::info!("{}", "x".repeat(MAX_WAITING / 8));
            }
        });
        assert!(kept.text().len() > MAX_WAITING);
    }

    #[tokio::test]
    async fn a_line_waits_a_moment_and_then_goes_by_itself() {
        let (kept, lines) = logging(|| tracing::info!("one"));
        let writing = tokio::spawn(lines.keep_writing());
        kept.written.notified().await;
        assert!(kept.text().ends_with("one\n"));
        writing.abort();
    }
}
