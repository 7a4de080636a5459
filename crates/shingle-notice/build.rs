//! Compresses the fonts: they are unpacked when the first picture is drawn.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let fonts = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../assets/fonts");
    let target = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["Inter-Regular", "Inter-SemiBold"] {
        let font = fonts.join(format!("{name}.ttf"));
        println!("cargo::rerun-if-changed={}", font.display());
        shingle_packed::pack(&[fs::read(font)?], File::create(target.join(format!("{name}.br")))?)?;
    }
    Ok(())
}
