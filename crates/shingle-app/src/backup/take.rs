//! `shingle backup FILE|s3://…`.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::pin::pin;

use futures_util::StreamExt as _;
use serde::Serialize;
use shingle_backup::{ArchiveError, ArchiveWriter, FileName, Header, Totals};
use shingle_store::{Blobs, DatabaseCopy, Engine, StoreError, copy_database};
use tokio::runtime::Handle;

use super::SecretKept;
use super::bucket::{Bucket, PartWriter, abort_left_uploads};
use super::layout::{self, Layout, named};
use super::messages::{BackupFault, BackupFix, about, not_read, not_written, taking};
use super::place::BackupPlace;
use super::stop::Stop;
use crate::bucket::{BucketFault, BucketFix};
use crate::installation::{BACKUPS, Installation};
use crate::object_address::ObjectAddress;
use crate::operator_error::OperatorError;

pub struct BackupRequest {
    /// Where the archive goes. Nothing may be there.
    pub place: BackupPlace,
    pub secret: SecretKept,
    /// Set: a backup that is under way fails.
    pub stop: Stop,
}

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TakenBackup {
    #[serde(rename = "file")]
    pub place: BackupPlace,
    pub made_at: String,
    /// Of the file itself.
    pub size: u64,
    pub database: &'static str,
    pub holds_secret: bool,
    #[serde(flatten)]
    pub totals: Totals,
}

/// Of a thread, which nobody can end from outside.
struct UntilStopped<W> {
    out: W,
    stop: Stop,
}

impl<W: Write> Write for UntilStopped<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.stop.is_set() {
            return Err(io::Error::other("the backup was stopped"));
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
    /// Removes what a backup that was killed has left under this name.
    fn beside(file: &Path, end: &str) -> Result<Self, OperatorError> {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{}.{end}", std::process::id()));
        let draft = Self(name.into());
        match fs::remove_file(&draft.0) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(not_written(&draft.0)(error)),
            _ => Ok(draft),
        }
    }

    fn remove(&self) {
        // It may be gone: renamed, or never made.
        let _ = fs::remove_file(&self.0);
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        self.remove();
    }
}

/// Takes a backup while servers run. Everything that was acknowledged before this began is in it.
pub async fn take_backup(context: &Installation, request: BackupRequest) -> Result<TakenBackup, OperatorError> {
    let layout = Layout::of(context)?;
    if !layout.secret.is_file() {
        return Err(about(BackupFault::NoInstallation, layout.data.display(), BackupFix::NameData));
    }
    let place = request.place.clone();
    let taking = Taking { context, layout, request, made_at: context.clock.now().to_string() };
    match place {
        BackupPlace::File(file) => taking.into_file(file).await,
        BackupPlace::Object(address) => taking.into_bucket(address).await,
    }
}

struct Taking<'a> {
    context: &'a Installation,
    layout: Layout,
    request: BackupRequest,
    made_at: String,
}

impl Taking<'_> {
    async fn into_file(self, file: PathBuf) -> Result<TakenBackup, OperatorError> {
        if fs::symlink_metadata(&file).is_ok() {
            return Err(about(BackupFault::FileExists, file.display(), BackupFix::OtherName));
        }
        if self.layout.would_back_up(&file) {
            return Err(about(BackupFault::InsideData, file.display(), BackupFix::Outside));
        }
        self.layout.make_own_folder_of(&file).map_err(not_written(&file))?;
        let archive = Draft::beside(&file, "new")?;
        // Tells of a place that cannot be written before the database is copied.
        let out = File::create_new(&archive.0).map_err(not_written(&file))?;
        let contents = self.contents(Draft::beside(&file, "database")?).await?;
        let work = move || {
            let failed = taking(&contents.place);
            let (out, totals) = contents.write(BufWriter::new(out))?;
            let size = keep_file(out, &archive, &file).map_err(|error| failed(ArchiveError::writing(&error)))?;
            Ok(contents.taken(size, totals))
        };
        tokio::task::spawn_blocking(work).await.map_err(OperatorError::text)?
    }

    async fn into_bucket(self, address: ObjectAddress) -> Result<TakenBackup, OperatorError> {
        let (settings, stop) = (&self.context.settings, self.request.stop.clone());
        let bucket = Bucket::open(settings, &address.bucket)?;
        // Tells of a wrong key and of a missing bucket before the database is copied.
        if bucket.holds(&address).await? {
            return Err(OperatorError::new(BucketFault::ObjectExists).at(&address).fix(BucketFix::OtherName));
        }
        let own = self.layout.data.join(BACKUPS);
        fs::create_dir_all(&own).map_err(not_written(&own))?;
        abort_left_uploads(settings, &own).await?;
        let database = Draft::beside(&own.join(address.name()), "database")?;
        let contents = self.contents(database).await?;
        let (out, mut pieces) = PartWriter::new();
        let work = move || {
            let failed = taking(&contents.place);
            let (out, totals) = contents.write(out)?;
            out.finish().map_err(|error| failed(ArchiveError::writing(&error)))?;
            Ok::<_, OperatorError>((contents, totals))
        };
        let written = tokio::task::spawn_blocking(work);
        let uploaded = bucket.upload(&address, &mut pieces, &own, &stop).await;
        drop(pieces);
        let written = written.await.map_err(OperatorError::text)?;
        // Where the upload failed, the archive failed only because nobody took it.
        let size = uploaded?;
        let (contents, totals) = written?;
        let size = size.ok_or_else(|| OperatorError::new(BucketFault::Stopped).at(&address))?;
        Ok(contents.taken(size, totals))
    }

    /// With the database as of now.
    async fn contents(self, database: Draft) -> Result<Contents, OperatorError> {
        let Self { context, layout, request, made_at } = self;
        let (place, from) = (request.place, context.database());
        let copy = tokio::select! {
            copy = copy_database(&from, &database.0) => copy,
            () = request.stop.wait() => return Err(OperatorError::new(BucketFault::Stopped).at(place)),
        };
        let copy = copy.map_err(|error| not_copied(error, &place))?;
        Ok(Contents {
            objects: layout.storage.objects(&context.settings)?,
            runtime: Handle::current(),
            settings: context.settings_file.clone(),
            layout,
            place,
            secret: request.secret,
            stop: request.stop,
            copy,
            database,
            made_at,
        })
    }
}

