//! The file of the operator's calibration of the buyer scores, in the data folder.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use shingle_estimate::calibration::Calibration;

use crate::operator_error::OperatorError;

pub fn file(data: &Path) -> PathBuf {
    data.join("calibration.json")
}

/// `None` if nothing was fitted, or the fit was reset: the scores are as stated.
pub fn open(data: &Path) -> Result<Option<Calibration>, OperatorError> {
    let file = file(data);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(OperatorError::new(format!("The calibration cannot be read: {error}")).at(file.display()));
        }
    };
    Calibration::parse(&text).map(Some).map_err(|e| {
        OperatorError::text(e)
            .at(file.display())
            .fix("Fit it again with `shingle calibrate fit`, or delete it with `shingle calibrate reset`.")
    })
}

/// Writes a new file and renames it over the old one, so that a reader sees one or the other.
pub fn save(data: &Path, calibration: &Calibration) -> Result<PathBuf, OperatorError> {
    let file = file(data);
    let write_error = |e: io::Error| {
        OperatorError::new(format!("The calibration cannot be written: {e}"))
            .at(file.display())
            .fix("Make the data folder writable, or name another one with --data.")
    };
    let text = calibration.to_json().map_err(|e| OperatorError::text(e).at(file.display()))?;
    let new_path = file.with_extension("json.new");
    let write = || {
        fs::create_dir_all(data)?;
        let mut new = File::create(&new_path)?;
        new.write_all(text.as_bytes())?;
        new.sync_all()?;
        fs::rename(&new_path, &file)
    };
    write().map_err(write_error)?;
    Ok(file)
}

/// Returns whether there was a calibration.
pub fn reset(data: &Path) -> Result<bool, OperatorError> {
    let file = file(data);
    match fs::remove_file(&file) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(OperatorError::new(format!("The calibration cannot be deleted: {error}")).at(file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calibration_is_read_back_and_gone_after_a_reset() {
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
