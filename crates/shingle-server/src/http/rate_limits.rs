//! Rate limits of visitors, widgets and API keys. Beyond those of a minute a browser may pass that does some work first.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::id::KeyId;
use shingle_domain::{LinkId, Tenant};
use shingle_store::Clock;

use super::error::{ApiError, ApiResult};
use super::limiter::Limiter;
use crate::config::LimitSettings;
use crate::proof_of_work::{ProofOfWork, Solution};
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

/// What may be asked of a visitor beyond a limit.
#[derive(Debug, Clone, Copy)]
pub enum Sender<'a> {
    /// A form, which can solve nothing.
    Form,
    /// A script, with the solution that it sent. What solves nothing says that the browser could not.
    Script(Option<&'a str>),
}

pub struct RateLimits {
    visitors: [Limiter<Network>; 6],
    widgets: [Limiter<LinkId>; 5],
    /// Suggestions and roofs of a network and of a widget, a day. Beyond these a script has to work.
    network_reads: [Limiter<Network>; 2],
    widget_reads: [Limiter<LinkId>; 2],
    /// Beyond these nobody gets any, whatever work was done.
    network_days: [Limiter<Network>; 2],
    widget_days: [Limiter<LinkId>; 2],
    /// Leads up to which a widget's are believed.
    ordinary_leads: Limiter<LinkId>,
    network_leads: Limiter<Network>,
    widget_leads: Limiter<LinkId>,
    account_leads: Limiter<Tenant>,
    keys: Limiter<KeyId>,
    work: ProofOfWork,
    clock: Arc<dyn Clock>,
}

type Network = [u8; 7];

/// How many times its ordinary rate a widget takes of leads beyond it, which did no work.
const SUSPECT_LEADS: u32 = 9;
/// The part of a network's day that it may use up at once, before it has to work: a quarter.
const AT_ONCE: u32 = 4;
/// How many times its day a widget answers at most, to whoever works for it.
const FLOOD: u32 = 10;
/// Numbers that are searched at most for the easiest challenge: some hundredths of a second on a telephone.
const EASIEST: u64 = 40_000;

/// How fast leads come in at a widget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeadRate {
    Ordinary,
    /// Somebody floods the widget; among these leads are honest ones.
    Crowded,
}

