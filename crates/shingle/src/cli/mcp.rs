//! `shingle mcp`: an MCP server at standard input and output, for an AI assistant on this machine. It passes each message on
//! to a Shingle server, which has the tools. Nothing but the protocol is written to standard output.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use serde_json::Value;
use shingle_app::OperatorError;
use shingle_app::config::{Settings, api_key};
use shingle_deliver::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use shingle_deliver::{Egress, EgressError, EgressPolicy, ExchangeLimits, Method, OutgoingRequest, Target};
use shingle_mcp::{Bridge, Forward, Id, Line, Reply, code};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};
use url::{Host, Url};

use super::blocking::block_on;

/// A little more than the server takes for anything.
const LIMITS: ExchangeLimits = ExchangeLimits { timeout: Duration::from_secs(75), max_bytes: 8 * 1024 * 1024 };
/// Bytes of a line. The server takes fewer.
const MAX_LINE: usize = 1024 * 1024;
/// Requests on their way at once.
const AT_ONCE: usize = 8;
/// How long answers are waited for after the client has closed its end.
const LAST_ANSWERS: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
#[command(
    after_help = "The key comes from the variable SHINGLE_API_KEY. One that is restricted to what the assistant \
    needs is made with `shingle key issue --product … --widget …`."
)]
pub struct Mcp {
    /// Address of the Shingle server, such as https://leads.example.com
    #[arg(long, value_name = "URL")]
    url: Url,
    /// Offer tools that change something, such as the status of a lead. Without it the assistant only reads
    #[arg(long)]
    allow_changes: bool,
    /// Certificates of your own authority, in PEM, where the server's is signed by it
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

/// The server that answers.
struct Remote {
    egress: Egress,
    target: Target,
    key: HeaderValue,
    slots: Semaphore,
}

/// What came of a request: status and body, or why there is none.
type Outcome = (Forward, Result<(u16, Vec<u8>), String>);

impl Mcp {
    pub fn run(self) -> Result<(), OperatorError> {
        let remote = Arc::new(self.remote()?);
        let lines = read_lines();
        block_on(async { serve(remote, lines).await })
    }

    fn remote(&self) -> Result<Remote, OperatorError> {
        let key = api_key::from_environment()?;
        let address = self.endpoint()?;
        let settings = Settings { egress_ca_file: self.ca_file.clone(), ..Settings::default() };
        let named = |error: OperatorError| match &self.ca_file {
            Some(file) => error.at(format!("--ca-file {}", file.display())),
            None => error,
        };
        let authorities = settings.authorities().map_err(named)?;
        // The person who starts it names the server, which may be in any network.
        let everywhere = [
            IpNet::V4(Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 0)),
            IpNet::V6(Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 0)),
        ];
        let policy = EgressPolicy { allowed_networks: everywhere.to_vec(), allow_http: true };
        let agent = format!("Shingle/{} (+mcp)", env!("CARGO_PKG_VERSION"));
        let wrong = |error: EgressError| OperatorError::new(error).at(&address).fix("Check --url.");
        let egress = match authorities.as_slice() {
            [] => Egress::new(policy, &agent),
            own => Egress::trusting(policy, &agent, own),
        };
        let egress = egress.map_err(wrong)?;
        let target = egress.target(address.as_str()).map_err(wrong)?;
        Ok(Remote { egress, target, key, slots: Semaphore::new(AT_ONCE) })
    }

    fn endpoint(&self) -> Result<Url, OperatorError> {
        let wrong =
            |what: &str| Err(OperatorError::text(what).at(&self.url).fix("Name it like https://leads.example.com."));
        let is_here = match self.url.host() {
            Some(Host::Domain(name)) => name == "localhost",
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        match self.url.scheme() {
            "https" => {}
            "http" if is_here => {}
            "http" => return wrong("Over plain HTTP everybody on the way could read the key"),
            _ => return wrong("That is not the address of a server"),
        }
        let mut address = self.url.clone();
        if !matches!(address.path().trim_end_matches('/'), "" | "/mcp") {
            return wrong("The address of the server has no path");
        }
        address.set_path("/mcp");
        address.set_query(self.allow_changes.then_some("allow=changes"));
        address.set_fragment(None);
        Ok(address)
    }
}

impl Remote {
    async fn ask(&self, forward: Forward) -> Outcome {
        let _slot = self.slots.acquire().await;
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
        headers.insert("token", self.key.clone());
        for (name, value) in &forward.headers {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
        let body = forward.body.clone().into();
        let request = OutgoingRequest { method: Method::POST, target: self.target.clone(), headers, body };
        let result = match self.egress.exchange(request, LIMITS).await {
            Ok(response) if response.truncated => {
                Err("The server's answer did not arrive whole. Try again.".to_owned())
            }
            Ok(response) => Ok((response.status, response.body)),
            Err(why) => Err(format!("The Shingle server cannot be reached: {why}. Is it running, and is --url right?")),
        };
        (forward, result)
    }
}

/// A line, or `None` for one that is too long.
type Read = Option<Vec<u8>>;

/// Reads on a thread of its own: nothing waits for it when the program ends.
fn read_lines() -> mpsc::Receiver<Read> {
    let (to, lines) = mpsc::channel(AT_ONCE);
    std::thread::spawn(move || {
        let mut input = BufReader::new(std::io::stdin());
        while let Some(line) = next_line(&mut input) {
            if to.blocking_send(line).is_err() {
                break;
            }
        }
    });
    lines
}

fn next_line(input: &mut impl BufRead) -> Option<Read> {
    let mut line = Vec::new();
    let read = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line).ok()?;
    if read == 0 {
        return None;
    }
    if read < MAX_LINE || line.ends_with(b"\n") {
        return Some(Some(line));
    }
    // The rest of it is no message either.
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line).ok()?;
        if read == 0 || line.ends_with(b"\n") {
            return Some(None);
        }
    }
}

