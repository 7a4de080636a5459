//! How often somebody may try to get in.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::{AccountId, Email, UserId};
use shingle_store::Clock;

use crate::http::limiter::Limiter;
use crate::tokens::network_prefix;

/// By address and by network, whether the address is known or not.
pub struct PortalLimits {
    mails: Limiter<String>,
    recovery: Limiter<String>,
    invites: Limiter<AccountId>,
    networks: Limiter<[u8; 7]>,
    /// Other people's sites are asked.
    sites: Limiter<AccountId>,
    /// Each is mailed.
    test_leads: Limiter<AccountId>,
    /// Each asks a push service.
    pushes: Limiter<UserId>,
}

impl PortalLimits {
    pub fn new(clock: &Arc<dyn Clock>) -> Self {
        Self {
            mails: Limiter::per_day(30, 5, clock),
            recovery: Limiter::per_day(20, 5, clock),
            invites: Limiter::per_day(100, 30, clock),
            networks: Limiter::per_day(600, 60, clock),
            sites: Limiter::per_day(200, 20, clock),
            test_leads: Limiter::per_day(30, 5, clock),
            pushes: Limiter::per_day(100, 20, clock),
        }
    }

    /// # Errors
    /// The seconds to wait.
    pub fn may_mail(&self, email: &Email) -> Result<(), u64> {
        self.mails.check(&email.as_str().to_lowercase())
    }

    pub fn may_recover(&self, email: &Email) -> Result<(), u64> {
        self.recovery.check(&email.as_str().to_lowercase())
    }

    /// An owner's, who could mail strangers in the company's name.
    pub fn may_invite(&self, account: AccountId, email: &Email) -> Result<(), u64> {
        self.invites.check(&account)?;
        self.may_mail(email)
    }

    pub fn may_read_site(&self, account: AccountId) -> Result<(), u64> {
        self.sites.check(&account)
    }

    pub fn may_send_test_lead(&self, account: AccountId) -> Result<(), u64> {
        self.test_leads.check(&account)
    }

    /// To subscribe a device, or to try one.
    pub fn may_push(&self, user: UserId) -> Result<(), u64> {
        self.pushes.check(&user)
    }

    /// One form of the way in, whichever it is.
    pub fn may_try(&self, from: IpAddr) -> Result<(), u64> {
        self.networks.check(&network_prefix(from))
    }

    pub fn evict_idle(&self) {
        self.mails.evict_idle();
        self.recovery.evict_idle();
        self.invites.evict_idle();
        self.networks.evict_idle();
        self.sites.evict_idle();
        self.test_leads.evict_idle();
        self.pushes.evict_idle();
    }
}
