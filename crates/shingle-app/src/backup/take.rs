//! `shingle backup FILE`.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use shingle_backup::{ArchiveError, ArchiveWriter, FileName, Header, Totals};
use shingle_store::{DatabaseCopy, Engine, StoreError, copy_database};

use super::SecretKept;
use super::layout::{self, Layout, named};
use super::messages::{BackupFault, BackupFix, about, not_read, not_written, taking};
use crate::installation::Installation;
use crate::operator_error::OperatorError;

pub struct BackupRequest {
    /// Where the archive goes. Nothing may be there.
    pub file: PathBuf,
    pub secret: SecretKept,
    /// Set: a backup that is under way fails.
    pub stop: Arc<AtomicBool>,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenBackup {
    pub file: PathBuf,
    pub made_at: String,
    /// Of the file itself.
    pub size: u64,
    pub database: &'static str,
    pub holds_secret: bool,
    #[serde(flatten)]
    pub totals: Totals,
}

/// Of a thread, which nobody can end from outside.
struct UntilStopped {
    out: BufWriter<File>,
    stop: Arc<AtomicBool>,
}

impl Write for UntilStopped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(io::Error::other("the server stops"));
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A file that is removed unless it was renamed.
struct Draft(PathBuf);

impl Draft {
    fn beside(file: &Path, end: &str) -> Self {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{}.{end}", std::process::id()));
        Self(name.into())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It may be gone: renamed, or never made.
        let _ = fs::remove_file(&self.0);
    }
}

/// Takes a backup while servers run. Everything that was acknowledged before this began is in it.
pub async fn take_backup(context: &Installation, request: BackupRequest) -> Result<TakenBackup, OperatorError> {
    let layout = Layout::of(context)?;
    let file = request.file.clone();
    if fs::symlink_metadata(&file).is_ok() {
        return Err(about(BackupFault::FileExists, file.display(), BackupFix::OtherName));
    }
    if layout.would_back_up(&file) {
        return Err(about(BackupFault::InsideData, file.display(), BackupFix::Outside));
    }
    if !layout.secret.is_file() {
        return Err(about(BackupFault::NoInstallation, layout.data.display(), BackupFix::NameData));
    }
    layout.make_own_folder_of(&file).map_err(not_written(&file))?;
    let (archive, database) = (Draft::beside(&file, "new"), Draft::beside(&file, "database"));
    // Whatever a backup that was killed has left under these names.
    for draft in [&archive, &database] {
        match fs::remove_file(&draft.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(not_written(&draft.0)(error)),
            _ => {}
        }
    }
    // Tells of a place that cannot be written before the database is copied.
    let out = File::create_new(&archive.0).map_err(not_written(&file))?;
    let made_at = context.clock.now().to_string();
    let copy = copy_database(&context.database(), &database.0).await.map_err(|error| not_copied(error, &file))?;
    let settings = context.settings_file.clone();
    let work = move || write_archive(&layout, request, settings.as_deref(), (out, archive), (copy, database), made_at);
    tokio::task::spawn_blocking(work).await.map_err(OperatorError::text)?
}

fn not_copied(error: StoreError, file: &Path) -> OperatorError {
    let is_full = match &error {
        // SQLite says so of the copy; the database itself is only read.
        StoreError::Database(error) => error.to_string().contains("disk is full"),
        StoreError::ProgramFailed { why, .. } => why.contains("No space left on device"),
        _ => false,
    };
    match error {
        _ if is_full => about(BackupFault::DiskFull, file.display(), BackupFix::MakeRoom),
        StoreError::NoDatabase(place) => about(BackupFault::NoInstallation, place, BackupFix::NameData),
        StoreError::ProgramMissing(_) => OperatorError::from(error).fix(BackupFix::InstallClient),
        error => OperatorError::from(error).at(file.display()),
    }
}

fn write_archive(
    layout: &Layout,
    request: BackupRequest,
    settings: Option<&Path>,
    (out, draft): (File, Draft),
    (copy, database): (DatabaseCopy, Draft),
    made_at: String,
) -> Result<TakenBackup, OperatorError> {
    let failed = taking(&request.file);
    let passphrase = match &request.secret {
        SecretKept::Sealed(passphrase) => Some(passphrase),
        SecretKept::LeftOut => None,
    };
    let (engine, name) = match copy.engine {
        Engine::Sqlite => (shingle_backup::Engine::Sqlite, layout::SQLITE),
        Engine::Postgres => (shingle_backup::Engine::Postgres, layout::POSTGRES),
    };
    let header = Header::new(env!("CARGO_PKG_VERSION"), engine, copy.schema, &made_at, &copy.secret_check);
    let out = UntilStopped { out: BufWriter::new(out), stop: request.stop.clone() };
    let mut archive = ArchiveWriter::new(out, header, passphrase).map_err(&failed)?;
    if passphrase.is_some() {
        // After the copy: the file only grows, so it has every key that the copy needs.
        let secret = fs::read(&layout.secret).map_err(not_read(&layout.secret))?;
        archive.add_sealed(&FileName::sealed(layout::SECRET).map_err(&failed)?, &secret).map_err(&failed)?;
        if let Some(settings) = settings {
            let text = fs::read(settings).map_err(not_read(settings))?;
            archive.add_sealed(&FileName::sealed(layout::SETTINGS).map_err(&failed)?, &text).map_err(&failed)?;
        }
    }
    let taken = File::open(&database.0).map_err(not_read(&database.0))?;
    add_file(&mut archive, &FileName::new(name).map_err(&failed)?, taken).map_err(&failed)?;
    drop(database);

    let index = shingle_property::open_files(&layout.property)?;
    for (path, file) in index.files {
        let name = named(layout::PROPERTY, Path::new(""), &path).map_err(&failed)?;
        add_file(&mut archive, &name, file).map_err(&failed)?;
    }
    if let Some(manifest) = index.manifest {
        let name = FileName::new(&format!("{}/manifest.json", layout::PROPERTY)).map_err(&failed)?;
        archive.add_bytes(&name, &manifest).map_err(&failed)?;
    }
    layout.each_data_file(|name, path| add_if_there(&mut archive, name, path)).map_err(&failed)?;
    layout.each_stored(|name, path| add_if_there(&mut archive, name, path)).map_err(&failed)?;

    let (out, totals) = archive.finish().map_err(&failed)?;
    let synced = out.out.into_inner().map_err(io::IntoInnerError::into_error).and_then(|mut out| {
        out.flush()?;
        out.sync_all()?;
        Ok(out.metadata()?.len())
    });
    let size = synced.map_err(|error| failed(ArchiveError::writing(&error)))?;
    // A link fails where a file has come meanwhile; renaming would replace it.
    let placed = fs::hard_link(&draft.0, &request.file).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        _ => fs::rename(&draft.0, &request.file),
    });
    placed.and_then(|()| sync_folder(&request.file)).map_err(|error| failed(ArchiveError::writing(&error)))?;
    let database = engine.name();
    Ok(TakenBackup { file: request.file, made_at, size, database, holds_secret: passphrase.is_some(), totals })
}

fn add_file<W: Write>(archive: &mut ArchiveWriter<W>, name: &FileName, mut file: File) -> Result<(), ArchiveError> {
    let read = |e: io::Error| ArchiveError::Read { file: name.to_string(), why: e.to_string() };
    let size = file.metadata().map_err(read)?.len();
    archive.add(name, size, &mut file)
}

/// What was deleted since it was listed belongs in no backup.
fn add_if_there<W: Write>(archive: &mut ArchiveWriter<W>, name: &FileName, path: &Path) -> Result<(), ArchiveError> {
    match File::open(path) {
        Ok(file) => add_file(archive, name, file),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(ArchiveError::Read { file: path.display().to_string(), why: error.to_string() }),
    }
}

/// A new name is on the disk only once its folder is.
pub(super) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
