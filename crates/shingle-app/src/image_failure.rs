//! Why an uploaded image was not taken.

use shingle_store::StoreError;

use crate::heavy_work::Stopped;
use crate::logo::{Logo, LogoError};
use crate::photo::PhotoError;

#[derive(Debug, thiserror::Error)]
pub enum ImageFailure {
    #[error("photo {0}")]
    Photo(#[from] PhotoError),
    #[error("{} {why}", kind.field())]
    Logo { kind: Logo, why: LogoError },
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error(transparent)]
    Store(#[from] StoreError),
}
