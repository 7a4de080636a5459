//! What this process has counted since its start, for Prometheus. Labels come from short lists of ours: routes as they are
//! written in the router, never a path that somebody sent.
//!
//! # Decision
//!
//! One registry (prometheus-client) holds all counters, with labels from fixed lists: routes as the router names
//! them, never a path that was sent. Sessions and refusals are requests by route and status. Turned down: the crate
//! `metrics`, whose global recorder all tests would share.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use shingle_deliver::DeliveryMetrics;

const REQUEST_SECONDS: [f64; 9] = [0.0005, 0.001, 0.0025, 0.01, 0.05, 0.1, 0.5, 2.0, 10.0];
const WORK_SECONDS: [f64; 9] = [0.00002, 0.00005, 0.0001, 0.0005, 0.002, 0.01, 0.05, 0.5, 5.0];

/// A route as the router has it; requests without one are counted together.
#[derive(Clone, Debug)]
struct Route(Option<Arc<str>>);

impl Route {
    fn as_str(&self) -> &str {
        self.0.as_deref().unwrap_or("none")
    }
}

impl PartialEq for Route {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Route {}

impl Hash for Route {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl EncodeLabelValue for Route {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        // Some readers of this text take braces for the end of the labels.
        self.as_str().replace('{', ":").replace('}', "").as_str().encode(encoder)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabels {
    route: Route,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RouteLabel {
    route: Route,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct LookUpLabels {
    product: &'static str,
    /// How the address was matched.
    level: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OutcomeLabel {
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabel {
    operation: &'static str,
}

type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// All that a page of a few figures needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub requests: u64,
    /// Answered with a 5xx.
    pub faults: u64,
    pub look_ups: u64,
    pub leads: u64,
    pub failed_chores: u64,
}

#[derive(Default)]
struct Sums {
    requests: AtomicU64,
    faults: AtomicU64,
    look_ups: AtomicU64,
    leads: AtomicU64,
}

pub struct Metrics {
    registry: Registry,
    sums: Sums,
    requests: Family<RequestLabels, Counter>,
    request_seconds: Durations<RouteLabel>,
    look_ups: Family<LookUpLabels, Counter>,
    leads: Family<OutcomeLabel, Counter>,
    index_seconds: Histogram,
    store_seconds: Durations<OperationLabel>,
    chores_failed: Counter<u64, AtomicU64>,
}

impl Metrics {
    pub fn new(deliveries: &DeliveryMetrics) -> Self {
        let request_seconds: Durations<RouteLabel> = Family::new_with_constructor(|| Histogram::new(REQUEST_SECONDS));
        let store_seconds: Durations<OperationLabel> = Family::new_with_constructor(|| Histogram::new(WORK_SECONDS));
        let mut metrics = Self {
            registry: Registry::default(),
            sums: Sums::default(),
            requests: Family::default(),
            request_seconds,
            look_ups: Family::default(),
            leads: Family::default(),
            index_seconds: Histogram::new(WORK_SECONDS),
            store_seconds,
            chores_failed: Counter::default(),
        };
        let mut registry = Registry::default();
        deliveries.register(&mut registry);
        let of = registry.sub_registry_with_prefix("shingle");
        of.register("build", "The version of this program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        of.register("requests", "Requests, by route and status", metrics.requests.clone());
        of.register("request_seconds", "From the head of a request to its answer", metrics.request_seconds.clone());
        of.register("look_ups", "Look-ups with an answer, by how the address was matched", metrics.look_ups.clone());
        of.register("leads", "Leads that were taken, by what became of them", metrics.leads.clone());
        of.register("index_seconds", "Searches of one address in the property index", metrics.index_seconds.clone());
        of.register("store_seconds", "Work of the database, by what is done", metrics.store_seconds.clone());
        of.register("chores_failed", "Chores of the background that failed", metrics.chores_failed.clone());
        metrics.registry = registry;
        metrics
    }

    /// `method` and `route` come from short lists, never from what was sent.
    pub fn request(&self, route: Option<&str>, method: &'static str, status: u16, took: Duration) {
        self.sums.requests.fetch_add(1, Ordering::Relaxed);
        if status >= 500 {
            self.sums.faults.fetch_add(1, Ordering::Relaxed);
        }
        let route = Route(route.map(Arc::from));
        self.request_seconds.get_or_create(&RouteLabel { route: route.clone() }).observe(took.as_secs_f64());
        let labels = RequestLabels { route, method, status };
        self.requests.get_or_create(&labels).inc();
    }

    pub fn look_up(&self, product: &'static str, level: &'static str) {
        self.sums.look_ups.fetch_add(1, Ordering::Relaxed);
        self.look_ups.get_or_create(&LookUpLabels { product, level }).inc();
    }

    pub fn lead(&self, outcome: &'static str) {
        self.sums.leads.fetch_add(1, Ordering::Relaxed);
        self.leads.get_or_create(&OutcomeLabel { outcome }).inc();
    }

    pub fn index(&self, took: Duration) {
        self.index_seconds.observe(took.as_secs_f64());
    }

    pub fn store(&self, operation: &'static str, took: Duration) {
        self.store_seconds.get_or_create(&OperationLabel { operation }).observe(took.as_secs_f64());
    }

    pub fn failed_chores(&self, count: usize) {
        self.chores_failed.inc_by(count as u64);
    }

    pub fn totals(&self) -> Totals {
        let Sums { requests, faults, look_ups, leads } = &self.sums;
        let [requests, faults, look_ups, leads] =
            [requests, faults, look_ups, leads].map(|sum| sum.load(Ordering::Relaxed));
        Totals { requests, faults, look_ups, leads, failed_chores: self.chores_failed.get() }
    }

    /// In the text form of OpenMetrics.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut out = String::new();
        text::encode(&mut out, &self.registry)?;
        Ok(out)
    }
}
