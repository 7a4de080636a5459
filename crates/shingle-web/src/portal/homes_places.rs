//! Which imports and areas lie on this server, and which on the others.

use std::sync::Arc;

use shingle_app::imports::ImportRecord;

use crate::state::Web;
use crate::web::error::ApiResult;

/// Where files of imports are sent.
pub const UPLOADS: &str = "/portal/operator/imports";
/// All areas of a server lie together, under this name.
pub const AREAS: &str = "areas";

/// What lies on this server, as the others list it.
pub fn own_places(web: &Web) -> Vec<(String, String)> {
    let record = |record: ImportRecord| Some((record.id.to_string(), serde_json::to_string(&record).ok()?));
    let imports = web.imports.list().into_iter().filter_map(record);
    let areas = (!web.areas.is_empty()).then(|| (AREAS.to_owned(), String::new()));
    imports.chain(areas).collect()
}

/// The others see from now on what lies here: the next page may be asked of one of them. What was begun goes on if they
/// cannot be told now; a second later they are.
pub async fn show_own(web: &Arc<Web>) {
    if !web.node.has_others() {
        return;
    }
    let context = web.clone();
    let Ok(places) = tokio::task::spawn_blocking(move || own_places(&context)).await else { return };
    if let Err(error) = web.store.nodes().show_homes(&web.node.id, web.node.host(), &places).await {
        tracing::error!(%error, "the other servers could not be shown which files lie here");
    }
}

/// Imports of the other servers.
pub async fn imports_elsewhere(web: &Web) -> ApiResult<Vec<ImportRecord>> {
    if !web.node.has_others() {
        return Ok(Vec::new());
    }
    let places = web.store.nodes().homes_elsewhere(&web.node.id).await?;
    // Another version may write what this one does not read.
    Ok(places.iter().filter_map(|place| serde_json::from_str(&place.record).ok()).collect())
}
