//! What answers at the base URL: this installation, another server, or nothing.

use std::time::Duration;

use serde::Deserialize;
use shingle_deliver::{CertificateFault, Egress, EgressError, EgressPolicy, FetchLimits, FetchedPage};
use shingle_domain::Timestamp;
use shingle_store::Clock;

use super::messages::{Fault, Finding, Fix};
use crate::installation::Installation;
use crate::installation_proof::{InstallationProof, Proof, QUESTION};
use crate::operator_error::OperatorError;

const MAX_TIME: Duration = Duration::from_secs(5);
const MAX_BYTES: usize = 4 * 1024;

/// What the check found, and what the server there took for the time.
pub(super) struct AskedBaseUrl {
    pub found: Result<Finding, OperatorError>,
    pub date: Option<SeenDate>,
}

/// Another machine's clock beside ours, read at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SeenDate {
    pub theirs: Timestamp,
    pub ours: Timestamp,
}

/// Asks the base URL as a visitor's browser would come to it.
pub(super) async fn ask(context: &Installation) -> AskedBaseUrl {
    let Some(base) = &context.settings.base_url else {
        let here = context.settings.base_url(context.settings.listen);
        return AskedBaseUrl { found: Ok(Finding::NoBaseUrl { here }), date: None };
    };
    let proof = match context.secret() {
        Ok(secret) => InstallationProof::new(&secret),
        Err(error) => return AskedBaseUrl { found: Err(error), date: None },
    };
    let client = |policy: EgressPolicy| {
        let agent = format!("Shingle/{} (+doctor)", env!("CARGO_PKG_VERSION"));
        let authorities = context.settings.authorities().map_err(|e| EgressError::Setup { why: e.to_string() })?;
        Egress::trusting(policy, &agent, &authorities)
    };
    let networks = context.settings.egress().allowed_networks;
    Question { base: base.trim_end_matches('/'), proof: &proof, clock: &*context.clock, limit: MAX_TIME }
        .ask(networks, client)
        .await
}

struct Question<'q> {
    base: &'q str,
    proof: &'q InstallationProof,
    clock: &'q dyn Clock,
    limit: Duration,
}

/// Who answered.
#[derive(Deserialize)]
struct Answer {
    #[serde(flatten)]
    proof: Proof,
}

