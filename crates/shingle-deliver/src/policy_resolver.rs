//! The addresses of a host name that may be connected to. The connection goes to the very addresses that were checked
//! here, so a name cannot mean one machine when it is checked and another when it is used.

use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve};

use crate::error::EgressError;
use crate::nat64::Nat64;
use crate::policy::EgressPolicy;
use crate::resolver::Resolver;

/// Returns only the addresses that the policy allows.
pub(crate) struct PolicyResolver {
    pub policy: Arc<EgressPolicy>,
    pub resolver: Arc<dyn Resolver>,
    pub nat64: Arc<Nat64>,
}

impl Resolve for PolicyResolver {
    fn resolve(&self, name: Name) -> reqwest::dns::Resolving {
        let host = name.as_str().to_owned();
        let lookup = self.resolver.resolve(&host);
        let (policy, nat64) = (self.policy.clone(), self.nat64.clone());
        Box::pin(async move {
            let found = match lookup.await {
                Ok(found) if !found.is_empty() => found,
                _ => return Err(EgressError::UnknownHost { host }.into()),
            };
            let prefixes = nat64.prefixes_for(&found).await;
            let allowed = found.into_iter().filter(|ip| policy.allows_behind(*ip, &prefixes));
            let allowed: Vec<SocketAddr> = allowed.map(|ip| SocketAddr::new(ip, 0)).collect();
            if allowed.is_empty() {
                return Err(EgressError::NotPublic { host }.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}
