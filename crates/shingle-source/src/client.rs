//! Requests of one load: so many at once, each repeated while that may help, all of them counted.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use futures_util::future::try_join_all;
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use tokio::sync::{Notify, Semaphore};
use url::Url;

use crate::error::{LargePart, SourceError};
use crate::range_reader::{Answer, RangeReader, ReadFault, Wanted};

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum AnswerFault {
        CutOff { got: u64, wanted: u64 } => "{got} of {wanted} {wanted|byte|bytes} came",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestSettings {
    /// Requests at one time.
    pub at_once: usize,
    /// Of each request, the first included.
    pub attempts: u32,
    /// Before the second attempt; doubled before each further one.
    pub first_pause: Duration,
    /// The longest pause, whatever the server asks for.
    pub longest_pause: Duration,
}

impl Default for RequestSettings {
    fn default() -> Self {
        Self {
            at_once: 8,
            attempts: 6,
            first_pause: Duration::from_millis(250),
            longest_pause: Duration::from_secs(30),
        }
    }
}

/// What was asked for and what came, read while it goes on.
#[derive(Debug, Default)]
pub struct Traffic {
    requests: AtomicU64,
    repeated: AtomicU64,
    bytes: AtomicU64,
    stops: AtomicBool,
    stopped: Notify,
}

impl Traffic {
    /// Every attempt counts.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    pub fn repeated(&self) -> u64 {
        self.repeated.load(Ordering::Relaxed)
    }

    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Ends the load at its next request.
    pub fn stop(&self) {
        self.stops.store(true, Ordering::Relaxed);
        self.stopped.notify_waiters();
    }

    pub fn is_stopping(&self) -> bool {
        self.stops.load(Ordering::Relaxed)
    }

    async fn pause(&self, time: Duration) {
        let told = self.stopped.notified();
        if !self.is_stopping() {
            // Whether it was told to stop is asked before the next attempt.
            let _: Result<(), _> = tokio::time::timeout(time, told).await;
        }
    }
}

/// Larger ranges are asked for in parts, so that a cut connection costs one part.
const PART: u64 = 8 << 20;

#[derive(Clone)]
pub struct Client {
    reader: Arc<dyn RangeReader>,
    settings: RequestSettings,
    slots: Arc<Semaphore>,
    traffic: Arc<Traffic>,
}

/// A file at one moment. Parts of it belong together while neither changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    pub size: u64,
    pub tag: Option<String>,
}

impl Client {
    pub fn new(reader: Arc<dyn RangeReader>, settings: RequestSettings) -> Self {
        let slots = Arc::new(Semaphore::new(settings.at_once.max(1)));
        Self { reader, settings, slots, traffic: Arc::default() }
    }

    pub fn traffic(&self) -> Arc<Traffic> {
        self.traffic.clone()
    }

    /// A small file.
    pub async fn whole(&self, url: &Url, most: usize) -> Result<Bytes, SourceError> {
        Ok(self.answered(url, &Wanted::Whole { most }).await?.bytes)
    }

    /// A small file as `read` understands it. What `read` takes for a passing fault is asked for again.
    pub async fn whole_as<T>(
        &self,
        url: &Url,
        most: usize,
        read: impl Fn(&Bytes) -> Result<T, ReadFault>,
    ) -> Result<T, SourceError> {
        self.answered_as(url, &Wanted::Whole { most }, |answer| read(&answer.bytes)).await
    }

    /// The end of a file.
    pub async fn last(&self, url: &Url, bytes: u64) -> Result<Answer, SourceError> {
        self.answered(url, &Wanted::Last(bytes)).await
    }

