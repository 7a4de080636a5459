//! Turns the compiled browser runtime into a folder that the server's build script embeds: the module and its script
//! with hashed names, each with compressed twins, the scripts that the server completes, and a manifest.
//!
//! `cargo xtask build` runs this when a source of the runtime has changed. It is a program of its own because
//! it needs a minifier and a module rewriter, which nothing else has to compile.
//!
//! # Decision
//!
//! oxc minifies scripts when the runtime is built. Turned down: our own minifier, which knew less of the language and
//! was 100 bytes worse; minifying in the server.

mod asset;
mod bindgen;
mod glue;
mod scripts;
mod wasm_shrink;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Parser;
use serde_json::json;
use shingle_widget::ssr::minify_css;

#[derive(Parser)]
struct Options {
    /// The root of the repository
    #[arg(long)]
    root: PathBuf,
    /// The compiled module
    #[arg(long)]
    module: PathBuf,
    /// The folder to write; replaced as a whole
    #[arg(long)]
    out: PathBuf,
    /// What the sources hash to; written into the manifest
    #[arg(long)]
    inputs: String,
}

fn main() -> Result<()> {
    let Options { root, module, out, inputs } = Options::parse();
    let loader = root.join("www/loader");
    let work = out.with_extension("bindgen");
    remove(&work)?;
    let (module, glue) = bindgen::bind(&module, &work)?;
    remove(&work)?;
    let (module, glue) = wasm_shrink::shrink(&module, &glue)?;
    let style = |name: &str| {
        let file = root.join("www").join(name);
        Ok::<_, anyhow::Error>(minify_css(&fs::read_to_string(&file).with_context(|| file.display().to_string())?))
    };

    let fresh = out.with_extension("new");
    remove(&fresh)?;
    fs::create_dir_all(&fresh)?;
    let parts = asset::write(&fresh, "js", scripts::parts(&loader, &style("parts.css")?)?.as_bytes())?;
    let script = scripts::runtime(
        &loader,
        &scripts::Made {
            glue: &glue,
            style: &style("widget.css")?,
            module: &asset::sum(&module),
            parts: parts["file"].as_str().unwrap_or_default(),
        },
    )?;
    let stem = asset::stem(script.as_bytes());
    let manifest = json!({
        "js": asset::write(&fresh, "js", script.as_bytes())?,
        // Named after the script, which holds its sum: the loader then carries one sum for both.
        "wasm": asset::write_as(&fresh, &format!("{stem}.wasm"), &module)?,
        "solver": asset::write(&fresh, "js", scripts::solver(&loader)?.as_bytes())?,
        "parts": parts,
        "inputs": inputs,
    });
    for (name, script) in scripts::templates(&loader)? {
        fs::write(fresh.join(name), script)?;
    }
    fs::write(fresh.join("manifest.json"), serde_json::to_vec_pretty(&manifest)?)?;
    // Whole or not at all: an interrupted build leaves the old folder, or none.
    remove(&out)?;
    fs::rename(&fresh, &out).with_context(|| out.display().to_string())
}

fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error).context(folder.display().to_string()),
        _ => Ok(()),
    }
}
