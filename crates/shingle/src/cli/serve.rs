//! `shingle serve`: runs the server.
//!
//! # Decisions
//!
//! - A shutdown ends after 30 seconds whatever hangs. Everything acknowledged is stored by then.
//! - mimalloc uses 4 kB pages: with huge pages an idle server held 41 MB of its own instead of 10, and no request got
//!   cheaper.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use shingle_domain::Timestamp;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::args::GlobalArgs;
use super::blocking::block_on;
use super::output::Output;
use super::stop_signal::stop_signal;
use crate::listen::ConnectionLimits;
use crate::{listen, log, service_manager, telemetry};
use shingle_app::app::{App, AppParts};
use shingle_app::backup::ScheduledBackups;
use shingle_app::bucket::StoragePlace;
use shingle_app::checks::Finding;
use shingle_app::clock::NodeClock;
use shingle_app::domain_checks::refresh;
use shingle_app::https::Https;
use shingle_app::installation::{Installation, SettingFlags};
use shingle_app::nodes::{Node, StorageLook};
use shingle_app::operator_error::OperatorError;
use shingle_app::property_indexes::PropertyIndexes;
use shingle_app::runtime::Runtime;
use shingle_app::shared_homes::{SharedHomes, keep_synchronized};
use shingle_app::{chores, open_files};
use shingle_web::{Site, Web, plain_router};

