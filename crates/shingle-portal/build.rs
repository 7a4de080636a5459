//! Compresses the Spanish words.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    let words = Path::new(&std::env::var("CARGO_MANIFEST_DIR")?).join("../../www/words");
    let target = std::env::var("OUT_DIR")?;
    for name in ["messages-es", "portal-es"] {
        let file = words.join(format!("{name}.json"));
        println!("cargo::rerun-if-changed={}", file.display());
        let packed = File::create(Path::new(&target).join(format!("{name}.zlib")))?;
        let mut packed = ZlibEncoder::new(packed, Compression::best());
        packed.write_all(&fs::read(&file)?)?;
        packed.finish()?;
    }
    Ok(())
}
