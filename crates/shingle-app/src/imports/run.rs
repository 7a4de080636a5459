//! The one work at a time, on a thread of its own that gives way to everything else.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use shingle_domain::message::{Message, ToMessage};
use shingle_import::{self as import, CheckReport, ImportError, ImportJob, ImportReport, Mapping, Progress};
use shingle_property::PropertyError;
use shingle_store::{Change, Clock, Store};

use super::import_message::{CellProblem, ImportEnd};
use super::import_store::{Imports, RowsRead, Running};
use super::record::{Checked, ImportRecord, Imported, Stage, replace};

/// It gets a tenth of what everything else gets, and is not starved.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;
/// What a page shows of what was not understood.
const MAX_SAID: usize = 400;

/// How a mapping begins that could not be proposed, and how it goes on behind the reason.
const UNPROPOSED: &str = "# No mapping could be proposed: ";
const TO_BE_WRITTEN: &str = "dataset = \"town\"\n\n[address]\n";

/// Whether nobody has written yet into a mapping that could not be proposed.
pub fn is_to_be_written(text: &str) -> bool {
    text.split_once('\n').is_some_and(|(_, mapping)| mapping == TO_BE_WRITTEN)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Looks at the files and proposes a mapping.
    Look,
    Check,
    Import {
        may_shrink: bool,
    },
}

struct Watched(Arc<RowsRead>);

impl Progress for Watched {
    fn total(&mut self, rows: Option<u64>) {
        self.0.total.store(rows.unwrap_or_default(), Ordering::Relaxed);
    }

    fn advance(&mut self, rows: u64) {
        self.0.rows.fetch_add(rows, Ordering::Relaxed);
    }

    fn stops(&self) -> bool {
        self.0.is_stopping()
    }
}

fn said(error: &ImportError) -> Message {
    import::explained(error).map_texts(&|text| text.chars().take(MAX_SAID).collect())
}

impl Imports {
    /// Begins the work, unless another is going on (`false`). It continues without the request that started it, and
    /// ends in the record.
    pub fn begin(self: &Arc<Self>, record: ImportRecord, work: Work, store: Store, clock: Arc<dyn Clock>) -> bool {
        let read = Arc::new(RowsRead::default());
        {
            let mut running = self.running();
            if running.is_some() {
                return false;
            }
            *running = Some(Running { id: record.id, read: read.clone() });
        }
        let imports = self.clone();
        shingle_store::spawn_acting(async move {
            let id = record.id;
            let ended = imports.work(record, work, read, &store, clock).await;
            if let Err(error) = &ended {
                tracing::error!(%error, "what an import did could not be written down");
            }
            *imports.running() = None;
            imports.ended.notify_waiters();
            tracing::info!(import = %id, ?work, "the work on an import has ended");
        });
        true
    }

    async fn work(
        &self,
        record: ImportRecord,
        work: Work,
        read: Arc<RowsRead>,
        store: &Store,
        clock: Arc<dyn Clock>,
    ) -> std::io::Result<()> {
        let folder = self.folder_of(record.id);
        let text = self.mapping(record.id);
        let dataset = import::names(&text).map(|(dataset, _)| dataset).ok().filter(|name| !name.is_empty());
        let stage = match work {
            Work::Look => Stage::Looking,
            Work::Check => Stage::Checking,
            Work::Import { .. } => Stage::Importing,
        };
        let record = ImportRecord { stage, dataset, ..record };
        record.write(&folder)?;
        let id = record.id.to_string();
        let name = record.dataset.clone().unwrap_or_default();
        if let Work::Import { .. } = work {
            note(store, Change::ImportBegun, &id, &name).await;
        }
        let task = Task {
            files: self.files(record.id),
            index: self.index.clone(),
            rejects: self.rejects(record.id),
            text,
            work,
            read,
        };
        let (tell, told) = tokio::sync::oneshot::channel();
        let at = folder.clone();
        let working = record.clone();
        std::thread::Builder::new().name("import".to_owned()).spawn(move || {
            give_way();
            // Nobody listens any more where the server is ending.
            let _: Result<(), _> = tell.send(task.run(working, &at, clock.as_ref()));
        })?;
        let broke = || Stage::Failed { said: ImportEnd::Broke.into() };
        let ended = told.await.unwrap_or_else(|_| ImportRecord { stage: broke(), ..record });
        if matches!(ended.stage, Stage::Done(_) | Stage::Refused { .. }) {
            // What was imported is in the index; the files hold names of people.
            let _: std::io::Result<()> = std::fs::remove_dir_all(folder.join("files"));
        }
        ended.write(&folder)?;
        if let Stage::Done(_) = ended.stage {
            note(store, Change::ImportDone, &id, &name).await;
        }
        Ok(())
    }
}

async fn note(store: &Store, change: Change, id: &str, dataset: &str) {
    if let Err(error) = store.audit().note_installation_change(change, id, dataset).await {
        tracing::error!(%error, "an import could not be written into the audit log");
    }
}

/// Of this thread alone.
fn give_way() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE) {
        tracing::debug!(%error, "an import has the priority of everything else");
    }
}

