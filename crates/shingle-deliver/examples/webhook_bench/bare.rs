//! The bare loop: the same client library posts a body of the same size to the same receiver, and does nothing else.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{clock, load};

/// Requests a second.
pub async fn run(at: SocketAddr, total: u64, concurrency: usize) -> f64 {
    let tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth();
    let client = reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().build().unwrap();
    let body = bytes::Bytes::from(load::sample_body());
    let (url, left) = (format!("http://{at}/ok/bare"), Arc::new(AtomicU64::new(total)));
    let begun = clock::now();
    let loops = (0..concurrency).map(|_| {
        let (client, body, url, left) = (client.clone(), body.clone(), url.clone(), left.clone());
        tokio::spawn(async move {
            while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok() {
                let post = client.post(&url).header("content-type", "application/json").body(body.clone());
                let response = post.send().await.unwrap();
                assert!(response.status().is_success());
                response.bytes().await.unwrap();
            }
        })
    });
    for one in loops.collect::<Vec<_>>() {
        one.await.unwrap();
    }
    total as f64 / begun.elapsed().as_secs_f64()
}
