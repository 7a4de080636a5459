//! The browser runtime as it lies in the binary.

/// The files of the runtime. Their names hold a hash of their content.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    pub js: Embedded,
    pub wasm: Embedded,
    pub css: Embedded,
    /// The sentences of each language, by its tag.
    pub words: &'static [(&'static str, Embedded)],
}

#[derive(Clone, Copy)]
pub struct Embedded {
    pub file: &'static str,
    /// `sha384-…`, for `integrity` attributes.
    pub integrity: &'static str,
    pub plain: &'static [u8],
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

impl core::fmt::Debug for Embedded {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({} bytes)", self.file, self.plain.len())
    }
}

mod files {
    #[allow(unused_imports, reason = "a build without the runtime names no file")]
    use super::{Embedded, Runtime};

    include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));
}

impl Runtime {
    /// `None` when the binary was built before the runtime was.
    pub fn embedded() -> Option<&'static Self> {
        static RUNTIME: Option<Runtime> = files::RUNTIME;
        RUNTIME.as_ref()
    }

    pub fn find(&self, file: &str) -> Option<&Embedded> {
        let words = self.words.iter().map(|(_, words)| words);
        [&self.js, &self.wasm, &self.css].into_iter().chain(words).find(|e| e.file == file)
    }
}

impl Embedded {
    pub fn content_type(&self) -> &'static str {
        match self.file.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("wasm") => "application/wasm",
            Some("json") => "application/json",
            Some("css") => "text/css; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}
