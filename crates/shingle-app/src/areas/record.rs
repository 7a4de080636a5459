//! What is known of one area, in a file that is replaced in one step.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::aerial::PhotoDate;
use shingle_domain::message::Message;
use shingle_domain::messages;
use shingle_property::DatasetVersions;
use shingle_source::{Changes, Release};

use super::places::FoundArea;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaRecord {
    #[serde(flatten)]
    pub found: FoundArea,
    pub source: String,
    #[serde(flatten)]
    pub extras: AreaExtras,
    /// Which license was accepted, and when.
    pub license: String,
    pub accepted_at: Timestamp,
    pub stage: AreaStage,
    /// What look-ups answer from.
    pub current: Option<AreaLoad>,
    /// What they answered from before, and do again where the load is taken back.
    pub previous: Option<AreaLoad>,
    /// What is being imported: it is current as soon as the index is switched to it.
    #[serde(default)]
    pub next: Option<AreaLoad>,
    /// When the source was last asked for a newer release.
    #[serde(default)]
    pub checked: Option<AreaCheck>,
    /// A release that waits for a person.
    #[serde(default)]
    pub held: Option<HeldRelease>,
}

/// What is loaded beside the homes: a person's switches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaExtras {
    /// Roofs are measured from the national laser survey.
    #[serde(default)]
    pub survey: bool,
    /// Photographs from the air are loaded from the national service.
    #[serde(default)]
    pub photos: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaCheck {
    pub at: Timestamp,
    /// Why the source gave no answer.
    pub failed: Option<Message>,
}

/// The monthly refresh passes over it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldRelease {
    pub release: Release,
    pub why: HeldWhy,
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum HeldWhy {
        Shrinks { before: u64, after: u64 } => "the area would go from {before} {before|home|homes} to {after}",
        License { license: String } => "its license has changed: {license}",
        TakenBack => "a person took it back",
    }
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
    /// What the laser survey measured; `None`: it was off.
    #[serde(default)]
    pub survey: Option<AreaSurvey>,
    /// Which photographs came from the service; `None`: it was off.
    #[serde(default)]
    pub photos: Option<AreaPhotos>,
}

/// Photographs from the national service.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaPhotos {
    /// The newest first; each has a set of its own.
    pub taken: Vec<PhotoDate>,
    pub pictures: u64,
    pub bytes: u64,
    /// Pictures that showed nothing.
    pub blank: u64,
    /// Pictures that did not come.
    pub missing: u64,
    /// Places that no photograph shows with one date.
    pub undated: u64,
    /// Pictures beyond the megabytes of an area.
    pub beyond: u64,
    /// Pictures that lie too far off the outlines to be shown.
    pub too_far: u64,
    /// Why the homes were loaded without new photographs.
    pub failed: Option<Message>,
}

/// Roofs from a laser survey.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AreaSurvey {
    /// `None`: no survey could be chosen.
    pub name: Option<String>,
    /// Of the flight, as its name says.
    pub year: Option<u16>,
    pub roofs: u64,
    pub outlines: u64,
    /// Why outlines have no measured roof, the most frequent first.
    pub reasons: Vec<(Message, u64)>,
    /// Files that the survey lists and does not have.
    pub missing: u64,
    /// Why the homes were loaded without measured roofs.
    pub failed: Option<Message>,
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
        replace_file(folder, NAME, &serde_json::to_vec_pretty(self)?)
    }

    /// What look-ups really answer from: the index is switched one step before the record is written, and a program may
    /// end between the two.
    pub(super) fn in_step_with(self, versions: Option<DatasetVersions>) -> Self {
        let Some(versions) = versions else {
            let is_gone = self.current.is_some();
            let stage = if is_gone { AreaStage::Working } else { self.stage };
            return Self { current: None, previous: None, stage, ..self };
        };
        let version_of = |load: &Option<AreaLoad>| load.as_ref().map(|load| load.version);
        let (current, previous) = (version_of(&self.current), version_of(&self.previous));
        if current == Some(versions.current) {
            return self;
        }
        // The load was switched to.
        if let Some(next) = self.next.clone().filter(|_| versions.previous == current) {
            let rows = AreaRows { places: versions.places, ..AreaRows::default() };
            let load = AreaLoad { version: versions.current, rows, ..next };
            return Self { current: Some(load), previous: self.current, next: None, stage: AreaStage::Ready, ..self };
        }
        // The load was taken back.
        if previous == Some(versions.current) {
            return self.taken_back();
        }
        // Somebody imported over it.
        self
    }

    /// The load before is current, and the monthly refresh does not bring the other one again.
    pub(super) fn taken_back(self) -> Self {
        let held = self.current.map(|load| HeldRelease { release: load.release, why: HeldWhy::TakenBack });
        Self { current: self.previous, previous: None, next: None, held, stage: AreaStage::Ready, ..self }
    }
}

