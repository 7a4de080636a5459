//! The browser runtime: built by `shingle-runtime-builder` when one of its sources has changed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::command::{Compiler, cargo, run, run_piped, say};
use crate::module_linker;
use crate::tools;
use crate::workspace::Workspace;

const BUILDER: &str = "shingle-runtime-builder";
/// For cargo, after its own words: the standard library is built with the module.
pub const BUILD_STD: [&str; 2] = ["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"];

/// Immediate abort leaves the panic machinery out and needs the standard library built for it: 15 % less.
/// The other two leave out `{:?}` texts and source positions, which nobody sees there. wasm-opt is not part of
/// this: it makes the module smaller on disk and hardly on the wire.
const RUSTFLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zfmt-debug=none -Zlocation-detail=none";

/// `manifest.json`: what lies in the folder.
#[derive(Debug, Clone, Deserialize)]
pub struct Manifest {
    pub js: Asset,
    pub wasm: Asset,
    solver: Asset,
    parts: Asset,
    /// What all this was made from.
    inputs: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Asset {
    pub file: String,
    pub bytes: usize,
    pub gzip: usize,
    pub brotli: usize,
}

/// Makes the runtime unless the one at hand was made from the same sources.
pub fn build(workspace: &Workspace) -> Result<Manifest> {
    build_beside(&Compiler::Rustc, workspace, || Ok(()))
}

/// The same, with other work of cargo's beside it: most of the time the module keeps one core busy.
pub fn build_beside(
    compiler: &Compiler,
    workspace: &Workspace,
    other_work: impl FnOnce() -> Result<()>,
) -> Result<Manifest> {
    // Tiers run side by side: the second one finds what the first has made.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let inputs = fingerprint(workspace)?;
    if let Some(manifest) = at_hand(workspace).filter(|manifest| manifest.inputs == inputs) {
        say("browser runtime: unchanged");
        drop(turn);
        other_work()?;
        return Ok(manifest);
    }
    tools::wasm_target()?;
    say("building the browser runtime (WebAssembly) and its builder; a few minutes the first time");
    let (module, builder) = thread::scope(|scope| {
        let module = scope.spawn(|| compile(workspace));
        let mut builder = cargo();
        builder.current_dir(&workspace.root).args(["build", "--workspace", "--bin", BUILDER]);
        compiler.configure(&mut builder);
        let built = run_piped(&mut builder).and_then(|()| other_work());
        (module.join().unwrap_or_else(|_| Err(anyhow!("compiling the runtime panicked"))), built)
    });
    builder?;
    let mut command = Command::new(workspace.program(BUILDER, false));
    command.arg("--root").arg(&workspace.root).arg("--module").arg(module?);
    run(command.arg("--out").arg(workspace.runtime()).arg("--inputs").arg(&inputs))?;
    let manifest = at_hand(workspace).context("the runtime builder left no whole runtime")?;
    let total = manifest.js.brotli + manifest.wasm.brotli;
    say(&format!("browser runtime: {total} bytes with brotli"));
    Ok(manifest)
}

/// The module as the compiler leaves it.
fn compile(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = cargo();
    command.args(["build", "--package", "shingle-runtime", "--lib", "--target", tools::WASM, "--profile", "wasm"]);
    command.args(["--no-default-features", "--features", "csr"]).args(BUILD_STD);
    run_piped(for_module(workspace, &mut command)?.current_dir(&workspace.root))?;
    Ok(work(workspace).join(tools::WASM).join("wasm/shingle_runtime.wasm"))
}

/// What any build of the module needs in its environment.
pub fn for_module<'c>(workspace: &Workspace, command: &'c mut Command) -> Result<&'c mut Command> {
    command.envs(module_linker::environment(&tools::rustc())?);
    Ok(command.env("RUSTC_BOOTSTRAP", "1").env("RUSTFLAGS", RUSTFLAGS).env("CARGO_TARGET_DIR", work(workspace)))
}

/// A folder of its own: other flags, and no waiting for another cargo's lock.
pub fn work(workspace: &Workspace) -> PathBuf {
    workspace.target.join("runtime-build")
}

/// The finished runtime that lies there, if it is whole.
fn at_hand(workspace: &Workspace) -> Option<Manifest> {
    let folder = workspace.runtime();
    let manifest: Manifest = serde_json::from_slice(&fs::read(folder.join("manifest.json")).ok()?).ok()?;
    let whole = [&manifest.js, &manifest.wasm, &manifest.solver, &manifest.parts]
        .iter()
        .all(|entry| ["", ".gz", ".br"].iter().all(|twin| folder.join(format!("{}{twin}", entry.file)).is_file()));
    whole.then_some(manifest)
}

/// One hash of everything the runtime is made from, its builder included.
fn fingerprint(workspace: &Workspace) -> Result<String> {
    let mut files: Vec<PathBuf> = [
        "www/widget.css",
        "www/parts.css",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
        "crates/xtask/src/module_linker.rs",
    ]
    .iter()
    .map(|name| workspace.root.join(name))
    .collect();
    collect(&workspace.root.join("www/loader"), &mut files)?;
    let packages = workspace.sources_of(&["shingle-runtime", BUILDER]);
    ensure!(packages.len() > 2, "the workspace lacks shingle-runtime or its builder");
    for package in packages {
        collect(&package, &mut files)?;
    }
    files.sort();
    let mut sum = Sha256::new();
    for file in files {
        let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
        let name = file.strip_prefix(&workspace.root).unwrap_or(&file).to_string_lossy().into_owned();
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
