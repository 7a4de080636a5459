//! A server of files that behaves like a public bucket: ranges, tags, listings, and on demand its faults. Everything
//! that is asked for is counted.

use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What goes wrong with a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    Status(u16),
    /// 503, with the seconds to wait.
    SlowDown,
    /// The connection ends after so many bytes of the body.
    CutAfter(usize),
    /// Fewer bytes than were asked for, in an answer that says it is whole.
    Shorter(usize),
    /// The whole file in place of a part.
    NoRanges,
    /// From this request on the file is another one.
    Replaced(Vec<u8>),
    /// No answer before [`Bucket::release`].
    Hold,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub path: String,
    /// As it was sent; empty without any.
    pub query: String,
    pub range: Option<Range<u64>>,
    /// Of the body that was sent.
    pub bytes: u64,
}

#[derive(Debug)]
struct Planned {
    part: String,
    fault: Fault,
    /// Requests that pass before.
    passing: usize,
    times: usize,
}

/// What is answered to a query.
type Answer = Arc<dyn Fn(&str) -> Vec<u8> + Send + Sync>;

#[derive(Default)]
struct State {
    answers: BTreeMap<String, Answer>,
    files: BTreeMap<String, Arc<Vec<u8>>>,
    tags: HashMap<String, u64>,
    faults: Vec<Planned>,
    requests: Vec<Request>,
    held: usize,
    is_released: bool,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Bucket {
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// Keys of one page of a listing: few, so that there are several pages.
const PAGE: usize = 2;

impl Bucket {
    pub fn start() -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared::default());
        let theirs = shared.clone();
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let shared = theirs.clone();
                std::thread::spawn(move || {
                    // A client that goes away has its reasons.
                    let _: std::io::Result<()> = serve(&connection, &shared);
                });
            }
        });
        Ok(Self { address, shared })
    }

    /// With a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    pub fn put(&self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.shared.state().put(path, bytes.into());
    }

    /// Answers each query to this path anew, in place of a file.
    pub fn answer(&self, path: &str, with: impl Fn(&str) -> Vec<u8> + Send + Sync + 'static) {
        self.shared.state().answers.insert(path.to_owned(), Arc::new(with));
    }

    pub fn get(&self, path: &str) -> Option<Arc<Vec<u8>>> {
        self.shared.state().files.get(path).cloned()
    }

    pub fn paths(&self) -> Vec<String> {
        self.shared.state().files.keys().cloned().collect()
    }

    /// Removes every file whose path has this in it.
    pub fn remove(&self, part: &str) {
        self.shared.state().files.retain(|path, _| !path.contains(part));
    }

    /// Requests for paths that have `part` in them fail so many times, after some that do not.
    pub fn fail(&self, part: &str, fault: Fault, passing: usize, times: usize) {
        self.shared.state().faults.push(Planned { part: part.to_owned(), fault, passing, times });
    }

    /// No request fails any more, and none is held.
    pub fn release(&self) {
        let mut state = self.shared.state();
        state.faults.clear();
        state.is_released = true;
        self.shared.changed.notify_all();
    }

    /// Holds the request for such a path after some that pass, until [`Bucket::release`].
    pub fn hold(&self, part: &str, passing: usize) -> Held {
        {
            let mut state = self.shared.state();
            state.held = 0;
            state.is_released = false;
        }
        self.fail(part, Fault::Hold, passing, 1);
        Held { shared: self.shared.clone() }
    }

    /// What was asked for since the last time.
    pub fn take_requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.shared.state().requests)
    }
}

/// A request that is held, or will be.
pub struct Held {
    shared: Arc<Shared>,
}

