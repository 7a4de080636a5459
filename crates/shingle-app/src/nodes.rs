//! The servers of one installation: whether this one is like the others.
//!
//! # Decisions
//!
//! - A server whose storage is another one is not ready: what it takes would be lost to the others. One whose homes differ
//!   goes on and says so: after each import all but one differ for a while, and a load balancer must not lose them all.
//! - Clocks need no comparison: all servers take the database's time (`clock.rs`).
//! - A server on SQLite with a folder has no others to be like, and is not asked.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::messages;
use shingle_store::{Blobs, NodeFacts, OtherNode, Secret, Store, StoreError};
use tokio::time::MissedTickBehavior;

use crate::operator_error::OperatorError;
use crate::tokens::hex;

/// How often a node shows itself.
const BEAT: Duration = Duration::from_secs(5);
/// A look at the storage with each so many of them: a bucket charges for it.
const BEATS_TO_LOOK: u32 = 12;
/// How long the first server of an installation may need to mark its storage.
const MARKING: Duration = Duration::from_secs(10);
const TRIES: u32 = 50;
const BETWEEN_TRIES: Duration = Duration::from_millis(200);
const MARKS: &str = "storage mark";

messages! {
    /// What keeps a server from working with the others.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NodeFault {
        OtherStorage => "The storage of this server is not that of the other servers",
        StorageTaken => "The storage belongs to another installation",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NodeFix {
        Share => "Name the same folder or bucket in `storage` on every server. If the storage was moved, move all of it, with the file installation.txt.",
        OwnStorage => "Name another folder or bucket in `storage`. If that installation is gone for good, delete its file installation.txt there.",
    }
}

messages! {
    /// What differs and does not keep a server from working.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NodeDifference {
        Homes { host: String } => "The homes of this server differ from those of {host}",
        Version { host: String, version: String } => "On the server {host} another version runs: {version}",
    }
}

impl NodeFault {
    fn fix(&self) -> NodeFix {
        match self {
            Self::OtherStorage => NodeFix::Share,
            Self::StorageTaken => NodeFix::OwnStorage,
        }
    }

    pub fn error(&self) -> OperatorError {
        OperatorError::new(self.clone()).fix(self.fix())
    }
}

/// Why the storage could not be looked at, or what is wrong with it.
#[derive(Debug)]
pub enum StorageLook {
    Wrong(NodeFault),
    Unread(StoreError),
}

impl From<StoreError> for StorageLook {
    fn from(error: StoreError) -> Self {
        Self::Unread(error)
    }
}

#[derive(Debug, Default)]
struct State {
    storage: Option<NodeFault>,
    differs: Vec<NodeDifference>,
    /// The storage was looked at, and is the installation's.
    storage_is_ours: bool,
    has_others: bool,
}

/// This server among the others.
pub struct Node {
    pub id: String,
    host: String,
    key: [u8; 32],
    state: Mutex<State>,
}

impl Node {
    pub fn new(secret: &Secret) -> Result<Self, getrandom::Error> {
        let mut id = [0; 16];
        getrandom::fill(&mut id)?;
        let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
        let key = secret.derive("shingle 2026-11 storage mark");
        Ok(Self { id: hex(&id), host, key, state: Mutex::default() })
    }

    /// The name of its machine.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether other servers ran at the last heartbeat.
    pub fn has_others(&self) -> bool {
        self.with(|state| state.has_others)
    }

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What keeps this server from working.
    pub fn fault(&self) -> Option<NodeFault> {
        self.with(|state| state.storage.clone())
    }

    /// What else is not as at the other servers.
    pub fn differences(&self) -> Vec<NodeDifference> {
        self.with(|state| state.differs.clone())
    }

    /// Whether files that are gone here are gone: only in the storage of the installation.
    pub fn may_delete_files(&self) -> bool {
        self.with(|state| state.storage_is_ours)
    }

    fn signed(&self, random: &str) -> String {
        format!("{random} {}", &blake3::keyed_hash(&self.key, random.as_bytes()).to_hex()[..32])
    }

    /// Whether the storage is the installation's. The first server of an installation marks it.
    pub async fn look_at_storage(&self, store: &Store, blobs: &Blobs, is_folder: bool) -> Result<(), StorageLook> {
        let looked = if is_folder && !store.nodes().may_be_several() {
            Ok(())
        } else {
            self.compare_storage(store, blobs).await
        };
        match &looked {
            Ok(()) => self.with(|state| (state.storage, state.storage_is_ours) = (None, true)),
            Err(StorageLook::Wrong(fault)) => {
                self.with(|state| (state.storage, state.storage_is_ours) = (Some(fault.clone()), false));
            }
            Err(StorageLook::Unread(_)) => {}
        }
        looked
    }

