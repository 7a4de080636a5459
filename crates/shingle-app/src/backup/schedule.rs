//! Backups that a server takes by itself, into a folder.
//!
//! # Decisions
//!
//! - The names of the files say when each was taken; no other record could be lost. Old ones go only once a new one is there.
//! - A lock in the folder keeps several servers on one folder to one backup at a time.
//! - Why one failed is noted in the data folder: the folder of the backups may be what cannot be written.
//! - After a failure an hour goes by before the next attempt: a full disk is not filled sixty times an hour.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::message::Message;

use super::layout::FAILED;
use super::messages::{not_read, not_written};
use super::take::sync_folder;
use super::{BackupRequest, SecretKept, TakenBackup, take_backup};
use crate::installation::Installation;
use crate::operator_error::OperatorError;

const HOUR: Duration = Duration::from_secs(3_600);
/// How often it is asked whether one is due.
const INTERVAL: Duration = Duration::from_secs(60);

const BEGIN: &str = "shingle-";
const END: &str = ".tar.zst";
const LOCK: &str = ".lock";

pub struct ScheduledBackups {
    context: Installation,
    folder: PathBuf,
    stop: Arc<AtomicBool>,
    failed_at: Mutex<Option<Timestamp>>,
}

/// One that was taken by the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Kept {
    at: Timestamp,
    size: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Failed {
    at: Timestamp,
    what: Message,
    location: Option<String>,
    fix: Option<Message>,
}

impl Failed {
    fn noted(data: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(data.join(FAILED)).ok()?).ok()
    }
}

/// What lies in the folder.
pub(crate) struct BackupFolder {
    kept: Vec<Kept>,
    failed: Option<Failed>,
}

fn name_at(at: Timestamp) -> String {
    let text = at.to_string();
    let digits: String = text.chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
    format!("{BEGIN}{digits}Z{END}")
}

fn taken_at(name: &str) -> Option<Timestamp> {
    let at = Timestamp::parse_iso(name.strip_prefix(BEGIN)?.strip_suffix(END)?)?;
    // Other spellings of a time are not ours.
    (name_at(at) == name).then_some(at)
}

impl BackupFolder {
    /// `data`: the data folder.
    pub(crate) fn read(folder: &Path, data: &Path) -> Result<Self, OperatorError> {
        let failed = Failed::noted(data);
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self { kept: Vec::new(), failed }),
            Err(error) => return Err(not_read(folder)(error)),
        };
        let one = |entry: fs::DirEntry| {
            let at = taken_at(entry.file_name().to_str()?)?;
            Some(Kept { at, size: entry.metadata().ok()?.len() })
        };
        let mut kept: Vec<Kept> = entries.flatten().filter_map(one).collect();
        kept.sort();
        Ok(Self { kept, failed })
    }

    pub(crate) fn count(&self) -> usize {
        self.kept.len()
    }

    /// When the newest was taken. A time that is still to come was read off a wrong clock.
    pub(crate) fn newest(&self, now: Timestamp) -> Option<Timestamp> {
        self.kept.iter().rev().map(|kept| kept.at).find(|at| *at <= now)
    }

    /// Why the last attempt failed.
    pub(crate) fn failure(&self) -> Option<OperatorError> {
        let Failed { what, location, fix, .. } = self.failed.clone()?;
        Some(OperatorError { what: Box::new(what), location, fix: fix.map(Box::new) })
    }

    fn is_due(&self, every: Duration, now: Timestamp) -> bool {
        self.newest(now).is_none_or(|newest| newest + every <= now)
    }
}

impl ScheduledBackups {
    /// `None`: none are scheduled.
    pub fn of(context: &Installation) -> Option<Arc<Self>> {
        let folder = context.settings.backup_folder()?.to_owned();
        Some(Arc::new(Self { context: context.clone(), folder, stop: Arc::default(), failed_at: Mutex::default() }))
    }

