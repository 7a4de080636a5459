//! Compresses what the portal carries as text: the Spanish words, the styles and the scripts.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Later rules win over earlier ones, so their order counts.
const STYLES: [&str; 9] =
    ["portal", "leads", "operator", "passkey", "start", "connections", "designer", "results", "areas"];
const SCRIPTS: [&str; 11] =
    ["seen", "portal", "leads", "app", "imports", "passkey", "connections", "designer", "logo", "phone", "areas"];

fn main() -> Result<(), Box<dyn Error>> {
    let www = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../www");
    let target = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["messages-es", "portal-es"] {
        pack(&[www.join(format!("words/{name}.json"))], &target.join(format!("{name}.br")))?;
    }
    let portal = www.join("portal");
    pack(&STYLES.map(|name| portal.join(format!("{name}.css"))), &target.join("portal-css.br"))?;
    pack(&SCRIPTS.map(|name| portal.join(format!("{name}.js"))), &target.join("portal-js.br"))?;
    Ok(())
}

/// One after the other.
fn pack(files: &[PathBuf], target: &Path) -> io::Result<()> {
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let parts = files.iter().map(fs::read).collect::<io::Result<Vec<_>>>()?;
    shingle_packed::pack(&parts, File::create(target)?)
}
