//! Files of a lead: added, downloaded, deleted.

use std::sync::Arc;

use axum::extract::{Extension, FromRequest, Multipart, Path, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use shingle_domain::lead::Lead;
use shingle_domain::{LeadId, Tenant};
use shingle_store::FileKind;

use crate::portal::form::PortalForm;
use crate::portal::gate::Signed;
use crate::portal::leads::answer::Answer;
use crate::portal::leads::query::environment;
use crate::portal::responses::or_not_there;
use crate::state::Web;
use crate::visitor::photos;
use crate::web::error::{ApiError, ApiResult};
use shingle_app::lead_files::{self, FileFailure, MAX_FILE_BYTES};
use shingle_app::refusal::Refusal;

/// Bytes of the form, so far above the limit of a file that a large one is read to its end and gets an answer.
pub const MAX_FORM_BYTES: usize = MAX_FILE_BYTES + 4 * 1024 * 1024;
const MAX_FIELD_BYTES: usize = 8 * 1024;

/// What was sent: fields, and then the file with its name.
pub struct Upload {
    pub form: PortalForm,
    file: Result<Option<(String, Vec<u8>)>, &'static str>,
}

impl Upload {
    pub async fn read(request: Request) -> ApiResult<Self> {
        let unreadable = |_| ApiError::bad_request(Refusal::CutOff);
        let mut parts =
            Multipart::from_request(request, &()).await.map_err(|_| ApiError::bad_request(Refusal::NoBoundary))?;
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut file = Ok(None);
        while let Some(part) = parts.next_field().await.map_err(unreadable)? {
            let name = part.name().unwrap_or_default().to_owned();
            if name == "file" {
                let called = part.file_name().unwrap_or_default().to_owned();
                file = match photos::read(part, "file", MAX_FILE_BYTES).await {
                    Ok(bytes) => Ok(Some((called, bytes))),
                    Err(ApiError::BadRequest(_)) => Err("The file has more than 10 MB. Choose a smaller one."),
                    Err(other) => return Err(other),
                };
                // Behind it nothing is read.
                break;
            }
            let text = photos::read(part, &name, MAX_FIELD_BYTES).await?;
            fields.push((name, String::from_utf8_lossy(&text).into_owned()));
        }
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        Ok(Self { form: PortalForm::parse(form.as_bytes()), file })
    }
}

pub async fn add(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, upload: Upload) -> ApiResult<Answer> {
    let refused = |said: &'static str| Ok(Answer::refused("file", "", said));
    let (name, bytes) = match upload.file {
        Ok(Some(file)) => file,
        Ok(None) => return refused("Please choose a file."),
        Err(said) => return refused(said),
    };
    match lead_files::add(web.app(), tenant, lead.id, &signed.user, (&name, bytes)).await {
        Ok(()) => Ok(Answer::Back("saved")),
        Err(FileFailure::Empty) => refused("Please choose a file."),
        Err(FileFailure::Unknown) => {
            refused("We keep pictures (JPEG, PNG, WebP) and PDFs, and can’t read this file as one.")
        }
        Err(FileFailure::Heic) => refused("We can’t read HEIC pictures. Send it as a JPEG."),
        Err(FileFailure::TooManyPixels) => refused("The picture has more than 50 million pixels. Make it smaller."),
        Err(FileFailure::TooMany(_)) => refused("A lead has 20 files at most. Delete one first."),
        Err(FileFailure::Other(other)) => Err(other.into()),
    }
}

pub async fn delete(web: &Web, signed: &Signed, tenant: &Tenant, lead: &Lead, form: &PortalForm) -> ApiResult<Answer> {
    let id = form.text("file").parse().map_err(|_| ApiError::NotFound)?;
    web.store.leads().remove_file(tenant, lead.id, &signed.user, id).await?;
    shingle_app::photos::delete_removed_soon(web).await;
    Ok(Answer::Back("fileDeleted"))
}

pub async fn download(
    State(web): State<Arc<Web>>,
    Extension(signed): Extension<Arc<Signed>>,
    Path((id, file)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let found = async {
        let tenant = signed.tenant(environment(&PortalForm::of_query(query.as_deref())));
        let lead: LeadId = id.parse().map_err(|_| ApiError::NotFound)?;
        let files = web.store.leads().files(&tenant, lead).await?;
        let file = files.into_iter().find(|of| of.id.to_string() == file).ok_or(ApiError::NotFound)?;
        let blob = web.blobs.get(&file.path).await?.ok_or(ApiError::NotFound)?;
        let kind = match file.kind {
            FileKind::Jpeg => "image/jpeg",
            FileKind::Pdf => "application/pdf",
        };
        let mut headers: HeaderMap = [
            (header::CONTENT_TYPE, kind),
            (header::CACHE_CONTROL, "private, no-store"),
            (header::CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
        ]
        .map(|(name, value)| (name, HeaderValue::from_static(value)))
        .into_iter()
        .collect();
        // As RFC 5987 encodes a name: everything but letters and digits by its bytes.
        let name: String = url::form_urlencoded::byte_serialize(file.name.as_bytes()).collect();
        let name = name.replace('+', "%20").replace('*', "%2A");
        let disposition = ["attachment; filename*=UTF-8''", &name].concat();
        headers.insert(header::CONTENT_DISPOSITION, disposition.parse().map_err(ApiError::internal)?);
        Ok((StatusCode::OK, headers, blob.bytes).into_response())
    };
    or_not_there(found.await)
}