    /// Takes each that is due, as long as the server runs.
    pub async fn keep_taking(self: Arc<Self>) {
        let mut interval = tokio::time::interval(INTERVAL);
        while !self.stop.load(Ordering::Relaxed) {
            interval.tick().await;
            match self.take_due().await {
                Ok(Some(taken)) => {
                    tracing::info!(file = %taken.file.display(), bytes = taken.size, "a backup was taken")
                }
                Ok(None) => {}
                Err(_) if self.stop.load(Ordering::Relaxed) => {}
                Err(error) => tracing::error!(%error, "a backup failed; it is tried again in an hour"),
            }
        }
    }

    /// Ends one that is under way, which leaves nothing.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes a backup if one is due and nobody else takes one.
    pub async fn take_due(&self) -> Result<Option<TakenBackup>, OperatorError> {
        if self.failed_lately() {
            return Ok(None);
        }
        let taken = self.take_if_due().await;
        match &taken {
            Ok(None) => {}
            Ok(Some(_)) => drop(fs::remove_file(self.note_file())),
            // One that a stop has ended did not fail.
            Err(_) if self.stop.load(Ordering::Relaxed) => {}
            Err(error) => self.note(error),
        }
        taken
    }

    async fn take_if_due(&self) -> Result<Option<TakenBackup>, OperatorError> {
        if !self.is_due()? {
            return Ok(None);
        }
        let Some(_lock) = self.lock()? else { return Ok(None) };
        // Another server may have taken it meanwhile.
        if !self.is_due()? {
            return Ok(None);
        }
        self.remove_drafts();
        let taken = self.take().await?;
        self.remove_old()?;
        Ok(Some(taken))
    }

    fn note_file(&self) -> PathBuf {
        self.context.settings.data.join(FAILED)
    }

    fn failed_lately(&self) -> bool {
        let now = self.context.clock.now();
        let noted = Failed::noted(&self.context.settings.data);
        // The disk may be too full for the note.
        let own = *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner);
        [noted.map(|failed| failed.at), own].into_iter().flatten().any(|at| at <= now && now < at + HOUR)
    }

    fn is_due(&self) -> Result<bool, OperatorError> {
        let every = HOUR * self.context.settings.backup_hours;
        Ok(self.found()?.is_due(every, self.context.clock.now()))
    }

    fn found(&self) -> Result<BackupFolder, OperatorError> {
        BackupFolder::read(&self.folder, &self.context.settings.data)
    }

    fn lock(&self) -> Result<Option<File>, OperatorError> {
        let file = self.folder.join(LOCK);
        fs::create_dir_all(&self.folder).map_err(not_written(&self.folder))?;
        let lock = File::create(&file).map_err(not_written(&file))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(not_written(&file)(error)),
        }
    }

    async fn take(&self) -> Result<TakenBackup, OperatorError> {
        let passphrase = self.context.settings.backup_passphrase();
        let passphrase = shingle_backup::Passphrase::new(passphrase.map_or("", |text| text.reveal()))?;
        let request = BackupRequest {
            file: self.folder.join(name_at(self.context.clock.now())),
            secret: SecretKept::Sealed(passphrase),
            stop: self.stop.clone(),
        };
        take_backup(&self.context, request).await
    }

    fn note(&self, error: &OperatorError) {
        let failed = Failed {
            at: self.context.clock.now(),
            what: (*error.what).clone(),
            location: error.location.clone(),
            fix: error.fix.as_deref().cloned(),
        };
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(failed.at);
        let written = serde_json::to_vec(&failed).map(|text| fs::write(self.note_file(), text));
        if !matches!(written, Ok(Ok(()))) {
            tracing::warn!(file = %self.note_file().display(), "the failure of a backup could not be noted");
        }
    }

    /// What a backup left that was killed. Under the lock no other server writes one.
    fn remove_drafts(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            // Others are of a backup that a person takes into this folder.
            let is_draft =
                name.to_str().and_then(|name| name.split_once(&format!("{END}."))).is_some_and(|(begin, end)| {
                    taken_at(&format!("{begin}{END}")).is_some()
                        && (end.ends_with(".new") || end.ends_with(".database"))
                });
            if is_draft && let Err(error) = fs::remove_file(entry.path()) {
                tracing::warn!(file = %entry.path().display(), %error, "the rest of a backup stays");
            }
        }
    }

    fn remove_old(&self) -> Result<(), OperatorError> {
        let now = self.context.clock.now();
        // Those from the future were named by a clock that was wrong: they do not count, and go first.
        let (mut real, ahead): (Vec<Kept>, Vec<Kept>) = self.found()?.kept.into_iter().partition(|one| one.at <= now);
        let wanted = usize::try_from(self.context.settings.backups_kept).unwrap_or(usize::MAX);
        let missing = wanted.saturating_sub(real.len());
        real.truncate(real.len().saturating_sub(wanted));
        for one in real.iter().chain(ahead.iter().skip(missing)) {
            let file = self.folder.join(name_at(one.at));
            fs::remove_file(&file).map_err(not_written(&file))?;
        }
        sync_folder(&self.folder.join(LOCK)).map_err(not_written(&self.folder))
    }
}

