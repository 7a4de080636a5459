//! Where photographs and logos of all nodes lie.

use crate::bucket::{BUCKET, BucketServer, KEY, SECRET};

pub struct Storage {
    pub bucket: BucketServer,
}

impl Storage {
    pub async fn start() -> Self {
        Self { bucket: BucketServer::start().await }
    }

    /// Lines of `shingle.toml`.
    pub fn settings(&self) -> String {
        format!(
            "storage = \"s3://{BUCKET}/chaos\"\ns3_endpoint = {:?}\ns3_key = {KEY:?}\ns3_secret = {SECRET:?}\n",
            self.bucket.endpoint
        )
    }
}