/// Replaces a file in one step.
pub(super) fn replace_file(folder: &Path, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let (path, new) = (folder.join(name), folder.join(format!("{name}.new")));
    let mut file = File::create(&new)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use shingle_domain::evidence::Position;
    use shingle_source::{Area, Circle};

    use super::*;

    fn load(release: &str, version: u64) -> AreaLoad {
        AreaLoad {
            release: Release::parse(release).unwrap(),
            at: Timestamp::from_micros(0),
            folder: release.to_owned(),
            is_listed: false,
            requests: 0,
            repeated: 0,
            bytes: 0,
            disk_bytes: 0,
            layers: Vec::new(),
            version,
            rows: AreaRows { places: version * 10, ..AreaRows::default() },
            homes: Vec::new(),
            survey: None,
            photos: None,
        }
    }

    fn record(current: Option<AreaLoad>, previous: Option<AreaLoad>, next: Option<AreaLoad>) -> AreaRecord {
        let at = Position { latitude: 40.0, longitude: -105.0 };
        AreaRecord {
            found: FoundArea {
                name: "area-80302".to_owned(),
                title: "80302".to_owned(),
                places: vec!["80302".to_owned()],
                miles: Some(3.0),
                zips: Vec::new(),
                area: Area::new(vec![Circle { latitude: at.latitude, longitude: at.longitude, miles: 3.0 }]),
            },
            source: "overture".to_owned(),
            extras: AreaExtras::default(),
            license: "ODbL".to_owned(),
            accepted_at: Timestamp::from_micros(0),
            stage: AreaStage::Working,
            current,
            previous,
            next,
            checked: None,
            held: None,
        }
    }

    /// What is current, and what was before.
    fn releases(record: &AreaRecord) -> [String; 2] {
        [&record.current, &record.previous]
            .map(|load| load.as_ref().map_or_else(String::new, |l| l.release.to_string()))
    }

    #[test]
    fn a_record_that_is_one_step_behind_says_what_the_index_has() {
        let versions = |current, previous| Some(DatasetVersions { current, previous, places: 77 });
        let loading = || record(Some(load("a", 1)), None, Some(load("b", 0)));
        // Not switched yet, switched, and switched where nothing was before.
        assert_eq!(releases(&loading().in_step_with(versions(1, None))), ["a", ""]);
        let switched = loading().in_step_with(versions(2, Some(1)));
        assert_eq!(releases(&switched), ["b", "a"]);
        let current = switched.current.unwrap();
        assert_eq!(
            (switched.stage, switched.next, current.version, current.rows.places),
            (AreaStage::Ready, None, 2, 77)
        );
        let first = record(None, None, Some(load("a", 0))).in_step_with(versions(1, None));
        assert_eq!(releases(&first), ["a", ""]);
        // Taken back, of which the record does not know yet.
        let two = || record(Some(load("b", 2)), Some(load("a", 1)), None);
        let undone = two().in_step_with(versions(1, None));
        assert_eq!((releases(&undone), &undone.stage), (["a", ""].map(str::to_owned), &AreaStage::Ready));
        assert_eq!(undone.held.map(|held| held.release), Release::parse("b"));
        // Removed, and imported over by hand.
        let removed = two().in_step_with(None);
        assert_eq!((releases(&removed), &removed.stage), (["", ""].map(str::to_owned), &AreaStage::Working));
        assert_eq!(two().in_step_with(versions(3, Some(2))), two());
    }
}
