//! `/portal/operator/health`: the doctor's findings, counters, storage and version.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Extension, State};
use axum::response::Response;
use shingle_portal::{CheckView, HealthView, Hours, VersionLine, health_page};

use super::around::{ZONE, frame};
use crate::app::App;
use crate::changelog::{ChangelogLine, of_this_version};
use crate::http::error::ApiResult;
use crate::portal::gate::Operating;
use crate::portal::page::{page, to};

/// What was found longer ago is looked for again.
const FRESH: Duration = Duration::from_secs(5 * 60);
const PATIENCE: Duration = Duration::from_secs(5);

async fn check(app: &App, patience: Duration) {
    let storage = app.settings.storage.clone().map(Into::into).unwrap_or_else(|| app.settings.data.join("storage"));
    app.health.check(&app.settings, storage, app.clock.clone(), patience).await;
}

pub async fn show(State(app): State<Arc<App>>, Extension(operating): Extension<Arc<Operating>>) -> ApiResult<Response> {
    let now = app.clock.now();
    if app.health.findings().0.is_none_or(|found| found.at < now - FRESH) {
        check(&app, PATIENCE).await;
    }
    let (found, is_running) = app.health.findings();
    let totals = app.health.last_hour(app.metrics.totals());
    let backlog = app.store.delivery_backlog().await?;
    let migrations = app.store.migrations().await?;
    let lines = of_this_version().into_iter().map(|line| match line {
        ChangelogLine::Heading(text) => VersionLine { text, is_heading: true },
        ChangelogLine::Item(text) => VersionLine { text, is_heading: false },
    });
    let checks = found.as_ref().and_then(|found| found.checks.as_ref()).map(|checks| {
        let view = |check: &crate::cli::CheckResult| CheckView {
            name: check.check,
            is_well: check.ok,
            look: check.look,
            found: check.detail.clone(),
        };
        checks.iter().map(view).collect()
    });
    let view = HealthView {
        checks,
        checked_at: found.as_ref().map(|found| found.at),
        is_running,
        hours: &Hours::new(ZONE, now, operating.language),
        began: app.health.began(),
        requests: totals.requests,
        faults: totals.faults,
        look_ups: totals.look_ups,
        leads: totals.leads,
        failed_chores: totals.failed_chores,
        waiting: backlog.due,
        waited_seconds: backlog.age.as_secs(),
        paused: backlog.paused,
        database: app.store.database_size().await?,
        photos: found.as_ref().map(|found| found.photos),
        index: found.as_ref().map(|found| found.index),
        disk: found.as_ref().and_then(|found| found.disk),
        version: env!("CARGO_PKG_VERSION"),
        lines: lines.collect(),
        migrations: &migrations,
    };
    Ok(page(health_page(&frame(&operating, None), &view)))
}

pub async fn check_again(State(app): State<Arc<App>>) -> Response {
    check(&app, PATIENCE).await;
    to("/portal/operator/health")
}
