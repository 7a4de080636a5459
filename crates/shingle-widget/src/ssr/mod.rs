//! What the server sends of the face: the loader with the launcher in it, the hosted page and the page of a
//! paused widget. Markup is built as a tree of nodes, so a text can never become markup; the loader gets
//! the same tree and builds it node by node, because a page with Trusted Types lets nobody parse HTML.

mod hosted;
mod launcher;
mod lean;
mod loader;
mod node;
mod public;

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::words::Language;

pub use hosted::{hosted_page, hosted_script, paused_page, theme_css};
pub use launcher::{launcher, launcher_css};
pub use loader::{inactive_script, loader_script};
pub use node::Node;
pub use public::public_widget;

/// The files of the browser runtime, served under `{base_url}/runtime/`. Their names hold a hash of their content.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RuntimeManifest {
    pub js: RuntimeFile,
    pub wasm: RuntimeFile,
    pub css: RuntimeFile,
    /// The sentences of each language, by its tag.
    pub words: BTreeMap<String, RuntimeFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RuntimeFile {
    pub file: String,
    /// `sha384-…`
    pub integrity: String,
}

impl RuntimeManifest {
    /// Script, module, stylesheet, sentences of each language: their addresses, in the order the loader takes them.
    fn addresses(&self, base_url: &str) -> Vec<String> {
        let files = [&self.js, &self.wasm, &self.css].map(|f| f.file.as_str());
        files.into_iter().chain(self.words()).map(|file| format!("{base_url}/runtime/{file}")).collect()
    }

    /// The files of the languages' sentences, in the order of [`Language::ALL`].
    fn words(&self) -> [&str; 2] {
        Language::ALL.map(|language| self.words.get(language.tag()).map_or("", |f| f.file.as_str()))
    }
}

#[cfg(test)]
mod tests;