const HTTPS_HELP: &str = "\
HTTPS, by one of these settings (SHINGLE_… or shingle.toml):
  acme_domains = [\"roofs.example.com\"]   a certificate from Let's Encrypt, fetched and renewed by itself; setting it
                                         agrees to its terms. Listen on 0.0.0.0:443; http_listen = \"0.0.0.0:80\" leads plain HTTP there
  tls_cert, tls_key                      files (PEM), read again when they change
  trusted_proxy = \"10.0.0.0/8\"           a proxy ends TLS and says who the visitor is";

#[derive(Debug, Args)]
#[command(after_help = HTTPS_HELP)]
pub struct Serve {
    /// Address and port to listen on; port 0 picks a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Folder of logos and QR codes [default: in the data folder]
    #[arg(long, value_name = "URL")]
    storage: Option<String>,
    /// URL by which visitors' browsers reach this server [default: the listening address]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    property: Option<PathBuf>,
    /// Who asks for Spanish gets English with accents, a third longer: for tests
    #[cfg(debug_assertions)]
    #[arg(long, hide = true)]
    pseudo: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready {
    listening: SocketAddr,
    base_url: String,
    started_at: Timestamp,
    /// Makes the person who opens it the administrator, once. Absent if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
}

impl Ready {
    /// The port of links, if it listens on every address of this machine, and links name the machine itself.
    fn port_of_links(&self) -> Option<&str> {
        self.base_url.strip_prefix("http://localhost:").filter(|_| self.listening.ip().is_unspecified())
    }

    fn text(&self, in_container: bool) -> String {
        let serves = format!("Shingle serves {} (listening on {})", self.base_url, self.listening);
        let Some(link) = &self.setup else { return serves };
        let told = format!("{serves}\nNobody has an account yet. Within 30 minutes, open {link}");
        match self.port_of_links() {
            // What comes through a published port is not from this machine, as the container sees it.
            Some(port) if in_container => format!(
                "{told}\nA container answers browsers only behind a proxy with HTTPS: set base_url and trusted_proxy. For a first \
                 look, start it with --network host, and forward the port from another computer: ssh -L \
                 {port}:127.0.0.1:{port} THIS-MACHINE."
            ),
            Some(port) => format!(
                "{told}\nFrom another computer, forward the port first: ssh -L {port}:127.0.0.1:{port} THIS-MACHINE. Visitors \
                 need HTTPS: /manual/https"
            ),
            None => told,
        }
    }
}

/// Docker and Podman say so by a file.
fn is_container() -> bool {
    ["/.dockerenv", "/run/.containerenv"].iter().any(|file| Path::new(file).exists())
}

/// From the signal to the end of the process, while requests and deliveries come to their end. Service managers kill after 90
/// seconds, container engines after 10 unless told otherwise.
const MAX_STOP_TIME: Duration = Duration::from_secs(30);

/// How often what is due is done.
const CHORE_INTERVAL: Duration = Duration::from_secs(60);

impl Serve {
    pub fn run(self, global: &GlobalArgs, output: Output) -> Result<(), OperatorError> {
        #[cfg(debug_assertions)]
        if self.pseudo {
            shingle_web::pseudo::replace_spanish();
        }
        let flags = SettingFlags {
            listen: self.listen,
            storage: self.storage,
            base_url: self.base_url,
            property: self.property,
            ..SettingFlags::default()
        };
        let context = global.installation(flags)?;
        let lines = log::start(&context.settings, output.is_json())?;
        let writer = lines.clone();
        let served = block_on(async move {
            tokio::spawn(writer.keep_writing());
            serve(context, output).await
        });
        lines.write_out();
        served
    }
}

async fn serve(mut context: Installation, output: Output) -> Result<(), OperatorError> {
    let clock = Arc::new(NodeClock::default());
    context.clock = clock.clone();
    let settings = &context.settings;
    let https = Https::of(settings)?;
    let tls = https.as_ref().map(Https::acceptor).transpose()?;
    let stop = stop_signal()?;
    let listener =
        bind(settings.listen, "Stop the program that uses the port, or choose another port with --listen.").await?;
    let plain = match settings.http_listen {
        Some(address) => Some(bind(address, "Stop the program that uses the port, or leave http_listen out.").await?),
        None => None,
    };
    let listening = listener.local_addr().map_err(|e| OperatorError::new(format!("The socket has no address: {e}")))?;
    for name in &context.unknown_variables {
        tracing::warn!("{name} is not a setting of this version, so it changes nothing; check its spelling");
    }
    if Runtime::embedded().is_none() {
        tracing::warn!(
            "this binary was built without the browser runtime: launchers and hosted pages only offer the phone number. \
             Build it with `cargo xtask build`"
        );
    }
    if settings.smtp_url.is_none() {
        tracing::warn!(
            "no mail server is set, so nobody gets an email about a new lead. Set smtp_url (SHINGLE_SMTP_URL) and mail_from \
             (SHINGLE_MAIL_FROM), and try them with `shingle mail test`"
        );
    }
    let web = build(&context, listening).await?;
    let app = web.app().clone();
    clock.follow(&app.store).await?;
    if app.store.may_lack_its_newest_rows().await? {
        tracing::warn!("{}", Finding::CopyWithoutLog);
    }
    let place = StoragePlace::of(settings)?;
    let is_folder = place.folder().is_some();
    match app.node.look_at_storage(&app.store, &app.blobs, is_folder).await {
        Err(StorageLook::Wrong(fault)) => return Err(fault.error().at(place)),
        Err(StorageLook::Unread(error)) => {
            tracing::warn!(%error, %place, "the storage does not answer; leads are taken without it")
        }
        Ok(()) => {}
    }
    app.store.begin_serving().await?;
    refresh(&app).await?;
    let setup = match app.store.people().has_users().await? {
        true => None,
        false => Some(format!("{}/setup#{}", app.base_url, app.store.people().claim_link().await?)),
    };
    let ready = Ready { listening, base_url: app.base_url.clone(), started_at: context.clock.now(), setup };
    tokio::spawn(app.area_loads.clone().resume());
    let mut background = JoinSet::new();
    background.spawn(app.node.clone().keep_watch(app.store.clone(), app.blobs.clone(), is_folder, settings.property()));
    if let Some(homes) = SharedHomes::of(settings)? {
        background.spawn(keep_synchronized(homes, app.store.clone(), app.node.id.clone()));
    }
    background.spawn(shingle_web::keep_sharing(web.clone()));
    background.spawn(shingle_web::keep_answering(web.clone(), Site::new(web.clone())));
    background.spawn(do_chores(web.clone(), clock));
    let backups = ScheduledBackups::of(&context)?;
    let taking = backups.clone().map(|backups| tokio::spawn(backups.keep_taking()));
    let (stop_engine, engine_stops) = tokio::sync::oneshot::channel::<()>();
    let engine = app.engine.clone();
    let engine = tokio::spawn(async move {
        engine
            .run(async {
                // Dropped or told, both mean the end.
                let _ = engine_stops.await;
            })
            .await;
    });
    let reference = app.indexes.reference.clone();
    tokio::task::spawn_blocking(move || reference.warm());
    output.print(&ready, |ready| ready.text(is_container()))?;
    service_manager::ready();
    let heartbeat = tokio::spawn(service_manager::keep_alive());
    let limits = ConnectionLimits::of(settings, open_files::raise_limit());
    let (told, stopping) = tokio::sync::oneshot::channel::<()>();
    let beside = https.map(|https| serve_beside(https, plain, &app, limits.clone()));
    let live = web.clone();
    let stop = async move {
        stop.await;
        service_manager::stopping();
        if let Some(backups) = backups {
            backups.stop();
        }
        // They would be waited for.
        live.portal.live_leads.close();
        drop(told);
    };
    let served = async {
        listen::serve(listener, tls, Site::new(web.clone()), limits, stop).await;
        background.abort_all();
        app.areas.stop_monthly();
        for task in beside.into_iter().flatten() {
            task.abort();
        }
        drop(stop_engine);
        // One that is under way aborts its upload.
        if let Some(taking) = taking
            && let Err(error) = taking.await
        {
            tracing::error!(%error, "the schedule of backups ended by itself");
        }
        if let Err(error) = engine.await {
            tracing::error!(%error, "the delivery engine ended by itself");
        }
        if let Some(traces) = &web.traces {
            traces.stop().await;
        }
        heartbeat.abort();
        if app.store.nodes().may_be_several()
            && let Err(error) = app.store.nodes().leave(&app.node.id).await
        {
            tracing::debug!(%error, "the other servers see in half a minute that this one has stopped");
        }
        app.store.end_serving().await?;
        app.store.close().await?;
        tracing::info!("stopped");
        Ok(())
    };
    let given_up = async {
        // Dropped when the shutdown was announced.
        let _ = stopping.await;
        tokio::time::sleep(MAX_STOP_TIME).await;
    };
    tokio::select! {
        ended = served => ended,
        () = given_up => {
            tracing::warn!(
                "stopped without waiting any longer: the database does not answer. What was acknowledged is stored; what is \
                 on its way is delivered after the next start"
            );
            Ok(())
        }
    }
}

async fn bind(address: SocketAddr, fix: &str) -> Result<TcpListener, OperatorError> {
    TcpListener::bind(address).await.map_err(|e| {
        let fix = match e.kind() {
            ErrorKind::PermissionDenied => {
                "Use a port from 1024 on behind a proxy, or run it as the service, which may use all."
            }
            _ => fix,
        };
        OperatorError::new(format!("The server cannot listen: {e}")).at(address).fix(fix)
    })
}

/// What keeps the certificate valid, and the way to it from plain HTTP.
fn serve_beside(https: Https, plain: Option<TcpListener>, app: &App, limits: ConnectionLimits) -> Vec<JoinHandle<()>> {
    let plain = plain.map(|listener| {
        let site = plain_router(https.certificates.clone(), app.own_domains.clone()).into();
        // It keeps nobody long; most handles are for what visitors came for.
        let limits = ConnectionLimits { max_connections: (limits.max_connections / 8).max(1), ..limits };
        tokio::spawn(listen::serve(listener, None, site, limits, std::future::pending()))
    });
    let keeping = tokio::spawn(https.keep(app.clock.clone(), app.own_domains.clone()));
    plain.into_iter().chain([keeping]).collect()
}

async fn build(context: &Installation, listening: SocketAddr) -> Result<Arc<Web>, OperatorError> {
    let secret = context.secret()?;
    let store = context.store().await?;
    let reference = context.reference()?;
    for problem in reference.problems() {
        tracing::warn!("a loaded reference table is broken, so the built-in table is used: {problem}");
    }
    let node = Node::new(&secret).map_err(|e| OperatorError::new(format!("The system has no random numbers: {e}")))?;
    let parts = AppParts {
        egress: context.egress(&context.settings.base_url(listening))?,
        mailer: context.mailer()?.map(Arc::new),
        engine: context.settings.engine(),
        connector_base: None,
        store,
        blobs: context.blobs()?,
        indexes: PropertyIndexes::open(&context.settings.property(), &context.sample_town(), reference)?,
        calibration: context.calibration()?,
        clock: context.clock.clone(),
        node,
        settings: context.settings.clone(),
        secret: secret.clone(),
        listening,
    };
    Web::new(App::new(parts), &secret, telemetry::start(&context.settings)?)
        .map_err(|e| OperatorError::new(format!("The system has no random numbers: {e}")))
}

async fn do_chores(web: Arc<Web>, clock: Arc<NodeClock>) {
    let mut interval = tokio::time::interval(CHORE_INTERVAL);
    loop {
        interval.tick().await;
        if let Err(error) = clock.follow(&web.store).await {
            tracing::warn!(%error, "the database does not tell its time; the clock goes on from the last reading");
        }
        web.evict_idle();
        chores::run(web.app()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_tells_how_a_browser_gets_in() {
        let told = |listening: &str, base_url: &str, in_container| {
            let setup = Some(format!("{base_url}/setup#link"));
            let started_at = Timestamp::from_micros(0);
            let listening = listening.parse().unwrap();
            Ready { listening, base_url: base_url.to_owned(), started_at, setup }.text(in_container)
        };
        let everywhere = told("0.0.0.0:8080", "http://localhost:9000", false);
        assert!(everywhere.contains("/setup#link") && everywhere.contains("-L 9000:127.0.0.1:9000"), "{everywhere}");
        let container = told("0.0.0.0:8080", "http://localhost:8080", true);
        assert!(container.contains("--network host") && !everywhere.contains("--network host"), "{container}");
        for (listening, base_url) in
            [("127.0.0.1:8080", "http://localhost:8080"), ("0.0.0.0:8080", "https://oak.example.com")]
        {
            assert!(told(listening, base_url, true).ends_with("/setup#link"));
        }
    }
}
