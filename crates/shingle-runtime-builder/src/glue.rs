//! wasm-bindgen's script, read as what it is made of: top-level items and the functions the module imports.
//! It is written by a program of a pinned version, one item after the other, so lines are enough to tell them
//! apart; what does not look as expected is an error, never a guess.

use std::collections::HashSet;

use anyhow::{Context, Result, ensure};

const IMPORTS_BEGIN: &str = "function __wbg_get_imports() {";
const MODULE: &str = "\"./runtime_bg.js\"";

pub struct Glue {
    items: Vec<Item>,
    imports: Vec<Item>,
}

struct Item {
    /// What the rest of the script calls it. A statement has none.
    name: Option<String>,
    lines: Vec<String>,
}

impl Item {
    /// What only other pages and browsers need: nobody disposes of our flow by a `using`, and every browser that reads
    /// our stylesheet can encode into memory.
    fn is_for_others(&self) -> bool {
        let first = self.lines.first().map(String::as_str).unwrap_or_default();
        first.starts_with("if (Symbol.dispose) ") || first.starts_with("if (!('encodeInto' in ")
    }

    fn simplify(&mut self) {
        match self.name.as_deref() {
            // Without the count of bytes after which Safari wants another decoder: two thousand million.
            Some("decodeText") => {
                if let Some(last) = self.lines.iter().position(|line| line.starts_with("return ")) {
                    self.lines.drain(1..last);
                }
            }
            // A memory that has grown has another buffer, in every browser.
            Some("getDataViewMemory0") => {
                for line in self.lines.iter_mut().filter(|line| line.starts_with("if (cachedDataViewMemory0 === null "))
                {
                    *line = "if (cachedDataViewMemory0?.buffer !== wasm.memory.buffer) {".to_owned();
                }
            }
            _ => (),
        }
    }
}

impl Glue {
    /// Takes a script apart, without comments and indents.
    pub fn read(script: &str) -> Result<Self> {
        // There, a leading blank would be content.
        let whole_templates = script.lines().all(|line| line.matches('`').count() % 2 == 0);
        ensure!(whole_templates, "wasm-bindgen's script has a template of several lines");
        let (mut items, mut imports) = (Vec::<Item>::new(), Vec::<Item>::new());
        let mut inside = false;
        for line in code(script) {
            let begins = !line.starts_with([' ', '}', ')']);
            if begins {
                inside = line == IMPORTS_BEGIN;
            }
            if begins && !inside {
                items.push(Item { name: name(line), lines: vec![line.to_owned()] });
            } else if !inside {
                items.last_mut().context("a line before the first item")?.lines.push(line.trim().to_owned());
            } else if let Some(entry) = line.strip_prefix("        ").filter(|l| !l.starts_with(' ')) {
                match entry.split_once(": function(") {
                    Some((name, _)) => {
                        imports.push(Item { name: Some(name.to_owned()), lines: vec![entry.to_owned()] });
                    }
                    None if entry.starts_with('}') => {
                        imports.last_mut().context("an end before an import")?.lines.push(entry.to_owned());
                    }
                    None => ensure!(
                        entry == "__proto__: null," || entry.starts_with(MODULE),
                        "an import of a kind this does not know: {entry}"
                    ),
                }
            } else if line.starts_with("            ") {
                imports.last_mut().context("a line before the first import")?.lines.push(line.trim().to_owned());
            }
        }
        items.retain(|item| !item.is_for_others());
        items.iter_mut().for_each(Item::simplify);
        ensure!(!imports.is_empty(), "wasm-bindgen's script has no imports where they are looked for");
        Ok(Self { items, imports })
    }

    /// Leaves out what neither the named exports nor anything they use needs.
    pub fn keep(&mut self, exports: &[&str]) -> Result<()> {
        for item in &mut self.items {
            for line in &mut item.lines {
                let exported = item.name.as_deref().is_some_and(|name| exports.contains(&name));
                if let Some(plain) = line.strip_prefix("export ").filter(|l| !exported && !l.starts_with('{')) {
                    *line = plain.to_owned();
                } else if line.starts_with("export {") {
                    "export { __wbg_init as default };".clone_into(line);
                }
            }
        }
        let words = |item: &Item| -> HashSet<String> {
            item.lines.iter().flat_map(|line| identifiers(line)).map(str::to_owned).collect()
        };
        let mut used: HashSet<String> = exports.iter().map(|name| (*name).to_owned()).collect();
        for item in self.imports.iter().chain(self.items.iter().filter(|item| item.name.is_none())) {
            used.extend(words(item));
        }
        loop {
            let before = used.len();
            for item in &self.items {
                if item.name.as_ref().is_some_and(|name| used.contains(name)) {
                    used.extend(words(item));
                }
            }
            if used.len() == before {
                break;
            }
        }
        self.items.retain(|item| item.name.as_ref().is_none_or(|name| used.contains(name)));
        for export in exports {
            ensure!(self.items.iter().any(|i| i.name.as_deref() == Some(export)), "the script exports no {export}");
        }
        Ok(())
    }

    /// Leaves out the functions the module does not import.
    pub fn keep_imports(&mut self, imported: &HashSet<String>) -> Result<()> {
        self.imports.retain(|item| item.name.as_ref().is_some_and(|name| imported.contains(name)));
        ensure!(self.imports.len() == imported.len(), "the module imports what the script does not have");
        Ok(())
    }

    /// The names of the module's exports that are used.
    pub fn module_exports(&self) -> HashSet<String> {
        let lines = self.items.iter().chain(&self.imports).flat_map(|item| &item.lines);
        lines.flat_map(|line| members(line)).map(str::to_owned).collect()
    }

