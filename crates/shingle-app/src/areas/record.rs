//! What is known of one area, in a file that is replaced in one step.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::message::Message;
use shingle_source::{Changes, Release};

use super::places::FoundArea;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaRecord {
    #[serde(flatten)]
    pub found: FoundArea,
    pub source: String,
    /// Which license was accepted, and when.
    pub license: String,
    pub accepted_at: Timestamp,
    pub stage: AreaStage,
    /// What look-ups answer from.
    pub current: Option<AreaLoad>,
    /// What they answered from before, and do again where the load is taken back.
    pub previous: Option<AreaLoad>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AreaStage {
    /// Work goes on, or a process that did it has ended.
    Working,
    Ready,
    /// What is current stays so.
    Failed {
        said: Message,
    },
}

/// One release of an area, in the index.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaLoad {
    pub release: Release,
    pub at: Timestamp,
    /// Of the files in the folder of the area.
    pub folder: String,
    /// There was no catalog: the source's folders were listed.
    pub is_listed: bool,
    pub requests: u64,
    pub repeated: u64,
    /// That came over the line.
    pub bytes: u64,
    /// Of the files that are kept.
    pub disk_bytes: u64,
    pub layers: Vec<LayerChanges>,
    /// Of the data set.
    pub version: u64,
    pub rows: AreaRows,
    /// Homes to try.
    pub homes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LayerChanges {
    pub layer: String,
    pub rows: u64,
    /// Against what was current before; `None` at the first load.
    pub changes: Option<Changes>,
}

/// What the import did with the rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaRows {
    pub read: u64,
    pub imported: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub skipped: u64,
    pub places: u64,
    /// Addresses that have an outline.
    pub with_outline: u64,
    /// Why rows were not kept, the most frequent first.
    pub reasons: Vec<(Message, u64)>,
    pub notes: Vec<Message>,
}

const NAME: &str = "area.json";

impl AreaRecord {
    pub(super) fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(NAME)).ok()?).ok()
    }

    pub(super) fn write(&self, folder: &Path) -> std::io::Result<()> {
        let (path, new) = (folder.join(NAME), folder.join("area.new"));
        let text = serde_json::to_vec_pretty(self)?;
        let mut file = File::create(&new)?;
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(new, path)
    }
}
