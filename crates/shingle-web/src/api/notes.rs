//! `/api/v1/leads/{id}/notes`: what the company wrote down about a lead.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Serialize;
use shingle_domain::rules::NoteDraft;
use shingle_domain::{EntryId, Timestamp};
use shingle_store::LeadEntry;

use crate::api::auth::LeadCaller;
use crate::api::leads::parse_id;
use crate::state::Web;
use crate::web::error::ApiResult;
use crate::web::json;

#[derive(Debug, Serialize, JsonSchema)]
pub struct LeadNote {
    /// Id of the note. Example: `0192f4c1-7d3e-7a2b-8c4d-1f2e3d4c5b6a`
    id: EntryId,
    /// Who wrote it: a person's name, or that of the key. Example: `Maya Lindqvist`
    author: String,
    /// What it says. Example: `Called, no answer.`
    text: String,
    /// When it was written. Example: `2026-11-22T23:04:04.000Z`
    at: Timestamp,
}

impl From<LeadEntry> for LeadNote {
    fn from(entry: LeadEntry) -> Self {
        Self { id: entry.id, author: entry.author, text: entry.text, at: entry.at }
    }
}

pub async fn list(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
) -> ApiResult<Json<Vec<LeadNote>>> {
    let notes = web.store.leads().notes_of(caller.tenant(), parse_id(&id)?).await?;
    Ok(Json(notes.into_iter().map(LeadNote::from).collect()))
}

pub async fn add(
    State(web): State<Arc<Web>>,
    caller: LeadCaller,
    Path(id): Path<String>,
    body: Bytes,
) -> ApiResult<(StatusCode, Json<LeadNote>)> {
    let draft = NoteDraft::parse(&json::fields(&body)?)?;
    let made = web.store.leads().add_note_of_key(caller.tenant(), parse_id(&id)?, &caller.0.key, &draft.text).await?;
    Ok((StatusCode::CREATED, Json(made.into())))
}
