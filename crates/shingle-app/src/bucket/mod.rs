//! Buckets of S3, or of a server that speaks like it: R2, MinIO, Garage. Backups go into them, logos and photographs too.

mod client;
mod faults;
mod storage;

pub(crate) use client::{Patience, open};
pub use faults::{BucketFault, BucketFix};
pub(crate) use faults::{is_gone, refused};
pub use storage::StoragePlace;
