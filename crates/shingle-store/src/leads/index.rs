//! What leads are listed by, held in memory: some 110 bytes for each. Any combination of filters then costs one pass over them, and a
//! list of 100,000 leads needs no index for each combination. The database tells what has changed since: each reading asks for
//! the rows that were touched lately, so nodes and the command line see each other's changes at once.
//!
//! # Decisions
//!
//! - The portal lists leads from columns in memory, some 110 bytes per lead, refreshed from rows touched in the last five
//!   minutes. Any combination of filters and every tab's count is one pass. Prices are plain (they identify nobody);
//!   a town is a keyed hash with its name encrypted. Turned down: an index per combination; decrypting records to
//!   filter.
//! - Results are summed from these columns too (`leads/results.rs`), so they open no record and have no limit.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex as StdMutex, PoisonError};
use std::time::Duration;

use jiff::civil::Date;
use shingle_domain::inspection::{InspectionState, VisitDate};
use shingle_domain::lead::LeadStatus;
use shingle_domain::loss::LossReason;
use shingle_domain::notice::TimeOfDay;
use shingle_domain::{LeadId, Tenant, UserId};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::StoreError;
use crate::leads::origin::LeadOrigin;

/// Leads in memory, of all companies: some 150 MB.
const MAX_LEADS: usize = 1_000_000;

/// One lead.
pub(crate) struct Facets {
    pub id: Uuid,
    pub created_at: i64,
    /// Negative: no price.
    pub price_cents: i64,
    /// Minutes of the company's clocks since 1970, those of a day without a time at its end; zero: nothing is planned.
    pub due: u32,
    /// Numbers of names; zero: none.
    pub widget: u32,
    pub assignee: u32,
    pub town: u32,
    /// Numbers of the tags.
    pub tags: Box<[u32]>,
    pub loss: Option<LossReason>,
    pub status: LeadStatus,
    pub origin: LeadOrigin,
    pub visit: Option<InspectionState>,
    pub wants: i64,
    pub alive: bool,
    /// Negative: nobody was on it yet.
    pub first_touch_at: i64,
    /// Negative: nobody said what it was worth.
    pub won_cents: i64,
    /// Numbers of the page and the source it is counted under.
    pub page: u32,
    pub source: u32,
}

/// Those of one tenant.
#[derive(Default)]
pub(crate) struct LeadIndex {
    /// Oldest first.
    pub rows: Vec<Facets>,
    places: HashMap<Uuid, u32>,
    names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Until when the database was read; `None`: not yet.
    pub read_until: Option<i64>,
    pub opened: HashMap<UserId, Opened>,
}

/// What one user has opened.
#[derive(Default)]
pub(crate) struct Opened {
    pub leads: HashSet<Uuid>,
    pub read_until: Option<i64>,
}

/// Of every tenant whose list is read.
#[derive(Default)]
pub(crate) struct LeadIndexes(StdMutex<HashMap<Tenant, Held>>);

struct Held {
    index: Arc<Mutex<LeadIndex>>,
    leads: usize,
    used_at: Duration,
}

row! {
    pub(crate) struct FacetColumns {
        lead_id: String,
        created_at: i64,
        status: String,
        widget_id: String,
        price_cents: Option<i64>,
        town: Option<String>,
        origin: String,
        visit: Option<String>,
        wants: i64,
        assignee_id: Option<String>,
        due_day: Option<String>,
        due_time: Option<String>,
        loss: Option<String>,
        tags: Option<String>,
        first_touch_at: Option<i64>,
        page: Option<String>,
        source: Option<String>,
        won_value_cents: Option<i64>,
        erased: bool,
    }
}

impl LeadIndexes {
    pub fn of(&self, tenant: &Tenant, now: Duration) -> Arc<Mutex<LeadIndex>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let new = || Held { index: Arc::default(), leads: 0, used_at: now };
        let held = all.entry(*tenant).or_insert_with(new);
        held.used_at = now;
        held.index.clone()
    }

    /// Drops those that nobody has read for the longest while there are too many.
    pub fn note(&self, tenant: &Tenant, leads: usize) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(held) = all.get_mut(tenant) {
            held.leads = leads;
        }
        while all.len() > 1 && all.values().map(|held| held.leads).sum::<usize>() > MAX_LEADS {
            let oldest = all.iter().filter(|(other, _)| *other != tenant).min_by_key(|(_, held)| held.used_at);
            let Some(oldest) = oldest.map(|(tenant, _)| *tenant) else { break };
            all.remove(&oldest);
        }
    }
}

