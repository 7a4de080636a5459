//! Connections: plain or TLS, with a timeout for the head of a request, and a shutdown that finishes what has begun.

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

use crate::drain::DrainOnDrop;
use crate::http::connection::Connection;
use crate::operator_error::OperatorError;

/// For the handshake, and for each request's head.
const HEAD_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a stopping server waits for the requests in progress.
const MAX_SHUTDOWN_TIME: Duration = Duration::from_secs(20);
const MAX_CONNECTIONS: usize = 16_384;

/// Serves until `stop` resolves, then finishes the requests in progress.
pub async fn serve(listener: TcpListener, tls: Option<TlsAcceptor>, router: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let Ok(permit) = permits.clone().acquire_owned().await else { break };
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // A client that went away is no error of ours. A lack of file handles passes, but not at once.
                    if !is_client_error(&error) {
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
            handle_connection(stream, peer, tls, router, watcher).await;
            drop(permit);
        });
    }
    drop(listener);
    if tokio::time::timeout(MAX_SHUTDOWN_TIME, graceful.shutdown()).await.is_err() {
        tracing::warn!("stopped with requests still in progress");
    }
}

async fn handle_connection(
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    router: Router,
    watcher: Watcher,
) {
    // Small responses should not wait for more data. If the system refuses, they are only late.
    let _ = stream.set_nodelay(true);
    match tls {
        None => serve_http(stream, Connection { peer, tls: false }, router, watcher).await,
        Some(tls) => match tokio::time::timeout(HEAD_TIMEOUT, tls.accept(stream)).await {
            Ok(Ok(stream)) => serve_http(stream, Connection { peer, tls: true }, router, watcher).await,
            Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
            Err(_) => tracing::debug!("TLS handshake took too long"),
        },
    }
}

async fn serve_http<S>(stream: S, connection: Connection, router: Router, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let expects_continue = request.headers().contains_key(header::EXPECT);
        let request =
            connection.prepare_request(request.map(|body| Body::new(DrainOnDrop::new(body, !expects_continue))));
        router.clone().call(request)
    });
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(HEAD_TIMEOUT).max_concurrent_streams(100);
    let served = builder.serve_connection(TokioIo::new(stream), service).into_owned();
    if let Err(error) = watcher.watch(served).await {
        tracing::debug!(%error, "connection ended early");
    }
}

fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Reads a certificate chain and its key.
pub fn tls(cert: &Path, key: &Path) -> Result<TlsAcceptor, OperatorError> {
    let file_error = |what: &str, at: &Path, error: &dyn std::fmt::Display| {
        OperatorError::new(format!("The {what} cannot be used: {error}")).at(at.display()).fix("It must be a PEM file.")
    };
    let chain = CertificateDer::pem_file_iter(cert)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|e| file_error("certificate", cert, &e))?;
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|e| file_error("certificate's key", key, &e))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, secret))
        .map_err(|e| file_error("certificate", cert, &e))?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
