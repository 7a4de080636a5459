//! Finds the destination that a path names.

use shingle_store::{Destination, DestinationKind};

use crate::api::auth::ApiCaller;
use crate::state::Web;
use crate::web::error::{ApiError, ApiResult};

/// One of the caller's, of a kind or of any. A malformed id is a 404 like an unknown one.
pub async fn find_destination(
    web: &Web,
    caller: &ApiCaller,
    id: &str,
    kind: Option<DestinationKind>,
) -> ApiResult<Destination> {
    let id = id.parse().map_err(|_| ApiError::NotFound)?;
    let found = web.store.destinations().find(caller.tenant(), id).await?;
    found.filter(|found| kind.is_none_or(|kind| found.draft.kind == kind)).ok_or(ApiError::NotFound)
}
