//! The address of what lies in a bucket.

use core::fmt;

use object_store::path::Path as Key;
use shingle_domain::messages;

use crate::operator_error::OperatorError;

pub(crate) const SCHEME: &str = "s3://";

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum AddressFault {
        Bucket => "This is no place in a bucket",
        HowToWrite => "Write it like s3://BUCKET/FOLDER/NAME.tar.zst, without spaces.",
    }
}

pub(crate) fn wrong_address(text: &str) -> OperatorError {
    OperatorError::new(AddressFault::Bucket).at(text).fix(AddressFault::HowToWrite)
}

/// `s3://BUCKET/KEY`: of one backup, or of the folder of several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectAddress {
    pub(crate) bucket: String,
    pub(crate) key: Key,
}

impl ObjectAddress {
    pub fn parse(text: &str) -> Result<Self, OperatorError> {
        let wrong = || wrong_address(text);
        let rest = text.strip_prefix(SCHEME).ok_or_else(wrong)?;
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |name: &str| {
            (3..=63).contains(&name.len())
                && name.starts_with(|c: char| c.is_ascii_alphanumeric())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_'))
        };
        // What would be escaped in an address is hard to find again.
        let is_plain =
            |key: &str| key.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'?' | b'#' | b'%' | b'\\'));
        let key = key.trim_end_matches('/');
        if !is_name(bucket) || !is_plain(key) {
            return Err(wrong());
        }
        Ok(Self { bucket: bucket.to_owned(), key: Key::parse(key).map_err(|_| wrong())? })
    }

    /// The object of that name in this folder.
    pub(crate) fn join(&self, name: &str) -> Self {
        Self { bucket: self.bucket.clone(), key: self.key.clone().join(name) }
    }

    /// Without its folder.
    pub(crate) fn name(&self) -> &str {
        self.key.filename().unwrap_or_default()
    }

    /// The folder that it is in, and its name there.
    pub(crate) fn split(&self) -> (Key, &str) {
        let folder = self.key.as_ref().rsplit_once('/').map_or("", |(folder, _)| folder);
        (Key::from(folder), self.name())
    }
}

impl fmt::Display for ObjectAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SCHEME}{}", self.bucket)?;
        if self.key.as_ref().is_empty() { Ok(()) } else { write!(f, "/{}", self.key) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_names_a_bucket_and_what_is_in_it() {
        let address = ObjectAddress::parse("s3://oak-backups/roofs/2026/").unwrap();
        assert_eq!((address.bucket.as_str(), address.key.as_ref()), ("oak-backups", "roofs/2026"));
        let one = address.join("a.tar.zst");
        assert_eq!(one.to_string(), "s3://oak-backups/roofs/2026/a.tar.zst");
        assert_eq!(one.split(), (Key::from("roofs/2026"), "a.tar.zst"));
        assert_eq!(ObjectAddress::parse("s3://oak-backups").unwrap().join("a").to_string(), "s3://oak-backups/a");
        for wrong in
            ["", "s3://", "s3://a", "s3://oak backups", "S3://oak", "s3://-oak", "s3://oak/a//b", "s3://oak/../b"]
        {
            assert!(ObjectAddress::parse(wrong).is_err(), "{wrong}");
        }
    }
}
