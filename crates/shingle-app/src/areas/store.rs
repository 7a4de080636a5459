//! The folder of all areas.

use shingle_domain::cold_sort::ColdSort as _;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use shingle_deliver::Egress;
use shingle_property::{Reference, dataset_versions};
use shingle_source::{Client, ImagerySource, RequestSettings, Source, SurveySource};

use super::egress_ranges::EgressRanges;
use super::messages::{AreaError, AreaRefusal};
use super::monthly_work::MonthlyWork;
use super::places::{AreaRequest, FoundArea, find_area};
use super::record::AreaRecord;
use crate::config::Settings;
use crate::installation::Installation;
use crate::operator_error::OperatorError;

/// The areas of this machine, and the way to their sources.
pub struct Areas {
    pub(super) folder: PathBuf,
    pub(super) index: PathBuf,
    /// Of the photographs.
    pub(super) aerial: PathBuf,
    sources: PathBuf,
    reference: Arc<Reference>,
    pub(super) ranges: Arc<EgressRanges>,
    requests: RequestSettings,
    /// What the points of a survey may take, in place of the usual.
    pub(super) survey_time: Option<Duration>,
    /// And its photographs.
    pub(super) photo_time: Option<Duration>,
    most_miles: u32,
    pub(super) monthly_work: MonthlyWork,
}

/// Held while a process works on an area.
pub(super) struct AreaLock {
    pub folder: PathBuf,
    _file: File,
}

impl Areas {
    pub fn open(context: &Installation) -> Result<Self, OperatorError> {
        let contact = context.settings.base_url(context.settings.listen);
        let egress = Arc::new(context.egress(&contact)?);
        Ok(Self::new(&context.settings, context.reference()?, egress))
    }

    pub fn new(settings: &Settings, reference: Arc<Reference>, egress: Arc<Egress>) -> Self {
        Self {
            folder: settings.data.join("areas"),
            index: settings.property(),
            aerial: crate::aerial::folder(&settings.data),
            sources: settings.sources(),
            reference,
            ranges: Arc::new(EgressRanges::new(egress)),
            requests: RequestSettings::default(),
            survey_time: None,
            photo_time: None,
            most_miles: settings.area_miles,
            monthly_work: MonthlyWork::default(),
        }
    }

    /// Asks more or less often than usual.
    #[must_use]
    pub fn with_requests(self, requests: RequestSettings) -> Self {
        Self { requests, ..self }
    }

    /// Waits so long for the points of a survey.
    #[must_use]
    pub fn with_survey_time(self, time: Duration) -> Self {
        Self { survey_time: Some(time), ..self }
    }

    /// Waits so long for the photographs of an area.
    #[must_use]
    pub fn with_photo_time(self, time: Duration) -> Self {
        Self { photo_time: Some(time), ..self }
    }

    pub(super) fn imagery_source(&self) -> Result<ImagerySource, AreaError> {
        Ok(ImagerySource::open(ImagerySource::NATIONAL, &self.sources)?)
    }

    pub(super) fn survey_source(&self) -> Result<SurveySource, AreaError> {
        Ok(SurveySource::open(SurveySource::NATIONAL, &self.sources)?)
    }

    pub fn source(&self, name: &str) -> Result<Source, AreaError> {
        Ok(Source::open(name, &self.sources)?)
    }

    /// Requests are counted from here on.
    pub fn client(&self) -> Client {
        Client::new(self.ranges.clone(), self.requests)
    }

    /// How far around a place an area may reach.
    pub fn most_miles(&self) -> u32 {
        self.most_miles
    }

    pub(super) fn reference(&self) -> &Reference {
        &self.reference
    }

    pub(super) fn reference_shared(&self) -> Arc<Reference> {
        self.reference.clone()
    }

    pub fn find_place(&self, request: &AreaRequest) -> Result<FoundArea, AreaError> {
        Ok(find_area(request, &self.reference, self.most_miles)?)
    }

