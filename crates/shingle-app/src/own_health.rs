//! `shingle health`: whether the server of these settings answers and can work, asked from its own machine.
//!
//! # Decision
//!
//! The listening address is asked, not the base URL: a name that does not resolve here, or a proxy that is down, would
//! have a healthy server restarted. A self-signed certificate of its own is trusted for that. One whose file lacks the
//! certificate of its authority is not: name the authority in `egress_ca_file`.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use ipnet::IpNet;
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde::Deserialize;
use shingle_deliver::{Egress, EgressError, EgressPolicy, FetchLimits, ResolveFuture, Resolver};
use shingle_domain::messages;

use crate::config::Settings;
use crate::operator_error::OperatorError;

/// Container engines wait thirty seconds, load balancers five.
const LIMITS: FetchLimits = FetchLimits { timeout: Duration::from_secs(5), max_bytes: 4 * 1024, max_redirects: 0 };

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum HealthFault {
        NoPort => "The settings name port 0, so the port of the server is not known",
        NotReached { why: EgressError } => "The server does not answer: {why}",
        NotReady { status: u16, why: String } => "The server answers with status {status}: {why}",
        Start => "Start it with `shingle serve`, or name the address that it listens on with --listen.",
        NamePort => "Name its address and port with --listen.",
        Doctor => "Run `shingle doctor`, and read the server's log.",
    }
}

/// Every name is this machine.
struct ThisMachine(IpAddr);

impl Resolver for ThisMachine {
    fn resolve(&self, _: &str) -> ResolveFuture {
        let address = self.0;
        Box::pin(async move { Ok(vec![address]) })
    }
}

/// The URL that was asked.
pub async fn ask(settings: &Settings) -> Result<String, OperatorError> {
    let port = settings.listen.port();
    if port == 0 {
        return Err(OperatorError::new(HealthFault::NoPort).at("listen").fix(HealthFault::NamePort));
    }
    let address = match settings.listen.ip() {
        // Nobody can connect to "any address".
        ip if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        ip => ip,
    };
    let url = match settings.has_own_https() {
        true => format!("https://{}:{port}/readyz", own_name(settings)),
        false => format!("http://{}/readyz", std::net::SocketAddr::new(address, port)),
    };
    let fetched = async {
        let policy = EgressPolicy { allowed_networks: vec![IpNet::from(address)], allow_http: true };
        let agent = format!("Shingle/{} (+health)", env!("CARGO_PKG_VERSION"));
        let client = Egress::with_resolver(policy, &agent, roots(settings), Arc::new(ThisMachine(address)))?;
        client.get(client.target(&url)?, LIMITS, |_| false).await.result
    };
    match fetched.await {
        Ok(page) if page.status == 200 => Ok(url),
        Ok(page) => {
            let why = why_not_ready(&page.body);
            let fault = HealthFault::NotReady { status: page.status, why };
            Err(OperatorError::new(fault).at(url).fix(HealthFault::Doctor))
        }
        Err(why) => Err(OperatorError::new(HealthFault::NotReached { why }).at(url).fix(HealthFault::Start)),
    }
}

/// As `/readyz` says it.
fn why_not_ready(body: &[u8]) -> String {
    #[derive(Deserialize)]
    struct Readiness {
        status: String,
    }
    let said = serde_json::from_slice::<Readiness>(body).map(|readiness| readiness.status);
    said.unwrap_or_else(|_| "it does not say why".to_owned())
}

/// What its certificate is for.
fn own_name(settings: &Settings) -> String {
    let base = settings.base_url.as_deref().and_then(|base| url::Url::parse(base).ok());
    let host = base.and_then(|base| base.host_str().map(str::to_owned));
    settings.acme_domains.first().cloned().or(host).unwrap_or_else(|| "localhost".to_owned())
}

fn roots(settings: &Settings) -> RootCertStore {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    for file in [&settings.tls_cert, &settings.acme_root, &settings.egress_ca_file].into_iter().flatten() {
        let read = CertificateDer::pem_file_iter(file).map(|all| all.filter_map(Result::ok).collect::<Vec<_>>());
        // What cannot be read is the matter of `shingle doctor`; without it the certificate is refused.
        roots.add_parsable_certificates(read.unwrap_or_default());
    }
    roots
}
