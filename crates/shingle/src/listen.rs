//! Connections: plain or TLS, with a timeout for the head of a request, and a shutdown that finishes what has begun.
//!
//! # Decision
//!
//! A connection without a request closes after 15 s, and one address may have 512; HTTP/2 without requests, and
//! clients that read nothing or grant no window, get 60 s. Trusted proxies have no such limit of connections, because
//! many visitors come through them. A request head is at most 32 KiB. Errors that hyper writes itself get the
//! contract's body on their way out.

mod places;
mod silence;
#[cfg(test)]
mod tests;
mod wire;

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use ipnet::IpNet;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::drain_body::DrainOnDrop;
use places::Places;
use shingle_app::config::Settings;
use shingle_tls::ACME_PROTOCOL;
use shingle_web::Site;
use shingle_web::web::connection::Connection;
use silence::{LastPart, Requests};
use wire::Wire;

/// How long a stopping server waits for the requests in progress.
const MAX_SHUTDOWN_TIME: Duration = Duration::from_secs(20);
/// How long it waits for the rest of a first head.
const LAST_HEAD_TIME: Duration = Duration::from_secs(1);
const MAX_CONNECTIONS: usize = 16_384;
/// Of a request's head with its address, and so of what an unfinished head keeps in memory.
const MAX_HEAD_BYTES: usize = 32 * 1024;

/// What clients may take.
#[derive(Debug, Clone)]
pub struct ConnectionLimits {
    /// For the handshake, and for each request's head.
    pub head_time: Duration,
    /// Between two requests of HTTP/2.
    pub idle_time: Duration,
    /// Without the client reading any of a response.
    pub write_time: Duration,
    pub max_connections: usize,
    pub max_per_address: usize,
    /// Proxies, which bring many visitors from one address.
    pub proxies: Vec<IpNet>,
}

impl ConnectionLimits {
    /// `open_files` is how many the system allows; a quarter is left to files and to our own requests.
    pub fn of(settings: &Settings, open_files: u64) -> Self {
        let max_connections = usize::try_from(open_files / 4 * 3).unwrap_or(usize::MAX).clamp(1, MAX_CONNECTIONS);
        Self {
            head_time: Duration::from_secs(15),
            idle_time: Duration::from_secs(60),
            write_time: Duration::from_secs(60),
            max_connections,
            max_per_address: settings.limits.connections_per_address as usize,
            proxies: settings.trusted_proxy.clone(),
        }
    }
}

/// Serves until `stop` resolves, then finishes the requests in progress.
pub async fn serve(
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    site: Site,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let places = Places::new(limits.max_connections, limits.max_per_address, limits.proxies.clone());
    let (stopping, stopped) = watch::channel(false);
    let mut stop = pin!(stop);
    let mut told = false;
    loop {
        let accepted = async {
            let permit = places.wait().await;
            (permit, listener.accept().await)
        };
        let (permit, stream, peer) = tokio::select! {
            accepted = accepted => match accepted {
                (Some(permit), Ok((stream, peer))) => (permit, stream, peer),
                (_, Err(error)) => {
                    // A client that went away is not our error. A lack of file handles passes, but not at once.
                    if !is_client_error(&error) {
                        tracing::error!(%error, "cannot accept connections");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                    continue;
                }
                (None, _) => break,
            },
            () = &mut stop => break,
        };
        let Some(place) = places.admit(permit, peer.ip()) else {
            // Once: an attacker could fill the log.
            if !std::mem::replace(&mut told, true) {
                tracing::warn!(
                    "{} has {} connections, so another was refused. If it is your proxy, name it in trusted_proxy",
                    peer.ip(),
                    places.max_per_address()
                );
            }
            continue;
        };
        let (tls, site, limits, mut stopped) = (tls.clone(), site.clone(), limits.clone(), stopped.clone());
        tokio::spawn(async move {
            handle_connection(stream, peer, tls, site, &limits, &mut stopped).await;
            drop(place);
        });
    }
    drop((listener, stopped));
    stopping.send_replace(true);
    // Closed once every connection has dropped its end.
    if tokio::time::timeout(MAX_SHUTDOWN_TIME, stopping.closed()).await.is_err() {
        tracing::warn!("stopped with requests still in progress");
    }
}

async fn handle_connection(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    site: Site,
    limits: &ConnectionLimits,
    stopped: &mut watch::Receiver<bool>,
) {
    // Small responses should not wait for more data. If the system refuses, they are only late.
    let _ = stream.set_nodelay(true);
    let Some(tls) = tls else {
        return serve_http(stream, Connection { peer, tls: false }, site, limits, stopped).await;
    };
    let handshake = tokio::select! {
        handshake = tokio::time::timeout(limits.head_time, tls.accept(stream)) => handshake,
        () = told_to_stop(stopped) => return,
    };
    match handshake {
        // A directory that looked whether the domain is ours has seen it.
        Ok(Ok(stream)) if stream.get_ref().1.alpn_protocol() == Some(ACME_PROTOCOL) => {}
        Ok(Ok(stream)) => serve_http(stream, Connection { peer, tls: true }, site, limits, stopped).await,
        Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
        Err(_) => tracing::debug!("TLS handshake took too long"),
    }
}

async fn serve_http<S>(
    stream: S,
    connection: Connection,
    site: Site,
    limits: &ConnectionLimits,
    stopped: &mut watch::Receiver<bool>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let requests = Requests::new();
    let begun = requests.clone();
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let in_progress = begun.begin(request.version());
        let expects_continue = request.headers().contains_key(header::EXPECT);
        let request =
            connection.prepare_request(request.map(|body| Body::new(DrainOnDrop::new(body, !expects_continue))));
        let response = site.clone().answer(request);
        async move {
            let response = response.await;
            Ok::<_, Infallible>(match in_progress {
                Some(request) => response.map(|body| Body::new(LastPart::of(body, request))),
                None => response,
            })
        }
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(MAX_HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(limits.head_time)
        .max_concurrent_streams(100)
        .max_header_list_size(MAX_HEAD_BYTES as u32);
    let mut served = pin!(builder.serve_connection(TokioIo::new(Wire::new(stream, limits.write_time)), service));
    let result = tokio::select! {
        result = served.as_mut() => result,
        () = requests.silence(limits.head_time, limits.idle_time) => {
            if !requests.have_begun() {
                return tracing::debug!("closed a connection without a request");
            }
            // The client is told first: it may be about to send one.
            served.as_mut().graceful_shutdown();
            tokio::time::timeout(limits.head_time, served).await.unwrap_or(Ok(()))
        }
        () = requests.standstill(limits.write_time) => {
            return tracing::debug!("closed a connection on which responses stood still");
        }
        () = told_to_stop(stopped) => {
            served.as_mut().graceful_shutdown();
            tokio::select! {
                result = served.as_mut() => result,
                // Half of a head is no request.
                () = requests.silence(LAST_HEAD_TIME, limits.idle_time) => Ok(()),
            }
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "connection ended early");
    }
}

async fn told_to_stop(stopped: &mut watch::Receiver<bool>) {
    // An error means that the server has ended.
    let _ = stopped.wait_for(|stopped| *stopped).await;
}

fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}
