//! Checks of the machine: open files, disk space, and the clock.

use std::path::Path;

use shingle_domain::Timestamp;

use super::messages::{ClockOwner, Fault, Finding, Fix};
use crate::installation::Installation;
use crate::open_files::FEW;
use crate::operator_error::OperatorError;

/// Below this a day of photographs, an import or the log of the database may fill the disk.
const LITTLE_ROOM: u64 = 1 << 30;

pub(super) fn open_files() -> Result<Finding, OperatorError> {
    let (soft, hard) = rlimit::getrlimit(rlimit::Resource::NOFILE).map_err(OperatorError::text)?;
    enough_files(soft, hard)
}

/// The server raises the soft limit on its own, up to the hard one.
fn enough_files(soft: u64, hard: u64) -> Result<Finding, OperatorError> {
    if hard < FEW {
        return Err(OperatorError::new(Fault::FewFiles { hard }).fix(Fix::RaiseLimit));
    }
    Ok(Finding::OpenFiles { soft, hard })
}

pub(super) fn disk_space(context: &Installation) -> Result<Finding, OperatorError> {
    let folder = &context.settings.data;
    let disk = rustix::fs::statvfs(folder).map_err(|e| OperatorError::text(e).at(folder.display()))?;
    enough_room(folder, disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_favail, disk.f_files)
}

/// Some file systems have no limit of files: they say that they have none at all.
fn enough_room(folder: &Path, bytes: u64, files: u64, all_files: u64) -> Result<Finding, OperatorError> {
    let megabytes = bytes >> 20;
    let told = |what: Fault| Err(OperatorError::new(what).at(folder.display()).fix(Fix::MakeRoom));
    if bytes < LITTLE_ROOM {
        return told(Fault::LittleRoom { megabytes });
    }
    if all_files > 0 && files < 1_000 {
        return told(Fault::FewMoreFiles { files });
    }
    Ok(Finding::Room { gigabytes: bytes / 1_000_000_000 })
}

/// Microseconds by which two clocks may differ: one is read after the other, and some report whole seconds only.
const MAX_DRIFT: i64 = 5_000_000;

/// Links, keys and retries end by the clock, and a signature is refused by a receiver whose clock differs much.
pub(super) fn same_time(owner: ClockOwner, theirs: Timestamp, ours: Timestamp) -> Result<(), OperatorError> {
    let drift = ours.micros() - theirs.micros();
    if drift.abs() <= MAX_DRIFT {
        return Ok(());
    }
    let seconds = drift.abs() / 1_000_000;
    let fault = match drift > 0 {
        true => Fault::ClockAhead { seconds, owner },
        false => Fault::ClockBehind { seconds, owner },
    };
    Err(OperatorError::new(fault).fix(Fix::Ntp))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_wrong_is_told_with_whose_it_is_compared_to() {
        let at = |seconds: i64| Timestamp::from_micros(1_780_000_000_000_000 + seconds * 1_000_000);
        assert!(same_time(ClockOwner::Database, at(0), at(5)).is_ok());
        let ahead = same_time(ClockOwner::Database, at(0), at(61)).unwrap_err().to_string();
        assert!(ahead.contains("61 seconds ahead of that of the database server") && ahead.contains("NTP"), "{ahead}");
        let behind = same_time(ClockOwner::Files, at(3_600), at(0)).unwrap_err().to_string();
        assert!(behind.contains("3600 seconds behind"), "{behind}");
    }

    #[test]
    fn few_open_files_are_told_with_the_remedy() {
        let few = enough_files(1_024, 1_024).unwrap_err().to_string();
        assert!(few.contains("1024 open files") && few.contains("LimitNOFILE"), "{few}");
        assert!(enough_files(1_024, 65_536).is_ok(), "the server raises the soft limit");
    }

    #[test]
    fn a_disk_that_is_nearly_full_is_told_by_room_or_by_files() {
        let folder = Path::new("kept");
        let full = enough_room(folder, 300 << 20, 1_000_000, 2_000_000).unwrap_err().to_string();
        assert!(full.contains("300 MB") && full.contains("kept"), "{full}");
        let files = enough_room(folder, 50 << 30, 12, 2_000_000).unwrap_err().to_string();
        assert!(files.contains("12 more files"), "{files}");
        assert_eq!(enough_room(folder, 50 << 30, 0, 0).unwrap(), Finding::Room { gigabytes: 53 }, "no limit of files");
        assert!(enough_room(folder, 50 << 30, 1_000_000, 2_000_000).is_ok());
    }
}
