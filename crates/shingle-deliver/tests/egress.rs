//! The client against servers on this machine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::VecDeque;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rustls::RootCertStore;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use shingle_deliver::{
    CertificateFault, Egress, EgressError, EgressPolicy, FetchLimits, FetchOutcome, ResolveFuture, Resolver,
    SystemResolver,
};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

const LIMITS: FetchLimits = FetchLimits { timeout: Duration::from_secs(30), max_bytes: 1_000, max_redirects: 5 };
const HOME: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// Answers each connection's one request with what `reply` makes of its head; keeps the heads.
struct Site {
    at: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Site {
    async fn start(reply: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::serve(None, reply).await
    }

    async fn serve(tls: Option<TlsAcceptor>, reply: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind((HOME, 0)).await.unwrap();
        let at = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (kept, reply) = (heads.clone(), Arc::new(reply));
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (tls, kept, reply) = (tls.clone(), kept.clone(), reply.clone());
                tokio::spawn(async move {
                    match tls {
                        Some(tls) => {
                            if let Ok(socket) = tls.accept(socket).await {
                                talk(socket, &kept, &*reply).await;
                            }
                        }
                        None => talk(socket, &kept, &*reply).await,
                    }
                });
            }
        });
        Self { at, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

async fn talk(
    mut socket: impl AsyncRead + AsyncWrite + Unpin,
    kept: &Mutex<Vec<String>>,
    reply: &(dyn Fn(&str) -> Vec<u8> + Sync),
) {
    let mut head = Vec::new();
    // A greeting in TLS has no end that a plain server would see.
    while !head.ends_with(b"\r\n\r\n") && !head.starts_with(&[0x16]) {
        match socket.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let head = String::from_utf8(head).unwrap();
    let answer = reply(&head);
    kept.lock().unwrap().push(head);
    let begun = answer.strip_suffix(b"...");
    let _ = socket.write_all(begun.unwrap_or(&answer)).await;
    if begun.is_some() {
        // There would be more: waits until the other side has had enough.
        let _ = socket.read_u8().await;
    }
    let _ = socket.shutdown().await;
}

fn ok(body: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len()).into_bytes()
}

fn redirect(to: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").into_bytes()
}

/// Answers as written down, one list a question; the last one stays.
struct Script(Mutex<VecDeque<Vec<IpAddr>>>, Arc<Mutex<Vec<String>>>);

impl Resolver for Script {
    fn resolve(&self, host: &str) -> ResolveFuture {
        self.1.lock().unwrap().push(host.to_owned());
        let mut answers = self.0.lock().unwrap();
        let answer = if answers.len() > 1 { answers.pop_front().unwrap() } else { answers[0].clone() };
        Box::pin(async move { Ok(answer) })
    }
}

fn scripted(policy: EgressPolicy, answers: &[&[IpAddr]]) -> (Egress, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let script = Script(Mutex::new(answers.iter().map(|a| a.to_vec()).collect()), asked.clone());
    (Egress::with_resolver(policy, "Shingle/test", RootCertStore::empty(), Arc::new(script)).unwrap(), asked)
}

fn home() -> EgressPolicy {
    EgressPolicy { allowed_networks: vec!["127.0.0.0/8".parse().unwrap()], allow_http: true }
}

fn open() -> Egress {
    Egress::with_resolver(home(), "Shingle/test", RootCertStore::empty(), Arc::new(SystemResolver)).unwrap()
}

async fn get(egress: &Egress, url: &str) -> FetchOutcome {
    get_with(egress, url, LIMITS).await
}

async fn get_with(egress: &Egress, url: &str, limits: FetchLimits) -> FetchOutcome {
    egress.get(egress.target(url).unwrap(), limits, |_| true).await
}

#[tokio::test]
async fn a_page_arrives_with_its_headers_and_without_anything_that_was_not_asked_for() {
    let site = Site::start(|_| {
        b"HTTP/1.1 404 Not Found\r\nX-Policy: a\r\nX-Policy: b\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\nhi"
            .to_vec()
    })
    .await;
    let egress = open();
    let url = format!("http://{}/a?b#c", site.at);
    let answer = get(&egress, &url).await.result.unwrap();
    assert_eq!((answer.status, answer.body.as_slice(), answer.truncated), (404, &b"hi"[..], false));
    assert_eq!(answer.headers("x-policy").collect::<Vec<_>>(), ["a", "b"]);
    get(&egress, &url).await.result.unwrap();
    for head in site.heads() {
        assert!(head.starts_with("GET /a?b HTTP/1.1\r\n"), "{head}");
        let head = head.to_ascii_lowercase();
        assert!(head.contains("user-agent: shingle/test") && head.contains(&format!("host: {}", site.at)), "{head}");
        assert!(!head.contains("cookie") && !head.contains("referer"), "{head}");
    }
}

#[tokio::test]
async fn a_private_address_is_not_even_connected_to() {
    let site = Site::start(|_| ok("secret")).await;
    let shut = EgressPolicy { allowed_networks: Vec::new(), allow_http: true };
    let (egress, _) = scripted(shut, &[&[HOME]]);
    let outcome = get(&egress, &format!("http://inside.example:{}/", site.at.port())).await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::NotPublic { host: "inside.example".into() });
    assert!(egress.target(&format!("http://{}/", site.at)).is_err());
    assert!(site.heads().is_empty());
}