    async fn compare_storage(&self, store: &Store, blobs: &Blobs) -> Result<(), StorageLook> {
        let other = || StorageLook::Wrong(NodeFault::OtherStorage);
        for _ in 0..TRIES {
            if let Some(found) = blobs.mark().await? {
                let random = found.split(' ').next().unwrap_or_default();
                if self.signed(random) != found {
                    return Err(StorageLook::Wrong(NodeFault::StorageTaken));
                }
                return if store.nodes().set_storage_mark(&found).await? == found { Ok(()) } else { Err(other()) };
            }
            if store.nodes().storage_mark().await?.is_some() {
                return Err(other());
            }
            if store.nodes().may_do(MARKS, &self.id, MARKING).await? {
                let mut random = [0; 16];
                getrandom::fill(&mut random).map_err(StoreError::Random)?;
                // Another may have been here between our look and the lease.
                if blobs.mark().await?.is_none() {
                    blobs.set_mark(&self.signed(&hex(&random))).await?;
                }
                let found = blobs.mark().await?.ok_or_else(other)?;
                let known = store.nodes().set_storage_mark(&found).await?;
                store.nodes().is_done(MARKS, &self.id).await?;
                return if known == found { Ok(()) } else { Err(other()) };
            }
            // Another server marks it now.
            tokio::time::sleep(BETWEEN_TRIES).await;
        }
        Err(other())
    }

    /// One heartbeat.
    pub async fn beat(&self, store: &Store, property: &Path) -> Result<(), StoreError> {
        // Homes that cannot be read have a check of their own.
        let homes = shingle_property::fingerprint(property).unwrap_or_default();
        let facts = NodeFacts {
            id: self.id.clone(),
            host: self.host.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            homes,
        };
        let others = store.nodes().beat(&facts).await?;
        let differs = compare(&facts, &others);
        self.with(|state| {
            state.has_others = !others.is_empty();
            if differs != state.differs {
                for difference in &differs {
                    tracing::warn!("{difference}");
                }
            }
            state.differs = differs;
        });
        Ok(())
    }

    /// Until it is aborted.
    pub async fn keep_watch(
        self: Arc<Self>,
        store: Store,
        blobs: Blobs,
        is_folder: bool,
        property: std::path::PathBuf,
    ) {
        let mut ticks = tokio::time::interval(BEAT);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        for beat in 1_u32.. {
            ticks.tick().await;
            if store.nodes().may_be_several()
                && let Err(error) = self.beat(&store, &property).await
            {
                tracing::debug!(%error, "this server could not show itself to the others");
            }
            let is_due = beat.is_multiple_of(BEATS_TO_LOOK) || !self.may_delete_files();
            if is_due && let Err(look) = self.look_at_storage(&store, &blobs, is_folder).await {
                match look {
                    StorageLook::Wrong(fault) => tracing::error!("{fault}. {}", fault.fix()),
                    StorageLook::Unread(error) => tracing::warn!(%error, "the storage could not be looked at"),
                }
            }
        }
    }
}

fn compare(ours: &NodeFacts, others: &[OtherNode]) -> Vec<NodeDifference> {
    let homes = others.iter().find(|other| other.homes != ours.homes);
    let version = others.iter().find(|other| other.version != ours.version);
    let homes = homes.map(|other| NodeDifference::Homes { host: other.host.clone() });
    let version =
        version.map(|other| NodeDifference::Version { host: other.host.clone(), version: other.version.clone() });
    homes.into_iter().chain(version).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_homes_and_versions_are_told() {
        let facts = NodeFacts { id: "a".into(), host: "oak".into(), version: "0.1.0".into(), homes: "h".into() };
        let other = |homes: &str, version: &str| {
            let elm = OtherNode { host: "elm".to_owned(), version: version.to_owned(), homes: homes.to_owned() };
            compare(&facts, &[elm])
        };
        assert_eq!(other("h", "0.1.0"), []);
        assert_eq!(other("g", "0.1.0"), [NodeDifference::Homes { host: "elm".to_owned() }]);
        let version = NodeDifference::Version { host: "elm".to_owned(), version: "0.2.0".to_owned() };
        assert_eq!(other("h", "0.2.0"), [version]);
    }
}
