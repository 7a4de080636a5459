//! Where backups go, and what opens a bucket.

use std::path::Path;

use shingle_domain::messages;
use url::Url;

use super::{Settings, SettingsFault, SettingsFix};
use crate::object_address::{ObjectAddress, SCHEME};
use crate::operator_error::OperatorError;
use crate::secret_text::SecretText;

/// A month.
const MAX_BACKUP_HOURS: u32 = 744;
/// Of servers that have only one region, too.
const USUAL_REGION: &str = "us-east-1";

/// What opens a bucket.
#[derive(Debug, Clone)]
pub struct S3Access {
    /// Of Amazon unless set.
    endpoint: Option<Url>,
    pub region: String,
    pub key: SecretText,
    pub secret: SecretText,
    /// Whether a bucket is named by the path of a request, or by its host.
    pub path_style: bool,
}

impl S3Access {
    /// The certificate of Amazon's hosts has no room for a name with a dot.
    pub fn is_path_style(&self, bucket: &str) -> bool {
        self.path_style || (self.endpoint.is_none() && bucket.contains('.'))
    }

    /// The address of a bucket, without a slash at the end.
    pub fn endpoint_of(&self, bucket: &str) -> Option<String> {
        let mut endpoint = self.endpoint.clone()?;
        if !self.is_path_style(bucket) {
            let host = format!("{bucket}.{}", endpoint.host_str().unwrap_or_default());
            endpoint.set_host(Some(&host)).ok()?;
        }
        Some(endpoint.as_str().trim_end_matches('/').to_owned())
    }
}

messages! {
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum BucketSettingFault {
        NoScheme => "The address of the bucket's server does not begin with https:// or http://",
        Endpoint => "The address of the bucket's server is not a web address",
        NoHostName => "A bucket can be named by its host only where the server has a name, not an IP address",
        HalfAKey => "The key of the bucket and its secret must be set together",
        NoKey => "A bucket is named, but no key that opens it",
        TwoPlaces => "Backups can go into a folder or into a bucket, not into both",
    }
}

messages! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum BucketSettingFix {
        Endpoint => "Write it like https://s3.example.com or http://127.0.0.1:9000, without the name of the bucket.",
        PathStyle => "Leave s3_path_style out, or set it to true.",
        BothOrNeither => "Set both, or neither.",
        Key => "Set s3_key (SHINGLE_S3_KEY) and s3_secret (SHINGLE_S3_SECRET).",
        OnePlace => "Set one of them.",
    }
}

pub(crate) fn no_bucket_key() -> OperatorError {
    OperatorError::new(BucketSettingFault::NoKey).at("s3_key, s3_secret").fix(BucketSettingFix::Key)
}

/// An empty variable is how Compose files leave one out.
fn given(text: Option<&SecretText>) -> Option<&SecretText> {
    text.filter(|text| !text.reveal().is_empty())
}

impl Settings {
    /// The folder of backups that the server takes by itself.
    pub fn backup_folder(&self) -> Option<&Path> {
        // An empty variable is how Compose files leave one out.
        self.backup_folder.as_deref().filter(|folder| !folder.as_os_str().is_empty())
    }

    /// The folder in a bucket of backups that the server takes by itself.
    pub fn backup_bucket(&self) -> Result<Option<ObjectAddress>, OperatorError> {
        let set = self.backup_bucket.as_deref().filter(|text| !text.is_empty());
        set.map(ObjectAddress::parse).transpose()
    }

    /// The folder in a bucket through which servers share the homes.
    pub fn property_bucket(&self) -> Result<Option<ObjectAddress>, OperatorError> {
        let set = self.property_bucket.as_deref().filter(|text| !text.is_empty());
        set.map(ObjectAddress::parse).transpose()
    }

    /// Whether logos and photographs lie in a bucket.
    fn stores_in_bucket(&self) -> bool {
        self.storage.as_deref().is_some_and(|text| text.starts_with(SCHEME))
    }

    /// Whether the server takes backups by itself.
    pub fn has_backup_schedule(&self) -> bool {
        self.backup_folder().is_some() || self.backup_bucket.as_deref().is_some_and(|text| !text.is_empty())
    }

    pub fn backup_passphrase(&self) -> Option<&SecretText> {
        given(self.backup_passphrase.as_ref())
    }

    /// `None` where no key is set.
    pub fn s3_access(&self) -> Result<Option<S3Access>, OperatorError> {
        let endpoint = self.s3_endpoint.as_deref().filter(|text| !text.is_empty()).map(endpoint).transpose()?;
        let (key, secret) = match (given(self.s3_key.as_ref()), given(self.s3_secret.as_ref())) {
            (None, None) => return Ok(None),
            (Some(key), Some(secret)) => (key.clone(), secret.clone()),
            _ => {
                return Err(OperatorError::new(BucketSettingFault::HalfAKey)
                    .at("s3_key, s3_secret")
                    .fix(BucketSettingFix::BothOrNeither));
            }
        };
        // Other servers than Amazon's seldom have a name in DNS for each bucket.
        let path_style = self.s3_path_style.unwrap_or(endpoint.is_some());
        if !path_style && endpoint.as_ref().is_some_and(|url| url.domain().is_none()) {
            return Err(OperatorError::new(BucketSettingFault::NoHostName)
                .at("s3_path_style")
                .fix(BucketSettingFix::PathStyle));
        }
        let region = self.s3_region.clone().filter(|region| !region.is_empty());
        Ok(Some(S3Access {
            endpoint,
            region: region.unwrap_or_else(|| USUAL_REGION.to_owned()),
            key,
            secret,
            path_style,
        }))
    }

