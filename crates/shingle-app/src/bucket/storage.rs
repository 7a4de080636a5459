//! Where logos and photographs lie: in a folder or in a bucket.

use std::path::PathBuf;

use shingle_store::{Blobs, StoreError};

use super::client::{self, Patience};
use super::faults::refused;
use crate::config::Settings;
use crate::object_address::{ObjectAddress, SCHEME};
use crate::operator_error::OperatorError;

/// The place as the settings name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoragePlace {
    Folder(PathBuf),
    Bucket(ObjectAddress),
}

impl StoragePlace {
    /// A path, `file:///PATH` or `s3://BUCKET/FOLDER`.
    pub fn of(settings: &Settings) -> Result<Self, OperatorError> {
        // An empty variable is how Compose files leave one out.
        let Some(text) = settings.storage.as_deref().filter(|text| !text.is_empty()) else {
            return Ok(Self::Folder(settings.data.join("storage")));
        };
        if text.starts_with(SCHEME) {
            return ObjectAddress::parse(text)
                .map(Self::Bucket)
                .map_err(|error| error.at(format!("storage = {text:?}")));
        }
        Ok(Self::Folder(Blobs::folder(text)?))
    }

    pub fn open(&self, settings: &Settings) -> Result<Blobs, OperatorError> {
        self.open_with(settings, Patience::VISITOR)
    }

    fn open_with(&self, settings: &Settings, patience: Patience) -> Result<Blobs, OperatorError> {
        match self {
            Self::Folder(folder) => Blobs::in_folder(folder).map_err(OperatorError::from),
            Self::Bucket(address) => {
                let bucket = client::open(settings, &address.bucket, patience)?;
                Ok(Blobs::in_bucket(bucket, address.key.as_ref()))
            }
        }
    }

    /// What lies in a bucket, for work that nobody waits for. `None`: it is a folder.
    pub(crate) fn objects(&self, settings: &Settings) -> Result<Option<Blobs>, OperatorError> {
        match self {
            Self::Folder(_) => Ok(None),
            Self::Bucket(_) => self.open_with(settings, Patience::BACKUP).map(Some),
        }
    }

    /// What the bucket refused, in words.
    pub(crate) fn refused(&self, error: StoreError) -> OperatorError {
        match (self, error) {
            (Self::Bucket(address), StoreError::Storage(error)) => refused(address)(error),
            (_, error) => error.into(),
        }
    }

    pub fn folder(&self) -> Option<&PathBuf> {
        match self {
            Self::Folder(folder) => Some(folder),
            Self::Bucket(_) => None,
        }
    }
}

impl core::fmt::Display for StoragePlace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(storage: Option<&str>) -> Result<StoragePlace, OperatorError> {
        StoragePlace::of(&Settings {
            data: "/srv/shingle".into(),
            storage: storage.map(str::to_owned),
            ..Settings::default()
        })
    }

    #[test]
    fn a_storage_is_a_folder_or_a_bucket() {
        for (text, shown) in [
            (None, "/srv/shingle/storage"),
            (Some(""), "/srv/shingle/storage"),
            (Some("/mnt/pictures"), "/mnt/pictures"),
            (Some("file:///mnt/pictures"), "/mnt/pictures"),
            (Some("s3://oak-pictures/shingle/"), "s3://oak-pictures/shingle"),
            (Some("s3://oak-pictures"), "s3://oak-pictures"),
        ] {
            assert_eq!(place(text).unwrap().to_string(), shown);
        }
        for wrong in ["s3://", "s3://a b/c", "https://oak.example.com", "file://elsewhere/oak"] {
            assert!(place(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