#[tokio::test]
async fn the_operator_is_told_the_addresses_to_open_and_never_those_of_metadata_services() {
    let shut = EgressPolicy::default();
    let answer: Vec<IpAddr> = [
        "192.168.1.20",
        "169.254.169.254",
        "168.63.129.16",
        "100.100.100.200",
        "fd00:ec2::254",
        "93.184.215.14",
        "fd12::5",
        "192.168.1.20",
    ]
    .iter()
    .map(|ip| ip.parse().unwrap())
    .collect();
    let (egress, _) = scripted(shut, &[&answer]);
    let shown =
        async |host: &str| egress.closed_addresses(host).await.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(shown("lan.example").await, ["192.168.1.20", "fd12::5"]);
    assert_eq!(shown("10.0.0.7").await, ["10.0.0.7"]);
    assert_eq!(shown("[::1]").await, ["::1"]);
    assert!(shown("169.254.169.254").await.is_empty());
    let (opened, _) = scripted(home(), &[&[HOME]]);
    assert!(opened.closed_addresses("lan.example").await.is_empty(), "it is open already");
}

#[tokio::test]
async fn a_name_that_changes_its_mind_between_two_requests_is_judged_anew() {
    let site = Site::start(|_| ok("secret")).await;
    let policy = EgressPolicy { allowed_networks: vec!["127.0.0.1/32".parse().unwrap()], allow_http: true };
    let other = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    let (egress, asked) = scripted(policy, &[&[HOME], &[other]]);
    let url = format!("http://rebinds.example:{}/", site.at.port());
    assert_eq!(get(&egress, &url).await.result.unwrap().body, b"secret");
    // One connection, one question: what was judged is what was connected to.
    assert_eq!(asked.lock().unwrap().as_slice(), ["rebinds.example"]);
    let outcome = get(&egress, &url).await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::NotPublic { host: "rebinds.example".into() });
    assert_eq!(site.heads().len(), 1);
}

#[tokio::test]
async fn a_name_that_was_public_when_it_was_entered_is_judged_again_when_it_is_used() {
    let site = Site::start(|_| ok("secret")).await;
    let shut = EgressPolicy { allowed_networks: Vec::new(), allow_http: true };
    let public = IpAddr::V4(Ipv4Addr::new(93, 184, 215, 14));
    for inside in
        [HOME, "::1".parse().unwrap(), "::ffff:127.0.0.1".parse().unwrap(), "169.254.169.254".parse().unwrap()]
    {
        let (egress, asked) = scripted(shut.clone(), &[&[public], &[inside]]);
        let target = egress.target(&format!("http://turns.example:{}/", site.at.port())).unwrap();
        assert_eq!(egress.check_host(&target).await, Ok(()), "as a webhook's address it passes");
        let outcome = egress.get(target, LIMITS, |_| true).await;
        assert_eq!(outcome.result.unwrap_err(), EgressError::NotPublic { host: "turns.example".into() }, "{inside}");
        assert_eq!(asked.lock().unwrap().len(), 2);
    }
    assert!(site.heads().is_empty());
}

