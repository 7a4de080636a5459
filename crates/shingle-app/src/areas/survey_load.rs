//! The roofs of a load: points beside its rows, and what became of them. Homes are loaded whatever becomes of the survey.

use std::fs;
use std::path::{Path, PathBuf};

use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::{Message, ToMessage};
use shingle_import::{RoofFigures, SurveyBeside};
use shingle_source::{Client, Loaded, SourceError, drawn_boxes};

use super::messages::AreaError;
use super::record::AreaSurvey;
use super::store::{AreaLock, Areas};
use super::survey_fetch::{FetchedSurvey, NotFetched};
use super::survey_plan::{SurveyFault, SurveyPlan};

/// The points for an import; without any, the record says why.
pub(super) struct LoadedSurvey {
    pub said: AreaSurvey,
    pub beside: Option<SurveyBeside>,
    pub folder: Option<PathBuf>,
}

impl LoadedSurvey {
    fn failed(said: AreaSurvey, why: Message) -> Self {
        Self { said: AreaSurvey { failed: Some(why), ..said }, beside: None, folder: None }
    }

    /// With what the import made of the points.
    pub fn measured(self, figures: Option<&RoofFigures>) -> AreaSurvey {
        let Some(figures) = figures else { return self.said };
        let mut reasons = figures.reasons.clone();
        reasons.cold_sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        AreaSurvey {
            roofs: figures.roofs,
            outlines: figures.outlines,
            reasons,
            failed: figures.failed.clone(),
            ..self.said
        }
    }
}

impl Areas {
    /// Only a person's stop is an error.
    pub(super) async fn load_survey(
        &self,
        planned: Result<SurveyPlan, Message>,
        client: &Client,
        loaded: &Loaded,
        lock: &AreaLock,
    ) -> Result<LoadedSurvey, AreaError> {
        let plan = match planned {
            Ok(plan) => plan,
            Err(why) => return Ok(LoadedSurvey::failed(AreaSurvey::default(), why)),
        };
        let said = AreaSurvey { name: Some(plan.name.clone()), year: plan.year, ..AreaSurvey::default() };
        let name = plan.folder_name();
        let folder = lock.folder.join(&name);
        match self.fetch_survey(&plan, client, loaded, &folder).await {
            Ok(FetchedSurvey { folder, missing }) => Ok(LoadedSurvey {
                said: AreaSurvey { missing, ..said },
                beside: Some(SurveyBeside { name, title: plan.title, licence: plan.licence, year: plan.year }),
                folder: Some(folder),
            }),
            // What came is kept, and the next load goes on with it.
            Err(NotFetched::Stopped) => Err(SourceError::Stopped.into()),
            Err(NotFetched::Failed(why)) => {
                tracing::warn!(survey = plan.name, %why, "an area is loaded without measured roofs");
                remove_points(&folder);
                Ok(LoadedSurvey::failed(said, why))
            }
        }
    }

    async fn fetch_survey(
        &self,
        plan: &SurveyPlan,
        client: &Client,
        loaded: &Loaded,
        folder: &Path,
    ) -> Result<FetchedSurvey, NotFetched> {
        let free = folder.parent().map_or(Ok(u64::MAX), free_disk);
        let free = free.map_err(|e| SurveyFault::NotWritten { why: e.to_string() })?;
        if plan.bytes.saturating_mul(2) > free {
            return Err(SurveyFault::LittleRoom { needed: plan.bytes.saturating_mul(2) >> 20, free: free >> 20 }.into());
        }
        let files = loaded.files.clone();
        let boxes = tokio::task::spawn_blocking(move || drawn_boxes(&files)).await;
        let boxes = boxes.map_err(|e| NotFetched::Failed(e.to_string().to_message()))?;
        let boxes = boxes.map_err(|e| NotFetched::Failed(e.to_message()))?;
        plan.fetch(client, boxes, folder.to_owned(), self.survey_time).await
    }
}

pub(super) fn free_disk(folder: &Path) -> std::io::Result<u64> {
    let disk = rustix::fs::statvfs(folder)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

pub(super) fn remove_points(folder: &Path) {
    match fs::remove_dir_all(folder) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => tracing::warn!(%error, "the points of a survey could not be removed"),
    }
}
