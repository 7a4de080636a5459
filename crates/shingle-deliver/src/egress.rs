//! The client. One deadline and one measure of bytes hold for a whole exchange, every redirect included.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{HeaderMap, LOCATION};
use rustls::RootCertStore;
use url::Url;

use crate::address::Rules;
use crate::error::EgressError;
use crate::names::{Guarded, MachineNames, Names};
use crate::target::Target;

/// Bounds of one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// For everything: names, connections, TLS, redirects, headers, body.
    pub time: Duration,
    /// Bytes of a body that are read, and once more that are unpacked.
    pub bytes: usize,
    pub redirects: u8,
}

/// One answer on the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    pub url: Url,
    pub status: u16,
}

#[derive(Debug, Clone)]
pub struct Answer {
    pub url: Url,
    pub status: u16,
    headers: HeaderMap,
    /// Unpacked, when it came packed.
    pub body: Vec<u8>,
    /// There was more than the limit.
    pub cut: bool,
}

impl Answer {
    /// The first value, as text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers(name).next()
    }

    /// All values, each line of its own.
    pub fn headers(&self, name: &str) -> impl Iterator<Item = &str> {
        self.headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok())
    }
}

/// Where the way led, and how it ended.
#[derive(Debug)]
pub struct Journey {
    /// The redirects, in order.
    pub hops: Vec<Hop>,
    /// What was asked for last.
    pub last: Url,
    pub end: Result<Answer, EgressError>,
}

pub struct Egress {
    rules: Arc<Rules>,
    client: reqwest::Client,
}

impl Egress {
    /// `agent` names this program to others.
    pub fn new(rules: Rules, agent: &str) -> Result<Self, EgressError> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Self::with(rules, agent, roots, Arc::new(MachineNames))
    }

    /// With authorities and names of the caller's choice.
    pub fn with(rules: Rules, agent: &str, roots: RootCertStore, names: Arc<dyn Names>) -> Result<Self, EgressError> {
        let rules = Arc::new(rules);
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut tls = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|e| EgressError::Setup(e.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let client = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Arc::new(Guarded { rules: rules.clone(), names }))
            .user_agent(agent)
            .https_only(!rules.http)
            // Redirects are followed here, where each can be looked at; proxies would look up names themselves.
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .referer(false)
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd()
            .build()
            .map_err(|e| EgressError::Setup(e.to_string()))?;
        Ok(Self { rules, client })
    }

    pub fn target(&self, text: &str) -> Result<Target, EgressError> {
        Target::parse(text, &self.rules)
    }

    /// Fetches a page. `within` says which redirects may be followed; one that may not ends the journey.
    pub async fn get(&self, target: Target, limits: Limits, within: impl Fn(&Url) -> bool) -> Journey {
        let mut hops = Vec::new();
        let mut last = target;
        let way = self.follow(&mut hops, &mut last, limits, within);
        let end = match tokio::time::timeout(limits.time, way).await {
            Ok(end) => end,
            Err(_) => Err(EgressError::TooSlow { host: last.host().to_owned(), after: limits.time }),
        };
        Journey { hops, last: last.url().clone(), end }
    }

    async fn follow(
        &self,
        hops: &mut Vec<Hop>,
        at: &mut Target,
        limits: Limits,
        within: impl Fn(&Url) -> bool,
    ) -> Result<Answer, EgressError> {
        loop {
            let failed = |e: reqwest::Error| EgressError::of(&e, at.host(), limits.time);
            let request = self
                .client
                .get(at.url().clone())
                .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
                .header("accept-encoding", "gzip");
            let response = request.send().await.map_err(failed)?;
            let status = response.status().as_u16();
            if let (301 | 302 | 303 | 307 | 308, Some(to)) = (status, response.headers().get(LOCATION)) {
                // Browsers read the bytes as UTF-8.
                let to = String::from_utf8_lossy(to.as_bytes()).into_owned();
                hops.push(Hop { url: at.url().clone(), status });
                if hops.len() > usize::from(limits.redirects) {
                    return Err(EgressError::TooManyRedirects { host: at.host().to_owned(), most: limits.redirects });
                }
                let next = at.url().join(&to).map_err(|_| EgressError::BadRedirect(to.chars().take(200).collect()))?;
                if !within(&next) {
                    return Err(EgressError::LeadsElsewhere(next.into()));
                }
                *at = Target::of(next, &self.rules)?;
                continue;
            }
            return read(response, at, limits).await;
        }
    }
}

/// At most `limits.bytes`; a longer body is cut there, and the connection given up.
async fn read(mut response: reqwest::Response, at: &Target, limits: Limits) -> Result<Answer, EgressError> {
    let mut body = Vec::new();
    let mut cut = false;
    while let Some(chunk) = response.chunk().await.map_err(|e| EgressError::of(&e, at.host(), limits.time))? {
        let room = limits.bytes - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if chunk.len() > room {
            cut = true;
            break;
        }
    }
    let headers = response.headers().clone();
    let packed = headers.get("content-encoding").is_some_and(|v| v.as_bytes().eq_ignore_ascii_case(b"gzip"));
    if packed {
        let mut plain = Vec::new();
        let most = limits.bytes as u64;
        let unpacked = flate2::read::MultiGzDecoder::new(body.as_slice()).take(most + 1).read_to_end(&mut plain);
        if unpacked.is_err() && !cut {
            return Err(EgressError::BrokenOff { host: at.host().to_owned() });
        }
        if plain.len() > limits.bytes {
            plain.truncate(limits.bytes);
            cut = true;
        }
        body = plain;
    }
    Ok(Answer { url: at.url().clone(), status: response.status().as_u16(), headers, body, cut })
}