    pub(super) fn buckets_are_whole(&self) -> Result<(), OperatorError> {
        let access = self.s3_access()?;
        let bucket = self.backup_bucket().map_err(|error| error.at("backup_bucket"))?;
        let shares_homes = self.property_bucket().map_err(|error| error.at("property_bucket"))?.is_some();
        if let Some(storage) = self.storage.as_deref().filter(|_| self.stores_in_bucket()) {
            ObjectAddress::parse(storage).map_err(|error| error.at("storage"))?;
        }
        if (shares_homes || self.stores_in_bucket()) && access.is_none() {
            return Err(no_bucket_key());
        }
        if !self.has_backup_schedule() {
            return Ok(());
        }
        if bucket.is_some() && self.backup_folder().is_some() {
            return Err(OperatorError::new(BucketSettingFault::TwoPlaces)
                .at("backup_folder, backup_bucket")
                .fix(BucketSettingFix::OnePlace));
        }
        if bucket.is_some() && access.is_none() {
            return Err(no_bucket_key());
        }
        let wrong =
            |what: SettingsFault, place: &str, fix: SettingsFix| Err(OperatorError::new(what).at(place).fix(fix));
        match self.backup_passphrase().map(|text| shingle_backup::Passphrase::new(text.reveal())) {
            Some(Ok(_)) => {}
            Some(Err(why)) => return Err(OperatorError::from(why).at("backup_passphrase")),
            None => {
                return wrong(SettingsFault::NoBackupPassphrase, "backup_passphrase", SettingsFix::BackupPassphrase);
            }
        }
        if !(1..=MAX_BACKUP_HOURS).contains(&self.backup_hours) {
            let most = MAX_BACKUP_HOURS;
            return wrong(SettingsFault::BackupHours, "backup_hours", SettingsFix::BackupHours { most });
        }
        if self.backups_kept == 0 {
            return wrong(SettingsFault::NoBackupKept, "backups_kept", SettingsFix::BackupsKept);
        }
        Ok(())
    }
}

fn endpoint(text: &str) -> Result<Url, OperatorError> {
    let wrong = |what: BucketSettingFault| {
        // The text may hold a password.
        Err(OperatorError::new(what).at("s3_endpoint").fix(BucketSettingFix::Endpoint))
    };
    if !text.starts_with("https://") && !text.starts_with("http://") {
        return wrong(BucketSettingFault::NoScheme);
    }
    match Url::parse(text) {
        Ok(url)
            if url.has_host()
                && url.path() == "/"
                && url.query().is_none()
                && url.fragment().is_none()
                && url.username().is_empty()
                && url.password().is_none() =>
        {
            Ok(url)
        }
        _ => wrong(BucketSettingFault::Endpoint),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(endpoint: Option<&str>, path_style: Option<bool>) -> Result<Option<S3Access>, OperatorError> {
        Settings {
            s3_endpoint: endpoint.map(str::to_owned),
            s3_key: Some("AKIAOAK".into()),
            s3_secret: Some("hunter2".into()),
            s3_path_style: path_style,
            ..Settings::default()
        }
        .s3_access()
    }

    #[test]
    fn a_bucket_is_named_by_the_path_at_a_server_of_ones_own_and_by_the_host_at_amazon() {
        let own = |style| set(Some("http://127.0.0.1:9000/"), style).unwrap().unwrap();
        assert_eq!(own(None).endpoint_of("oak").unwrap(), "http://127.0.0.1:9000");
        let named = set(Some("https://s3.example.com"), Some(false)).unwrap().unwrap();
        assert_eq!(named.endpoint_of("oak").unwrap(), "https://oak.s3.example.com");
        let said = set(Some("http://127.0.0.1:9000"), Some(false)).unwrap_err().to_string();
        assert!(said.contains("s3_path_style"), "no bucket is named by the host of an address: {said}");
        let amazon = set(None, None).unwrap().unwrap();
        assert_eq!((amazon.endpoint_of("oak"), amazon.path_style, amazon.region.as_str()), (None, false, "us-east-1"));
    }

    #[test]
    fn an_address_without_a_scheme_or_with_a_bucket_is_refused_without_its_text() {
        for wrong in
            ["s3.example.com", "s3.example.com:9000", "https://", "https://s3.example.com/oak", "http://a:hunter2@b"]
        {
            let said = set(Some(wrong), None).unwrap_err().to_string();
            assert!(said.contains("s3_endpoint") && !said.contains("hunter2"), "{said}");
        }
        let half = Settings { s3_key: Some("AKIAOAK".into()), ..Settings::default() };
        assert!(half.s3_access().unwrap_err().to_string().contains("s3_secret"));
        assert!(Settings { s3_key: Some("".into()), ..Settings::default() }.s3_access().unwrap().is_none());
    }
}
