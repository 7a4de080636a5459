//! What the program needs of each EPSG code, packed: its datum's name and its projection. The descriptions that
//! `crs-definitions` has of them are eight megabytes, of which the program would read nothing else.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut table = Vec::new();
    for def in (0..=u16::MAX).filter_map(crs_definitions::from_code) {
        writeln!(table, "{}\t{}\t{}", def.code, datum_of(def.wkt), def.proj4)?;
    }
    shingle_packed::pack(&[table], fs::File::create(out.join("systems.br"))?)?;
    Ok(())
}

/// Empty where the description names none.
fn datum_of(wkt: &'static str) -> &'static str {
    let named = ["DATUM[\"", "ENSEMBLE[\""].iter().find_map(|key| wkt.split_once(key));
    named.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}
