//! Files that a company keeps with a lead: pictures, by the rules of photographs, and PDFs.
//!
//! # Decision
//!
//! A picture is decoded and encoded again, as a photograph is, so it holds pixels alone. A PDF is kept as it is: we have no
//! reader for it. It is only ever sent as a download, with a policy that lets nothing run. Turned down: other kinds of
//! files, of which a browser or a mail program might open one that does harm.

use shingle_domain::{LeadId, Tenant};
use shingle_store::{Blobs, FileDraft, FileKind, Store, StoreError, User};

use crate::app::App;
use crate::image_failure::ImageFailure;
use crate::photo::{MAX_PHOTO_BYTES, PhotoError};

/// Bytes of a file, inclusive.
pub const MAX_FILE_BYTES: usize = MAX_PHOTO_BYTES;
const MAX_NAME: usize = 100;

/// Why a file is not kept.
#[derive(Debug)]
pub enum FileFailure {
    Empty,
    /// Neither a picture nor a PDF that can be read.
    Unknown,
    Heic,
    TooManyPixels,
    /// The lead has as many as it can have.
    TooMany(usize),
    Other(ImageFailure),
}

impl From<StoreError> for FileFailure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::TooMany { max } => Self::TooMany(max),
            error => Self::Other(ImageFailure::Store(error)),
        }
    }
}

/// Checks and stores a file.
pub async fn add(
    app: &App,
    tenant: &Tenant,
    lead: LeadId,
    by: &User,
    (name, bytes): (&str, Vec<u8>),
) -> Result<(), FileFailure> {
    if bytes.is_empty() {
        return Err(FileFailure::Empty);
    }
    let (kind, bytes) = if is_pdf(&bytes) {
        (FileKind::Pdf, bytes)
    } else {
        let photo = app.encode_photo(bytes).await.map_err(|failure| match failure {
            ImageFailure::Photo(PhotoError::Heic) => FileFailure::Heic,
            ImageFailure::Photo(PhotoError::TooLarge) => FileFailure::TooManyPixels,
            ImageFailure::Photo(PhotoError::Unreadable { .. }) => FileFailure::Unknown,
            other => FileFailure::Other(other),
        })?;
        (FileKind::Jpeg, photo.bytes)
    };
    let name = plain_name(name, kind);
    let size = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let draft = FileDraft { name: &name, kind, bytes: size };
    let reserved = app.store.leads().reserve_file(tenant, lead, by, draft).await?;
    if let Err(error) = app.blobs.put(&reserved.path, bytes).await {
        app.store.leads().drop_file(tenant, reserved.id).await?;
        return Err(error.into());
    }
    let kept = app.store.leads().keep_file(tenant, lead, by, (reserved.id, &name)).await;
    if kept.is_err()
        && let Err(error) = app.blobs.delete(&reserved.path).await
    {
        // The lead was erased meanwhile, and nothing else knows of the file.
        tracing::error!(%error, "a file of a lead that was erased meanwhile could not be deleted");
    }
    Ok(kept?)
}

/// Deletes the blobs of files that were removed.
pub async fn delete_removed(store: &Store, blobs: &Blobs) -> Result<(), StoreError> {
    for file in store.leads().removed_files().await? {
        blobs.delete(&file.path).await?;
        store.leads().forget_file(file.id).await?;
    }
    Ok(())
}

/// A whole one: it begins and ends as one does.
fn is_pdf(bytes: &[u8]) -> bool {
    let tail = bytes.get(bytes.len().saturating_sub(1_024)..).unwrap_or_default();
    bytes.starts_with(b"%PDF-") && tail.windows(5).any(|end| end == b"%%EOF")
}

/// The last part of a path, without what is no letter, digit or ordinary mark, with the ending of what is stored.
fn plain_name(name: &str, kind: FileKind) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let plain = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '(' | ')' | '.' | ',' | '+' | '&');
    let stem: String = stem.chars().filter(plain).take(MAX_NAME).collect();
    let stem = stem.trim().trim_start_matches('.');
    let stem = if stem.is_empty() { "file" } else { stem };
    format!("{stem}.{}", kind.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_plain_and_ends_as_its_content() {
        for (name, kind, plain) in [
            ("Contract signed.PDF", FileKind::Pdf, "Contract signed.pdf"),
            ("C:\\Users\\x\\roof.png", FileKind::Jpeg, "roof.jpg"),
            ("../../etc/passwd", FileKind::Pdf, "passwd.pdf"),
            ("x\u{202e}gpj.exe", FileKind::Pdf, "xgpj.pdf"),
            ("a\"b\r\nSet-Cookie: x.pdf", FileKind::Pdf, "abSet-Cookie x.pdf"),
            ("<script>.html", FileKind::Jpeg, "script.jpg"),
            (".htaccess", FileKind::Pdf, "file.pdf"),
            ("", FileKind::Jpeg, "file.jpg"),
            ("Techo señor.pdf", FileKind::Pdf, "Techo señor.pdf"),
        ] {
            assert_eq!(plain_name(name, kind), plain, "{name:?}");
        }
        assert_eq!(plain_name(&"ö".repeat(500), FileKind::Pdf).chars().count(), MAX_NAME + 4);
    }

    #[test]
    fn a_pdf_is_whole() {
        assert!(is_pdf(b"%PDF-1.7\n1 0 obj\n%%EOF\n"));
        for other in [&b""[..], b"%PDF-", b"<html>%PDF-1.7 %%EOF", b"PK\x03\x04 %%EOF", b"%PDF-1.7 cut off"] {
            assert!(!is_pdf(other));
        }
    }
}