/// Onto the disk, and under its name.
fn keep_file(out: BufWriter<File>, draft: &Draft, file: &Path) -> io::Result<u64> {
    let mut out = out.into_inner().map_err(io::IntoInnerError::into_error)?;
    out.flush()?;
    out.sync_all()?;
    let size = out.metadata()?.len();
    // A link fails where a file has come meanwhile; renaming would replace it.
    fs::hard_link(&draft.0, file).or_else(|error| match error.kind() {
        ErrorKind::AlreadyExists => Err(error),
        _ => fs::rename(&draft.0, file),
    })?;
    sync_folder(file)?;
    Ok(size)
}

fn not_copied(error: StoreError, place: &BackupPlace) -> OperatorError {
    let is_full = match &error {
        // SQLite says so of the copy; the database itself is only read.
        StoreError::Database(error) => error.to_string().contains("disk is full"),
        StoreError::ProgramFailed { why, .. } => why.contains("No space left on device"),
        _ => false,
    };
    match error {
        _ if is_full => about(BackupFault::DiskFull, place, BackupFix::MakeRoom),
        StoreError::NoDatabase(database) => about(BackupFault::NoInstallation, database, BackupFix::NameData),
        StoreError::ProgramMissing(_) => OperatorError::from(error).fix(BackupFix::InstallClient),
        error => OperatorError::from(error).at(place),
    }
}

/// What an archive is made of.
struct Contents {
    layout: Layout,
    /// Of a storage in a bucket.
    objects: Option<Blobs>,
    runtime: Handle,
    place: BackupPlace,
    secret: SecretKept,
    stop: Stop,
    settings: Option<PathBuf>,
    copy: DatabaseCopy,
    database: Draft,
    made_at: String,
}

impl Contents {
    fn write<W: Write>(&self, out: W) -> Result<(W, Totals), OperatorError> {
        let (layout, failed) = (&self.layout, taking(&self.place));
        let passphrase = match &self.secret {
            SecretKept::Sealed(passphrase) => Some(passphrase),
            SecretKept::LeftOut => None,
        };
        let (engine, name) = match self.copy.engine {
            Engine::Sqlite => (shingle_backup::Engine::Sqlite, layout::SQLITE),
            Engine::Postgres => (shingle_backup::Engine::Postgres, layout::POSTGRES),
        };
        let DatabaseCopy { schema, secret_check, .. } = &self.copy;
        let header = Header::new(env!("CARGO_PKG_VERSION"), engine, *schema, &self.made_at, secret_check);
        let out = UntilStopped { out, stop: self.stop.clone() };
        let mut archive = ArchiveWriter::new(out, header, passphrase).map_err(&failed)?;
        if passphrase.is_some() {
            // After the copy: the file only grows, so it has every key that the copy needs.
            let secret = fs::read(&layout.secret).map_err(not_read(&layout.secret))?;
            archive.add_sealed(&FileName::sealed(layout::SECRET).map_err(&failed)?, &secret).map_err(&failed)?;
            if let Some(settings) = &self.settings {
                let text = fs::read(settings).map_err(not_read(settings))?;
                archive.add_sealed(&FileName::sealed(layout::SETTINGS).map_err(&failed)?, &text).map_err(&failed)?;
            }
        }
        let taken = File::open(&self.database.0).map_err(not_read(&self.database.0))?;
        add_file(&mut archive, &FileName::new(name).map_err(&failed)?, taken).map_err(&failed)?;
        self.database.remove();

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
        if let Some(folder) = layout.storage.folder() {
            Layout::each_stored(folder, |name, path| add_if_there(&mut archive, name, path)).map_err(&failed)?;
        }
        if let Some(objects) = &self.objects {
            self.add_stored_objects(objects, &mut archive)?;
        }

        let (out, totals) = archive.finish().map_err(&failed)?;
        Ok((out.out, totals))
    }

    /// On a thread that may wait.
    fn add_stored_objects<W: Write>(
        &self,
        objects: &Blobs,
        archive: &mut ArchiveWriter<W>,
    ) -> Result<(), OperatorError> {
        let failed = taking(&self.place);
        let mut names = pin!(objects.names());
        while let Some(name) = self.runtime.block_on(names.next()) {
            let name = name?;
            // What was erased since it was listed belongs in no backup.
            let Some(blob) = self.runtime.block_on(objects.get(&name))? else { continue };
            let stored = FileName::new(&format!("{}/{name}", layout::STORAGE)).map_err(&failed)?;
            archive.add_bytes(&stored, &blob.bytes).map_err(&failed)?;
        }
        Ok(())
    }

    fn taken(self, size: u64, totals: Totals) -> TakenBackup {
        let holds_secret = matches!(self.secret, SecretKept::Sealed(_));
        let database = match self.copy.engine {
            Engine::Sqlite => shingle_backup::Engine::Sqlite.name(),
            Engine::Postgres => shingle_backup::Engine::Postgres.name(),
        };
        TakenBackup { place: self.place, made_at: self.made_at, size, database, holds_secret, totals }
    }
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
