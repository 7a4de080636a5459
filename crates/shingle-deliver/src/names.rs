//! Names and their addresses. The connection goes to the very addresses that were looked at here, so a name
//! cannot mean one machine when it is checked and another when it is used.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve};

use crate::address::Rules;
use crate::error::EgressError;

pub type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Who knows the addresses of a name.
pub trait Names: Send + Sync + 'static {
    fn addresses(&self, host: &str) -> Resolving;
}

/// As the machine is set up: its hosts file, then its name servers.
#[derive(Debug, Clone, Copy, Default)]
pub struct MachineNames;

impl Names for MachineNames {
    fn addresses(&self, host: &str) -> Resolving {
        let host = host.to_owned();
        Box::pin(async move { Ok(tokio::net::lookup_host((host, 0)).await?.map(|at| at.ip()).collect()) })
    }
}

/// Lets through what the rules admit.
pub(crate) struct Guarded {
    pub rules: Arc<Rules>,
    pub names: Arc<dyn Names>,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> reqwest::dns::Resolving {
        let host = name.as_str().to_owned();
        let looked_up = self.names.addresses(&host);
        let rules = self.rules.clone();
        Box::pin(async move {
            let found = match looked_up.await {
                Ok(found) if !found.is_empty() => found,
                _ => return Err(EgressError::UnknownName { host }.into()),
            };
            let admitted: Vec<SocketAddr> =
                found.into_iter().filter(|ip| rules.admit(*ip)).map(|ip| SocketAddr::new(ip, 0)).collect();
            if admitted.is_empty() {
                return Err(EgressError::NotPublic { host }.into());
            }
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}