    pub(super) fn folder_of(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The record of this folder, in step with the index.
    pub(super) fn read(&self, folder: &Path) -> Option<AreaRecord> {
        let record = AreaRecord::read(folder)?;
        Some(match dataset_versions(&self.index, &record.found.name) {
            Ok(versions) => record.in_step_with(versions),
            // An index that cannot be read has a check of its own.
            Err(_) => record,
        })
    }

    /// Whether no area lies on this machine.
    pub fn is_empty(&self) -> bool {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        !entries.map(|entry| entry.path()).any(|path| path.is_dir())
    }

    /// In the order of their names.
    pub fn list(&self) -> Vec<AreaRecord> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut records: Vec<_> = entries.filter_map(|entry| self.read(&entry.path())).collect();
        records.cold_sort_by(|a, b| a.found.name.cmp(&b.found.name));
        records
    }

    /// By its name, or by what comes after `area-` in it.
    pub fn find(&self, name: &str) -> Result<AreaRecord, AreaError> {
        let is_meant =
            |record: &AreaRecord| record.found.name == name || record.found.name.strip_prefix("area-") == Some(name);
        let found = self.list().into_iter().find(is_meant);
        found.ok_or_else(|| AreaRefusal::NoSuchArea { name: name.to_owned() }.into())
    }

    /// One process works on an area at a time.
    pub(super) fn lock(&self, name: &str) -> Result<AreaLock, AreaError> {
        let folder = self.folder_of(name);
        fs::create_dir_all(&folder).map_err(AreaError::file(&folder))?;
        let path = folder.join("lock");
        let file = File::create(&path).map_err(AreaError::file(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(AreaLock { folder, _file: file }),
            Err(TryLockError::WouldBlock) => Err(AreaRefusal::Busy { name: name.to_owned() }.into()),
            Err(TryLockError::Error(e)) => Err(AreaError::file(&path)(e)),
        }
    }

    /// An area as it is now that nobody else works on it.
    pub(super) fn locked(&self, name: &str) -> Result<(AreaLock, AreaRecord), AreaError> {
        let lock = self.lock(&self.find(name)?.found.name)?;
        let record = self.read(&lock.folder).ok_or_else(|| AreaRefusal::NoSuchArea { name: name.to_owned() })?;
        Ok((lock, record))
    }

    /// Takes back the current load: the one before it is current again. Refused where no load came before.
    pub fn undo(&self, name: &str) -> Result<AreaRecord, AreaError> {
        let (lock, record) = self.locked(name)?;
        let nothing = || AreaRefusal::NothingBefore { name: record.found.name.clone() };
        let current = record.current.as_ref().ok_or_else(nothing)?;
        if record.previous.is_none()
            || !shingle_property::undo_import(&self.index, &record.found.name, current.version)?
        {
            return Err(nothing().into());
        }
        let undone = record.taken_back();
        undone.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
        remove_others(&lock.folder, &undone);
        Ok(undone)
    }

    /// Removes the homes of an area, its files and its photographs.
    pub fn remove(&self, name: &str) -> Result<AreaRecord, AreaError> {
        let (lock, record) = self.locked(name)?;
        shingle_import::discard(&self.index, &record.found.name)?;
        shingle_property::remove_dataset(&self.index, &record.found.name)?;
        if record.extras.photos {
            self.remove_photos(&record.found.name)?;
        }
        let rejected = self.index.join(format!("{}-rejected.csv", record.found.name));
        for gone in [fs::remove_file(&rejected), fs::remove_dir_all(&lock.folder)] {
            match gone {
                Ok(()) => {}
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(AreaError::file(&lock.folder)(e)),
            }
        }
        Ok(record)
    }
}

/// Removes the files of releases that the record does not name.
pub(super) fn remove_others(folder: &Path, record: &AreaRecord) {
    let kept: Vec<&str> =
        [&record.current, &record.previous].into_iter().flatten().map(|load| load.folder.as_str()).collect();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_kept = entry.file_name().to_str().is_some_and(|name| kept.contains(&name));
        if entry.path().is_dir()
            && !is_kept
            && let Err(error) = fs::remove_dir_all(entry.path())
        {
            tracing::warn!(%error, "files of an older release could not be removed");
        }
    }
}
