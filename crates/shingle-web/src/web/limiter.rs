//! One limit for many visitors, widgets or keys, counted by the time that the injected clock says has passed.

use core::hash::Hash;
use core::num::NonZeroU32;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
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
        Self { rate, per_minute, burst, beyond: Mutex::default() }
    }

    /// Counts a request, or says in how many seconds one may come again.
    pub fn check(&self, key: &K) -> Result<(), u64> {
        self.rate.check_key(key).map_err(|not_until| {
            let wait = not_until.wait_time_from(self.rate.clock().now());
            wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
        })
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
    }

    fn drained(&self, beyond: Beyond) -> f64 {
        let minutes = self.rate.clock().now().saturating_sub(beyond.at).as_secs_f64() / 60.0;
        (beyond.count - minutes * self.per_minute).max(0.0)
    }
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