#[tokio::test]
async fn of_several_addresses_only_those_that_are_admitted_are_tried() {
    let site = Site::start(|_| ok("here")).await;
    let hidden = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    let (egress, _) = scripted(home(), &[&[hidden, HOME]]);
    let answer = get(&egress, &format!("http://mixed.example:{}/", site.at.port())).await.result.unwrap();
    assert_eq!(answer.body, b"here");
    let (egress, _) = scripted(home(), &[&[hidden, "fd00::1".parse().unwrap()]]);
    let end = get(&egress, "http://mixed.example/").await.result;
    assert_eq!(end.unwrap_err(), EgressError::NotPublic { host: "mixed.example".into() });
}

#[tokio::test]
async fn a_redirect_is_checked_like_the_first_address() {
    for (to, why) in [
        ("http://10.0.0.1/", EgressError::NotPublic { host: "10.0.0.1".into() }),
        ("http://[::1]/", EgressError::NotPublic { host: "[::1]".into() }),
        ("http://0xa.1/", EgressError::NotPublic { host: "10.0.0.1".into() }),
        ("//me@127.0.0.1/", EgressError::Credentials),
        ("//127.0.0.1:22/", EgressError::PortNotAllowed { port: 22 }),
        ("file:///etc/passwd", EgressError::InvalidUrl { url: "file:///etc/passwd".into() }),
        ("http://", EgressError::InvalidRedirect { to: "http://".into() }),
    ] {
        let site = Site::start(move |_| redirect(to)).await;
        let outcome = get(&open(), &format!("http://{}/", site.at)).await;
        assert_eq!((outcome.result.unwrap_err(), outcome.redirects.len()), (why, 1), "{to}");
    }
    let site = Site::start(|_| redirect("/there")).await;
    let strict = EgressPolicy { allowed_networks: home().allowed_networks, allow_http: false };
    let egress = Egress::with_resolver(strict, "t", RootCertStore::empty(), Arc::new(SystemResolver)).unwrap();
    assert_eq!(egress.target(&format!("http://{}/", site.at)).unwrap_err(), EgressError::NotHttps);
}

#[tokio::test]
async fn redirects_are_followed_so_many_times_and_no_further_than_the_caller_says() {
    let site = Site::start(|head| {
        let step: u32 = head.split([' ', '/']).nth(2).unwrap().parse().unwrap();
        if step == 3 { ok("there") } else { redirect(&format!("/{}", step + 1)) }
    })
    .await;
    let egress = open();
    let url = |step: u32| format!("http://{}/{step}", site.at);
    let outcome = get(&egress, &url(0)).await;
    let redirects: Vec<_> =
        outcome.redirects.iter().map(|redirect| (redirect.url.path().to_owned(), redirect.status)).collect();
    assert_eq!(redirects, [("/0".into(), 302), ("/1".into(), 302), ("/2".into(), 302)]);
    assert_eq!((outcome.result.unwrap().body, outcome.final_url.as_str()), (b"there".to_vec(), url(3).as_str()));
    let few = get_with(&egress, &url(0), FetchLimits { max_redirects: 2, ..LIMITS }).await;
    assert_eq!(few.result.unwrap_err(), EgressError::TooManyRedirects { host: "127.0.0.1".into(), max: 2 });
    let bounded = egress.get(egress.target(&url(0)).unwrap(), LIMITS, |next| next.path() != "/2").await;
    assert_eq!(bounded.result.unwrap_err(), EgressError::RedirectNotAllowed { to: url(2) });
    assert!(!site.heads().is_empty());
}

#[tokio::test]
async fn a_body_is_read_to_the_limit_and_cut_there() {
    let endless = Site::start(|_| format!("HTTP/1.1 200 OK\r\n\r\n{}...", "x".repeat(5_000)).into_bytes()).await;
    let answer = get(&open(), &format!("http://{}/", endless.at)).await.result.unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (1_000, true));
    let exact = Site::start(|_| ok(&"x".repeat(1_000))).await;
    let answer = get(&open(), &format!("http://{}/", exact.at)).await.result.unwrap();
    assert_eq!((answer.body.len(), answer.truncated), (1_000, false));
}

