//! One limit for many visitors, widgets or keys, counted by the time that the injected clock says has passed.

use core::hash::Hash;
use core::num::NonZeroU32;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use shingle_store::Clock;

/// Beyond this, work does not get harder: a phone would take a minute.
const MAX_LEVEL: u32 = 6;

/// The limit of one kind of request.
pub struct Limiter<K: Hash + Eq + Clone> {
    rate: RateLimiter<K, DashMapStateStore<K>, LimiterClock, NoOpMiddleware<Duration>>,
    per_minute: f64,
    /// What may come at once.
    burst: f64,
    beyond: Mutex<HashMap<K, Beyond>>,
    others: Others<K>,
}

/// Limits that other nodes count too.
struct Others<K> {
    /// Whether there are any, and whether they have let pass what is not paid yet: most servers need no locks.
    exist: AtomicBool,
    have_debts: AtomicBool,
    /// What was let pass here since the others were told.
    used: Mutex<HashMap<K, u32>>,
    debts: Mutex<HashMap<K, Debt>>,
}

/// What the others let pass beyond what was left here. It is paid from what becomes free.
struct Debt {
    count: u32,
    at: Duration,
}

/// Requests beyond the limit that solved challenges let pass. They drain at the limit's own pace.
#[derive(Clone, Copy)]
struct Beyond {
    count: f64,
    at: Duration,
}

impl<K: Hash + Eq + Clone> Limiter<K> {
    pub fn per_minute(count: u32, clock: &Arc<dyn Clock>) -> Self {
        let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        Self::new(Quota::per_minute(count), f64::from(count.get()), clock)
    }

