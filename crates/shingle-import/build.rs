//! What the program needs of each EPSG code: its projection, packed, and what its datum is called. The descriptions that
//! `crs-definitions` has of them are eight megabytes, of which the program would read nothing else.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write;
use std::path::PathBuf;
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let all: Vec<_> = (0..=u16::MAX).filter_map(crs_definitions::from_code).collect();
    let names: BTreeSet<_> = all.iter().map(|def| datum_of(def.wkt)).collect();
    let names: Vec<_> = names.into_iter().collect();
    let of_code: Vec<_> = all
        .iter()
        .map(|def| Ok((def.code, u16::try_from(names.partition_point(|name| *name < datum_of(def.wkt)))?)))
        .collect::<Result<_, std::num::TryFromIntError>>()?;
    let text = format!(
        "static NAMES: [&str; {}] = {names:?};\nstatic OF_CODE: [(u16, u16); {}] = {of_code:?};\n",
        names.len(),
        of_code.len()
    );
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("datum_names.rs"), text)?;
    let mut packed = GzEncoder::new(fs::File::create(out.join("projections.gz"))?, Compression::best());
    for def in &all {
        writeln!(packed, "{} {}", def.code, def.proj4)?;
    }
    packed.finish()?;
    Ok(())
}

/// Empty where the description names none.
fn datum_of(wkt: &'static str) -> &'static str {
    let named = ["DATUM[\"", "ENSEMBLE[\""].iter().find_map(|key| wkt.split_once(key));
    named.and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}
