//! A server of buckets on this machine, which checks signatures, and what may go wrong with it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use hyper::Method;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::{S3Service, S3ServiceBuilder};
use s3s::{Body, HttpError};
use tokio::sync::watch;

use super::machine::Machine;

pub const BUCKET: &str = "oak-backups";
pub const KEY: &str = "AKIAOAK";
pub const SECRET: &str = "hunter2-of-the-bucket";

/// What it does in place of its work.
#[derive(Default)]
struct Faults {
    /// For requests that write: status and code.
    refusal: Mutex<Option<(u16, &'static str)>>,
    /// Refuses what deletes, as a key without that right.
    keeps: AtomicBool,
    /// Breaks every connection.
    gone: AtomicBool,
    /// Is gone after so many parts.
    parts_left: AtomicUsize,
    /// Takes requests and says nothing.
    silent: watch::Sender<bool>,
}

pub struct BucketServer {
    root: tempfile::TempDir,
    pub endpoint: String,
    faults: Arc<Faults>,
    /// Parts that arrived, and whether their answers are held.
    parts: watch::Sender<usize>,
    held: watch::Sender<bool>,
}

impl BucketServer {
    pub async fn start() -> Self {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(root.path()).unwrap());
        builder.set_auth(SimpleAuth::from_single(KEY, SECRET));
        let service = builder.build();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let faults = Arc::new(Faults { parts_left: AtomicUsize::new(usize::MAX), ..Faults::default() });
        let (parts, held) = (watch::Sender::new(0), watch::Sender::new(false));
        let server = Self { root, endpoint, faults: faults.clone(), parts: parts.clone(), held: held.clone() };
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (service, faults, parts, held) = (service.clone(), faults.clone(), parts.clone(), held.clone());
                tokio::spawn(async move {
                    let answer = service_fn(move |request| {
                        answer(service.clone(), faults.clone(), parts.clone(), held.subscribe(), request)
                    });
                    // A connection that broke is what some tests are about.
                    let _ = Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(socket), answer).await;
                });
            }
        });
        server
    }

    /// A machine whose settings open the bucket.
    pub fn machine(&self, database: Option<String>) -> Machine {
        let machine = Machine::new(database);
        self.open_to(&machine, KEY, SECRET);
        machine
    }

    pub fn open_to(&self, machine: &Machine, key: &str, secret: &str) {
        let file = machine.at("shingle.toml");
        let before = std::fs::read_to_string(&file).unwrap();
        let others: Vec<&str> = before.lines().filter(|line| !line.starts_with("s3_")).collect();
        let own = format!("s3_endpoint = {:?}\ns3_key = {key:?}\ns3_secret = {secret:?}\n", self.endpoint);
        std::fs::write(file, own + &others.join("\n")).unwrap();
    }

    pub fn refuse(&self, refusal: Option<(u16, &'static str)>) {
        *self.faults.refusal.lock().unwrap() = refusal;
    }

    pub fn refuse_deletions(&self) {
        self.faults.keeps.store(true, Ordering::SeqCst);
    }

    pub fn goes_after(&self, parts: usize) {
        self.faults.parts_left.store(parts, Ordering::SeqCst);
    }

    /// Breaks every connection from now on.
    pub fn goes(&self) {
        self.faults.gone.store(true, Ordering::SeqCst);
    }

    pub fn comes_back(&self) {
        self.goes_after(usize::MAX);
        self.faults.gone.store(false, Ordering::SeqCst);
    }

    /// What is asked while it is silent is answered after that.
    pub fn set_silent(&self, silent: bool) {
        self.faults.silent.send_replace(silent);
    }

    /// Parts arrive, and nobody is told.
    pub fn hold(&self, held: bool) {
        self.held.send_replace(held);
    }

    pub async fn until_a_part_came(&self) {
        self.parts.subscribe().wait_for(|parts| *parts > 0).await.unwrap();
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.root.path().join(BUCKET).join(name)
    }

    /// The names of the objects in this folder.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.at(folder)).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        let mut names: Vec<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Parts of uploads that are neither whole nor aborted.
    pub fn left_parts(&self) -> usize {
        let entries = std::fs::read_dir(self.root.path()).unwrap().flatten();
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".upload_id-")).count()
    }
}

async fn answer(
    service: S3Service,
    faults: Arc<Faults>,
    parts: watch::Sender<usize>,
    mut held: watch::Receiver<bool>,
    request: Request<Incoming>,
) -> Result<Response<Body>, HttpError> {
    let broken = || HttpError::new("the server is gone".into());
    faults.silent.subscribe().wait_for(|silent| !*silent).await.map_err(|_| broken())?;
    let query = request.uri().query().unwrap_or_default();
    let is_part = query.contains("partNumber=");
    if is_part {
        let left = faults.parts_left.load(Ordering::SeqCst);
        if left == 0 {
            faults.gone.store(true, Ordering::SeqCst);
        } else if left != usize::MAX {
            faults.parts_left.store(left - 1, Ordering::SeqCst);
        }
    }
    if faults.gone.load(Ordering::SeqCst) {
        return Err(broken());
    }
    let mut refusal = *faults.refusal.lock().unwrap();
    if faults.keeps.load(Ordering::SeqCst) && *request.method() == Method::DELETE {
        refusal = Some((403, "AccessDenied"));
    }
    if let (Some((status, code)), true) = (refusal, *request.method() != Method::GET) {
        let body = match code {
            "" => "<!DOCTYPE html><title>Oak</title>".to_owned(),
            code => format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>No</Message></Error>"),
        };
        return Ok(Response::builder().status(status).body(Body::from(body)).unwrap());
    }
    let answered = service.call(request.map(Body::from)).await?;
    if is_part {
        parts.send_modify(|parts| *parts += 1);
        held.wait_for(|held| !*held).await.map_err(|_| broken())?;
    }
    Ok(answered)
}
