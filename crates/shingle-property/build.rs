//! Packs the tables that the program carries: five times smaller, and unpacked at their first use.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let assets = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../assets");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    pack(&assets.join("post-towns.csv"), &out)?;
    println!("cargo::rerun-if-changed={}", assets.join("reference").display());
    for entry in fs::read_dir(assets.join("reference"))? {
        let path = entry?.path();
        if path.extension() == Some(OsStr::new("csv")) {
            pack(&path, &out)?;
        }
    }
    Ok(())
}

fn pack(table: &Path, out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", table.display());
    let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    shingle_packed::pack(&[fs::read(table)?], fs::File::create(out.join(format!("{name}.br")))?)?;
    Ok(())
}
