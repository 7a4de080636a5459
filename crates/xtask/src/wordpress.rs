//! `cargo xtask wordpress`: the WordPress plugin as the file that people upload.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::workspace::Workspace;

const SOURCE: &str = "www/wordpress";
/// Of the folder in the file, which is the plugin's name to WordPress.
const SLUG: &str = "shingle-roof-estimates";
/// Stands for the version, which is in one place: Cargo.toml.
const UNVERSIONED: &str = "0.0.0";
const VERSIONED: [&str; 2] = ["shingle-roof-estimates.php", "readme.txt"];

pub fn run(workspace: &Workspace) -> Result<ExitCode> {
    let file = pack(workspace)?;
    println!("{} ({} bytes)", file.display(), fs::metadata(&file)?.len());
    Ok(ExitCode::SUCCESS)
}

/// The same bytes for the same files: no times, and the files in the order of their names.
pub fn pack(workspace: &Workspace) -> Result<PathBuf> {
    let mut zip = Zip::default();
    for (name, bytes) in contents(workspace)? {
        zip.add(&format!("{SLUG}/{name}"), &bytes)?;
    }
    let file = workspace.root.join("target").join(format!("{SLUG}.zip"));
    fs::create_dir_all(workspace.root.join("target"))?;
    fs::write(&file, zip.end()?).with_context(|| file.display().to_string())?;
    Ok(file)
}

/// All files by their names in the plugin.
fn contents(workspace: &Workspace) -> Result<Vec<(String, Vec<u8>)>> {
    let source = workspace.root.join(SOURCE);
    let mut files = Vec::new();
    collect(&source, "", &mut files)?;
    files.push(("LICENSE.txt".to_owned(), workspace.root.join("LICENSE")));
    files.sort();
    let version = workspace.version()?;
    let read = |(name, path): (String, PathBuf)| {
        let mut bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        if VERSIONED.contains(&name.as_str()) {
            bytes = String::from_utf8(bytes)?.replace(UNVERSIONED, version).into_bytes();
        }
        Ok((name, bytes))
    };
    files.into_iter().map(read).collect()
}

fn collect(folder: &Path, within: &str, files: &mut Vec<(String, PathBuf)>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("a file name that is not UTF-8")?;
        let path = format!("{within}{name}");
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files)?;
        } else {
            files.push((path, entry.path()));
        }
    }
    Ok(())
}

/// A zip file in memory, as much of the format as files of a few kilobytes need.
#[derive(Default)]
struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

const NEEDED_VERSION: u16 = 20;
const UTF8_NAMES: u16 = 1 << 11;
const DEFLATED: u16 = 8;
/// 1980-01-01, the first day that a zip file can name.
const NO_TIME: [u16; 2] = [0, 0x21];
/// Made on Unix, whose rights are in the upper half of the attributes.
const MADE_BY: u16 = 3 << 8 | NEEDED_VERSION;
const A_READABLE_FILE: u32 = 0o100_644 << 16;

