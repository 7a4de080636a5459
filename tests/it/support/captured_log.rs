//! What the server logs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use tracing_subscriber::filter::{LevelFilter, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

/// Tests that want statements of SQL in the log.
static WANTED: AtomicUsize = AtomicUsize::new(0);

/// As long as it lives, the log has every statement of SQL too.
pub struct WithStatements(());

impl WithStatements {
    pub fn new() -> Self {
        WANTED.fetch_add(1, Ordering::SeqCst);
        Self(())
    }
}

impl Drop for WithStatements {
    fn drop(&mut self) {
        WANTED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Everything that this process logs, in the words of ours that say most.
pub fn captured_log() -> &'static Mutex<Vec<u8>> {
    static LOG: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(Mutex::default);
    struct Lines;
    impl std::io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            LOG.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let wanted = dynamic_filter_fn(|line, _| match line.target() {
        "sqlx::query" => WANTED.load(Ordering::SeqCst) > 0,
        target => target.starts_with("shingle_") || *line.level() <= LevelFilter::INFO,
    });
    let lines = fmt::layer().with_ansi(false).with_writer(|| Lines).with_filter(wanted);
    // The other engine's test may have been first.
    let _ = tracing_subscriber::registry().with(lines).try_init();
    &LOG
}
