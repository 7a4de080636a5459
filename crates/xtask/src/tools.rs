//! What building and testing need beside cargo: found where it already is, else installed, and said.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, read, run, say};
use crate::place::Place;

/// wasm-bindgen's command line has to be of the very version of the crate in Cargo.lock.
const WASM_BINDGEN: Tool = Tool { package: "wasm-bindgen-cli", program: "wasm-bindgen", version: "0.2.130" };
const WASM_PACK: Tool = Tool { package: "wasm-pack", program: "wasm-pack", version: "0.15.1" };

struct Tool {
    package: &'static str,
    program: &'static str,
    version: &'static str,
}

/// Folders that hold wasm-pack and wasm-bindgen, for the search path.
pub struct WasmTools {
    pub wasm_pack: PathBuf,
    pub wasm_bindgen: PathBuf,
}

/// The target, the standard library's source and the two programs, at their pinned versions.
pub fn wasm(place: &Place) -> Result<WasmTools> {
    agrees_with_lock(&place.root)?;
    let rust = PathBuf::from(read(Command::new(rustc()).args(["--print", "sysroot"]))?.trim()).join("lib/rustlib");
    if !rust.join("wasm32-unknown-unknown/lib").is_dir() {
        rustup(&["target", "add", "wasm32-unknown-unknown"])?;
    }
    if !rust.join("src/rust/library/std/Cargo.toml").is_file() {
        rustup(&["component", "add", "rust-src"])?;
    }
    let work = place.target.join("tools");
    Ok(WasmTools { wasm_bindgen: WASM_BINDGEN.folder(&work)?, wasm_pack: WASM_PACK.folder(&work)? })
}

impl Tool {
    /// `work` is where a build may leave its objects; what the two have in common is compiled once.
    fn folder(&self, work: &Path) -> Result<PathBuf> {
        if let Some(parent) = on_path(self.program).filter(|file| self.fits(file)).as_deref().and_then(Path::parent) {
            return Ok(parent.to_path_buf());
        }
        let home = cache()?.join(format!("shingle/tools/{}-{}", self.package, self.version));
        let program = home.join("bin").join(format!("{}{}", self.program, std::env::consts::EXE_SUFFIX));
        if !self.fits(&program) {
            say(&format!("installing {} {} into {} (once for this user)", self.package, self.version, home.display()));
            // Not `--locked`: with the lock file it ships, wasm-pack does not build any more.
            let install = ["install", "--quiet", "--force", "--version", self.version, "--root"];
            run(cargo().args(install).arg(&home).arg(self.package).env("CARGO_TARGET_DIR", work))?;
        }
        Ok(home.join("bin"))
    }

    fn fits(&self, program: &Path) -> bool {
        let Ok(output) = Command::new(program).arg("--version").output() else { return false };
        String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1) == Some(self.version)
    }
}

/// A pin that has drifted from the lock file would only show as a page that never opens.
fn agrees_with_lock(root: &Path) -> Result<()> {
    let lock = std::fs::read_to_string(root.join("Cargo.lock")).context("Cargo.lock")?;
    let version = lock
        .split("[[package]]")
        .find(|p| p.contains("\nname = \"wasm-bindgen\"\n"))
        .and_then(|package| package.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"')));
    match version {
        Some(version) if version != WASM_BINDGEN.version => bail!(
            "Cargo.lock has wasm-bindgen {version}, xtask pins {}: change both together (crates/xtask/src/tools.rs)",
            WASM_BINDGEN.version
        ),
        _ => Ok(()),
    }
}

fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn rustup(arguments: &[&str]) -> Result<()> {
    say(&format!("rustup {}", arguments.join(" ")));
    run(Command::new("rustup").args(arguments)).with_context(|| {
        format!("the browser part needs `rustup {}`; without rustup, add the same to your Rust", arguments.join(" "))
    })
}

/// The user's folder for things that can be made again.
fn cache() -> Result<PathBuf> {
    let named = |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    named("XDG_CACHE_HOME")
        .or_else(|| named("LOCALAPPDATA"))
        .or_else(|| named("HOME").map(|home| home.join(".cache")))
        .context("neither XDG_CACHE_HOME nor HOME says where to keep tools")
}

/// Programs of Debian packages: used as they are, installed when missing and this user may.
pub fn debian(programs: &[&str], packages: &[&str], what_for: &str) -> Result<()> {
    let missing = |programs: &[&str]| programs.iter().any(|p| on_path(p).is_none());
    if !missing(programs) {
        return Ok(());
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0");
    if on_path("apt-get").is_none() || !root {
        bail!("{what_for} needs {}: install {}", programs.join(" and "), packages.join(" "));
    }
    say(&format!("installing {} with apt-get, for {what_for}", packages.join(" ")));
    let quiet = |arguments: &[&str]| {
        run(Command::new("apt-get")
            .args(["-qq", "-o", "Dpkg::Use-Pty=0"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr()))
    };
    quiet(&["update"])?;
    quiet(&[&["install", "--yes", "--no-install-recommends"], packages].concat())?;
    if missing(programs) {
        bail!("{what_for} still lacks {}", programs.join(" or "));
    }
    Ok(())
}