impl LeadIndex {
    pub fn find(&self, id: Uuid) -> Option<&Facets> {
        self.rows.get(*self.places.get(&id)? as usize).filter(|row| row.alive)
    }

    /// `None`: nobody has that name here.
    pub fn number(&self, name: &str) -> Option<u32> {
        if name.is_empty() { Some(0) } else { self.numbers.get(name).copied() }
    }

    /// Of those that are known here.
    pub fn numbers(&self, names: &[String]) -> Vec<u32> {
        names.iter().filter_map(|name| self.number(name)).collect()
    }

    pub fn name(&self, number: u32) -> &str {
        (number as usize).checked_sub(1).and_then(|at| self.names.get(at)).map_or("", String::as_str)
    }

    /// `None` before [`Leads::index`] was asked for this user.
    pub fn opened_by(&self, user: UserId) -> Option<&HashSet<Uuid>> {
        self.opened.get(&user).map(|opened| &opened.leads)
    }

    fn number_of(&mut self, name: Option<String>) -> u32 {
        let Some(name) = name else { return 0 };
        if let Some(known) = self.numbers.get(&name) {
            return *known;
        }
        self.names.push(name.clone());
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.numbers.insert(name, number);
        number
    }

    pub fn take(&mut self, row: FacetColumns) -> Result<(), StoreError> {
        let LeadId(id) = row.lead_id.parse().map_err(|_| unreadable(&row.lead_id))?;
        let status = row.status.parse::<LeadStatus>().map_err(|()| unreadable(&row.lead_id))?;
        let day = row.due_day.as_deref().and_then(VisitDate::parse);
        let due = day.map(|day| minutes(day, row.due_time.as_deref().and_then(TimeOfDay::parse)));
        let facets = Facets {
            id,
            created_at: row.created_at,
            price_cents: row.price_cents.unwrap_or(-1),
            due: due.unwrap_or(0),
            widget: self.number_of(Some(row.widget_id)),
            assignee: self.number_of(row.assignee_id),
            town: self.number_of(row.town),
            tags: row
                .tags
                .iter()
                .flat_map(|tags| tags.split(' '))
                .map(|tag| self.number_of(Some(tag.to_owned())))
                .collect(),
            loss: row.loss.as_deref().and_then(|reason| reason.parse().ok()),
            status,
            origin: LeadOrigin::parse(&row.origin).ok_or_else(|| unreadable(&row.lead_id))?,
            visit: row.visit.as_deref().and_then(|state| state.parse().ok()),
            wants: row.wants,
            alive: !row.erased,
            first_touch_at: row.first_touch_at.unwrap_or(-1),
            won_cents: row.won_value_cents.unwrap_or(-1),
            page: self.number_of(row.page),
            source: self.number_of(row.source),
        };
        match self.places.get(&id) {
            Some(place) => self.rows[*place as usize] = facets,
            None => {
                self.places.insert(id, u32::try_from(self.rows.len()).unwrap_or(u32::MAX));
                self.rows.push(facets);
            }
        }
        Ok(())
    }

    pub fn sort(&mut self) {
        let key = |row: &Facets| (row.created_at, row.id);
        if self.rows.is_sorted_by_key(key) {
            return;
        }
        self.rows.sort_unstable_by_key(key);
        for (place, row) in (0..).zip(&self.rows) {
            self.places.insert(row.id, place);
        }
    }
}

/// A day before 1970 counts as the first.
fn minutes(day: VisitDate, time: Option<TimeOfDay>) -> u32 {
    let days = day.0.duration_since(Date::constant(1970, 1, 1)).as_hours() / 24;
    let of_day = time.map_or(24 * 60, TimeOfDay::minutes);
    u32::try_from(days * 24 * 60 + i64::from(of_day)).unwrap_or(1).max(1)
}

fn unreadable(id: &str) -> StoreError {
    StoreError::Unreadable { what: "facets of lead", id: id.to_owned(), reason: "an unknown word".to_owned() }
}
