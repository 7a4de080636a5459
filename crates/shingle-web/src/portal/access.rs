//! Who may use which route of the portal.
//!
//! # Decision
//!
//! An address that only accepts forms redirects to the nearest page above it (`page_above`), so a reload or bookmark
//! of an answer finds its form. Turned down: a redirect after each refusal, which loses what was typed.

use std::sync::Arc;

use axum::http::Method;
use shingle_domain::Role;
use shingle_portal::Reach;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody: the way in.
    Open,
    /// Users with at least this role, in a company of their own.
    Company(Role),
    /// Operators of the installation, with a company or without.
    Installation,
}

pub(crate) const OPEN: Access = Access::Open;
pub(crate) const MEMBER: Access = Access::Company(Role::Member);
pub(crate) const OWNER: Access = Access::Company(Role::Owner);
pub(crate) const OPERATOR: Access = Access::Installation;

/// Who may use one route, and when.
#[derive(Debug)]
pub struct PageAccess {
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    /// Also an operator who looks at a company.
    pub for_support: bool,
    /// Also owners of a closed company.
    pub when_closed: bool,
    /// Also clients: members who see chosen widgets alone.
    pub for_clients: bool,
}

impl PageAccess {
    pub fn new(method: Method, path: &'static str, access: Access) -> Self {
        Self { method, path, access, for_support: false, when_closed: false, for_clients: false }
    }
}

/// Every route of the portal. One that is not in it answers nobody.
#[derive(Debug)]
pub struct AccessTable(Vec<PageAccess>);

impl AccessTable {
    pub fn new(pages: Vec<PageAccess>) -> Self {
        Self(pages)
    }

    pub fn pages(&self) -> &[PageAccess] {
        &self.0
    }

    pub fn find(&self, method: &Method, route: &str) -> Option<&PageAccess> {
        self.0.iter().find(|page| page.method == *method && page.path == route)
    }

    /// Whether the page of a path is for those who are meant.
    fn may(&self, method: &Method, path: &str, is_for: fn(&PageAccess) -> bool) -> bool {
        // `leads/filters` is of `leads/{id}` too: the one without a name in it is meant.
        let found = self.0.iter().filter(|page| page.method == *method && is_of(path, page.path));
        let found = found.min_by_key(|page| page.path.matches('{').count());
        found.is_some_and(is_for)
    }

    /// The page that the form of a route stands in, or one above it: the nearest that can be opened. `path` is of `route`,
    /// which takes forms alone. So an address that a form has left in the browser leads somewhere.
    pub fn page_above(&self, route: &str, path: &str) -> Option<String> {
        self.find(&Method::POST, route)?;
        let mut above = route;
        while let Some((shorter, _)) = above.rsplit_once('/').filter(|(shorter, _)| !shorter.is_empty()) {
            above = shorter;
            if self.find(&Method::GET, above).is_some() {
                let parts: Vec<&str> = path.split('/').take(above.split('/').count()).collect();
                return Some(parts.join("/"));
            }
        }
        None
    }
}

/// The installation's own pages stay open to an operator.
fn is_for_support(page: &PageAccess) -> bool {
    !matches!(page.access, Access::Company(_)) || page.for_support
}

fn is_for_clients(page: &PageAccess) -> bool {
    page.access == Access::Open || page.for_clients
}

/// What an operator who looks at a company may do there.
impl Reach for AccessTable {
    fn may_open(&self, path: &str) -> bool {
        self.may(&Method::GET, path, is_for_support)
    }

    fn may_send(&self, path: &str) -> bool {
        self.may(&Method::POST, path, is_for_support)
    }
}

/// What a client may do.
#[derive(Debug, Clone)]
pub struct ClientReach(pub Arc<AccessTable>);

impl Reach for ClientReach {
    fn may_open(&self, path: &str) -> bool {
        self.0.may(&Method::GET, path, is_for_clients)
    }

    fn may_send(&self, path: &str) -> bool {
        self.0.may(&Method::POST, path, is_for_clients)
    }
}

/// Whether a path is of this route.
pub(crate) fn is_of(path: &str, route: &str) -> bool {
    let (mut parts, mut pattern) = (path.split('/'), route.split('/'));
    loop {
        match (parts.next(), pattern.next()) {
            (None, None) => return true,
            (Some(part), Some(of)) if part == of || of.starts_with('{') => {}
            _ => return false,
        }
    }
}
