//! The errors of the store. HTTP statuses are assigned elsewhere.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use shingle_domain::message::{Message, ToMessage};
use shingle_domain::{KeyId, messages};
use sqlx::migrate::MigrateError;

messages! {
    /// Why a look-up may not be made. In the order of the contract, which is the order of the checks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Refusal {
        Paused => "the account is paused",
        ProductOff => "the product is not switched on",
        LimitReached => "the monthly limit is reached",
        NoBalance => "the balance does not cover the price",
    }
}

/// These messages hold no personal data and no password.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreError {
    /// It does not exist, or it belongs to another tenant.
    NotFound,
    /// A widget with this id already exists, no matter who owns it.
    AlreadyExists,
    MadeBefore,
    /// Somebody has changed it since it was read.
    Changed,
    /// The `Idempotency-Key` was used before, for a different request.
    KeyReused,
    /// The key is revoked or has expired: it cannot be replaced.
    KeyEnded,
    /// The key was replaced before.
    KeyReplaced(KeyId),
    /// Nobody else of the account may invite people.
    LastOwner,
    /// Nothing would be left by which this person could sign in.
    LastWayIn,
    /// The process is stopping.
    GivenUp,
    /// The transaction that this shared with others.
    Together(Arc<StoreError>),
    Refused(Refusal),
    TooMany {
        max: usize,
    },
    /// What the company has confirmed is not replaced by another wish.
    InspectionConfirmed,
    /// The owner answers a request that nobody made.
    NoInspection,
    /// A request cannot be declined while an inspection is booked for it.
    InspectionBooked,
    /// Somebody else has changed it since it was read.
    Outdated,
    /// The lead was merged into another one, which is the one to change.
    Merged,
    /// An encrypted text that this installation's secret does not open.
    Cipher,
    /// The secret file of this machine is older than the database.
    MissingKey(u16),
    /// A text holds a NUL character, which not every database can store.
    Nul,
    /// The amount would overdraw or overflow the account.
    Amount,
    /// A cursor that this store did not make.
    Cursor,
    DatabaseAddress(String),
    StorageAddress(String),
    /// Names of blobs are plain words between slashes, the last with a file extension.
    BlobName,
    Open {
        address: String,
        source: Box<dyn Error + Send + Sync>,
    },
    /// A new file is made with its tables; an empty one has lost them.
    EmptyFile(String),
    /// There is no database to copy.
    NoDatabase(String),
    /// A program of PostgreSQL's client.
    ProgramMissing(&'static str),
    ProgramFailed {
        program: &'static str,
        why: String,
    },
    /// The hashes of the keys were made with another secret: none would match.
    SecretMismatch,
    SecretFile {
        path: String,
        source: std::io::Error,
    },
    SecretForm,
    /// A stored record that this version cannot read.
    Unreadable {
        what: &'static str,
        id: String,
        reason: String,
    },
    Database(sqlx::Error),
    Storage(object_store::Error),
    Consent(shingle_consent::ConsentError),
    Random(getrandom::Error),
    Json(serde_json::Error),
}