#[tokio::test]
async fn a_packed_body_is_unpacked_to_the_limit() {
    let packed = |text: &str| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(text.as_bytes()).unwrap();
        let body = gzip.finish().unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n", body.len());
        [head.into_bytes(), body].concat()
    };
    let (small, bomb) = (packed("hello"), packed(&"0".repeat(100_000)));
    let broken = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope".to_vec();
    for (bytes, expected) in [(small, Some((5, false))), (bomb, Some((1_000, true))), (broken, None)] {
        let site = Site::start(move |_| bytes.clone()).await;
        let end = get(&open(), &format!("http://{}/", site.at)).await.result;
        assert_eq!(end.ok().map(|a| (a.body.len(), a.truncated)), expected);
    }
}

#[tokio::test]
async fn a_server_that_does_not_finish_is_left_at_the_deadline() {
    let short = FetchLimits { timeout: Duration::from_millis(300), ..LIMITS };
    for bytes in ["...", "HTTP/1.1 200 OK\r\nX: ...", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nsome..."] {
        let site = Site::start(|_| bytes.as_bytes().to_vec()).await;
        let outcome = get_with(&open(), &format!("http://{}/", site.at), short).await;
        assert_eq!(
            outcome.result.unwrap_err(),
            EgressError::Timeout { host: "127.0.0.1".into(), after: short.timeout },
            "{bytes}"
        );
    }
}

#[tokio::test]
async fn every_way_of_not_answering_is_told_apart() {
    let broken = Site::start(|_| b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nsome".to_vec()).await;
    let outcome = get(&open(), &format!("http://{}/", broken.at)).await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::ConnectionLost { host: "127.0.0.1".into() });
    let silent = Site::start(|_| Vec::new()).await;
    let outcome = get(&open(), &format!("http://{}/", silent.at)).await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::ConnectionLost { host: "127.0.0.1".into() });
    let plain = Site::start(|_| ok("no TLS here")).await;
    let outcome = get(&open(), &format!("https://{}/", plain.at)).await;
    assert!(
        matches!(
            outcome.result,
            Err(EgressError::Tls { .. } | EgressError::Unreachable { .. } | EgressError::ConnectionLost { .. })
        ),
        "{:?}",
        outcome.result
    );
    let gone = TcpListener::bind((HOME, 0)).await.unwrap().local_addr().unwrap();
    let outcome = get(&open(), &format!("http://{gone}/")).await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::ConnectionRefused { host: "127.0.0.1".into() });
    let (egress, _) = scripted(home(), &[&[]]);
    let outcome = get(&egress, "http://nobody.example/").await;
    assert_eq!(outcome.result.unwrap_err(), EgressError::UnknownHost { host: "nobody.example".into() });
}

fn certificate(
    name: &str,
    adjust: impl FnOnce(&mut rcgen::CertificateParams),
) -> (CertificateDer<'static>, TlsAcceptor) {
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
    adjust(&mut params);
    let certificate = params.self_signed(&key).unwrap();
    let der = certificate.der().clone();
    let secret = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![der.clone()], secret)
        .unwrap();
    (der, TlsAcceptor::from(Arc::new(config)))
}

async fn over_tls(
    name: &str,
    trusted: bool,
    adjust: impl FnOnce(&mut rcgen::CertificateParams),
) -> (FetchOutcome, Site) {
    let (der, tls) = certificate(name, adjust);
    let site = Site::serve(Some(tls), |_| ok("safe")).await;
    let mut roots = RootCertStore::empty();
    if trusted {
        roots.add(der).unwrap();
    }
    let script = Script(Mutex::new(VecDeque::from([vec![HOME]])), Arc::default());
    let policy = EgressPolicy { allowed_networks: home().allowed_networks, allow_http: false };
    let egress = Egress::with_resolver(policy, "t", roots, Arc::new(script)).unwrap();
    let url = format!("https://oak.example:{}/", site.at.port());
    (get(&egress, &url).await, site)
}

