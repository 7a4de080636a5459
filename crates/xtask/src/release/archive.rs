//! Archives: tar, gzip and xz whose bytes depend on their content alone.
//!
//! # Decision
//!
//! What people download is packed with xz and its filter for machine code. Turned down: gzip, which takes 40 percent more
//! and misses the limit; zstd, which fewer systems bring along.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use flate2::{Compression, GzBuilder};

use super::edition::Edition;
use super::packing::Packing;
use super::target::{Given, Target};
use crate::command::run;
use crate::tools;

/// A tar file that is written in the order of the calls.
pub struct Archive<W: Write> {
    tar: tar::Builder<W>,
    time: u64,
}

/// Who owns an entry, by number: names may be missing where it is unpacked.
#[derive(Debug, Clone, Copy)]
pub struct Owner(pub u64);

pub const ROOT: Owner = Owner(0);

impl<W: Write> Archive<W> {
    pub fn new(to: W, time: u64) -> Self {
        Self { tar: tar::Builder::new(to), time }
    }

    pub fn folder(&mut self, path: &str, mode: u32, owner: Owner) -> Result<()> {
        self.entry(&format!("{path}/"), tar::EntryType::Directory, mode, owner, &[])
    }

    pub fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> Result<()> {
        self.entry(path, tar::EntryType::Regular, mode, ROOT, content)
    }

    fn entry(&mut self, path: &str, kind: tar::EntryType, mode: u32, owner: Owner, content: &[u8]) -> Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(owner.0);
        header.set_gid(owner.0);
        header.set_mtime(self.time);
        header.set_size(content.len() as u64);
        self.tar.append_data(&mut header, path, content).with_context(|| path.to_owned())
    }

    pub fn finish(self) -> Result<W> {
        Ok(self.tar.into_inner()?)
    }
}

/// Without name and time in its header.
pub fn gzip<W: Write>(to: W, level: Compression) -> flate2::write::GzEncoder<W> {
    GzBuilder::new().mtime(0).operating_system(255).write(to, level)
}

/// `shingle-VERSION-TARGET.tar.xz`: the program, and what is needed to run it as a service.
pub fn write(edition: &Edition<'_>, given: &Given, packing: Packing, output: &Path) -> Result<PathBuf> {
    let name = format!("shingle-{}-{}", edition.version, given.target.triple());
    let plain = edition.scratch("archive")?.join(format!("{name}.tar"));
    let to = File::create(&plain).with_context(|| plain.display().to_string())?;
    let mut archive = Archive::new(to, edition.time);
    archive.folder(&name, 0o755, ROOT)?;
    let program = fs::read(&given.file).with_context(|| given.file.display().to_string())?;
    archive.file(&format!("{name}/shingle"), 0o755, &program)?;
    for file in ["shingle.service", "shingle.toml"] {
        archive.file(&format!("{name}/{file}"), 0o644, &fs::read(edition.source(file))?)?;
    }
    for (file, content) in documents(edition)? {
        archive.file(&format!("{name}/{file}"), 0o644, &content)?;
    }
    archive.finish()?;
    let place = output.join(format!("{name}.tar.xz"));
    tools::debian(&["xz"], &["xz-utils"], "the archive")?;
    let mut command = Command::new("xz");
    // With several threads the bytes would depend on their number.
    command.args(["--threads=1", "--stdout"]);
    if let Target::X86 = given.target {
        // The filter for ARM is not read by the xz of older systems.
        command.arg("--x86");
    }
    command.arg(match packing {
        Packing::Small => "--lzma2=preset=9e",
        Packing::Fast => "--lzma2=preset=0",
    });
    command.arg(&plain);
    run(command.stdout(File::create(&place).with_context(|| place.display().to_string())?))?;
    fs::remove_file(&plain)?;
    Ok(place)
}

/// License, introduction, changes and the manual, in the order of their names.
pub fn documents(edition: &Edition<'_>) -> Result<Vec<(String, Vec<u8>)>> {
    let root = &edition.workspace.root;
    let mut all = Vec::new();
    for name in ["LICENSE", "README.md", "CHANGELOG.md"] {
        all.push((name.to_owned(), fs::read(root.join(name)).with_context(|| name.to_owned())?));
    }
    pages(&root.join("assets/manual"), "manual", &mut all)?;
    all.sort();
    Ok(all)
}

fn pages(folder: &Path, name: &str, into: &mut Vec<(String, Vec<u8>)>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let own = path.file_name().context("a page without a name")?.to_string_lossy().into_owned();
        let name = format!("{name}/{own}");
        if path.is_dir() {
            pages(&path, &name, into)?;
        } else if own.ends_with(".md") {
            into.push((name, fs::read(&path)?));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_content_gives_the_same_bytes_and_is_owned_by_root() {
        let packed = || {
            let mut archive = Archive::new(gzip(Vec::new(), Compression::best()), 1_700_000_000);
            archive.folder("a", 0o755, ROOT).unwrap();
            archive.file("a/b", 0o644, b"content").unwrap();
            archive.finish().unwrap().finish().unwrap()
        };
        let bytes = packed();
        assert_eq!(bytes, packed());
        let mut read = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let entries: Vec<_> = read.entries().unwrap().map(Result::unwrap).collect();
        let told = |e: &tar::Entry<'_, _>| {
            let header = e.header();
            let owners = (header.uid().unwrap(), header.gid().unwrap());
            (e.path().unwrap().display().to_string(), header.mode().unwrap(), owners, header.mtime().unwrap())
        };
        let told: Vec<_> = entries.iter().map(told).collect();
        let entry = |path: &str, mode| (path.to_owned(), mode, (0, 0), 1_700_000_000);
        assert_eq!(told, [entry("a/", 0o755), entry("a/b", 0o644)]);
    }
}
