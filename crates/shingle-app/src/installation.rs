//! An installation: its settings, and the database and folders they name. Commands, the server and the checks open it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use shingle_deliver::Egress;
use shingle_deliver::mail::Mailer;
use shingle_domain::messages;
use shingle_estimate::calibration::Calibration;
use shingle_property::Reference;
use shingle_store::{Blobs, Clock, Secret, Store};

use crate::backup::{BackupFault, BackupFix};
use crate::bucket::StoragePlace;
use crate::calibration_file;
use crate::clock::MachineClock;
use crate::config::{Settings, USUAL_FILE};
use crate::file_owner;
use crate::operator_error::OperatorError;

/// The folder of backups below the data folder, which are not backed up.
pub(crate) const BACKUPS: &str = "backups";

/// Below the data folder, from the first file that a restore puts in its place to the last.
pub(crate) const UNFINISHED: &str = ".restore-unfinished";

/// Flags of the command line, under the names of their settings.
#[derive(Debug, Default, Serialize)]
pub struct SettingFlags {
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

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum FolderFault {
        NotCreated { why: String } => "The data folder cannot be created: {why}",
        Writable => "Make its parent writable, or name another folder with --data.",
    }
}

#[derive(Clone)]
pub struct Installation {
    pub settings: Settings,
    /// The file in use, if there is one.
    pub settings_file: Option<PathBuf>,
    /// Variables that begin like a setting's but are not one.
    pub unknown_variables: Vec<String>,
    pub clock: Arc<dyn Clock>,
}

impl Drop for Installation {
    fn drop(&mut self) {
        let Settings { data, property, .. } = &self.settings;
        let storage = StoragePlace::of(&self.settings).ok();
        let storage = storage.as_ref().and_then(StoragePlace::folder);
        file_owner::give_back(
            data,
            &[Some(data), property.as_ref(), storage].into_iter().flatten().collect::<Vec<_>>(),
        );
    }
}

impl Installation {
    /// Reads the settings file, the environment and the flags.
    pub fn read(config: Option<&Path>, flags: SettingFlags) -> Result<Self, OperatorError> {
        let (settings, unknown_variables) = Settings::read(config, flags)?;
        let usual = || Some(Path::new(USUAL_FILE)).filter(|file| file.exists());
        let settings_file = config.or_else(usual).map(Path::to_owned);
        Ok(Self { settings, settings_file, unknown_variables, clock: Arc::new(MachineClock) })
    }

    /// What a restore has left half done is no installation.
    fn refuse_unfinished_restore(&self) -> Result<(), OperatorError> {
        if self.settings.data.join(UNFINISHED).exists() {
            let place = self.settings.data.display();
            return Err(OperatorError::new(BackupFault::Unfinished).at(place).fix(BackupFix::EmptyAll));
        }
        Ok(())
    }

    pub fn secret(&self) -> Result<Secret, OperatorError> {
        self.refuse_unfinished_restore()?;
        let file = self.settings.secret_file();
        if let Some(folder) = file.parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|e| {
                OperatorError::new(FolderFault::NotCreated { why: e.to_string() })
                    .at(folder.display())
                    .fix(FolderFault::Writable)
            })?;
        }
        Secret::load_or_create(&file).map_err(|e| OperatorError::from(e).at(file.display()))
    }

    pub fn database(&self) -> String {
        let default = || format!("sqlite://{}", self.settings.data.join("shingle.db").display());
        self.settings.database.clone().unwrap_or_else(default)
    }

    pub async fn store(&self) -> Result<Store, OperatorError> {
        let copies = self.settings.data.join(BACKUPS);
        let opened = Store::open_copying(&self.database(), self.clock.clone(), &self.secret()?, &copies).await;
        opened.map_err(OperatorError::from)
    }

    /// Where logos and photographs lie, as text.
    pub fn storage(&self) -> Result<String, OperatorError> {
        Ok(StoragePlace::of(&self.settings)?.to_string())
    }

    pub fn blobs(&self) -> Result<Blobs, OperatorError> {
        StoragePlace::of(&self.settings)?.open(&self.settings)
    }

    /// The client for requests to other servers. `contact` tells them who asks.
    pub fn egress(&self, contact: &str) -> Result<Egress, OperatorError> {
        let agent = format!("Shingle/{} (+{contact})", env!("CARGO_PKG_VERSION"));
        Egress::trusting(self.settings.egress(), &agent, &self.settings.authorities()?).map_err(OperatorError::new)
    }

    /// What sends mail; `None` when no mail server is set.
    pub fn mailer(&self) -> Result<Option<Mailer>, OperatorError> {
        let Some(settings) = self.settings.mail()? else { return Ok(None) };
        Mailer::new(settings).map(Some).map_err(OperatorError::new)
    }

    /// The reference tables, with those that the operator loaded.
    pub fn reference(&self) -> Result<Arc<Reference>, OperatorError> {
        Ok(Reference::open(&self.settings.reference())?)
    }

    /// The fit of the buyer scores to the operator's own outcomes, if there is one.
    pub fn calibration(&self) -> Result<Option<Calibration>, OperatorError> {
        calibration_file::open(&self.settings.data)
    }

    /// The folder of the sample town, which is not mixed with imported data.
    pub fn sample_town(&self) -> PathBuf {
        self.settings.data.join("sample-town")
    }
}
