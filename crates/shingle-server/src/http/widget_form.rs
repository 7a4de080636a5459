//! The multipart form of the widget routes: text fields by name, and at most one file for each logo.

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use shingle_domain::rules::{FieldItem, Fields, WidgetPatch};

use super::error::{ApiError, ApiResult};
use crate::logo::{Logo, MAX_LOGO_BYTES};

/// Bytes of a whole form. Well above the sum of its parts, so that a logo that is too large is read to its end and gets
/// an error message instead of a closed connection.
pub const MAX_FORM_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that are kept of one text: more than any field rule allows, so that the rule reports the error.
const MAX_TEXT_BYTES: usize = 16 * 1024;
const MAX_FIELDS: usize = 200;

/// The fields and files of a form. A request of another content type counts as an empty form, as the contract has it.
#[derive(Debug, Default)]
pub struct WidgetForm {
    pub fields: Fields<'static>,
    header_logo: Option<Vec<u8>>,
    footer_logo: Option<Vec<u8>>,
}

impl WidgetForm {
    pub async fn read(request: Request) -> ApiResult<Self> {
        let content_type =
            request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        if !content_type.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
            return Ok(Self::default());
        }
        let mut multipart = Multipart::from_request(request, &())
            .await
            .map_err(|_| ApiError::bad_request("Multipart: Boundary not found"))?;
        let mut form = Self::default();
        let mut too_large = None;
        let mut count = 0;
        while let Some(field) = multipart.next_field().await.map_err(|e| multipart_error(&e))? {
            count += 1;
            if count > MAX_FIELDS {
                return Err(ApiError::bad_request("Too many fields"));
            }
            let Some(name) = field.name().map(str::to_owned) else { continue };
            match Logo::BOTH.into_iter().find(|logo| logo.field() == name) {
                Some(logo) => match read_part(field, MAX_LOGO_BYTES).await? {
                    Part::Whole(bytes) if bytes.is_empty() => {}
                    Part::Whole(bytes) => form.set_logo(logo, bytes)?,
                    Part::Truncated(_) => too_large = too_large.or(Some(logo)),
                },
                // No field of the form takes this file.
                None if field.file_name().is_some() => {
                    drop(read_part(field, 0).await?);
                    if !WidgetPatch::has_field(&name) {
                        form.fields.push_item(name, FieldItem::Boolean(false));
                    }
                }
                None => {
                    let (Part::Whole(bytes) | Part::Truncated(bytes)) = read_part(field, MAX_TEXT_BYTES).await?;
                    form.push_text(name, bytes);
                }
            }
        }
        match too_large {
            Some(logo) => Err(ApiError::BadRequest(format!("File too large: {} may have 1 MB at most", logo.field()))),
            None => Ok(form),
        }
    }

    pub fn take_logo(&mut self, logo: Logo) -> Option<Vec<u8>> {
        self.slot(logo).take()
    }

    pub fn has(&self, logo: Logo) -> bool {
        match logo {
            Logo::Header => self.header_logo.is_some(),
            Logo::Footer => self.footer_logo.is_some(),
        }
    }

    fn set_logo(&mut self, logo: Logo, bytes: Vec<u8>) -> ApiResult<()> {
        let slot = self.slot(logo);
        if slot.is_some() {
            return Err(ApiError::BadRequest(format!("Unexpected file field - {}", logo.field())));
        }
        *slot = Some(bytes);
        Ok(())
    }

    fn push_text(&mut self, name: String, mut bytes: Vec<u8>) {
        if bytes.len() == MAX_TEXT_BYTES {
            // The limit may have split the last character.
            let whole = core::str::from_utf8(&bytes).map_or_else(|e| e.valid_up_to(), str::len);
            bytes.truncate(whole);
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.fields.push(name, text),
            Err(_) => self.fields.push_item(name, FieldItem::Boolean(false)),
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
    /// The rest was read and dropped.
    Truncated(Vec<u8>),
}

async fn read_part(mut field: Field<'_>, max_bytes: usize) -> ApiResult<Part> {
    let mut kept = Vec::new();
    let mut truncated = false;
    while let Some(chunk) = field.chunk().await.map_err(|e| multipart_error(&e))? {
        let room = max_bytes - kept.len();
        truncated |= chunk.len() > room;
        kept.extend_from_slice(&chunk[..chunk.len().min(room)]);
    }
    Ok(if truncated { Part::Truncated(kept) } else { Part::Whole(kept) })
}

fn multipart_error(error: &MultipartError) -> ApiError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        ApiError::bad_request("Request body is too large")
    } else {
        ApiError::bad_request("Multipart: Unexpected end of form")
    }
}
