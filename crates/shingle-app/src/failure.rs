//! Why a use case did not do what was asked.

use std::error::Error;

use shingle_domain::Violations;
use shingle_store::StoreError;

use crate::heavy_work::Stopped;
use crate::webhook_record::UnreadableConfig;

#[derive(Debug)]
pub enum Failure {
    /// What was sent breaks rules.
    Invalid(Violations),
    /// There is no such record, or it is another tenant's.
    NotFound,
    /// The token proves nothing any more.
    SessionEnded,
    Store(StoreError),
    /// Our fault: for the log, never for the caller.
    Fault(Box<dyn Error + Send + Sync>),
}

impl Failure {
    pub fn fault(cause: impl Error + Send + Sync + 'static) -> Self {
        Self::Fault(Box::new(cause))
    }
}

impl From<Violations> for Failure {
    fn from(broken: Violations) -> Self {
        Self::Invalid(broken)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Stopped> for Failure {
    fn from(stopped: Stopped) -> Self {
        Self::fault(stopped)
    }
}

impl From<UnreadableConfig> for Failure {
    fn from(error: UnreadableConfig) -> Self {
        Self::fault(error)
    }
}

impl From<getrandom::Error> for Failure {
    fn from(error: getrandom::Error) -> Self {
        Self::fault(error)
    }
}
