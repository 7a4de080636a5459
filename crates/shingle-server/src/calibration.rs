//! Where the operator's calibration of the buyer scores is kept: one file in the data folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shingle_estimate::calibration::Calibration;

use crate::cli::Problem;

/// In the data folder `data`.
pub fn file(data: &Path) -> PathBuf {
    data.join("calibration.json")
}

/// `None` when nothing was ever fitted, or it was reset: the scores are as stated.
pub fn open(data: &Path) -> Result<Option<Calibration>, Problem> {
    let file = file(data);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(Problem::new(format!("The calibration cannot be read: {error}")).at(file.display()));
        }
    };
    Calibration::parse(&text).map(Some).map_err(|e| {
        Problem::new(e)
            .at(file.display())
            .mend("Fit it again with `shingle calibrate fit`, or forget it with `shingle calibrate reset`.")
    })
}

/// Beside the old one first, then in its place: a reader sees one or the other.
pub fn save(data: &Path, calibration: &Calibration) -> Result<PathBuf, Problem> {
    let file = file(data);
    let unwritten = |e: io::Error| {
        Problem::new(format!("The calibration cannot be written: {e}"))
            .at(file.display())
            .mend("Make the data folder writable, or name another one with --data.")
    };
    let text = calibration.to_json().map_err(|e| Problem::new(e).at(file.display()))?;
    let beside = file.with_extension("json.new");
    let write = || {
        fs::create_dir_all(data)?;
        let mut new = File::create(&beside)?;
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        fs::rename(&beside, &file)
    };
    write().map_err(unwritten)?;
    Ok(file)
}

/// Whether there was one.
pub fn reset(data: &Path) -> Result<bool, Problem> {
    let file = file(data);
    match fs::remove_file(&file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Problem::new(format!("The calibration cannot be removed: {error}")).at(file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibration_is_found_where_it_was_put_and_gone_after_a_reset() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("new");
        assert_eq!(open(&data).unwrap(), None);
        assert!(!reset(&data).unwrap());
        let calibration = Calibration::default().with(Vec::new());
        let file = save(&data, &calibration).unwrap();
        assert_eq!(open(&data).unwrap(), Some(calibration));
        assert_eq!(fs::read_dir(&data).unwrap().count(), 1, "nothing is left beside it");
        fs::write(&file, "{\"format\": 1").unwrap();
        let problem = open(&data).unwrap_err().to_string();
        assert!(problem.contains("calibrate fit") && problem.contains("calibration.json"), "{problem}");
        assert!(reset(&data).unwrap());
        assert_eq!(open(&data).unwrap(), None);
    }
}
