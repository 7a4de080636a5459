use std::io;

use shingle_backup::{ArchiveError, Header};
use shingle_domain::messages;
use shingle_store::newest_schema;

use super::place::BackupPlace;
use crate::operator_error::OperatorError;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BackupFault {
        NoInstallation => "There is nothing to back up: no installation is here",
        NoPassphrase => "The backup needs a passphrase, with which it locks the secret",
        FileExists => "There is a file of that name already",
        InsideData => "The backup would be inside the folder that it backs up",
        NotRead { why: String } => "The file cannot be read: {why}",
        NotWritten { why: String } => "The file cannot be written: {why}",
        DiskFull => "The disk is full, so nothing was kept of the backup",
        DiskFullRestoring => "The disk is full, so nothing was restored",
        Archive { why: ArchiveError } => "The backup cannot be used: {why}",
        Taking { why: ArchiveError } => "The backup failed: {why}",
        NotEmpty => "A restore needs an empty folder, and something is in this one",
        Live => "An installation is in this folder, which a restore would replace",
        Unfinished => "A restore into this folder was interrupted, so not everything is there",
        Busy => "Another restore into this folder is running",
        DatabaseInUse => "The database has tables already, which a restore would replace",
        OtherEngine { made: &'static str, here: &'static str } =>
            "The backup is of {made}, and the database here is {here}",
        NewerTables { program: String, found: i64, known: i64 } =>
            "The backup was made by a newer version of Shingle, {program} (change {found} of the tables; this version knows {known})",
        WithoutSecret => "The backup was made without the secret, and no secret file was named",
        OtherSecret => "The secret is not the one of this backup, so nobody could read its leads",
        NoDatabase => "The backup holds no database",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BackupFix {
        NameData => "Name the data folder with --data, or the settings file with --config.",
        Passphrase =>
            "Name a file that holds it with --passphrase-file, or set backup_passphrase (SHINGLE_BACKUP_PASSPHRASE). \
             Use --without-secret to leave the secret out; then keep a copy of it elsewhere.",
        RestorePassphrase =>
            "Name a file that holds the passphrase with --passphrase-file, or set backup_passphrase \
             (SHINGLE_BACKUP_PASSPHRASE).",
        LongerPassphrase => "Use several words.",
        OtherName => "Choose another name, or move the file away.",
        Outside => "Choose a place outside of the data folder, or in its folder `backups`.",
        Path => "Check the path, and that this user may read the file.",
        WritePath => "Check the path, and that this user may write there.",
        MakeRoom => "Make room, or choose another disk.",
        OtherCopy => "Use another copy of the backup, or an earlier backup.",
        Upgrade => "Install that version or a newer one, and restore with it.",
        EmptyFolder => "Name an empty folder or a new one with --data.",
        EmptyBucketFolder => "Name an empty folder of the bucket in `storage`.",
        EmptyAll => "Empty this folder, and the database if it is of PostgreSQL, and restore again.",
        EmptyDatabase => "Name an empty database or a new one with --database.",
        MatchEngine { address: &'static str } => "Name a database of the same kind with --database: {address}.",
        NameSecret => "Name the secret file that was kept elsewhere with --secret-file.",
        RightSecret => "Find the secret file that was in use when the backup was made, and name it with --secret-file.",
        InstallClient =>
            "Install PostgreSQL's client programs of the server's version (Debian: postgresql-client), or use your provider's \
             backups and keep the data folder beside them.",
        WaitForRestore => "Wait for it to end, or stop it.",
    }
}

/// An error about a file.
pub(super) fn about(fault: BackupFault, place: impl std::fmt::Display, fix: BackupFix) -> OperatorError {
    OperatorError::new(fault).at(place).fix(fix)
}

pub(super) fn not_read(place: &std::path::Path) -> impl FnOnce(io::Error) -> OperatorError + use<> {
    let place = place.display().to_string();
    move |error| about(BackupFault::NotRead { why: error.to_string() }, place, BackupFix::Path)
}

pub(super) fn not_written(place: &std::path::Path) -> impl FnOnce(io::Error) -> OperatorError + use<> {
    unwritten(place, BackupFault::DiskFull)
}

pub(super) fn not_restored(place: &std::path::Path) -> impl FnOnce(io::Error) -> OperatorError + use<> {
    unwritten(place, BackupFault::DiskFullRestoring)
}

fn unwritten(place: &std::path::Path, full: BackupFault) -> impl FnOnce(io::Error) -> OperatorError + use<> {
    let place = place.display().to_string();
    move |error| match ArchiveError::writing(&error) {
        ArchiveError::DiskFull => about(full, place, BackupFix::MakeRoom),
        _ => about(BackupFault::NotWritten { why: error.to_string() }, place, BackupFix::WritePath),
    }
}

/// Of an archive that is read.
impl From<ArchiveError> for OperatorError {
    fn from(why: ArchiveError) -> Self {
        let fix = match &why {
            ArchiveError::DiskFull => return Self::new(BackupFault::DiskFullRestoring).fix(BackupFix::MakeRoom),
            ArchiveError::NewerFormat { .. } => BackupFix::Upgrade,
            ArchiveError::WrongPassphrase | ArchiveError::NotSealed => BackupFix::RestorePassphrase,
            ArchiveError::ShortPassphrase { .. } => return Self::new(why).fix(BackupFix::LongerPassphrase),
            ArchiveError::NotABackup => BackupFix::Path,
            _ => BackupFix::OtherCopy,
        };
        Self::new(BackupFault::Archive { why }).fix(fix)
    }
}

/// Of an archive that is written.
pub(super) fn taking(place: &BackupPlace) -> impl Fn(ArchiveError) -> OperatorError + use<> {
    let place = place.to_string();
    move |why| match why {
        ArchiveError::DiskFull => about(BackupFault::DiskFull, &place, BackupFix::MakeRoom),
        why => about(BackupFault::Taking { why }, &place, BackupFix::WritePath),
    }
}

/// This version must not touch tables that it does not know.
pub(super) fn refuse_newer_tables(header: &Header) -> Result<(), OperatorError> {
    let (program, found, known) = (header.program.clone(), header.schema, newest_schema());
    if found > known {
        return Err(OperatorError::new(BackupFault::NewerTables { program, found, known }).fix(BackupFix::Upgrade));
    }
    Ok(())
}