struct Task {
    files: Vec<PathBuf>,
    index: PathBuf,
    rejects: PathBuf,
    text: String,
    work: Work,
    read: Arc<RowsRead>,
}

impl Task {
    fn run(self, record: ImportRecord, folder: &Path, clock: &dyn Clock) -> ImportRecord {
        match self.work {
            Work::Look => self.look(record, folder),
            Work::Check => match Mapping::typed(&self.text).and_then(|mapping| self.check(&mapping)) {
                Ok(report) => {
                    let checked = checked(CheckReport { notes: self.notes(report.notes), ..report });
                    ImportRecord { stage: Stage::Ready, checked: Some(checked), ..record }
                }
                Err(error) => ImportRecord { stage: failed(&error), ..record },
            },
            Work::Import { may_shrink } => {
                let done = Mapping::typed(&self.text).and_then(|mapping| self.import(&mapping, may_shrink));
                let stage = match done {
                    Ok(report) => Stage::Done(self.imported(report, clock)),
                    Err(error) => failed(&error),
                };
                ImportRecord { stage, ..record }
            }
        }
    }

    fn look(&self, record: ImportRecord, folder: &Path) -> ImportRecord {
        let refused = |said: Message| ImportRecord { stage: Stage::Refused { said }, ..record.clone() };
        let (text, unproposed) = match import::draft(&self.files) {
            Ok(draft) => (draft.mapping, None),
            Err(error) => match import::columns_of(&self.files) {
                // Readable, but nothing that a draft could be made of: the operator may know better.
                Ok(columns) if !columns.is_empty() => {
                    let why = said(&error);
                    (format!("{UNPROPOSED}{}\n{TO_BE_WRITTEN}", why.to_string().replace('\n', " ")), Some(why))
                }
                _ => return refused(said(&error)),
            },
        };
        match replace(&folder.join("mapping.toml"), text.as_bytes()) {
            Ok(()) => ImportRecord { stage: Stage::Ready, unproposed, ..record },
            Err(error) => refused(error.to_message()),
        }
    }

    fn job<'m>(&self, mapping: &'m Mapping) -> ImportJob<'m> {
        ImportJob { files: self.files.clone(), mapping, into: self.index.clone() }
    }

    fn check(&self, mapping: &Mapping) -> Result<CheckReport, ImportError> {
        import::check(&self.job(mapping), &mut Watched(self.read.clone()))
    }

    fn import(&self, mapping: &Mapping, may_shrink: bool) -> Result<ImportReport, ImportError> {
        let run = if may_shrink { import::run_allowing_shrink } else { import::run };
        run(self.job(mapping), &mut Watched(self.read.clone()))
    }

    /// Readers know the names of the files, and not where they wait.
    fn notes(&self, notes: Vec<Message>) -> Vec<Message> {
        let Some(file) = self.files.first() else { return notes };
        notes.iter().map(|note| import::without_folder(note, file)).collect()
    }

    fn imported(&self, report: ImportReport, clock: &dyn Clock) -> Imported {
        if let Some(file) = &report.rejects_file
            && let Err(error) = std::fs::copy(file, &self.rejects)
        {
            tracing::warn!(%error, "the rejected rows could not be kept");
        }
        Imported {
            version: report.version,
            at: clock.now(),
            rows_read: report.rows_read,
            imported: report.imported,
            rejected: report.rejected,
            duplicates: report.duplicates,
            skipped: report.skipped,
            places: report.places,
            reasons: report.reasons,
            notes: report.findings.into_iter().map(Message::from).chain(self.notes(report.notes)).collect(),
            own_rows: report.own_rows.map(|own| (own.found, own.asked)),
        }
    }
}

fn failed(error: &ImportError) -> Stage {
    match error {
        ImportError::Stopped => Stage::Stopped,
        ImportError::Index(PropertyError::Shrinks { before, after, .. }) => {
            Stage::Shrinks { before: *before, after: *after }
        }
        error => Stage::Failed { said: said(error) },
    }
}

fn checked(report: CheckReport) -> Checked {
    let ranges = report.fields.iter().map(|f| (f.field.clone(), f.shown_values(), f.range.map_or(0, |r| r.outside)));
    let ranges = ranges.filter(|(_, values, _)| !values.is_empty()).collect();
    let fields = report.fields.into_iter().map(|field| {
        let problem = field.problems.into_iter().next().map(|p| match p.example.is_empty() {
            true => p.problem.into(),
            false => CellProblem::SuchAs { problem: p.problem, example: p.example }.into(),
        });
        (field.field, field.known, field.blank, field.unread, problem)
    });
    let notes = report.findings.into_iter().map(Message::from).chain(report.notes);
    let notes = notes.chain(report.suggestions.into_iter().map(Message::from)).collect();
    Checked {
        rows_read: report.rows_read,
        usable: report.usable,
        rejected: report.rejected,
        duplicates: report.duplicates,
        skipped: report.skipped,
        addressed: report.addressed,
        records: report.records,
        reasons: report.reasons,
        fields: fields.collect(),
        ranges,
        notes,
        own_rows: report.own_rows.map(|own| (own.found, own.asked)),
    }
}
