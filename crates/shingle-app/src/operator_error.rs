//! An error for the person who runs Shingle: what happened, where, and what to do about it.

use core::fmt;

use percent_encoding::percent_decode_str;
use serde::Serialize;
use shingle_import::ImportError;
use shingle_property::PropertyError;
use shingle_store::{OpenFault, StoreError};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperatorError {
    #[serde(rename = "error")]
    what: String,
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl OperatorError {
    pub fn new(what: impl fmt::Display) -> Self {
        Self { what: what.to_string(), location: None, fix: None }
    }

    /// The file, setting or id that the error is about.
    pub fn at(self, location: impl fmt::Display) -> Self {
        Self { location: Some(location.to_string()), ..self }
    }

    /// What the reader can do about it.
    pub fn fix(self, fix: impl fmt::Display) -> Self {
        Self { fix: Some(fix.to_string()), ..self }
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
        let plain = Self::new(&error);
        match error {
            StoreError::NotFound => Self::new("There is no such record").fix("Find it with the matching list command."),
            StoreError::SecretMismatch => {
                plain.fix("Restore the file `secret` of the data folder, or name it in secret_file.")
            }
            StoreError::Open { ref address, .. } => plain.fix(database_fix(error.open_fault(), address)),
            _ => plain,
        }
    }
}

const ESCAPES: &str = "In its password, write # as %23, / as %2F, ? as %3F, @ as %40 and % as %25.";

/// `address` is without its password.
fn database_fix(fault: OpenFault, address: &str) -> String {
    let url = url::Url::parse(address).ok();
    // As psql takes it, between quotation marks.
    let named = |part: Option<&str>, usual: &str| {
        let part = part.filter(|part| !part.is_empty()).unwrap_or(usual);
        percent_decode_str(part).decode_utf8_lossy().replace('"', "\"\"")
    };
    let role = named(url.as_ref().map(url::Url::username), "ROLE");
    let database = named(url.as_ref().map(|url| url.path().trim_start_matches('/')), "DATABASE");
    match fault {
        OpenFault::TransactionPooler => {
            "Set pool_mode = session for this database in PgBouncer, or name PostgreSQL itself in --database.".into()
        }
        OpenFault::NoRights => format!("In psql, as a superuser: ALTER DATABASE \"{database}\" OWNER TO \"{role}\";"),
        OpenFault::NoDatabase => {
            format!("In psql, as a superuser: CREATE DATABASE \"{database}\" OWNER \"{role}\";")
        }
        OpenFault::Password => format!("Check the role and its password in --database. {ESCAPES}"),
        OpenFault::Unreachable => "Check that the database runs, and its host and port in --database.".into(),
        OpenFault::Tls => {
            "In --database, write sslmode=disable for a database without TLS, or sslrootcert=FILE for one \
                with a certificate of your own authority."
                .into()
        }
        OpenFault::ReadOnly => format!(
            "Name the primary server in --database. If it is that, in psql, as a superuser: \
                ALTER DATABASE \"{database}\" RESET default_transaction_read_only;"
        ),
        OpenFault::Full => format!(
            "Raise max_connections in postgresql.conf. If the role has a limit, in psql, as a superuser: \
                ALTER ROLE \"{role}\" CONNECTION LIMIT -1;"
        ),
        OpenFault::Other if address.starts_with("postgres") || address == "***" => {
            format!("Check --database. {ESCAPES}")
        }
        OpenFault::Other => "Check --database, and that its folder can be written.".into(),
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