messages! {
    /// What a [`StoreError`] says.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum StoreMessage {
        NotFound => "not found",
        AlreadyExists => "the id is taken",
        MadeBefore => "this request was carried out before",
        Changed => "it was changed meanwhile",
        KeyReused => "the idempotency key belongs to a different request",
        KeyEnded => "the key is no longer live",
        KeyReplaced { key: String } => "the key was replaced by {key}",
        LastOwner => "the account would have no owner",
        LastWayIn => "the user could no longer sign in",
        GivenUp => "the transaction was given up",
        TooMany { max: usize } => "there are {max} already",
        InspectionConfirmed => "the visit is confirmed",
        NoInspection => "no visit was asked for",
        InspectionBooked => "an inspection is booked",
        Outdated => "it was changed meanwhile",
        Merged => "the lead was merged into another one",
        Cipher => "an encrypted text cannot be read",
        MissingKey { key: u16 } => "the secret file has no key {key}: copy the newest secret file to this machine",
        Nul => "a text holds a NUL character",
        Amount => "the balance would fall below zero or exceed its maximum",
        Cursor => "the cursor is not one of this list",
        DatabaseAddress { address: String } =>
            "`{address}` is not a database address: use sqlite://PATH or postgres://USER@HOST/NAME",
        StorageAddress { address: String } => "`{address}` is not a storage address: use a folder, file:///FOLDER or s3://BUCKET/FOLDER",
        BlobName => "not a name for a blob",
        Open { address: String, source: Message } => "cannot open the database {address}: {source}",
        EmptyFile { file: String } =>
            "the database file {file} has no content: put back a copy of it, or delete it to begin a new installation",
        NoDatabase { file: String } => "there is no database {file}",
        ProgramMissing { program: &'static str } => "{program} is not installed here, or not on the path",
        ProgramFailed { program: &'static str, why: String } => "{program} failed: {why}",
        SecretMismatch => "the database was written with another installation secret; put the old secret file back",
        SecretFile { path: String, source: String } => "cannot read or write the installation secret {path}: {source}",
        SecretForm =>
            "the installation secret must be 64 hexadecimal digits, and on each further line a rising number from 2 on and \
             64 digits",
        Unreadable { what: &'static str, id: String, reason: String } => "the stored {what} {id} cannot be read: {reason}",
        Database { why: String } => "the database failed: {why}",
        Storage { why: String } => "the storage failed: {why}",
        Consent { why: String } => "a consent could not be recorded: {why}",
        Random { why: String } => "the system gave no random bytes: {why}",
        Json { why: String } => "a record could not be written as JSON: {why}",
    }
}

impl ToMessage for StoreError {
    fn to_message(&self) -> Message {
        let said = match self {
            Self::Together(cause) => return cause.to_message(),
            Self::Refused(refusal) => return refusal.to_message(),
            Self::NotFound => StoreMessage::NotFound,
            Self::AlreadyExists => StoreMessage::AlreadyExists,
            Self::MadeBefore => StoreMessage::MadeBefore,
            Self::Changed => StoreMessage::Changed,
            Self::KeyReused => StoreMessage::KeyReused,
            Self::KeyEnded => StoreMessage::KeyEnded,
            Self::KeyReplaced(key) => StoreMessage::KeyReplaced { key: key.to_string() },
            Self::LastOwner => StoreMessage::LastOwner,
            Self::LastWayIn => StoreMessage::LastWayIn,
            Self::GivenUp => StoreMessage::GivenUp,
            Self::TooMany { max } => StoreMessage::TooMany { max: *max },
            Self::InspectionConfirmed => StoreMessage::InspectionConfirmed,
            Self::NoInspection => StoreMessage::NoInspection,
            Self::InspectionBooked => StoreMessage::InspectionBooked,
            Self::Outdated => StoreMessage::Outdated,
            Self::Merged => StoreMessage::Merged,
            Self::Cipher => StoreMessage::Cipher,
            Self::MissingKey(key) => StoreMessage::MissingKey { key: *key },
            Self::Nul => StoreMessage::Nul,
            Self::Amount => StoreMessage::Amount,
            Self::Cursor => StoreMessage::Cursor,
            Self::DatabaseAddress(address) => StoreMessage::DatabaseAddress { address: address.to_string() },
            Self::StorageAddress(address) => StoreMessage::StorageAddress { address: address.to_string() },
            Self::BlobName => StoreMessage::BlobName,
            Self::Open { address, source } => {
                StoreMessage::Open { address: address.clone(), source: why_not_opened(&**source) }
            }
            Self::EmptyFile(file) => StoreMessage::EmptyFile { file: file.to_string() },
            Self::NoDatabase(file) => StoreMessage::NoDatabase { file: file.clone() },
            &Self::ProgramMissing(program) => StoreMessage::ProgramMissing { program },
            Self::ProgramFailed { program, why } => StoreMessage::ProgramFailed { program, why: why.clone() },
            Self::SecretMismatch => StoreMessage::SecretMismatch,
            Self::SecretFile { path, source } => {
                StoreMessage::SecretFile { path: path.clone(), source: source.to_string() }
            }
            Self::SecretForm => StoreMessage::SecretForm,
            Self::Unreadable { what, id, reason } => {
                StoreMessage::Unreadable { what, id: id.clone(), reason: reason.clone() }
            }
            Self::Database(why) => StoreMessage::Database { why: why.to_string() },
            Self::Storage(why) => StoreMessage::Storage { why: why.to_string() },
            Self::Consent(why) => StoreMessage::Consent { why: why.to_string() },
            Self::Random(why) => StoreMessage::Random { why: why.to_string() },
            Self::Json(why) => StoreMessage::Json { why: why.to_string() },
        };
        said.to_message()
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Together(cause) => cause.source(),
            Self::Open { source, .. } => Some(&**source),
            Self::SecretFile { source, .. } => Some(source),
            Self::Database(error) => Some(error),
            Self::Storage(error) => Some(error),
            Self::Consent(error) => Some(error),
            Self::Json(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Refusal> for StoreError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<object_store::Error> for StoreError {
    fn from(error: object_store::Error) -> Self {
        Self::Storage(error)
    }
}

impl From<shingle_consent::ConsentError> for StoreError {
    fn from(error: shingle_consent::ConsentError) -> Self {
        Self::Consent(error)
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

messages! {
    /// What was found out about a database that cannot be opened.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum OpenProblem {
        /// PgBouncer and its like in transaction or statement mode.
        TransactionPooler =>
            "a connection pooler in transaction mode is in front of the database, which cannot keep prepared statements \
             and locks apart",
        /// This version must not touch tables that it does not know.
        Newer { found: i64, known: i64 } =>
            "a newer version of Shingle has changed its tables (change {found}; this version knows {known})",
        NoCopy { why: String } =>
            "its tables change with this version, and no copy of the database could be made before: {why}",
        CutShort => "the address ends within its password, which holds a character of addresses",
    }
}

fn why_not_opened(source: &(dyn Error + Send + Sync + 'static)) -> Message {
    source.downcast_ref::<OpenProblem>().map_or_else(|| Message::Text(source.to_string()), ToMessage::to_message)
}

/// What keeps a database from being opened, as far as it can be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenFault {
    /// A pooler in transaction mode.
    TransactionPooler,
    /// A newer version has changed the tables.
    Newer,
    /// No copy could be made before the tables change.
    NoCopy,
    /// The role may not make tables there.
    NoRights,
    /// Wrong name or password.
    Password,
    /// There is no such database, and the role may not make it.
    NoDatabase,
    /// Nobody answers there.
    Unreachable,
    /// It has no TLS, or none that is accepted.
    Tls,
    /// A replica, or a database that is set to be read only.
    ReadOnly,
    /// It takes no more connections: of this role, or of anybody.
    Full,
    Other,
}

impl StoreError {
    /// The database does not answer, for now: another try may succeed.
    pub fn is_outage(&self) -> bool {
        /// Shutdown, crash, start, too many connections, and a transaction that the server gave up.
        const CODES: [&str; 5] = ["57P01", "57P02", "57P03", "53300", "25P03"];
        match self {
            Self::Together(cause) => cause.is_outage(),
            Self::Database(sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_)) => true,
            // A connection that ends in its first moment: sqlx takes the end for an answer.
            Self::Database(sqlx::Error::Protocol(_)) => true,
            Self::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|c| CODES.contains(&c.as_ref())),
            // A bucket that is away. What a folder does not give is no outage.
            Self::Storage(
                object_store::Error::Generic { store: "S3", .. }
                | object_store::Error::PermissionDenied { .. }
                | object_store::Error::Unauthenticated { .. },
            ) => true,
            _ => false,
        }
    }

    /// For [`StoreError::Open`].
    pub fn open_fault(&self) -> OpenFault {
        let Self::Open { source, .. } = self else { return OpenFault::Other };
        match source.downcast_ref() {
            Some(OpenProblem::TransactionPooler) => return OpenFault::TransactionPooler,
            Some(OpenProblem::Newer { .. }) => return OpenFault::Newer,
            Some(OpenProblem::NoCopy { .. }) => return OpenFault::NoCopy,
            Some(OpenProblem::CutShort) | None => {}
        }
        let of_database = |error: &sqlx::Error| match error {
            sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut => OpenFault::Unreachable,
            sqlx::Error::Tls(_) => OpenFault::Tls,
            sqlx::Error::Database(error) => match error.code().as_deref() {
                Some("25006") => OpenFault::ReadOnly,
                Some("53300") => OpenFault::Full,
                Some("42501") => OpenFault::NoRights,
                Some("28P01" | "28000") => OpenFault::Password,
                Some("3D000") => OpenFault::NoDatabase,
                _ => OpenFault::Other,
            },
            _ => OpenFault::Other,
        };
        match (source.downcast_ref::<sqlx::Error>(), source.downcast_ref::<MigrateError>()) {
            (Some(error), _) | (_, Some(MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _))) => {
                of_database(error)
            }
            _ => OpenFault::Other,
        }
    }
}
