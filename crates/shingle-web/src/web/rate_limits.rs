//! Rate limits of visitors, widgets and API keys. Beyond those of a minute a browser may pass that does some work first.
//!
//! # Decision
//!
//! Beyond a widget's rate, leads are kept as suspect (`spam`); at ten times the rate, and beyond the daily caps of
//! network, widget and account, they are refused. Suggestions and roofs have daily limits too; without them a script
//! read 3,600 roofs an hour. A test counts what a script gets. Nodes tell each other what they let pass (`shared_limits.rs`);
//! days are counted from a node's start. Turned down: refusing at the widget's rate, with which twelve networks could shut out honest visitors.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::id::KeyId;
use shingle_domain::{LinkId, Tenant};
use shingle_store::{Clock, Store};

use crate::web::error::{ApiError, ApiResult};
use crate::web::limiter::Limiter;
use crate::web::proof_of_work::{ProofOfWork, Solution};
use crate::web::shared_limits::SharedLimit;
use shingle_app::config::LimitSettings;
use shingle_app::leads::intake::LeadRate;
use shingle_app::tokens::network_prefix;

/// What visitors do, each with a limit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitedAction {
    Session,
    Suggestion,
    Roof,
    Lead,
    /// What a homeowner adds to a lead of his own.
    LeadChange,
    Check,
    Photo,
    /// A step that is only counted.
    Step,
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
    /// In the order of [`LimitedAction`].
    actions: [ActionLimits; 8],
    leads: LeadLimits,
    keys: Limiter<KeyId>,
    work: ProofOfWork,
    /// Where solutions are spent that other nodes may see too.
    spent_at: Option<Store>,
    clock: Arc<dyn Clock>,
}

/// How often an action may come in a minute.
struct ActionLimits {
    networks: Limiter<Network>,
    widgets: Option<Limiter<LinkId>>,
    /// Of what reads the index.
    days: Option<DayLimits>,
}

struct DayLimits {
    /// Beyond these a script has to work.
    free_networks: Limiter<Network>,
    free_widgets: Limiter<LinkId>,
    /// Beyond these nobody gets any, whatever work was done.
    networks: Limiter<Network>,
    widgets: Limiter<LinkId>,
}

struct LeadLimits {
    /// Up to which a widget's are believed.
    ordinary: Limiter<LinkId>,
    /// A day.
    networks: Limiter<Network>,
    widgets: Limiter<LinkId>,
    accounts: Limiter<Tenant>,
}

type Network = [u8; 7];

/// How many times its ordinary rate a widget takes of leads beyond it, which did no work.
const SUSPECT_LEADS: u32 = 9;
/// The part of a network's day that it may use up at once, before it has to work: a quarter.
const AT_ONCE: u32 = 4;
/// How many times its day a widget answers at most, to clients that solve its challenges.
const FLOOD: u32 = 10;
/// Numbers that are searched at most for the easiest challenge: some hundredths of a second on a phone.
const EASIEST: u64 = 40_000;

impl RateLimits {
    pub fn new(limits: &LimitSettings, work: ProofOfWork, clock: &Arc<dyn Clock>) -> Self {
        let action = |network, widget: Option<u32>| ActionLimits {
            networks: Limiter::per_minute(network, clock),
            widgets: widget.map(|count| Limiter::per_minute(count, clock)),
            days: None,
        };
        Self {
            actions: [
                action(limits.sessions_per_visitor, None),
                ActionLimits {
                    days: Some(DayLimits::new(
                        limits.suggestions_per_visitor_a_day,
                        limits.suggestions_per_widget_a_day,
                        clock,
                    )),
                    ..action(limits.suggestions_per_visitor, Some(limits.suggestions_per_widget))
                },
                ActionLimits {
                    days: Some(DayLimits::new(limits.roofs_per_visitor_a_day, limits.roofs_per_widget_a_day, clock)),
                    ..action(limits.roofs_per_visitor, Some(limits.roofs_per_widget))
                },
                action(limits.leads_per_visitor, Some(limits.leads_per_widget.saturating_mul(SUSPECT_LEADS))),
                action(limits.lead_changes_per_visitor, Some(limits.lead_changes_per_widget)),
                action(limits.checks_per_visitor, Some(limits.checks_per_widget)),
                action(limits.photos_per_visitor, Some(limits.photos_per_widget)),
                // A flow reports two of them.
                action(limits.sessions_per_visitor.saturating_mul(2), None),
            ],
            leads: LeadLimits {
                ordinary: Limiter::per_minute(limits.leads_per_widget, clock),
                networks: Limiter::per_day(limits.leads_per_visitor_a_day, limits.leads_per_visitor_a_day, clock),
                widgets: Limiter::per_day(limits.leads_per_widget_a_day, limits.leads_per_widget_a_day, clock),
                accounts: Limiter::per_day(limits.leads_per_account_a_day, limits.leads_per_account_a_day, clock),
            },
            keys: Limiter::per_minute(limits.requests_per_key, clock),
            work,
            spent_at: None,
            clock: clock.clone(),
        }
    }

