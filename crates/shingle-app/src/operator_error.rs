//! An error for the person who runs Shingle: what happened, where, and what to do about it.

use core::fmt;

use percent_encoding::percent_decode_str;
use serde::{Serialize, Serializer};
use shingle_domain::message::{Message, ToMessage};
use shingle_domain::messages;
use shingle_import::ImportError;
use shingle_property::PropertyError;
use shingle_store::{OpenFault, StoreError};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperatorError {
    #[serde(rename = "error", serialize_with = "in_english")]
    pub what: Box<Message>,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none", serialize_with = "some_in_english")]
    pub fix: Option<Box<Message>>,
}

fn in_english<S: Serializer>(message: &Message, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(message)
}

fn some_in_english<S: Serializer>(message: &Option<Box<Message>>, to: S) -> Result<S::Ok, S::Error> {
    message.as_ref().map(ToString::to_string).serialize(to)
}

impl OperatorError {
    pub fn new(what: impl ToMessage) -> Self {
        Self { what: Box::new(what.to_message()), location: None, fix: None }
    }

    /// In English only: what another library says, or the command line alone.
    pub fn text(what: impl fmt::Display) -> Self {
        Self::new(what.to_string())
    }

    /// The file, setting or id that the error is about.
    pub fn at(self, location: impl fmt::Display) -> Self {
        Self { location: Some(location.to_string()), ..self }
    }

    /// What the reader can do about it.
    pub fn fix(self, fix: impl ToMessage) -> Self {
        Self { fix: Some(Box::new(fix.to_message())), ..self }
    }
}

impl fmt::Display for OperatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        if let Some(location) = &self.location {
            write!(f, "\n  where: {location}")?;
        }
        if let Some(fix) = &self.fix {
            write!(f, "\n  try:   {fix}")?;
        }
        Ok(())
    }
}

impl std::error::Error for OperatorError {}

impl From<StoreError> for OperatorError {
    fn from(error: StoreError) -> Self {
        let plain = Self::new(error.to_message());
        match error {
            StoreError::NotFound => Self::new(StoreFault::NotFound).fix(StoreFix::Find),
            StoreError::SecretMismatch => plain.fix(StoreFix::Secret),
            StoreError::Open { ref address, .. } => plain.fix(database_fix(error.open_fault(), address)),
            _ => plain,
        }
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum StoreFault {
        NotFound => "There is no such record",
    }
}

messages! {
    /// What to do about an error of the store.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum StoreFix {
        Find => "Find it with the matching list command.",
        Secret => "Restore the file `secret` of the data folder, or name it in secret_file.",
        Newer =>
            "Start the version that was used last, or a newer one. To go back, restore a backup that was made before the \
             upgrade.",
        NoCopy => "Make room in the folder `backups` of the data folder and start again. Nothing was changed.",
        Pooler =>
            "Set pool_mode = session for this database in PgBouncer, or name PostgreSQL itself in --database.",
        Owner { database: String, role: String } =>
            "In psql, as a superuser: ALTER DATABASE \"{database}\" OWNER TO \"{role}\";",
        Create { database: String, role: String } =>
            "In psql, as a superuser: CREATE DATABASE \"{database}\" OWNER \"{role}\";",
        Password =>
            "Check the role and its password in --database. In its password, write # as %23, / as %2F, ? as %3F, @ as \
             %40 and % as %25.",
        Start => "Check that the database runs, and its host and port in --database.",
        Tls =>
            "In --database, write sslmode=disable for a database without TLS, or sslrootcert=FILE for one with a \
             certificate of your own authority.",
        Primary { database: String } =>
            "Name the primary server in --database. If it is that, in psql, as a superuser: ALTER DATABASE \
             \"{database}\" RESET default_transaction_read_only;",
        Connections { role: String } =>
            "Raise max_connections in postgresql.conf. If the role has a limit, in psql, as a superuser: ALTER ROLE \
             \"{role}\" CONNECTION LIMIT -1;",
        Address =>
            "Check --database. In its password, write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.",
        Folder => "Check --database, and that its folder can be written.",
    }
}

/// `address` is without its password.
fn database_fix(fault: OpenFault, address: &str) -> StoreFix {
    let url = url::Url::parse(address).ok();
    // As psql takes it, between quotation marks.
    let named = |part: Option<&str>, usual: &str| {
        let part = part.filter(|part| !part.is_empty()).unwrap_or(usual);
        percent_decode_str(part).decode_utf8_lossy().replace('"', "\"\"")
    };
    let role = named(url.as_ref().map(url::Url::username), "ROLE");
    let database = named(url.as_ref().map(|url| url.path().trim_start_matches('/')), "DATABASE");
    match fault {
        OpenFault::TransactionPooler => StoreFix::Pooler,
        OpenFault::Newer => StoreFix::Newer,
        OpenFault::NoCopy => StoreFix::NoCopy,
        OpenFault::NoRights => StoreFix::Owner { database, role },
        OpenFault::NoDatabase => StoreFix::Create { database, role },
        OpenFault::Password => StoreFix::Password,
        OpenFault::Unreachable => StoreFix::Start,
        OpenFault::Tls => StoreFix::Tls,
        OpenFault::ReadOnly => StoreFix::Primary { database },
        OpenFault::Full => StoreFix::Connections { role },
        OpenFault::Other if address.starts_with("postgres") || address == "***" => StoreFix::Address,
        OpenFault::Other => StoreFix::Folder,
    }
}

impl From<ImportError> for OperatorError {
    fn from(error: ImportError) -> Self {
        // Its text names the file and what to do.
        Self::new(error)
    }
}

impl From<PropertyError> for OperatorError {
    fn from(error: PropertyError) -> Self {
        // Its message names the file and the fix.
        Self::new(error)
    }
}
