//! A line of the log for programs: one JSON object. What a line is about stands in `fields`, and the request it belongs to
//! in `spans`.
//!
//! # Decision
//!
//! The shape is the one that tracing-subscriber writes. Its own writer passes every piece of a line through a check and
//! parses what it has written of each span, which was a quarter of the instructions of a cheap request.

use std::cell::RefCell;
use std::fmt::{self, Write as _};
use std::io;

use serde::Serialize;
use shingle_domain::Timestamp;
use shingle_store::Clock;
use tracing::field::{Field, Visit};
use tracing::span::Record;
use tracing::{Event, Subscriber};
use tracing_log::NormalizeEvent as _;
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Goes with [`SpanFields`], which leaves an object for each span.
pub(super) struct JsonLine<C>(pub C);

/// The fields of a span as an object, written once and copied into each of its lines.
pub(super) struct SpanFields;

impl<'w> FormatFields<'w> for SpanFields {
    fn format_fields<R: RecordFields>(&self, mut out: Writer<'w>, fields: R) -> fmt::Result {
        let mut line = Line(Vec::with_capacity(USUAL_LENGTH / 4));
        line.write_str("{")?;
        fields.record(&mut Fields { line: &mut line, are_first: true, scratch: String::new() });
        line.write_str("}")?;
        out.write_str(line.text()?)
    }

    fn add_fields(&self, known: &'w mut FormattedFields<Self>, fields: &Record<'_>) -> fmt::Result {
        // Rare, and a field may be there already: the crate's own way, which reads what it has written.
        let mut theirs = FormattedFields::<JsonFields>::new(std::mem::take(&mut known.fields));
        JsonFields::new().add_fields(&mut theirs, fields)?;
        known.fields = theirs.fields;
        Ok(())
    }
}

/// What a line takes, give or take.
const USUAL_LENGTH: usize = 320;

impl<S, N, C: Clock> FormatEvent<S, N> for JsonLine<C>
where
    S: Subscriber + for<'l> LookupSpan<'l>,
    N: for<'w> FormatFields<'w> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut out: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        // What a crate says through `log` has its own target.
        let of_log = event.normalized_metadata();
        let about = of_log.as_ref().unwrap_or_else(|| event.metadata());
        let mut line = Line(Vec::with_capacity(USUAL_LENGTH));
        line.write_str("{\"timestamp\":\"")?;
        line.time(self.0.now())?;
        line.write_str("\",\"level\":\"")?;
        line.write_str(about.level().as_str())?;
        line.write_str("\",\"fields\":{")?;
        let mut fields = Fields { line: &mut line, are_first: true, scratch: String::new() };
        event.record(&mut fields);
        line.write_str("},\"target\":")?;
        line.value(about.target());
        let mut between = ",\"spans\":[";
        for span in context.event_scope().into_iter().flat_map(|scope| scope.from_root()) {
            line.write_str(between)?;
            between = ",";
            let extensions = span.extensions();
            let fields = extensions.get::<FormattedFields<N>>().map_or("", |fields| fields.fields.as_str());
            // A span without a field is an empty object, or nothing.
            match fields.strip_suffix('}') {
                Some(object) if object.len() > 1 => {
                    line.write_str(object)?;
                    line.write_str(",\"name\":")?;
                }
                _ => line.write_str("{\"name\":")?,
            }
            line.value(span.name());
            line.write_str("}")?;
        }
        if between == "," {
            line.write_str("]")?;
        }
        line.write_str("}\n")?;
        out.write_str(line.text()?)
    }
}

thread_local! {
    /// The last second that was written, as text: most lines share theirs with the one before.
    static SECOND: RefCell<(i64, String)> = const { RefCell::new((i64::MIN, String::new())) };
}

/// Bytes that are text.
struct Line(Vec<u8>);

impl Line {
    fn text(&self) -> Result<&str, fmt::Error> {
        std::str::from_utf8(&self.0).map_err(|_| fmt::Error)
    }

    /// ISO 8601 with microseconds.
    fn time(&mut self, now: Timestamp) -> fmt::Result {
        const MICROS: i64 = 1_000_000;
        let (second, mut rest) = (now.micros().div_euclid(MICROS), now.micros().rem_euclid(MICROS));
        SECOND.with_borrow_mut(|(known, text)| {
            if *known != second {
                text.clear();
                write!(text, "{}", Timestamp::from_micros(second * MICROS))?;
                text.truncate(text.find('.').unwrap_or(text.len()));
                *known = second;
            }
            self.write_str(text)
        })?;
        let mut digits = *b".000000Z";
        for digit in digits[1..7].iter_mut().rev() {
            *digit += (rest % 10) as u8;
            rest /= 10;
        }
        self.0.extend_from_slice(&digits);
        Ok(())
    }

