//! One open file of the index.

use std::sync::Arc;

use shingle_domain::State;

use super::shard::ShardReader;

/// An open file of the index, with the state it holds.
#[derive(Clone)]
pub(crate) struct Reader {
    pub state: State,
    /// When its data set was imported, in switches of the index.
    pub imported: u64,
    pub places: u64,
    pub shard: Arc<ShardReader>,
}
