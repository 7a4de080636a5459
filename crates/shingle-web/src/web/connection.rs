//! The client's connection and address, and the request target before normalization.

use std::net::{IpAddr, SocketAddr};
use std::sync::Once;

use axum::body::Body;
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};

use shingle_app::config::Settings;

/// One accepted connection.
#[derive(Debug, Clone, Copy)]
pub struct Connection {
    pub peer: SocketAddr,
    pub tls: bool,
}

/// Path and query as the client sent them.
#[derive(Debug, Clone)]
pub(crate) struct OriginalTarget(pub PathAndQuery);

impl Connection {
    /// Prepares a request for the router: keeps the original target, and removes the upper case and one trailing slash
    /// of an API path, which the contract ignores.
    pub fn prepare_request(self, mut request: Request<Body>) -> Request<Body> {
        let target = request.uri().path_and_query().cloned().unwrap_or_else(|| PathAndQuery::from_static("/"));
        let path = request.uri().path();
        if path.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("/api/")) {
            let normalized = path.strip_suffix('/').unwrap_or(path).to_ascii_lowercase();
            if normalized != path {
                let full =
                    request.uri().query().map_or_else(|| normalized.clone(), |query| format!("{normalized}?{query}"));
                if let Ok(uri) = full.parse::<Uri>() {
                    *request.uri_mut() = uri;
                }
            }
        }
        request.extensions_mut().insert(OriginalTarget(target));
        request.extensions_mut().insert(self);
        request
    }
}

/// The client behind the connection, seen through trusted proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visitor {
    pub ip: IpAddr,
    /// Over TLS, or from the same machine.
    pub is_secure: bool,
    /// Over TLS, here or up to a trusted proxy.
    pub is_tls: bool,
}

impl Visitor {
    pub fn of(connection: Connection, headers: &HeaderMap, settings: &Settings) -> Self {
        let peer = connection.peer.ip().to_canonical();
        if !settings.trusts(peer) {
            if FORWARDING.iter().any(|name| headers.contains_key(*name)) {
                warn_of_untrusted_proxy(peer);
            }
            return Self { ip: peer, is_secure: connection.tls || peer.is_loopback(), is_tls: connection.tls };
        }
        let forwarded = |name: &str| headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).collect::<Vec<_>>();
        // The last address that is not a trusted proxy. Clients can forge everything before it.
        let ip = forwarded("x-forwarded-for")
            .join(",")
            .rsplit(',')
            .map_while(|part| part.trim().parse::<IpAddr>().ok())
            .find(|ip| !settings.trusts(*ip))
            .map_or(peer, |ip| ip.to_canonical());
        match forwarded("x-forwarded-proto").last() {
            Some(scheme) => {
                let is_tls = scheme.trim().eq_ignore_ascii_case("https");
                Self { ip, is_secure: is_tls, is_tls }
            }
            None => Self { ip, is_secure: connection.tls || peer.is_loopback(), is_tls: connection.tls },
        }
    }
}

/// Headers of proxies. Only the first two are read, and only from a trusted one.
const FORWARDING: [&str; 3] = ["x-forwarded-for", "x-forwarded-proto", "forwarded"];

/// Once: visitors can send these headers too.
fn warn_of_untrusted_proxy(peer: IpAddr) {
    static WARNED: Once = Once::new();
    WARNED.call_once(|| {
        tracing::warn!(
            "a request from {peer} has the headers of a proxy, which are ignored: {peer} is not in trusted_proxy. If it is \
             your proxy, name its network there; until then all its visitors share one address and its limits"
        );
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(peer: &str, tls: bool, headers: &[(&'static str, &str)]) -> Visitor {
        let settings = Settings { trusted_proxy: vec!["10.0.0.0/8".parse().unwrap()], ..Settings::default() };
        let headers = headers.iter().map(|(n, v)| (n.parse().unwrap(), v.parse().unwrap())).collect();
        Visitor::of(Connection { peer: SocketAddr::new(peer.parse().unwrap(), 1), tls }, &headers, &settings)
    }

    #[test]
    fn only_a_trusted_proxy_sets_the_visitor_and_the_scheme() {
        let forwarded = [("x-forwarded-for", "198.51.100.7, 203.0.113.9, 10.0.0.2"), ("x-forwarded-proto", "https")];
        let proxied = visitor("10.0.0.1", false, &forwarded);
        assert_eq!(proxied, Visitor { ip: "203.0.113.9".parse().unwrap(), is_secure: true, is_tls: true });
        let untrusted = visitor("192.0.2.1", false, &forwarded);
        assert_eq!(untrusted, Visitor { ip: "192.0.2.1".parse().unwrap(), is_secure: false, is_tls: false });
    }

    #[test]
    fn plain_http_is_secure_only_on_the_same_machine() {
        assert!(visitor("127.0.0.1", false, &[]).is_secure);
        assert!(visitor("::ffff:127.0.0.1", false, &[]).is_secure);
        assert!(visitor("192.0.2.1", true, &[]).is_secure);
        assert!(!visitor("192.0.2.1", false, &[]).is_secure);
        assert!(!visitor("10.0.0.1", false, &[("x-forwarded-proto", "http")]).is_secure);
        assert!(!visitor("10.0.0.1", false, &[]).is_secure);
    }

    #[test]
    fn api_paths_lose_case_and_one_slash_and_keep_the_original() {
        let connection = Connection { peer: SocketAddr::from(([127, 0, 0, 1], 1)), tls: false };
        let prepare = |uri: &str| connection.prepare_request(Request::builder().uri(uri).body(Body::empty()).unwrap());
        let request = prepare("/API/v1/Roof-Estimate/?City=Bath");
        assert_eq!(request.uri(), "/api/v1/roof-estimate?City=Bath");
        assert_eq!(request.extensions().get::<OriginalTarget>().unwrap().0, "/API/v1/Roof-Estimate/?City=Bath");
        assert_eq!(prepare("/api/v1/leads//").uri(), "/api/v1/leads/");
        assert_eq!(prepare("/runtime/Web.wasm").uri(), "/runtime/Web.wasm");
        assert_eq!(prepare("/é").uri().path(), "/é");
    }
}
