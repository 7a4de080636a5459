//! The area that this server is loading.
//!
//! # Decision
//!
//! A load is a task of the server: it goes on without the page that started it, and a server that starts again goes on
//! with it, because its record says `Working`. One runs at a time, as with imports, so that memory and line are bounded.
//! A plan that a page has shown is kept for some minutes, and its load uses it. Turned down: a table of jobs, since
//! index and files are of one machine.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use shingle_domain::Timestamp;
use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::{Message, ToMessage as _};
use shingle_source::{License, Release, SourceError};
use shingle_store::{Change, Clock, Store};
use tokio::sync::Notify;

use super::load::{AreaPlan, EXTRAS_PATIENCE, LoadOptions, now};
use super::load_watch::{LoadWatch, Phase};
use super::messages::{AreaError, AreaRefusal};
use super::places::FoundArea;
use super::record::{AreaExtras, AreaRecord, AreaStage, HeldRelease, HeldWhy};
use super::store::Areas;

/// Where homes come from unless an operator says otherwise.
pub const SOURCE: &str = "overture";
/// What a page waits for a source.
const PLAN_PATIENCE: Duration = Duration::from_secs(10);
/// And beside it for a survey, whose list has some megabytes, and for photographs.
const EXTRAS_PAGE_PATIENCE: Duration = Duration::from_secs(20);
const PLAN_KEPT: Duration = Duration::from_secs(600);
const PLANS_KEPT: usize = 4;

/// What is to be loaded.
#[derive(Debug, Clone)]
pub struct AreaOrder {
    pub found: FoundArea,
    pub source: String,
    pub extras: AreaExtras,
    pub options: LoadOptions,
}

impl AreaOrder {
    /// By a person who accepts the license.
    pub fn new(found: FoundArea, extras: AreaExtras) -> Self {
        let options = LoadOptions { accepts_license: true, ..LoadOptions::default() };
        Self { found, source: SOURCE.to_owned(), extras, options }
    }

    /// The newest release of an area that is there.
    pub fn again(record: &AreaRecord, options: LoadOptions) -> Self {
        Self { found: record.found.clone(), source: record.source.clone(), extras: record.extras, options }
    }
}

/// What an area takes.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFigures {
    pub source: String,
    pub release: Release,
    pub license: License,
    pub addresses: u64,
    pub buildings: u64,
    /// At most.
    pub download: u64,
    /// About.
    pub disk: u64,
    /// `None`: roofs are not to be measured.
    pub survey: Option<Result<SurveyFigures, Message>>,
    /// `None`: photographs are not to be loaded.
    pub photos: Option<Result<PhotoFigures, Message>>,
}

/// The laser survey of an area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurveyFigures {
    pub name: String,
    pub year: Option<u16>,
    /// At most, about.
    pub download: u64,
}

/// The photographs from the air of an area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhotoFigures {
    pub title: String,
    /// Of the newest.
    pub taken: PhotoDate,
    /// At most.
    pub requests: u64,
    /// At most, about.
    pub download: u64,
}

impl PlanFigures {
    fn of(planned: &AreaPlan) -> Self {
        Self {
            source: planned.source.title.clone(),
            release: planned.plan.release.clone(),
            license: planned.source.license.clone(),
            addresses: planned.plan.rows_about(0),
            buildings: planned.plan.rows_about(1),
            download: planned.plan.bytes(),
            disk: planned.plan.kept_about(),
            survey: planned.survey.as_ref().map(|survey| match survey {
                Ok(plan) => Ok(SurveyFigures { name: plan.name.clone(), year: plan.year, download: plan.bytes }),
                Err(why) => Err(why.clone()),
            }),
            photos: planned.photos.as_ref().map(|photos| match photos {
                Ok(plan) => Ok(PhotoFigures {
                    title: plan.title.clone(),
                    taken: plan.taken,
                    requests: plan.requests,
                    download: plan.bytes,
                }),
                Err(why) => Err(why.clone()),
            }),
        }
    }

    fn all_bytes(&self) -> u64 {
        let survey = self.survey.as_ref().and_then(|survey| survey.as_ref().ok());
        let photos = self.photos.as_ref().and_then(|photos| photos.as_ref().ok());
        self.download + survey.map_or(0, |survey| survey.download) + photos.map_or(0, |photos| photos.download)
    }
}

