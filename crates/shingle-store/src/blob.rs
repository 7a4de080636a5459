//! Blobs: logos and photos, in a local folder or in a bucket.
//!
//! # Decision
//!
//! Where several servers may share a storage, a file in it says whose it is: a random mark, with a hash of it under the
//! secret of the installation. So a server with a folder of its own, and a bucket of another installation, are recognized.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::{Stream, StreamExt as _};
use object_store::local::LocalFileSystem;
use object_store::path::Path as Name;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, PutOptions, PutPayload};

use crate::StoreError;
use crate::engine::redact::redact_password;

/// Says whose storage it is.
const MARK: &str = "installation.txt";

/// Cheap to clone.
#[derive(Clone)]
pub struct Blobs(Arc<dyn ObjectStore>);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub bytes: Vec<u8>,
    /// From the file extension; only types that are safe to serve, else `application/octet-stream`.
    pub content_type: &'static str,
}

impl Blobs {
    /// The folder that is meant by a path or by `file:///PATH`.
    pub fn folder(address: &str) -> Result<PathBuf, StoreError> {
        let refused = || StoreError::StorageAddress(redact_password(address));
        match address.split_once("://") {
            None if !address.is_empty() => Ok(PathBuf::from(address)),
            Some(("file", _)) => url::Url::parse(address).ok().and_then(|u| u.to_file_path().ok()).ok_or_else(refused),
            _ => Err(refused()),
        }
    }

    /// A folder, which is made if it is missing.
    pub fn in_folder(folder: &Path) -> Result<Self, StoreError> {
        let failed = |source| object_store::Error::Generic { store: "folder", source: Box::new(source) };
        std::fs::create_dir_all(folder).map_err(failed)?;
        Ok(Self(Arc::new(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))))
    }

    /// What lies in this folder of a bucket.
    pub fn in_bucket(bucket: impl ObjectStore, folder: &str) -> Self {
        if folder.is_empty() { Self(Arc::new(bucket)) } else { Self(Arc::new(PrefixStore::new(bucket, folder))) }
    }

    /// Whose storage it is, as a server wrote it down.
    pub async fn mark(&self) -> Result<Option<String>, StoreError> {
        Ok(self.get(MARK).await?.map(|blob| String::from_utf8_lossy(&blob.bytes).trim().to_owned()))
    }

    pub async fn set_mark(&self, mark: &str) -> Result<(), StoreError> {
        self.put(MARK, mark.as_bytes().to_vec()).await
    }

    /// The names of all blobs, in no order. Ends with the first error.
    pub fn names(&self) -> impl Stream<Item = Result<String, StoreError>> + Send + use<'_> {
        self.0.list(None).map(|found| Ok(found?.location.to_string()))
    }

    /// Stores bytes under a name made from their content, `folder/HASH.extension`, and returns that name. The
    /// same bytes always get the same name, and a name never means other bytes: it may be cached for ever.
    pub async fn put_hashed(&self, folder: &str, extension: &str, bytes: Vec<u8>) -> Result<String, StoreError> {
        let hash = blake3::hash(&bytes).to_hex();
        let path = format!("{folder}/{}.{extension}", &hash.as_str()[..32]);
        self.put(&path, bytes).await?;
        Ok(path)
    }

    /// Stores bytes under the given name and replaces what was there.
    pub async fn put(&self, path: &str, bytes: Vec<u8>) -> Result<(), StoreError> {
        let name = name(path).ok_or(StoreError::BlobName)?;
        // Written beside it and renamed into place: nobody reads half a picture.
        self.0.put_opts(&name, PutPayload::from(bytes), PutOptions::default()).await?;
        Ok(())
    }

    /// Removes the blob of that name, if there is one.
    pub async fn delete(&self, path: &str) -> Result<(), StoreError> {
        let Some(name) = name(path) else { return Ok(()) };
        match self.0.delete(&name).await {
            Err(object_store::Error::NotFound { .. }) => Ok(()),
            other => Ok(other?),
        }
    }

    pub async fn contains(&self, path: &str) -> Result<bool, StoreError> {
        let Some(name) = name(path) else { return Ok(false) };
        match self.0.head(&name).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            Err(e) => Err(e.into()),
        }
    }

    /// `None` for a name that is not there, or not a name (`..` and the like).
    pub async fn get(&self, path: &str) -> Result<Option<Blob>, StoreError> {
        let Some(name) = name(path) else { return Ok(None) };
        let found = match self.0.get(&name).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            other => other?,
        };
        let content_type = match name.extension() {
            Some("png") => "image/png",
            Some("jpg" | "jpeg") => "image/jpeg",
            Some("webp") => "image/webp",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        Ok(Some(Blob { bytes: found.bytes().await?.to_vec(), content_type }))
    }
}

/// Plain words between slashes, the last with a file extension. Everything else (`..`, escapes, control
/// characters, folders) is not the name of a blob.
fn name(path: &str) -> Option<Name> {
    let plain = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphanumeric())
            && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    };
    let fits = path.len() <= 200 && path.split('/').all(plain) && !path.ends_with('.');
    Name::parse(path).ok().filter(|name| fits && name.extension().is_some())
}
