//! Checks of the machine: open files, disk space, and the clock.

use std::path::Path;

use shingle_domain::Timestamp;

use crate::installation::Installation;
use crate::open_files::FEW;
use crate::operator_error::OperatorError;

/// Below this a day of photographs, an import or the log of the database may fill the disk.
const LITTLE_ROOM: u64 = 1 << 30;

pub(super) fn open_files() -> Result<String, OperatorError> {
    let (soft, hard) = rlimit::getrlimit(rlimit::Resource::NOFILE).map_err(OperatorError::new)?;
    enough_files(soft, hard)
}

/// The server raises the soft limit on its own, up to the hard one.
fn enough_files(soft: u64, hard: u64) -> Result<String, OperatorError> {
    if hard < FEW {
        return Err(OperatorError::new(format!(
            "The system allows {hard} open files; each visitor's connection is one"
        ))
        .fix("Raise the hard limit to 65536 (`ulimit -Hn`, LimitNOFILE of the service)."));
    }
    Ok(format!("{soft} now, up to {hard} for a server"))
}

pub(super) fn disk_space(context: &Installation) -> Result<String, OperatorError> {
    let folder = &context.settings.data;
    let disk = rustix::fs::statvfs(folder).map_err(|e| OperatorError::new(e).at(folder.display()))?;
    enough_room(folder, disk.f_bavail.saturating_mul(disk.f_frsize), disk.f_favail, disk.f_files)
}

/// Some file systems have no limit of files: they say that they have none at all.
fn enough_room(folder: &Path, bytes: u64, files: u64, all_files: u64) -> Result<String, OperatorError> {
    let megabytes = bytes >> 20;
    let told = |what: String| {
        OperatorError::new(what).at(folder.display()).fix("Make room, or move the data folder to a larger disk.")
    };
    if bytes < LITTLE_ROOM {
        return Err(told(format!(
            "{megabytes} MB are left on the disk of the data folder: leads are refused once it is full"
        )));
    }
    if all_files > 0 && files < 1_000 {
        return Err(told(format!("{files} more files fit on the disk of the data folder")));
    }
    Ok(format!("{gigabytes} GB are left", gigabytes = megabytes >> 10))
}

/// Microseconds by which two clocks may differ: one is read after the other, and some report whole seconds only.
const MAX_DRIFT: i64 = 5_000_000;

/// Links, keys and retries end by the clock, and a signature is refused by a receiver whose clock differs much.
pub(super) fn same_time(whose: &str, theirs: Timestamp, ours: Timestamp) -> Result<(), OperatorError> {
    let drift = ours.micros() - theirs.micros();
    if drift.abs() <= MAX_DRIFT {
        return Ok(());
    }
    let side = if drift > 0 { "ahead of" } else { "behind" };
    Err(OperatorError::new(format!(
        "This machine's clock is {seconds} seconds {side} that of {whose}",
        seconds = drift.abs() / 1_000_000
    ))
    .fix("Enable time synchronisation (NTP) on both machines."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_wrong_is_told_with_whose_it_is_compared_to() {
        let at = |seconds: i64| Timestamp::from_micros(1_780_000_000_000_000 + seconds * 1_000_000);
        assert!(same_time("the database server", at(0), at(5)).is_ok());
        let ahead = same_time("the database server", at(0), at(61)).unwrap_err().to_string();
        assert!(ahead.contains("61 seconds ahead of that of the database server") && ahead.contains("NTP"), "{ahead}");
        let behind = same_time("the file system", at(3_600), at(0)).unwrap_err().to_string();
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
        assert_eq!(enough_room(folder, 50 << 30, 0, 0).unwrap(), "50 GB are left", "no limit of files");
        assert!(enough_room(folder, 50 << 30, 1_000_000, 2_000_000).is_ok());
    }
}
