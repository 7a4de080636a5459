//! What a server stands on, and how it fails.

use std::path::PathBuf;
use std::time::Duration;

use shingle_store_fixture::{PgCluster, SmallDisk};
use tempfile::TempDir;

use crate::dice::Dice;
use crate::ledger::Ledger;
use crate::server::Installation;
use crate::wire::Wire;

const LONG_ENOUGH: Duration = Duration::from_secs(8);
/// Requests that waited for the database are answered before a fault counts as over: after a crash at once, and after a silence
/// once the last statement is given up, which is after three seconds.
const AFTER_A_CRASH: Duration = Duration::from_millis(500);
const AFTER_A_SILENCE: Duration = Duration::from_secs(6);

/// Where the data and the database of an installation are.
pub struct Faults {
    /// For what must not fail: the settings and the log.
    folder: TempDir,
    place: Place,
}

enum Place {
    /// A disk that can be full, where it may be mounted.
    Sqlite(Option<SmallDisk>),
    Postgres(PgCluster, Wire),
}

impl Faults {
    pub fn of_sqlite(megabytes: u64) -> Self {
        Self { folder: TempDir::new().unwrap(), place: Place::Sqlite(SmallDisk::mount(megabytes)) }
    }

    pub async fn of_postgres() -> Option<Self> {
        let cluster = PgCluster::durable()?;
        let wire = Wire::lay_to_one_of_two(&cluster.address("soak").parse().unwrap()).await;
        Some(Self { folder: TempDir::new().unwrap(), place: Place::Postgres(cluster, wire) })
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub fn data(&self) -> PathBuf {
        match &self.place {
            Place::Sqlite(Some(disk)) => disk.path().join("data"),
            _ => self.folder.path().join("data"),
        }
    }

    /// The setting `database`; none for a file in the data folder.
    pub fn database(&self) -> Option<String> {
        match &self.place {
            Place::Sqlite(_) => None,
            Place::Postgres(_, wire) => Some(wire.address.clone()),
        }
    }

    /// Whether the database can fail on its own.
    pub fn have_database(&self) -> bool {
        !matches!(self.place, Place::Sqlite(None))
    }

    /// The way to the database, where it can fall silent.
    pub fn wire(&self) -> Option<&Wire> {
        match &self.place {
            Place::Sqlite(_) => None,
            Place::Postgres(_, wire) => Some(wire),
        }
    }

    /// The disk is full for a while; or PostgreSQL dies, or says nothing, until the server says that it is not ready; or all its
    /// connections die without a word. Then all is well again, and the server must find that out on its own.
    pub async fn fail_and_recover(&mut self, installation: &Installation, ledger: &Ledger, dice: &mut Dice) {
        let _hard = ledger.hard_times();
        let mut over = AFTER_A_CRASH;
        match &mut self.place {
            Place::Sqlite(None) => return,
            Place::Sqlite(Some(disk)) => {
                ledger.count("full disks");
                disk.fill();
                // The log has room left, which a round may not use up.
                let noticed = tokio::time::timeout(LONG_ENOUGH, installation.until_readiness(503)).await;
                if noticed.is_ok() {
                    ledger.count("full disks told");
                }
                disk.free();
            }
            Place::Postgres(cluster, wire) => match dice.below(3) {
                0 => {
                    ledger.count("database deaths");
                    cluster.crash();
                    installation.until_readiness(503).await;
                    cluster.start_again();
                }
                1 => {
                    ledger.count("database hangs");
                    wire.set_open(false);
                    installation.until_readiness(503).await;
                    tokio::time::sleep(Duration::from_millis(dice.below(2_000))).await;
                    wire.set_open(true);
                    over = AFTER_A_SILENCE;
                }
                _ => {
                    ledger.count("losses of all connections");
                    wire.cut_all();
                    over = AFTER_A_SILENCE;
                }
            },
        }
        installation.until_readiness(200).await;
        tokio::time::sleep(over).await;
    }
}
