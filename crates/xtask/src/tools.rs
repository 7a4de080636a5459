//! What building and testing need beside cargo: found where it already is, else installed, and said.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, read, run, say};
use crate::workspace::Workspace;

const WASM_PACK: &str = "wasm-pack";
const WASM_PACK_VERSION: &str = "0.15.1";

/// Folders that hold wasm-pack and wasm-bindgen, for the search path.
pub struct WasmTools {
    pub wasm_pack: PathBuf,
    pub wasm_bindgen: PathBuf,
}

pub const WASM: &str = "wasm32-unknown-unknown";

/// wasm-pack, and wasm-bindgen's program at the version of `Cargo.lock`: for the npm package.
pub fn wasm(workspace: &Workspace) -> Result<WasmTools> {
    wasm_target()?;
    let wasm_bindgen = wasm_bindgen(workspace, "wasm-bindgen")?;
    let wasm_bindgen = wasm_bindgen.parent().map(Path::to_path_buf).unwrap_or_default();
    Ok(WasmTools { wasm_bindgen, wasm_pack: wasm_pack(workspace)? })
}

/// Runs the module's tests in a browser.
pub fn wasm_test_runner(workspace: &Workspace) -> Result<PathBuf> {
    wasm_bindgen(workspace, "wasm-bindgen-test-runner")
}

/// One of wasm-bindgen's own programs.
fn wasm_bindgen(workspace: &Workspace, program: &str) -> Result<PathBuf> {
    say(&format!("building {program}"));
    run(cargo().current_dir(&workspace.root).args(["build", "--workspace", "--bin", program]))?;
    Ok(workspace.program(program, false))
}

/// The target and the standard library's source, of the toolchain in use.
pub fn wasm_target() -> Result<()> {
    let sysroot = read(Command::new(rustc()).args(["--print", "sysroot"]))?;
    let rust = PathBuf::from(sysroot.trim()).join("lib/rustlib");
    if !rust.join(WASM).join("lib").is_dir() {
        rustup(&["target", "add", WASM])?;
    }
    if !rust.join("src/rust/library/std/Cargo.toml").is_file() {
        rustup(&["component", "add", "rust-src"])?;
    }
    Ok(())
}

fn wasm_pack(workspace: &Workspace) -> Result<PathBuf> {
    if let Some(parent) = on_path(WASM_PACK).filter(|file| fits(file)).as_deref().and_then(Path::parent) {
        return Ok(parent.to_path_buf());
    }
    let home = cache()?.join(format!("shingle/tools/{WASM_PACK}-{WASM_PACK_VERSION}"));
    let program = home.join("bin").join(format!("{WASM_PACK}{}", std::env::consts::EXE_SUFFIX));
    if !fits(&program) {
        say(&format!("installing {WASM_PACK} {WASM_PACK_VERSION} into {} (once for this user)", home.display()));
        // Not `--locked`: with the lock file it ships, wasm-pack does not build any more.
        let mut install = cargo();
        install.args(["install", "--force", "--version", WASM_PACK_VERSION, "--root"]).arg(&home).arg(WASM_PACK);
        // It starts other programs; compiled without optimization it is ready in a third of the time.
        install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        run(install.env("CARGO_TARGET_DIR", workspace.target.join("tools")))?;
    }
    Ok(home.join("bin"))
}

fn fits(program: &Path) -> bool {
    let Ok(output) = Command::new(program).arg("--version").output() else { return false };
    String::from_utf8_lossy(&output.stdout).split_whitespace().nth(1) == Some(WASM_PACK_VERSION)
}

pub fn rustc() -> std::ffi::OsString {
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
    debian_unless(|| programs.iter().all(|program| on_path(program).is_some()), packages, what_for)
}

/// Debian packages, unless what is wanted of them is there.
pub fn debian_unless(there: impl Fn() -> bool, packages: &[&str], what_for: &str) -> Result<()> {
    // Tiers run side by side, and apt-get does not wait for another.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    if there() {
        return Ok(());
    }
    let packages_named = packages.join(" ");
    let root = Command::new("id").arg("-u").output().is_ok_and(|o| o.stdout.trim_ascii() == b"0");
    if on_path("apt-get").is_none() || !root {
        bail!("{what_for} needs more of the system: install {packages_named}");
    }
    say(&format!("installing {packages_named} with apt-get, for {what_for}"));
    let quiet = |arguments: &[&str]| {
        run(Command::new("apt-get")
            .args(["-qq", "-o", "Dpkg::Use-Pty=0"])
            .args(arguments)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(std::io::stderr()))
    };
    quiet(&["update"])?;
    quiet(&[&["install", "--yes", "--no-install-recommends"], packages].concat())?;
    if !there() {
        bail!("{what_for} still lacks something of {packages_named}");
    }
    Ok(())
}
