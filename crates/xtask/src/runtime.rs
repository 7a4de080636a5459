//! The browser runtime: `shingle-runtime` as WebAssembly and its script, which has the stylesheet in it, with
//! hashed names, compressed, and a manifest for the server's build script.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use shingle_widget::ssr::lean_css;

use crate::command::{path_with, run, say};
use crate::place::Place;
use crate::{linkage, scripts, tools};

/// `manifest.json`: what lies in the folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub js: Entry,
    pub wasm: Entry,
    /// What all this was made from. The server does not read it.
    inputs: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub file: String,
    /// For `integrity` attributes: `sha256-…`. The name is made of the same sum.
    pub integrity: String,
    pub bytes: usize,
    pub gzip: usize,
    pub brotli: usize,
}

/// The sums of a manifest are of these files, so they are the build's own settings too.
const SETTINGS: &[u8] = concat!(
    include_str!("runtime.rs"),
    include_str!("linkage.rs"),
    include_str!("glue.rs"),
    include_str!("scripts.rs"),
    include_str!("tools.rs")
)
.as_bytes();

/// Immediate abort leaves the panic machinery out and needs the standard library built for it: 15 % less.
/// The other two leave out `{:?}` texts and source positions, which nobody sees there. wasm-opt is no part of
/// this: it makes the module smaller on disk and hardly on the wire.
const RUSTFLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zfmt-debug=none -Zlocation-detail=none";

/// Makes the runtime unless the one at hand was made from the same sources.
pub fn build(place: &Place) -> Result<Manifest> {
    let style = place.root.join("www/widget.css");
    let inputs = fingerprint(place, &style)?;
    if let Some(manifest) = at_hand(place).filter(|manifest| manifest.inputs == inputs) {
        say("browser runtime: unchanged");
        return Ok(manifest);
    }
    let tools = tools::wasm(place)?;
    say("building the browser runtime (WebAssembly; some minutes the first time)");
    let package = compile(place, &tools, false)?;

    let folder = place.runtime();
    let fresh = folder.with_extension("new");
    remove(&fresh)?;
    fs::create_dir_all(&fresh)?;
    let module = fs::read(package.join("runtime_bg.wasm")).context("wasm-bindgen's module")?;
    let (module, glue) = linkage::tighten(&module, &glue(&package)?)?;
    let style = lean_css(&fs::read_to_string(&style).with_context(|| style.display().to_string())?);
    let manifest = Manifest {
        js: write(&fresh, "js", scripts::runtime(place, &glue, &style)?.as_bytes())?,
        wasm: write(&fresh, "wasm", &module)?,
        inputs,
    };
    for (name, script) in scripts::templates(place)? {
        fs::write(fresh.join(name), script)?;
    }
    fs::write(fresh.join("manifest.json"), serde_json::to_vec_pretty(&manifest)?)?;
    // Whole or not at all: an interrupted build leaves the old folder, or none.
    remove(&folder)?;
    fs::rename(&fresh, &folder)?;
    let total = manifest.js.brotli + manifest.wasm.brotli;
    say(&format!("browser runtime: {total} bytes with brotli, in {}", folder.display()));
    Ok(manifest)
}

/// The finished runtime that lies there, if it is whole.
fn at_hand(place: &Place) -> Option<Manifest> {
    let folder = place.runtime();
    let manifest: Manifest = serde_json::from_slice(&fs::read(folder.join("manifest.json")).ok()?).ok()?;
    let whole = [&manifest.js, &manifest.wasm]
        .iter()
        .all(|entry| ["", ".gz", ".br"].iter().all(|twin| folder.join(format!("{}{twin}", entry.file)).is_file()));
    whole.then_some(manifest)
}

