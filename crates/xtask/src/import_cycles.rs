//! No two files of a crate import each other, directly or around a circle: a reader can take the files in an order in
//! which each one needs only those before it.
//!
//! The rule, by the text of the files:
//! - A file needs another when its code names an item that the other one defines, by a path that begins with `crate`,
//!   `super`, `self` or a child module. `mod child;` alone needs nothing.
//! - Names are followed to where they are defined. A parent that hands on a child's item (`pub use child::Item`) needs
//!   the child only if it uses the item itself; who takes the item from the parent needs the child.
//! - `use super::*` needs the parent.
//! - Code for tests does not count: files below `#[cfg(test)] mod`, and what such a module holds in a file.
//! - Methods are not followed: a file that calls a method of a type it never names does not need it by this rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Circles that are still there, as crate and files. Nothing may be added: take out what you have cut.
const KNOWN_CIRCLES: &[(&str, &[&str])] = &[];

#[test]
fn no_two_files_of_a_crate_import_each_other() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(crates).unwrap() {
        let folder = entry.unwrap().path();
        let src = folder.join("src");
        let Some(root) = ["lib.rs", "main.rs"].map(|f| src.join(f)).into_iter().find(|f| f.is_file()) else { continue };
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let files = Crate::read(&root);
        seen += files.modules.len();
        let known: BTreeSet<String> = KNOWN_CIRCLES
            .iter()
            .filter(|(c, _)| *c == name)
            .flat_map(|(_, f)| f.iter().map(|f| (*f).to_owned()))
            .collect();
        let circles = files.circles();
        let found: BTreeSet<String> = circles.iter().flatten().map(|file| relative(&src, file)).collect();
        for circle in &circles {
            if circle.iter().any(|f| !known.contains(&relative(&src, f))) {
                wrong.push(format!("{name}: {}", files.shown(&src, circle)));
            }
        }
        wrong.extend(
            known
                .difference(&found)
                .map(|f| format!("{name}: {f} is in no circle any more, take it out of KNOWN_CIRCLES")),
        );
    }
    assert!(seen > 200, "only {seen} files were read: the walk is broken");
    assert!(wrong.is_empty(), "files that import each other in a circle:\n{}", wrong.join("\n"));
}

fn relative(src: &Path, file: &Path) -> String {
    file.strip_prefix(src).unwrap_or(file).to_string_lossy().into_owned()
}

/// The modules of a crate that are files, by their path from the root.
struct Crate {
    modules: BTreeMap<Vec<String>, Module>,
}

struct Module {
    file: PathBuf,
    /// Child modules that are files of their own; those for tests are not among them.
    children: BTreeSet<String>,
    /// What `use` brings into the file, by the name it has there.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths that the code names, those of `use` among them.
    paths: Vec<Vec<String>>,
}

impl Crate {
    fn read(root: &Path) -> Self {
        let mut found = Self { modules: BTreeMap::new() };
        found.add(Vec::new(), root, root.parent().unwrap());
        found
    }

