//! Turns the result of an attempt into what is stored.

use std::sync::Arc;
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_domain::message::{Message, ToMessage};
use shingle_store::{Attempt, FinishedDelivery, Next};
use uuid::Uuid;

use crate::failure::DeliveryFailure;
use crate::schedule::RetrySchedule;
use crate::transport::{Job, Outcome, Verdict};

/// The shortest pause of a receiver that says it is overloaded.
const SHORTEST_THROTTLE: Duration = Duration::from_secs(10);
/// The longest: it holds up every event, not only the one that was refused.
const LONGEST_THROTTLE: Duration = Duration::from_secs(600);

pub(super) struct Tried {
    pub job: Arc<Job>,
    pub outcome: Outcome,
    pub started_at: Timestamp,
    pub took: Duration,
}

impl Tried {
    /// `now`: when it ended. `chance`: in [0, 1), spreads the retries. `attempt`: its id.
    pub fn finish(self, schedule: &RetrySchedule, now: Timestamp, chance: f64, attempt: Uuid) -> FinishedDelivery {
        let Self { job, outcome, started_at, took } = self;
        let number = job.delivery.attempts + 1;
        // No database stores a NUL, which a receiver may well have sent.
        let outcome = Outcome {
            cause: outcome.cause.map(|cause| cause.map_texts(&|text| text.replace('\0', "\u{fffd}"))),
            ..outcome
        };
        let cause = outcome.cause.clone().unwrap_or_else(|| Message::Text(String::new()));
        let next = match outcome.verdict {
            Verdict::Delivered => Next::Delivered,
            Verdict::TryAgain { retry_after, throttle } => match schedule.next(number, now, retry_after, chance) {
                Some(at) => {
                    let asked = retry_after.unwrap_or_default().clamp(SHORTEST_THROTTLE, LONGEST_THROTTLE);
                    Next::Retry { at, pause: throttle.then(|| now + asked) }
                }
                None => Next::Failed { reason: DeliveryFailure::GivenUp { attempts: number, cause }.to_message() },
            },
            Verdict::Refused => Next::Failed { reason: cause },
            Verdict::Gone => Next::SwitchOff { reason: cause },
            Verdict::Skipped => Next::Skipped { reason: cause },
            Verdict::Postponed(until) => Next::Postponed { until },
        };
        let tried = !matches!(outcome.verdict, Verdict::Skipped | Verdict::Postponed(_));
        let attempt = tried.then(|| Attempt {
            id: attempt,
            number,
            started_at,
            duration: took,
            delivered: outcome.verdict == Verdict::Delivered,
            status: outcome.status,
            cause: outcome.cause,
            exchange: outcome.exchange,
        });
        FinishedDelivery {
            id: job.delivery.id,
            account: job.delivery.tenant.account,
            destination: job.delivery.destination,
            claim: job.delivery.claim.clone(),
            attempt,
            next,
            progress: outcome.progress,
            record: outcome.record,
        }
    }
}
