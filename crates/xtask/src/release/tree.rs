//! The files that a package installs, as a folder: both kinds of packages are made of it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::Compression;

use super::archive::{documents, gzip};
use super::edition::Edition;
use super::target::Given;

pub const PROGRAM: &str = "usr/bin/shingle";
pub const UNIT: &str = "usr/lib/systemd/system/shingle.service";
pub const SETTINGS: &str = "etc/shingle/shingle.toml";
const DOCUMENTS: &str = "usr/share/doc/shingle";

#[derive(Debug)]
pub struct Tree {
    pub folder: PathBuf,
}

impl Tree {
    pub fn of(edition: &Edition<'_>, given: &Given) -> Result<Self> {
        let tree = Self { folder: edition.scratch(&format!("tree-{}", given.target.debian()))? };
        let program = fs::read(&given.file).with_context(|| given.file.display().to_string())?;
        tree.put(PROGRAM, 0o755, &program)?;
        tree.put(UNIT, 0o644, &fs::read(edition.source("shingle.service"))?)?;
        tree.put(SETTINGS, 0o640, &fs::read(edition.source("shingle.toml"))?)?;
        for (name, content) in documents(edition)? {
            match name.as_str() {
                // As Debian names and packs them.
                "LICENSE" => tree.put(&format!("{DOCUMENTS}/copyright"), 0o644, &content)?,
                "CHANGELOG.md" => {
                    let mut packed = gzip(Vec::new(), Compression::best());
                    std::io::Write::write_all(&mut packed, &content)?;
                    tree.put(&format!("{DOCUMENTS}/changelog.gz"), 0o644, &packed.finish()?)?;
                }
                name => tree.put(&format!("{DOCUMENTS}/{name}"), 0o644, &content)?,
            }
        }
        Ok(tree)
    }

    /// Folders on the way get the rights that they have on every system.
    pub fn put(&self, path: &str, mode: u32, content: &[u8]) -> Result<()> {
        let place = self.folder.join(path);
        let parent = place.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent)?;
        for folder in parent.ancestors().take_while(|above| above.starts_with(&self.folder)) {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        }
        fs::write(&place, content).with_context(|| place.display().to_string())?;
        Ok(fs::set_permissions(&place, fs::Permissions::from_mode(mode))?)
    }

    pub fn bytes(&self) -> Result<u64> {
        bytes(&self.folder)
    }
}

fn bytes(folder: &Path) -> Result<u64> {
    let mut all = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        all += if entry.file_type()?.is_dir() { bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(all)
}
