//! `shingle restore FILE|s3://…`.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::pin::pin;

use futures_util::StreamExt as _;
use serde::Serialize;
use shingle_backup::{ArchiveError, Content, FileName, Header, Passphrase, SealKey, Totals, Visitor};
use shingle_store::{Blobs, Engine, Secret, Store, StoreError, is_vacant, restore_postgres};

use super::archive::Archive;
use super::layout::{self, Layout, RESTORING};
use super::messages::{BackupFault, BackupFix, about, not_read, not_restored, refuse_newer_tables};
use super::place::BackupPlace;
use super::take::sync_folder;
use crate::installation::{Installation, UNFINISHED};
use crate::operator_error::OperatorError;

pub struct RestoreRequest {
    pub place: BackupPlace,
    pub passphrase: Option<Passphrase>,
    /// The secret, where the operator kept it elsewhere.
    pub secret_file: Option<PathBuf>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Restored {
    pub data: PathBuf,
    pub made_at: String,
    pub database: &'static str,
    pub accounts: usize,
    /// The settings file of the machine that was backed up, which is not used here by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings_file: Option<PathBuf>,
    #[serde(flatten)]
    pub totals: Totals,
}

/// Of the settings file that was in the backup.
const SETTINGS_BESIDE: &str = "shingle.toml.restored";

/// Where everything goes first. Removed when it is dropped.
struct Staging {
    folder: PathBuf,
    /// The data folder and the folders above it that this restore made, the innermost first.
    made: Vec<PathBuf>,
    _lock: File,
}

impl Drop for Staging {
    fn drop(&mut self) {
        // What is left of it is named by the next restore.
        let _ = fs::remove_dir_all(&self.folder);
        for folder in &self.made {
            // Only an empty one is removed.
            let _ = fs::remove_dir(folder);
        }
    }
}

impl Staging {
    /// What a restore that was killed has left is replaced.
    fn begin(data: &Path) -> Result<Self, OperatorError> {
        let folder = data.join(RESTORING);
        let lock_file = folder.join("lock");
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let made = data.ancestors().take_while(is_missing).map(Path::to_owned).collect();
        fs::create_dir_all(&folder).map_err(not_restored(&folder))?;
        let lock = File::create(&lock_file).map_err(not_restored(&lock_file))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(about(BackupFault::Busy, data.display(), BackupFix::WaitForRestore));
            }
            Err(TryLockError::Error(error)) => return Err(not_restored(&lock_file)(error)),
        }
        for entry in fs::read_dir(&folder).map_err(not_read(&folder))?.flatten() {
            let path = entry.path();
            if path != lock_file {
                let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                removed.map_err(not_restored(&path))?;
            }
        }
        Ok(Self { folder, made, _lock: lock })
    }

    /// The restore has succeeded, so its folders stay.
    fn keep_folders(&mut self) {
        self.made.clear();
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }
}

/// Writes the files of an archive into the staging folder.
struct Unpacking<'a> {
    staging: &'a Staging,
    layout: &'a Layout,
    passphrase: Option<&'a Passphrase>,
    /// What the operator named, or what is at its place outside of the data folder.
    given_secret: Option<Vec<u8>>,
    key: Option<SealKey>,
    header: Option<Header>,
    has_database: bool,
}

fn check_secret(text: &[u8], header: &Header) -> Result<(), OperatorError> {
    let secret = Secret::parse(&String::from_utf8_lossy(text))?;
    if secret.check() == header.secret_check {
        Ok(())
    } else {
        Err(OperatorError::new(BackupFault::OtherSecret).fix(BackupFix::RightSecret))
    }
}

impl Unpacking<'_> {
    fn write(&self, path: &Path, content: &mut dyn io::Read) -> Result<(), OperatorError> {
        let failed = |error: io::Error| not_restored(path)(error);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut file = File::create_new(path).map_err(failed)?;
        io::copy(content, &mut file).and_then(|_| file.sync_all()).map_err(failed)
    }
}