/// What is newest at a source, and when that was asked.
#[derive(Debug, Clone, PartialEq)]
pub struct NewestRelease {
    pub release: Release,
    pub at: Timestamp,
}

/// The area that is being loaded.
#[derive(Debug)]
pub struct RunningLoad {
    pub found: FoundArea,
    watch: Arc<LoadWatch>,
    figures: OnceLock<PlanFigures>,
    stopped: Notify,
}

/// How far a load is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loading {
    /// The source is asked for its newest release.
    Asking,
    Fetching {
        bytes: u64,
        total: u64,
        homes: u64,
    },
    /// Everything is there, and the index is built.
    Importing,
}

impl RunningLoad {
    pub fn loading(&self) -> Loading {
        match (self.figures.get(), self.watch.phase()) {
            (None, _) => Loading::Asking,
            (_, Phase::Importing) => Loading::Importing,
            (Some(figures), Phase::Loading) => Loading::Fetching {
                // Ends of files are counted too.
                bytes: self.watch.bytes().min(figures.all_bytes()),
                total: figures.all_bytes(),
                homes: self.watch.progress.homes(),
            },
        }
    }

    pub fn stop(&self) {
        self.watch.stop();
        self.stopped.notify_one();
    }
}

/// What came in the way of an area, as far as pages tell it apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AreaTrouble {
    /// Somebody stopped it.
    Stopped,
    DiskFull,
    /// The new release has far fewer homes.
    HeldBack,
    /// The license has changed.
    License,
    NoAnswer,
    Other,
}

impl AreaTrouble {
    pub fn of(said: &Message) -> Self {
        match said.key().unwrap_or_default() {
            "SourceError.Stopped" => Self::Stopped,
            "SourceError.DiskFull" | "AreaRefusal.LittleRoom" => Self::DiskFull,
            "AreaRefusal.Shrinks" => Self::HeldBack,
            "AreaRefusal.LicenseChanged" => Self::License,
            "SourceError.Unanswered" | "SourceError.Refused" | "AreaRefusal.SlowSource" => Self::NoAnswer,
            _ => Self::Other,
        }
    }
}

struct KeptPlan {
    at: Timestamp,
    found: FoundArea,
    planned: AreaPlan,
}

impl KeptPlan {
    fn is_for(&self, found: &FoundArea, extras: AreaExtras) -> bool {
        self.found == *found && self.planned.extras() == extras
    }
}

/// The areas of this server, and what is done with them in the background.
pub struct AreaLoads {
    areas: Arc<Areas>,
    store: Store,
    clock: Arc<dyn Clock>,
    running: Mutex<Option<Arc<RunningLoad>>>,
    plans: Mutex<Vec<KeptPlan>>,
    newest: Mutex<BTreeMap<String, NewestRelease>>,
    /// Told whenever a load ends.
    ended: Notify,
}