impl RateLimits {
    pub fn new(limits: &LimitSettings, work: ProofOfWork, clock: &Arc<dyn Clock>) -> Self {
        let visitors = |count| Limiter::per_minute(count, clock);
        let widgets = |count| Limiter::per_minute(count, clock);
        let network_days = [limits.suggestions_per_visitor_a_day, limits.roofs_per_visitor_a_day];
        let widget_days = [limits.suggestions_per_widget_a_day, limits.roofs_per_widget_a_day];
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
                widgets(limits.leads_per_widget.saturating_mul(SUSPECT_LEADS)),
                widgets(limits.checks_per_widget),
                widgets(limits.photos_per_widget),
            ],
            network_reads: network_days.map(|count| Limiter::per_day(count, count.div_ceil(AT_ONCE), clock)),
            widget_reads: widget_days.map(|count| Limiter::per_day(count, count, clock)),
            network_days: network_days.map(|count| Limiter::per_day(count, count, clock)),
            widget_days: widget_days
                .map(|count| count.saturating_mul(FLOOD))
                .map(|count| Limiter::per_day(count, count, clock)),
            ordinary_leads: widgets(limits.leads_per_widget),
            network_leads: Limiter::per_day(limits.leads_per_visitor_a_day, limits.leads_per_visitor_a_day, clock),
            widget_leads: Limiter::per_day(limits.leads_per_widget_a_day, limits.leads_per_widget_a_day, clock),
            account_leads: Limiter::per_day(limits.leads_per_account_a_day, limits.leads_per_account_a_day, clock),
            keys: Limiter::per_minute(limits.requests_per_key, clock),
            work,
            clock: clock.clone(),
        }
    }

    /// Counts one action of a visitor at a widget.
    pub fn check_visitor(
        &self,
        action: LimitedAction,
        ip: IpAddr,
        widget: LinkId,
        sender: Sender<'_>,
    ) -> ApiResult<()> {
        let mut visit = self.visit(action, ip, widget, sender);
        visit.pass(visit.visitors, &network_prefix(ip))?;
        if let Some(widgets) = visit.widgets {
            visit.pass(widgets, &widget)?;
        }
        if let Some(read) = visit.read {
            visit.pass(&self.network_reads[read], &network_prefix(ip))?;
            visit.pass(&self.widget_reads[read], &widget)?;
            check(&self.network_days[read], &network_prefix(ip))?;
            check(&self.widget_days[read], &widget)?;
        }
        Ok(())
    }

    /// Counts a new lead. Beyond the widget's rate those that did no work are still taken: a few networks must not shut
    /// out the honest.
    pub fn check_lead(&self, ip: IpAddr, widget: LinkId, tenant: &Tenant, sender: Sender<'_>) -> ApiResult<LeadRate> {
        let mut visit = self.visit(LimitedAction::Lead, ip, widget, sender);
        visit.pass(visit.visitors, &network_prefix(ip))?;
        let rate = match visit.pass(&self.ordinary_leads, &widget) {
            Ok(()) => LeadRate::Ordinary,
            Err(refused) if matches!(sender, Sender::Script(None)) => return Err(refused),
            Err(_) => {
                visit.widgets.map_or(Ok(()), |suspects| visit.pass(suspects, &widget))?;
                LeadRate::Crowded
            }
        };
        check(&self.network_leads, &network_prefix(ip))?;
        check(&self.widget_leads, &widget)?;
        check(&self.account_leads, tenant)?;
        Ok(rate)
    }

    /// Counts one request with an API key.
    pub fn check_key(&self, key: &KeyId) -> ApiResult<()> {
        check(&self.keys, key)
    }

    /// Forgets visitors, widgets and keys that have used up nothing of their limit.
    pub fn evict_idle(&self) {
        self.visitors.iter().for_each(Limiter::evict_idle);
        self.widgets.iter().for_each(Limiter::evict_idle);
        self.network_reads.iter().for_each(Limiter::evict_idle);
        self.widget_reads.iter().for_each(Limiter::evict_idle);
        self.network_days.iter().for_each(Limiter::evict_idle);
        self.widget_days.iter().for_each(Limiter::evict_idle);
        self.ordinary_leads.evict_idle();
        self.network_leads.evict_idle();
        self.widget_leads.evict_idle();
        self.account_leads.evict_idle();
        self.keys.evict_idle();
        self.work.forget_expired(self.clock.now());
    }

    fn visit(&self, action: LimitedAction, ip: IpAddr, widget: LinkId, sender: Sender<'_>) -> Visit<'_> {
        let (visitors, widgets) = match action {
            LimitedAction::Session => (&self.visitors[0], None),
            LimitedAction::Suggestion => (&self.visitors[1], Some(&self.widgets[0])),
            LimitedAction::Roof => (&self.visitors[2], Some(&self.widgets[1])),
            LimitedAction::Lead => (&self.visitors[3], Some(&self.widgets[2])),
            LimitedAction::Check => (&self.visitors[4], Some(&self.widgets[3])),
            LimitedAction::Photo => (&self.visitors[5], Some(&self.widgets[4])),
        };
        let network = network_prefix(ip);
        let purpose = [&[action as u8][..], &network, widget.0.as_bytes()].concat();
        let solution = match sender {
            Sender::Script(Some(sent)) => self.work.verify(sent, &purpose, self.clock.now()),
            _ => None,
        };
        let can_work = matches!(sender, Sender::Script(_));
        let is_lead = action == LimitedAction::Lead;
        let read = match action {
            LimitedAction::Suggestion => Some(0),
            LimitedAction::Roof => Some(1),
            _ => None,
        };
        Visit {
            limits: self,
            network,
            widget,
            visitors,
            widgets,
            read,
            is_lead,
            can_work,
            purpose,
            solution,
            spent: false,
        }
    }
}

/// One request on its way past several limits. One solution serves for all of them.
struct Visit<'l> {
    limits: &'l RateLimits,
    network: Network,
    widget: LinkId,
    visitors: &'l Limiter<Network>,
    widgets: Option<&'l Limiter<LinkId>>,
    /// Which of the limits of a day count it.
    read: Option<usize>,
    is_lead: bool,
    can_work: bool,
    purpose: Vec<u8>,
    solution: Option<Solution>,
    spent: bool,
}

