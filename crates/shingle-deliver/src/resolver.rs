//! Host names and their addresses. The connection goes to the very addresses that were checked here, so a name
//! cannot mean one machine when it is checked and another when it is used.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve};

use crate::error::EgressError;
use crate::nat64::Nat64;
use crate::policy::EgressPolicy;

pub type ResolveFuture = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Finds the addresses of a host name.
pub trait Resolver: Send + Sync + 'static {
    fn resolve(&self, host: &str) -> ResolveFuture;
}

/// The resolver of the system: the hosts file, then the name servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> ResolveFuture {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|at| at.ip()).collect()) })
    }
}

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