#[tokio::test]
async fn over_tls_the_name_stays_the_name_although_the_address_was_picked() {
    let (outcome, site) = over_tls("oak.example", true, |_| {}).await;
    assert_eq!(outcome.result.unwrap().body, b"safe");
    assert!(site.heads()[0].contains("oak.example"));
}

/// A receiver on this machine, whose certificate an authority of the operator's own has signed.
#[tokio::test]
async fn a_receiver_of_an_authority_of_ones_own_is_reached_once_that_is_named() {
    let (der, tls) = certificate("localhost", |_| {});
    let site = Site::serve(Some(tls), |_| ok("safe")).await;
    let policy = EgressPolicy {
        allowed_networks: vec!["127.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()],
        allow_http: false,
    };
    let url = format!("https://localhost:{}/", site.at.port());
    let without = Egress::trusting(policy.clone(), "t", &[]).unwrap();
    let host = "localhost".to_owned();
    let fault = CertificateFault::UnknownIssuer;
    assert_eq!(get(&without, &url).await.result.unwrap_err(), EgressError::BadCertificate { host, fault });
    let with = Egress::trusting(policy, "t", &[der]).unwrap();
    assert_eq!(get(&with, &url).await.result.unwrap().body, b"safe");
}

#[tokio::test]
async fn a_certificate_that_browsers_refuse_is_refused_with_the_reason() {
    let year = |y| rcgen::date_time_ymd(y, 1, 1);
    let expired = over_tls("oak.example", true, |params| params.not_after = year(2001)).await.0;
    let early = over_tls("oak.example", true, |params| params.not_before = year(3000)).await.0;
    let other = over_tls("elm.example", true, |_| {}).await.0;
    let own = over_tls("oak.example", false, |_| {}).await.0;
    let by_itself = over_tls("oak.example", false, |params| {
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    })
    .await
    .0;
    for (outcome, fault) in [
        (expired, CertificateFault::Expired),
        (early, CertificateFault::NotYetValid),
        (other, CertificateFault::WrongName),
        (own, CertificateFault::UnknownIssuer),
        (by_itself, CertificateFault::UnknownIssuer),
    ] {
        assert_eq!(outcome.result.unwrap_err(), EgressError::BadCertificate { host: "oak.example".into(), fault });
    }
}

/// Names with their addresses, and what was asked for.
#[derive(Default, Clone)]
struct Names {
    known: Arc<Mutex<Vec<(String, IpAddr)>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    fn add(&self, name: &str, ip: IpAddr) {
        self.known.lock().unwrap().push((name.to_owned(), ip));
    }

    fn egress(&self, policy: EgressPolicy) -> Egress {
        Egress::with_resolver(policy, "t", RootCertStore::empty(), Arc::new(self.clone())).unwrap()
    }
}

impl Resolver for Names {
    fn resolve(&self, host: &str) -> ResolveFuture {
        self.asked.lock().unwrap().push(host.to_owned());
        let known = self.known.lock().unwrap();
        let found: Vec<IpAddr> = known.iter().filter(|(name, _)| name == host).map(|(_, ip)| *ip).collect();
        Box::pin(async move { if found.is_empty() { Err(std::io::Error::other("no name server")) } else { Ok(found) } })
    }
}

const NAT64_NAME: &str = "ipv4only.arpa";

/// In a network whose NAT64 has this prefix of 96 bits, with some hosts behind it.
fn behind_nat64(prefix: &str, allowed: &[&str], hosts: &[(&str, &str)]) -> (Egress, Names) {
    let names = Names::default();
    for (name, inside) in [(NAT64_NAME, "192.0.0.170"), (NAT64_NAME, "192.0.0.171")].iter().chain(hosts) {
        names.add(name, through(prefix, inside));
    }
    let allowed_networks = allowed.iter().map(|net| net.parse().unwrap()).collect();
    (names.egress(EgressPolicy { allowed_networks, allow_http: true }), names)
}

fn through(prefix: &str, inside: &str) -> IpAddr {
    let [.., high, low] = inside.parse::<Ipv4Addr>().unwrap().to_ipv6_mapped().segments();
    let mut segments = prefix.parse::<std::net::Ipv6Addr>().unwrap().segments();
    (segments[6], segments[7]) = (high, low);
    IpAddr::V6(segments.into())
}

const INSIDE: [(&str, &str, bool); 8] = [
    ("site.example", "93.184.215.14", true),
    ("dns.example", "8.8.8.8", true),
    ("metadata.example", "169.254.169.254", false),
    ("wire.example", "168.63.129.16", false),
    ("local.example", "127.0.0.1", false),
    ("lan.example", "10.0.0.7", false),
    ("router.example", "192.168.1.1", false),
    ("carrier.example", "100.64.0.9", false),
];

#[tokio::test]
async fn behind_a_networks_own_nat64_a_host_is_judged_by_the_address_inside() {
    let hosts: Vec<(&str, &str)> = INSIDE.iter().map(|(name, inside, _)| (*name, *inside)).collect();
    for (prefix, allowed) in [
        ("2600:1f18:64::", &[][..]),
        ("2a01:4f8:1:64::", &[][..]),
        ("2a01:4f8:1:64::", &["::/0"]),
        ("fd00:64::", &["fd00:64::/96"]),
        ("64:ff9b:1:2::", &["64:ff9b:1::/48"]),
        ("64:ff9b::", &[]),
    ] {
        let (egress, names) = behind_nat64(prefix, allowed, &hosts);
        for (name, inside, is_public) in INSIDE {
            let literal = format!("http://[{}]:8080/", through(prefix, inside));
            for url in [Ok(egress.target(&format!("http://{name}/")).unwrap()), egress.target(&literal)] {
                let judged = match url {
                    Ok(target) => egress.check_host(&target).await,
                    Err(error) => Err(error),
                };
                assert_eq!(judged.is_ok(), is_public, "{name} behind {prefix}: {judged:?}");
                assert!(is_public || matches!(judged, Err(EgressError::NotPublic { .. })), "{judged:?}");
            }
            if !is_public {
                let outcome = get(&egress, &format!("http://{name}/")).await;
                assert_eq!(outcome.result.unwrap_err(), EgressError::NotPublic { host: name.to_owned() });
                if let Ok(target) = egress.target(&literal) {
                    let refused = egress.get(target, LIMITS, |_| true).await.result.unwrap_err();
                    assert!(matches!(refused, EgressError::NotPublic { .. }), "{literal}: {refused:?}");
                }
            }
        }
        let asked = names.asked.lock().unwrap();
        assert_eq!(asked.iter().filter(|name| *name == NAT64_NAME).count(), 1, "asked once: {asked:?}");
    }
}

#[tokio::test]
async fn a_network_that_is_not_public_is_not_opened_by_what_a_name_server_says() {
    let (egress, _) = behind_nat64("fd00:64::", &[], &[("site.example", "93.184.215.14")]);
    let target = egress.target("http://site.example/").unwrap();
    assert_eq!(egress.check_host(&target).await, Err(EgressError::NotPublic { host: "site.example".into() }));
}

#[tokio::test]
async fn what_the_operator_opens_is_reached_behind_the_networks_own_nat64_too() {
    let hosts = [("lan.example", "10.1.2.3"), ("other.example", "10.2.2.3")];
    let (egress, _) = behind_nat64("2600:1f18:64::", &["10.1.0.0/16"], &hosts);
    let check = async |name: &str| egress.check_host(&egress.target(&format!("http://{name}/")).unwrap()).await;
    assert_eq!(check("lan.example").await, Ok(()));
    assert_eq!(check("other.example").await, Err(EgressError::NotPublic { host: "other.example".into() }));
}

#[tokio::test]
async fn a_nat64_is_looked_for_where_an_address_of_ipv6_is_judged_alone() {
    let names = Names::default();
    names.add("oak.example", HOME);
    let egress = names.egress(home());
    let site = Site::start(|_| ok("safe")).await;
    assert!(get(&egress, &format!("http://oak.example:{}/", site.at.port())).await.result.is_ok());
    assert_eq!(*names.asked.lock().unwrap(), ["oak.example"]);
}
