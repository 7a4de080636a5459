//! Rate limits of visitors, widgets and API keys. Beyond those of a minute a browser may pass that does some work first.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::id::KeyId;
use shingle_domain::{Tenant, WidgetId};
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
    widgets: [Limiter<WidgetId>; 5],
    /// Suggestions and roofs of a day.
    visitor_days: [Limiter<Network>; 2],
    /// Leads up to which a widget's are believed.
    ordinary_leads: Limiter<WidgetId>,
    widget_days: Limiter<WidgetId>,
    account_days: Limiter<Tenant>,
    keys: Limiter<KeyId>,
    work: ProofOfWork,
    clock: Arc<dyn Clock>,
}

type Network = [u8; 7];

/// How many times its ordinary rate a widget takes of leads beyond it, which did no work.
const SUSPECT_LEADS: u32 = 9;
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
            visitor_days: [
                Limiter::per_day(limits.suggestions_per_visitor_a_day, clock),
                Limiter::per_day(limits.roofs_per_visitor_a_day, clock),
            ],
            ordinary_leads: widgets(limits.leads_per_widget),
            widget_days: Limiter::per_day(limits.leads_per_widget_a_day, clock),
            account_days: Limiter::per_day(limits.leads_per_account_a_day, clock),
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
        widget: WidgetId,
        sender: Sender<'_>,
    ) -> ApiResult<()> {
        let mut visit = self.visit(action, ip, widget, sender);
        visit.pass(visit.visitors, &network_prefix(ip))?;
        if let Some(widgets) = visit.widgets {
            visit.pass(widgets, &widget)?;
        }
        match action {
            LimitedAction::Suggestion => check(&self.visitor_days[0], &network_prefix(ip)),
            LimitedAction::Roof => check(&self.visitor_days[1], &network_prefix(ip)),
            _ => Ok(()),
        }
    }

    /// Counts a new lead. Beyond the widget's rate those that did no work are still taken: a few networks must not shut
    /// out the honest.
    pub fn check_lead(&self, ip: IpAddr, widget: WidgetId, tenant: &Tenant, sender: Sender<'_>) -> ApiResult<LeadRate> {
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
        check(&self.widget_days, &widget)?;
        check(&self.account_days, tenant)?;
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
        self.visitor_days.iter().for_each(Limiter::evict_idle);
        self.ordinary_leads.evict_idle();
        self.widget_days.evict_idle();
        self.account_days.evict_idle();
        self.keys.evict_idle();
        self.work.forget_expired(self.clock.now());
    }

    fn visit(&self, action: LimitedAction, ip: IpAddr, widget: WidgetId, sender: Sender<'_>) -> Visit<'_> {
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
        Visit { limits: self, network, widget, visitors, widgets, is_lead, can_work, purpose, solution, spent: false }
    }
}

/// One request on its way past several limits. One solution serves for all of them.
struct Visit<'l> {
    limits: &'l RateLimits,
    network: Network,
    widget: WidgetId,
    visitors: &'l Limiter<Network>,
    widgets: Option<&'l Limiter<WidgetId>>,
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
        let RateLimits { work, clock, ordinary_leads, .. } = self.limits;
        let widgets = self.widgets.map_or(0, |widgets| widgets.level(&self.widget));
        let leads = if self.is_lead { ordinary_leads.level(&self.widget) } else { 0 };
        let level = self.visitors.level(&self.network).max(widgets).max(leads);
        match work.challenge(&self.purpose, EASIEST << level, clock.now()) {
            Ok(challenge) => ApiError::RateLimited { retry_after, challenge: Some(Box::new(challenge)) },
            Err(error) => error.into(),
        }
    }
}

fn check<K: core::hash::Hash + Eq + Clone>(limiter: &Limiter<K>, key: &K) -> ApiResult<()> {
    limiter.check(key).map_err(|retry_after| ApiError::RateLimited { retry_after, challenge: None })
}