impl Held {
    /// Waits until there is one.
    pub fn wait(&self) {
        let mut state = self.shared.state();
        while state.held == 0 {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl State {
    fn put(&mut self, path: &str, bytes: Vec<u8>) {
        self.files.insert(path.to_owned(), Arc::new(bytes));
        *self.tags.entry(path.to_owned()).or_default() += 1;
    }

    fn fault(&mut self, path: &str) -> Option<Fault> {
        let planned = self.faults.iter_mut().find(|planned| path.contains(&planned.part) && planned.times > 0)?;
        if planned.passing > 0 {
            planned.passing -= 1;
            return None;
        }
        planned.times -= 1;
        Some(planned.fault.clone())
    }
}

fn serve(connection: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    let mut lines = BufReader::new(connection.try_clone()?);
    loop {
        let mut first = String::new();
        if lines.read_line(&mut first)? == 0 {
            return Ok(());
        }
        let target = first.split_whitespace().nth(1).unwrap_or("/").to_owned();
        let mut range = None;
        loop {
            let mut line = String::new();
            lines.read_line(&mut line)?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("range")
            {
                range = value.trim().strip_prefix("bytes=").map(str::to_owned);
            }
        }
        if !answer(connection, shared, &target, range.as_deref())? {
            return connection.shutdown(Shutdown::Both);
        }
    }
}

/// `false`: the connection ends.
fn answer(mut to: &TcpStream, shared: &Shared, target: &str, range: Option<&str>) -> std::io::Result<bool> {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.trim_start_matches('/').replace("%3D", "=");
    let answer = shared.state().answers.get(&path).cloned();
    let answer = answer.map(|with| Arc::new(with(query)));
    let (file, tag, fault) = {
        let mut state = shared.state();
        let fault = state.fault(&path);
        if let Some(Fault::Replaced(bytes)) = &fault {
            state.put(&path, bytes.clone());
        }
        if fault == Some(Fault::Hold) {
            state.held += 1;
            shared.changed.notify_all();
            while !state.is_released {
                state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
        let file = match query.contains("list-type=2") {
            true => Some(Arc::new(listing(&state, query).into_bytes())),
            false => state.files.get(&path).cloned(),
        };
        (answer.or(file), state.tags.get(&path).copied().unwrap_or_default(), fault)
    };
    let note = |range: Option<Range<u64>>, bytes: usize| {
        shared.state().requests.push(Request {
            path: path.clone(),
            query: query.to_owned(),
            range,
            bytes: bytes as u64,
        });
    };
    let status = match (&fault, &file) {
        (Some(Fault::Status(status)), _) => Some(*status),
        (Some(Fault::SlowDown), _) => Some(503),
        (_, None) => Some(404),
        _ => None,
    };
    if let Some(status) = status {
        note(None, 0);
        let wait = if fault == Some(Fault::SlowDown) { "retry-after: 0\r\n" } else { "" };
        write!(to, "HTTP/1.1 {status} X\r\n{wait}content-length: 0\r\n\r\n")?;
        return Ok(true);
    }
    let file = file.unwrap_or_default();
    let size = file.len() as u64;
    let wanted = range.filter(|_| fault != Some(Fault::NoRanges)).and_then(|range| {
        let (from, to) = range.split_once('-')?;
        match from {
            "" => Some(size.saturating_sub(to.parse().ok()?)..size),
            from => Some(from.parse().ok()?..to.parse::<u64>().map_or(size, |to| (to + 1).min(size))),
        }
    });
    let bytes = match &wanted {
        Some(range) if range.start > range.end => &[],
        Some(range) => &file[range.start as usize..range.end as usize],
        None => &file[..],
    };
    let bytes = match fault {
        Some(Fault::Shorter(by)) => &bytes[..bytes.len().saturating_sub(by)],
        _ => bytes,
    };
    let (status, about) = match &wanted {
        Some(range) => {
            (206, format!("content-range: bytes {}-{}/{size}\r\n", range.start, range.end.saturating_sub(1)))
        }
        None => (200, String::new()),
    };
    let sent = match fault {
        Some(Fault::CutAfter(after)) => &bytes[..after.min(bytes.len())],
        _ => bytes,
    };
    note(wanted, sent.len());
    write!(to, "HTTP/1.1 {status} X\r\netag: \"{tag}\"\r\n{about}content-length: {}\r\n\r\n", bytes.len())?;
    to.write_all(sent)?;
    Ok(sent.len() == bytes.len())
}

/// As S3 lists what is in a folder, a few at a time.
fn listing(state: &State, query: &str) -> String {
    let plain = |text: &str| text.replace("%2F", "/").replace("%3D", "=");
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(plain);
    let folder = value("prefix").unwrap_or_default();
    let mut names: Vec<String> = state
        .files
        .keys()
        .filter_map(|path| path.strip_prefix(&folder))
        .map(|rest| rest.split_inclusive('/').next().unwrap_or(rest).to_owned())
        .collect();
    names.dedup();
    let from: usize = value("continuation-token").and_then(|token| token.parse().ok()).unwrap_or_default();
    let mut text = "<?xml version=\"1.0\"?><ListBucketResult>".to_owned();
    for name in names.iter().skip(from).take(PAGE) {
        text.push_str(&match name.ends_with('/') {
            true => format!("<CommonPrefixes><Prefix>{folder}{name}</Prefix></CommonPrefixes>"),
            false => format!("<Contents><Key>{folder}{name}</Key></Contents>"),
        });
    }
    if from + PAGE < names.len() {
        text.push_str(&format!("<NextContinuationToken>{}</NextContinuationToken>", from + PAGE));
    }
    text + "</ListBucketResult>"
}
