//! How long PostgreSQL may be silent. A failover or a NAT ends connections without a word, and the operating system notices
//! after minutes at the earliest; sqlx sets neither TCP_USER_TIMEOUT nor keepalive (its issue 3540). So each statement has a
//! bound, after which its connection is given up.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres};
use tokio::time::{Instant, timeout};

/// Of a statement that a visitor or a program waits for. With [`ACQUIRE_AFTER_SILENCE`] it stays below five seconds.
const PROMPT: Duration = Duration::from_secs(3);
/// Of every other: long lists, exports, chores.
const PATIENT: Duration = Duration::from_secs(30);
/// How long a request waits for a connection before it is told to come again.
pub(crate) const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(4);
/// The same while the database was silent a moment ago: who waits has waited for others before.
const ACQUIRE_AFTER_SILENCE: Duration = Duration::from_millis(1_500);
const MOMENT: Duration = Duration::from_secs(3);

tokio::task_local! {
    static IS_PROMPT: ();
}

/// Runs work for which somebody waits: each of its statements is short. A task that it spawns is not bound by this.
pub async fn promptly<T>(work: impl Future<Output = T>) -> T {
    IS_PROMPT.scope((), work).await
}

/// When a connection was last found dead. What died without a word died together: connections that were idle at that time
/// are not waited for one by one.
#[derive(Debug, Default)]
pub(crate) struct Silence(Mutex<Option<Instant>>);

impl Silence {
    pub fn note(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn age(&self) -> Option<Duration> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).map(|noted| noted.elapsed())
    }

    pub fn is_later_than(&self, idle_for: Duration) -> bool {
        self.age().is_some_and(|age| age < idle_for)
    }
}

pub(crate) async fn acquire(pool: &PgPool, silence: &Silence) -> sqlx::Result<PoolConnection<Postgres>> {
    if silence.age().is_none_or(|age| age > MOMENT) {
        return pool.acquire().await;
    }
    timeout(ACQUIRE_AFTER_SILENCE, pool.acquire()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// One statement, or the begin or the end of a transaction. After an error of time its connection is of no use.
pub(crate) async fn in_time<T>(silence: &Silence, statement: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    within(bound(), silence, statement).await
}

fn bound() -> Duration {
    if IS_PROMPT.try_with(|()| ()).is_ok() { PROMPT } else { PATIENT }
}

async fn within<T>(
    most: Duration,
    silence: &Silence,
    statement: impl Future<Output = sqlx::Result<T>>,
) -> sqlx::Result<T> {
    timeout(most, statement).await.unwrap_or_else(|_| {
        silence.note();
        Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into()))
    })
}

/// Whether nothing more can be said on the connection: not even the end of its transaction.
pub(crate) fn is_lost(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Io(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_statement_is_short_where_somebody_waits_and_not_in_a_task_apart() {
        assert_eq!(bound(), PATIENT);
        let inside = promptly(async { (bound(), tokio::spawn(async { bound() }).await.unwrap()) });
        assert_eq!(inside.await, (PROMPT, PATIENT));
        assert_eq!(bound(), PATIENT);
    }

    #[tokio::test]
    async fn a_statement_without_an_answer_ends_and_what_was_idle_meanwhile_is_not_waited_for() {
        let silence = Silence::default();
        assert!(within(PATIENT, &silence, async { Ok(()) }).await.is_ok());
        assert!(!silence.is_later_than(Duration::MAX));
        let never = std::future::pending::<sqlx::Result<()>>();
        assert!(is_lost(&within(Duration::from_millis(1), &silence, never).await.unwrap_err()));
        assert!(silence.is_later_than(Duration::MAX));
        assert!(!silence.is_later_than(Duration::ZERO), "what was used since then is");
    }
}
