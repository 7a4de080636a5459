//! Limits on sign-in attempts.
//!
//! # Decision
//!
//! Sign-in attempts count by address and network, with a higher limit for the address alone. A browser in which that
//! user has signed in, or a network with a session of theirs, is exempt from the higher one.

use std::net::IpAddr;
use std::sync::Arc;

use shingle_domain::{AccountId, Email, UserId};
use shingle_store::Clock;

use crate::web::limiter::Limiter;
use crate::web::shared_limits::SharedLimit;
use shingle_app::tokens::network_prefix;

/// By address and by network, whether the address is known or not.
pub struct PortalLimits {
    mails: ByAddress,
    recovery: ByAddress,
    invites: Limiter<AccountId>,
    /// Emails to homeowners.
    replies: Limiter<AccountId>,
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
            mails: ByAddress::new((30, 5), (120, 30), clock),
            recovery: ByAddress::new((20, 5), (120, 30), clock),
            invites: Limiter::per_day(100, 30, clock),
            replies: Limiter::per_day(1_000, 100, clock),
            networks: Limiter::per_day(600, 60, clock),
            sites: Limiter::per_day(200, 20, clock),
            test_leads: Limiter::per_day(30, 5, clock),
            pushes: Limiter::per_day(100, 20, clock),
        }
    }

    /// Somebody asks to be mailed a way in.
    ///
    /// # Errors
    /// The seconds to wait.
    pub fn may_ask(&self, email: &Email, asking: Asking) -> Result<(), u64> {
        self.mails.check(email, asking)
    }

    pub fn may_recover(&self, email: &Email, asking: Asking) -> Result<(), u64> {
        self.recovery.check(email, asking)
    }

    /// Somebody who is signed in has this address mailed.
    pub fn may_mail(&self, email: &Email) -> Result<(), u64> {
        self.mails.of_all.check(&email.as_str().to_lowercase())
    }

    /// An owner's, who could mail strangers in the company's name.
    pub fn may_invite(&self, account: AccountId, email: &Email) -> Result<(), u64> {
        self.invites.check(&account)?;
        self.may_mail(email)
    }

    /// Somebody writes to a homeowner: leads that come from a file may be anybody.
    pub fn may_reply(&self, account: AccountId) -> Result<(), u64> {
        self.replies.check(&account)
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

    /// What all nodes count together.
    pub(crate) fn shared(&self) -> Vec<(String, &dyn SharedLimit)> {
        let all: [(&str, &dyn SharedLimit); 10] = [
            ("mail-here", &self.mails.from_here),
            ("mail", &self.mails.of_all),
            ("recovery-here", &self.recovery.from_here),
            ("recovery", &self.recovery.of_all),
            ("invite", &self.invites),
            ("reply", &self.replies),
            ("portal-network", &self.networks),
            ("site", &self.sites),
            ("test-lead", &self.test_leads),
            ("push", &self.pushes),
        ];
        all.into_iter().map(|(name, limit)| (name.to_owned(), limit)).collect()
    }

    pub fn evict_idle(&self) {
        for limit in [&self.mails, &self.recovery] {
            limit.from_here.evict_idle();
            limit.of_all.evict_idle();
        }
        self.invites.evict_idle();
        self.replies.evict_idle();
        self.networks.evict_idle();
        self.sites.evict_idle();
        self.test_leads.evict_idle();
        self.pushes.evict_idle();
    }
}

/// Who tries to get in with an address.
#[derive(Debug, Clone, Copy)]
pub struct Asking {
    pub from: IpAddr,
    /// Somebody has signed in with the address in this browser, or is signed in from this network.
    pub is_known: bool,
}

/// A limit for one address from one network, and a higher one for the address from all networks together. A browser or
/// network that is known is not held by the second, or strangers could lock its owner out.
struct ByAddress {
    from_here: Limiter<(String, [u8; 7])>,
    of_all: Limiter<String>,
}

impl ByAddress {
    fn new(from_here: (u32, u32), of_all: (u32, u32), clock: &Arc<dyn Clock>) -> Self {
        Self {
            from_here: Limiter::per_day(from_here.0, from_here.1, clock),
            of_all: Limiter::per_day(of_all.0, of_all.1, clock),
        }
    }

    fn check(&self, email: &Email, asking: Asking) -> Result<(), u64> {
        let email = email.as_str().to_lowercase();
        self.from_here.check(&(email.clone(), network_prefix(asking.from)))?;
        if asking.is_known { Ok(()) } else { self.of_all.check(&email) }
    }
}
