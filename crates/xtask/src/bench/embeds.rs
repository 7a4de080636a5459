//! The embeds we are measured against: fetched with npm when the bench runs, into the target folder.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::command::say;
use crate::node::{Node, installed};

/// Another version is another measurement: compare ratios of one version only.
const PINS: [(&str, &str); 4] = [
    ("@typebot.io/js", "0.10.7"),
    ("@calcom/embed-core", "1.5.3"),
    ("@calcom/embed-snippet", "1.3.3"),
    ("@typeform/embed", "6.1.1"),
];

pub struct Embeds {
    pub folder: PathBuf,
    pub packages: Vec<Package>,
}

#[derive(Serialize)]
pub struct Package {
    pub name: &'static str,
    pub version: &'static str,
    /// From the lock file that npm keeps beside them and checks downloads against.
    pub integrity: String,
}

#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Locked>,
}

#[derive(Deserialize)]
struct Locked {
    version: Option<String>,
    integrity: Option<String>,
}

pub fn fetch(node: &Node, folder: PathBuf) -> Result<Embeds> {
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    let wanted = json!({
        "name": "shingle-bench-embeds",
        "private": true,
        "description": "What the bench measures beside the widget. Made by the bench; nothing else uses it.",
        "dependencies": PINS.iter().copied().collect::<BTreeMap<_, _>>(),
    });
    let wanted = serde_json::to_vec_pretty(&wanted)?;
    let manifest = folder.join("package.json");
    let locked = folder.join("package-lock.json").is_file();
    if !locked || !installed(&folder) || fs::read(&manifest).ok().as_ref() != Some(&wanted) {
        fs::write(&manifest, &wanted)?;
        say("fetching the embeds to compare with (npm; kept in the target folder)");
        node.npm(&folder, &["install", "--package-lock=true"])?;
    }
    let packages = read_lock(&folder)?;
    Ok(Embeds { folder, packages })
}

fn read_lock(folder: &Path) -> Result<Vec<Package>> {
    let lock: Lock = serde_json::from_slice(&fs::read(folder.join("package-lock.json"))?).context("npm's lock file")?;
    let package = |(name, version)| {
        let locked = lock.packages.get(&format!("node_modules/{name}")).with_context(|| format!("no {name} in it"))?;
        ensure!(locked.version.as_deref() == Some(version), "{name} is not of version {version}");
        let integrity = locked.integrity.clone().with_context(|| format!("{name} is locked without a checksum"))?;
        Ok(Package { name, version, integrity })
    };
    PINS.into_iter().map(package).collect::<Result<_>>().context("npm's lock file")
}