    /// For one of several nodes.
    #[must_use]
    pub fn among_nodes(self, store: &Store) -> Self {
        let spent_at = Some(store).filter(|store| store.nodes().may_be_several()).cloned();
        Self { spent_at, ..self }
    }

    /// What all nodes count together, by names that all of them know.
    pub(crate) fn shared(&self) -> Vec<(String, &dyn SharedLimit)> {
        /// In the order of [`LimitedAction`].
        const ACTIONS: [&str; 8] = ["session", "suggestion", "roof", "lead", "lead-change", "check", "photo", "step"];
        fn named<'l>(name: &str, limit: &'l dyn SharedLimit) -> (String, &'l dyn SharedLimit) {
            (name.to_owned(), limit)
        }
        let mut all: Vec<(String, &dyn SharedLimit)> = vec![
            named("key", &self.keys),
            named("ordinary-lead", &self.leads.ordinary),
            named("network-lead-day", &self.leads.networks),
            named("widget-lead-day", &self.leads.widgets),
            named("account-lead-day", &self.leads.accounts),
        ];
        for (action, ActionLimits { networks, widgets, days }) in ACTIONS.into_iter().zip(&self.actions) {
            all.push((format!("{action}-network"), networks));
            if let Some(widgets) = widgets {
                all.push((format!("{action}-widget"), widgets));
            }
            if let Some(days) = days {
                all.push((format!("{action}-free-network"), &days.free_networks));
                all.push((format!("{action}-free-widget"), &days.free_widgets));
                all.push((format!("{action}-network-day"), &days.networks));
                all.push((format!("{action}-widget-day"), &days.widgets));
            }
        }
        all
    }

    /// Counts one action of a visitor at a widget.
    pub async fn check_visitor(
        &self,
        action: LimitedAction,
        ip: IpAddr,
        widget: LinkId,
        sender: Sender<'_>,
    ) -> ApiResult<()> {
        let mut visit = self.visit(action, ip, widget, sender);
        let ActionLimits { networks, widgets, days } = visit.limits;
        visit.pass(networks, &network_prefix(ip)).await?;
        if let Some(widgets) = widgets {
            visit.pass(widgets, &widget).await?;
        }
        if let Some(days) = days {
            visit.pass(&days.free_networks, &network_prefix(ip)).await?;
            visit.pass(&days.free_widgets, &widget).await?;
            check(&days.networks, &visit.network)?;
            check(&days.widgets, &widget)?;
        }
        Ok(())
    }

    /// Counts a new lead. Beyond the widget's rate those that did no work are still taken: a few networks must not shut
    /// out the honest.
    pub async fn check_lead(
        &self,
        ip: IpAddr,
        widget: LinkId,
        tenant: &Tenant,
        sender: Sender<'_>,
    ) -> ApiResult<LeadRate> {
        let mut visit = self.visit(LimitedAction::Lead, ip, widget, sender);
        let ActionLimits { networks, widgets, .. } = visit.limits;
        visit.pass(networks, &network_prefix(ip)).await?;
        let rate = match visit.pass(&self.leads.ordinary, &widget).await {
            Ok(()) => LeadRate::Ordinary,
            Err(refused) if matches!(sender, Sender::Script(None)) => return Err(refused),
            Err(_) => {
                if let Some(suspects) = widgets {
                    visit.pass(suspects, &widget).await?;
                }
                LeadRate::Crowded
            }
        };
        check(&self.leads.networks, &visit.network)?;
        check(&self.leads.widgets, &widget)?;
        check(&self.leads.accounts, tenant)?;
        Ok(rate)
    }

    /// Counts one request with an API key.
    pub fn check_key(&self, key: &KeyId) -> ApiResult<()> {
        check(&self.keys, key)
    }

    /// Forgets visitors, widgets and keys that have used up nothing of their limit.
    pub fn evict_idle(&self) {
        for ActionLimits { networks, widgets, days } in &self.actions {
            networks.evict_idle();
            widgets.iter().for_each(Limiter::evict_idle);
            days.iter().for_each(DayLimits::evict_idle);
        }
        self.leads.ordinary.evict_idle();
        self.leads.networks.evict_idle();
        self.leads.widgets.evict_idle();
        self.leads.accounts.evict_idle();
        self.keys.evict_idle();
        self.work.forget_expired(self.clock.now());
    }

    fn visit(&self, action: LimitedAction, ip: IpAddr, widget: LinkId, sender: Sender<'_>) -> Visit<'_> {
        let network = network_prefix(ip);
        let purpose = [&[action as u8][..], &network, widget.0.as_bytes()].concat();
        let solution = match sender {
            Sender::Script(Some(sent)) => self.work.verify(sent, &purpose, self.clock.now()),
            _ => None,
        };
        Visit {
            rates: self,
            limits: &self.actions[action as usize],
            action,
            network,
            widget,
            can_work: matches!(sender, Sender::Script(_)),
            purpose,
            solution,
            spent: false,
        }
    }
}

