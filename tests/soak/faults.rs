//! What a server stands on, and how it fails.

use std::path::PathBuf;
use std::time::Duration;

use shingle_store_fixture::{PgCluster, SmallDisk};
use tempfile::TempDir;

use crate::ledger::Ledger;
use crate::server::Installation;

const LONG_ENOUGH: Duration = Duration::from_secs(8);

/// Where the data and the database of an installation are.
pub struct Faults {
    /// For what must not fail: the settings and the log.
    folder: TempDir,
    place: Place,
}

enum Place {
    /// A disk that can be full, where it may be mounted.
    Sqlite(Option<SmallDisk>),
    Postgres(PgCluster),
}

impl Faults {
    pub fn of_sqlite(megabytes: u64) -> Self {
        Self { folder: TempDir::new().unwrap(), place: Place::Sqlite(SmallDisk::mount(megabytes)) }
    }

    pub fn of_postgres() -> Option<Self> {
        let cluster = PgCluster::durable()?;
        Some(Self { folder: TempDir::new().unwrap(), place: Place::Postgres(cluster) })
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
            Place::Postgres(cluster) => Some(cluster.address("soak")),
        }
    }

    /// Whether the database can fail on its own.
    pub fn have_database(&self) -> bool {
        !matches!(self.place, Place::Sqlite(None))
    }

    /// The disk is full for a while, or PostgreSQL dies until the server says that it is not ready. Then all is well again, and the server
    /// must find that out on its own.
    pub async fn fail_and_recover(&mut self, installation: &Installation, ledger: &Ledger) {
        let _hard = ledger.hard_times();
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
            Place::Postgres(cluster) => {
                ledger.count("database deaths");
                cluster.crash();
                installation.until_readiness(503).await;
                cluster.start_again();
            }
        }
        installation.until_readiness(200).await;
        // Requests that waited for the database are answered before the fault counts as over.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
