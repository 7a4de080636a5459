//! From the compiler's module to a browser's: wasm-bindgen as a library, of the very version that `Cargo.lock` names.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;

/// The module after wasm-bindgen, and its script. Leaves both in `folder`.
pub fn bind(module: &Path, folder: &Path) -> Result<(Vec<u8>, String)> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name("runtime");
    bindgen.web(true)?.typescript(false).omit_default_module_path(false).generate(folder)?;
    let snippets = folder.join("snippets");
    ensure!(
        !snippets.exists(),
        "a dependency brings scripts of its own ({}): the runtime is one script",
        snippets.display()
    );
    let module = fs::read(folder.join("runtime_bg.wasm")).context("wasm-bindgen's module")?;
    let script = fs::read_to_string(folder.join("runtime.js")).context("wasm-bindgen's script")?;
    Ok((module, script))
}