/// Lets the next load begin, however this one ended.
struct Running<'a>(&'a AreaLoads);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        *locked(&self.0.running) = None;
        self.0.ended.notify_waiters();
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AreaLoads {
    pub fn new(areas: Arc<Areas>, store: Store, clock: Arc<dyn Clock>) -> Self {
        Self {
            areas,
            store,
            clock,
            running: Mutex::default(),
            plans: Mutex::default(),
            newest: Mutex::default(),
            ended: Notify::default(),
        }
    }

    pub fn areas(&self) -> &Areas {
        &self.areas
    }

    pub fn running(&self) -> Option<Arc<RunningLoad>> {
        locked(&self.running).clone()
    }

    pub fn running_of(&self, name: &str) -> Option<Arc<RunningLoad>> {
        self.running().filter(|running| running.found.name == name)
    }

    /// What an area takes. A source that is slow is not waited for.
    pub async fn plan(&self, found: &FoundArea, extras: AreaExtras) -> Result<PlanFigures, AreaError> {
        let slow = |_| AreaError::from(AreaRefusal::SlowSource { seconds: PLAN_PATIENCE.as_secs() });
        if let Some(figures) = self.known_plan(found, extras) {
            return Ok(figures);
        }
        let mut planned = tokio::time::timeout(PLAN_PATIENCE, self.areas.plan(SOURCE, found)).await.map_err(slow)??;
        self.areas.plan_extras(&mut planned, extras, EXTRAS_PAGE_PATIENCE).await;
        let figures = PlanFigures::of(&planned);
        let mut plans = locked(&self.plans);
        if plans.len() == PLANS_KEPT {
            plans.remove(0);
        }
        plans.push(KeptPlan { at: self.clock.now(), found: found.clone(), planned });
        Ok(figures)
    }

    fn known_plan(&self, found: &FoundArea, extras: AreaExtras) -> Option<PlanFigures> {
        let mut plans = locked(&self.plans);
        let now = self.clock.now();
        plans.retain(|plan| plan.at + PLAN_KEPT > now);
        plans.iter().find(|plan| plan.is_for(found, extras)).map(|plan| PlanFigures::of(&plan.planned))
    }

    fn take_plan(&self, order: &AreaOrder) -> Option<AreaPlan> {
        self.known_plan(&order.found, order.extras)?;
        let mut plans = locked(&self.plans);
        let is_shown = |plan: &KeptPlan| plan.is_for(&order.found, order.extras) && order.source == SOURCE;
        let at = plans.iter().position(is_shown)?;
        Some(plans.remove(at).planned)
    }

    /// Asks the source of an area what is newest there.
    pub async fn check(&self, record: &AreaRecord) -> Result<NewestRelease, AreaError> {
        let slow = |_| AreaError::from(AreaRefusal::SlowSource { seconds: PLAN_PATIENCE.as_secs() });
        let release = tokio::time::timeout(PLAN_PATIENCE, self.areas.newest(&record.source)).await.map_err(slow)??;
        // What was shown of an older release is not loaded any more.
        locked(&self.plans).retain(|plan| plan.planned.plan.release == release);
        let newest = NewestRelease { release, at: self.clock.now() };
        locked(&self.newest).insert(record.source.clone(), newest.clone());
        Ok(newest)
    }

    /// What was newest at its source when it was last asked.
    pub fn newest_of(&self, record: &AreaRecord) -> Option<NewestRelease> {
        locked(&self.newest).get(&record.source).cloned()
    }

    /// Begins a load, unless another is going on (`false`). It goes on without the request that started it.
    pub fn begin(self: &Arc<Self>, order: AreaOrder) -> bool {
        let load = Arc::new(RunningLoad {
            found: order.found.clone(),
            watch: Arc::default(),
            figures: OnceLock::new(),
            stopped: Notify::new(),
        });
        {
            let mut running = locked(&self.running);
            if running.is_some() {
                return false;
            }
            *running = Some(load.clone());
        }
        let loads = self.clone();
        shingle_store::spawn_acting(async move {
            let _running = Running(&loads);
            let name = order.found.name.clone();
            if let Err(error) = loads.carry_out(order, &load).await {
                tracing::warn!(%error, area = name, "an area was not loaded");
                if let Err(error) = loads.areas.note_failed(&name, &error) {
                    tracing::error!(%error, area = name, "what became of an area could not be written down");
                }
            }
        });
        true
    }

    async fn carry_out(&self, order: AreaOrder, load: &RunningLoad) -> Result<(), AreaError> {
        self.areas.note_begun(&order, self.clock.as_ref())?;
        self.note(Change::ImportBegun, &order.found).await;
        let planned = match self.take_plan(&order) {
            Some(planned) => planned,
            None => tokio::select! {
                planned = self.areas.plan_order(&order) => planned?,
                () = load.stopped.notified() => return Err(SourceError::Stopped.into()),
            },
        };
        // A load has one plan.
        let _: Result<(), _> = load.figures.set(PlanFigures::of(&planned));
        let AreaOrder { found, options, .. } = order;
        let done = self.areas.load(found, planned, options, load.watch.clone(), self.clock.as_ref()).await?;
        self.note(Change::ImportDone, &done.found).await;
        Ok(())
    }

    async fn note(&self, change: Change, found: &FoundArea) {
        if let Err(error) = self.store.audit().note_installation_change(change, &found.name, &found.name).await {
            tracing::error!(%error, "an area could not be written into the audit log");
        }
    }

    pub async fn note_undone(&self, record: &AreaRecord) {
        self.note(Change::ImportUndone, &record.found).await;
    }

    /// Waits until this area is not being loaded, and so long at most.
    pub async fn ended(&self, name: &str, patience: Duration) {
        // Without waiting, the progress is shown.
        let _: Result<(), _> = tokio::time::timeout(patience, self.end_of(name)).await;
    }

    async fn end_of(&self, name: &str) {
        loop {
            let ended = self.ended.notified();
            if self.running_of(name).is_none() {
                return;
            }
            ended.await;
        }
    }

    /// Goes on with what the end of a server cut off, one after the other.
    pub async fn resume(self: Arc<Self>) {
        for record in self.areas.list().into_iter().filter(|record| record.stage == AreaStage::Working) {
            if self.begin(AreaOrder::again(&record, LoadOptions::default())) {
                self.end_of(&record.found.name).await;
            }
        }
    }
}

