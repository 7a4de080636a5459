//! `shingle serve`: everything that answers.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use shingle_domain::Timestamp;
use tokio::net::TcpListener;

use super::place::{Flags, Place};
use super::{Everywhere, Problem, Report};
use crate::app::{App, Parts};
use crate::ground::Ground;
use crate::runtime::Runtime;
use crate::{http, listen, log};

#[derive(Debug, Args)]
pub struct Serve {
    /// Address and port to listen on; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// Folder of logos and QR codes [default: in the data folder]
    #[arg(long, value_name = "URL")]
    storage: Option<String>,
    /// What visitors' browsers reach this server by [default: the listening address]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Folder of the property index [default: in the data folder]
    #[arg(long, value_name = "DIR")]
    property: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Ready {
    listening: SocketAddr,
    base_url: String,
    started_at: Timestamp,
}

/// How often what nobody needs any more is given up.
const TIDYING: Duration = Duration::from_secs(60);
/// After this nobody settles a look-up any more.
const ABANDONED: Duration = Duration::from_secs(5 * 60);
/// A browser that retries later than this makes a new request.
const IDEMPOTENCY: Duration = Duration::from_secs(7 * 24 * 3_600);

impl Serve {
    pub fn run(self, everywhere: &Everywhere, report: Report) -> Result<(), Problem> {
        let flags = Flags {
            listen: self.listen,
            storage: self.storage,
            base_url: self.base_url,
            property: self.property,
            ..Flags::default()
        };
        let place = Place::of(everywhere, flags)?;
        log::start(&place.settings, report)?;
        Place::block_on(serve(place, report))
    }
}

async fn serve(place: Place, report: Report) -> Result<(), Problem> {
    let settings = &place.settings;
    let tls = match (&settings.tls_cert, &settings.tls_key) {
        (Some(cert), Some(key)) => Some(listen::tls(cert, key)?),
        _ => None,
    };
    let stop = stop_signal()?;
    let listener = TcpListener::bind(settings.listen).await.map_err(|e| {
        Problem::new(format!("Cannot listen: {e}"))
            .at(settings.listen)
            .mend("Stop what uses the port, or choose another with --listen.")
    })?;
    let listening = listener.local_addr().map_err(|e| Problem::new(format!("The socket has no address: {e}")))?;
    if Runtime::embedded().is_none() {
        tracing::warn!(
            "built without the browser runtime: launchers and hosted pages only offer the telephone. \
             Build with `cargo xtask build`"
        );
    }
    let app = assemble(&place, listening).await?;
    let ready = Ready { listening, base_url: app.base_url.clone(), started_at: place.clock.now() };
    let tidying = tokio::spawn(tidy(app.clone()));
    let reference = app.ground.reference.clone();
    tokio::task::spawn_blocking(move || reference.warm());
    report.done(&ready, |r| format!("Shingle answers on {} (listening on {})", r.base_url, r.listening))?;
    listen::serve(listener, tls, http::router(app.clone()), stop).await;
    tidying.abort();
    app.store.close().await?;
    tracing::info!("stopped");
    Ok(())
}

async fn assemble(place: &Place, listening: SocketAddr) -> Result<Arc<App>, Problem> {
    let secret = place.secret()?;
    let store = place.store().await?;
    let reference = place.reference()?;
    for problem in reference.problems() {
        tracing::warn!("the reference table of this program is used instead of a broken one: {problem}");
    }
    let parts = Parts {
        egress: place.egress(&place.settings.base_url(listening))?,
        store,
        blobs: place.blobs()?,
        ground: Ground::open(&place.settings.property(), &place.sample_town(), reference)?,
        calibration: place.calibration()?,
        clock: place.clock.clone(),
        settings: place.settings.clone(),
        secret,
        listening,
    };
    App::new(parts).map_err(|e| Problem::new(format!("No random numbers: {e}")))
}

async fn tidy(app: Arc<App>) {
    let mut turn = tokio::time::interval(TIDYING);
    loop {
        turn.tick().await;
        app.gate.tidy();
        let work = async {
            app.store.flush_usage().await?;
            app.store.release_abandoned(ABANDONED).await?;
            app.store.delete_idempotency_keys(IDEMPOTENCY).await
        };
        if let Err(error) = work.await {
            tracing::warn!(%error, "tidying failed; the next turn tries again");
        }
    }
}

/// Resolves at Ctrl-C or SIGTERM.
fn stop_signal() -> Result<impl Future<Output = ()>, Problem> {
    let cannot = |e: std::io::Error| Problem::new(format!("Signals cannot be taken over: {e}"));
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate()).map_err(cannot)?;
        let mut interrupt = signal(SignalKind::interrupt()).map_err(cannot)?;
        Ok(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    {
        let _ = cannot;
        Ok(async {
            let _ = tokio::signal::ctrl_c().await;
        })
    }
}
