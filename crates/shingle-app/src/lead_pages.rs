//! All leads of a list, read page by page: an account may have more of them than fit into memory.
//!
//! # Decision
//!
//! Lists of leads are read, written and sent page by page; an error midway breaks the response, so nobody takes a
//! part for the whole. Turned down: one transaction around the list, which holds SQLite's log for a slow reader.

use std::collections::VecDeque;
use std::time::Duration;

use shingle_domain::lead::{Lead, LeadStatus};
use shingle_domain::{LeadId, Tenant};
use shingle_store::{ActorContext, Cursor, LeadFilter, LeadQuery, ListPlace, Store, StoreError};

const PAGE_SIZE: u32 = 500;
/// How far back repeated addresses are looked for: thirty days.
pub const REPEATED_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);

/// The leads of one tenant that match a filter, newest first.
pub struct LeadPages {
    store: Store,
    tenant: Tenant,
    of: Of,
    /// A table is read after its request has ended.
    reader: ActorContext,
    ended: bool,
}

/// Which leads, and how far they are read.
enum Of {
    Filter {
        filter: LeadFilter,
        search: Option<String>,
        after: Option<Cursor>,
    },
    /// As the portal lists them.
    Query {
        query: Box<LeadQuery>,
        place: ListPlace,
    },
    Ids(Vec<LeadId>),
}

impl LeadPages {
    /// `search`: words that each lead has.
    pub fn new(store: Store, tenant: Tenant, filter: LeadFilter, search: Option<String>) -> Self {
        Self::reading(store, tenant, Of::Filter { filter, search, after: None })
    }

    pub fn of_query(store: Store, tenant: Tenant, query: LeadQuery) -> Self {
        Self::reading(store, tenant, Of::Query { query: Box::new(query), place: ListPlace::Top })
    }

    pub fn of_ids(store: Store, tenant: Tenant, ids: Vec<LeadId>) -> Self {
        Self::reading(store, tenant, Of::Ids(ids))
    }

    /// Whose list it is, for what else is read for it.
    pub fn reader(&self) -> ActorContext {
        self.reader.clone()
    }

    fn reading(store: Store, tenant: Tenant, of: Of) -> Self {
        Self { store, tenant, of, reader: ActorContext::now(), ended: false }
    }

    /// How many leads there are now. `None`: their words are too common to count them.
    pub async fn count(&self) -> Result<Option<usize>, StoreError> {
        let query = match &self.of {
            Of::Ids(ids) => return Ok(Some(ids.len())),
            Of::Query { query, .. } => LeadQuery::clone(query),
            Of::Filter { filter, search, .. } => LeadQuery {
                statuses: filter.status.map_or_else(|| LeadStatus::ALL.to_vec(), |status| vec![status]),
                widget: filter.widget,
                from: filter.from,
                until: filter.until,
                assignee: filter.assignee,
                search: search.clone().unwrap_or_default(),
                ..LeadQuery::default()
            },
        };
        Ok(self.store.leads().list_ids(&self.tenant, &query, 1).await?.1)
    }

    /// The next leads; none at the end.
    pub async fn next(&mut self) -> Result<Vec<Lead>, StoreError> {
        while !self.ended {
            let reader = self.reader.clone();
            let leads = reader.run(self.page()).await?;
            // A page of common words may hold none, and the next one some.
            if !leads.is_empty() {
                return Ok(leads);
            }
        }
        Ok(Vec::new())
    }

    async fn page(&mut self) -> Result<Vec<Lead>, StoreError> {
        let Self { store, tenant, of, ended, .. } = self;
        match of {
            Of::Filter { filter, search, after } => {
                let page = match search {
                    Some(text) => store.leads().search(tenant, filter, text, *after, PAGE_SIZE).await?,
                    None => store.leads().list(tenant, filter, *after, PAGE_SIZE).await?,
                };
                *after = page.next;
                *ended = page.next.is_none();
                Ok(page.leads)
            }
            Of::Query { query, place } => {
                let list = store.leads().list_by(tenant, query, *place, PAGE_SIZE as usize).await?;
                *ended = list.after.is_none();
                *place = list.after.map_or(*place, ListPlace::After);
                Ok(list.leads)
            }
            Of::Ids(ids) => {
                *ended = true;
                store.leads().by_id(tenant, ids).await
            }
        }
    }
}

/// The leads of several tenants as one list, newest first.
pub struct MergedLeads(Vec<(LeadPages, VecDeque<Lead>)>);

impl MergedLeads {
    pub fn new(lists: Vec<LeadPages>) -> Self {
        Self(lists.into_iter().map(|list| (list, VecDeque::new())).collect())
    }

    /// The next leads; none at the end.
    pub async fn next(&mut self) -> Result<Vec<Lead>, StoreError> {
        let mut page = Vec::new();
        while page.len() < PAGE_SIZE as usize {
            for (list, read) in &mut self.0 {
                if read.is_empty() {
                    read.extend(list.next().await?);
                }
            }
            let newest = self.0.iter_mut().max_by_key(|(_, read)| read.front().map(|lead| (lead.created_at, lead.id)));
            let Some(lead) = newest.and_then(|(_, read)| read.pop_front()) else { break };
            page.push(lead);
        }
        Ok(page)
    }
}
