//! A request of a visitor's browser at a widget, from a page that may use it.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::{Environment, LeadId, LinkId, Tenant, Timestamp};
use shingle_store::StoredWidget;

use crate::app::App;
use crate::failure::Failure;

/// The widget, page and visitor of a request, once the page is known to be allowed.
#[derive(Clone)]
pub struct WidgetRequest {
    pub tenant: Tenant,
    pub stored: Arc<StoredWidget>,
    /// Whose homes it may ask for.
    pub homes: Environment,
    /// Host of the page, without port.
    pub host: String,
    pub ip: IpAddr,
}

impl WidgetRequest {
    pub fn id(&self) -> LinkId {
        self.stored.widget.link_id()
    }

    /// Whether what it sends is test data: a preview, or somebody's test on a live site.
    pub fn is_test(&self) -> bool {
        self.tenant != self.stored.tenant
    }

    /// From here on what it sends is test data.
    pub fn begin_test(&mut self) {
        self.tenant.environment = Environment::Sandbox;
    }

    /// Whose tokens its leads have. Those of tests have others, so that a lead's token says where the lead is.
    pub fn token_id(&self) -> LinkId {
        if self.is_test() { test_id(self.id()) } else { self.id() }
    }

    /// The session must have been issued for this page and network. When it was.
    pub fn check_session(&self, app: &App, token: &str) -> Result<Timestamp, Failure> {
        let since = app.tokens.session_since(token, self.id(), &self.host, self.ip, app.clock.now());
        since.ok_or(Failure::SessionEnded)
    }

    /// The lead of a path, if the token is the one that its browser got.
    pub fn check_lead(&self, app: &App, lead: &str, token: &str) -> Result<LeadId, Failure> {
        let id: LeadId = lead.parse().map_err(|_| Failure::NotFound)?;
        let valid = app.tokens.is_lead(token, self.token_id(), id, app.clock.now());
        if valid { Ok(id) } else { Err(Failure::SessionEnded) }
    }

    /// A token of a test says that the request is one.
    pub fn note_test(&mut self, app: &App, lead: &str, token: &str) {
        let of_test = |id: LeadId| app.tokens.is_lead(token, test_id(self.id()), id, app.clock.now());
        if lead.parse().is_ok_and(of_test) {
            self.begin_test();
        }
    }
}

/// No widget has it.
fn test_id(id: LinkId) -> LinkId {
    LinkId(uuid::Uuid::from_u128(!id.0.as_u128()))
}
