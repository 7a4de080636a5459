//! What the server sends of the face: the loader with the launcher in it, the hosted page and the page of a
//! paused widget. Markup is built as a tree of nodes, so a text can never become markup; the loader gets
//! the same tree and builds it node by node, because a page with Trusted Types lets nobody parse HTML.

mod check;
mod hosted;
mod launcher;
mod lean;
mod loader;
mod node;
pub mod page;
mod public;

pub use check::{Said, check_css, check_page};
pub use hosted::{PREVIEW, hosted_page, hosted_script, paused_page, theme_css};
pub use launcher::{launcher, launcher_css};
pub use lean::lean_css;
pub use loader::{config_json, inactive_script, loader_script, unbuilt_script};
pub use node::Node;
pub use public::public_widget;

/// The files of the browser runtime, served under `{base_url}/runtime/`, and the scripts that are completed with a
/// widget's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeManifest {
    pub js: RuntimeFile,
    pub wasm: RuntimeFile,
    pub scripts: Scripts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuntimeFile {
    pub file: String,
    /// `sha256-…`. The file's name is made of the same sum, so that the loader need not carry both.
    pub integrity: String,
}

/// Functions, as the workshop made them small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scripts {
    pub hosted: &'static str,
    /// The loader of a button.
    pub plain: &'static str,
    pub banner: &'static str,
    /// And of a card in the page.
    pub card: &'static str,
}

impl RuntimeFile {
    /// Names what belongs to it.
    pub fn stem(&self) -> &str {
        self.file.split('.').next().unwrap_or_default()
    }

    fn sum(&self) -> &str {
        self.integrity.trim_start_matches("sha256-")
    }
}

#[cfg(test)]
mod tests;
