//! Where a backup lies: in a file, or in a bucket.

use core::fmt;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::object_address::{ObjectAddress, SCHEME, wrong_address};
use crate::operator_error::OperatorError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupPlace {
    File(PathBuf),
    Object(ObjectAddress),
}

impl BackupPlace {
    /// As the command line names it.
    pub fn parse(named: &Path) -> Result<Self, OperatorError> {
        match named.to_str().filter(|text| text.starts_with(SCHEME)) {
            None => Ok(Self::File(named.to_owned())),
            Some(text) => {
                let address = ObjectAddress::parse(text)?;
                match address.key.as_ref().is_empty() {
                    true => Err(wrong_address(text)),
                    false => Ok(Self::Object(address)),
                }
            }
        }
    }

    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Object(_) => None,
        }
    }
}

impl fmt::Display for BackupPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(file) => file.display().fmt(f),
            Self::Object(address) => address.fmt(f),
        }
    }
}

impl Serialize for BackupPlace {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_a_bucket_has_a_name_and_any_other_text_is_a_file() {
        assert!(BackupPlace::parse(Path::new("s3://oak-backups")).is_err());
        let object = BackupPlace::parse(Path::new("s3://oak-backups/a.tar.zst")).unwrap();
        assert_eq!((object.file(), object.to_string().as_str()), (None, "s3://oak-backups/a.tar.zst"));
        let file = BackupPlace::parse(Path::new("./s3:/x")).unwrap();
        assert_eq!(file.file(), Some(Path::new("./s3:/x")));
    }
}