impl Zip {
    fn add(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
        deflated.write_all(content)?;
        let deflated = deflated.finish()?;
        let mut sum = flate2::Crc::new();
        sum.update(content);
        let offset = u32::try_from(self.bytes.len())?;
        let mut head = Vec::new();
        for field in [NEEDED_VERSION, UTF8_NAMES, DEFLATED, NO_TIME[0], NO_TIME[1]] {
            head.extend(field.to_le_bytes());
        }
        for field in [sum.sum(), u32::try_from(deflated.len())?, u32::try_from(content.len())?] {
            head.extend(field.to_le_bytes());
        }
        head.extend(u16::try_from(name.len())?.to_le_bytes());
        head.extend(0_u16.to_le_bytes());
        self.bytes.extend(b"PK\x03\x04");
        self.bytes.extend(&head);
        self.bytes.extend(name.as_bytes());
        self.bytes.extend(deflated);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(MADE_BY.to_le_bytes());
        self.directory.extend(&head);
        // No comment, the first disk, no internal attributes.
        self.directory.extend([0; 6]);
        self.directory.extend(A_READABLE_FILE.to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;
        Ok(())
    }

    fn end(mut self) -> Result<Vec<u8>> {
        let (start, length) = (u32::try_from(self.bytes.len())?, u32::try_from(self.directory.len())?);
        self.bytes.append(&mut self.directory);
        self.bytes.extend(b"PK\x05\x06\0\0\0\0");
        for field in [self.entries, self.entries] {
            self.bytes.extend(field.to_le_bytes());
        }
        for field in [length, start] {
            self.bytes.extend(field.to_le_bytes());
        }
        self.bytes.extend(0_u16.to_le_bytes());
        Ok(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::io::Read as _;

    use super::*;

    #[test]
    fn the_plugin_has_the_version_of_the_workspace_and_every_part_it_loads() {
        let workspace = Workspace::find().unwrap();
        let files = contents(&workspace).unwrap();
        let text = |name: &str| {
            let (_, bytes) = files.iter().find(|(found, _)| found == name).unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(bytes.clone()).unwrap()
        };
        let main = text("shingle-roof-estimates.php");
        let version = env!("CARGO_PKG_VERSION");
        assert!(main.contains(&format!(" * Version:           {version}\n")), "{main}");
        assert!(main.contains(&format!("const VERSION     = '{version}';")), "{main}");
        assert!(text("readme.txt").contains(&format!("Stable tag: {version}\n")));
        let list = main.split("array( ").nth(1).and_then(|rest| rest.split(" )").next()).unwrap();
        let loaded: BTreeSet<String> =
            list.split(", ").map(|part| format!("includes/class-{}.php", part.trim_matches('\''))).collect();
        let there = files.iter().map(|(name, _)| name.clone()).filter(|name| name.starts_with("includes/"));
        assert_eq!(loaded, there.collect());
        for (name, bytes) in &files {
            let is_plain =
                name.bytes().all(|b| b.is_ascii_alphanumeric() || b"/._-".contains(&b)) && !name.contains("/.");
            assert!(is_plain && !name.starts_with('.'), "WordPress.org refuses {name}");
            if name.ends_with(".php") {
                let text = String::from_utf8(bytes.clone()).unwrap();
                let guard = ["defined( 'ABSPATH' ) || exit;", "defined( 'WP_UNINSTALL_PLUGIN' ) || exit;"];
                assert!(guard.iter().any(|guard| text.contains(guard)), "{name} runs when it is opened on its own");
            }
        }
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let mut zip = Zip::default();
        let long = "roof ".repeat(1_000);
        for (name, content) in [("a/empty.txt", ""), ("a/b/long.txt", long.as_str())] {
            zip.add(name, content.as_bytes()).unwrap();
        }
        let bytes = zip.end().unwrap();
        // As a reader does: from the end, by the directory.
        let number = |at: usize, length: usize| {
            bytes[at..at + length].iter().rev().fold(0_usize, |sum, byte| sum << 8 | usize::from(*byte))
        };
        let end = bytes.len() - 22;
        assert_eq!((&bytes[end..end + 4], number(end + 10, 2)), (&b"PK\x05\x06"[..], 2));
        assert_eq!(number(end + 16, 4) + number(end + 12, 4), end);
        let mut at = number(end + 16, 4);
        let mut found = Vec::new();
        for _ in 0..2 {
            assert_eq!(&bytes[at..at + 4], b"PK\x01\x02");
            let (sum, packed, size, name) =
                (number(at + 16, 4), number(at + 20, 4), number(at + 24, 4), number(at + 28, 2));
            let local = number(at + 42, 4);
            assert_eq!(bytes[at + 6..at + 30], bytes[local + 4..local + 28], "both heads say the same");
            let body = local + 30 + name;
            let mut content = String::new();
            flate2::read::DeflateDecoder::new(&bytes[body..body + packed]).read_to_string(&mut content).unwrap();
            let mut crc = flate2::Crc::new();
            crc.update(content.as_bytes());
            assert_eq!((crc.sum() as usize, content.len()), (sum, size));
            found.push((String::from_utf8(bytes[at + 46..at + 46 + name].to_vec()).unwrap(), content));
            at += 46 + name;
        }
        assert_eq!(found, [("a/empty.txt".to_owned(), String::new()), ("a/b/long.txt".to_owned(), long)]);
    }
}