#[cfg(test)]
mod tests {
    use shingle_store::{Clock, Store};

    use super::*;
    use crate::installation::SettingFlags;

    /// A clock that somebody turns.
    struct Turned(Mutex<Timestamp>);

    impl Turned {
        fn at(at: Timestamp) -> Arc<Self> {
            Arc::new(Self(Mutex::new(at)))
        }

        fn advance(&self, by: Duration) {
            let mut at = self.0.lock().unwrap();
            *at = *at + by;
        }
    }

    impl Clock for Turned {
        fn now(&self) -> Timestamp {
            *self.0.lock().unwrap()
        }

        fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }

    struct Site {
        folder: tempfile::TempDir,
        clock: Arc<Turned>,
        context: Installation,
    }

    impl Site {
        async fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let clock = Turned::at(Timestamp::parse_iso("2026-03-10T12:00:00Z").unwrap());
            let flags = SettingFlags { data: Some(folder.path().join("data")), ..SettingFlags::default() };
            let mut context = Installation::read(None, flags).unwrap();
            context.clock = clock.clone();
            context.settings.backup_folder = Some(folder.path().join("kept"));
            context.settings.backup_passphrase = Some("a ladder beside the barn".into());
            context.settings.backups_kept = 3;
            let store: Store = context.store().await.unwrap();
            store.accounts().create("Oak Roofing").await.unwrap();
            store.close().await.unwrap();
            Self { folder, clock, context }
        }

