//! Where a command works: its settings, and the store they name.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use shingle_deliver::Egress;
use shingle_estimate::calibration::Calibration;
use shingle_property::{PropertyError, Reference};
use shingle_store::{Blobs, Clock, Secret, Store, StoreError};

use super::{Everywhere, Problem};
use crate::calibration;
use crate::clock::MachineClock;
use crate::config::Settings;

/// Flags that were given, under the names of their settings.
#[derive(Debug, Default, Serialize)]
pub struct Flags {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<std::net::SocketAddr>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub property: Option<PathBuf>,
}

pub struct Place {
    pub settings: Settings,
    pub clock: Arc<dyn Clock>,
}

impl Place {
    pub fn of(everywhere: &Everywhere, flags: Flags) -> Result<Self, Problem> {
        let flags = Flags { data: everywhere.data.clone(), database: everywhere.database.clone(), ..flags };
        let settings = Settings::read(everywhere.config.as_deref(), flags)?;
        Ok(Self { settings, clock: Arc::new(MachineClock) })
    }

    /// Runs what waits for a database or a socket.
    pub fn block_on<T>(work: impl Future<Output = Result<T, Problem>>) -> Result<T, Problem> {
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|e| Problem::new(format!("The program cannot start its threads: {e}")))?
            .block_on(work)
    }

    pub fn secret(&self) -> Result<Secret, Problem> {
        let file = self.settings.secret_file();
        if let Some(folder) = file.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| {
                Problem::new(format!("The data folder cannot be made: {e}"))
                    .at(folder.display())
                    .mend("Make its parent writable, or name another folder with --data.")
            })?;
        }
        Secret::load_or_create(&file).map_err(|e| Problem::new(e).at(file.display()))
    }

    pub fn database(&self) -> String {
        let default = || format!("sqlite://{}", self.settings.data.join("shingle.db").display());
        self.settings.database.clone().unwrap_or_else(default)
    }

    pub async fn store(&self) -> Result<Store, Problem> {
        Store::open(&self.database(), self.clock.clone(), &self.secret()?).await.map_err(Problem::from)
    }

    pub fn storage(&self) -> String {
        self.settings.storage.clone().unwrap_or_else(|| self.settings.data.join("storage").display().to_string())
    }

    pub fn blobs(&self) -> Result<Blobs, Problem> {
        Blobs::open(&self.storage()).map_err(Problem::from)
    }

    /// The client of our own requests. `contact` is where the other side learns whose they are.
    pub fn egress(&self, contact: &str) -> Result<Egress, Problem> {
        let agent = format!("Shingle/{} (+{contact})", env!("CARGO_PKG_VERSION"));
        Egress::new(self.settings.egress(), &agent).map_err(Problem::new)
    }

    /// The reference tables, with those that were loaded here.
    pub fn reference(&self) -> Result<Arc<Reference>, Problem> {
        Ok(Reference::open(&self.settings.reference())?)
    }

    /// What was fitted to the operator's own outcomes, if anything was.
    pub fn calibration(&self) -> Result<Option<Calibration>, Problem> {
        calibration::open(&self.settings.data)
    }

    /// The invented town, apart from what is imported.
    pub fn sample_town(&self) -> PathBuf {
        self.settings.data.join("sample-town")
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let problem = Self::new(&error);
        match error {
            StoreError::NotFound => {
                Self::new("There is no such thing").mend("Look it up with the matching list command.")
            }
            StoreError::SecretMismatch => {
                problem.mend("Restore the file `secret` of the data folder, or name it in secret_file.")
            }
            StoreError::Open { .. } => problem.mend("Check --database, and that the database runs."),
            _ => problem,
        }
    }
}

impl From<PropertyError> for Problem {
    fn from(error: PropertyError) -> Self {
        // Its words name the file and the mend.
        Self::new(error)
    }
}
