//! Compresses the fonts: they are unpacked when the first picture is drawn.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let fonts = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../assets/fonts");
    let target = PathBuf::from(std::env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    for name in ["Inter-Regular", "Inter-SemiBold"] {
        let font = fonts.join(format!("{name}.ttf"));
        println!("cargo::rerun-if-changed={}", font.display());
        let mut packed = ZlibEncoder::new(File::create(target.join(format!("{name}.zlib")))?, Compression::best());
        packed.write_all(&fs::read(font)?)?;
        packed.finish()?;
    }
    Ok(())
}