impl Question<'_> {
    /// A name that leads to private addresses alone is asked anyway: it is the operator's own, and nobody else's word.
    async fn ask(
        &self,
        networks: Vec<ipnet::IpNet>,
        client: impl Fn(EgressPolicy) -> Result<Egress, EgressError>,
    ) -> AskedBaseUrl {
        let allow_http = self.base.starts_with("http://");
        let public = self.fetch(client(EgressPolicy { allowed_networks: networks, allow_http })).await;
        if !matches!(public, Err(EgressError::NotPublic { .. })) {
            return self.judge(public, |base| Finding::ThisServer { base });
        }
        let everything = ["0.0.0.0/0", "::/0"].iter().filter_map(|net| net.parse().ok()).collect();
        let private = self.fetch(client(EgressPolicy { allowed_networks: everything, allow_http })).await;
        self.judge(private, |base| Finding::ThisServerAtHome { base })
    }

    async fn fetch(&self, client: Result<Egress, EgressError>) -> Result<(String, FetchedPage), EgressError> {
        let client = client?;
        let question = InstallationProof::question().map_err(|e| EgressError::Setup { why: e.to_string() })?;
        let query = format!("{QUESTION}={question}");
        let target = client.target(&format!("{}/healthz?{query}", self.base))?;
        let limits = FetchLimits { timeout: self.limit, max_bytes: MAX_BYTES, max_redirects: 1 };
        Ok((query, client.get(target, limits, |_| false).await.result?))
    }

    fn judge(
        &self,
        fetched: Result<(String, FetchedPage), EgressError>,
        beside: impl Fn(String) -> Finding,
    ) -> AskedBaseUrl {
        let (query, page) = match fetched {
            Ok(fetched) => fetched,
            Err(error) => return AskedBaseUrl { found: Err(self.unreached(error)), date: None },
        };
        let date = page.header("date").and_then(seconds).map(|theirs| SeenDate { theirs, ours: self.clock.now() });
        AskedBaseUrl { found: self.who(&query, &page).map(|()| beside(self.base.to_owned())), date }
    }

    fn who(&self, query: &str, page: &FetchedPage) -> Result<(), OperatorError> {
        let told = |what: Fault, fix: Fix| Err(OperatorError::new(what).at(self.base).fix(fix));
        match (page.status, serde_json::from_slice::<Answer>(&page.body)) {
            (502..=504, _) => told(Fault::ProxyAlone { status: page.status }, Fix::StartBehind),
            (200, Ok(Answer { proof })) if Some(&proof.proof) != self.proof.answer(query).as_ref() => {
                told(Fault::OtherInstallation, Fix::OwnAddress)
            }
            (200, Ok(Answer { proof })) if !proof.secure => told(Fault::ReadAsPlain, Fix::ForwardScheme),
            (200, Ok(_)) => Ok(()),
            (status, _) => told(Fault::OtherServer { status }, Fix::Route),
        }
    }

    fn unreached(&self, why: EgressError) -> OperatorError {
        let fix = match &why {
            EgressError::UnknownHost { .. } => Fix::Dns,
            EgressError::ConnectionRefused { .. } => Fix::StartServer,
            EgressError::Timeout { .. } | EgressError::Unreachable { .. } => Fix::Firewall,
            EgressError::BadCertificate { fault, .. } => match fault {
                CertificateFault::Expired => Fix::Renew,
                CertificateFault::NotYetValid => Fix::CheckClock,
                CertificateFault::WrongName => Fix::NameInCertificate,
                _ => Fix::PublicAuthority,
            },
            EgressError::Tls { .. } | EgressError::ConnectionLost { .. } => Fix::SchemeOfPort,
            EgressError::RedirectNotAllowed { .. } => Fix::FollowRedirect,
            _ => Fix::BaseUrl,
        };
        OperatorError::new(Fault::BaseUrlNotReached { why }).at(self.base).fix(fix)
    }
}