        fn backups(&self) -> Arc<ScheduledBackups> {
            ScheduledBackups::of(&self.context).unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path().join("kept")).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }

        fn found(&self) -> BackupFolder {
            BackupFolder::read(&self.folder.path().join("kept"), &self.folder.path().join("data")).unwrap()
        }
    }

    #[test]
    fn a_name_says_when_a_backup_was_taken() {
        let at = Timestamp::parse_iso("2026-03-10T12:34:56.789Z").unwrap();
        assert_eq!(name_at(at), "shingle-20260310T123456Z.tar.zst");
        assert_eq!(taken_at(&name_at(at)), Timestamp::parse_iso("2026-03-10T12:34:56Z"));
        for other in [
            "shingle-20260310T123456Z.tar.zst.7.new",
            "shingle-2026-03-10T12:34:56Z.tar.zst",
            "shingle-.tar.zst",
            "oak.tar.zst",
            "shingle-20269999T123456Z.tar.zst",
        ] {
            assert_eq!(taken_at(other), None, "{other}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_is_taken_each_day_and_the_newest_are_kept() {
        let site = Site::new().await;
        let backups = site.backups();
        let mut taken = Vec::new();
        for _ in 0..5 {
            taken.push(backups.take_due().await.unwrap().unwrap().file);
            site.clock.advance(HOUR * 23);
            assert!(backups.take_due().await.unwrap().is_none(), "not yet a day");
            site.clock.advance(HOUR);
        }
        let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        let expected: Vec<String> = [LOCK.to_owned()].into_iter().chain(taken[2..].iter().map(name)).collect();
        assert_eq!(site.names(), expected);
        let passphrase = shingle_backup::Passphrase::new("a ladder beside the barn").unwrap();
        assert!(super::super::check_backup(&taken[4], Some(&passphrase)).unwrap().secret_opens);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn two_servers_take_one() {
        let site = Site::new().await;
        let (first, second) = (site.backups(), site.backups());
        let (first, second) = tokio::join!(first.take_due(), second.take_due());
        let taken = [first.unwrap(), second.unwrap()].into_iter().flatten().count();
        assert_eq!((taken, site.found().count()), (1, 1));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_failure_is_told_and_tried_again_in_an_hour() {
        let site = Site::new().await;
        let (backups, secret) = (site.backups(), site.context.settings.secret_file());
        let aside = secret.with_extension("aside");
        fs::rename(&secret, &aside).unwrap();
        let error = backups.take_due().await.unwrap_err();
        assert_eq!(site.found().failure().as_ref(), Some(&error));
        fs::rename(&aside, &secret).unwrap();
        assert!(backups.take_due().await.unwrap().is_none(), "too early");
        site.clock.advance(HOUR);
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(site.found().failure().is_none());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_clock_that_was_a_day_ahead_keeps_no_backup_from_being_taken() {
        let site = Site::new().await;
        let right = site.clock.now();
        site.clock.advance(HOUR * 24);
        site.backups().take_due().await.unwrap().unwrap();
        let back = Turned::at(right);
        let mut context = site.context.clone();
        context.clock = back;
        let backups = ScheduledBackups::of(&context).unwrap();
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(backups.take_due().await.unwrap().is_none());
        assert_eq!(site.found().newest(right), Some(right));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn backups_of_a_clock_that_was_ahead_make_room_for_those_of_a_right_one() {
        let mut site = Site::new().await;
        site.context.settings.backups_kept = 1;
        let kept = site.folder.path().join("kept");
        fs::create_dir_all(&kept).unwrap();
        let ahead = kept.join(name_at(site.clock.now() + HOUR * 24 * 365));
        fs::write(&ahead, "of next year").unwrap();
        let backups = site.backups();
        let taken = backups.take_due().await.unwrap().unwrap().file;
        assert!(taken.exists() && !ahead.exists());
        assert!(backups.take_due().await.unwrap().is_none());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_folder_that_cannot_be_written_is_told() {
        let site = Site::new().await;
        fs::write(site.folder.path().join("kept"), "not a folder").unwrap();
        let backups = site.backups();
        let error = backups.take_due().await.unwrap_err();
        assert!(backups.take_due().await.unwrap().is_none(), "too early");
        fs::remove_file(site.folder.path().join("kept")).unwrap();
        assert_eq!(site.found().failure().as_ref(), Some(&error));
        site.clock.advance(HOUR);
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(site.found().failure().is_none());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_stop_ends_one_and_leaves_nothing_and_a_killed_one_is_swept_up() {
        let site = Site::new().await;
        let stopped = site.backups();
        stopped.stop();
        assert!(stopped.take_due().await.is_err());
        assert_eq!(site.names(), [LOCK]);
        let rest = site.folder.path().join("kept/shingle-20260309T120000Z.tar.zst.4711.new");
        fs::write(&rest, "half").unwrap();
        let persons = site.folder.path().join("kept/shingle-before-the-move.tar.zst.4711.new");
        fs::write(&persons, "half").unwrap();
        let backups = site.backups();
        backups.take_due().await.unwrap().unwrap();
        assert!(!rest.exists() && persons.exists());
    }
}
