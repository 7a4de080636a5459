//! What is left out between wasm-bindgen and the browser: exports nobody calls with all that only they need,
//! the names that join module and script, and the sections no browser reads.

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result, ensure};
use walrus::{Module, ModuleConfig};

use crate::glue::Glue;

/// What the loader and the hosted page call, besides the script's default. Dependencies export classes of their
/// own, which nobody here asked for.
const EXPORTS: [&str; 3] = ["Handle", "deliver", "mount"];
/// The module's name for the script.
const SCRIPT: &str = "a";

/// The module and its script, joined to each other as before.
pub fn shrink(module: &[u8], script: &str) -> Result<(Vec<u8>, String)> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false).generate_producers_section(false);
    let mut module = config.parse(module).context("wasm-bindgen's module")?;
    let mut glue = Glue::read(script)?;
    glue.keep(&EXPORTS)?;
    // Fewer exports leave fewer imports, and those fewer exports.
    loop {
        let before = (module.exports.iter().count(), module.imports.iter().count());
        drop_exports(&mut module, &glue.module_exports())?;
        walrus::passes::gc::run(&mut module);
        glue.keep_imports(&module.imports.iter().map(|import| import.name.clone()).collect())?;
        glue.keep(&EXPORTS)?;
        if before == (module.exports.iter().count(), module.imports.iter().count()) {
            break;
        }
    }
    shorten(&mut module, &mut glue);
    let custom: Vec<_> = module.customs.iter().map(|(id, _)| id).collect();
    for id in custom {
        module.customs.delete(id);
    }
    Ok((module.emit_wasm(), glue.write(SCRIPT)))
}

fn drop_exports(module: &mut Module, used: &HashSet<String>) -> Result<()> {
    let unused: Vec<_> = module.exports.iter().filter(|e| !used.contains(&e.name)).map(|e| e.id()).collect();
    for id in unused {
        module.exports.delete(id);
    }
    ensure!(module.exports.iter().count() == used.len(), "the script uses what the module does not export");
    Ok(())
}

/// Gives short names to what only the two of them know.
fn shorten(module: &mut Module, glue: &mut Glue) {
    let mut short = HashMap::new();
    for import in module.imports.iter_mut() {
        SCRIPT.clone_into(&mut import.module);
        rename(&mut import.name, &mut short);
    }
    for export in module.exports.iter_mut().filter(|export| export.name.contains('_')) {
        rename(&mut export.name, &mut short);
    }
    for mut own in glue.own_names(&EXPORTS) {
        rename(&mut own, &mut short);
    }
    glue.rename(|word| short.get(word).cloned());
}

fn rename(name: &mut String, short: &mut HashMap<String, String>) {
    let mut next = short.len();
    // `$` is in no name of wasm-bindgen's own.
    let new = short.entry(name.clone()).or_insert_with(|| {
        let mut letters = "$".to_owned();
        loop {
            letters.push(char::from(b"abcdefghijklmnopqrstuvwxyz"[next % 26]));
            next /= 26;
            if next == 0 {
                return letters;
            }
        }
    });
    name.clone_from(new);
}