impl Areas {
    async fn plan_order(&self, order: &AreaOrder) -> Result<AreaPlan, AreaError> {
        let mut planned = self.plan(&order.source, &order.found).await?;
        self.plan_extras(&mut planned, order.extras, EXTRAS_PATIENCE).await;
        Ok(planned)
    }

    /// An order that outlives this process.
    fn note_begun(&self, order: &AreaOrder, clock: &dyn Clock) -> Result<(), AreaError> {
        let AreaOrder { found, source, extras, .. } = order;
        let extras = *extras;
        let license = self.source(source)?.license.name;
        let lock = self.lock(&found.name)?;
        let record = match self.read(&lock.folder) {
            // The load decides on its license.
            Some(before) => AreaRecord { found: found.clone(), extras, stage: AreaStage::Working, ..before },
            None => AreaRecord {
                source: source.clone(),
                extras,
                license,
                accepted_at: now(clock),
                stage: AreaStage::Working,
                current: None,
                previous: None,
                next: None,
                checked: None,
                held: None,
                found: found.clone(),
            },
        };
        record.write(&lock.folder).map_err(AreaError::file(&lock.folder))
    }

    /// What is current stays, and the release that was held back is left alone.
    pub fn keep(&self, name: &str) -> Result<AreaRecord, AreaError> {
        let (lock, record) = self.locked(name)?;
        if record.current.is_none() {
            return Err(AreaRefusal::NothingBefore { name: record.found.name }.into());
        }
        let held = record.held.map(|held| HeldRelease { why: HeldWhy::TakenBack, ..held });
        let kept = AreaRecord { stage: AreaStage::Ready, held, ..record };
        kept.write(&lock.folder).map_err(AreaError::file(&lock.folder))?;
        Ok(kept)
    }

    /// What another process does with the area is its own.
    fn note_failed(&self, name: &str, error: &AreaError) -> Result<(), AreaError> {
        if matches!(error, AreaError::Area(AreaRefusal::Busy { .. })) {
            return Ok(());
        }
        let lock = self.lock(name)?;
        match self.read(&lock.folder) {
            Some(record) if record.stage == AreaStage::Working => {
                let stage = AreaStage::Failed { said: error.to_message() };
                AreaRecord { stage, ..record }.write(&lock.folder).map_err(AreaError::file(&lock.folder))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_the_way_is_told_apart_by_its_message() {
        let of = |error: AreaError| AreaTrouble::of(&error.to_message());
        let url = || "https://data.example/a".to_owned();
        assert_eq!(of(SourceError::Stopped.into()), AreaTrouble::Stopped);
        assert_eq!(of(SourceError::DiskFull { path: url() }.into()), AreaTrouble::DiskFull);
        assert_eq!(of(AreaRefusal::LittleRoom { needed: 9, free: 1 }.into()), AreaTrouble::DiskFull);
        assert_eq!(of(AreaRefusal::Shrinks { before: 9, after: 1 }.into()), AreaTrouble::HeldBack);
        assert_eq!(of(SourceError::Unanswered { url: url(), why: "no".to_message() }.into()), AreaTrouble::NoAnswer);
        assert_eq!(of(SourceError::Refused { url: url() }.into()), AreaTrouble::NoAnswer);
        assert_eq!(of(AreaRefusal::SlowSource { seconds: 10 }.into()), AreaTrouble::NoAnswer);
        let changed = AreaRefusal::LicenseChanged { before: url(), now: url() };
        assert_eq!(of(changed.into()), AreaTrouble::License);
        assert_eq!(of(AreaRefusal::Broke.into()), AreaTrouble::Other);
    }
}
