//! Towns that visitors asked for and that are not imported yet.

use std::sync::Arc;

use shingle_domain::State;
use shingle_property::PropertyError;

use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// Towns that were asked for and are still missing: some were imported since.
pub async fn still_missing(web: &Arc<Web>, asked: Vec<(String, i64)>) -> ApiResult<Vec<(String, i64)>> {
    let context = web.clone();
    let work = move || {
        let index = &context.indexes.production;
        let mut missing = Vec::new();
        for (name, count) in asked {
            // `Saco, ME`; what names no state cannot be looked up.
            let place = name.rsplit_once(", ").and_then(|(town, state)| Some((town, State::parse(state)?)));
            let is_known = match place {
                Some((town, state)) => {
                    index.towns(state)?.towns.iter().any(|known| known.name.eq_ignore_ascii_case(town))
                }
                None => false,
            };
            if !is_known {
                missing.push((name, count));
            }
        }
        Ok::<_, PropertyError>(missing)
    };
    web.heavy_work.run(work).await?.map_err(ApiError::internal)
}
