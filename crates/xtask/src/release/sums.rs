//! `SHA256SUMS`, in the form that `sha256sum --check` reads.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

pub const FILE: &str = "SHA256SUMS";

/// Of every file in the folder. Returns their names and sizes.
pub fn write(folder: &Path) -> Result<Vec<(String, u64)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        files.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    files.sort();
    let mut lines = String::new();
    for (name, _) in &files {
        lines += &format!("{}  {name}\n", of_file(&folder.join(name))?);
    }
    fs::write(folder.join(FILE), lines)?;
    Ok(files)
}

fn of_file(file: &Path) -> Result<String> {
    let mut sum = Sha256::new();
    let mut from = File::open(file).with_context(|| file.display().to_string())?;
    let mut part = vec![0; 1 << 20];
    loop {
        match from.read(&mut part)? {
            0 => return Ok(hex(sum)),
            read => sum.update(&part[..read]),
        }
    }
}

pub fn of(content: &[u8]) -> String {
    hex(Sha256::new().chain_update(content))
}

fn hex(sum: Sha256) -> String {
    sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
