//! The sentences of the flow: a file of named ones for each language, from which a visitor gets a plain list.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value};

pub const FOLDER: &str = "www/words";
/// The language whose keys, in their order, the others must have too.
const FIRST: &str = "en";

/// Tag and list of every language in `folder`.
pub fn read(folder: &Path) -> Result<BTreeMap<String, String>> {
    let mut languages = BTreeMap::new();
    for file in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = file?.path();
        let tag = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let words: Map<String, Value> =
            serde_json::from_slice(&fs::read(&path)?).with_context(|| path.display().to_string())?;
        languages.insert(tag, words);
    }
    let first = languages.get(FIRST).with_context(|| format!("{FOLDER}/{FIRST}.json is missing"))?;
    let shape = |words: &Map<String, Value>| -> Vec<(String, usize)> {
        words.iter().map(|(key, value)| (key.clone(), sentences(value).count())).collect()
    };
    let wanted = shape(first);
    languages
        .into_iter()
        .map(|(tag, words)| {
            ensure!(
                shape(&words) == wanted,
                "{FOLDER}/{tag}.json has other keys than {FIRST}.json, or in another order"
            );
            let list: Vec<&str> = words.values().flat_map(sentences).collect();
            Ok((tag, serde_json::to_string(&list)?))
        })
        .collect()
}

/// One sentence, or those of a group.
fn sentences(value: &Value) -> impl Iterator<Item = &str> {
    let group = value.as_array().map_or(core::slice::from_ref(value), Vec::as_slice);
    group.iter().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str, files: [(&str, &str); 2]) -> Result<BTreeMap<String, String>> {
        let folder = std::env::temp_dir().join(format!("shingle-xtask-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        let read = read(&folder);
        fs::remove_dir_all(&folder).unwrap();
        read
    }

    #[test]
    fn a_language_becomes_a_list_in_the_order_of_its_file() {
        let files = [
            ("en.json", r#"{ "b": "Back", "a": ["One", "Two"] }"#),
            ("es.json", r#"{ "b": "Atrás", "a": ["Uno", "Dos"] }"#),
        ];
        let lists = folder("lists", files).unwrap();
        assert_eq!(lists["en"], r#"["Back","One","Two"]"#);
        assert_eq!(lists["es"], r#"["Atrás","Uno","Dos"]"#);
    }

    #[test]
    fn languages_that_are_not_of_one_shape_are_refused() {
        for other in [r#"{ "a": "Uno" }"#, r#"{ "b": "Dos", "a": "Uno" }"#, r#"{ "a": "Uno", "b": ["Dos", "Tres"] }"#] {
            let files = [("en.json", r#"{ "a": "One", "b": "Two" }"#), ("es.json", other)];
            assert!(folder("shapes", files).unwrap_err().to_string().contains("es.json has other keys"), "{other}");
        }
    }
}
