//! A transport whose receivers do what the test says.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use shingle_deliver::{Job, Outcome, OutcomeFuture, Transport, Verdict};
use shingle_domain::message::ToMessage;
use tokio::sync::{Semaphore, mpsc};

use crate::HANGS;

/// What a receiver does; receivers are told apart by the name of their destination.
#[derive(Clone)]
pub enum Does {
    Accepts,
    Fails,
    Throttles,
    /// Waits until the test lets one go.
    Hangs(Arc<Semaphore>),
    Panics,
    /// A connector's progress that PostgreSQL does not take.
    GivesNul,
}

/// A request that has arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    pub name: String,
    pub event: String,
}

pub struct Receivers {
    does: Mutex<HashMap<String, Does>>,
    seen: mpsc::UnboundedSender<Arrived>,
}

pub struct Seen(mpsc::UnboundedReceiver<Arrived>);

impl Receivers {
    /// Those that are not named accept.
    pub fn new<'a>(does: impl IntoIterator<Item = (&'a str, Does)>) -> (Arc<Self>, Seen) {
        let (seen, arrived) = mpsc::unbounded_channel();
        let does = does.into_iter().map(|(name, does)| (name.to_owned(), does)).collect();
        (Arc::new(Self { does: Mutex::new(does), seen }), Seen(arrived))
    }

    pub fn will(&self, name: &str, does: Does) {
        self.does.lock().unwrap().insert(name.to_owned(), does);
    }
}

impl Seen {
    pub async fn next(&mut self) -> Arrived {
        tokio::time::timeout(HANGS, self.0.recv()).await.expect("a request").unwrap()
    }

    /// The next `n` requests to receivers of this name; those to others are passed over.
    pub async fn next_of(&mut self, name: &str, n: usize) -> Vec<Arrived> {
        let mut arrived = Vec::new();
        while arrived.len() < n {
            let one = self.next().await;
            if one.name.starts_with(name) {
                arrived.push(one);
            }
        }
        arrived
    }

    pub fn take(&mut self) -> Vec<Arrived> {
        std::iter::from_fn(|| self.0.try_recv().ok()).collect()
    }
}

impl Transport for Receivers {
    fn deliver<'a>(&'a self, job: &'a Job) -> OutcomeFuture<'a> {
        Box::pin(async move {
            let name = &job.destination.draft.name;
            let does = self.does.lock().unwrap().get(name).cloned().unwrap_or(Does::Accepts);
            let _ = self.seen.send(Arrived { name: name.clone(), event: job.delivery.event.id.to_string() });
            match does {
                Does::Accepts => Outcome::new(Verdict::Delivered),
                Does::Fails => Outcome::try_again("it fails"),
                Does::Throttles => Outcome {
                    cause: Some("overloaded".to_message()),
                    ..Outcome::new(Verdict::TryAgain {
                        retry_after: Some(std::time::Duration::from_secs(120)),
                        throttle: true,
                    })
                },
                Does::Hangs(gate) => {
                    gate.acquire().await.unwrap().forget();
                    Outcome::new(Verdict::Delivered)
                }
                Does::Panics => panic!("a fault of ours"),
                Does::GivesNul => Outcome {
                    progress: Some("\0".to_owned()),
                    cause: Some("a NUL: \0".to_message()),
                    ..Outcome::try_again("")
                },
            }
        })
    }
}