    fn value(&mut self, value: impl Serialize) {
        // Memory takes it all, and these values can all be written.
        let _ = serde_json::to_writer(&mut *self, &value);
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

impl io::Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Fields<'l> {
    line: &'l mut Line,
    are_first: bool,
    scratch: String,
}

impl Fields<'_> {
    fn field(&mut self, field: &Field, value: impl Serialize) {
        // Where in a crate's source `log` was called: of no use to an operator.
        if field.name().starts_with("log.") {
            return;
        }
        if !std::mem::take(&mut self.are_first) {
            self.line.0.push(b',');
        }
        self.line.value(field.name());
        self.line.0.push(b':');
        self.line.value(value);
    }
}

impl Visit for Fields<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.field(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, value);
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        if write!(text, "{value:?}").is_ok() {
            self.field(field, text.as_str());
        }
        self.scratch = text;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use serde_json::Value;
    use shingle_app::clock::MachineClock;
    use tracing_subscriber::fmt::MakeWriter;

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl MakeWriter<'_> for Kept {
        type Writer = Self;

        fn make_writer(&self) -> Self {
            self.clone()
        }
    }

    /// The lines of one text, without their times.
    fn lines(kept: &Kept) -> Vec<Value> {
        let text = String::from_utf8(kept.0.lock().unwrap().clone()).unwrap();
        let line = |line: &str| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            let time = line.as_object_mut().unwrap().remove("timestamp").unwrap();
            assert!(time.as_str().is_some_and(|time| time.ends_with('Z') && time.len() == 27), "{time}");
            line
        };
        text.lines().map(line).collect()
    }

    /// All kinds of fields, hostile texts, and spans with and without fields.
    fn speak() {
        tracing::info!("no field, no span");
        tracing::info!(
            text = "a \"b\" \\ \n \u{1} é \u{2028} 漢",
            whole = -3_i64,
            count = u64::MAX,
            part = 0.5,
            not = f64::NAN,
            yes = true
        );
        let error = io::Error::other("it \"broke\"");
        tracing::warn!(%error, ?error, error = &error as &(dyn std::error::Error + 'static), "{} \u{7}", "said");
        let _outer = tracing::error_span!("request", id = "a\"b", empty = tracing::field::Empty).entered();
        tracing::error!(path = %"/w/{id}", "in one");
        let inner = tracing::info_span!("without fields").entered();
        tracing::debug!(n = 1, "in two");
        drop(inner);
        let late = tracing::info_span!("late", told = tracing::field::Empty);
        late.record("told", 7);
        late.record("told", 8);
        late.in_scope(|| tracing::info!("after a record"));
    }

    #[test]
    fn a_time_has_all_its_digits() {
        let written = |micros| {
            let mut line = Line(Vec::new());
            line.time(Timestamp::from_micros(micros)).unwrap();
            line.text().unwrap().to_owned()
        };
        for (micros, text) in [
            (0, "1970-01-01T00:00:00.000000Z"),
            (1_795_901_040_000_007, "2026-11-28T21:24:00.000007Z"),
            (1_795_901_040_999_999, "2026-11-28T21:24:00.999999Z"),
            (1_795_901_041_120_000, "2026-11-28T21:24:01.120000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"),
        ] {
            assert_eq!(written(micros), text);
        }
    }

    #[test]
    fn a_line_is_what_tracing_subscriber_writes() {
        let (ours, theirs) = (Kept::default(), Kept::default());
        let builder = || tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_ansi(false);
        let subscriber =
            builder().with_writer(ours.clone()).fmt_fields(SpanFields).event_format(JsonLine(MachineClock)).finish();
        tracing::subscriber::with_default(subscriber, speak);
        let subscriber = builder().with_writer(theirs.clone()).json().with_current_span(false).finish();
        tracing::subscriber::with_default(subscriber, speak);
        let (ours, theirs) = (lines(&ours), lines(&theirs));
        assert_eq!(ours.len(), 6);
        assert_eq!(ours, theirs);
    }
}
