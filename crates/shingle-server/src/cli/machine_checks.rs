//! What the machine gives the server: open files and room on the disk.

use std::path::Path;

use super::context::CommandContext;
use crate::open_files::FEW;
use crate::operator_error::OperatorError;

/// Below this a day of photographs, an import or the log of the database may fill the disk.
const LITTLE_ROOM: u64 = 1 << 30;

pub(super) fn open_files() -> Result<String, OperatorError> {
    let (soft, hard) = rlimit::getrlimit(rlimit::Resource::NOFILE).map_err(OperatorError::new)?;
    enough_files(soft, hard)
}

/// The server raises the soft limit by itself, up to the hard one.
fn enough_files(soft: u64, hard: u64) -> Result<String, OperatorError> {
    if hard < FEW {
        return Err(OperatorError::new(format!(
            "The system allows {hard} open files; each visitor's connection is one"
        ))
        .fix("Raise the hard limit to 65536 (`ulimit -Hn`, LimitNOFILE of the service)."));
    }
    Ok(format!("{soft} now, up to {hard} for a server"))
}

pub(super) fn disk_space(context: &CommandContext) -> Result<String, OperatorError> {
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
    Ok(format!("{} GB are left", megabytes >> 10))
}

#[cfg(test)]
mod tests {
    use super::*;

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
