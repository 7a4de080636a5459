//! The whole of an area: what it takes, its rows, the index, the record.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use shingle_domain::Timestamp;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::ToMessage;
use shingle_import::{self as import, ImportError, ImportJob, ImportReport, Mapping};
use shingle_source::{Changes, Client, Loaded, Plan, Release, Source, compare, load};
use shingle_store::Clock;

use super::load_watch::{LoadWatch, Stoppable};
use super::messages::{AreaError, AreaRefusal};
use super::photo_load::LoadedPhotos;
use super::photo_plan::{PhotoOutlook, PhotoPlan};
use super::places::FoundArea;
use super::record::{
    AreaCheck, AreaExtras, AreaLoad, AreaRecord, AreaRows, AreaStage, HeldRelease, HeldWhy, LayerChanges,
};
use super::store::{AreaLock, Areas, remove_others};
use super::survey_load::{free_disk, remove_points};
use super::survey_plan::{SurveyOutlook, SurveyPlan};

/// Free disk that an area needs, as a multiple of the rows it keeps: the rows, what sorting them takes, the index.
const ROOM: u64 = 4;

/// What is waited for the plan of what is loaded beside homes, where no page waits for it.
pub const EXTRAS_PATIENCE: Duration = Duration::from_secs(180);

/// What an area takes, before anything is loaded.
pub struct AreaPlan {
    pub source: Source,
    pub plan: Plan,
    /// `None`: roofs are not to be measured.
    pub survey: SurveyOutlook,
    /// `None`: photographs are not to be loaded.
    pub photos: PhotoOutlook,
    client: Client,
}

/// Of one layer of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PlannedLayer {
    pub layer: String,
    pub rows_about: u64,
}

impl AreaPlan {
    pub fn layers(&self) -> Vec<PlannedLayer> {
        let of = |(at, layer): (usize, &shingle_source::Layer)| PlannedLayer {
            layer: layer.name.clone(),
            rows_about: self.plan.rows_about(at),
        };
        self.source.layers.iter().enumerate().map(of).collect()
    }

    /// Bytes to load, at most: rows, points and pictures.
    pub fn bytes(&self) -> u64 {
        let of_survey = self.survey.as_ref().and_then(|planned| planned.as_ref().ok());
        let of_photos = self.photos.as_ref().and_then(|planned| planned.as_ref().ok());
        self.plan.bytes() + of_survey.map_or(0, |survey| survey.bytes) + of_photos.map_or(0, |photos| photos.bytes)
    }

