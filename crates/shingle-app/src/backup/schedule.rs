//! Backups that a server takes by itself, into a folder or a bucket.
//!
//! # Decisions
//!
//! - Old backups go only once a new one is there.
//! - A lock in the folder keeps several servers on one folder to one backup at a time. A bucket has no locks, so there the lock
//!   is in the data folder, and one server alone is to have the setting.
//! - Why one failed is noted in the data folder: the place of the backups may be what cannot be written.
//! - After a failure an hour goes by before the next attempt: a full disk is not filled sixty times an hour.
//! - A bucket is not listed each minute, which costs money: what it held is known until the next backup is due.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::Timestamp;

use super::bucket::Bucket;
use super::kept::{END, Failed, Keeping, KeptBackups, name_at, taken_at};
use super::layout::FAILED;
use super::messages::not_written;
use super::place::BackupPlace;
use super::stop::Stop;
use super::take::sync_folder;
use super::{BackupRequest, SecretKept, TakenBackup, take_backup};
use crate::bucket::BucketFault;
use crate::installation::{BACKUPS, Installation};
use crate::operator_error::OperatorError;

const HOUR: Duration = Duration::from_secs(3_600);
/// How often it is asked whether one is due.
const INTERVAL: Duration = Duration::from_secs(60);
const LOCK: &str = ".lock";

pub struct ScheduledBackups {
    context: Installation,
    keeping: Keeping,
    stop: Stop,
    failed_at: Mutex<Option<Timestamp>>,
    newest: Mutex<Option<Timestamp>>,
}

