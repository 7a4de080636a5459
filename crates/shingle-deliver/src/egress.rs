//! The HTTP client. One timeout and one byte limit hold for a whole fetch, redirects included.
//!
//! # Decision
//!
//! A kept connection that the receiver closed is replaced immediately and counts as no attempt, for webhooks only,
//! whose receivers know an event by its id; idle connections close after 1.5 seconds. Turned down: the same for
//! connectors, which create records.

use shingle_domain::cold_sort::ColdSort as _;
use std::collections::HashMap;
use std::io::Read;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use rustls::RootCertStore;
use rustls::pki_types::CertificateDer;
use tokio::time::Instant;
use url::{Host, Url};

use crate::error::{EgressError, display_ip};
use crate::nat64::Nat64;
use crate::policy::{EgressPolicy, is_own_network};
use crate::policy_resolver::PolicyResolver;
use crate::resolver::{Resolver, SystemResolver};
use crate::target::Target;

/// Limits of one fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// For everything: name resolution, connections, TLS, redirects, headers, body.
    pub timeout: Duration,
    /// Bytes of a body that are read, and as many again after decompression.
    pub max_bytes: usize,
    pub max_redirects: u8,
}

/// A response that redirected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    pub url: Url,
    pub status: u16,
}

/// A response of any status that was not a redirect.
#[derive(Debug, Clone)]
pub struct FetchedPage {
    pub url: Url,
    pub status: u16,
    headers: HeaderMap,
    /// Decompressed.
    pub body: Vec<u8>,
    /// The body was longer than the limit.
    pub truncated: bool,
}

impl FetchedPage {
    /// The first value of the header, as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// All values of the header, one for each header line.
    pub fn headers(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok())
    }
}

/// The redirects of a fetch, and its result.
#[derive(Debug)]
pub struct FetchOutcome {
    /// In order.
    pub redirects: Vec<Redirect>,
    /// The last address that was requested.
    pub final_url: Url,
    pub result: Result<FetchedPage, EgressError>,
}

/// Fetches pages from public addresses, and from no others.
pub struct Egress {
    policy: Arc<EgressPolicy>,
    resolver: Arc<dyn Resolver>,
    nat64: Arc<Nat64>,
    pub(crate) client: reqwest::Client,
    /// Servers that have just answered, whose connections may be kept.
    answered: Mutex<HashMap<String, Instant>>,
}

const MAX_IDLE: Duration = Duration::from_millis(1_500);

/// How long a name is looked up when somebody enters it.
const MAX_CHECK_TIME: Duration = Duration::from_secs(1);

impl Egress {
    /// `user_agent` names this program to the servers.
    pub fn new(policy: EgressPolicy, user_agent: &str) -> Result<Self, EgressError> {
        Self::resolving(policy, user_agent, Arc::new(SystemResolver))
    }

