//! The program under a service manager and in a container: it tells its readiness, its health and its settings.

use std::io::Read as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use serde_json::Value;

use crate::support::machine::Machine;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A port that was free a moment ago. The server of a test begins on it at once.
fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn the_health_of_a_server_is_an_exit_code() {
    let machine = Machine::new(None);
    let server = machine.serve();
    let address = server.base.strip_prefix("http://").unwrap().to_owned();
    let ready = machine.ask(&["health", "--listen", &address]);
    assert_eq!((&ready["ready"], &ready["asked"]), (&true.into(), &format!("http://{address}/readyz").into()));
    // As it is set in containers.
    let port = address.rsplit(':').next().unwrap();
    let everywhere = machine.command(&["health"]).env("SHINGLE_LISTEN", format!("0.0.0.0:{port}")).output().unwrap();
    assert!(everywhere.status.success(), "{}", text(&everywhere.stderr));
    drop(server);
    let said = machine.refused(&["health", "--listen", &address]);
    assert!(said.contains("The server does not answer") && said.contains("shingle serve"), "{said}");
    let said = machine.refused(&["health", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("port 0"), "{said}");
}

#[test]
fn the_health_of_a_server_with_a_certificate_of_its_own_is_asked_by_https() {
    let machine = Machine::new(None);
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["roofs.example.com".to_owned()]).unwrap();
    std::fs::write(machine.at("chain.pem"), cert.pem()).unwrap();
    std::fs::write(machine.at("key.pem"), signing_key.serialize_pem()).unwrap();
    let listen = format!("127.0.0.1:{}", free_port());
    let set = |command: &mut Command| {
        command.env("SHINGLE_TLS_CERT", machine.at("chain.pem")).env("SHINGLE_TLS_KEY", machine.at("key.pem"));
        command.env("SHINGLE_BASE_URL", "https://roofs.example.com").env("SHINGLE_LISTEN", &listen);
    };
    let mut serve = machine.command(&["serve"]);
    set(serve.stderr(Stdio::null()));
    let server = machine.start(serve);
    let mut health = machine.command(&["health"]);
    set(&mut health);
    let healthy = health.output().unwrap();
    assert!(healthy.status.success(), "{}", text(&healthy.stderr));
    drop(server);
}

#[test]
fn a_service_manager_is_told_when_the_server_is_ready_lives_and_stops() {
    let machine = Machine::new(None);
    let socket = machine.at("notify");
    let manager = UnixDatagram::bind(&socket).unwrap();
    manager.set_read_timeout(Some(std::time::Duration::from_secs(60))).unwrap();
    let next = || {
        let mut bytes = [0; 256];
        let count = manager.recv(&mut bytes).expect("word from the server");
        text(&bytes[..count])
    };
    let mut serve = machine.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("NOTIFY_SOCKET", &socket).env("WATCHDOG_USEC", "400000").stderr(Stdio::null());
    let mut server = machine.start(serve);
    let mut said = Vec::new();
    while said.iter().filter(|line: &&String| line.contains("WATCHDOG=1")).count() < 3 {
        said.push(next());
    }
    assert!(said.concat().contains("READY=1"), "{said:?}");
    let stopped = Command::new("kill").args(["-TERM", &server.process.id().to_string()]).status().unwrap();
    assert!(stopped.success() && server.process.wait().unwrap().success());
    while !said.concat().contains("STOPPING=1") {
        said.push(next());
    }
}

#[test]
fn the_version_says_how_it_was_built() {
    let machine = Machine::new(None);
    let mut version = machine.command(&[]);
    let said = text(&version.arg("--version").output().unwrap().stdout);
    let version = env!("CARGO_PKG_VERSION");
    assert!(said.starts_with(&format!("shingle {version} (")) && said.contains("debug"), "{said}");
}

#[test]
fn settings_are_shown_without_their_secrets_and_a_wrong_one_is_named() {
    let machine = Machine::new(None);
    std::fs::write(machine.at("smtp"), "smtps://ann:hunter2@mail.example.com\n").unwrap();
    let command = |words: &[&str]| {
        let mut command = machine.command(words);
        command.env("SHINGLE_SMTP_URL_FILE", machine.at("smtp")).env("SHINGLE_MAIL_FROM", "leads@example.com");
        command.env("SHINGLE_LITSEN", "127.0.0.1:1").output().unwrap()
    };
    let shown = command(&["config", "show"]);
    let said = text(&shown.stdout);
    let view: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(view["settings"]["mail_from"], "leads@example.com");
    assert_eq!(view["unknownVariables"], serde_json::json!(["SHINGLE_LITSEN"]));
    assert_eq!(view["file"], machine.at("shingle.toml").to_str().unwrap());
    for secret in ["hunter2", crate::support::machine::PASSPHRASE] {
        assert!(!said.contains(secret), "{said}");
    }
    assert!(command(&["config", "check"]).status.success());
    assert!(!machine.data().exists(), "nothing is made by looking");
    let wrong = machine.command(&["config", "check"]).env("SHINGLE_AREA_MILES", "far").output().unwrap();
    assert!(!wrong.status.success() && text(&wrong.stderr).contains("SHINGLE_AREA_MILES"), "{}", text(&wrong.stderr));
}

#[test]
fn a_schedule_of_backups_needs_its_passphrase_and_then_takes_one_at_once() {
    let machine = Machine::new(None);
    let kept = machine.at("kept");
    let mut serve = machine.command(&["serve", "--listen", "127.0.0.1:0"]);
    serve.env("SHINGLE_BACKUP_FOLDER", &kept).stderr(Stdio::piped());
    let mut server = machine.start(serve);
    let mut log = server.process.stderr.take().unwrap();
    let mut said = String::new();
    let mut bytes = [0; 1024];
    while !said.contains("a backup was taken") {
        let count = log.read(&mut bytes).unwrap();
        assert!(count > 0, "{said}");
        said += &text(&bytes[..count]);
    }
    let names = std::fs::read_dir(&kept).unwrap().flatten().map(|entry| entry.path());
    let archive = names.into_iter().find(|path| path.to_string_lossy().ends_with(".tar.zst")).unwrap();
    assert_eq!(machine.ask(&["backup", "check", archive.to_str().unwrap()])["secretOpens"], true);
    let doctor = machine.command(&["doctor"]).env("SHINGLE_BACKUP_FOLDER", &kept).output().unwrap();
    let said = text(&doctor.stdout);
    assert!(said.contains("1 backup is in"), "{said}");
    for (name, value, told) in [
        ("SHINGLE_BACKUP_PASSPHRASE", "", "backup_passphrase"),
        ("SHINGLE_BACKUP_PASSPHRASE", "short", "at least 12"),
        ("SHINGLE_BACKUP_HOURS", "0", "backup_hours"),
        ("SHINGLE_BACKUPS_KEPT", "0", "backups_kept"),
    ] {
        let mut check = machine.command(&["config", "check"]);
        if value.is_empty() {
            std::fs::write(machine.at("shingle.toml"), format!("data = {:?}", machine.data())).unwrap();
        }
        let refused = check.env("SHINGLE_BACKUP_FOLDER", &kept).env(name, value).output().unwrap();
        let said = text(&refused.stderr);
        assert!(!refused.status.success() && said.contains(told), "{name}={value}: {said}");
        std::fs::write(
            machine.at("shingle.toml"),
            format!("data = {:?}\nbackup_passphrase = {:?}\n", machine.data(), crate::support::machine::PASSPHRASE),
        )
        .unwrap();
    }
}