    /// Of which `burst` may come at once.
    pub fn per_day(count: u32, burst: u32, clock: &Arc<dyn Clock>) -> Self {
        const DAY: Duration = Duration::from_secs(24 * 3_600);
        let [count, burst] = [count, burst].map(|count| NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN));
        // A day is longer than any count of parts of it is.
        let quota = Quota::with_period(DAY / count.get()).unwrap_or(Quota::per_second(count)).allow_burst(burst);
        Self::new(quota, f64::from(count.get()) / 1_440.0, clock)
    }

    fn new(quota: Quota, per_minute: f64, clock: &Arc<dyn Clock>) -> Self {
        let burst = f64::from(quota.burst_size().get());
        let rate = RateLimiter::new(quota, DashMapStateStore::default(), LimiterClock(clock.clone()));
        let others = Others {
            exist: AtomicBool::new(false),
            have_debts: AtomicBool::new(false),
            used: Mutex::default(),
            debts: Mutex::default(),
        };
        Self { rate, per_minute, burst, beyond: Mutex::default(), others }
    }

    /// Counts a request, or says in how many seconds one may come again.
    pub fn check(&self, key: &K) -> Result<(), u64> {
        loop {
            self.rate.check_key(key).map_err(|not_until| {
                let wait = not_until.wait_time_from(self.rate.clock().now());
                wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
            })?;
            if !self.pays_debt(key) {
                self.note_use(key);
                return Ok(());
            }
        }
    }

    /// Whether what has become free was used by another node already.
    fn pays_debt(&self, key: &K) -> bool {
        if !self.others.have_debts.load(Ordering::Relaxed) {
            return false;
        }
        let mut debts = locked(&self.others.debts);
        let Some(debt) = debts.get_mut(key) else { return false };
        debt.count -= 1;
        if debt.count == 0 {
            debts.remove(key);
            self.others.have_debts.store(!debts.is_empty(), Ordering::Relaxed);
        }
        true
    }

    fn note_use(&self, key: &K) {
        if self.others.exist.load(Ordering::Relaxed) {
            let mut used = locked(&self.others.used);
            let count = used.entry(key.clone()).or_insert(0);
            *count = count.saturating_add(1);
        }
    }

    /// What was let pass since this was asked last. From the first time on it is counted.
    pub fn take_used(&self) -> HashMap<K, u32> {
        self.others.exist.store(true, Ordering::Relaxed);
        std::mem::take(&mut *locked(&self.others.used))
    }

    /// What another node let pass.
    pub fn count_others(&self, key: &K, count: u32) {
        let burst = self.burst as u32;
        let mut beyond = count;
        while beyond > 0 && self.rate.check_key(key).is_ok() {
            beyond -= 1;
        }
        if beyond > 0 {
            let mut debts = locked(&self.others.debts);
            let at = self.rate.clock().now();
            let debt = debts.entry(key.clone()).or_insert(Debt { count: 0, at });
            *debt = Debt { count: debt.count.saturating_add(beyond).min(burst), at };
            self.others.have_debts.store(true, Ordering::Relaxed);
        }
    }

    /// How many times what may come at once has passed beyond it lately.
    pub fn level(&self, key: &K) -> u32 {
        let beyond = self.beyond.lock().unwrap_or_else(PoisonError::into_inner);
        let count = beyond.get(key).map_or(0.0, |beyond| self.drained(*beyond));
        ((count / self.burst) as u32).min(MAX_LEVEL)
    }

    /// Counts a request that passed although it was beyond the limit.
    pub fn passed_beyond(&self, key: &K) {
        let mut all = self.beyond.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.rate.clock().now();
        let beyond = all.entry(key.clone()).or_insert(Beyond { count: 0.0, at: now });
        let most = self.burst * f64::from(MAX_LEVEL + 1);
        *beyond = Beyond { count: (self.drained(*beyond) + 1.0).min(most), at: now };
    }

    /// Forgets keys that have used up nothing of their limit.
    pub fn evict_idle(&self) {
        self.rate.retain_recent();
        let mut all = self.beyond.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, beyond| self.drained(*beyond) > 0.0);
        // By then limit and debt have become free, whether or not anybody came.
        let all_free = Duration::from_secs_f64(2.0 * 60.0 * self.burst / self.per_minute);
        let now = self.rate.clock().now();
        let mut debts = locked(&self.others.debts);
        debts.retain(|_, debt| now.saturating_sub(debt.at) < all_free);
        self.others.have_debts.store(!debts.is_empty(), Ordering::Relaxed);
    }

    fn drained(&self, beyond: Beyond) -> f64 {
        let minutes = self.rate.clock().now().saturating_sub(beyond.at).as_secs_f64() / 60.0;
        (beyond.count - minutes * self.per_minute).max(0.0)
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Never goes back: a wall clock that is set back an hour would refuse everybody for that hour.
#[derive(Clone)]
struct LimiterClock(Arc<dyn Clock>);

impl GovernorClock for LimiterClock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use shingle_domain::Timestamp;

    use super::*;

    #[derive(Default)]
    struct TurnedClock(Mutex<Duration>);

    impl Clock for TurnedClock {
        fn now(&self) -> Timestamp {
            Timestamp::from_micros(1_700_000_000_000_000) + self.elapsed()
        }

        fn elapsed(&self) -> Duration {
            *self.0.lock().unwrap()
        }
    }

    /// What one key gets in ten minutes at nodes that tell each other once a second, asking each as often as it may.
    fn got_at(nodes: usize, tells: bool) -> u32 {
        let turned = Arc::new(TurnedClock::default());
        let clock: Arc<dyn Clock> = turned.clone();
        let nodes: Vec<_> = (0..nodes).map(|_| Limiter::per_minute(60, &clock)).collect();
        nodes.iter().for_each(|node| drop(node.take_used()));
        let mut got = 0;
        for second in 0..600 {
            for node in &nodes {
                while node.check(&1).is_ok() {
                    got += 1;
                }
            }
            for (from, node) in nodes.iter().enumerate() {
                let used = node.take_used();
                for (_, other) in nodes.iter().enumerate().filter(|(to, _)| tells && *to != from) {
                    used.iter().for_each(|(key, count)| other.count_others(key, *count));
                }
            }
            if second % 60 == 59 {
                nodes.iter().for_each(Limiter::evict_idle);
            }
            *turned.0.lock().unwrap() += Duration::from_secs(1);
        }
        got
    }

    #[test]
    fn several_nodes_let_pass_what_one_does_and_what_comes_at_once_to_each() {
        let one = got_at(1, true);
        assert!((650..=665).contains(&one), "sixty at once and sixty a minute: {one}");
        let three = got_at(3, true);
        // Within the first second nobody knows of the others; afterwards what becomes free is shared.
        assert!(three <= one + 2 * 60 + 60, "{three} at three nodes, {one} at one");
        assert!(got_at(3, false) > 2 * one, "three nodes that do not tell each other let three times as much pass");
    }

    #[test]
    fn what_others_used_is_gone_here_and_comes_back_with_time() {
        let turned = Arc::new(TurnedClock::default());
        let clock: Arc<dyn Clock> = turned.clone();
        let limiter = Limiter::per_minute(10, &clock);
        limiter.count_others(&1, 15);
        assert!(limiter.check(&1).is_err() && limiter.check(&2).is_ok());
        *turned.0.lock().unwrap() = Duration::from_secs(30);
        assert!(limiter.check(&1).is_err(), "five became free, and were owed");
        *turned.0.lock().unwrap() = Duration::from_secs(36);
        assert!(limiter.check(&1).is_ok());
        limiter.count_others(&3, 1_000_000);
        *turned.0.lock().unwrap() += Duration::from_secs(121);
        limiter.evict_idle();
        assert!(limiter.check(&3).is_ok(), "a debt has an end");
    }
}