/// A client that has gone wants nothing more.
fn write(message: &Value) -> Result<(), std::io::Error> {
    let mut output = std::io::stdout().lock();
    // JSON has no line breaks outside of texts, and escapes those inside.
    writeln!(output, "{message}")?;
    output.flush()
}

async fn serve(remote: Arc<Remote>, mut lines: mpsc::Receiver<Read>) -> Result<(), OperatorError> {
    let mut bridge = Bridge::default();
    let mut under_way: JoinSet<Outcome> = JoinSet::new();
    let mut by_id: HashMap<String, AbortHandle> = HashMap::new();
    loop {
        let written = tokio::select! {
            line = lines.recv() => match line {
                None => break,
                Some(None) => {
                    write(Reply::wrong(None, code::INVALID_REQUEST, "The message is too long").body())
                }
                Some(Some(line)) => match bridge.line(&line) {
                    Line::Nothing => Ok(()),
                    Line::Reply(reply) => write(&reply),
                    Line::Cancel(id) => {
                        if let Some(handle) = by_id.remove(&key_of(&id)) {
                            handle.abort();
                        }
                        Ok(())
                    }
                    Line::Forward(forward) => {
                        let id = key_of(&forward.id);
                        let remote = remote.clone();
                        by_id.insert(id, under_way.spawn(async move { remote.ask(forward).await }));
                        Ok(())
                    }
                },
            },
            Some(done) = under_way.join_next() => answer(&mut bridge, &mut by_id, done.ok()),
        };
        if written.is_err() {
            return Ok(());
        }
    }
    let last = async {
        while let Some(done) = under_way.join_next().await {
            if answer(&mut bridge, &mut by_id, done.ok()).is_err() {
                break;
            }
        }
    };
    // The client has ended its side; what takes longer, nobody waits for.
    let _ = tokio::time::timeout(LAST_ANSWERS, last).await;
    Ok(())
}

/// The text `7` and the number are two ids.
fn key_of(id: &Id) -> String {
    id.value().to_string()
}

/// `None`: it was cancelled, and gets no answer.
fn answer(
    bridge: &mut Bridge,
    by_id: &mut HashMap<String, AbortHandle>,
    done: Option<Outcome>,
) -> Result<(), std::io::Error> {
    let Some((forward, outcome)) = done else { return Ok(()) };
    // It was cancelled as it ended.
    if by_id.remove(&key_of(&forward.id)).is_none() {
        return Ok(());
    }
    write(&match outcome {
        Ok((status, body)) => bridge.answered(&forward, status, &body),
        Err(said) => forward.failed(&said),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(url: &str, allow_changes: bool) -> Result<String, String> {
        let mcp = Mcp { url: url.parse().unwrap(), allow_changes, ca_file: None };
        mcp.endpoint().map(String::from).map_err(|e| e.to_string())
    }

    #[test]
    fn the_key_goes_nowhere_in_the_clear() {
        for (url, address) in [
            ("https://leads.example.com", "https://leads.example.com/mcp"),
            ("https://leads.example.com/", "https://leads.example.com/mcp"),
            ("https://leads.example.com/mcp/", "https://leads.example.com/mcp"),
            ("https://leads.example.com:8443?a=b#c", "https://leads.example.com:8443/mcp"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080/mcp"),
            ("http://[::1]:8080", "http://[::1]:8080/mcp"),
            ("http://localhost:8080/mcp", "http://localhost:8080/mcp"),
        ] {
            assert_eq!(endpoint(url, false).as_deref(), Ok(address));
        }
        assert_eq!(endpoint("http://localhost", true).as_deref(), Ok("http://localhost/mcp?allow=changes"));
        for (url, says) in [
            ("http://leads.example.com", "plain HTTP"),
            ("http://10.0.0.7", "plain HTTP"),
            ("http://127.0.0.1.example.com", "plain HTTP"),
            ("ftp://leads.example.com", "not the address"),
            ("https://leads.example.com/api/v1", "no path"),
        ] {
            assert!(endpoint(url, false).unwrap_err().contains(says), "{url}");
        }
    }

    #[test]
    fn a_line_that_never_ends_is_skipped_and_the_next_is_read() {
        let text = format!("one\n{}\ntwo\n{}\nthree", "x".repeat(3 * MAX_LINE), "y".repeat(MAX_LINE - 1));
        let mut input = BufReader::new(text.as_bytes());
        let mut seen = Vec::new();
        while let Some(line) = next_line(&mut input) {
            seen.push(line.map(|line| line.len()));
        }
        assert_eq!(seen, [Some(4), None, Some(4), Some(MAX_LINE), Some(5)]);
    }
}
