//! The errors of the store. HTTP statuses are assigned elsewhere.

use std::sync::Arc;

use shingle_domain::KeyId;
use sqlx::migrate::MigrateError;

/// Why a look-up may not be made. In the order of the contract, which is the order of the checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Refusal {
    #[error("the account is paused")]
    Paused,
    #[error("the product is not switched on")]
    ProductOff,
    #[error("the monthly limit is reached")]
    LimitReached,
    #[error("the balance does not cover the price")]
    NoBalance,
}

/// These messages hold no personal data and no password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It does not exist, or it belongs to another tenant.
    #[error("not found")]
    NotFound,
    /// A widget with this id already exists, no matter who owns it.
    #[error("the id is taken")]
    AlreadyExists,
    #[error("this request was carried out before")]
    MadeBefore,
    /// Somebody has changed it since it was read.
    #[error("it was changed meanwhile")]
    Changed,
    /// The `Idempotency-Key` was used before, for a different request.
    #[error("the idempotency key belongs to a different request")]
    KeyReused,
    /// The key is revoked or has expired: it cannot be replaced.
    #[error("the key is no longer live")]
    KeyEnded,
    /// The key was replaced before.
    #[error("the key was replaced by {0}")]
    KeyReplaced(KeyId),
    /// Nobody else of the account may invite people.
    #[error("the account would have no owner")]
    LastOwner,
    /// Nothing would be left by which this person could sign in.
    #[error("the user could not sign in any more")]
    LastWayIn,
    /// The process is stopping.
    #[error("the transaction was given up")]
    GivenUp,
    /// The transaction that this shared with others.
    #[error(transparent)]
    Together(Arc<StoreError>),
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error("there are {max} already")]
    TooMany { max: usize },
    /// What the company has confirmed is not replaced by another wish.
    #[error("the visit is confirmed")]
    InspectionConfirmed,
    /// The owner answers a request that nobody made.
    #[error("no visit was asked for")]
    NoInspection,
    /// Somebody else has changed it since it was read.
    #[error("it was changed meanwhile")]
    Outdated,
    /// An encrypted text that this installation's secret does not open.
    #[error("an encrypted text cannot be read")]
    Cipher,
    /// The secret file of this machine is older than the database.
    #[error("the secret file has no key {0}: copy the newest secret file to this machine")]
    MissingKey(u16),
    /// A text holds a NUL character, which not every database can store.
    #[error("a text holds a NUL character")]
    Nul,
    /// The amount would overdraw or overflow the account.
    #[error("the balance would fall below zero or exceed its maximum")]
    Amount,
    /// A cursor that this store did not make.
    #[error("the cursor is not one of this list")]
    Cursor,
    #[error("`{0}` is not a database address: use sqlite://PATH or postgres://USER@HOST/NAME")]
    DatabaseAddress(String),
    #[error("`{0}` is not a storage address: use a folder or file:///FOLDER")]
    StorageAddress(String),
    /// Names of blobs are plain words between slashes, the last with a file extension.
    #[error("not a name for a blob")]
    BlobName,
    #[error("cannot open the database {address}: {source}")]
    Open { address: String, source: Box<dyn std::error::Error + Send + Sync> },
    /// A new file is made with its tables; an empty one has lost them.
    #[error("the database file {0} is empty: put back a copy of it, or delete it to begin a new installation")]
    EmptyFile(String),
    /// The hashes of the keys were made with another secret: none would match.
    #[error("the database was written with another installation secret; put the old secret file back")]
    SecretMismatch,
    #[error("cannot read or write the installation secret {path}: {source}")]
    SecretFile { path: String, source: std::io::Error },
    #[error(
        "the installation secret must be 64 hexadecimal digits, and on each further line a rising number from 2 on and 64 digits"
    )]
    SecretForm,
    /// A stored record that this version cannot read.
    #[error("the stored {what} {id} cannot be read: {reason}")]
    Unreadable { what: &'static str, id: String, reason: String },
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error("the storage failed: {0}")]
    Storage(#[from] object_store::Error),
    #[error("a consent could not be recorded: {0}")]
    Consent(#[from] shingle_consent::ConsentError),
    #[error("the system gave no random bytes: {0}")]
    Random(getrandom::Error),
    #[error("a record could not be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

/// PgBouncer and its like in transaction or statement mode.
#[derive(Debug, thiserror::Error)]
#[error(
    "a connection pooler in transaction mode stands before the database, which cannot keep prepared statements and locks apart"
)]
pub(crate) struct TransactionPooler;

#[derive(Debug, thiserror::Error)]
#[error("the address ends within its password, which holds a character of addresses")]
pub(crate) struct CutShort;

/// What keeps a database from being opened, as far as it can be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenFault {
    /// A pooler in transaction mode.
    TransactionPooler,
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
            Self::Database(sqlx::Error::Database(error)) => error.code().is_some_and(|c| CODES.contains(&c.as_ref())),
            _ => false,
        }
    }

    /// For [`StoreError::Open`].
    pub fn open_fault(&self) -> OpenFault {
        let Self::Open { source, .. } = self else { return OpenFault::Other };
        if source.is::<TransactionPooler>() {
            return OpenFault::TransactionPooler;
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
