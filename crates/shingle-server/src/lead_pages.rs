//! All leads of a list, read page by page: an account may have more of them than fit into memory.

use std::collections::VecDeque;

use shingle_domain::Tenant;
use shingle_domain::lead::Lead;
use shingle_store::{Cursor, LeadFilter, Store, StoreError};

const PAGE_SIZE: u32 = 500;

/// The leads of one tenant that match a filter, newest first.
pub struct LeadPages {
    store: Store,
    tenant: Tenant,
    filter: LeadFilter,
    search: Option<String>,
    after: Option<Cursor>,
    ended: bool,
}

impl LeadPages {
    /// `search`: words that each lead has.
    pub fn new(store: Store, tenant: Tenant, filter: LeadFilter, search: Option<String>) -> Self {
        Self { store, tenant, filter, search, after: None, ended: false }
    }

    /// The next leads; none at the end.
    pub async fn next(&mut self) -> Result<Vec<Lead>, StoreError> {
        if self.ended {
            return Ok(Vec::new());
        }
        let Self { store, tenant, filter, search, after, .. } = self;
        let page = match search {
            Some(text) => store.search_leads(tenant, filter, text, *after, PAGE_SIZE).await?,
            None => store.list_leads(tenant, filter, *after, PAGE_SIZE).await?,
        };
        self.after = page.next;
        self.ended = page.next.is_none();
        Ok(page.leads)
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
