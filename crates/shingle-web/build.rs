//! Writes the description of the API in one line, in two halves: the address of the server goes between them. The second,
//! which is nearly all of it, is compressed.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The address in `assets/openapi.json`, as it is in the list of servers.
const DESCRIBED_SERVER: &str = "https://api.example.com";

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../assets/openapi.json");
    println!("cargo::rerun-if-changed={}", path.display());
    let description: serde_json::Value = serde_json::from_slice(&fs::read(&path)?)?;
    let text = description.to_string();
    let servers = format!("\"servers\":[{{\"url\":\"{DESCRIBED_SERVER}");
    let (before, after) = text.split_once(&servers).ok_or("assets/openapi.json names no server")?;
    let before = format!("{before}{}", servers.trim_end_matches(DESCRIBED_SERVER));
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("openapi-before.json"), before)?;
    shingle_packed::pack(&[after.as_bytes().to_vec()], fs::File::create(out.join("openapi-after.br"))?)?;
    Ok(())
}
