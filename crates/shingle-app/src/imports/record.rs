//! What is known of one import, in a file that is replaced in one step.

use std::fmt;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::message::Message;
use shingle_import::LEAST_FOUND_PERCENT;
use uuid::Uuid;

/// It is the name of a folder, so it is nothing but an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ImportId(Uuid);

impl ImportId {
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }
}

impl fmt::Display for ImportId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ImportId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        text.parse().map(Self)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UploadedFile {
    pub name: String,
    pub bytes: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Stage {
    /// The files are being looked at, and a mapping is proposed.
    Looking,
    /// They cannot be imported, and are deleted.
    Refused {
        said: Message,
    },
    /// The mapping can be corrected, checked, and imported with.
    Ready,
    Checking,
    Importing,
    /// The server ended meanwhile. Nothing of it is in the index; begun again it goes on.
    CutOff,
    Stopped,
    Failed {
        said: Message,
    },
    /// The new version has far fewer homes than the one before. The operator is asked.
    Shrinks {
        before: u64,
        after: u64,
    },
    Done(Imported),
    Undone,
}

impl Stage {
    pub fn is_working(&self) -> bool {
        matches!(self, Self::Looking | Self::Checking | Self::Importing)
    }

    /// Whether its mapping can still be changed.
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Ready | Self::CutOff | Self::Stopped | Self::Failed { .. } | Self::Shrinks { .. })
    }
}

/// What an import brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Imported {
    /// Of the data set.
    pub version: u64,
    pub at: Timestamp,
    pub rows_read: u64,
    pub imported: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub skipped: u64,
    pub places: u64,
    pub reasons: Vec<(Message, u64)>,
    pub notes: Vec<Message>,
    /// Of some of its rows: found as people write them, and asked for. Records before it have none.
    #[serde(default)]
    pub own_rows: Option<(u64, u64)>,
}

/// What a check found, as far as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checked {
    pub rows_read: u64,
    pub usable: u64,
    pub rejected: u64,
    pub duplicates: u64,
    pub skipped: u64,
    pub addressed: u64,
    pub records: u64,
    pub reasons: Vec<(Message, u64)>,
    /// Name, cells that gave a fact, blank ones, others, and what was not understood.
    pub fields: Vec<(String, u64, u64, u64, Option<Message>)>,
    /// Of fields of numbers or of few words: name, values, and how many are unusual. Records before it have none.
    #[serde(default)]
    pub ranges: Vec<(String, String, u64)>,
    pub notes: Vec<Message>,
    /// Of some of its rows: found as people write them, and asked for. Records before it have none.
    #[serde(default)]
    pub own_rows: Option<(u64, u64)>,
}

impl Checked {
    /// Too few of its rows are found for an import that nobody asked for twice.
    pub fn finds_too_few(&self) -> bool {
        self.own_rows.is_some_and(|(found, asked)| (found as f64) * 100.0 < (asked as f64) * LEAST_FOUND_PERCENT)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportRecord {
    pub id: ImportId,
    pub begun_at: Timestamp,
    pub files: Vec<UploadedFile>,
    pub stage: Stage,
    /// That it goes into, once it was begun.
    pub dataset: Option<String>,
    pub checked: Option<Checked>,
    /// Why no mapping could be proposed, until one is written.
    #[serde(default)]
    pub unproposed: Option<Message>,
}

const NAME: &str = "import.json";

/// All of it, or what was there before.
pub fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let new = path.with_extension("new");
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(new, path)
}

impl ImportRecord {
    pub fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(NAME)).ok()?).ok()
    }

    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        replace(&folder.join(NAME), &serde_json::to_vec(self)?)
    }
}
