//! The servers of one installation: whether this one is like the others.
//!
//! # Decisions
//!
//! - A server whose storage is another one, or whose clock is wrong, is not ready: what it takes would be lost to the
//!   others. One whose homes differ goes on and says so: after each import all but one differ for a while, and a load
//!   balancer must not lose them all.
//! - A clock is wrong if it differs from the database's and another server's does not. Turned down: the database's clock
//!   alone, with which a standby that has another time would stop all servers.
//! - A server on SQLite with a folder has no others to be like, and is not asked.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use shingle_domain::messages;
use shingle_store::{Blobs, Heartbeat, NodeFacts, OtherNode, Secret, Store, StoreError};
use tokio::time::MissedTickBehavior;

use crate::operator_error::OperatorError;
use crate::tokens::hex;

/// How often a node shows itself.
const BEAT: Duration = Duration::from_secs(5);
/// A look at the storage with each so many of them: a bucket charges for it.
const BEATS_TO_LOOK: u32 = 12;
/// How far a clock may be from the database's: leases last longer.
const MAX_AHEAD: i64 = 60 * 1_000_000;
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
        ClockAhead { seconds: i64 } => "The clock of this server is {seconds} {seconds|second|seconds} ahead of the database's and the other servers'",
        ClockBehind { seconds: i64 } => "The clock of this server is {seconds} {seconds|second|seconds} behind the database's and the other servers'",
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NodeFix {
        Share => "Name the same folder or bucket in `storage` on every server. If the storage was moved, move all of it, with the file installation.txt.",
        OwnStorage => "Name another folder or bucket in `storage`. If that installation is gone for good, delete its file installation.txt there.",
        Ntp => "Set the clock, and enable time synchronization (NTP).",
    }
}

messages! {
    /// What differs and does not keep a server from working.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum NodeDifference {
        Homes { host: String } => "The homes of this server differ from those of {host}",
        Version { host: String, version: String } => "The server {host} runs version {version}",
    }
}

impl NodeFault {
    fn fix(&self) -> NodeFix {
        match self {
            Self::OtherStorage => NodeFix::Share,
            Self::StorageTaken => NodeFix::OwnStorage,
            Self::ClockAhead { .. } | Self::ClockBehind { .. } => NodeFix::Ntp,
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
    clock: Option<NodeFault>,
    differs: Vec<NodeDifference>,
    /// The storage was looked at, and is the installation's.
    storage_is_ours: bool,
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

    fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What keeps this server from working.
    pub fn fault(&self) -> Option<NodeFault> {
        self.with(|state| state.storage.clone().or_else(|| state.clock.clone()))
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
        let heartbeat = store.nodes().beat(&facts).await?;
        let (clock, differs) = compare(&facts, &heartbeat);
        self.with(|state| {
            if clock != state.clock {
                match &clock {
                    Some(fault) => tracing::error!("{fault}: this server is not ready until that is mended"),
                    None => tracing::info!("the clock of this server is right again"),
                }
            }
            if differs != state.differs {
                for difference in &differs {
                    tracing::warn!("{difference}");
                }
            }
            (state.clock, state.differs) = (clock, differs);
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

fn compare(ours: &NodeFacts, heartbeat: &Heartbeat) -> (Option<NodeFault>, Vec<NodeDifference>) {
    let is_right = |other: &OtherNode| other.ahead.abs() <= MAX_AHEAD;
    let seconds = heartbeat.ahead.abs() / 1_000_000;
    let clock = match heartbeat.ahead {
        ahead if ahead.abs() <= MAX_AHEAD || !heartbeat.others.iter().any(is_right) => None,
        ahead if ahead > 0 => Some(NodeFault::ClockAhead { seconds }),
        _ => Some(NodeFault::ClockBehind { seconds }),
    };
    let homes = heartbeat.others.iter().find(|other| other.homes != ours.homes);
    let version = heartbeat.others.iter().find(|other| other.version != ours.version);
    let homes = homes.map(|other| NodeDifference::Homes { host: other.host.clone() });
    let version =
        version.map(|other| NodeDifference::Version { host: other.host.clone(), version: other.version.clone() });
    (clock, homes.into_iter().chain(version).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn other(homes: &str, ahead: i64) -> OtherNode {
        OtherNode { host: "elm".to_owned(), version: "0.1.0".to_owned(), homes: homes.to_owned(), ahead }
    }

    #[test]
    fn a_clock_is_wrong_only_if_another_servers_is_right() {
        const HOUR: i64 = 3_600_000_000;
        let facts = NodeFacts { id: "a".into(), host: "oak".into(), version: "0.1.0".into(), homes: "h".into() };
        let clock = |ahead, others: &[i64]| {
            let others = others.iter().map(|ahead| other("h", *ahead)).collect();
            compare(&facts, &Heartbeat { ahead, others }).0
        };
        assert_eq!(clock(HOUR, &[0]), Some(NodeFault::ClockAhead { seconds: 3_600 }));
        assert_eq!(clock(-HOUR, &[HOUR, 0]), Some(NodeFault::ClockBehind { seconds: 3_600 }));
        assert_eq!(clock(HOUR, &[HOUR, HOUR]), None, "the database's is wrong");
        assert_eq!(clock(HOUR, &[]), None, "nobody else to compare with");
        assert_eq!(clock(MAX_AHEAD, &[0]), None);
    }

    #[test]
    fn other_homes_and_versions_are_told() {
        let facts = NodeFacts { id: "a".into(), host: "oak".into(), version: "0.1.0".into(), homes: "h".into() };
        let told = |other: OtherNode| compare(&facts, &Heartbeat { ahead: 0, others: vec![other] }).1;
        assert_eq!(told(other("h", 0)), []);
        assert_eq!(told(other("g", 0)), [NodeDifference::Homes { host: "elm".to_owned() }]);
        let newer = OtherNode { version: "0.2.0".to_owned(), ..other("h", 0) };
        let version = NodeDifference::Version { host: "elm".to_owned(), version: "0.2.0".to_owned() };
        assert_eq!(told(newer), [version]);
    }
}
