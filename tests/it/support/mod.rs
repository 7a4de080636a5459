//! A running server for one test, and requests to it.

pub mod bucket;
pub mod captured_log;
pub mod client;
pub mod form;
pub mod images;
pub mod machine;
pub mod ortho;
pub mod receiver;
pub mod town;
pub mod visitors;
pub mod wire;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};
use shingle::listen;
use shingle::listen::ConnectionLimits;
use shingle_app::app::{App, AppParts};
use shingle_app::config::Settings;
use shingle_app::nodes::Node;
use shingle_app::notices::make_due_digests;
use shingle_app::property_indexes::PropertyIndexes;
use shingle_deliver::mail::Mailer;
use shingle_deliver::webhook::{WebhookKeys, WebhookTransport};
use shingle_deliver::{
    Egress, EgressPolicy, Engine, EngineSettings, ResolveFuture, Resolver, SystemResolver, Transports,
};
use shingle_domain::{AccountId, Environment, KeyId};
use shingle_store::{Blobs, KeyTerms, Store};
use shingle_store_fixture::{Fixture, ManualClock};
use shingle_web::{Site, Web};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// The site of the contractor in these tests; its host is on the list.
pub const SITE: &str = "https://oak.example.com";
pub const WIDGET: &str = "7b0e3f3a-6f0a-4c58-9a52-2a2f6e7f0c11";
/// An address of the sample town.
pub const HOME: &str = "14 Alder Court";

/// What a homeowner agrees to at a widget of this company, in English.
pub fn consent(company: &str) -> String {
    let words: Value = serde_json::from_str(include_str!("../../../www/words/en.json")).unwrap();
    words["consent"].as_str().unwrap().replace("{company}", company)
}

/// A server on a free port, with one account and a key for each environment.
pub struct TestApp {
    pub base: String,
    pub store: Store,
    pub app: Arc<Web>,
    /// Does nothing on its own: a test has it work off what is due, by the clock of the test.
    pub engine: Engine,
    pub clock: Arc<ManualClock>,
    pub account: AccountId,
    pub sandbox: Key,
    pub production: Key,
    egress_policy: EgressPolicy,
    client: reqwest::Client,
    folder: tempfile::TempDir,
    fixture: Fixture,
    /// The server stops when this is dropped.
    _stop: oneshot::Sender<()>,
}

/// Names of sites on this machine, `{any}.loopback.example`; everything else as the system has it.
struct LoopbackNames;

impl Resolver for LoopbackNames {
    fn resolve(&self, host: &str) -> ResolveFuture {
        if host.ends_with(".loopback.example") {
            return Box::pin(async { Ok(vec![std::net::Ipv4Addr::LOCALHOST.into()]) });
        }
        SystemResolver.resolve(host)
    }
}

#[derive(Clone)]
pub struct Key {
    pub id: KeyId,
    pub token: String,
}

impl TestApp {
    pub async fn start(fixture: Fixture) -> Self {
        Self::start_with(fixture, |_| {}).await
    }

    /// With settings of the test's own.
    pub async fn start_with(fixture: Fixture, adjust: impl FnOnce(&mut Settings)) -> Self {
        Self::start_connected(fixture, adjust, None).await
    }

    /// With a server in place of every connector's target.
    pub async fn start_connected(
        fixture: Fixture,
        adjust: impl FnOnce(&mut Settings),
        connector_base: Option<url::Url>,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut settings = Settings { data: folder.path().to_owned(), ..Settings::default() };
        adjust(&mut settings);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let listening: SocketAddr = listener.local_addr().unwrap();
        // Tests open pages by the number.
        if settings.base_url.is_none() && !settings.has_own_https() {
            settings.base_url = Some(format!("http://{listening}"));
        }
        let store = fixture.store.clone();
        let egress_policy = settings.egress();
        let limits = ConnectionLimits::of(&settings, 4_096);
        let app = Web::new(
            App::new(AppParts {
                store: store.clone(),
                blobs: Blobs::in_folder(&folder.path().join("storage")).unwrap(),
                indexes: PropertyIndexes::open(
                    &settings.property(),
                    sample_town(),
                    shingle_property::Reference::built_in(),
                )
                .unwrap(),
                egress: match settings.authorities().unwrap().as_slice() {
                    [] => Egress::resolving(settings.egress(), "Shingle/test", Arc::new(LoopbackNames)).unwrap(),
                    own => Egress::trusting(settings.egress(), "Shingle/test", own).unwrap(),
                },
                mailer: settings.mail().unwrap().map(|settings| Arc::new(Mailer::new(settings).unwrap())),
                engine: settings.engine(),
                connector_base,
                calibration: None,
                clock: fixture.clock.clone(),
                node: Node::new(&Fixture::SECRET).unwrap(),
                settings,
                secret: Fixture::SECRET,
                listening,
            }),
            &Fixture::SECRET,
            None,
        )
        .unwrap();
        app.node.look_at_storage(&store, &app.blobs, true).await.unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let engine = app.engine.clone();
        tokio::spawn(listen::serve(listener, None, Site::new(app.clone()), limits, async {
            let _ = stopped.await;
        }));
        let account = store.accounts().create("Oak Roofing").await.unwrap().id;
        let clock = fixture.clock.clone();
        let client = client::plain_client().build().unwrap();
        Self {
            base: format!("http://{listening}"),
            sandbox: issue(&store, account, Environment::Sandbox).await,
            production: issue(&store, account, Environment::Production).await,
            store,
            app,
            engine,
            clock,
            account,
            egress_policy,
            client,
            folder,
            fixture,
            _stop: stop,
        }
    }

