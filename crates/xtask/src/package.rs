//! `cargo xtask package`: the npm package, for sites that are built with a bundler.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::command::{path_with, read, run as run_command, say};
use crate::node::Node;
use crate::workspace::Workspace;
use crate::{runtime, server, tools};

/// Written by hand; the manifest gets its version on the way.
const SOURCE: &str = "www/package";
const RUNTIME: [&str; 4] = ["runtime.js", "runtime.d.ts", "runtime_bg.wasm", "runtime_bg.wasm.d.ts"];

pub fn run(workspace: &Workspace, without_runtime: bool) -> Result<ExitCode> {
    if without_runtime {
        println!("{}", scripts(workspace)?.display());
        return Ok(ExitCode::SUCCESS);
    }
    let folder = workspace.root.join("target/npm");
    assemble(workspace, &folder, Some(&typed_runtime(workspace)?))?;
    let npm = Node::find("the npm package")?.npm;
    let mut pack = Command::new(npm);
    pack.args(["pack", "--json", "--ignore-scripts", "--loglevel", "error", "--pack-destination"]);
    let said: Value = serde_json::from_str(&read(pack.arg(workspace.root.join("target")).current_dir(&folder))?)?;
    let packed = said.get(0).or_else(|| said.as_object()?.values().next()).context("npm packed nothing")?;
    let tarball = packed["filename"].as_str().context("npm does not name its file")?;
    println!("{}", folder.display());
    println!("{} ({} bytes)", workspace.root.join("target").join(tarball).display(), packed["size"]);
    Ok(ExitCode::SUCCESS)
}

/// What is written by hand, in a folder of its own: enough for tests.
pub fn scripts(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.root.join("target/npm-scripts");
    assemble(workspace, &folder, None)?;
    Ok(folder)
}

/// wasm-pack's own output: the low-level exports with their types.
fn typed_runtime(workspace: &Workspace) -> Result<PathBuf> {
    let tools = tools::wasm(workspace)?;
    say("building the browser runtime with types");
    let package = runtime::work(workspace).join("typed");
    server::forget(&package)?;
    let mut command = Command::new(tools.wasm_pack.join("wasm-pack"));
    command.args(["--log-level", "warn", "build"]).arg(workspace.root.join("crates/shingle-runtime"));
    command.args(["--mode", "no-install", "--target", "web", "--profile", "wasm", "--no-opt"]);
    command.args(["--no-pack", "--no-gitignore", "--out-name", "runtime", "--out-dir"]).arg(&package);
    command.args(["--", "--no-default-features", "--features", "csr"]).args(runtime::BUILD_STD);
    command.env("PATH", path_with(&[&tools.wasm_bindgen, &tools.wasm_pack])?);
    run_command(runtime::for_module(workspace, &mut command)?.stdout(std::io::stderr()))?;
    Ok(package)
}

/// The folder as npm packs it.
fn assemble(workspace: &Workspace, folder: &Path, runtime: Option<&Path>) -> Result<()> {
    server::forget(folder)?;
    fs::create_dir_all(folder)?;
    let source = workspace.root.join(SOURCE);
    for entry in fs::read_dir(&source).with_context(|| source.display().to_string())? {
        let path = entry?.path();
        // The examples are not in the package.
        if path.is_dir() {
            continue;
        }
        fs::copy(&path, folder.join(path.file_name().context("a file without a name")?))?;
    }
    fs::copy(workspace.root.join("LICENSE"), folder.join("LICENSE")).context("LICENSE")?;
    let manifest = folder.join("package.json");
    fs::write(&manifest, versioned(&fs::read_to_string(&manifest)?, workspace.version()?)?)?;
    if let Some(runtime) = runtime {
        fs::create_dir(folder.join("runtime"))?;
        for name in RUNTIME {
            fs::copy(runtime.join(name), folder.join("runtime").join(name)).with_context(|| name.to_owned())?;
        }
    }
    Ok(())
}

/// The version is in one workspace, Cargo.toml; in the manifest it comes after the name.
fn versioned(manifest: &str, version: &str) -> Result<String> {
    let Value::Object(written) = serde_json::from_str(manifest).context("www/package/package.json")? else {
        anyhow::bail!("www/package/package.json is not an object")
    };
    let mut whole = serde_json::Map::new();
    for (name, value) in written {
        let first = name == "name";
        whole.insert(name, value);
        if first {
            whole.insert("version".to_owned(), version.into());
        }
    }
    Ok(serde_json::to_string_pretty(&whole)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_has_the_version_of_the_workspace_and_every_file_it_names() {
        let workspace = Workspace::find().unwrap();
        let folder = std::env::temp_dir().join(format!("shingle-package-{}", std::process::id()));
        let runtime = folder.with_extension("runtime");
        fs::create_dir_all(&runtime).unwrap();
        for name in RUNTIME {
            fs::write(runtime.join(name), name).unwrap();
        }
        assemble(&workspace, &folder, Some(&runtime)).unwrap();
        let manifest: Value = serde_json::from_slice(&fs::read(folder.join("package.json")).unwrap()).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        let mut named = Vec::new();
        for target in manifest["exports"].as_object().unwrap().values() {
            match target {
                Value::Object(kinds) => named.extend(kinds.values().filter_map(Value::as_str)),
                other => named.extend(other.as_str()),
            }
        }
        assert!(named.len() >= 10, "{named:?}");
        for name in named {
            assert!(folder.join(name).is_file(), "{name} is not in the package");
        }
        fs::remove_dir_all(&folder).unwrap();
        fs::remove_dir_all(&runtime).unwrap();
    }
}
