//! How often one may ask, counted by the injected clock.

use core::hash::Hash;
use core::num::NonZeroU32;
use core::ops::Add;
use std::net::IpAddr;
use std::sync::Arc;

use governor::clock::{Clock as Ticks, Reference};
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use shingle_domain::id::KeyId;
use shingle_domain::{Timestamp, WidgetId};
use shingle_store::Clock;

use super::error::{Answer, Failure};
use crate::config::Limits;
use crate::session::neighbourhood;

/// What visitors do, each with its own measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deed {
    Session,
    Suggestion,
    Roof,
    Lead,
    Check,
}

pub struct Gate {
    visitors: [Keyed<[u8; 7]>; 5],
    widgets: [Keyed<WidgetId>; 4],
    keys: Keyed<KeyId>,
}

type Keyed<K> = RateLimiter<K, DashMapStateStore<K>, Ticker, NoOpMiddleware<Tick>>;

impl Gate {
    pub fn new(limits: &Limits, clock: &Arc<dyn Clock>) -> Self {
        let per = |a_minute: u32| Quota::per_minute(NonZeroU32::new(a_minute).unwrap_or(NonZeroU32::MIN));
        let ticker = || Ticker(clock.clone());
        let visitors = |n| RateLimiter::new(per(n), DashMapStateStore::default(), ticker());
        let widgets = |n| RateLimiter::new(per(n), DashMapStateStore::default(), ticker());
        Self {
            visitors: [
                visitors(limits.sessions_per_visitor),
                visitors(limits.suggestions_per_visitor),
                visitors(limits.roofs_per_visitor),
                visitors(limits.leads_per_visitor),
                visitors(limits.checks_per_visitor),
            ],
            widgets: [
                widgets(limits.suggestions_per_widget),
                widgets(limits.roofs_per_widget),
                widgets(limits.leads_per_widget),
                widgets(limits.checks_per_widget),
            ],
            keys: RateLimiter::new(per(limits.requests_per_key), DashMapStateStore::default(), ticker()),
        }
    }

    /// Counts one deed of a visitor at a widget.
    pub fn visit(&self, deed: Deed, ip: IpAddr, widget: WidgetId) -> Answer<()> {
        let (visitors, widgets) = match deed {
            Deed::Session => (&self.visitors[0], None),
            Deed::Suggestion => (&self.visitors[1], Some(&self.widgets[0])),
            Deed::Roof => (&self.visitors[2], Some(&self.widgets[1])),
            Deed::Lead => (&self.visitors[3], Some(&self.widgets[2])),
            Deed::Check => (&self.visitors[4], Some(&self.widgets[3])),
        };
        count(visitors, &neighbourhood(ip))?;
        widgets.map_or(Ok(()), |widgets| count(widgets, &widget))
    }

    pub fn request(&self, key: &KeyId) -> Answer<()> {
        count(&self.keys, key)
    }

    /// Forgets who has long been quiet.
    pub fn tidy(&self) {
        self.visitors.iter().for_each(RateLimiter::retain_recent);
        self.widgets.iter().for_each(RateLimiter::retain_recent);
        self.keys.retain_recent();
    }
}

fn count<K: Hash + Eq + Clone>(limiter: &Keyed<K>, key: &K) -> Answer<()> {
    limiter.check_key(key).map_err(|not_until| {
        let wait = not_until.wait_time_from(limiter.clock().now());
        Failure::TooMany { retry_after: wait.as_secs() + u64::from(wait.subsec_nanos() > 0) }
    })
}

#[derive(Clone)]
struct Ticker(Arc<dyn Clock>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Tick(Timestamp);

impl Ticks for Ticker {
    type Instant = Tick;

    fn now(&self) -> Tick {
        Tick(self.0.now())
    }
}

impl Add<Nanos> for Tick {
    type Output = Self;

    fn add(self, by: Nanos) -> Self {
        Self(self.0 + by.into())
    }
}

impl Reference for Tick {
    fn duration_since(&self, earlier: Self) -> Nanos {
        let micros = u64::try_from(self.0.micros() - earlier.0.micros()).unwrap_or(0);
        Nanos::from(micros.saturating_mul(1_000))
    }

    fn saturating_sub(&self, by: Nanos) -> Self {
        Self(self.0 - by.into())
    }
}
