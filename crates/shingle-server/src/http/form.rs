//! Multipart forms of the widget routes: texts by name, and at most one file for each logo.

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use shingle_domain::rules::Fields;

use super::error::{Answer, Failure};
use crate::images::{Logo, MAX_BYTES};

/// Bytes a whole form may have. Well above what fits, so that one logo that is too large is read to its end
/// and answered in words rather than with a closed connection.
pub const MAX_FORM: usize = 8 * 1024 * 1024;
/// Bytes kept of one text: more than any rule lets through, so that the rule can say so.
const MAX_TEXT: usize = 16 * 1024;
const MAX_FIELDS: usize = 200;

/// What a form held. A request of another content type is an empty form, as in the contract's stack.
#[derive(Debug, Default)]
pub struct Form {
    pub fields: Fields<'static>,
    header_logo: Option<Vec<u8>>,
    footer_logo: Option<Vec<u8>>,
}

impl Form {
    pub async fn read(request: Request) -> Answer<Self> {
        let content_type =
            request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        if !content_type.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
            return Ok(Self::default());
        }
        let mut multipart = Multipart::from_request(request, &())
            .await
            .map_err(|_| Failure::refused("Multipart: Boundary not found"))?;
        let mut form = Self::default();
        let mut too_large = None;
        let mut count = 0;
        while let Some(field) = multipart.next_field().await.map_err(|e| broken(&e))? {
            count += 1;
            if count > MAX_FIELDS {
                return Err(Failure::refused("Too many fields"));
            }
            let Some(name) = field.name().map(str::to_owned) else { continue };
            match Logo::BOTH.into_iter().find(|logo| logo.field() == name) {
                Some(logo) => match read_part(field, MAX_BYTES).await? {
                    Part::Whole(bytes) if bytes.is_empty() => {}
                    Part::Whole(bytes) => form.take(logo, bytes)?,
                    Part::Cut(_) => too_large = too_large.or(Some(logo)),
                },
                None if field.file_name().is_some() => drop(read_part(field, 0).await?),
                None => {
                    let (Part::Whole(bytes) | Part::Cut(bytes)) = read_part(field, MAX_TEXT).await?;
                    form.push(name, bytes);
                }
            }
        }
        match too_large {
            Some(logo) => Err(Failure::Refused(format!("File too large: {} may have 1 MB at most", logo.field()))),
            None => Ok(form),
        }
    }

    pub fn logo(&mut self, logo: Logo) -> Option<Vec<u8>> {
        self.slot(logo).take()
    }

    pub fn has(&self, logo: Logo) -> bool {
        match logo {
            Logo::Header => self.header_logo.is_some(),
            Logo::Footer => self.footer_logo.is_some(),
        }
    }

    fn take(&mut self, logo: Logo, bytes: Vec<u8>) -> Answer<()> {
        let slot = self.slot(logo);
        if slot.is_some() {
            return Err(Failure::Refused(format!("Unexpected file field - {}", logo.field())));
        }
        *slot = Some(bytes);
        Ok(())
    }

    fn push(&mut self, name: String, mut bytes: Vec<u8>) {
        if bytes.len() == MAX_TEXT {
            // A cut may have split the last character.
            let whole = core::str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), str::len);
            bytes.truncate(whole);
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.fields.push(name, text),
            Err(_) => self.fields.push_not_text(name),
        }
    }

    fn slot(&mut self, logo: Logo) -> &mut Option<Vec<u8>> {
        match logo {
            Logo::Header => &mut self.header_logo,
            Logo::Footer => &mut self.footer_logo,
        }
    }
}

enum Part {
    Whole(Vec<u8>),
    /// There was more than was asked for; the rest was read and dropped.
    Cut(Vec<u8>),
}

async fn read_part(mut field: Field<'_>, most: usize) -> Answer<Part> {
    let mut kept = Vec::new();
    let mut cut = false;
    while let Some(chunk) = field.chunk().await.map_err(|e| broken(&e))? {
        let room = most - kept.len();
        cut |= chunk.len() > room;
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(if cut { Part::Cut(kept) } else { Part::Whole(kept) })
}

fn broken(error: &MultipartError) -> Failure {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Failure::refused("Request body is too large")
    } else {
        Failure::refused("Multipart: Unexpected end of form")
    }
}
