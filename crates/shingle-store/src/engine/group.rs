//! Group commit: what many callers want to write goes into one transaction, each with its own result.
//!
//! A call that comes while a transaction is being committed waits for the next one, so one commit's wait for the disk
//! is shared by all that came meanwhile. A caller is answered after the commit. One that has gone before its turn (its
//! client hung up) is left out.

use std::collections::VecDeque;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tracing::{Instrument as _, Span};

use crate::engine::patience::promptly;

/// In one transaction: others write too, and wait for its end.
const MAX_TOGETHER: usize = 128;

/// What waits for the next transaction.
pub(crate) struct Group<T, R>(Mutex<Waiting<T, R>>);

struct Waiting<T, R> {
    queue: VecDeque<Item<T, R>>,
    /// A task takes from the queue.
    written: bool,
}

struct Item<T, R> {
    work: T,
    sender: oneshot::Sender<R>,
    /// Whose work it is, for the log.
    request: Span,
}

/// What goes into one transaction.
struct Taken<T, R> {
    work: Vec<T>,
    senders: Vec<oneshot::Sender<R>>,
    /// Lines about the transaction bear the id of the first: one that waits to know why finds them, and others follow by
    /// their time.
    request: Span,
}

impl<T, R> Default for Group<T, R> {
    fn default() -> Self {
        Self(Mutex::new(Waiting { queue: VecDeque::new(), written: false }))
    }
}

impl<T: Send + 'static, R: Send + 'static> Group<T, R> {
    fn waiting(&self) -> MutexGuard<'_, Waiting<T, R>> {
        // No code panics while it holds the lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `commit` write this together with what others want to write; it returns a result for each, in their order.
    /// `None`: the process is stopping, or `commit` panicked.
    pub async fn write<C, F>(self: &Arc<Self>, work: T, commit: C) -> Option<R>
    where
        C: Fn(Vec<T>) -> F + Send + 'static,
        F: Future<Output = Vec<R>> + Send + 'static,
    {
        let (sender, result) = oneshot::channel();
        let first = {
            let mut waiting = self.waiting();
            waiting.queue.push_back(Item { work, sender, request: Span::current() });
            !mem::replace(&mut waiting.written, true)
        };
        if first {
            // A task of its own: the caller whose call began it may go.
            tokio::spawn(Writer(self.clone()).run(commit));
        }
        result.await.ok()
    }

    fn take(&self) -> Taken<T, R> {
        let mut waiting = self.waiting();
        let mut taken = Taken { work: Vec::new(), senders: Vec::new(), request: Span::none() };
        while taken.work.len() < MAX_TOGETHER
            && let Some(Item { work, sender, request }) = waiting.queue.pop_front()
        {
            if !sender.is_closed() {
                if taken.work.is_empty() {
                    taken.request = request;
                }
                taken.work.push(work);
                taken.senders.push(sender);
            }
        }
        waiting.written = !taken.work.is_empty();
        taken
    }
}

struct Writer<T, R>(Arc<Group<T, R>>);

impl<T: Send + 'static, R: Send + 'static> Writer<T, R> {
    async fn run<C, F>(self, commit: C)
    where
        C: Fn(Vec<T>) -> F,
        F: Future<Output = Vec<R>>,
    {
        loop {
            self.gather().await;
            let Taken { work, senders, request } = self.0.take();
            if work.is_empty() {
                return;
            }
            for (sender, result) in senders.into_iter().zip(promptly(commit(work)).instrument(request).await) {
                // Who has gone needs no answer.
                let _ = sender.send(result);
            }
        }
    }

    /// Those who are about to come take part: tasks that are ready run before this one goes on, until they bring nobody.
    async fn gather(&self) {
        let mut gathered = 0;
        loop {
            tokio::task::yield_now().await;
            let waiting = self.0.waiting().queue.len();
            if waiting <= gathered || waiting >= MAX_TOGETHER {
                return;
            }
            gathered = waiting;
        }
    }
}

impl<T, R> Drop for Writer<T, R> {
    /// After a panic: those who wait are told, and the next begins again.
    fn drop(&mut self) {
        let mut waiting = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::thread::panicking() {
            waiting.queue.clear();
            waiting.written = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::{Semaphore, mpsc};

    use super::*;

    #[tokio::test]
    async fn those_who_come_during_a_commit_share_the_next_and_who_has_gone_is_left_out() {
        let group: Arc<Group<u32, u32>> = Arc::default();
        let (commits, mut committed) = mpsc::unbounded_channel();
        let gate = Arc::new(Semaphore::new(0));
        let write = |number| {
            let (group, commits, gate) = (group.clone(), commits.clone(), gate.clone());
            tokio::spawn(async move {
                group
                    .write(number, move |all: Vec<u32>| {
                        let (commits, gate) = (commits.clone(), gate.clone());
                        async move {
                            commits.send(all.clone()).unwrap();
                            gate.acquire().await.unwrap().forget();
                            all.iter().map(|number| number * 2).collect()
                        }
                    })
                    .await
            })
        };
        let first = write(1);
        assert_eq!(committed.recv().await, Some(vec![1]));
        let (second, gone, third) = (write(2), write(3), write(4));
        while group.waiting().queue.len() < 3 {
            tokio::task::yield_now().await;
        }
        gone.abort();
        assert!(gone.await.is_err());
        gate.add_permits(2);
        assert_eq!(committed.recv().await, Some(vec![2, 4]));
        assert_eq!((first.await.unwrap(), second.await.unwrap(), third.await.unwrap()), (Some(2), Some(4), Some(8)));
        gate.add_permits(1);
        assert_eq!(write(5).await.unwrap(), Some(10), "it begins anew after a rest");
    }

    #[tokio::test]
    async fn a_commit_that_panics_leaves_nobody_waiting() {
        let group: Arc<Group<u32, u32>> = Arc::default();
        let panics = |_: Vec<u32>| async { panic!("on purpose") };
        assert_eq!(group.write(1, panics).await, None);
        assert_eq!(group.write(2, |all: Vec<u32>| async { all }).await, Some(2));
    }
}
