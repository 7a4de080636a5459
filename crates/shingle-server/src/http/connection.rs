//! Who is at the other end, and what was asked for before the path was tidied.

use std::net::{IpAddr, SocketAddr};

use axum::body::Body;
use axum::extract::Request;
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, Uri};

use crate::config::Settings;

/// One accepted connection.
#[derive(Debug, Clone, Copy)]
pub struct Connection {
    pub peer: SocketAddr,
    pub tls: bool,
}

/// Path and query as they were sent.
#[derive(Debug, Clone)]
pub(super) struct Target(pub String);

impl Connection {
    /// Readies a request for the routes: remembers how it was sent, and tidies an API path's case and its one
    /// slash at the end, which the contract's stack ignored.
    pub(crate) fn admit(self, mut request: Request<Body>) -> Request<Body> {
        let target = request.uri().path_and_query().map_or("/", PathAndQuery::as_str).to_owned();
        let path = request.uri().path();
        if path.get(..5).is_some_and(|head| head.eq_ignore_ascii_case("/api/")) {
            let tidy = path.strip_suffix('/').unwrap_or(path).to_ascii_lowercase();
            if tidy != path {
                let full = request.uri().query().map_or_else(|| tidy.clone(), |query| format!("{tidy}?{query}"));
                if let Ok(uri) = full.parse::<Uri>() {
                    *request.uri_mut() = uri;
                }
            }
        }
        request.extensions_mut().insert(Target(target));
        request.extensions_mut().insert(self);
        request
    }
}

/// The visitor behind the connection, after proxies that are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visitor {
    pub ip: IpAddr,
    /// Whether nobody on the way could read along: TLS, or the same machine.
    pub private: bool,
}

impl Visitor {
    pub fn of(connection: Connection, headers: &HeaderMap, settings: &Settings) -> Self {
        let peer = connection.peer.ip().to_canonical();
        if !settings.trusts(peer) {
            return Self { ip: peer, private: connection.tls || peer.is_loopback() };
        }
        let forwarded = |name: &str| headers.get_all(name).iter().filter_map(|v| v.to_str().ok()).collect::<Vec<_>>();
        // The last address that is not a proxy of ours: what stands before it anyone may have written.
        let ip = forwarded("x-forwarded-for")
            .join(",")
            .rsplit(',')
            .map_while(|part| part.trim().parse::<IpAddr>().ok())
            .find(|ip| !settings.trusts(*ip))
            .map_or(peer, |ip| ip.to_canonical());
        let private = match forwarded("x-forwarded-proto").last() {
            Some(scheme) => scheme.trim().eq_ignore_ascii_case("https"),
            None => connection.tls || peer.is_loopback(),
        };
        Self { ip, private }
    }
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
    fn only_a_trusted_proxy_is_believed_about_visitor_and_scheme() {
        let says = [("x-forwarded-for", "198.51.100.7, 203.0.113.9, 10.0.0.2"), ("x-forwarded-proto", "https")];
        let proxied = visitor("10.0.0.1", false, &says);
        assert_eq!(proxied, Visitor { ip: "203.0.113.9".parse().unwrap(), private: true });
        let liar = visitor("192.0.2.1", false, &says);
        assert_eq!(liar, Visitor { ip: "192.0.2.1".parse().unwrap(), private: false });
    }

    #[test]
    fn plain_http_is_private_on_the_same_machine_only() {
        assert!(visitor("127.0.0.1", false, &[]).private);
        assert!(visitor("::ffff:127.0.0.1", false, &[]).private);
        assert!(visitor("192.0.2.1", true, &[]).private);
        assert!(!visitor("192.0.2.1", false, &[]).private);
        assert!(!visitor("10.0.0.1", false, &[("x-forwarded-proto", "http")]).private);
        assert!(!visitor("10.0.0.1", false, &[]).private);
    }

    #[test]
    fn api_paths_lose_case_and_one_slash_and_remember_how_they_were_sent() {
        let connection = Connection { peer: SocketAddr::from(([127, 0, 0, 1], 1)), tls: false };
        let admit = |uri: &str| connection.admit(Request::builder().uri(uri).body(Body::empty()).unwrap());
        let request = admit("/API/v1/Roof-Estimate/?City=Bath");
        assert_eq!(request.uri(), "/api/v1/roof-estimate?City=Bath");
        assert_eq!(request.extensions().get::<Target>().unwrap().0, "/API/v1/Roof-Estimate/?City=Bath");
        assert_eq!(admit("/api/v1/leads//").uri(), "/api/v1/leads/");
        assert_eq!(admit("/runtime/App.wasm").uri(), "/runtime/App.wasm");
        assert_eq!(admit("/é").uri().path(), "/é");
    }
}
