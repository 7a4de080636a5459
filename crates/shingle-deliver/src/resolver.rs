//! Host names and their addresses.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;

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
