//! The linker of the browser's module: this program once more, between rustc and rust-lld.
//!
//! wasm-bindgen's classes are exported from every crate that the module is made of, and what is exported is kept, no
//! matter who calls it. Taken out after linking, a class leaves its functions behind: they are in the module's table,
//! where nothing tells them from those that are called. So these classes are hidden from the linker: 3 kB less on the
//! wire.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::command::read;

/// How rustc's call begins; no task does.
const FLAVOR: &str = "-flavor";
/// Tells the linker proper.
const LINKER: &str = "SHINGLE_MODULE_LINKER";
/// Of the streams of a server function, of which the flow has none.
const UNCALLED_CLASS: &str = "intounderlying";

/// What cargo needs in its environment to link the module by this program.
pub fn environment(rustc: &OsStr) -> Result<[(&'static str, OsString); 2]> {
    let own = std::env::current_exe().context("the path of this program")?;
    let libraries = read(Command::new(rustc).args(["--print", "target-libdir"]))?;
    let lld = format!("bin/rust-lld{}", std::env::consts::EXE_SUFFIX);
    let lld: PathBuf = Path::new(libraries.trim()).parent().context("where rustc keeps its linker")?.join(lld);
    Ok([("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", own.into()), (LINKER, lld.into())])
}

/// `None` where rustc is not the caller.
pub fn link_if_called() -> Option<ExitCode> {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let linker = std::env::var_os(LINKER).filter(|_| arguments.first().is_some_and(|first| first == FLAVOR))?;
    let status = Command::new(&linker).args(without_uncalled(arguments)).status();
    Some(match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {}: {error}", linker.display());
            ExitCode::FAILURE
        }
    })
}

/// The arguments without the exports of the classes that nobody calls.
fn without_uncalled(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut kept: Vec<OsString> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let is_export = kept.last().is_some_and(|last| last == "--export");
        if is_export && argument.to_string_lossy().contains(UNCALLED_CLASS) {
            kept.pop();
        } else {
            kept.push(argument);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_exports_of_uncalled_classes_are_left_out() {
        let given =
            ["-flavor", "wasm", "--export", "mount_1", "--export", "__wbg_intounderlyingsink_free_2", "--export"]
                .into_iter()
                .chain(["intounderlyingsource_pull_2", "libintounderlying.rlib", "--export", "__wbindgen_malloc"]);
        let kept = without_uncalled(given.map(OsString::from).collect());
        let expected =
            ["-flavor", "wasm", "--export", "mount_1", "libintounderlying.rlib", "--export", "__wbindgen_malloc"];
        assert_eq!(kept, expected);
    }
}
