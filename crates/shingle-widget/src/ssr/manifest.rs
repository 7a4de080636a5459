//! What the build of the browser's module leaves for the server to name.

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

/// Functions, minified by the build.
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

    pub(super) fn sum(&self) -> &str {
        self.integrity.trim_start_matches("sha256-")
    }
}
