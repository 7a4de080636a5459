//! The form of the widget routes: text fields by name, and in multipart at most one file for each logo.
//!
//! # Decision
//!
//! A widget's form may also come as JSON or URL-encoded, as the reference stack reads it. Any other update body is a
//! 400; it would change nothing silently.

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use shingle_domain::rules::{FieldItem, Fields, WidgetPatch};

use crate::web::error::{ApiError, ApiResult};
use crate::web::json;
use shingle_app::logo::{Logo, MAX_LOGO_BYTES};
use shingle_app::refusal::Refusal;

/// Bytes of a whole form. Well above the sum of its parts, so that a logo that is too large is read to its end and gets
/// an error message instead of a closed connection.
pub const MAX_FORM_BYTES: usize = 8 * 1024 * 1024;
/// Bytes that are kept of one text: more than any field rule allows, so that the rule reports the error.
const MAX_TEXT_BYTES: usize = 16 * 1024;
const MAX_FIELDS: usize = 200;

/// Bytes of a form that has no files.
const MAX_PLAIN_BYTES: usize = 64 * 1024;

/// The fields and files of a form. No body counts as an empty form.
#[derive(Debug, Default)]
pub struct WidgetForm {
    pub fields: Fields<'static>,
    header_logo: Option<Vec<u8>>,
    footer_logo: Option<Vec<u8>>,
    /// There is a body of a content type that no form has.
    is_unread: bool,
}

impl WidgetForm {
    pub async fn read(request: Request) -> ApiResult<Self> {
        let mut form = Self::default();
        form.fill(request).await?;
        Ok(form)
    }

    /// Keeps what was read before something was wrong.
    pub async fn read_as_far(request: Request) -> (Self, Option<ApiError>) {
        let mut form = Self::default();
        let wrong = form.fill(request).await.err();
        (form, wrong)
    }

    async fn fill(&mut self, request: Request) -> ApiResult<()> {
        let content_type =
            request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let content_type = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if content_type != "multipart/form-data" {
            *self = Self::read_plain(request, &content_type).await?;
            return Ok(());
        }
        let mut multipart =
            Multipart::from_request(request, &()).await.map_err(|_| ApiError::bad_request(Refusal::NoBoundary))?;
        let mut too_large = None;
        let mut count = 0;
        while let Some(field) = multipart.next_field().await.map_err(|e| multipart_error(&e))? {
            count += 1;
            if count > MAX_FIELDS {
                return Err(ApiError::bad_request(Refusal::TooManyFields));
            }
            let Some(name) = field.name().map(str::to_owned) else { continue };
            match Logo::BOTH.into_iter().find(|logo| logo.field() == name) {
                Some(logo) => match read_part(field, MAX_LOGO_BYTES).await? {
                    Part::Whole(bytes) if bytes.is_empty() => {}
                    Part::Whole(bytes) => self.set_logo(logo, bytes)?,
                    Part::Truncated(_) => too_large = too_large.or(Some(logo)),
                },
                // No field of the form takes this file.
                None if field.file_name().is_some() => {
                    drop(read_part(field, 0).await?);
                    if WidgetPatch::ignored(&Fields::from_pairs([(name.as_str(), "")])).is_empty() {
                        continue;
                    }
                    self.fields.push_item(name, FieldItem::List(Vec::new()));
                }
                None => {
                    let (Part::Whole(bytes) | Part::Truncated(bytes)) = read_part(field, MAX_TEXT_BYTES).await?;
                    self.push_text(name, bytes);
                }
            }
        }
        match too_large {
            Some(logo) => Err(ApiError::bad_request(Refusal::LargeLogo { field: logo.field() })),
            None => Ok(()),
        }
    }

    /// As the reference stack reads a form without files.
    async fn read_plain(request: Request, content_type: &str) -> ApiResult<Self> {
        let too_large = |_| ApiError::bad_request(Refusal::TooLarge);
        let body = axum::body::to_bytes(request.into_body(), MAX_PLAIN_BYTES).await.map_err(too_large)?;
        let mut form = Self::default();
        match content_type {
            "application/json" => form.fields = json::fields(&body)?,
            "application/x-www-form-urlencoded" => {
                for (name, value) in url::form_urlencoded::parse(&body) {
                    form.fields.push(name.into_owned(), value.into_owned());
                }
            }
            _ => form.is_unread = !body.is_empty(),
        }
        Ok(form)
    }

    /// An update without fields changes nothing, so it must not be one by mistake.
    pub fn require_read(&self) -> ApiResult<()> {
        if self.is_unread {
            return Err(ApiError::bad_request("Request body must be multipart/form-data or JSON"));
        }
        Ok(())
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
            return Err(ApiError::bad_request(Refusal::SecondFile { field: logo.field() }));
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
            Err(_) => self.fields.push_item(name, FieldItem::List(Vec::new())),
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
        ApiError::bad_request(Refusal::TooLarge)
    } else {
        ApiError::bad_request(Refusal::CutOff)
    }
}
