//! Rate limits of visitors, widgets and API keys, counted by the time that the injected clock says has passed.

use core::hash::Hash;
use core::num::NonZeroU32;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use governor::clock::Clock as GovernorClock;
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use shingle_domain::id::KeyId;
use shingle_domain::{Tenant, WidgetId};
use shingle_store::Clock;

use super::error::{ApiError, ApiResult};
use crate::config::LimitSettings;
use crate::tokens::network_prefix;

/// What visitors do, each with a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitedAction {
    Session,
    Suggestion,
    Roof,
    Lead,
    Check,
    Photo,
}

pub struct RateLimits {
    visitors: [KeyedLimiter<[u8; 7]>; 6],
    widgets: [KeyedLimiter<WidgetId>; 5],
    /// Suggestions and roofs of a day.
    visitor_days: [KeyedLimiter<[u8; 7]>; 2],
    /// Leads up to which a widget's are believed.
    ordinary_leads: KeyedLimiter<WidgetId>,
    widget_days: KeyedLimiter<WidgetId>,
    account_days: KeyedLimiter<Tenant>,
    keys: KeyedLimiter<KeyId>,
}

/// How many times its ordinary rate of leads a widget takes at most.
const LEAD_FLOOD: u32 = 10;

/// How fast leads come in at a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadRate {
    Ordinary,
    /// Somebody floods the widget; among these leads are honest ones.
    Crowded,
}

type KeyedLimiter<K> = RateLimiter<K, DashMapStateStore<K>, LimiterClock, NoOpMiddleware<Duration>>;

impl RateLimits {
    pub fn new(limits: &LimitSettings, clock: &Arc<dyn Clock>) -> Self {
        let quota = |per_minute: u32| Quota::per_minute(NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN));
        let limiter_clock = || LimiterClock(clock.clone());
        let visitors = |n| RateLimiter::new(quota(n), DashMapStateStore::default(), limiter_clock());
        let widgets = |n| RateLimiter::new(quota(n), DashMapStateStore::default(), limiter_clock());
        Self {
            visitors: [
                visitors(limits.sessions_per_visitor),
                visitors(limits.suggestions_per_visitor),
                visitors(limits.roofs_per_visitor),
                visitors(limits.leads_per_visitor),
                visitors(limits.checks_per_visitor),
                visitors(limits.photos_per_visitor),
            ],
            widgets: [
                widgets(limits.suggestions_per_widget),
                widgets(limits.roofs_per_widget),
                widgets(limits.leads_per_widget.saturating_mul(LEAD_FLOOD)),
                widgets(limits.checks_per_widget),
                widgets(limits.photos_per_widget),
            ],
            visitor_days: [
                RateLimiter::new(a_day(limits.suggestions_per_visitor_a_day), <_>::default(), limiter_clock()),
                RateLimiter::new(a_day(limits.roofs_per_visitor_a_day), <_>::default(), limiter_clock()),
            ],
            ordinary_leads: widgets(limits.leads_per_widget),
            widget_days: RateLimiter::new(a_day(limits.leads_per_widget_a_day), <_>::default(), limiter_clock()),
            account_days: RateLimiter::new(a_day(limits.leads_per_account_a_day), <_>::default(), limiter_clock()),
            keys: RateLimiter::new(quota(limits.requests_per_key), DashMapStateStore::default(), limiter_clock()),
        }
    }

    /// Counts one action of a visitor at a widget.
    pub fn check_visitor(&self, action: LimitedAction, ip: IpAddr, widget: WidgetId) -> ApiResult<()> {
        let (visitors, widgets) = match action {
            LimitedAction::Session => (&self.visitors[0], None),
            LimitedAction::Suggestion => (&self.visitors[1], Some(&self.widgets[0])),
            LimitedAction::Roof => (&self.visitors[2], Some(&self.widgets[1])),
            LimitedAction::Lead => (&self.visitors[3], Some(&self.widgets[2])),
            LimitedAction::Check => (&self.visitors[4], Some(&self.widgets[3])),
            LimitedAction::Photo => (&self.visitors[5], Some(&self.widgets[4])),
        };
        check(visitors, &network_prefix(ip))?;
        match action {
            LimitedAction::Suggestion => check(&self.visitor_days[0], &network_prefix(ip))?,
            LimitedAction::Roof => check(&self.visitor_days[1], &network_prefix(ip))?,
            _ => (),
        }
        widgets.map_or(Ok(()), |widgets| check(widgets, &widget))
    }

    /// Counts a new lead. Beyond the widget's rate it is still taken: a few networks must not shut out the honest.
    pub fn check_lead(&self, ip: IpAddr, widget: WidgetId, tenant: &Tenant) -> ApiResult<LeadRate> {
        self.check_visitor(LimitedAction::Lead, ip, widget)?;
        check(&self.widget_days, &widget)?;
        check(&self.account_days, tenant)?;
        let ordinary = self.ordinary_leads.check_key(&widget).is_ok();
        Ok(if ordinary { LeadRate::Ordinary } else { LeadRate::Crowded })
    }

    /// Counts one request with an API key.
    pub fn check_key(&self, key: &KeyId) -> ApiResult<()> {
        check(&self.keys, key)
    }

    /// Forgets visitors, widgets and keys that have used up nothing of their limit.
    pub fn evict_idle(&self) {
        self.visitors.iter().for_each(RateLimiter::retain_recent);
        self.widgets.iter().for_each(RateLimiter::retain_recent);
        self.visitor_days.iter().for_each(RateLimiter::retain_recent);
        self.ordinary_leads.retain_recent();
        self.widget_days.retain_recent();
        self.account_days.retain_recent();
        self.keys.retain_recent();
    }
}

fn a_day(count: u32) -> Quota {
    const DAY: Duration = Duration::from_secs(24 * 3_600);
    let count = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
    // A day is longer than any count of parts of it is.
    Quota::with_period(DAY / count.get()).map_or(Quota::per_second(count), |quota| quota.allow_burst(count))
}

fn check<K: Hash + Eq + Clone>(limiter: &KeyedLimiter<K>, key: &K) -> ApiResult<()> {
    limiter.check_key(key).map_err(|not_until| {
        let wait = not_until.wait_time_from(limiter.clock().now());
        ApiError::RateLimited { retry_after: wait.as_secs() + u64::from(wait.subsec_nanos() > 0) }
    })
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
