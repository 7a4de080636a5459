//! The browser runtime that is embedded in the binary.

use std::io::Read as _;

use flate2::read::GzDecoder;
use shingle_widget::ssr::Scripts;

/// The files of the runtime, whose names hold a hash of their content, and the scripts that the server completes.
#[derive(Debug, Clone, Copy)]
pub struct Runtime {
    pub js: EmbeddedFile,
    pub wasm: EmbeddedFile,
    /// Solves what is asked of browsers beyond a limit; nobody else fetches it.
    pub solver: EmbeddedFile,
    /// Brings parts that the server draws to life; fetched by those who come to one.
    pub parts: EmbeddedFile,
    pub scripts: Scripts,
}

#[derive(Clone, Copy)]
pub struct EmbeddedFile {
    pub file: &'static str,
    /// `sha256-…`, for `integrity` attributes.
    pub integrity: &'static str,
    pub gzip: &'static [u8],
    pub brotli: &'static [u8],
}

impl core::fmt::Debug for EmbeddedFile {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{} ({} bytes)", self.file, self.brotli.len())
    }
}

/// A release carries its runtime.
#[cfg(not(debug_assertions))]
mod files {
    #[allow(unused_imports, reason = "a build without the runtime names no file")]
    use super::{EmbeddedFile, Runtime, Scripts};

    include!(concat!(env!("OUT_DIR"), "/runtime_files.rs"));

    pub(super) fn runtime() -> Option<&'static Runtime> {
        static EMBEDDED: Option<Runtime> = RUNTIME;
        EMBEDDED.as_ref()
    }
}

/// A debug build reads its runtime once, from where it was built: the server compiles beside the runtime, and a changed
/// widget needs no new server.
#[cfg(debug_assertions)]
mod files {
    use std::fs;
    use std::path::Path;
    use std::sync::LazyLock;

    use serde_json::Value;

    use super::{EmbeddedFile, Runtime, Scripts};

    pub(super) fn runtime() -> Option<&'static Runtime> {
        static READ: LazyLock<Option<Runtime>> = LazyLock::new(|| read(Path::new(env!("SHINGLE_RUNTIME_DIR"))));
        READ.as_ref()
    }

    fn read(folder: &Path) -> Option<Runtime> {
        let manifest: Value = serde_json::from_slice(&fs::read(folder.join("manifest.json")).ok()?).ok()?;
        let bytes = |name: &str| Some(&*fs::read(folder.join(name)).ok()?.leak());
        let text = |name: &str| Some(&*fs::read_to_string(folder.join(name)).ok()?.leak());
        let file = |name: &str| {
            let word = |field: &str| Some(&*manifest[name][field].as_str()?.to_owned().leak());
            let file = word("file")?;
            Some(EmbeddedFile {
                file,
                integrity: word("integrity")?,
                gzip: bytes(&format!("{file}.gz"))?,
                brotli: bytes(&format!("{file}.br"))?,
            })
        };
        let scripts = Scripts {
            hosted: text("hosted.js")?,
            plain: text("loader.plain.js")?,
            banner: text("loader.banner.js")?,
            card: text("loader.card.js")?,
        };
        let (solver, parts) = (file("solver")?, file("parts")?);
        Some(Runtime { js: file("js")?, wasm: file("wasm")?, solver, parts, scripts })
    }
}

impl Runtime {
    /// `None` when the binary was built before the runtime was.
    pub fn embedded() -> Option<&'static Self> {
        files::runtime()
    }

    pub fn find(&self, file: &str) -> Option<&EmbeddedFile> {
        [&self.js, &self.wasm, &self.solver, &self.parts].into_iter().find(|e| e.file == file)
    }
}

impl EmbeddedFile {
    /// The name without its extension, which names the files that belong to it.
    pub fn stem(&self) -> &'static str {
        self.file.split('.').next().unwrap_or_default()
    }

    /// For the rare client that takes nothing compressed: the program does not carry a third copy for it.
    pub fn plain(&self) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        GzDecoder::new(self.gzip).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    pub fn content_type(&self) -> &'static str {
        match self.file.rsplit('.').next() {
            Some("js") => "text/javascript; charset=utf-8",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        }
    }
}
