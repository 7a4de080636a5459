//! What carries a delivery to one kind of destination.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_domain::lead::ExternalRecord;
use shingle_domain::message::{Message, ToMessage};
use shingle_store::{ClaimedDelivery, Destination};

/// A delivery with its destination as it is now.
#[derive(Debug, Clone)]
pub struct Job {
    pub delivery: ClaimedDelivery,
    pub destination: Arc<Destination>,
}

impl Job {
    /// Of every line of the log about it. The request that caused the event names its lead too.
    pub fn span(&self) -> tracing::Span {
        let ClaimedDelivery { id, event, .. } = &self.delivery;
        tracing::error_span!("delivery", %id, event = %event.id, lead = %event.resource)
    }
}

/// What came of one try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub verdict: Verdict,
    pub status: Option<u16>,
    /// Why it failed.
    pub cause: Option<Message>,
    /// Request and response as JSON, without secrets.
    pub exchange: Option<String>,
    /// What a connector has done so far.
    pub progress: Option<String>,
    /// The record that a connector made of the lead.
    pub record: Option<ExternalRecord>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Delivered,
    TryAgain {
        retry_after: Option<Duration>,
        /// The receiver is overloaded: nothing else is sent there meanwhile.
        throttle: bool,
    },
    /// It makes no sense to try again.
    Refused,
    /// It makes no sense to send anything there again: the destination is switched off.
    Gone,
    /// There is nothing to send. No attempt.
    Skipped,
    /// Not now. No attempt.
    Postponed(Timestamp),
}

impl Outcome {
    pub fn new(verdict: Verdict) -> Self {
        Self { verdict, status: None, cause: None, exchange: None, progress: None, record: None }
    }

    pub fn skipped(reason: impl ToMessage) -> Self {
        Self { cause: Some(reason.to_message()), ..Self::new(Verdict::Skipped) }
    }

    pub fn try_again(cause: impl ToMessage) -> Self {
        let verdict = Verdict::TryAgain { retry_after: None, throttle: false };
        Self { cause: Some(cause.to_message()), ..Self::new(verdict) }
    }

    pub fn refused(cause: impl ToMessage) -> Self {
        Self { cause: Some(cause.to_message()), ..Self::new(Verdict::Refused) }
    }
}

pub type OutcomeFuture<'a> = Pin<Box<dyn Future<Output = Outcome> + Send + 'a>>;

/// Sends one delivery, once. It keeps to the destination's timeout on its own.
pub trait Transport: Send + Sync + 'static {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a>;
}

/// One for each kind of destination. A kind without one is skipped, with this reason.
#[derive(Clone)]
pub struct Transports {
    pub webhook: Arc<dyn Transport>,
    pub mail: Option<Arc<dyn Transport>>,
    pub connector: Option<Arc<dyn Transport>>,
    pub push: Option<Arc<dyn Transport>>,
}
