//! The backups that a schedule has taken. Their names say when each was taken; no other record could be lost.

use core::fmt;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use shingle_domain::Timestamp;
use shingle_domain::cold_sort::ColdSort as _;
use shingle_domain::message::Message;

use super::bucket::Bucket;
use super::layout::FAILED;
use super::messages::not_read;
use crate::config::Settings;
use crate::object_address::ObjectAddress;
use crate::operator_error::OperatorError;

const BEGIN: &str = "shingle-";
pub(super) const END: &str = ".tar.zst";

/// When each was taken, the oldest first, and why the last attempt failed.
pub(crate) struct KeptBackups {
    pub(super) kept: Vec<Timestamp>,
    failed: Option<Failed>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Failed {
    pub at: Timestamp,
    /// A backup has the name of this second.
    began: Timestamp,
    what: Message,
    location: Option<String>,
    fix: Option<Message>,
}

impl Failed {
    pub(super) fn new((began, at): (Timestamp, Timestamp), error: &OperatorError) -> Self {
        let OperatorError { what, location, fix } = error.clone();
        let began = Timestamp::from_micros(began.seconds() * 1_000_000);
        Self { at, began, what: *what, location, fix: fix.map(|fix| *fix) }
    }

    /// In this data folder.
    pub(super) fn noted(data: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(data.join(FAILED)).ok()?).ok()
    }
}

pub(super) fn name_at(at: Timestamp) -> String {
    let text = at.to_string();
    let digits: String = text.chars().take(19).filter(|c| !matches!(c, '-' | ':')).collect();
    format!("{BEGIN}{digits}Z{END}")
}

pub(super) fn taken_at(name: &str) -> Option<Timestamp> {
    let at = Timestamp::parse_iso(name.strip_prefix(BEGIN)?.strip_suffix(END)?)?;
    // Other spellings of a time are not ours.
    (name_at(at) == name).then_some(at)
}

/// Where a schedule keeps its backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Keeping {
    Folder(PathBuf),
    Bucket(ObjectAddress),
}

impl Keeping {
    pub(crate) fn of(settings: &Settings) -> Result<Option<Self>, OperatorError> {
        match settings.backup_folder() {
            Some(folder) => Ok(Some(Self::Folder(folder.to_owned()))),
            None => Ok(settings.backup_bucket()?.map(Self::Bucket)),
        }
    }

    pub(crate) async fn read(&self, settings: &Settings) -> Result<KeptBackups, OperatorError> {
        let names = match self {
            Self::Folder(folder) => match fs::read_dir(folder) {
                Ok(entries) => entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect(),
                Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
                Err(error) => return Err(not_read(folder)(error)),
            },
            Self::Bucket(place) => {
                let listed = Bucket::open(settings, &place.bucket)?.list(&place.key).await?;
                listed.into_iter().map(|(name, _)| name).collect()
            }
        };
        let mut kept: Vec<Timestamp> = names.iter().filter_map(|name| taken_at(name)).collect();
        kept.cold_sort();
        let failed = Failed::noted(&settings.data);
        Ok(KeptBackups { kept, failed })
    }
}

impl fmt::Display for Keeping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.display().fmt(f),
            Self::Bucket(place) => place.fmt(f),
        }
    }
}

impl KeptBackups {
    pub(crate) fn count(&self) -> usize {
        self.kept.len()
    }

    /// When the newest was taken. A time that is still to come was read off a wrong clock.
    pub(crate) fn newest(&self, now: Timestamp) -> Option<Timestamp> {
        self.kept.iter().rev().copied().find(|at| *at <= now)
    }

    /// Why the last attempt failed, unless a backup is there that was begun with it or later: another server's, or one whose
    /// answer was lost.
    pub(crate) fn failure(&self, now: Timestamp) -> Option<OperatorError> {
        let newest = self.newest(now);
        let failed = self.failed.clone().filter(|failed| newest.is_none_or(|newest| newest < failed.began))?;
        let Failed { what, location, fix, .. } = failed;
        Some(OperatorError { what: Box::new(what), location, fix: fix.map(Box::new) })
    }

    /// Those that go once `wanted` are kept. Those from the future were named by a clock that was wrong: they do not count, and
    /// go first.
    pub(super) fn surplus(self, now: Timestamp, wanted: usize) -> Vec<Timestamp> {
        let (mut real, ahead): (Vec<Timestamp>, Vec<Timestamp>) = self.kept.into_iter().partition(|at| *at <= now);
        let missing = wanted.saturating_sub(real.len());
        real.truncate(real.len().saturating_sub(wanted));
        real.extend(ahead.into_iter().skip(missing));
        real
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_when_a_backup_was_taken() {
        let at = Timestamp::parse_iso("2026-03-10T12:34:56.789Z").unwrap();
        assert_eq!(name_at(at), "shingle-20260310T123456Z.tar.zst");
        assert_eq!(taken_at(&name_at(at)), Timestamp::parse_iso("2026-03-10T12:34:56Z"));
        for other in [
            "shingle-20260310T123456Z.tar.zst.7.new",
            "shingle-2026-03-10T12:34:56Z.tar.zst",
            "shingle-.tar.zst",
            "oak.tar.zst",
            "shingle-20269999T123456Z.tar.zst",
        ] {
            assert_eq!(taken_at(other), None, "{other}");
        }
    }

    #[test]
    fn those_of_a_clock_that_was_ahead_go_first_and_never_for_a_real_one() {
        let day = |day: u32| Timestamp::parse_iso(&format!("2026-03-{day:02}T12:00:00Z")).unwrap();
        let kept = |days: &[u32]| KeptBackups { kept: days.iter().map(|one| day(*one)).collect(), failed: None };
        assert_eq!(kept(&[1, 2, 3, 20, 21]).surplus(day(4), 2), [day(1), day(20), day(21)]);
        assert_eq!(kept(&[3, 20, 21]).surplus(day(4), 2), [day(21)]);
        assert_eq!(kept(&[3]).surplus(day(4), 2), []);
    }
}
