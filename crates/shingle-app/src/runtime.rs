//! The browser runtime that is embedded in the binary.

use shingle_widget::ssr::Scripts;

/// The files of the runtime, whose names hold a hash of their content, and the scripts that the server completes.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    pub js: EmbeddedFile,
    pub wasm: EmbeddedFile,
    /// Solves what is asked of browsers beyond a limit; nobody else fetches it.
    pub solver: EmbeddedFile,
    pub scripts: Scripts,
}

#[derive(Clone, Copy)]
pub struct EmbeddedFile {
    pub file: &'static str,
    /// `sha256-…`, for `integrity` attributes.
    pub integrity: &'static str,
    pub plain: &'static [u8],
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

impl core::fmt::Debug for EmbeddedFile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({} bytes)", self.file, self.plain.len())
    }
}

mod files {
    #[allow(unused_imports, reason = "a build without the runtime names no file")]
    use super::{EmbeddedFile, Runtime, Scripts};

    include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));
}

impl Runtime {
    /// `None` when the binary was built before the runtime was.
    pub fn embedded() -> Option<&'static Self> {
        static RUNTIME: Option<Runtime> = files::RUNTIME;
        RUNTIME.as_ref()
    }

    pub fn find(&self, file: &str) -> Option<&EmbeddedFile> {
        [&self.js, &self.wasm, &self.solver].into_iter().find(|e| e.file == file)
    }
}

impl EmbeddedFile {
    /// The name without its extension, which names the files that belong to it.
    pub fn stem(&self) -> &'static str {
        self.file.split('.').next().unwrap_or_default()
    }

    pub fn content_type(&self) -> &'static str {
        match self.file.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        }
    }
}
