//! What building and testing need beside cargo: found where it already is, else installed, and said.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

use crate::command::{cargo, on_path, read, run, say};
use crate::workspace::Workspace;

/// A program that cargo installs.
struct CargoTool {
    name: &'static str,
    version: &'static str,
    /// Asked for its version.
    asked: &'static [&'static str],
    /// With the lock file it ships.
    locked: bool,
}

// With its lock file, wasm-pack does not build any more.
const WASM_PACK: CargoTool = CargoTool { name: "wasm-pack", version: "0.15.1", asked: &["--version"], locked: false };
const CARGO_ZIGBUILD: CargoTool =
    CargoTool { name: "cargo-zigbuild", version: "0.24.1", asked: &["--version"], locked: true };
const CARGO_CYCLONEDX: CargoTool =
    CargoTool { name: "cargo-cyclonedx", version: "0.5.9", asked: &["cyclonedx", "--version"], locked: true };
/// Zig as a Python package: a compiler and linker for musl on every processor.
const ZIG_PACKAGE: &str = "ziglang";
const ZIG_VERSION: &str = "0.14.1";

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
    Ok(WasmTools { wasm_bindgen, wasm_pack: installed(workspace, &WASM_PACK)? })
}

/// What links static programs.
pub struct ZigTools {
    /// The folder of cargo-zigbuild, for the search path.
    pub cargo_zigbuild: PathBuf,
    /// The program itself.
    pub zig: PathBuf,
}

pub fn zig(workspace: &Workspace) -> Result<ZigTools> {
    let home = cache()?.join(format!("shingle/tools/zig-{ZIG_VERSION}"));
    // Where `pip --target` puts the program of this package.
    let own = home.join(ZIG_PACKAGE).join("zig");
    let fits = |zig: &PathBuf| says_version(Command::new(zig).arg("version"), |told| told.trim() == ZIG_VERSION);
    let zig = match on_path("zig").filter(fits) {
        Some(zig) => zig,
        None => {
            if !fits(&own) {
                say(&format!("installing Zig {ZIG_VERSION} into {} (once for this user)", home.display()));
                let package = format!("{ZIG_PACKAGE}=={ZIG_VERSION}");
                let mut pip = Command::new("python3");
                pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target"]);
                run(pip.arg(&home).arg(package).stdout(std::io::stderr()))
                    .with_context(|| format!("install Zig {ZIG_VERSION}, or Python with pip, which installs it"))?;
            }
            own
        }
    };
    Ok(ZigTools { cargo_zigbuild: installed(workspace, &CARGO_ZIGBUILD)?, zig })
}

/// The folder of cargo-cyclonedx, for the search path.
pub fn cargo_cyclonedx(workspace: &Workspace) -> Result<PathBuf> {
    installed(workspace, &CARGO_CYCLONEDX)
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
    rust_target(WASM)?;
    if !rustlib()?.join("src/rust/library/std/Cargo.toml").is_file() {
        rustup(&["component", "add", "rust-src"])?;
    }
    Ok(())
}

/// The standard library for a target, of the toolchain in use.
pub fn rust_target(target: &str) -> Result<()> {
    if !rustlib()?.join(target).join("lib").is_dir() {
        rustup(&["target", "add", target])?;
    }
    Ok(())
}

fn rustlib() -> Result<PathBuf> {
    let sysroot = read(Command::new(rustc()).args(["--print", "sysroot"]))?;
    Ok(PathBuf::from(sysroot.trim()).join("lib/rustlib"))
}

/// The folder of the tool at this version: where it already is, else the user's own.
fn installed(workspace: &Workspace, tool: &CargoTool) -> Result<PathBuf> {
    let CargoTool { name, version, asked, locked } = tool;
    let is_it = |told: &str| told.split_whitespace().nth(1) == Some(version);
    let fits = |program: &Path| says_version(Command::new(program).args(*asked), is_it);
    if let Some(parent) = on_path(name).filter(|file| fits(file)).as_deref().and_then(Path::parent) {
        return Ok(parent.to_path_buf());
    }
    let home = cache()?.join(format!("shingle/tools/{name}-{version}"));
    let program = home.join("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !fits(&program) {
        say(&format!("installing {name} {version} into {} (once for this user)", home.display()));
        let mut install = cargo();
        install.args(["install", "--force", "--version", version, "--root"]).arg(&home).arg(name);
        if *locked {
            install.arg("--locked");
        }
        // It starts other programs; compiled without optimization it is ready in a third of the time.
        install.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
        run(install.env("CARGO_TARGET_DIR", workspace.target.join("tools")))?;
    }
    Ok(home.join("bin"))
}

fn says_version(command: &mut Command, is_it: impl Fn(&str) -> bool) -> bool {
    command.output().is_ok_and(|output| is_it(&String::from_utf8_lossy(&output.stdout)))
}

pub fn rustc() -> std::ffi::OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}

fn rustup(arguments: &[&str]) -> Result<()> {
    say(&format!("rustup {}", arguments.join(" ")));
    run(Command::new("rustup").args(arguments)).with_context(|| {
        format!("this needs `rustup {}`; without rustup, add the same to your Rust", arguments.join(" "))
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
