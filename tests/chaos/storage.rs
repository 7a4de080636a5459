//! Where photographs and logos of all nodes lie.

use tempfile::TempDir;

use crate::bucket::{BUCKET, BucketServer, KEY, SECRET};

/// Whether `storage` may name a bucket.
const IN_BUCKET: bool = false;

pub enum Storage {
    Folder(TempDir),
    Bucket(BucketServer),
}

impl Storage {
    pub async fn start() -> Self {
        if IN_BUCKET { Self::Bucket(BucketServer::start().await) } else { Self::Folder(TempDir::new().unwrap()) }
    }

    /// Lines of `shingle.toml`.
    pub fn storage_settings(&self) -> String {
        match self {
            Self::Folder(folder) => format!("storage = {:?}\n", folder.path()),
            Self::Bucket(bucket) => format!(
                "storage = \"s3://{BUCKET}/chaos\"\ns3_endpoint = {:?}\ns3_key = {KEY:?}\ns3_secret = {SECRET:?}\n",
                bucket.endpoint
            ),
        }
    }

    pub fn bucket(&self) -> Option<&BucketServer> {
        match self {
            Self::Folder(_) => None,
            Self::Bucket(bucket) => Some(bucket),
        }
    }
}
