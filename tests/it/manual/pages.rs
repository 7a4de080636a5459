//! The pages of the manual as files, and their fenced blocks.

use std::path::{Path, PathBuf};

/// A fenced block: ```` ```console,serve ```` has the marks `console` and `serve`.
pub struct Block {
    pub marks: Vec<String>,
    pub text: String,
}

impl Block {
    /// The lines that begin with `$ `.
    pub fn commands(&self) -> Vec<String> {
        self.text.lines().filter_map(|line| line.strip_prefix("$ ")).map(str::to_owned).collect()
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/manual/src")
}

pub fn all() -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().path()).collect();
    all.sort();
    assert!(all.len() > 10);
    all
}

pub fn page(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.md"))).unwrap()
}

pub fn blocks(path: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(path).unwrap();
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(info), None) => {
                let marks = info.split(',').map(str::to_owned).collect();
                open = Some(Block { marks, text: String::new() });
            }
            (None, Some(block)) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{} ends within a block", path.display());
    found
}

/// The only block of a language on a page.
pub fn recipe(name: &str, language: &str) -> String {
    let mut all = blocks(&folder().join(format!("{name}.md")));
    all.retain(|block| block.marks[0] == language);
    assert_eq!(all.len(), 1, "{language}");
    all.remove(0).text
}