    /// `folder` holds the child modules.
    fn add(&mut self, at: Vec<String>, file: &Path, folder: &Path) {
        let code = code_of(&fs::read_to_string(file).unwrap());
        let tokens = without_tests(tokens(&code));
        let mut children = BTreeSet::new();
        for (name, path) in child_files(&tokens) {
            let candidates = match &path {
                Some(path) => vec![file.parent().unwrap().join(path)],
                None => vec![folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")],
            };
            let Some(child) = candidates.into_iter().find(|f| f.is_file()) else { continue };
            let below = [at.clone(), vec![name.clone()]].concat();
            self.add(below, &child, &folder.join(&name));
            children.insert(name);
        }
        let (imports, mut paths) = imports(&tokens, &children);
        paths.extend(inline_paths(&tokens, &children));
        self.modules.insert(at, Module { file: file.to_owned(), children, imports, paths });
    }

    /// Where the item of a path that is in module `at` is defined; `None` for another crate's.
    fn definition(&self, at: &[String], path: &[String], depth: usize) -> Option<Vec<String>> {
        let mut here = at.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => {
                here.clear();
                rest = &path[1..];
            }
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|s| s == "super") {
                    here.pop();
                    rest = &rest[1..];
                }
            }
            first => {
                let module = self.modules.get(&here)?;
                let is_own = module.children.contains(first) || (depth > 0 && module.imports.contains_key(first));
                if !is_own {
                    return None;
                }
            }
        }
        loop {
            let module = self.modules.get(&here)?;
            match rest.first() {
                Some(next) if module.children.contains(next) => {
                    here.push(next.clone());
                    rest = &rest[1..];
                }
                Some(next) if depth < 8 && module.imports.contains_key(next) => {
                    let target = [module.imports[next].clone(), rest[1..].to_vec()].concat();
                    // A name of another crate that this file hands on.
                    return self.definition(&here, &target, depth + 1);
                }
                _ => return Some(here),
            }
        }
    }

    fn needs(&self) -> BTreeMap<&Path, BTreeSet<&Path>> {
        let mut needs = BTreeMap::new();
        for (at, module) in &self.modules {
            let to: BTreeSet<&Path> = module
                .paths
                .iter()
                .filter_map(|path| self.definition(at, path, 0))
                .filter_map(|found| self.modules.get(&found))
                .map(|m| m.file.as_path())
                .filter(|file| *file != module.file)
                .collect();
            needs.insert(module.file.as_path(), to);
        }
        needs
    }

    /// Groups of files that reach one another.
    fn circles(&self) -> Vec<Vec<PathBuf>> {
        let needs = self.needs();
        let mut reached: BTreeMap<&Path, BTreeSet<&Path>> = BTreeMap::new();
        for file in needs.keys() {
            let mut seen = BTreeSet::new();
            let mut open = vec![*file];
            while let Some(next) = open.pop() {
                open.extend(needs[next].iter().filter(|to| seen.insert(**to)));
            }
            reached.insert(file, seen);
        }
        let mut circles: BTreeSet<Vec<PathBuf>> = BTreeSet::new();
        for (file, others) in &reached {
            let circle: Vec<PathBuf> =
                others.iter().filter(|other| reached[**other].contains(file)).map(|f| f.to_path_buf()).collect();
            if !circle.is_empty() {
                circles.insert(circle);
            }
        }
        circles.into_iter().collect()
    }

    /// The arrows within a circle.
    fn shown(&self, src: &Path, circle: &[PathBuf]) -> String {
        let needs = self.needs();
        let arrows = circle.iter().map(|file| {
            let to = needs[file.as_path()].iter().filter(|to| circle.iter().any(|c| c == *to));
            let to: Vec<String> = to.map(|to| relative(src, to)).collect();
            format!("\n    {} -> {}", relative(src, file), to.join(", "))
        });
        arrows.collect()
    }
}

/// The code with comments, texts and single characters left blank.
fn code_of(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let hashes = rest.strip_prefix('r').map_or(0, |r| r.bytes().take_while(|b| *b == b'#').count());
        let is_word_before = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if !is_word_before && rest.starts_with('r') && rest[1 + hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let body = &rest[2 + hashes..];
            at += 2 + hashes + body.find(&close).map_or(body.len(), |end| end + close.len());
            out.push_str("\"\"");
        } else if rest.starts_with('"') {
            let mut end = 1;
            while end < rest.len() && bytes[at + end] != b'"' {
                end += if bytes[at + end] == b'\\' { 2 } else { 1 };
            }
            // The paths of `#[path]` are wanted.
            let end = (at + end).min(text.len());
            out.push_str(&format!("\"{}\"", text[at + 1..end].replace(['"', '\\', '\n'], "")));
            at = (end + 1).min(text.len());
        } else if rest.starts_with('\'') {
            let mut chars = rest.char_indices().skip(1);
            let (_, first) = chars.next().unwrap_or((0, ' '));
            let end = if first == '\\' {
                rest[2..].find('\'').map(|e| if rest[2..].starts_with('\'') { 4 } else { e + 3 })
            } else {
                chars.next().filter(|(_, c)| *c == '\'').map(|(i, _)| i + 1)
            };
            // Else a lifetime.
            out.push_str(if end.is_some() { "' '" } else { "'" });
            at += end.unwrap_or(1);
        } else {
            let c = rest.chars().next().unwrap_or(' ');
            out.push(c);
            at += c.len_utf8();
        }
    }
    out
}

/// Words, `::` and single signs; texts in their quotation marks.
fn tokens(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = code.trim_start();
    while let Some(c) = rest.chars().next() {
        let len = if c.is_alphanumeric() || c == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if c == '"' {
            rest[1..].find('"').map_or(rest.len(), |e| e + 2)
        } else if rest.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        found.push(rest[..len].to_owned());
        rest = rest[len..].trim_start();
    }
    found
}

