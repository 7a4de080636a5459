//! Every statement that the stores of this process have run, for the test of their plans.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Mutex, Once, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Where sqlx says what it ran.
const TARGET: &str = "sqlx::query";

struct StatementLog;

/// Tests that read the log of the server have one of their own.
const LOGS_ITSELF: &str = "shingle-tests";

/// From now on.
pub fn keep_statements() {
    static ONCE: Once = Once::new();
    if std::env::var_os("CARGO_PKG_NAME").is_some_and(|package| package != LOGS_ITSELF) {
        ONCE.call_once(|| drop(tracing::subscriber::set_global_default(StatementLog)));
    }
}

/// Those that were not taken yet.
pub fn take_statements() -> BTreeSet<String> {
    std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner))
}

impl Subscriber for StatementLog {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == TARGET
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        // A short statement is its own summary.
        let text = if fields.statement.is_empty() { fields.summary } else { fields.statement };
        // What the test itself asks is not the store's.
        if !["EXPLAIN", "PREPARE", "SET "].iter().any(|word| text.starts_with(word)) {
            SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(text);
        }
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Fields {
    summary: String,
    statement: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        match field.name() {
            "summary" => value.trim().clone_into(&mut self.summary),
            "db.statement" => value.trim().clone_into(&mut self.statement),
            _ => {}
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