impl Visitor for Unpacking<'_> {
    type Error = OperatorError;

    fn begin(&mut self, header: &Header) -> Result<(), OperatorError> {
        let here = self.layout.engine;
        let (made, address) = match header.engine {
            shingle_backup::Engine::Sqlite => (Engine::Sqlite, "sqlite://PATH"),
            shingle_backup::Engine::Postgres => (Engine::Postgres, "postgres://USER@HOST/NAME"),
        };
        if made != here {
            let here = if here == Engine::Sqlite { "SQLite" } else { "PostgreSQL" };
            return Err(OperatorError::new(BackupFault::OtherEngine { made: header.engine.name(), here })
                .fix(BackupFix::MatchEngine { address }));
        }
        refuse_newer_tables(header)?;
        match (&self.given_secret, header.is_sealed(), self.passphrase) {
            (Some(secret), ..) => check_secret(secret, header)?,
            (None, false, _) => {
                return Err(OperatorError::new(BackupFault::WithoutSecret).fix(BackupFix::NameSecret));
            }
            (None, true, None) => {
                return Err(OperatorError::new(BackupFault::NoPassphrase).fix(BackupFix::RestorePassphrase));
            }
            (None, true, Some(_)) => {}
        }
        if let (true, Some(passphrase)) = (header.is_sealed(), self.passphrase) {
            self.key = Some(header.key(passphrase)?);
        }
        self.header = Some(header.clone());
        Ok(())
    }

    fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), OperatorError> {
        match name.as_str() {
            layout::SQLITE | layout::POSTGRES => self.has_database = true,
            _ if name.is_sealed() => {
                let (Some(key), Some(header)) = (&self.key, &self.header) else { return Ok(()) };
                let text = key.open(name, &content.small(name)?)?;
                if name.below("sealed") == Some(layout::SECRET) {
                    check_secret(&text, header)?;
                }
                return self.write(&self.staging.at(name.as_str()), &mut &text[..]);
            }
            _ => {}
        }
        self.write(&self.staging.at(name.as_str()), content)
    }
}

/// Puts a backup into an empty data folder and an empty database.
pub async fn restore_backup(context: &Installation, request: RestoreRequest) -> Result<Restored, OperatorError> {
    let layout = Layout::of(context)?;
    refuse_what_is_there(&layout)?;
    let objects = layout.storage.objects(&context.settings)?;
    if let Some(objects) = &objects {
        refuse_objects(&layout, objects).await?;
    }
    let database = context.database();
    if !is_vacant(&database).await? {
        let place = shingle_store::redact_password(&database);
        return Err(about(BackupFault::DatabaseInUse, place, BackupFix::EmptyDatabase));
    }
    let archive = Archive::open(&context.settings, &request.place).await?;
    // A secret outside of the data folder is the operator's, who has put it there.
    let own = Some(layout.secret.clone()).filter(|file| file.is_file());
    let given = request.secret_file.clone().or(own);
    let given_secret = given.map(|file| fs::read(&file).map_err(not_read(&file))).transpose()?;

    let mut staging = Staging::begin(&layout.data)?;
    let mut unpacking = Unpacking {
        staging: &staging,
        layout: &layout,
        passphrase: request.passphrase.as_ref(),
        given_secret,
        key: None,
        header: None,
        has_database: false,
    };
    let read = archive.read(&mut unpacking);
    let totals = read.map_err(|error| if error.location.is_some() { error } else { error.at(&request.place) })?;
    let Unpacking { given_secret, header, has_database, .. } = unpacking;
    let header = header.filter(|_| has_database);
    let header = header.ok_or_else(|| OperatorError::new(BackupFault::NoDatabase).at(&request.place))?;
    let secret = match given_secret {
        Some(text) => text,
        None => {
            let file = staging.at("sealed").join(layout::SECRET);
            fs::read(&file).map_err(not_read(&file))?
        }
    };
    let accounts = put_in_place(context, &layout, objects.as_ref(), &staging, &secret).await?;
    staging.keep_folders();
    let settings_file = Some(layout.data.join(SETTINGS_BESIDE)).filter(|file| file.is_file());
    let (data, database) = (layout.data.clone(), header.engine.name());
    Ok(Restored { data, made_at: header.made_at, database, accounts, settings_file, totals })
}

/// The folders that a restore fills are empty or missing.
fn refuse_what_is_there(layout: &Layout) -> Result<(), OperatorError> {
    let unfinished = layout.data.join(UNFINISHED);
    if unfinished.exists() {
        return Err(about(BackupFault::Unfinished, layout.data.display(), BackupFix::EmptyAll));
    }
    refuse_files(layout)
}

/// The place of a storage in a bucket is empty.
async fn refuse_objects(layout: &Layout, objects: &Blobs) -> Result<(), OperatorError> {
    match pin!(objects.names()).next().await {
        None => Ok(()),
        Some(Err(error)) => Err(layout.storage.refused(error)),
        Some(Ok(_)) => Err(about(BackupFault::NotEmpty, &layout.storage, BackupFix::EmptyBucketFolder)),
    }
}

async fn upload_all(from: &Path, objects: &Blobs) -> Result<(), OperatorError> {
    let mut files = Vec::new();
    Layout::each_stored(from, |name, path| {
        files.push((name.below(layout::STORAGE).map(str::to_owned), path.to_owned()));
        Ok::<_, ArchiveError>(())
    })?;
    for (name, path) in files {
        if let Some(name) = name {
            objects.put(&name, fs::read(&path).map_err(not_read(&path))?).await?;
        }
    }
    Ok(())
}

