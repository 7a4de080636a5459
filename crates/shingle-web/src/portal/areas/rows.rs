//! Areas as pages show them.

use std::sync::Arc;

use shingle_app::areas::{AreaLoad, AreaRecord, AreaStage, AreaTrouble, HeldWhy, Loading, RunningLoad};
use shingle_domain::Language;
use shingle_domain::message::ToMessage as _;
use shingle_portal::{AreaLoadView, AreaLoadingView, AreaPhotosView, AreaRow, AreaState, AreaSurveyView, LoadingStage};

use crate::portal::areas::form::title;
use crate::state::Web;

pub fn loading_view(language: Language, running: &RunningLoad) -> AreaLoadingView {
    let stage = match running.loading() {
        Loading::Asking => LoadingStage::Asking,
        Loading::Fetching { bytes, total, homes } => LoadingStage::Fetching { bytes, total, homes },
        Loading::Importing => LoadingStage::Importing,
    };
    AreaLoadingView { id: running.found.name.clone(), title: title(language, &running.found), stage }
}

/// The one that is being loaded now.
pub fn loading_now(web: &Web, language: Language) -> Option<AreaLoadingView> {
    web.area_loads.running().map(|running| loading_view(language, &running))
}

pub fn rows(web: &Arc<Web>, language: Language) -> Vec<AreaRow> {
    web.area_loads.areas().list().into_iter().map(|record| row(web, language, record)).collect()
}

pub fn row(web: &Web, language: Language, record: AreaRecord) -> AreaRow {
    let running = web.area_loads.running_of(&record.found.name);
    let state = match (&running, &record.stage) {
        (Some(running), _) => AreaState::Loading(loading_view(language, running)),
        (None, AreaStage::Working) => AreaState::CutOff,
        (None, AreaStage::Ready) => match record.held.as_ref().map(|held| &held.why) {
            Some(HeldWhy::Shrinks { .. }) => AreaState::HeldBack,
            Some(HeldWhy::License { .. }) => AreaState::License,
            Some(HeldWhy::TakenBack) | None => AreaState::Ready,
        },
        (None, AreaStage::Failed { said }) => match AreaTrouble::of(said) {
            AreaTrouble::Stopped => AreaState::Stopped,
            AreaTrouble::DiskFull => AreaState::DiskFull,
            AreaTrouble::HeldBack => AreaState::HeldBack,
            AreaTrouble::License => AreaState::License,
            AreaTrouble::NoAnswer => AreaState::NoAnswer,
            AreaTrouble::Other => AreaState::Failed,
        },
    };
    let said = match &record.stage {
        AreaStage::Failed { said } => Some(said.clone()),
        AreaStage::Working | AreaStage::Ready => record.held.as_ref().map(|held| held.why.to_message()),
    };
    let newest = web.area_loads.newest_of(&record);
    AreaRow {
        id: record.found.name.clone(),
        title: title(language, &record.found),
        state,
        said,
        newest: newest.map(|newest| (newest.release.to_string(), newest.at)),
        before: record.previous.as_ref().map(|load| load.release.to_string()),
        load: record.current.map(load_view),
        source: record.source,
        license: record.license,
        accepted_at: record.accepted_at,
    }
}

fn load_view(load: AreaLoad) -> AreaLoadView {
    let changes = load.layers.first().and_then(|layer| layer.changes);
    AreaLoadView {
        release: load.release.to_string(),
        at: load.at,
        homes: load.rows.places,
        with_outline: load.rows.with_outline,
        bytes: load.bytes,
        requests: load.requests,
        disk: load.disk_bytes,
        rejected: load.rows.rejected,
        duplicates: load.rows.duplicates,
        reasons: load.rows.reasons,
        survey: load.survey.map(|survey| AreaSurveyView {
            name: survey.name,
            year: survey.year,
            roofs: survey.roofs,
            outlines: survey.outlines,
            reasons: survey.reasons,
            failed: survey.failed,
        }),
        photos: load.photos.map(|photos| AreaPhotosView {
            taken: photos.taken,
            pictures: photos.pictures,
            failed: photos.failed,
        }),
        changes: changes.map(|changes| [changes.new, changes.gone, changes.moved, changes.changed]),
    }
}
