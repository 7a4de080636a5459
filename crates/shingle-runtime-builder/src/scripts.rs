//! The hand-written scripts of `www/loader`, as small as a browser can read them: the loader in three kinds, what
//! the hosted page runs, and the runtime's script, which is wasm-bindgen's, the stylesheet and `stage.js` in one.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use oxc_allocator::Allocator;
use oxc_codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc_minifier::{CompressOptions, MangleOptions, Minifier, MinifierOptions};
use oxc_parser::Parser;
use oxc_span::SourceType;

/// The kinds of launchers that the loader has parts for.
const KINDS: [&str; 3] = ["plain", "banner", "card"];
/// A script that is one expression is read as this.
const EXPRESSION: &str = "export default ";

/// Name and text of every script that the server completes with a widget's values.
pub fn templates(loader: &Path) -> Result<Vec<(String, String)>> {
    let source = read(loader, "loader.js")?;
    let mut templates = vec![("hosted.js".to_owned(), expression(&read(loader, "hosted.js")?)?)];
    for kind in KINDS {
        templates.push((format!("loader.{kind}.js"), expression(&part(&source, kind))?));
    }
    Ok(templates)
}

/// What the runtime's script is made of, beside the files of `www/loader`.
pub struct Made<'a> {
    /// wasm-bindgen's script.
    pub glue: &'a str,
    /// The stylesheet.
    pub style: &'a str,
    /// The module's sum.
    pub module: &'a str,
    /// The name of what `parts.js` became.
    pub parts: &'a str,
}

/// The runtime's script.
pub fn runtime(loader: &Path, made: &Made<'_>) -> Result<String> {
    let Made { glue, style, module, parts } = made;
    // Its exports are for us alone; what leaves the module is the stage.
    let glue = glue.replace("\nexport { __wbg_init as default };", "\n").replace("\nexport ", "\n");
    let glue = glue.strip_prefix("export ").unwrap_or(&glue);
    ensure!(!glue.contains("export default"), "wasm-bindgen's script exports in a way this does not know");
    let style = serde_json::to_string(style)?;
    let script = small(&format!(
        "const RULES = {style};\nconst MODULE = \"{module}\";\nconst PARTS = \"{parts}\";\n{glue}\n{}",
        read(loader, "stage.js")?
    ))?;
    // Compiled off the main thread, where a browser knows this line.
    Ok(["//# allFunctionsCalledOnLoad\n", &script].concat())
}

/// What solves the server's challenges, for browsers that are asked to.
pub fn solver(loader: &Path) -> Result<String> {
    small(&read(loader, "solve.js")?)
}

/// What brings parts that the server draws to life, for visitors who come to one.
pub fn parts(loader: &Path, style: &str) -> Result<String> {
    small(&format!("const RULES = {};\n{}", serde_json::to_string(style)?, read(loader, "parts.js")?))
}

fn read(loader: &Path, name: &str) -> Result<String> {
    let path = loader.join(name);
    fs::read_to_string(&path).with_context(|| path.display().to_string())
}

/// The script without the lines that are for other kinds of launchers.
fn part(script: &str, kind: &str) -> String {
    let mut mine = true;
    let mut kept = String::with_capacity(script.len());
    for line in script.lines() {
        match line.trim().strip_prefix("// § ") {
            Some(names) => mine = names.split(' ').any(|name| name == kind || name == "end"),
            None if mine => {
                kept.push_str(line);
                kept.push('\n');
            }
            None => {}
        }
    }
    kept
}

/// A script that is one function, which the server will call.
fn expression(script: &str) -> Result<String> {
    let small = small(&format!("{EXPRESSION}{script}"))?;
    let bare = small.trim_end().trim_end_matches(';').strip_prefix(EXPRESSION.trim_end());
    let bare = bare.context("a script that is not one function")?.trim_start();
    // Quoted like the values that the server adds, it packs better.
    let plain = ["\"", "${", "\\`", "\n"].iter().all(|other| !bare.contains(other));
    Ok(if plain { bare.replace('`', "\"") } else { bare.to_owned() })
}

fn small(script: &str) -> Result<String> {
    let allocator = Allocator::default();
    let read = Parser::new(&allocator, script, SourceType::mjs()).parse();
    let wrong: Vec<String> = read.diagnostics.iter().map(ToString::to_string).collect();
    ensure!(wrong.is_empty(), "a script that cannot be read: {}", wrong.join("; "));
    let mut program = read.program;
    let options = MinifierOptions {
        mangle: Some(MangleOptions::default()),
        mangle_properties: None,
        compress: Some(CompressOptions::smallest()),
    };
    let made = Minifier::new(options).minify(&allocator, &mut program);
    let options = CodegenOptions { minify: true, comments: CommentOptions::disabled(), ..CodegenOptions::default() };
    Ok(Codegen::new().with_options(options).with_scoping(made.scoping).build(&program).code)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn loader() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../www/loader")
    }

    #[test]
    fn a_loader_has_the_parts_of_its_kind_and_no_other() {
        let templates = templates(&loader()).unwrap();
        let of = |name: &str| &templates.iter().find(|(n, _)| n == name).unwrap().1;
        let (plain, banner, card) = (of("loader.plain.js"), of("loader.banner.js"), of("loader.card.js"));
        assert!(banner.contains("scroll-padding-") && !plain.contains("scroll-padding-"));
        assert!(card.contains("customElements") && !plain.contains("customElements"));
        for script in [plain, banner, card] {
            assert!(script.starts_with('(') && script.ends_with('}'), "one function: {script}");
            assert!(!script.contains("// ") && script.contains("adoptedStyleSheets"));
        }
    }

    #[test]
    fn the_runtimes_script_exports_the_stage_and_nothing_else() {
        let glue = "export class Handle { free() {} }\nexport function mount(a) { return wasm.mount(a) }\n\
                    export function deliver(a) { return wasm.deliver(a, Handle) }\nlet wasm;\n\
                    async function __wbg_init(a) { wasm = await a }\nexport { __wbg_init as default };\n";
        let style = "a{content:\"`${b}\\\\\"}";
        let made = Made { glue, style, module: "5Kv/aL6=", parts: "Qx7.js" };
        let script = runtime(&loader(), &made).unwrap();
        assert!(script.contains("Qx7.js"), "it can tell what to fetch for parts: {script}");
        assert!(script.contains("5Kv/aL6="), "it can tell its module from another: {script}");
        assert_eq!(script.matches("export").count(), 1, "{script}");
        assert!(script.contains("as default") || script.contains("export default"), "{script}");
    }

    #[test]
    fn the_solver_stands_alone_and_the_runtimes_script_names_it_nowhere() {
        // What the module does not ask for is left out.
        let glue = "let wasm;\nglobalThis.imported = ask;";
        let made = Made { glue, style: "", module: "", parts: "" };
        let (solver, script) = (solver(&loader()).unwrap(), runtime(&loader(), &made).unwrap());
        assert!(solver.contains("import.meta.url") && !solver.contains("fetch("));
        assert_eq!(solver.matches("import ").count(), 1, "a worker of another origin imports this script: {solver}");
        assert!(script.contains("import(") && !script.contains("Worker"), "{script}");
    }

    #[test]
    fn a_script_with_a_mistake_is_refused_by_name_of_the_mistake() {
        let error = expression("(a) => { b( }").unwrap_err().to_string();
        assert!(error.contains("cannot be read: "), "{error}");
    }
}
