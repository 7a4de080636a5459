//! A file that is named after its content, with its compressed twins.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// SHA-256, in base64.
pub fn sum(bytes: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(bytes))
}

/// What a file with this content is called. The loader makes names the same way, so that it need not carry both.
pub fn stem(bytes: &[u8]) -> String {
    sum(bytes).chars().filter(char::is_ascii_alphanumeric).take(16).collect()
}

/// Writes the file and its twins; returns its entry in the manifest.
pub fn write(folder: &Path, extension: &str, bytes: &[u8]) -> Result<Value> {
    write_as(folder, &format!("{}.{extension}", stem(bytes)), bytes)
}

/// The same under a name of its own.
pub fn write_as(folder: &Path, file: &str, bytes: &[u8]) -> Result<Value> {
    let sum = sum(bytes);
    let (gzip, brotli) = (gzip(bytes)?, brotli(bytes)?);
    fs::write(folder.join(file), bytes)?;
    fs::write(folder.join(format!("{file}.gz")), &gzip)?;
    fs::write(folder.join(format!("{file}.br")), &brotli)?;
    Ok(json!({
        "file": file,
        "integrity": format!("sha256-{sum}"),
        "bytes": bytes.len(),
        "gzip": gzip.len(),
        "brotli": brotli.len(),
    }))
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

fn brotli(bytes: &[u8]) -> Result<Vec<u8>> {
    let settings = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        // Statistics that change sooner fit a module better.
        lgblock: 16,
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut out = Vec::new();
    brotli::BrotliCompress(&mut &*bytes, &mut out, &settings)?;
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_written_file_has_its_hash_in_its_name_and_two_readable_twins() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let text = "export const a = 1;\n".repeat(50);
        let entry = write(folder, "js", text.as_bytes()).unwrap();
        assert_eq!(entry["bytes"], text.len());
        let mut plain = Vec::new();
        let twin = format!("{}.br", entry["file"].as_str().unwrap());
        brotli::BrotliDecompress(&mut &*fs::read(folder.join(twin)).unwrap(), &mut plain).unwrap();
        assert_eq!(plain, text.as_bytes());
        assert_eq!(write(folder, "js", text.as_bytes()).unwrap(), entry);
        assert_ne!(write(folder, "js", b"other").unwrap()["file"], entry["file"]);
    }
}
