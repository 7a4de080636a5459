//! `/portal/operator/health`: the doctor's findings, counters, storage and version.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_app::bucket::StoragePlace;
use shingle_app::checks::{CheckResult, Detail};
use shingle_portal::{CheckView, HealthView, Hours, VersionLine, health_page};

use crate::portal::gate::Operating;
use crate::portal::operator::changelog::{ChangelogLine, of_this_version};
use crate::portal::operator::layout::{ZONE, frame};
use crate::portal::responses::{page, to};
use crate::state::Web;
use crate::web::error::ApiResult;

/// What was found longer ago is looked for again.
const FRESH: Duration = Duration::from_secs(5 * 60);
const PATIENCE: Duration = Duration::from_secs(5);

async fn check(web: &Web, patience: Duration) {
    let storage = StoragePlace::of(&web.settings).ok().and_then(|place| place.folder().cloned());
    web.health.check(&web.settings, storage, web.clock.clone(), patience).await;
}

pub async fn show(State(web): State<Arc<Web>>, Extension(operating): Extension<Arc<Operating>>) -> ApiResult<Response> {
    let now = web.clock.now();
    if web.health.findings().0.is_none_or(|found| found.at < now - FRESH) {
        check(&web, PATIENCE).await;
    }
    let (found, is_running) = web.health.findings();
    let totals = web.health.last_hour(web.metrics.totals());
    let backlog = web.store.deliveries().backlog().await?;
    let migrations = web.store.migrations().await?;
    let lines = of_this_version().into_iter().map(|line| match line {
        ChangelogLine::Heading(text) => VersionLine { text, is_heading: true },
        ChangelogLine::Item(text) => VersionLine { text, is_heading: false },
    });
    let checks = found.as_ref().and_then(|found| found.checks.as_ref()).map(|checks| {
        let view = |check: &CheckResult| {
            let (found, location, fix) = match &check.detail {
                Detail::Well(found) => (found.clone(), None, None),
                Detail::Broken(error) => ((*error.what).clone(), error.location.clone(), error.fix.as_deref().cloned()),
            };
            CheckView { name: check.check, is_well: check.ok, look: check.look, found, location, fix }
        };
        checks.iter().map(view).collect()
    });
    let place = StoragePlace::of(&web.settings).ok().filter(|place| place.folder().is_none());
    let bucket = place.map(|place| place.to_string());
    let view = HealthView {
        checks,
        checked_at: found.as_ref().map(|found| found.at),
        is_running,
        hours: &Hours::new(ZONE, now, operating.language),
        began: web.health.began(),
        requests: totals.requests,
        faults: totals.faults,
        look_ups: totals.look_ups,
        leads: totals.leads,
        failed_chores: totals.failed_chores,
        waiting: backlog.due,
        waited_seconds: backlog.age.as_secs(),
        paused: backlog.paused,
        database: web.store.database_size().await?,
        photos: found.as_ref().and_then(|found| found.photos),
        bucket: bucket.as_deref(),
        index: found.as_ref().map(|found| found.index),
        disk: found.as_ref().and_then(|found| found.disk),
        version: env!("CARGO_PKG_VERSION"),
        lines: lines.collect(),
        migrations: &migrations,
    };
    Ok(page(health_page(&frame(&operating, None), &view)))
}

pub async fn check_again(State(web): State<Arc<Web>>) -> Response {
    check(&web, PATIENCE).await;
    to("/portal/operator/health")
}
