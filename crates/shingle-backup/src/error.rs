//! What can be wrong with an archive.

use std::io;

use shingle_domain::messages;

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum ArchiveError {
        NotABackup => "this file is not a backup of Shingle",
        CutShort => "the backup ends too early: it was cut short while it was written or copied",
        Damaged { file: String } => "the backup is damaged: {file} is not as it was written",
        Unreadable { why: String } => "the backup cannot be read: {why}",
        NewerFormat { found: u32, known: u32 } =>
            "the backup was made by a newer version of Shingle (its format is {found}, this version reads up to {known})",
        FileName { name: String } => "a file in the backup has a name that is not allowed: {name}",
        NotListed { file: String } => "the backup is damaged: {file} is not in its manifest",
        Missing { file: String } => "the backup is damaged: {file} is missing",
        TooLarge { file: String } => "the backup is damaged: {file} is larger than it can be",
        NotSealed => "the backup holds no secret: it was made without one",
        WrongPassphrase => "the passphrase does not open this backup",
        ShortPassphrase { min: usize } => "the passphrase is too short: it needs at least {min} {min|character|characters}",
        Shrunk { file: String } => "{file} became shorter while it was copied",
        DiskFull => "the disk is full",
        Read { file: String, why: String } => "{file} cannot be read: {why}",
        Write { why: String } => "the file cannot be written: {why}",
        Key => "no key could be made of the passphrase",
        Random => "the system gave no random bytes",
    }
}

impl ArchiveError {
    /// Of the place that is written to.
    pub fn writing(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => Self::DiskFull,
            _ => Self::Write { why: error.to_string() },
        }
    }

    /// Of the archive.
    pub(crate) fn reading(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::CutShort,
            _ => Self::Unreadable { why: error.to_string() },
        }
    }
}

/// What a visitor of the files cannot write.
impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        Self::writing(&error)
    }
}
