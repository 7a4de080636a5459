//! `shingle backup check FILE`.

use serde::Serialize;
use shingle_backup::{Content, FileName, Header, Passphrase, SealKey, Totals, Visitor};
use shingle_store::Secret;

use super::archive::Archive;
use super::layout;
use super::messages::{BackupFault, BackupFix, refuse_newer_tables};
use super::place::BackupPlace;
use crate::installation::Installation;
use crate::operator_error::OperatorError;

#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupContents {
    pub made_at: String,
    /// The version that made it.
    pub program: String,
    pub database: &'static str,
    pub holds_secret: bool,
    /// Whether the passphrase was tried, and opens it.
    pub secret_opens: bool,
    #[serde(flatten)]
    pub totals: Totals,
}

struct Check<'a> {
    passphrase: Option<&'a Passphrase>,
    header: Option<Header>,
    key: Option<SealKey>,
    opens: bool,
    has_database: bool,
}

impl Visitor for Check<'_> {
    type Error = OperatorError;

    fn begin(&mut self, header: &Header) -> Result<(), OperatorError> {
        refuse_newer_tables(header)?;
        if let (Some(passphrase), true) = (self.passphrase, header.is_sealed()) {
            self.key = Some(header.key(passphrase)?);
        }
        self.header = Some(header.clone());
        Ok(())
    }

    fn file(&mut self, name: &FileName, content: &mut Content<'_>) -> Result<(), OperatorError> {
        self.has_database |= matches!(name.as_str(), layout::SQLITE | layout::POSTGRES);
        let (Some(key), Some(header)) = (&self.key, &self.header) else { return Ok(()) };
        if name.below("sealed") == Some(layout::SECRET) {
            let text = key.open(name, &content.small(name)?)?;
            if Secret::parse(&String::from_utf8_lossy(&text))?.check() != header.secret_check {
                return Err(OperatorError::new(BackupFault::OtherSecret).fix(BackupFix::OtherCopy));
            }
            self.opens = true;
        }
        Ok(())
    }
}

/// Reads all of a backup and compares it with its manifest; with the passphrase also its secret.
pub async fn check_backup(
    context: &Installation,
    place: &BackupPlace,
    passphrase: Option<Passphrase>,
) -> Result<BackupContents, OperatorError> {
    let archive = Archive::open(&context.settings, place).await?;
    let work = move || check(archive, passphrase.as_ref());
    let checked = tokio::task::spawn_blocking(work).await.map_err(OperatorError::text)?;
    checked.map_err(|error| if error.location.is_some() { error } else { error.at(place) })
}

fn check(archive: Archive, passphrase: Option<&Passphrase>) -> Result<BackupContents, OperatorError> {
    let mut check = Check { passphrase, header: None, key: None, opens: false, has_database: false };
    let totals = archive.read(&mut check)?;
    let header = check.header.filter(|_| check.has_database);
    let header = header.ok_or_else(|| OperatorError::new(BackupFault::NoDatabase).fix(BackupFix::OtherCopy))?;
    Ok(BackupContents {
        holds_secret: header.is_sealed(),
        database: header.engine.name(),
        made_at: header.made_at,
        program: header.program,
        secret_opens: check.opens,
        totals,
    })
}