/// wasm-pack's output, `typed` with wasm-bindgen's TypeScript beside.
pub fn compile(place: &Place, tools: &tools::WasmTools, typed: bool) -> Result<PathBuf> {
    // A folder of its own: other flags, and no waiting for another cargo's lock.
    let work = place.target.join("runtime-build");
    let package = work.join(if typed { "typed" } else { "package" });
    remove(&package)?;
    let mut command = Command::new(tools.wasm_pack.join("wasm-pack"));
    command.args(["--log-level", "warn", "build"]).arg(place.root.join("crates/shingle-runtime"));
    command.args(["--mode", "no-install", "--target", "web", "--profile", "wasm", "--no-opt"]);
    command.args((!typed).then_some("--no-typescript"));
    command.args(["--no-pack", "--no-gitignore", "--out-name", "runtime", "--out-dir"]).arg(&package);
    command.args(["--", "--no-default-features", "--features", "csr"]);
    command.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    command.env("PATH", path_with(&[&tools.wasm_bindgen, &tools.wasm_pack])?);
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", RUSTFLAGS).env("CARGO_TARGET_DIR", &work);
    run(command.stdout(std::io::stderr()))?;
    Ok(package)
}

/// wasm-bindgen's script.
fn glue(package: &Path) -> Result<String> {
    let snippets = package.join("snippets");
    ensure!(
        !snippets.exists(),
        "a dependency brings scripts of its own ({}): the runtime is one script",
        snippets.display()
    );
    fs::read_to_string(package.join("runtime.js")).context("wasm-bindgen's script")
}

fn write(folder: &Path, extension: &str, bytes: &[u8]) -> Result<Entry> {
    let sum = STANDARD.encode(Sha256::digest(bytes));
    // The loader makes names the same way, so that it need not carry both.
    let stem: String = sum.chars().filter(char::is_ascii_alphanumeric).take(16).collect();
    let file = format!("{stem}.{extension}");
    let (gzip, brotli) = (gzip(bytes)?, brotli(bytes)?);
    fs::write(folder.join(&file), bytes)?;
    fs::write(folder.join(format!("{file}.gz")), &gzip)?;
    fs::write(folder.join(format!("{file}.br")), &brotli)?;
    Ok(Entry { file, integrity: format!("sha256-{sum}"), bytes: bytes.len(), gzip: gzip.len(), brotli: brotli.len() })
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let settings = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        // Statistics that change sooner fit a module better.
        lgblock: 16,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut out, &settings)?;
    Ok(out)
}

/// One word for everything the runtime is made from.
fn fingerprint(place: &Place, style: &Path) -> Result<String> {
    if !style.is_file() {
        bail!("{} is missing", style.display());
    }
    let mut files = vec![style.to_path_buf(), place.root.join("Cargo.toml"), place.root.join("Cargo.lock")];
    collect(&place.root.join("www/loader"), &mut files)?;
    let packages = place.made_of("shingle-runtime");
    ensure!(!packages.is_empty(), "the workspace has no shingle-runtime");
    for package in packages {
        collect(&package, &mut files)?;
    }
    files.sort();
    let mut sum = Sha256::new();
    sum.update(SETTINGS);
    for file in files {
        let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        let name = file.strip_prefix(&place.root).unwrap_or(&file).to_string_lossy().into_owned();
        sum.update(format!("{name}\n{}\n", bytes.len()));
        sum.update(&bytes);
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Sources, not tests: a changed test needs no new runtime.
fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name() != Some(OsStr::new("tests")) {
                collect(&path, into)?;
            }
        } else {
            into.push(path);
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).context(folder.display().to_string()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_has_its_hash_in_its_name_and_two_readable_twins() {
        let folder = std::env::temp_dir().join(format!("shingle-xtask-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let text = "export const a = 1;\n".repeat(50);
        let entry = write(&folder, "js", text.as_bytes()).unwrap();
        assert_eq!(entry.bytes, text.len());
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &*fs::read(folder.join(format!("{}.br", entry.file))).unwrap(), &mut plain)
            .unwrap();
        assert_eq!(plain, text.as_bytes());
        let again = write(&folder, "js", text.as_bytes()).unwrap();
        assert_eq!(again, entry);
        assert_ne!(write(&folder, "js", b"other").unwrap().file, entry.file);
        fs::remove_dir_all(&folder).unwrap();
    }
}