/// Takes out every item under `#[cfg(test)]`.
fn without_tests(tokens: Vec<String>) -> Vec<String> {
    let cfg = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().take(cfg.len()).map(String::as_str).eq(cfg) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        at += cfg.len();
        let mut depth = 0_u32;
        while at < tokens.len() {
            match tokens[at].as_str() {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = depth == 0 && matches!(tokens[at].as_str(), ";" | "}" | ",");
            at += 1;
            if ends {
                break;
            }
        }
    }
    kept
}

/// Modules in files of their own, with the path that an attribute gives them.
fn child_files(tokens: &[String]) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    for at in 0..tokens.len().saturating_sub(2) {
        if tokens[at] == "mod" && tokens[at + 2] == ";" {
            let is_path = |from: usize| tokens[from..].starts_with(&["path".to_owned(), "=".to_owned()]);
            let path = (at.saturating_sub(8)..at).rev().find(|from| is_path(*from));
            found.push((tokens[at + 1].clone(), path.map(|p| tokens[p + 2].trim_matches('"').to_owned())));
        }
    }
    found
}

type Imports = (BTreeMap<String, Vec<String>>, Vec<Vec<String>>);

/// What `use` brings in, and the paths that are needed by it: all but those of items that are only handed on.
fn imports(tokens: &[String], children: &BTreeSet<String>) -> Imports {
    let mut named = BTreeMap::new();
    let mut needed = Vec::new();
    let used = words(tokens);
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] != "use" {
            at += 1;
            continue;
        }
        let is_handed_on = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
        let end = tokens[at..].iter().position(|t| t == ";").map_or(tokens.len(), |e| at + e);
        let mut leaves = Vec::new();
        tree(&tokens[at + 1..end], &[], &mut leaves);
        for (path, name) in leaves {
            let first = path.first().cloned().unwrap_or_default();
            let is_own = ["crate", "self", "super"].contains(&first.as_str()) || children.contains(&first);
            if is_own && (!is_handed_on || used.contains(name.as_str())) {
                needed.push(path.clone());
            }
            named.insert(name, path);
        }
        at = end;
    }
    (named, needed)
}

/// The words of the code outside `use` and `mod`.
fn words(tokens: &[String]) -> BTreeSet<&str> {
    let mut in_use = false;
    let mut found = BTreeSet::new();
    for (at, token) in tokens.iter().enumerate() {
        in_use = (in_use && token != ";") || token == "use";
        if !in_use && (at == 0 || tokens[at - 1] != "mod") {
            found.insert(token.as_str());
        }
    }
    found
}

/// The leaves of a `use`: the whole path, and the name it gets.
fn tree(tokens: &[String], before: &[String], leaves: &mut Vec<(Vec<String>, String)>) {
    let mut path = before.to_vec();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "::" => {}
            "{" => {
                let (mut depth, mut from) = (0_u32, at + 1);
                for (i, token) in tokens.iter().enumerate().skip(at) {
                    match token.as_str() {
                        "{" => depth += 1,
                        "}" => depth -= 1,
                        _ => {}
                    }
                    if (depth == 1 && token == ",") || depth == 0 {
                        if from < i {
                            tree(&tokens[from..i], &path, leaves);
                        }
                        from = i + 1;
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            "as" => {
                leaves.push((path, tokens.get(at + 1).cloned().unwrap_or_default()));
                return;
            }
            "self" if !path.is_empty() => {}
            "*" => {
                leaves.push((path.clone(), format!("* of {}", path.join("::"))));
                return;
            }
            word => path.push(word.to_owned()),
        }
        at += 1;
    }
    let name = path.last().cloned().unwrap_or_default();
    leaves.push((path, name));
}

/// Paths in the code outside `use`.
fn inline_paths(tokens: &[String], children: &BTreeSet<String>) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let (mut at, mut in_use) = (0, false);
    while at < tokens.len() {
        let token = tokens[at].as_str();
        in_use = (in_use && token != ";") || token == "use";
        let is_start = ["crate", "super", "self"].contains(&token) || children.contains(token);
        let follows = |i: usize| tokens.get(i).is_some_and(|t| t == "::");
        if in_use || !is_start || !follows(at + 1) || (at > 0 && tokens[at - 1] == "::") {
            at += 1;
            continue;
        }
        let mut path = vec![token.to_owned()];
        while follows(at + 1)
            && tokens.get(at + 2).is_some_and(|t| t.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        {
            path.push(tokens[at + 2].clone());
            at += 2;
        }
        at += 1;
        found.push(path);
    }
    found
}
