//! Files on their way in: written as they come, bounded, and gone again unless all of them arrived.

use std::path::PathBuf;

use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use super::import_store::{Imports, MAX_WAITING, remove};
use super::record::{ImportId, ImportRecord, Stage, UploadedFile};
use shingle_domain::{Timestamp, messages};

/// Of one import: tables, outlines, and what belongs to a shapefile.
const MAX_FILES: usize = 20;
const MAX_NAME: usize = 80;
/// Room that must be left on the disk: leads are stored on it too.
const ROOM: u64 = 1 << 30;

messages! {
    /// Why nothing of an upload is kept.
    #[derive(Debug)]
    pub enum UploadError {
        NotAForm => "This was not a form with a file.",
        CutOff => "The upload was cut off. Nothing was kept; send it again.",
        TooLarge { megabytes: u64 } => "These files are larger than {megabytes} MB together, which is the limit here.",
        NoRoom => "There is not enough room on the disk of the server for these files.",
        Count => "Please choose a file. At most 20 belong to one import.",
        Waiting => "Ten imports are waiting already. Import or delete one of them first.",
        Busy => "Another import is running. One at a time: wait for it, or stop it.",
        Store { source: std::io::Error } => "The file could not be stored: {source}",
    }
}

impl UploadError {
    fn too_large(most: u64) -> Self {
        Self::TooLarge { megabytes: most / 1_000_000 }
    }
}

impl From<std::io::Error> for UploadError {
    fn from(source: std::io::Error) -> Self {
        Self::Store { source }
    }
}

/// An upload that has begun. Dropped before it is kept, it leaves nothing.
pub struct Upload<'i> {
    imports: &'i Imports,
    id: ImportId,
    folder: PathBuf,
    files: Vec<UploadedFile>,
    left: u64,
    most: u64,
    is_kept: bool,
}

impl Imports {
    /// `claimed` is how many bytes the request says that it has.
    pub fn begin_upload(&self, id: ImportId, claimed: u64, most: u64) -> Result<Upload<'_>, UploadError> {
        // A form has some bytes of its own around the files.
        if claimed > most.saturating_add(1 << 20) {
            return Err(UploadError::too_large(most));
        }
        let waiting = self.list().into_iter().filter(|record| record.stage.is_open() || record.stage.is_working());
        if waiting.count() >= MAX_WAITING {
            return Err(UploadError::Waiting);
        }
        let folder = self.folder_of(id);
        std::fs::create_dir_all(folder.join("files"))?;
        let upload = Upload { imports: self, id, folder, files: Vec::new(), left: most, most, is_kept: false };
        if rustix::fs::statvfs(&upload.folder)
            .is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < claimed.saturating_add(ROOM))
        {
            return Err(UploadError::NoRoom);
        }
        Ok(upload)
    }
}

/// A name that is a file in our folder and nothing else, with the ending that tells the parts of a shapefile apart.
fn tame(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    let tame: String = last.chars().map(plain).collect();
    let tame = tame.trim_matches('.');
    let from = tame.len().saturating_sub(MAX_NAME);
    if tame.is_empty() { "upload".to_owned() } else { tame[from..].trim_start_matches('.').to_owned() }
}

impl Upload<'_> {
    /// A file by the name that the browser gives.
    pub async fn file(&mut self, name: &str) -> Result<File, UploadError> {
        if self.files.len() >= MAX_FILES {
            return Err(UploadError::Count);
        }
        let mut name = tame(name);
        while self.files.iter().any(|file| file.name.eq_ignore_ascii_case(&name)) {
            name.insert(0, '_');
        }
        let file = File::create_new(self.folder.join("files").join(&name)).await?;
        self.files.push(UploadedFile { name, bytes: 0 });
        Ok(file)
    }

    /// More of the file that was begun last.
    pub async fn write(&mut self, file: &mut File, bytes: &[u8]) -> Result<(), UploadError> {
        let count = bytes.len() as u64;
        self.left = self.left.checked_sub(count).ok_or(UploadError::too_large(self.most))?;
        file.write_all(bytes).await?;
        if let Some(last) = self.files.last_mut() {
            last.bytes += count;
        }
        Ok(())
    }

    /// All of them have arrived.
    pub fn keep(mut self, now: Timestamp) -> Result<ImportRecord, UploadError> {
        self.files.retain(|file| file.bytes > 0 || !self.folder.join("files").join(&file.name).exists());
        if self.files.is_empty() {
            return Err(UploadError::Count);
        }
        let record = ImportRecord {
            id: self.id,
            begun_at: now,
            files: std::mem::take(&mut self.files),
            stage: Stage::Looking,
            dataset: None,
            checked: None,
            unproposed: None,
        };
        record.write(&self.folder)?;
        self.is_kept = true;
        Ok(record)
    }
}

impl Drop for Upload<'_> {
    fn drop(&mut self) {
        if !self.is_kept && self.imports.find(self.id).is_none() {
            remove(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_never_leads_out_of_its_folder() {
        for (name, tamed) in [
            ("parcels-2026.csv", "parcels-2026.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\Town.SHP", "Town.SHP"),
            ("..", "upload"),
            ("", "upload"),
            ("/", "upload"),
            (".hidden", "hidden"),
            ("a\0b\n c.csv", "a_b__c.csv"),
            ("ñandú.csv", "_and_.csv"),
        ] {
            assert_eq!(tame(name), tamed, "{name:?}");
        }
        let long = tame(&format!("{}.csv", "x".repeat(5_000)));
        assert!(long.len() <= MAX_NAME && long.ends_with(".csv"), "{long}");
    }
}