impl DayLimits {
    fn new(per_network: u32, per_widget: u32, clock: &Arc<dyn Clock>) -> Self {
        let most = per_widget.saturating_mul(FLOOD);
        Self {
            free_networks: Limiter::per_day(per_network, per_network.div_ceil(AT_ONCE), clock),
            free_widgets: Limiter::per_day(per_widget, per_widget, clock),
            networks: Limiter::per_day(per_network, per_network, clock),
            widgets: Limiter::per_day(most, most, clock),
        }
    }

    fn evict_idle(&self) {
        self.free_networks.evict_idle();
        self.free_widgets.evict_idle();
        self.networks.evict_idle();
        self.widgets.evict_idle();
    }
}

/// One request on its way past several limits. One solution serves for all of them.
struct Visit<'l> {
    rates: &'l RateLimits,
    limits: &'l ActionLimits,
    action: LimitedAction,
    network: Network,
    widget: LinkId,
    can_work: bool,
    purpose: Vec<u8>,
    solution: Option<Solution>,
    spent: bool,
}

impl Visit<'_> {
    async fn pass<K: core::hash::Hash + Eq + Clone>(&mut self, limiter: &Limiter<K>, key: &K) -> ApiResult<()> {
        let Err(retry_after) = limiter.check(key) else { return Ok(()) };
        // While it was solved, the next one may have become twice as hard.
        let needed = (EASIEST << limiter.level(key)) / 2;
        if self.solution.as_ref().is_some_and(|solution| solution.max_number >= needed) && self.spend().await? {
            limiter.passed_beyond(key);
            return Ok(());
        }
        Err(self.refusal(retry_after))
    }

    /// Whether there is a solution that has not counted before, here or at another node.
    async fn spend(&mut self) -> ApiResult<bool> {
        let RateLimits { work, spent_at, clock, .. } = self.rates;
        if !self.spent
            && let Some(solution) = &self.solution
            && work.spend(solution, clock.now())
        {
            self.spent = match spent_at {
                Some(store) => store.nodes().spend_challenge(&solution.challenge, solution.expires_at()).await?,
                None => true,
            };
        }
        Ok(self.spent)
    }

    fn refusal(&self, retry_after: u64) -> ApiError {
        if !self.can_work {
            return ApiError::RateLimited { retry_after, challenge: None };
        }
        let RateLimits { work, clock, leads, .. } = self.rates;
        let ActionLimits { networks, widgets, days } = self.limits;
        let mut level = networks.level(&self.network);
        if let Some(widgets) = widgets {
            level = level.max(widgets.level(&self.widget));
        }
        if let Some(days) = days {
            level = level.max(days.free_networks.level(&self.network)).max(days.free_widgets.level(&self.widget));
        }
        if self.action == LimitedAction::Lead {
            level = level.max(leads.ordinary.level(&self.widget));
        }
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
    async fn harvest(networks: u8, action: LimitedAction) -> [u32; 2] {
        let turned = Arc::new(TurnedClock::default());
        let clock: Arc<dyn Clock> = turned.clone();
        let limits = RateLimits::new(&LimitSettings::default(), ProofOfWork::new(&[7; 32]), &clock);
        let widget = LinkId(Uuid::from_u128(1));
        let tenant = Tenant {
            account: "0193b5a0-0000-7000-8000-000000000001".parse().unwrap(),
            environment: shingle_domain::Environment::Production,
        };
        let mut got = 0;
        let mut harvested = [0; 2];
        for (minutes, harvested) in [60, 23 * 60].into_iter().zip(&mut harvested) {
            for _ in 0..minutes {
                for network in 0..networks {
                    let ip = IpAddr::from([203, 0, network, 9]);
                    // One that is refused loses the next try too; a form asks for no challenge.
                    let allowed = async || match action {
                        LimitedAction::Lead => limits.check_lead(ip, widget, &tenant, Sender::Form).await.is_ok(),
                        _ => limits.check_visitor(action, ip, widget, Sender::Form).await.is_ok(),
                    };
                    while allowed().await {
                        got += 1;
                    }
                }
                *turned.0.lock().unwrap() += Duration::from_secs(60);
            }
            *harvested = got;
        }
        harvested
    }

    #[tokio::test]
    async fn a_script_that_does_no_work_reads_little_of_the_index_out() {
        use LimitedAction::{Lead, Roof, Suggestion};
        for (networks, action, most) in [
            (1, Suggestion, [1_800, 7_600]),
            (1, Roof, [300, 1_260]),
            (1, Lead, [420, 800]),
            (50, Suggestion, [60_000, 110_000]),
            (50, Roof, [5_300, 10_100]),
            (50, Lead, [21_000, 41_000]),
        ] {
            let got = harvest(networks, action).await;
            println!("{networks} networks, {action:?}: {} in an hour, {} in a day", got[0], got[1]);
            assert!(got[0] <= most[0] && got[1] <= most[1], "{networks} {action:?} {got:?}");
            assert!(got[0] * 2 > most[0] / 2, "the limit is what bounds it: {networks} {action:?} {got:?}");
        }
    }
}