    pub fn extras(&self) -> AreaExtras {
        AreaExtras { survey: self.survey.is_some(), photos: self.photos.is_some() }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct LoadOptions {
    /// Takes a release with less than four fifths of the homes too.
    pub may_shrink: bool,
    /// A person accepts the license. Without it only a license that was accepted before will do.
    pub accepts_license: bool,
}

impl Areas {
    /// The newest release of a source.
    pub async fn newest(&self, source: &str) -> Result<Release, AreaError> {
        Ok(self.source(source)?.newest(&self.client()).await?)
    }

    /// What an area takes. Nothing is written.
    pub async fn plan(&self, source: &str, found: &FoundArea) -> Result<AreaPlan, AreaError> {
        let (source, client) = (self.source(source)?, self.client());
        let release = source.newest(&client).await?;
        let plan = Plan::make(&source, &client, release, &found.area).await?;
        if !plan.files.iter().any(|file| file.layer == 0) {
            return Err(AreaRefusal::NothingThere { title: found.title.clone() }.into());
        }
        Ok(AreaPlan { source, plan, survey: None, photos: None, client })
    }

    /// Switches the laser survey on for what is planned. Where no survey can be used, the plan says why.
    pub async fn plan_survey(&self, planned: &mut AreaPlan, patience: Duration) {
        let survey = match self.survey_source() {
            Ok(source) => SurveyPlan::make(&source, &planned.client, &planned.plan.area, patience).await,
            Err(e) => Err(e.to_message()),
        };
        planned.survey = Some(survey);
    }

    /// Switches photographs from the air on for what is planned. Where there are none, the plan says why.
    pub async fn plan_photos(&self, planned: &mut AreaPlan, patience: Duration) {
        let photos = match self.imagery_source() {
            Ok(source) => {
                let buildings = planned.plan.rows_about(1);
                PhotoPlan::make(source, &planned.client, &planned.plan.area, buildings, patience).await
            }
            Err(e) => Err(e.to_message()),
        };
        planned.photos = Some(photos);
    }

    /// Switches on what a person asked for beside homes.
    pub async fn plan_extras(&self, planned: &mut AreaPlan, extras: AreaExtras, patience: Duration) {
        if extras.survey {
            self.plan_survey(planned, patience).await;
        }
        if extras.photos {
            self.plan_photos(planned, patience).await;
        }
    }

    /// Loads what is planned and switches to it. On any error the area stays as it was, and what was loaded is kept for
    /// the next try.
    pub async fn load(
        &self,
        found: FoundArea,
        planned: AreaPlan,
        options: LoadOptions,
        watch: Arc<LoadWatch>,
        clock: &dyn Clock,
    ) -> Result<AreaRecord, AreaError> {
        let lock = self.lock(&found.name)?;
        self.load_under(&lock, found, planned, options, watch, clock).await
    }

    pub(super) async fn load_under(
        &self,
        lock: &AreaLock,
        found: FoundArea,
        planned: AreaPlan,
        options: LoadOptions,
        watch: Arc<LoadWatch>,
        clock: &dyn Clock,
    ) -> Result<AreaRecord, AreaError> {
        let before = self.read(&lock.folder);
        let had_photos = before.as_ref().is_some_and(|before| before.extras.photos);
        let release = planned.plan.release.clone();
        let held = |why: HeldWhy| Some(HeldRelease { release: release.clone(), why });
        let license = &planned.source.license.name;
        // The day of acceptance stays as long as the license is the same.
        let accepted = before.as_ref().filter(|b| b.license == *license).map(|b| b.accepted_at);
        let accepted_at = match accepted {
            Some(at) => at,
            None if options.accepts_license => now(clock),
            None => {
                let Some(before) = before else {
                    return Err(AreaRefusal::LicenseNotAccepted { license: license.clone() }.into());
                };
                let held = held(HeldWhy::License { license: license.clone() });
                let waits = AreaRecord { held, ..before };
                waits.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
                let (before, now) = (waits.license, license.clone());
                return Err(AreaRefusal::LicenseChanged { before, now }.into());
            }
        };
        let record = AreaRecord {
            source: planned.source.name.clone(),
            extras: planned.extras(),
            license: license.clone(),
            accepted_at,
            stage: AreaStage::Working,
            current: before.as_ref().and_then(|b| b.current.clone()),
            previous: before.as_ref().and_then(|b| b.previous.clone()),
            next: None,
            checked: Some(AreaCheck { at: now(clock), failed: None }),
            held: before.and_then(|b| b.held),
            found,
        };
        record.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
        let ended = self.load_locked(lock, &record, planned, options, watch, clock).await;
        let stored = match &ended {
            Ok(done) => done.clone(),
            Err(e) => {
                let held = match e {
                    AreaError::Area(AreaRefusal::Shrinks { before, after }) => {
                        held(HeldWhy::Shrinks { before: *before, after: *after })
                    }
                    _ => record.held.clone(),
                };
                AreaRecord { stage: AreaStage::Failed { said: e.to_message() }, held, ..record }
            }
        };
        let written = stored.write(&lock.folder).map_err(AreaError::file(&lock.folder));
        let done = ended?;
        written?;
        // The switch is done; what follows is tidying.
        remove_others(&lock.folder, &done);
        if had_photos && !done.extras.photos {
            self.remove_photos(&done.found.name)?;
        }
        Ok(done)
    }

    async fn load_locked(
        &self,
        lock: &AreaLock,
        record: &AreaRecord,
        planned: AreaPlan,
        options: LoadOptions,
        watch: Arc<LoadWatch>,
        clock: &dyn Clock,
    ) -> Result<AreaRecord, AreaError> {
        let AreaPlan { source, plan, survey, photos, client } = planned;
        check_room(&lock.folder, plan.kept_about())?;
        let traffic = client.traffic();
        // A watch is for one load.
        let _: Result<(), _> = watch.traffic.set(traffic.clone());
        if watch.is_stopping() {
            traffic.stop();
        }
        let name = folder_name(&plan);
        let folder = lock.folder.join(&name);
        let loaded = load(&source, &client, &plan, &folder, &watch.progress).await?;
        if loaded.rows.first().is_none_or(|rows| *rows == 0) {
            return Err(AreaRefusal::NothingThere { title: record.found.title.clone() }.into());
        }
        let roofs = match survey {
            Some(survey) => Some(self.load_survey(survey, &client, &loaded, lock).await?),
            None => None,
        };
        let photos = match photos {
            Some(photos) => Some(self.load_photos(photos, &client, &loaded, lock).await?),
            None => None,
        };
        let mapping = mapping(&source, &record.found.name, &plan.release)?;
        let work = ImportWork {
            mapping: match roofs.as_ref().and_then(|roofs| roofs.beside.clone()) {
                Some(beside) => mapping.with_survey(beside),
                None => mapping,
            },
            survey: roofs.as_ref().and_then(|roofs| roofs.folder.clone()),
            layers: source.layers.iter().map(|layer| layer.name.clone()).collect(),
            before: record.current.as_ref().map(|load| lock.folder.join(&load.folder)),
            loaded: loaded.clone(),
            index: self.index.clone(),
            may_shrink: options.may_shrink,
            watch: watch.clone(),
        };
        let load = AreaLoad {
            release: plan.release.clone(),
            at: now(clock),
            folder: name,
            is_listed: plan.is_listed,
            requests: traffic.requests(),
            repeated: traffic.repeated(),
            bytes: traffic.bytes(),
            disk_bytes: loaded.bytes,
            layers: Vec::new(),
            // The import says the rest.
            version: 0,
            homes: Vec::new(),
            rows: AreaRows::default(),
            survey: roofs.as_ref().map(|roofs| roofs.said.clone()),
            photos: photos.as_ref().map(LoadedPhotos::not_shown_yet),
        };
        let next = AreaRecord { next: Some(load.clone()), ..record.clone() };
        next.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
        watch.begin_importing();
        let imported = tokio::task::spawn_blocking(move || work.run()).await;
        let imported = imported.map_err(|_| AreaRefusal::Broke)?;
        // What was stopped goes on with the points that are there.
        let is_stopped = matches!(imported, Err(AreaError::Import(ImportError::Stopped)));
        if let Some(folder) = roofs.as_ref().and_then(|roofs| roofs.folder.as_deref()).filter(|_| !is_stopped) {
            remove_points(folder);
        }
        if let Some(photos) = photos.as_ref().filter(|_| imported.is_err() && !is_stopped) {
            photos.remove_files();
        }
        let (report, layers) = imported?;
        let photos = match photos {
            Some(photos) => Some(self.show_photos(&record.found.name, photos).await),
            None => None,
        };
        let load = AreaLoad {
            at: now(clock),
            layers,
            version: report.version,
            homes: report.own_rows.as_ref().map(|own| own.homes.clone()).unwrap_or_default(),
            survey: roofs.map(|roofs| roofs.measured(report.roofs.as_ref())),
            photos,
            rows: rows(report),
            ..load
        };
        Ok(AreaRecord {
            previous: record.current.clone(),
            current: Some(load),
            stage: AreaStage::Ready,
            held: None,
            ..record.clone()
        })
    }
}

/// As precise as a record keeps it.
pub(super) fn now(clock: &dyn Clock) -> Timestamp {
    Timestamp::from_micros(clock.now().micros() / 1_000 * 1_000)
}

/// One folder for a release and the ground that is loaded of it.
fn folder_name(plan: &Plan) -> String {
    let ground = serde_json::to_vec(&plan.area).unwrap_or_default();
    format!("{}-{}", plan.release, &blake3::hash(&ground).to_hex()[..8])
}

fn mapping(source: &Source, data_set: &str, release: &Release) -> Result<Mapping, AreaError> {
    let none = || AreaRefusal::Mapping { why: format!("no mapping is named {}", source.mapping).to_message() };
    let mapping = Mapping::ready(&source.mapping).ok_or_else(none)??.for_dataset(data_set)?;
    // A release without a date in its name is as old as its mapping says.
    Ok(match release.day() {
        Some(day) => mapping.clone().speaking_of(day).unwrap_or(mapping),
        None => mapping,
    })
}

fn check_room(folder: &Path, kept: u64) -> Result<(), AreaError> {
    let free = free_disk(folder).map_err(AreaError::file(folder))?;
    let needed = kept.saturating_mul(ROOM);
    match needed < free {
        true => Ok(()),
        false => Err(AreaRefusal::LittleRoom { needed: needed >> 20, free: free >> 20 }.into()),
    }
}

/// What takes processor time: comparing with the files before, and the import.
struct ImportWork {
    mapping: Mapping,
    layers: Vec<String>,
    before: Option<PathBuf>,
    loaded: Loaded,
    /// The folder of its points.
    survey: Option<PathBuf>,
    index: PathBuf,
    may_shrink: bool,
    watch: Arc<LoadWatch>,
}

impl ImportWork {
    fn run(self) -> Result<(ImportReport, Vec<LayerChanges>), AreaError> {
        let mut layers = Vec::new();
        for (layer, rows) in self.layers.iter().zip(&self.loaded.rows) {
            let changes = self.before.as_deref().map(|folder| self.changes(layer, folder)).transpose()?;
            layers.push(LayerChanges { layer: layer.clone(), rows: *rows, changes });
        }
        let files = self.loaded.files.into_iter().chain(self.survey).collect();
        let job = ImportJob { files, mapping: &self.mapping, into: self.index };
        let run = if self.may_shrink { import::run_allowing_shrink } else { import::run };
        Ok((run(job, &mut Stoppable(self.watch))?, layers))
    }

    fn changes(&self, layer: &str, before: &Path) -> Result<Changes, AreaError> {
        let of_layer = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(&format!("{layer}-")) && name.ends_with(".parquet")
        };
        let entries = std::fs::read_dir(before).map_err(AreaError::file(before))?.flatten();
        let mut old: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(of_layer).collect();
        old.cold_sort();
        let new: Vec<PathBuf> = self.loaded.files.iter().filter(|path| of_layer(path)).cloned().collect();
        Ok(compare(&old, &new)?)
    }
}

fn rows(report: ImportReport) -> AreaRows {
    AreaRows {
        read: report.rows_read,
        imported: report.imported,
        rejected: report.rejected,
        duplicates: report.duplicates,
        skipped: report.skipped,
        places: report.places,
        with_outline: report.points_with_outline,
        reasons: report.reasons,
        notes: report.findings.into_iter().map(Into::into).chain(report.notes).collect(),
    }
}