    /// The engine of a second node, on its own store over the same database.
    pub fn engine_over(&self, store: Store) -> Engine {
        let transports = Transports {
            webhook: Arc::new(WebhookTransport {
                egress: Arc::new(Egress::new(self.egress_policy.clone(), "Shingle/test").unwrap()),
                keys: WebhookKeys::new(&Fixture::SECRET),
                clock: self.clock.clone(),
            }),
            mail: None,
            connector: None,
            push: None,
        };
        Engine::new(store, transports, EngineSettings::default())
    }

    /// The address of its database.
    pub fn database(&self) -> &str {
        &self.fixture.address
    }

    /// A number that a query of the test's own finds.
    pub async fn number(&self, sql: &'static str) -> i64 {
        self.fixture.number(sql).await
    }

    /// All texts that a query of the test's own finds.
    pub async fn texts(&self, sql: &'static str) -> Vec<String> {
        self.fixture.texts(sql).await
    }

    /// PostgreSQL leaves what was deleted in its pages until others need the room: this rewrites the pages.
    pub async fn rewrite_pages_of_postgres(&self) {
        if self.database().starts_with("postgres") {
            self.fixture.run("VACUUM FULL").await;
        }
    }

    /// What the server's own clock does once a minute.
    pub async fn make_due_digests(&self) {
        make_due_digests(&self.store).await.unwrap();
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    /// With the sandbox key.
    pub fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).header("token", &self.sandbox.token)
    }

    /// A second account, with a sandbox key.
    pub async fn second_account(&self) -> Key {
        let account = self.store.accounts().create("Elm Roofing").await.unwrap().id;
        issue(&self.store, account, Environment::Sandbox).await
    }

    /// The widget of [`form::widget`], created with the sandbox key.
    pub async fn widget(&self) -> Value {
        self.widget_with(form::widget()).await
    }

    pub async fn widget_with(&self, form: form::Form) -> Value {
        let sent = self.api(Method::POST, "/api/v1/roof-estimate-widget").multipart(form.build());
        let (status, body) = send(sent).await;
        assert_eq!(status, 201, "{body}");
        body
    }

    /// A request of a page on the contractor's site.
    pub fn page(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, &format!("/w/{WIDGET}{path}")).header("origin", SITE)
    }

    pub async fn session(&self) -> String {
        let (status, body) = send(self.page(Method::POST, "/session")).await;
        assert_eq!(status, 200, "{body}");
        body["token"].as_str().unwrap().to_owned()
    }

    /// What a visitor sends who looked up [`HOME`].
    pub async fn submission(&self) -> Value {
        json!({
            "token": self.session().await,
            "address": { "line": HOME },
            "firstName": "Ann",
            "lastName": "Sample",
            "email": "ann@example.com",
            "consent": { "given": true, "text": consent("Oak Roofing") },
            "elapsedMs": 20_000,
        })
    }

    pub async fn send_lead(&self, submission: &Value) -> (u16, Value) {
        send(self.page(Method::POST, "/leads").body(submission.to_string())).await
    }

    /// Its data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Stored files, below the storage's root, without the one that says whose storage it is.
    pub fn stored_files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.path().join("storage")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else if entry.file_name() != "installation.txt" {
                    found.push(entry.path());
                }
            }
        }
        found
    }
}

impl TestApp {
    /// A sandbox key on these terms.
    pub async fn key_on(&self, terms: &KeyTerms) -> Key {
        let issued = self.store.accounts().issue_key_on(self.account, Environment::Sandbox, terms).await.unwrap();
        Key { id: issued.id, token: issued.secret }
    }
}

async fn issue(store: &Store, account: AccountId, environment: Environment) -> Key {
    let issued = store.accounts().issue_key(account, environment).await.unwrap();
    Key { id: issued.id, token: issued.secret }
}

/// Created once for the whole run.
pub fn sample_town() -> &'static Path {
    static TOWN: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        shingle_property::sample_town::ensure(folder.path()).unwrap();
        folder
    });
    TOWN.path()
}

/// Sends a request and returns the status and the JSON of its response.
pub async fn send(request: RequestBuilder) -> (u16, Value) {
    let response = request.send().await.unwrap();
    let status = response.status().as_u16();
    let text = response.text().await.unwrap();
    let body = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status}, not JSON: {text}"));
    (status, body)
}

pub async fn fetch(request: RequestBuilder) -> Response {
    request.send().await.unwrap()
}

pub fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The contract's error body.
pub fn error(status: u16, word: &str, message: impl Into<Value>) -> (u16, Value) {
    (status, json!({ "message": message.into(), "error": word, "statusCode": status }))
}

pub fn bad_request(message: impl Into<Value>) -> (u16, Value) {
    error(400, "Bad Request", message)
}

pub fn not_found(method: &str, target: &str) -> (u16, Value) {
    error(404, "Not Found", format!("Cannot {method} {target}"))
}
