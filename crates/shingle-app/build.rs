//! Embeds the browser runtime in a release: the files that `cargo xtask build` writes to a folder, with their compressed
//! forms. Without the folder the server is built anyway, and says so when it starts. A debug build is only told where the
//! folder is, and reads it when it starts.

#![allow(clippy::disallowed_methods, reason = "cargo passes its settings to build scripts in variables")]

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

const FILES: [&str; 4] = ["js", "wasm", "solver", "parts"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=SHINGLE_RUNTIME_DIR");
    let folder = match env::var_os("SHINGLE_RUNTIME_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../target/shingle-runtime"),
    };
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        println!("cargo::rerun-if-changed=build.rs");
        println!("cargo::rustc-env=SHINGLE_RUNTIME_DIR={}", std::path::absolute(folder)?.display());
        return Ok(());
    }
    let manifest = folder.join("manifest.json");
    println!("cargo::rerun-if-changed={}", manifest.display());
    let mut code = String::new();
    let made: Option<serde_json::Value> =
        fs::read(&manifest).ok().map(|json| serde_json::from_slice(&json)).transpose()?;
    // An older builder left one that is not whole.
    match made.filter(|made| FILES.iter().all(|name| made[name].is_object())) {
        Some(made) => embed(&folder, &made, &mut code)?,
        None => code.push_str("pub(super) const RUNTIME: Option<Runtime> = None;\n"),
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("runtime_files.rs"), code)?;
    Ok(())
}

fn embed(folder: &Path, manifest: &serde_json::Value, code: &mut String) -> Result<(), Box<dyn Error>> {
    writeln!(code, "pub(super) const RUNTIME: Option<Runtime> = Some(Runtime {{")?;
    for name in FILES {
        let entry = &manifest[name];
        let text = |field: &str| {
            entry[field].as_str().ok_or_else(|| format!("manifest.json of the runtime has no `{name}.{field}`"))
        };
        let (file, integrity) = (text("file")?, text("integrity")?);
        let path = folder.canonicalize()?.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let include = |ending: &str| format!("include_bytes!({:?})", format!("{}{ending}", path.display()));
        writeln!(code, "    {name}: EmbeddedFile {{ file: {file:?}, integrity: {integrity:?},")?;
        writeln!(code, "        gzip: {}, brotli: {} }},", include(".gz"), include(".br"))?;
    }
    writeln!(code, "    scripts: Scripts {{")?;
    for (field, name) in
        [("hosted", "hosted"), ("plain", "loader.plain"), ("banner", "loader.banner"), ("card", "loader.card")]
    {
        let path = folder.canonicalize()?.join(format!("{name}.js"));
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(code, "        {field}: include_str!({:?}),", path.display().to_string())?;
    }
    writeln!(code, "    }},\n}});")?;
    Ok(())
}