impl Visit<'_> {
    fn pass<K: core::hash::Hash + Eq + Clone>(&mut self, limiter: &Limiter<K>, key: &K) -> ApiResult<()> {
        let Err(retry_after) = limiter.check(key) else { return Ok(()) };
        // While it was solved, the next one may have become twice as hard.
        let needed = (EASIEST << limiter.level(key)) / 2;
        if self.solution.as_ref().is_some_and(|solution| solution.max_number >= needed) && self.spend() {
            limiter.passed_beyond(key);
            return Ok(());
        }
        Err(self.refusal(retry_after))
    }

    fn spend(&mut self) -> bool {
        let RateLimits { work, clock, .. } = self.limits;
        self.spent = self.spent || self.solution.as_ref().is_some_and(|solution| work.spend(solution, clock.now()));
        self.spent
    }

    fn refusal(&self, retry_after: u64) -> ApiError {
        if !self.can_work {
            return ApiError::RateLimited { retry_after, challenge: None };
        }
        let RateLimits { work, clock, ordinary_leads, network_reads, widget_reads, .. } = self.limits;
        let widgets = self.widgets.map_or(0, |widgets| widgets.level(&self.widget));
        let leads = if self.is_lead { ordinary_leads.level(&self.widget) } else { 0 };
        let reads = self
            .read
            .map_or(0, |read| network_reads[read].level(&self.network).max(widget_reads[read].level(&self.widget)));
        let level = self.visitors.level(&self.network).max(widgets).max(leads).max(reads);
        match work.challenge(&self.purpose, EASIEST << level, clock.now()) {
            Ok(challenge) => ApiError::RateLimited { retry_after, challenge: Some(Box::new(challenge)) },
            Err(error) => error.into(),
        }
    }
}

fn check<K: core::hash::Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> ApiResult<()> {
    limiter.check(key).map_err(|retry_after| ApiError::RateLimited { retry_after, challenge: None })
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::time::Duration;

    use shingle_domain::Timestamp;
    use uuid::Uuid;

    use super::*;

    /// A clock that is turned by hand.
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

    /// What scripts get that ask as often as they may, each from a network of its own and without working: in an hour,
    /// and in a day. Sessions make no difference, because a network is what is counted.
    fn harvest(networks: u8, action: LimitedAction) -> [u32; 2] {
        let turned = Arc::new(TurnedClock::default());
        let clock: Arc<dyn Clock> = turned.clone();
        let limits = RateLimits::new(&LimitSettings::default(), ProofOfWork::new(&[7; 32]), &clock);
        let widget = LinkId(Uuid::from_u128(1));
        let tenant = Tenant {
            account: "0193b5a0-0000-7000-8000-000000000001".parse().unwrap(),
            environment: shingle_domain::Environment::Production,
        };
        let mut got = 0;
        [60, 23 * 60].map(|minutes| {
            for _ in 0..minutes {
                for network in 0..networks {
                    let ip = IpAddr::from([203, 0, network, 9]);
                    // One that is refused loses the next try too; a form asks for no challenge.
                    let allowed = || match action {
                        LimitedAction::Lead => limits.check_lead(ip, widget, &tenant, Sender::Form).is_ok(),
                        _ => limits.check_visitor(action, ip, widget, Sender::Form).is_ok(),
                    };
                    while allowed() {
                        got += 1;
                    }
                }
                *turned.0.lock().unwrap() += Duration::from_secs(60);
            }
            got
        })
    }

    #[test]
    fn a_script_that_does_no_work_reads_little_of_the_index_out() {
        use LimitedAction::{Lead, Roof, Suggestion};
        for (networks, action, most) in [
            (1, Suggestion, [1_800, 7_600]),
            (1, Roof, [300, 1_260]),
            (1, Lead, [420, 800]),
            (50, Suggestion, [60_000, 110_000]),
            (50, Roof, [5_300, 10_100]),
            (50, Lead, [21_000, 41_000]),
        ] {
            let got = harvest(networks, action);
            println!("{networks} networks, {action:?}: {} in an hour, {} in a day", got[0], got[1]);
            assert!(got[0] <= most[0] && got[1] <= most[1], "{networks} {action:?} {got:?}");
            assert!(got[0] * 2 > most[0] / 2, "the limit is what bounds it: {networks} {action:?} {got:?}");
        }
    }
}