fn held<T: Copy>(value: &Mutex<Option<T>>) -> Option<T> {
    *value.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hold<T: Copy>(value: &Mutex<Option<T>>, new: Option<T>) {
    *value.lock().unwrap_or_else(PoisonError::into_inner) = new;
}

impl ScheduledBackups {
    /// `None`: none are scheduled.
    pub fn of(context: &Installation) -> Result<Option<Arc<Self>>, OperatorError> {
        let Some(keeping) = Keeping::of(&context.settings)? else { return Ok(None) };
        Ok(Some(Arc::new(Self {
            context: context.clone(),
            keeping,
            stop: Stop::default(),
            failed_at: Mutex::default(),
            newest: Mutex::default(),
        })))
    }

    /// Takes each that is due, as long as the server runs.
    pub async fn keep_taking(self: Arc<Self>) {
        let mut interval = tokio::time::interval(INTERVAL);
        while !self.stop.is_set() {
            tokio::select! {
                _ = interval.tick() => {}
                () = self.stop.wait() => return,
            }
            match self.take_due().await {
                Ok(Some(taken)) => tracing::info!(file = %taken.place, bytes = taken.size, "a backup was taken"),
                Ok(None) => {}
                Err(_) if self.stop.is_set() => {}
                Err(error) => tracing::error!(%error, "a backup failed; it is tried again in an hour"),
            }
        }
    }

    /// Ends one that is under way, which leaves nothing.
    pub fn stop(&self) {
        self.stop.now();
    }

    /// Takes a backup if one is due and nobody else takes one.
    pub async fn take_due(&self) -> Result<Option<TakenBackup>, OperatorError> {
        if self.failed_lately() {
            return Ok(None);
        }
        let began = self.context.clock.now();
        let taken = self.take_if_due().await;
        match &taken {
            Ok(None) => {}
            Ok(Some(_)) => drop(fs::remove_file(self.note_file())),
            // One that a stop has ended did not fail.
            Err(_) if self.stop.is_set() => {}
            Err(error) => self.note(began, error),
        }
        taken
    }

    async fn take_if_due(&self) -> Result<Option<TakenBackup>, OperatorError> {
        if !self.is_due().await? {
            return Ok(None);
        }
        let Some(_lock) = self.lock()? else { return Ok(None) };
        // Another server may have taken it meanwhile.
        if !self.is_due().await? {
            return Ok(None);
        }
        self.remove_drafts();
        let (at, taken) = self.take().await?;
        hold(&self.newest, Some(at));
        // The backup is there, whatever becomes of old ones: a key may have no right to delete.
        if let Err(error) = self.remove_old().await
            && !self.stop.is_set()
        {
            tracing::warn!(%error, "old backups stay");
        }
        Ok(Some(taken))
    }

    fn note_file(&self) -> PathBuf {
        self.context.settings.data.join(FAILED)
    }

    fn failed_lately(&self) -> bool {
        let now = self.context.clock.now();
        let noted = Failed::noted(&self.context.settings.data);
        // The disk may be too full for the note.
        [noted.map(|failed| failed.at), held(&self.failed_at)]
            .into_iter()
            .flatten()
            .any(|at| at <= now && now < at + HOUR)
    }

    async fn is_due(&self) -> Result<bool, OperatorError> {
        let (every, now) = (HOUR * self.context.settings.backup_hours, self.context.clock.now());
        let is_late = |newest: Timestamp| newest + every <= now;
        if matches!(self.keeping, Keeping::Bucket(_))
            && held(&self.newest).is_some_and(|newest| newest <= now && !is_late(newest))
        {
            return Ok(false);
        }
        let newest = self.found().await?.newest(now);
        hold(&self.newest, newest);
        Ok(newest.is_none_or(is_late))
    }

    async fn found(&self) -> Result<KeptBackups, OperatorError> {
        self.unless_stopped(self.keeping.read(&self.context.settings)).await
    }

    /// For what leaves nothing behind: a server that is silent does not hold up the stop.
    async fn unless_stopped<T>(
        &self,
        work: impl Future<Output = Result<T, OperatorError>>,
    ) -> Result<T, OperatorError> {
        tokio::select! {
            // What is there at once is taken.
            biased;
            done = work => done,
            () = self.stop.wait() => Err(OperatorError::new(BucketFault::Stopped)),
        }
    }

    /// The folder of the backups, or what a backup needs on this machine.
    fn folder(&self) -> PathBuf {
        match &self.keeping {
            Keeping::Folder(folder) => folder.clone(),
            Keeping::Bucket(_) => self.context.settings.data.join(BACKUPS),
        }
    }

    fn lock(&self) -> Result<Option<File>, OperatorError> {
        let folder = self.folder();
        let file = folder.join(LOCK);
        fs::create_dir_all(&folder).map_err(not_written(&folder))?;
        let lock = File::create(&file).map_err(not_written(&file))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(lock)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(not_written(&file)(error)),
        }
    }

    async fn take(&self) -> Result<(Timestamp, TakenBackup), OperatorError> {
        let passphrase = self.context.settings.backup_passphrase();
        let passphrase = shingle_backup::Passphrase::new(passphrase.map_or("", |text| text.reveal()))?;
        let at = self.context.clock.now();
        let place = match &self.keeping {
            Keeping::Folder(folder) => BackupPlace::File(folder.join(name_at(at))),
            Keeping::Bucket(folder) => BackupPlace::Object(folder.join(&name_at(at))),
        };
        let request = BackupRequest { place, secret: SecretKept::Sealed(passphrase), stop: self.stop.clone() };
        Ok((at, take_backup(&self.context, request).await?))
    }

    fn note(&self, began: Timestamp, error: &OperatorError) {
        let failed = Failed::new((began, self.context.clock.now()), error);
        hold(&self.failed_at, Some(failed.at));
        let written = serde_json::to_vec(&failed).map(|text| fs::write(self.note_file(), text));
        if !matches!(written, Ok(Ok(()))) {
            tracing::warn!(file = %self.note_file().display(), "the failure of a backup could not be noted");
        }
    }

    /// What a backup left that was killed. Under the lock no other server writes one.
    fn remove_drafts(&self) {
        for entry in fs::read_dir(self.folder()).into_iter().flatten().flatten() {
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

    async fn remove_old(&self) -> Result<(), OperatorError> {
        let wanted = usize::try_from(self.context.settings.backups_kept).unwrap_or(usize::MAX);
        let old = self.found().await?.surplus(self.context.clock.now(), wanted);
        match &self.keeping {
            Keeping::Folder(folder) => remove_files(folder, &old),
            Keeping::Bucket(folder) => {
                let bucket = Bucket::open(&self.context.settings, &folder.bucket)?;
                for at in old {
                    self.unless_stopped(bucket.delete(&folder.join(&name_at(at)))).await?;
                }
                Ok(())
            }
        }
    }
}

fn remove_files(folder: &Path, old: &[Timestamp]) -> Result<(), OperatorError> {
    for at in old {
        let file = folder.join(name_at(*at));
        fs::remove_file(&file).map_err(not_written(&file))?;
    }
    sync_folder(&folder.join(LOCK)).map_err(not_written(folder))
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
            ScheduledBackups::of(&self.context).unwrap().unwrap()
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(self.folder.path().join("kept")).into_iter().flatten().flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }

        async fn found(&self) -> KeptBackups {
            let settings = &self.context.settings;
            Keeping::of(settings).unwrap().unwrap().read(settings).await.unwrap()
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_is_taken_each_day_and_the_newest_are_kept() {
        let site = Site::new().await;
        let backups = site.backups();
        let mut taken = Vec::new();
        for _ in 0..5 {
            taken.push(backups.take_due().await.unwrap().unwrap().place);
            site.clock.advance(HOUR * 23);
            assert!(backups.take_due().await.unwrap().is_none(), "not yet a day");
            site.clock.advance(HOUR);
        }
        let name = |place: &BackupPlace| place.file().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
        let expected: Vec<String> = [LOCK.to_owned()].into_iter().chain(taken[2..].iter().map(name)).collect();
        assert_eq!(site.names(), expected);
        let passphrase = shingle_backup::Passphrase::new("a ladder beside the barn").unwrap();
        assert!(super::super::check_backup(&site.context, &taken[4], Some(passphrase)).await.unwrap().secret_opens);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn two_servers_take_one() {
        let site = Site::new().await;
        let (first, second) = (site.backups(), site.backups());
        let (first, second) = tokio::join!(first.take_due(), second.take_due());
        let taken = [first.unwrap(), second.unwrap()].into_iter().flatten().count();
        assert_eq!((taken, site.found().await.count()), (1, 1));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_failure_is_told_and_tried_again_in_an_hour() {
        let site = Site::new().await;
        let (backups, secret) = (site.backups(), site.context.settings.secret_file());
        let aside = secret.with_extension("aside");
        fs::rename(&secret, &aside).unwrap();
        let error = backups.take_due().await.unwrap_err();
        assert_eq!(site.found().await.failure(site.clock.now()).as_ref(), Some(&error));
        fs::rename(&aside, &secret).unwrap();
        assert!(backups.take_due().await.unwrap().is_none(), "too early");
        site.clock.advance(HOUR);
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(site.found().await.failure(site.clock.now()).is_none());
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
        let backups = ScheduledBackups::of(&context).unwrap().unwrap();
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(backups.take_due().await.unwrap().is_none());
        assert_eq!(site.found().await.newest(right), Some(right));
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
        let taken = backups.take_due().await.unwrap().unwrap().place;
        assert!(taken.file().unwrap().exists() && !ahead.exists());
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
        assert_eq!(site.found().await.failure(site.clock.now()).as_ref(), Some(&error));
        site.clock.advance(HOUR);
        assert!(backups.take_due().await.unwrap().is_some());
        assert!(site.found().await.failure(site.clock.now()).is_none());
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

    #[tokio::test(flavor = "multi_thread")]
    async fn a_bucket_that_does_not_answer_holds_up_no_stop() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let mut site = Site::new().await;
        let settings = &mut site.context.settings;
        settings.backup_folder = None;
        settings.backup_bucket = Some("s3://oak/roofs".to_owned());
        settings.s3_endpoint = Some(format!("http://{}", silent.local_addr().unwrap()));
        settings.s3_key = Some("AKIAOAK".into());
        settings.s3_secret = Some("hunter2".into());
        let backups = site.backups();
        let taking = tokio::spawn(backups.clone().keep_taking());
        // It has asked, and nobody answers.
        let (_asked, _) = tokio::task::spawn_blocking(move || silent.accept()).await.unwrap().unwrap();
        backups.stop();
        taking.await.unwrap();
        assert!(!site.context.settings.data.join(FAILED).exists(), "a stop is no failure");
    }
}