fn refuse_files(layout: &Layout) -> Result<(), OperatorError> {
    for folder in layout.folders() {
        let entries: Vec<PathBuf> = match fs::read_dir(folder) {
            Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(not_read(folder)(error)),
        };
        let is_there = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            // Backups are where a restore is taken from, and disks bring a folder of their own.
            !matches!(name, "lost+found" | "backups" | RESTORING | UNFINISHED)
        };
        if entries.iter().any(is_there) {
            let is_live =
                layout.sqlite.as_deref().is_some_and(Path::exists) || layout.data.join(layout::SECRET).exists();
            let fault = if is_live { BackupFault::Live } else { BackupFault::NotEmpty };
            return Err(about(fault, folder.display(), BackupFix::EmptyFolder));
        }
    }
    Ok(())
}

/// First what can fail, then the renaming. From its first step to its last a file says that it is not finished: servers do not
/// start then, and what a power cut leaves is not taken for an installation.
async fn put_in_place(
    context: &Installation,
    layout: &Layout,
    objects: Option<&Blobs>,
    staging: &Staging,
    secret: &[u8],
) -> Result<usize, OperatorError> {
    let unfinished = begin_placing(layout)?;
    let address = match layout.engine {
        Engine::Sqlite => format!("sqlite://{}", staging.at(layout::SQLITE).display()),
        Engine::Postgres => {
            if let Err(error) = restore_postgres(&context.database(), &staging.at(layout::POSTGRES)).await {
                // As a whole or not at all.
                fs::remove_file(&unfinished).map_err(not_restored(&unfinished))?;
                return Err(match error {
                    StoreError::ProgramMissing(_) => OperatorError::from(error).fix(BackupFix::InstallClient),
                    error => error.into(),
                });
            }
            context.database()
        }
    };
    // Opens it as a server does: newer tables are made, and the secret is compared with what the database knows.
    let opened = count_accounts(context, &address, secret).await;
    if opened.is_err() && layout.engine == Engine::Sqlite {
        fs::remove_file(&unfinished).map_err(not_restored(&unfinished))?;
    }
    let accounts = opened?;

    let stored = staging.at(layout::STORAGE);
    if let Some(folder) = layout.storage.folder() {
        move_all(&stored, folder)?;
    }
    if let Some(objects) = objects {
        upload_all(&stored, objects).await?;
    }
    move_all(&staging.at(layout::PROPERTY), &layout.property)?;
    move_all(&staging.at(layout::DATA), &layout.data)?;
    let settings = staging.at("sealed").join(layout::SETTINGS);
    if settings.is_file() {
        move_file(&settings, &layout.data.join(SETTINGS_BESIDE))?;
    }
    if let Some(sqlite) = &layout.sqlite {
        move_file(&staging.at(layout::SQLITE), sqlite)?;
    }
    if !layout.secret.exists() {
        let draft = staging.at("secret.placed");
        fs::write(&draft, secret).and_then(|()| File::open(&draft)?.sync_all()).map_err(not_restored(&draft))?;
        move_file(&draft, &layout.secret)?;
    }
    fs::remove_file(&unfinished).and_then(|()| sync_folder(&unfinished)).map_err(not_restored(&unfinished))?;
    Ok(accounts)
}

async fn count_accounts(context: &Installation, address: &str, secret: &[u8]) -> Result<usize, OperatorError> {
    let secret = Secret::parse(&String::from_utf8_lossy(secret))?;
    let store = Store::open(address, context.clock.clone(), &secret).await?;
    let accounts = store.accounts().list().await?.len();
    store.close().await?;
    Ok(accounts)
}

/// From here on no server starts. Gives the file that says so.
fn begin_placing(layout: &Layout) -> Result<PathBuf, OperatorError> {
    let unfinished = layout.data.join(UNFINISHED);
    fs::write(&unfinished, "").and_then(|()| sync_folder(&unfinished)).map_err(not_restored(&unfinished))?;
    // Somebody may have started one while the archive was read.
    if let Err(error) = refuse_files(layout) {
        fs::remove_file(&unfinished).map_err(not_restored(&unfinished))?;
        return Err(error);
    }
    Ok(unfinished)
}

/// What a folder holds, into another one.
fn move_all(from: &Path, to: &Path) -> Result<(), OperatorError> {
    let entries = match fs::read_dir(from) {
        Ok(entries) => entries,
        // The backup had nothing of this kind.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(not_read(from)(error)),
    };
    fs::create_dir_all(to).map_err(not_restored(to))?;
    for entry in entries.flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match fs::rename(&path, &target) {
            Ok(()) => {}
            // Another disk, or a folder that is there and empty.
            Err(_) if path.is_dir() => move_all(&path, &target)?,
            Err(_) => move_file(&path, &target)?,
        }
    }
    sync_folder(&to.join("x")).map_err(not_restored(to))
}

fn move_file(from: &Path, to: &Path) -> Result<(), OperatorError> {
    if let Some(folder) = to.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(not_restored(folder))?;
    }
    let moved = fs::rename(from, to).or_else(|error| match error.kind() {
        ErrorKind::CrossesDevices => fs::copy(from, to).and_then(|_| File::open(to)?.sync_all()),
        _ => Err(error),
    });
    moved.and_then(|()| sync_folder(to)).map_err(not_restored(to))
}
