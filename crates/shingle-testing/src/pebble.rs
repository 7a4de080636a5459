//! Pebble: the ACME server with which the people of Let's Encrypt test clients. It looks at this machine as theirs would.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Ends with the test.
pub struct Pebble {
    process: Child,
    /// Where it asks for addresses.
    names: Child,
    folder: tempfile::TempDir,
    /// Its address for clients.
    pub directory: String,
    /// The port on which it serves the root of its certificates, at `/roots/0`.
    pub management: u16,
}

impl Drop for Pebble {
    fn drop(&mut self) {
        // One that has ended on its own needs no end.
        for process in [&mut self.process, &mut self.names] {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Free a moment ago.
#[must_use]
pub fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port").port()
}

impl Pebble {
    /// Looks at these ports of this machine, to which all names lead. `None` where Pebble is not installed; the test is skipped then.
    ///
    /// # Panics
    /// Where it ends on its own.
    #[track_caller]
    #[must_use]
    pub fn start(http: u16, tls: u16) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()]).expect("a key");
        let file = |name: &str, text: String| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path
        };
        let certificate = file("root.pem", own.cert.pem());
        let key = file("key.pem", own.signing_key.serialize_pem());
        let (port, management) = (free_port(), free_port());
        let config = serde_json::json!({ "pebble": {
            "listenAddress": format!("127.0.0.1:{port}"),
            "managementListenAddress": format!("127.0.0.1:{management}"),
            "certificate": certificate,
            "privateKey": key,
            "httpPort": http,
            "tlsPort": tls,
            "ocspResponderURL": "",
            "externalAccountBindingRequired": false,
        } });
        let dns = format!("127.0.0.1:{}", free_port());
        let management_of_names = format!("127.0.0.1:{}", free_port());
        let mut named = Command::new("pebble-challtestsrv");
        named.args(["-defaultIPv4", "127.0.0.1", "-defaultIPv6", "", "-http01", "", "-https01", "", "-tlsalpn01", ""]);
        named.args(["-dns01", &dns, "-management", &management_of_names]);
        let mut names = match named.stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            Ok(names) => names,
            Err(error) => {
                crate::skip(&format!("pebble-challtestsrv cannot be started: {error}"));
                return None;
            }
        };
        while TcpStream::connect(&management_of_names).is_err() {
            assert!(names.try_wait().is_ok_and(|ended| ended.is_none()), "pebble-challtestsrv ended by itself");
            std::thread::yield_now();
        }
        let started = Command::new("pebble")
            .args(["-strict", "-dnsserver", &dns, "-config"])
            .arg(file("pebble.json", config.to_string()))
            .env("PEBBLE_VA_NOSLEEP", "1")
            // Chance has no place in a test.
            .env("PEBBLE_WFE_NONCEREJECT", "0")
            .env("PEBBLE_AUTHZREUSE", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut process = match started {
            Ok(process) => process,
            Err(error) => {
                crate::skip(&format!("pebble cannot be started: {error}"));
                let _ = names.kill();
                let _ = names.wait();
                return None;
            }
        };
        let mut lines = BufReader::new(process.stdout.take().expect("its output")).lines();
        let ready = lines.by_ref().map_while(Result::ok).find(|line| line.contains("ACME directory available"));
        assert!(ready.is_some(), "pebble ended by itself");
        // It says so just before it listens.
        for port in [port, management] {
            while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
                assert!(process.try_wait().is_ok_and(|ended| ended.is_none()), "pebble ended by itself");
                std::thread::yield_now();
            }
        }
        // What nobody reads would stop it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let directory = format!("https://localhost:{port}/dir");
        Some(Self { process, names, folder, directory, management })
    }

    /// What a client must trust to speak to it.
    #[must_use]
    pub fn root_file(&self) -> PathBuf {
        self.folder.path().join("root.pem")
    }
}