    /// A range of a file that is still in this state. `None`: it has changed.
    pub async fn range(&self, url: &Url, of: &FileState, range: Range<u64>) -> Result<Option<Bytes>, SourceError> {
        let starts = (range.start..range.end).step_by(PART as usize);
        let parts = starts.map(|start| self.part(url, of, start..(start + PART).min(range.end)));
        let mut parts = try_join_all(parts).await?;
        if let [Some(_)] = parts.as_slice() {
            return Ok(parts.pop().flatten());
        }
        let mut whole = BytesMut::with_capacity((range.end - range.start) as usize);
        for part in parts {
            let Some(part) = part else { return Ok(None) };
            whole.extend_from_slice(&part);
        }
        Ok(Some(whole.freeze()))
    }

    async fn part(&self, url: &Url, of: &FileState, range: Range<u64>) -> Result<Option<Bytes>, SourceError> {
        let answer = self.answered(url, &Wanted::Range(range)).await?;
        let is_same = answer.size == of.size && answer.tag == of.tag;
        Ok(is_same.then_some(answer.bytes))
    }

    async fn answered(&self, url: &Url, wanted: &Wanted) -> Result<Answer, SourceError> {
        self.answered_as(url, wanted, Ok).await
    }

    async fn answered_as<T>(
        &self,
        url: &Url,
        wanted: &Wanted,
        read: impl Fn(Answer) -> Result<T, ReadFault>,
    ) -> Result<T, SourceError> {
        let unanswered = |why: Message| SourceError::Unanswered { url: url.to_string(), why };
        let mut attempt = 0;
        loop {
            if self.traffic.is_stopping() {
                return Err(SourceError::Stopped);
            }
            let slot = self.slots.acquire().await;
            self.traffic.requests.fetch_add(1, Ordering::Relaxed);
            let answer = self.reader.read(url, wanted.clone()).await.and_then(|answer| whole(answer, wanted));
            drop(slot);
            let answer = answer.and_then(|answer| {
                self.traffic.bytes.fetch_add(answer.bytes.len() as u64, Ordering::Relaxed);
                read(answer)
            });
            let (why, after) = match answer {
                Ok(answer) => return Ok(answer),
                Err(ReadFault::NotThere) => return Err(SourceError::NotThere { url: url.to_string() }),
                Err(ReadFault::Refused) => return Err(SourceError::Refused { url: url.to_string() }),
                Err(ReadFault::NoRanges) => return Err(SourceError::NoRanges { url: url.to_string() }),
                Err(ReadFault::TooLong) => {
                    return Err(SourceError::TooLarge { url: url.to_string(), what: LargePart::Answer });
                }
                Err(ReadFault::Lasting { why }) => return Err(unanswered(why)),
                Err(ReadFault::Passing { why, after }) => (why, after),
            };
            attempt += 1;
            if attempt >= self.settings.attempts {
                return Err(unanswered(why));
            }
            self.traffic.repeated.fetch_add(1, Ordering::Relaxed);
            tracing::debug!(%url, attempt, %why, "a request to a source is repeated");
            let pause = after.unwrap_or_else(|| self.backoff(url, wanted, attempt)).min(self.settings.longest_pause);
            self.traffic.pause(pause).await;
        }
    }

    /// Between half and all of the doubled pause: requests that failed together do not come back together.
    fn backoff(&self, url: &Url, wanted: &Wanted, attempt: u32) -> Duration {
        let full = self.settings.first_pause.saturating_mul(1 << attempt.min(10).saturating_sub(1));
        let digest = blake3::hash(format!("{url} {wanted:?} {attempt}").as_bytes());
        full.mul_f64(0.5 + f64::from(digest.as_bytes()[0]) / 512.0)
    }
}

/// An answer of another length than was asked for was cut off.
fn whole(answer: Answer, wanted: &Wanted) -> Result<Answer, ReadFault> {
    let wanted = match wanted {
        Wanted::Whole { .. } => answer.size,
        Wanted::Range(range) => range.end - range.start,
        Wanted::Last(bytes) => (*bytes).min(answer.size),
    };
    let got = answer.bytes.len() as u64;
    if got == wanted {
        return Ok(answer);
    }
    Err(ReadFault::Passing { why: AnswerFault::CutOff { got, wanted }.to_message(), after: None })
}
