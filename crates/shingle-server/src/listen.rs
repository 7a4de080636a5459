//! Connections: plain or TLS, with a deadline for the request's head, and an end that finishes what was begun.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header;
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_rustls::TlsAcceptor;
use tower::Service;

use crate::cli::Problem;
use crate::http::Connection;
use crate::linger::Lingering;

/// For the handshake, and for each request's head.
const PATIENCE: Duration = Duration::from_secs(15);
/// How long a stopping server waits for answers that are under way.
const LAST_ANSWERS: Duration = Duration::from_secs(20);
const MOST_CONNECTIONS: usize = 16_384;

/// Answers until `stop` resolves, then finishes the answers under way.
pub async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { break };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // A client that went away is no news; a lack of file handles passes, but not at once.
                    if !is_clients_doing(&error) {
                        tracing::error!(%error, "cannot accept connections");
                        tokio::time::sleep(Duration::from_millis(100)).await;
                    }
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let (tls, router, watcher) = (tls.clone(), router.clone(), graceful.watcher());
        tokio::spawn(async move {
            converse(stream, peer, tls, router, watcher).await;
            drop(place);
        });
    }
    drop(listener);
    if tokio::time::timeout(LAST_ANSWERS, graceful.shutdown()).await.is_err() {
        tracing::warn!("stopped with answers still under way");
    }
}

async fn converse(stream: TcpStream, peer: SocketAddr, tls: Option<TlsAcceptor>, router: Router, watcher: Watcher) {
    // Small answers should not wait for more; if the system refuses they are merely late.
    let _ = stream.set_nodelay(true);
    match tls {
        None => speak_http(stream, Connection { peer, tls: false }, router, watcher).await,
        Some(tls) => match tokio::time::timeout(PATIENCE, tls.accept(stream)).await {
            Ok(Ok(stream)) => speak_http(stream, Connection { peer, tls: true }, router, watcher).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake took too long"),
        },
    }
}

async fn speak_http<S>(stream: S, connection: Connection, router: Router, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let expects = request.headers().contains_key(header::EXPECT);
        let request = connection.admit(request.map(|body| Body::new(Lingering::new(body, !expects))));
        router.clone().call(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(PATIENCE).max_concurrent_streams(100);
    let conversation = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    if let Err(error) = watcher.watch(conversation).await {
        tracing::debug!(%error, "connection ended early");
    }
}

fn is_clients_doing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Reads a certificate chain and its key.
pub fn tls(cert: &Path, key: &Path) -> Result<TlsAcceptor, Problem> {
    let unreadable = |what: &str, at: &Path, error: &dyn std::fmt::Display| {
        Problem::new(format!("The {what} cannot be used: {error}")).at(at.display()).mend("It must be a PEM file.")
    };
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|e| unreadable("certificate", cert, &e))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|e| unreadable("certificate's key", key, &e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(|e| unreadable("certificate", cert, &e))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