fn seconds(date: &str) -> Option<Timestamp> {
    let at = httpdate::parse_http_date(date).ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(Timestamp::from_micros(i64::try_from(at.as_micros()).ok()?))
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr, SocketAddr};
    use std::sync::Arc;

    use shingle_deliver::{ResolveFuture, Resolver};
    use shingle_store::Secret;
    use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::clock::MachineClock;

    /// Knows `localhost` alone.
    struct Names;

    impl Resolver for Names {
        fn resolve(&self, host: &str) -> ResolveFuture {
            let found = if host == "localhost" { vec![IpAddr::V4(Ipv4Addr::LOCALHOST)] } else { Vec::new() };
            Box::pin(async move { Ok(found) })
        }
    }

    /// Of which nobody else's proof is right.
    fn proof() -> InstallationProof {
        InstallationProof::new(&Secret::parse(&"5".repeat(64)).unwrap())
    }

    fn response(status: &str, headers: &str, body: &str) -> String {
        format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
    }

    async fn talk(mut socket: impl AsyncRead + AsyncWrite + Unpin, reply: &(dyn Fn(&str) -> Option<String> + Sync)) {
        let mut head = vec![0; 4_096];
        let read = socket.read(&mut head).await.unwrap_or(0);
        let head = String::from_utf8_lossy(&head[..read]).into_owned();
        let query = head.split(['?', ' ']).nth(2).unwrap_or_default();
        match reply(query) {
            Some(reply) => {
                let _ = socket.write_all(reply.as_bytes()).await;
                let _ = socket.shutdown().await;
            }
            // Until the client gives up.
            None => while socket.read(&mut [0]).await.is_ok_and(|read| read > 0) {},
        }
    }

    async fn site(
        tls: Option<tokio_rustls::TlsAcceptor>,
        reply: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
    ) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let at = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                match &tls {
                    None => talk(socket, &reply).await,
                    Some(tls) => {
                        if let Ok(socket) = tls.accept(socket).await {
                            talk(socket, &reply).await;
                        }
                    }
                }
            }
        });
        at
    }

    async fn asked(base: &str, limit: Duration) -> AskedBaseUrl {
        let client = |policy| Egress::with_resolver(policy, "test", rustls::RootCertStore::empty(), Arc::new(Names));
        Question { base, proof: &proof(), clock: &MachineClock, limit }.ask(Vec::new(), client).await
    }

    async fn told(at: SocketAddr) -> String {
        asked(&format!("http://{at}"), Duration::from_secs(30)).await.found.unwrap_err().to_string()
    }

    fn own(query: &str, secure: bool) -> String {
        let answer = proof().answer(query).unwrap_or_default();
        format!(r#"{{"status":"ok","proof":"{answer}","secure":{secure}}}"#)
    }

    #[tokio::test]
    async fn the_server_of_this_installation_is_known_and_its_clock_read() {
        let date = "date: Sun, 22 Nov 2026 08:00:00 GMT\r\n";
        let at = site(None, move |query| Some(response("200 OK", date, &own(query, true)))).await;
        for base in [format!("http://{at}"), format!("http://localhost:{}", at.port())] {
            let asked = asked(&base, Duration::from_secs(30)).await;
            let found = asked.found.unwrap().to_string();
            assert!(found.contains("is this server") && found.contains("private"), "{found}");
            assert_eq!(asked.date.unwrap().theirs.to_string(), "2026-11-22T08:00:00.000Z");
        }
    }

    #[tokio::test]
    async fn other_servers_are_recognized() {
        for (status, headers, body, said) in [
            ("200 OK", "", r#"{"status":"ok"}"#.to_owned(), "Something else than this server"),
            ("200 OK", "", "<h1>It works</h1>".to_owned(), "Something else than this server"),
            ("404 Not Found", "", "{}".to_owned(), "status 404"),
            ("502 Bad Gateway", "", "nginx".to_owned(), "does not reach the server behind it"),
            ("200 OK", "", own("prove=00", true), "Another installation"),
            (
                "301 Moved Permanently",
                "location: https://www.example.com/healthz\r\n",
                String::new(),
                "sends visitors on to https://www.example.com/",
            ),
        ] {
            let reply = response(status, headers, &body);
            let found = told(site(None, move |_| Some(reply.clone())).await).await;
            assert!(found.contains(said) && found.contains("try:"), "{status} {body}: {found}");
        }
        let plain = told(site(None, |query| Some(response("200 OK", "", &own(query, false)))).await).await;
        assert!(plain.contains("plain HTTP") && plain.contains("trusted_proxy"), "{plain}");
    }

    #[tokio::test]
    async fn what_is_not_reached_says_why() {
        let gone = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
        let refused = told(gone).await;
        assert!(refused.contains("refused") && refused.contains("shingle serve"), "{refused}");

        let named = asked("https://roofs.example.com", Duration::from_secs(30)).await.found.unwrap_err().to_string();
        assert!(named.contains("no server named roofs.example.com") && named.contains("DNS"), "{named}");

        let silent = site(None, |_| None).await;
        let late = asked(&format!("http://{silent}"), Duration::from_millis(200)).await.found.unwrap_err().to_string();
        assert!(late.contains("did not finish") && late.contains("firewall"), "{late}");

        let plain = site(None, |_| Some("HTTP/1.1 400 Bad Request\r\n\r\n".into())).await;
        let garbled = asked(&format!("https://{plain}"), Duration::from_secs(30)).await.found.unwrap_err().to_string();
        assert!(garbled.contains("with TLS"), "{garbled}");

        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (cert, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&cert, made.cert.pem()).unwrap();
        std::fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        use rustls::pki_types::pem::PemObject as _;
        let chain = vec![rustls::pki_types::CertificateDer::from_pem_file(&cert).unwrap()];
        let secret = rustls::pki_types::PrivateKeyDer::from_pem_file(&key).unwrap();
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, secret)
            .unwrap();
        let own_made =
            site(Some(Arc::new(config).into()), |query| Some(response("200 OK", "", &own(query, true)))).await;
        let base = format!("https://localhost:{}", own_made.port());
        let found = asked(&base, Duration::from_secs(30)).await.found.unwrap_err().to_string();
        assert!(found.contains("certificate") && found.contains("no known authority"), "{found}");
    }
}