    /// The names only the script itself knows.
    pub fn own_names(&self, exports: &[&str]) -> Vec<String> {
        let names = self.items.iter().filter_map(|item| item.name.as_deref());
        // The stage calls some of wasm-bindgen's by name.
        let functions = names.filter(|name| !name.starts_with("__wbg_") && !exports.contains(name));
        functions.map(str::to_owned).collect()
    }

    /// Gives other names to imports, to exports of the module, and to whatever is called like them.
    pub fn rename(&mut self, new: impl Fn(&str) -> Option<String>) {
        for item in self.items.iter_mut().chain(&mut self.imports) {
            for line in &mut item.lines {
                let mut renamed = String::with_capacity(line.len());
                let mut rest = line.as_str();
                while let Some(word) = identifiers(rest).next() {
                    let at = word.as_ptr() as usize - rest.as_ptr() as usize;
                    renamed.push_str(&rest[..at]);
                    renamed.push_str(&new(word).unwrap_or_else(|| word.to_owned()));
                    rest = &rest[at + word.len()..];
                }
                renamed.push_str(rest);
                *line = renamed;
            }
        }
    }

    /// The script, with its imports under `module`.
    pub fn write(&self, module: &str) -> String {
        let mut script = String::new();
        let mut put = |line: &str| {
            script.push_str(line);
            script.push('\n');
        };
        self.items.iter().flat_map(|item| &item.lines).for_each(|line| put(line));
        put(IMPORTS_BEGIN);
        put(&format!("return {{ __proto__: null, {module}: {{ __proto__: null,"));
        self.imports.iter().flat_map(|item| &item.lines).for_each(|line| put(line));
        put("} };");
        put("}");
        script
    }
}

/// The lines that are neither empty nor comment.
fn code(script: &str) -> impl Iterator<Item = &str> {
    let mut in_comment = false;
    script.lines().filter(move |line| {
        let line = line.trim();
        if in_comment || line.starts_with("/*") {
            in_comment = !line.ends_with("*/");
            return false;
        }
        !line.is_empty() && !line.starts_with("//")
    })
}

/// What an item declares. What comes after a class and is about it goes with it.
fn name(line: &str) -> Option<String> {
    let line = line.strip_prefix("export ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let rest = ["class ", "function ", "const ", "if (Symbol.dispose) "].iter().find_map(|k| line.strip_prefix(k))?;
    identifiers(rest).next().map(str::to_owned)
}

fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

/// What follows `wasm.`
fn members(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("wasm.").filter_map(|(at, dot)| identifiers(&line[at + dot.len()..]).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = r#"/**
 * Ours.
 */
export class Handle {
    free() {
        // why
        wasm.__wbg_handle_free(HandleFinalization);
    }
}
if (Symbol.dispose) Handle.prototype[Symbol.dispose] = Handle.prototype.free;

export class Theirs {
    free() {
        wasm.__wbg_theirs_free(kinds);
    }
}
if (Symbol.dispose) Theirs.prototype[Symbol.dispose] = Theirs.prototype.free;

export function mount(a) {
    return wasm.mount(a);
}
function __wbg_get_imports() {
    const import0 = {
        __proto__: null,
        __wbg_get_0123: function() { return handleError(function (arg0) {
            return `a ${arg0}`;
        }, arguments); },
        __wbg_set_4567: function(arg0) {
            onlyHere(arg0);
        },
    };
    return {
        __proto__: null,
        "./runtime_bg.js": import0,
    };
}
const HandleFinalization = 1;
const kinds = ["bytes"];
function handleError(f) {
    wasm.__wbindgen_exn_store(f);
}
function onlyHere(a) {
    wasm.memory;
}
let wasmModule, wasm;
async function __wbg_init() {
    return __wbg_get_imports();
}
export { initSync, __wbg_init as default };
"#;

    fn set(names: &[&str]) -> HashSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_only_a_dependency_exports_leaves_with_all_that_only_it_uses() {
        let mut glue = Glue::read(SCRIPT).unwrap();
        glue.keep(&["Handle", "mount"]).unwrap();
        glue.keep_imports(&set(&["__wbg_get_0123"])).unwrap();
        glue.keep(&["Handle", "mount"]).unwrap();
        assert_eq!(glue.module_exports(), set(&["__wbg_handle_free", "mount", "__wbindgen_exn_store"]));
        let script = glue.write("a");
        for gone in ["Theirs", "kinds", "onlyHere", "initSync", "//", "/*", "    "] {
            assert!(!script.contains(gone), "{gone} in {script}");
        }
        assert!(script.contains("a: { __proto__: null,\n__wbg_get_0123: function() { return handleError("), "{script}");
        assert!(script.contains("return `a ${arg0}`;\n}, arguments); },\n} };\n}\n"), "{script}");
    }

    #[test]
    fn a_new_name_is_given_to_whole_words_only() {
        let mut glue = Glue::read(SCRIPT).unwrap();
        glue.rename(|name| (name == "mount").then(|| "m".to_owned()));
        let script = glue.write("a");
        assert!(script.contains("function m(a) {\nreturn wasm.m(a);\n}"), "{script}");
        assert!(script.contains("__wbg_get_0123"), "{script}");
    }

    #[test]
    fn a_script_of_another_make_is_refused() {
        assert!(Glue::read("export function mount() {\n}\n").is_err());
        assert!(Glue::read(&SCRIPT.replace("__wbg_set_4567: function(", "__wbg_set_4567: (")).is_err());
        assert!(Glue::read(&SCRIPT.replace("return `a", "return `a\n")).is_err());
        let mut glue = Glue::read(SCRIPT).unwrap();
        assert!(glue.keep(&["unmount"]).is_err());
        assert!(glue.keep_imports(&set(&["__wbg_new"])).is_err());
    }
}