    /// With a resolver of the caller's choice.
    pub fn resolving(policy: EgressPolicy, user_agent: &str, resolver: Arc<dyn Resolver>) -> Result<Self, EgressError> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Self::with_resolver(policy, user_agent, roots, resolver)
    }

    /// Which also takes certificates of these authorities.
    pub fn trusting(
        policy: EgressPolicy,
        user_agent: &str,
        authorities: &[CertificateDer<'static>],
    ) -> Result<Self, EgressError> {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        for authority in authorities {
            roots.add(authority.clone()).map_err(|e| EgressError::Setup { why: e.to_string() })?;
        }
        Self::with_resolver(policy, user_agent, roots, Arc::new(SystemResolver))
    }

    /// With root certificates and a resolver of the caller's choice.
    pub fn with_resolver(
        policy: EgressPolicy,
        user_agent: &str,
        roots: RootCertStore,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, EgressError> {
        let policy = Arc::new(policy);
        let nat64 = Arc::new(Nat64::new(resolver.clone()));
        let names = PolicyResolver { policy: policy.clone(), resolver: resolver.clone(), nat64: nat64.clone() };
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| EgressError::Setup { why: e.to_string() })?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(names))
            .user_agent(user_agent)
            .https_only(!policy.allow_http)
            // `follow` checks and follows each redirect itself; a proxy would resolve names itself.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            // Servers close connections that are idle, some after two seconds; one that closes as we write loses a request.
            .pool_idle_timeout(MAX_IDLE)
            .referer(false)
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .build()
            .map_err(|e| EgressError::Setup { why: e.to_string() })?;
        Ok(Self { policy, resolver, nat64, client, answered: Mutex::default() })
    }

    pub(crate) fn note_answer(&self, target: &Target) {
        let now = Instant::now();
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.retain(|_, at| now.duration_since(*at) < MAX_IDLE);
        answered.insert(server_of(target), now);
    }

    /// Whether a request to this server may go over a connection that was used before.
    pub(crate) fn may_keep_connection(&self, target: &Target) -> bool {
        let answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        answered.get(&server_of(target)).is_some_and(|at| at.elapsed() < MAX_IDLE)
    }

    pub fn policy(&self) -> &EgressPolicy {
        &self.policy
    }

    /// Whether the host of the target is one that may be reached, as far as its name says today. A name that cannot be
    /// resolved now passes: it is judged again at every connection.
    ///
    /// # Errors
    /// [`EgressError::NotPublic`]
    pub async fn check_host(&self, target: &Target) -> Result<(), EgressError> {
        let Some(Host::Domain(name)) = target.url().host() else { return self.check_literal(target).await };
        let Ok(Ok(found)) = tokio::time::timeout(MAX_CHECK_TIME, self.resolver.resolve(name)).await else {
            return Ok(());
        };
        let prefixes = self.nat64.prefixes_for(&found).await;
        match !found.is_empty() && !found.iter().any(|ip| self.policy.allows_behind(*ip, &prefixes)) {
            true => Err(EgressError::NotPublic { host: name.to_owned() }),
            false => Ok(()),
        }
    }

    /// The addresses of a host in a network of one's own, which `egress_allow` would open. For the operator alone: they show
    /// what the network looks like.
    pub async fn closed_addresses(&self, host: &str) -> Vec<IpAddr> {
        let found = match host.trim_matches(['[', ']']).parse() {
            Ok(ip) => vec![ip],
            Err(_) => {
                let found = tokio::time::timeout(MAX_CHECK_TIME, self.resolver.resolve(host)).await;
                found.ok().and_then(Result::ok).unwrap_or_default()
            }
        };
        let mut closed: Vec<IpAddr> = found.into_iter().map(|ip| ip.to_canonical()).collect();
        closed.retain(|ip| is_own_network(*ip) && !self.policy.allows(*ip));
        closed.cold_sort();
        closed.dedup();
        closed
    }

    /// Whether an address of IPv6, which no name server is asked for, leads to an IPv4 address that may be reached.
    pub(crate) async fn check_literal(&self, target: &Target) -> Result<(), EgressError> {
        let Some(Host::Ipv6(ip)) = target.url().host() else { return Ok(()) };
        let prefixes = self.nat64.prefixes_for(&[ip.into()]).await;
        match self.policy.allows_behind(ip.into(), &prefixes) {
            true => Ok(()),
            false => Err(EgressError::not_public(&display_ip(ip.into()))),
        }
    }

    /// Who answered: behind a NAT64, the IPv4 address.
    pub(crate) async fn answerer(&self, response: &reqwest::Response) -> Option<IpAddr> {
        match response.remote_addr() {
            Some(at) => Some(self.nat64.behind(at.ip()).await),
            None => None,
        }
    }

    pub fn target(&self, text: &str) -> Result<Target, EgressError> {
        Target::parse(text, &self.policy)
    }

    /// Fetches a page. `may_follow` decides about each redirect; one that it refuses ends the fetch.
    pub async fn get(&self, target: Target, limits: FetchLimits, may_follow: impl Fn(&Url) -> bool) -> FetchOutcome {
        let mut redirects = Vec::new();
        let mut last = target;
        let fetch = self.follow(&mut redirects, &mut last, limits, may_follow);
        let result = match tokio::time::timeout(limits.timeout, fetch).await {
            Ok(result) => result,
            Err(_) => Err(EgressError::Timeout { host: last.host().to_owned(), after: limits.timeout }),
        };
        FetchOutcome { redirects, final_url: last.url().clone(), result }
    }

    async fn follow(
        &self,
        redirects: &mut Vec<Redirect>,
        at: &mut Target,
        limits: FetchLimits,
        may_follow: impl Fn(&Url) -> bool,
    ) -> Result<FetchedPage, EgressError> {
        loop {
            self.check_literal(at).await?;
            let failed = |e: reqwest::Error| EgressError::from_reqwest(&e, at.host(), limits.timeout);
            let request = self
                .client
                .get(at.url().clone())
                .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
                .header("accept-encoding", "gzip");
            let response = request.send().await.map_err(failed)?;
            let status = response.status().as_u16();
            if let (301 | 302 | 303 | 307 | 308, Some(to)) = (status, response.headers().get(LOCATION)) {
                // As browsers do, read the bytes as UTF-8.
                let to = String::from_utf8_lossy(to.as_bytes()).into_owned();
                redirects.push(Redirect { url: at.url().clone(), status });
                if redirects.len() > usize::from(limits.max_redirects) {
                    return Err(EgressError::TooManyRedirects {
                        host: at.host().to_owned(),
                        max: limits.max_redirects,
                    });
                }
                let next = at
                    .url()
                    .join(&to)
                    .map_err(|_| EgressError::InvalidRedirect { to: to.chars().take(200).collect() })?;
                if !may_follow(&next) {
                    return Err(EgressError::RedirectNotAllowed { to: next.into() });
                }
                *at = Target::from_url(next, &self.policy)?;
                continue;
            }
            return read(response, at, limits).await;
        }
    }
}

fn server_of(target: &Target) -> String {
    format!("{}:{}", target.host(), target.url().port_or_known_default().unwrap_or_default())
}

/// Reads at most `limits.max_bytes`; truncates a longer body and closes the connection.
async fn read(mut response: reqwest::Response, at: &Target, limits: FetchLimits) -> Result<FetchedPage, EgressError> {
    let mut body = Vec::new();
    let mut truncated = false;
    while let Some(chunk) =
        response.chunk().await.map_err(|e| EgressError::from_reqwest(&e, at.host(), limits.timeout))?
    {
        let room = limits.max_bytes - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            truncated = true;
            break;
        }
    }
    let headers = response.headers().clone();
    let compressed = headers.get("content-encoding").is_some_and(|v| v.as_bytes().eq_ignore_ascii_case(b"gzip"));
    if compressed {
        let mut plain = Vec::new();
        let limit = limits.max_bytes as u64;
        let decompressed = flate2::read::MultiGzDecoder::new(body.as_slice()).take(limit + 1).read_to_end(&mut plain);
        if decompressed.is_err() && !truncated {
            return Err(EgressError::ConnectionLost { host: at.host().to_owned() });
        }
        if plain.len() > limits.max_bytes {
            plain.truncate(limits.max_bytes);
            truncated = true;
        }
        body = plain;
    }
    Ok(FetchedPage { url: at.url().clone(), status: response.status().as_u16(), headers, body, truncated })
}
