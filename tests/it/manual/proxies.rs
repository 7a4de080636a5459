//! The recipes for proxies, taken from the page: `shingle doctor` has to find the server behind the proxy, and to be
//! satisfied with what the proxy tells it.

use std::os::unix::fs::MetadataExt as _;
use std::process::Command;

use rcgen::{BasicConstraints, CertificateParams, DnType, IsCa, Issuer, KeyPair};
use shingle_testing::pebble::free_port;

use super::commands::Session;
use super::pages::{blocks, recipe};

const NAME: &str = "roofs.example.com";

/// The settings that the page shows for a server behind a proxy, with the name under which the proxy is reached here.
fn settings(session: &Session, public: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/manual/src/https.md");
    let shown = blocks(&path).into_iter().find(|block| block.text.contains("trusted_proxy")).unwrap().text;
    let authority = format!("egress_ca_file = {:?}\n", session.at("root.pem"));
    std::fs::write(session.at("shingle.toml"), shown.replace(NAME, public) + &authority).unwrap();
}

fn base_url(session: &Session) -> String {
    let output = session.run("shingle doctor");
    let said = String::from_utf8(output.stdout).unwrap();
    let line = said.lines().skip_while(|line| !line.contains("  base url")).take(4).collect::<Vec<_>>().join("\n");
    format!("{line}\n{}", said.lines().find(|line| line.contains("  https")).unwrap_or_default())
}

fn is_reached(found: &str) -> bool {
    found.starts_with("ok    base url")
        && found.contains("is this server")
        && found.contains("TLS ends at a trusted proxy")
}

fn has(session: &Session, program: &str) -> bool {
    let found = session.run(&format!("PATH=$PATH:/usr/sbin:/sbin command -v {program}")).status.success();
    if !found {
        shingle_testing::skip(&format!("{program} is not installed, so its recipe is not run"));
    }
    found
}

/// A certificate for this machine, of an authority that is trusted by the settings.
fn certificate(session: &Session) {
    let mut params = CertificateParams::new([]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.distinguished_name.push(DnType::CommonName, "Harrow Falls Office");
    let (root_key, key) = (KeyPair::generate().unwrap(), KeyPair::generate().unwrap());
    std::fs::write(session.at("root.pem"), params.self_signed(&root_key).unwrap().pem()).unwrap();
    let leaf = CertificateParams::new(["localhost".to_owned()]).unwrap();
    let leaf = leaf.signed_by(&key, &Issuer::new(params, root_key)).unwrap();
    std::fs::write(session.at("fullchain.pem"), leaf.pem()).unwrap();
    std::fs::write(session.at("privkey.pem"), key.serialize_pem()).unwrap();
}

/// A proxy that went into the background.
struct Proxy(Command);

impl Drop for Proxy {
    fn drop(&mut self) {
        let stopped = self.0.output().unwrap();
        assert!(stopped.status.success(), "{}", String::from_utf8_lossy(&stopped.stderr));
    }
}

#[test]
fn nginx_serves_by_the_recipe() {
    let mut session = Session::new();
    if !has(&session, "nginx") {
        return;
    }
    let (plain, tls) = (free_port(), free_port());
    certificate(&session);
    settings(&session, &format!("localhost:{tls}"));
    session.serve("shingle serve");
    let folder = session.at("");
    let written = recipe("https", "nginx")
        .replace("listen 80;", &format!("listen 127.0.0.1:{plain};"))
        .replace("listen 443 ", &format!("listen 127.0.0.1:{tls} "))
        .replace(&format!("/etc/letsencrypt/live/{NAME}/"), folder.to_str().unwrap())
        .replace(NAME, "localhost")
        .replace("127.0.0.1:8080", session.address());
    // Its workers have to read the folder, which is root's where root runs this.
    let user = if std::fs::metadata(&folder).unwrap().uid() == 0 { "user root;\n" } else { "" };
    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {kind};\n"));
    let whole = format!(
        "{user}pid nginx.pid;\nerror_log error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{}{written}}}\n",
        places.concat()
    );
    std::fs::write(session.at("nginx.conf"), whole).unwrap();
    let nginx = |more: &[&str]| {
        let mut command = Command::new("bash");
        command.args(["-c", "PATH=$PATH:/usr/sbin:/sbin exec nginx \"$@\"", "nginx"]).args(["-e", "error.log", "-c"]);
        command.arg(session.at("nginx.conf")).arg("-p").arg(&folder).args(more);
        command
    };
    // It goes into the background once its sockets are open.
    let started = nginx(&[]).output().unwrap();
    assert!(started.status.success(), "{}", String::from_utf8_lossy(&started.stderr));
    let _proxy = Proxy(nginx(&["-s", "stop"]));
    let found = base_url(&session);
    assert!(is_reached(&found), "{found}");
    let led = session
        .run(&format!("curl -sS -o /dev/null -w '%{{http_code}} %{{redirect_url}}' http://localhost:{plain}/manual"));
    assert_eq!(String::from_utf8_lossy(&led.stdout), "308 https://localhost/manual");
    let manual = session.run(&format!("curl -sS --fail --cacert root.pem https://localhost:{tls}/manual"));
    assert!(String::from_utf8_lossy(&manual.stdout).contains("Shingle manual"));
}

#[test]
fn caddy_serves_by_the_recipe() {
    let mut session = Session::new();
    if !has(&session, "caddy") {
        return;
    }
    let (plain, tls) = (free_port(), free_port());
    let root = session.at("caddy/pki/authorities/local/root.crt");
    settings(&session, &format!("localhost:{tls}"));
    session.set("XDG_DATA_HOME", session.at("").to_str().unwrap());
    session.set("XDG_CONFIG_HOME", session.at("").to_str().unwrap());
    // Read at the start; the proxy's own comes after it.
    certificate(&session);
    session.serve("shingle serve");
    let site = recipe("https", "caddyfile").replace(NAME, &format!("localhost:{tls}"));
    let site = site.replace("127.0.0.1:8080", session.address());
    let options =
        format!("{{\nadmin off\nskip_install_trust\nhttp_port {plain}\nhttps_port {tls}\ndefault_bind 127.0.0.1\n}}\n");
    std::fs::write(session.at("Caddyfile"), options + &site).unwrap();
    let started =
        session.run("caddy start --config Caddyfile --adapter caddyfile --pidfile caddy.pid > caddy.log 2>&1");
    let log = || std::fs::read_to_string(session.at("caddy.log")).unwrap_or_default();
    assert!(started.status.success(), "{}", log());
    let mut stop = Command::new("bash");
    stop.args(["-c", "kill $(cat caddy.pid)"]).current_dir(session.at(""));
    let _proxy = Proxy(stop);
    // It makes its certificate in the background: asked until it has one.
    let mut found = String::new();
    for _ in 0..20 {
        if root.is_file() {
            std::fs::copy(&root, session.at("root.pem")).unwrap();
        }
        found = base_url(&session);
        if is_reached(&found) {
            break;
        }
    }
    assert!(is_reached(&found), "{found}\n{}", log());
}

/// Debian has no Traefik.
#[test]
fn traefik_serves_by_the_recipe() {
    let text = recipe("https", "yaml");
    assert!(text.contains(&format!("Host(`{NAME}`)")) && text.contains("http://127.0.0.1:8080"));
    shingle_testing::skip("Traefik is in no package of Debian, so its recipe is read and not run");
}
